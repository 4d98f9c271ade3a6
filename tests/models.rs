//! Models through the real program.

mod support;

use std::path::Path;
use std::sync::Arc;

use losange::eval::heuristic::Resistance;
use losange::eval::net::{Backend, Network, NetworkEvaluator, Options};
use losange::game::Game;
use losange::games::{Size, go, hex};
use losange::search::mcts::Mcts;
use losange::search::ubfm::Ubfm;
use losange::search::{Budget, Params, Searcher, Share, Stop, Task};
use support::{Program, run};

/// Options of a search that gives the same game each time.
fn play(game: &str, model: &str, more: &[&str]) -> Program {
    let file = format!("tests/fixtures/{model}");
    let fixed = ["--threads", "1", "--playouts", "60", "--seed", "4", "--model", &file];
    Program::start(&[&[game], &fixed[..], more].concat())
}

#[test]
fn a_game_is_played_with_each_kind_of_model() {
    for (game, model, size) in [
        ("hex", "hex-value.onnx", "6"),
        ("hex", "hex-actions.onnx", "6"),
        ("hex", "hex-policy.onnx", "6"),
        ("hex", "hex-variants", "5"),
        ("go", "go-policy.onnx", "5"),
        ("go", "go-all.onnx", "5"),
    ] {
        let moves = || {
            let mut program = play(game, model, &["--size", size, "--backend", "embedded"]);
            let mut moves = Vec::new();
            for number in 0..36 {
                let answer = program.ask(&format!("genmove {}", ["b", "w"][number % 2]));
                moves.push(answer.clone());
                let passes = moves.iter().rev().take_while(|m| m.to_lowercase().contains("pass")).count();
                if answer.contains("resign") || passes == 2 {
                    break;
                }
            }
            let score = program.ask("final_score");
            assert!(score.contains('+'), "{model} {moves:?} {score}");
            moves
        };
        // Of two variants that are equally fast, either may be taken.
        let [first, second] = [moves(), moves()];
        assert!(model == "hex-variants" || first == second, "{model}: {first:?} and {second:?}");
    }
}

#[test]
fn a_model_analyses_and_answers_questions() {
    let mut go = play("go", "go-policy.onnx", &["--size", "7", "--backend", "embedded"]);
    assert!(go.ask("kata-get-models").contains("go-policy"), "the model that is played with");
    go.ask("losange-option model none");
    assert_eq!(go.ask("kata-get-models"), "= []");
    go.send("kata-raw-nn 0");
    assert!(go.line().starts_with("? "), "the model is not asked where the game is played without it");
    assert_eq!(go.line(), "");
    go.ask("losange-option model own");
    go.ask("play b d4");
    go.ask("play w c3");
    // The model knows no owners: these come from playouts.
    assert_eq!(go.ask("final_score"), "= W+7.5");
    assert_eq!(go.ask("clear_board").trim(), "=");
    assert!(go.ask("place_free_handicap 2").split_whitespace().count() == 3);
    // On a board that it was not made for, the game is searched by playouts.
    assert_eq!(go.ask("boardsize 21").trim(), "=");
    assert!(go.ask("genmove b").starts_with("= "));
}

#[test]
fn a_server_takes_the_models_game_from_its_file() {
    let (success, _, stderr) = run(&["serve", "--model", "tests/fixtures/nothing.onnx"]);
    assert!(!success && stderr.contains("cannot be read"), "{stderr}");
    let (success, _, stderr) = run(&["serve", "--model", "tests/fixtures/go-value.onnx"]);
    assert!(!success && stderr.contains("Go needs a policy too"), "{stderr}");
}

