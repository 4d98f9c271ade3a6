//! How the program behaves on standard input and output, whatever the other side does.

mod support;

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{Program, command, wait, wait_until};

const QUICK: &[&str] = &["go", "--size", "9", "--threads", "1", "--playouts", "100", "--seed", "1", "--memory", "64"];
/// Thinks for ten minutes unless somebody ends it.
const SLOW: &[&str] = &["go", "--size", "9", "--threads", "2", "--time", "600", "--memory", "64"];

#[test]
fn ids_comments_tabs_and_line_ends() {
    let mut go = Program::start(QUICK);
    go.send_bytes(b"12 name\r\n\n  # only a comment\n\r\n7\tprotocol_version\t\r\nversion # which?\n0 name\n");
    assert_eq!(go.answer(), "=12 Losange");
    assert_eq!(go.answer(), "=7 2");
    assert_eq!(go.answer(), format!("= {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(go.answer(), "=0 Losange");
    assert_eq!(go.ask("12"), "?12 syntax error: there is no command");
    assert_eq!(go.ask("13 frobnicate"), "?13 unknown command: frobnicate");
    assert_eq!(go.ask("quit"), "= ");
    assert!(go.wait().success());
    let errors = go.errors();
    let only_the_model = errors.lines().count() == 1 && errors.starts_with("losange: models/go.onnx runs on ");
    assert!(only_the_model, "a quiet engine says what runs its model and nothing else on standard error: {errors}");
}

#[test]
fn a_megabyte_in_one_line_is_refused_and_forgotten() {
    let mut go = Program::start(QUICK);
    let mut line = vec![b'x'; 1 << 20];
    line.push(b'\n');
    go.send_bytes(&line);
    assert!(go.answer().starts_with("? line too long"));
    assert_eq!(go.ask("name"), "= Losange");
    // As long as a line may be, and unknown.
    assert!(go.ask(&"y".repeat(65_000)).starts_with("? unknown command: yyyy"));
}

#[test]
fn binary_junk_is_survived() {
    let mut go = Program::start(QUICK);
    let mut rng = losange::rng::Rng::new(5);
    let mut junk: Vec<u8> = (0..100_000).map(|_| rng.below(256) as u8).collect();
    junk.extend(b"\n999999 name\n");
    go.send_bytes(&junk);
    // Every answer on the way is a refusal.
    loop {
        match go.answer() {
            answer if answer == "=999999 Losange" => break,
            answer => assert!(answer.starts_with('?'), "{answer:?}"),
        }
    }
}

#[test]
fn a_burst_is_answered_in_order() {
    let mut go = Program::start(QUICK);
    let mut burst = String::new();
    for number in 0..5000 {
        burst += &format!("{number} {}\n", ["name", "play b A1", "undo", "showboard"][number % 4]);
    }
    let mut stdin = go.stdin.take().unwrap();
    let sender = std::thread::spawn(move || stdin.write_all(burst.as_bytes()));
    for number in 0..5000 {
        let answer = go.answer();
        assert!(answer.starts_with(&format!("={number} ")), "{answer:?}");
    }
    sender.join().unwrap().unwrap();
    assert!(go.wait().success());
}

#[test]
fn any_line_ends_an_analysis_and_is_answered_after_it() {
    let mut go = Program::start(SLOW);
    for (ending, answer) in
        [("protocol_version", "= 2"), ("3 name", "=3 Losange"), ("stop", "= "), ("kata-analyze x", "?")]
    {
        go.send("5 kata-analyze b 5");
        assert_eq!(go.line(), "=5 ");
        assert!(go.line().starts_with("info move "));
        go.send(ending);
        while go.line() != "" {}
        assert!(go.answer().starts_with(answer), "{ending}");
    }
    // A bare line break ends it and has no answer of its own.
    go.send("lz-analyze 5");
    assert_eq!(go.line(), "= ");
    go.send("");
    while go.line() != "" {}
    assert_eq!(go.ask("name"), "= Losange");
}

#[test]
fn input_that_ends_in_the_middle_of_an_analysis_ends_it_properly() {
    let mut go = Program::start(SLOW);
    go.send("1 kata-analyze b 1");
    assert_eq!(go.line(), "=1 ");
    assert!(go.line().starts_with("info move "));
    go.close();
    let mut last = String::new();
    while let Some(line) = go.line_or_end() {
        last = line;
    }
    assert_eq!(last, "", "the answer has its empty line");
    assert!(go.wait().success());
}

#[test]
fn what_was_asked_before_the_end_of_input_is_answered() {
    let mut go = Program::start(QUICK);
    go.send_bytes(b"1 genmove b\n2 showboard\n3 name");
    go.close();
    // However little time there was, the game's own knowledge does not begin on the edge.
    let answer = go.answer();
    let mv = answer.strip_prefix("=1 ").unwrap();
    assert!(mv.len() == 2 && !mv.contains(['A', 'J', '1', '9']), "{answer}");
    assert!(go.answer().starts_with("=2 "));
    assert_eq!(go.answer(), "=3 Losange");
    assert!(go.wait().success());
}

#[test]
fn quit_while_thinking_is_obeyed_and_the_move_answered() {
    for ending in ["2 quit", ""] {
        let mut go = Program::start(SLOW);
        go.send("1 kata-genmove_analyze b 5");
        assert_eq!(go.line(), "=1 ");
        assert!(go.line().starts_with("info move "));
        std::thread::sleep(Duration::from_millis(300));
        if ending.is_empty() {
            go.close();
        } else {
            go.send_bytes(format!("{ending}\n3 name\n").as_bytes());
        }
        let mut lines: Vec<_> = std::iter::from_fn(|| go.line_or_end()).collect();
        if !ending.is_empty() {
            assert_eq!(lines.split_off(lines.len() - 2), ["=2 ", ""], "nothing is answered after quit");
        }
        assert!(lines[lines.len() - 2].starts_with("play ") && lines.last().unwrap().is_empty(), "{lines:?}");
        assert!(go.wait().success());
    }
}

/// A script's searches take the time that it asks for, though its end stands in the queue already.
#[test]
fn a_script_gets_its_searches_whole() {
    for end in ["", "quit\n"] {
        let start = Instant::now();
        let mut go = Program::start(&["go", "--size", "9", "--threads", "1", "--time", "0.7", "--memory", "64"]);
        go.send_bytes(format!("1 name\n2 genmove b\n3 losange-ownership\n{end}").as_bytes());
        go.close();
        assert_eq!(go.answer(), "=1 Losange");
        assert!(go.answer().starts_with("=2 "));
        assert!(start.elapsed() >= Duration::from_millis(700), "{:?}", start.elapsed());
        let owners = go.answer();
        assert!(owners.starts_with("=3 ") && owners.lines().count() == 9, "{owners}");
        assert!(end.is_empty() || go.answer() == "= ");
        assert!(go.wait().success());
    }
}

/// One second, then five stones in two seconds: main time and overtime are used, told or not.
#[test]
fn short_clocks_are_used() {
    for told in [false, true] {
        let mut go = Program::start(&["go", "--size", "9", "--threads", "1", "--memory", "64"]);
        assert_eq!(go.ask("time_settings 1 2 5"), "= ");
        let start = Instant::now();
        for number in 0..8 {
            if told && number > 3 {
                // The third move was the first of a period.
                assert_eq!(
                    go.ask(&format!("time_left b {:.2} {}", 2.0 - 0.4 * f64::from(number - 3), 8 - number)),
                    "= "
                );
            }
            assert!(go.ask("genmove b").starts_with("= "));
        }
        let used = start.elapsed().as_secs_f64();
        assert!(used > 1.5, "{used} s of about 3.4 s");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_does_not_wait_for_a_script() {
    let mut go = Program::start(SLOW);
    go.send_bytes(b"1 name\n2 genmove b\n3 genmove w\nquit\n");
    go.close();
    assert_eq!(go.answer(), "=1 Losange");
    go.signal("TERM");
    assert!(go.answer().starts_with("=2 ") && go.answer().starts_with("=3 "));
    assert!(go.wait().success());
}

#[test]
fn interrupt_cuts_a_move_short_and_is_not_answered() {
    for (program, command) in [("go", "genmove b"), ("hex", "genmove b"), ("go", "kata-genmove_analyze b 10")] {
        let mut engine = Program::start(&[program, "--time", "600", "--threads", "2", "--memory", "64"]);
        engine.send(command);
        engine.send("# interrupt");
        let answer = engine.answer();
        assert!(answer.starts_with("= "), "{answer}");
        assert_eq!(engine.ask("protocol_version"), "= 2");
        assert!(engine.ask("undo").starts_with("= "), "the move was played");
    }
}

#[test]
fn other_lines_do_not_cut_a_move_short() {
    let mut go = Program::start(&["go", "--size", "9", "--threads", "1", "--playouts", "3000", "--seed", "1"]);
    let alone = go.ask("genmove b");
    let mut go = Program::start(&["go", "--size", "9", "--threads", "1", "--playouts", "3000", "--seed", "1"]);
    go.send("genmove b\nprotocol_version");
    assert_eq!(go.answer(), alone);
    assert_eq!(go.answer(), "= 2");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for game in ["go", "hex"] {
        let play = || {
            let mut engine = Program::start(&[
                game,
                "--size",
                "7",
                "--threads",
                "1",
                "--playouts",
                "200",
                "--seed",
                "9",
                "--memory",
                "64",
            ]);
            (0..12).map(|n| engine.ask(&format!("genmove {}", ["b", "w"][n % 2]))).collect::<Vec<_>>()
        };
        assert_eq!(play(), play());
    }
}

#[cfg(unix)]
#[test]
fn signals_end_the_program_with_success() {
    for signal in ["TERM", "INT", "HUP"] {
        let mut go = Program::start(SLOW);
        go.send("kata-analyze b 1");
        assert_eq!(go.line(), "= ");
        go.signal(signal);
        let status = go.wait();
        assert!(status.success(), "{signal}: {status:?}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program() {
    let mut child = command(SLOW).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // The program may be gone before it is told the rest.
    let _ = stdin.write_all(b"name\nkata-analyze b 1\n");
    assert!(wait(&mut child).success());
}

#[test]
fn a_reader_that_does_not_read_cannot_keep_the_program() {
    let mut child = command(QUICK).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // More answers than a pipe holds, and more lines than are worked on at once.
    let sender = std::thread::spawn(move || {
        let _ = stdin.write_all("showboard\n".repeat(5000).as_bytes());
    });
    sender.join().unwrap();
    assert!(wait(&mut child).success());
}

#[test]
fn a_signal_ends_the_program_however_much_is_asked_of_it() {
    let mut child = command(QUICK).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while stdin.write_all("name\n".repeat(100).as_bytes()).is_ok() {});
    let mut stdout = child.stdout.take().unwrap();
    let (first, answered) = std::sync::mpsc::channel();
    // Slowly, so that there is always more to answer.
    let reader = std::thread::spawn(move || {
        let mut some = [0; 1000];
        while stdout.read(&mut some).is_ok_and(|count| count > 0) {
            let _ = first.send(());
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    answered.recv().unwrap();
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success() && wait(&mut child).success());
    writer.join().unwrap();
    reader.join().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = command(QUICK).stdout(Stdio::from(full)).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"name\n");
    assert_eq!(wait(&mut child).code(), Some(1));
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(text.contains("answers cannot be written"), "{text}");
}

#[test]
fn bad_options_say_what_is_wrong() {
    for (args, expected) in [
        (&["go", "--size", "0"][..], "at most 32 lines"),
        (&["go", "--size", "1"], "from 2x2 to 25x25"),
        (&["hex", "--size", "33"], "at most 32 lines"),
        (&["go", "--komi", "nan"], "number of points"),
        (&["go", "--rules", "chess"], "tromp-taylor"),
        (&["go", "--set", "nonsense=1"], "unknown parameter 'nonsense'; `losange params`"),
        (&["go", "--set", "uct_constant=x"], "from -1.0 to 10.0"),
        (&["go", "--threads", "0"], "number from 1"),
        (&["go", "--logfile-name", "/nowhere/at/all.log"], "cannot be opened"),
        (&["serve", "--listen", "0.0.0.0:0"], "--allow-remote"),
    ] {
        let mut program = Program::start(args);
        assert!(!program.wait().success(), "{args:?}");
        let text = program.errors();
        assert!(text.contains(expected), "{args:?}: {text}");
    }
}

#[test]
fn options_that_tournament_scripts_append_are_taken() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let mut hex = Program::start(&["hex", "--seed", "42", "--logfile-name", log.to_str().unwrap(), "-v"]);
    assert_eq!(hex.ask("boardsize 5 5"), "= ");
    hex.ask("quit");
    assert!(hex.wait().success());
    assert!(log.exists());
}

#[test]
fn files_that_are_no_games_are_refused_and_the_game_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mut big = b"(;SZ[9]C[".to_vec();
    big.resize(10 << 20, b'x');
    let cases = [
        (file("big.sgf", &big), "larger than 4 MiB"),
        (file("binary.sgf", &[0xff, 0, 1, b'(', b';', 0xfe]), "syntax error"),
        (file("empty.sgf", b""), "no '(;'"),
        (directory.path().to_str().unwrap().to_owned(), "no ordinary file"),
        (directory.path().join("none").to_str().unwrap().to_owned(), "No such file"),
    ];
    let mut go = Program::start(QUICK);
    assert_eq!(go.ask("play b E5"), "= ");
    for (path, reason) in cases {
        let answer = go.ask(&format!("loadsgf \"{path}\""));
        assert!(answer.starts_with("? cannot load file: ") && answer.contains(reason), "{answer}");
    }
    assert_eq!(go.ask("undo"), "= ", "the game is still there");
    // A space in the name, quoted.
    let good = file("a game.sgf", b"(;GM[1]SZ[9];B[aa])");
    assert_eq!(go.ask(&format!("loadsgf \"{good}\"")), "= ");
    let written = directory.path().join("written.sgf");
    assert_eq!(go.ask(&format!("printsgf \"{}\"", written.display())), "= ");
    assert!(std::fs::read_to_string(written).unwrap().contains(";B[aa]"));
    assert!(go.ask("printsgf /nowhere/at/all.sgf").starts_with("? cannot write file"));
    assert!(go.ask(&format!("printsgf \"{}\"", directory.path().display())).contains("no ordinary file"));
    // Letters that a line may not have must not make two names one.
    for command in ["printsgf", "loadsgf"] {
        assert!(go.ask(&format!("{command} \"{}/ä.sgf\"", directory.path().display())).contains("outside ASCII"));
    }
    let names: Vec<_> = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| name != ".sgf" && !name.to_string_lossy().ends_with(".part")), "{names:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_that_cannot_be_written_leaves_the_one_before() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.sgf");
    std::fs::write(&path, "(;GM[1]SZ[9])").unwrap();
    let mut go = Program::start(QUICK);
    // Where it is written in the meantime a folder stands.
    let part = directory.path().join(format!("game.sgf.{}.part", go.child.id()));
    std::fs::create_dir(&part).unwrap();
    assert!(go.ask(&format!("printsgf {}", path.display())).starts_with("? cannot write file"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "(;GM[1]SZ[9])");
    std::fs::remove_dir(part).unwrap();
    // Where it can be, a link leads to the new game, and the file is as open to others as it was.
    let link = directory.path().join("link.sgf");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    assert_eq!(go.ask(&format!("printsgf {}", link.display())), "= ");
    assert!(link.is_symlink() && std::fs::read_to_string(&path).unwrap().contains("AP[Losange"));
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions()) & 0o777, 0o600);
}

#[test]
fn no_game_is_longer_than_can_be_loaded() {
    let mut go = Program::start(QUICK);
    assert_eq!(go.ask("kata-set-rules tromp-taylor"), "= ");
    let passes = format!("gogui-play_sequence{}", " b pass w pass".repeat(2_500));
    for _ in 0..4 {
        assert_eq!(go.ask(&passes), "= ");
    }
    for command in
        ["play b E5", "gogui-play_sequence b E5", "genmove b", "kata-genmove_analyze b", "cgos-genmove_analyze b"]
    {
        assert!(go.ask(command).starts_with("? the game has 20000 moves"), "{command}");
    }
    assert_eq!(go.ask("undo"), "= ");
    assert_eq!(go.ask("play b E5"), "= ");
}

#[test]
fn thinking_on_the_opponents_time_happens_only_when_asked_for() {
    let cpu = |go: &mut Program| go.ask("cputime")[2..].parse::<f64>().unwrap();
    let mut quiet = Program::start(QUICK);
    quiet.ask("genmove b");
    let before = cpu(&mut quiet);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(cpu(&mut quiet), before);

    let mut pondering = Program::start(&[QUICK, &["--ponder"]].concat());
    pondering.ask("genmove b");
    let before = cpu(&mut pondering);
    wait_until("it ponders", || cpu(&mut pondering) > before);
    assert_eq!(pondering.ask("play w A1"), "= ");
    assert!(pondering.ask("genmove b").starts_with("= "));
    pondering.ask("stop");
    let before = cpu(&mut pondering);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(cpu(&mut pondering), before, "stop ends it");
}

/// `losange commands | head -1`: a reader that has seen enough is no fault.
#[test]
fn listings_end_quietly_when_nobody_reads() {
    for command in ["commands", "params"] {
        let mut child = support::command(&[command]).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

/// Answers of a program with those options to those lines.
fn answers(options: &[&str], lines: &str) -> String {
    let mut child = command(options).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(wait(&mut child).success());
    text
}

#[test]
fn a_level_ends_with_its_game() {
    let lines = "level\nlosange-game clobber\nlevel\nlosange-game hex\nlevel\nquit\n";
    assert_eq!(answers(&["hex", "--level", "7", "--no-model"], lines), "= 7\n\n= \n\n= full\n\n= \n\n= 7\n\n= \n\n");
}

#[test]
fn a_model_from_a_file_leaves_other_games_theirs() {
    let query = "{\"id\":\"m\",\"action\":\"query_models\"}\n";
    let told = |options: &[&str]| answers(&[&["analysis"], options].concat(), query);
    let own = told(&[]);
    let hex = told(&["--model", concat!(env!("CARGO_MANIFEST_DIR"), "/models/hex.onnx")]);
    let games = |text: &str| -> std::collections::BTreeSet<String> {
        let told: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
        let models = told["models"].as_array().unwrap();
        models.iter().map(|model| model["game"].as_str().unwrap().to_owned()).collect()
    };
    assert!(games(&own).len() > 1, "{own}");
    assert_eq!(games(&hex), games(&own), "{hex}");
    // The file is all that its game has.
    assert_eq!(hex.matches("\"game\":\"hex\"").count(), 1, "{hex}");
    assert!(told(&["--no-model"]).contains("\"models\":[]"));
}