/// Nothing in a file of KataGo's form says whether it is for Go or for Hex.
#[test]
fn a_network_is_for_the_game_that_is_meant() {
    for (game, encoding) in [("go", "katago-7"), ("hex", "katahex-7")] {
        let fixed = ["--threads", "1", "--memory", "64", "--model", "tests/fixtures/katago/v10.bin"];
        let mut program = Program::start(&[&["analysis", "--game", game], &fixed[..]].concat());
        program.send(r#"{"id":"models","action":"query_models"}"#);
        let told = program.line();
        let others = told.matches("katago-7").count() + told.matches("katahex-7").count();
        assert!(others == 1 && told.contains(encoding) && told.contains(r#""version":10"#), "{game}: {told}");
    }
}

#[test]
fn a_model_that_does_not_fit_ends_the_program_with_a_reason() {
    for (model, reason) in [("go-value", "its game is go"), ("hex-nan", "NaN"), ("nothing", "cannot be read")] {
        let file = format!("tests/fixtures/{model}.onnx");
        let (success, stdout, stderr) = run(&["hex", "--backend", "embedded", "--model", &file]);
        assert!(!success && stdout.is_empty());
        assert!(stderr.contains(&file) && stderr.matches(reason).count() == 1, "{stderr}");
    }
}

#[test]
fn a_model_without_policy_is_not_for_go() {
    let (success, _, stderr) = run(&["go", "--model", "tests/fixtures/go-value.onnx"]);
    assert!(!success && stderr.contains("gives value; Go needs a policy too"), "{stderr}");
    let (success, _, stderr) = run(&["go", "--model", "tests/fixtures/hex-value.onnx"]);
    assert!(!success && stderr.contains("its game is hex, and go is needed"), "{stderr}");
}

#[test]
fn a_model_is_inspected() {
    let (success, stdout, _) = run(&["model", "inspect", "tests/fixtures/hex-actions.onnx"]);
    assert!(success);
    for expected in
        ["game         hex", "sizes        3-13", "gives        actions", "works with   losange hex --model"]
    {
        assert!(stdout.contains(expected), "{stdout}");
    }
    for (model, expected) in [
        ("go-value", "nothing here: Go needs a policy too"),
        ("go-all", "losange go --model"),
        ("hex-encoding", "nothing here: its encoding is hex-0"),
        ("hex-variants/int8", "precision    int8"),
    ] {
        let (success, stdout, _) = run(&["model", "inspect", &format!("tests/fixtures/{model}.onnx")]);
        assert!(success && stdout.contains(expected), "{stdout}");
    }
}

#[test]
fn a_network_of_katago_is_converted() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net.onnx");
    let out = out.to_str().unwrap();
    let convert = |name: &str, more: &[&str]| {
        run(&[&["model", "convert", &format!("tests/fixtures/{name}"), out], more].concat())
    };
    let inspected = || run(&["model", "inspect", out]).1;
    for (name, more, sizes) in
        [("katago/v8.bin.gz", &[][..], "2-25"), ("katago/v17-keys.bin.gz", &["--size", "9"], "9")]
    {
        let (success, _, stderr) = convert(name, more);
        assert!(success, "{stderr}");
        let shown = inspected();
        for line in [format!("sizes        {sizes}"), "encoding     katago-7".to_owned()] {
            assert!(shown.lines().any(|shown| shown == line), "{line} in {shown}");
        }
    }
    assert!(inspected().contains("input [?, 41, 9, 9]"), "{}", inspected());
    // Nothing in a file says that it is for Hex.
    let (success, _, stderr) = convert("katago/v10.bin", &["--game", "hex"]);
    assert!(success, "{stderr}");
    let shown = inspected();
    for line in ["game         hex", "encoding     katahex-7", "gives        outcomes, policy"] {
        assert!(shown.lines().any(|shown| shown == line), "{line} in {shown}");
    }
    let (success, checked, _) =
        run(&["model", "check", "--game", "hex", "tests/fixtures/katago/v10.bin", "--ort-lib", "/nonexistent"]);
    assert!(success && checked.contains("embedded (own code on the processor)"), "{checked}");
    assert!(convert("katago/v12.txt", &["--size", "9"]).0);
    for (name, more, why) in [
        ("go-all.onnx", &[][..], "it is an ONNX file"),
        ("katago/v15-player.bin.gz", &[], "it imitates players"),
        ("katago/v8.bin.gz", &["--size", "33"], "from 2x2 to 25x25"),
        ("katago/v8.bin.gz", &["--size", "9x7"], "invalid value '9x7'"),
        ("katago/v8.bin.gz", &["--game", "othello"], "is a network of another game than Othello"),
        ("katago/README.md", &[], "it is no ONNX file"),
    ] {
        let (success, _, stderr) = convert(name, more);
        assert!(!success && stderr.contains(why), "{name}: {stderr}");
    }
    // There is no way back.
    let (success, _, stderr) = run(&["model", "convert", out, out]);
    assert!(!success && stderr.contains("is the network that is converted"), "{stderr}");
    assert!(inspected().contains("input [?, 41, 9, 9]"), "the file is gone");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_model_is_checked_on_what_there_is() {
    let missing = ["--ort-lib", "/nonexistent/libonnxruntime.so"];
    let (success, stdout, _) = run(&[&["model", "check", "tests/fixtures/hex-value.onnx"], &missing[..]].concat());
    assert!(success && stdout.contains("embedded (own code on the processor): 64 numbers"), "{stdout}");
    assert!(stdout.contains("ONNX Runtime was not found"), "{stdout}");
    // Variants are compared with the float32 original.
    let (success, stdout, _) = run(&[&["model", "check", "tests/fixtures/hex-variants"], &missing[..]].concat());
    assert!(success && stdout.contains("int8.onnx beside"), "{stdout}");
    let percent: f32 = stdout.split(", ").last().unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(percent > 0.0 && percent < 20.0, "{stdout}");
}

#[test]
fn a_model_is_measured() {
    for (model, search) in [("hex-actions", "ubfm_s, 1 at once"), ("go-policy", "puct, 1 at once"), ("go-value", "128")]
    {
        let file = format!("tests/fixtures/{model}.onnx");
        let (success, stdout, stderr) =
            run(&["bench", "eval", &file, "--backend", "embedded", "--size", "5", "--seconds", "0.05"]);
        assert!(success && stdout.contains(search), "{stdout}{stderr}");
    }
    for arguments in
        [&["--game", "hex", "--size", "5"][..], &["--model", "tests/fixtures/go-policy.onnx", "--size", "5"]]
    {
        let fixed = ["benchmark", "--threads", "2", "--seconds", "0.1", "--backend", "embedded"];
        let (success, stdout, stderr) = run(&[&fixed[..], arguments].concat());
        assert!(success && stdout.contains("recommended: --threads"), "{stdout}{stderr}");
    }
}

/// One search, with one thread and a budget of nodes, twice: moves, visits and values.
fn searched_twice<G: Game>(position: &G, make: impl Fn() -> Box<dyn Searcher<G>>) {
    let (params, stop) = (Params::default(), Stop::new());
    let budget = Budget { nodes: Some(300), ..Budget::default() };
    let task = Task { seed: 9, ..Task::new(position, budget, &params, &stop) };
    let report = || make().run(&task, &mut |_| ()).report.moves;
    let first = report();
    assert!(first.iter().map(|m| m.visits).sum::<u64>() > 100);
    assert_eq!(first, report());
}

/// Needs the library that `scripts/get-onnxruntime.sh` installs.
#[test]
#[ignore = "needs ONNX Runtime; scripts/test.sh installs it and runs this"]
fn onnx_runtime_agrees_with_the_embedded_runtime() {
    for model in
        ["hex-value.onnx", "hex-actions.onnx", "hex-policy.onnx", "hex-variants", "go-policy.onnx", "go-all.onnx"]
    {
        let (success, stdout, stderr) = run(&["model", "check", &format!("tests/fixtures/{model}")]);
        assert!(success, "{stdout}{stderr}");
        assert!(stdout.contains("ort-cpu (CPUExecutionProvider (") && stdout.contains("beside the first"), "{stdout}");
        // The library is that for processors: the other back end says what is missing.
        assert!(stdout.contains("ort-cuda: ") && stdout.contains("get-onnxruntime.sh cuda"), "{stdout}");
    }
    // What was demanded is used, by the runtime's own account.
    let options = Options { backend: Backend::OrtCpu, ..Options::default() };
    let board = |n| hex::Position::new(Size::square(n));
    let network = Arc::new(Network::load(Path::new("tests/fixtures/hex-actions.onnx"), &options, &board).unwrap());
    assert!(network.provider().starts_with("CPUExecutionProvider ("), "{}", network.provider());
    searched_twice(&board(7), || {
        let evaluator = NetworkEvaluator::new(Arc::clone(&network), Resistance);
        Box::new(Ubfm::new(Arc::new(Share::new(1)), 64, Arc::new(evaluator)))
    });
    let board = |n| go::Position::new(Size::square(n), go::Rules::CHINESE, 7.5);
    let network = Arc::new(Network::load(Path::new("tests/fixtures/go-all.onnx"), &options, &board).unwrap());
    searched_twice(&board(9), || {
        Box::new(Mcts::with_evaluator(
            Arc::new(Share::new(1)),
            64,
            Arc::new(NetworkEvaluator::new(Arc::clone(&network), ())),
        ))
    });
    // A GPU that is not there does not end the program unless it was demanded.
    let (success, _, stderr) = run(&["hex", "--backend", "ort-cuda", "--model", "tests/fixtures/hex-value.onnx"]);
    assert!(!success && stderr.contains("cannot be run") && stderr.contains("get-onnxruntime.sh cuda"), "{stderr}");
}

/// Where the processor has a matrix unit, products of 16 bits play, agree with the others and are taken by themselves; elsewhere it says so.
#[test]
fn products_of_16_bits_need_a_matrix_unit() {
    let model = "tests/fixtures/hex-actions.onnx";
    let (success, _, stderr) = run(&["hex", "--backend", "bfloat16", "--model", model]);
    if !success {
        assert!(stderr.contains("this processor has no matrix unit"), "{stderr}");
        return eprintln!("not tried: {stderr}");
    }
    let told = "runs on bfloat16 (own code on the processor)";
    assert!(stderr.contains(told), "{stderr}");
    for (game, model) in [("hex", "hex-actions.onnx"), ("go", "go-all.onnx")] {
        let mut program = play(game, model, &["--size", "5", "--backend", "bfloat16"]);
        assert!(program.ask("genmove b").starts_with("= "));
        let (_, stdout, _) = run(&["model", "check", &format!("tests/fixtures/{model}"), "--game", game]);
        let line =
            stdout.lines().find(|line| line.contains("bfloat16 (own code")).unwrap_or_else(|| panic!("{stdout}"));
        let difference = line.split("at most ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f32>().ok());
        assert!(difference.is_some_and(|difference| difference < 0.3), "{line}");
    }
    let (_, _, stderr) = run(&["hex", "--model", model]);
    assert!(stderr.contains(told) || stderr.contains("ort-cuda"), "{stderr}");
}

/// A model that is compiled in is played with unless it is not wanted, and other boards are searched without it.
#[test]
fn the_shipped_model_plays() {
    let start = |more: &[&str]| {
        let fixed = ["hex", "--threads", "1", "--playouts", "30", "--seed", "4", "--backend", "embedded"];
        Program::start(&[&fixed[..], more].concat())
    };
    let analysed = |program: &mut Program| {
        program.ask("play b a1");
        program.ask("genmove w")
    };
    let (mut with, mut without) = (start(&["--size", "9"]), start(&["--size", "9", "--no-model"]));
    assert!(analysed(&mut with).starts_with("= ") && analysed(&mut without).starts_with("= "));
    // Too small for the model: as without one.
    let (mut with, mut without) = (start(&["--size", "5"]), start(&["--size", "5", "--no-model"]));
    assert_eq!(analysed(&mut with), analysed(&mut without));
    let told = |arguments: &[&str]| {
        let mut child = support::command(arguments).spawn().unwrap();
        drop(child.stdin.take());
        String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
    };
    assert_eq!(
        told(&["hex", "--backend", "embedded"]).trim(),
        "losange: models/hex.onnx runs on embedded (own code on the processor); for some boards models/hex-7x7.onnx, models/hex-large.onnx"
    );
    assert_eq!(told(&["hex", "--no-model"]), "");
    let (success, _, stderr) = run(&["hex", "--no-model", "--model", "models/hex.onnx"]);
    assert!(!success && stderr.contains("cannot be used with"), "{stderr}");
    assert_eq!(
        told(&["avalam", "--backend", "embedded"]).trim(),
        "losange: models/avalam.onnx runs on embedded (own code on the processor)"
    );
    // The files are what is compiled in, and of the contract; they say what they learned from.
    for (game, source) in
        [("hex", "self-play"), ("go", "a teacher"), ("avalam", "a teacher"), ("breakthrough", "self-play")]
    {
        let (success, stdout, stderr) = run(&["model", "inspect", &format!("models/{game}.onnx")]);
        assert!(success && stdout.contains(&format!("losange {game} --model")), "{stdout}{stderr}");
        assert!(stdout.contains(source), "{stdout}");
    }
}

/// The model of Go plays by all rules on the boards that it is for: on others it is as without one.
#[test]
fn the_model_of_go_plays_on_its_boards() {
    let game = |more: &[&str]| {
        let fixed = ["go", "--threads", "1", "--playouts", "30", "--seed", "4", "--backend", "embedded"];
        let mut go = Program::start(&[&fixed[..], more].concat());
        let moves = ["b", "w", "b", "w", "b", "w"].map(|colour| go.ask(&format!("genmove {colour}")));
        assert!(moves.iter().all(|answer| answer.starts_with("= ")), "{moves:?}");
        moves
    };
    let asked = |more: &[&str]| game(more) != game(&[more, &["--no-model"]].concat());
    assert!(asked(&["--size", "9"]) && asked(&["--size", "9", "--rules", "tromp-taylor", "--komi", "5.5"]));
    assert!(asked(&["--size", "9", "--rules", "japanese"]));
    assert!(["7", "8", "13", "19", "9x13"].iter().all(|size| asked(&["--size", size])));
    assert!(["6", "20", "6x9"].iter().all(|size| !asked(&["--size", size])));
}

/// At so many evaluations the model of Go wins from as many playouts, also where it runs slowest.
#[test]
fn the_model_of_go_beats_playouts() {
    let fixed = ["arena", "--game", "go", "--size", "9", "--games", "10", "--playouts", "100", "--threads", "1"];
    let (success, stdout, stderr) =
        run(&[&fixed[..], &["--backend", "embedded", "--first", "models/go.onnx"]].concat());
    let won: u32 = stdout.split(' ').next().and_then(|won| won.parse().ok()).unwrap_or(0);
    assert!(success && won >= 7, "{stdout}{stderr}");
}

/// The model of Breakthrough beats the evaluation of pieces and races, also with as many positions as that one.
#[test]
fn the_model_of_breakthrough_beats_the_evaluation_by_hand() {
    let fixed = ["arena", "--game", "breakthrough", "--games", "10", "--playouts", "200", "--backend", "embedded"];
    let (success, stdout, stderr) = run(&[&fixed[..], &["--first", "models/breakthrough.onnx"]].concat());
    let won: u32 = stdout.split(' ').next().and_then(|won| won.parse().ok()).unwrap_or(0);
    assert!(success && won >= 7, "{stdout}{stderr}");
}

/// The model of Avalam takes from a player that sees one move ahead what that one leaves, also where it runs slowest.
#[test]
fn the_model_of_avalam_beats_the_greedy_player() {
    let greedy = ["--set-second", "search=alphabeta", "--set-second", "depth=1"];
    let fixed = ["arena", "--game", "avalam", "--games", "10", "--playouts", "100", "--backend", "embedded"];
    let (success, stdout, stderr) = run(&[&fixed[..], &["--first", "models/avalam.onnx"], &greedy].concat());
    let won: u32 = stdout.split(' ').next().and_then(|won| won.parse().ok()).unwrap_or(0);
    assert!(success && won >= 7, "{stdout}{stderr}");
}
