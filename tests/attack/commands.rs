//! Commands of all games in any order, with arguments that fit and that do not, and with bytes changed.

use losange::players::{Kind, PRESETS};
use losange::rng::Rng;
use losange::search::Params;

use crate::support::{Program, command as program};
use crate::{Holdings, amount, check_log, random};

/// Lines between two looks at whether all were answered.
const BATCH: usize = 40;
/// Memory that an engine is given, and what it may take beside it, in MiB.
const MEMORY: usize = 128;
const BESIDE: usize = 64;

fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[rng.below(from.len() as u32) as usize]
}

fn point(rng: &mut Rng) -> String {
    match rng.below(12) {
        0 => pick(rng, &["pass", "resign", "swap-pieces", "", "A0", "Z99", "i9", "a1-", "A1-B1-C1", "\"A1"]).to_owned(),
        1..=3 => {
            let one = |rng: &mut Rng| format!("{}{}", (b'A' + rng.below(9) as u8) as char, 1 + rng.below(9));
            format!("{}-{}", one(rng), one(rng))
        }
        _ => format!("{}{}", (b'a' + rng.below(12) as u8) as char, 1 + rng.below(11)),
    }
}

fn number(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => pick(rng, &["-1", "0", "1e9", "nan", "inf", "99999999999999999999", "0.5", "x", "", "7.5"]).to_owned(),
        _ => rng.below(20).to_string(),
    }
}

/// A command with arguments of the right kind, mostly.
fn command(rng: &mut Rng) -> String {
    let colour = pick(rng, &["b", "w", "black", "White", "b", "w", "x"]);
    let name = pick(rng, COMMANDS);
    let arguments = match name {
        "play" | "gogui-setup_player" => format!("{colour} {}", point(rng)),
        "genmove" | "reg_genmove" | "kgs-genmove_cleanup" | "all_legal_moves" | "gogui-rules_legal_moves" => {
            colour.to_owned()
        }
        "lz-analyze" | "kata-analyze" | "lz-genmove_analyze" | "kata-genmove_analyze" | "cgos-genmove_analyze" => {
            let more =
                pick(rng, &["", "ownership true", "rootInfo true", "maxmoves 3", "avoid b a1,b2 3", "allow w c3 1"]);
            format!("{colour} {} {more}", number(rng))
        }
        "boardsize" | "gogui-rules_board_size" => match rng.below(8) {
            0 => number(rng),
            1 => format!("{} {}", number(rng), number(rng)),
            _ => (3 + rng.below(9)).to_string(),
        },
        "gogui-play_sequence" | "gogui-setup" | "set_position" => {
            (0..rng.below(9)).map(|_| format!("{} {} ", pick(rng, &["b", "w"]), point(rng))).collect()
        }
        "set_free_handicap" => (0..rng.below(6)).map(|_| point(rng) + " ").collect(),
        "time_settings" | "kgs-time_settings" | "kata-time_settings" | "time_left" => {
            let kind = pick(rng, &["", "byoyomi", "canadian", "absolute", "none", "b", "fischer"]);
            format!("{kind} {} {} {}", number(rng), number(rng), number(rng))
        }
        "losange-set" | "kata-set-param" => {
            let row = &Params::ROWS[rng.below(Params::ROWS.len() as u32) as usize];
            format!("{} {}", row.name, number(rng))
        }
        "losange-preset" => PRESETS[rng.below(PRESETS.len() as u32) as usize].name.to_owned(),
        "final_status_list" => pick(rng, &["dead", "alive", "seki", "black_territory", "x"]).to_owned(),
        "kata-set-rules" | "kgs-rules" => {
            pick(rng, &["chinese", "japanese", "tromp-taylor", "korean", "{\"ko\":\"SIMPLE\"}", "{", "chess"])
                .to_owned()
        }
        "kata-set-rule" => format!("{} {}", pick(rng, &["ko", "scoring", "suicide", "x"]), number(rng)),
        "param_game" => format!("allow_swap {}", number(rng)),
        "losange-game" => Kind::ALL[rng.below(Kind::ALL.len() as u32) as usize].word().to_owned(),
        "gogui-version" => "1.5".to_owned(),
        "known_command" | "help" => pick(rng, COMMANDS).to_owned(),
        "final_status" => point(rng),
        _ if rng.below(8) == 0 => number(rng),
        _ => String::new(),
    };
    format!("{name} {arguments}")
}

const COMMANDS: &[&str] = &[
    "play",
    "play",
    "play",
    "play",
    "play",
    "genmove",
    "genmove",
    "reg_genmove",
    "undo",
    "gg-undo",
    "showboard",
    "boardsize",
    "clear_board",
    "komi",
    "final_score",
    "final_status",
    "final_status_list",
    "lz-analyze",
    "kata-analyze",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "cgos-genmove_analyze",
    "time_settings",
    "kgs-time_settings",
    "kata-time_settings",
    "kata-list_time_settings",
    "time_left",
    "printsgf",
    "loadsgf",
    "losange-game",
    "losange-get",
    "losange-set",
    "losange-preset",
    "kata-get-param",
    "kata-set-param",
    "losange-ownership",
    "losange-status",
    "known_command",
    "list_commands",
    "help",
    "name",
    "version",
    "protocol_version",
    "stop",
    "cputime",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "get_komi",
    "all_legal_moves",
    "gogui-analyze_commands",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
    "gogui-rules_captured_count",
    "gogui-rules_game_id",
    "gogui-play_sequence",
    "gogui-setup",
    "gogui-setup_player",
    "gogui-title",
    "gogui-version",
    "gogui-gfx-analyze",
    "hexgui-analyze_commands",
    "gogui-interrupt",
    "dfpn-solve-state",
    "dfpn-solver-find-winning",
    "dfpn-clear-tt",
    "set_position",
    "param_game",
    "play-game",
    "kata-set-rules",
    "kata-set-rule",
    "kata-get-rules",
    "kgs-rules",
    "kgs-game_over",
    "kgs-genmove_cleanup",
    "cgos-gameover",
    "cgos-opponent_name",
    "cgos-opponent_rating",
];

/// Changes some bytes of a line, but ends neither it nor the session.
fn mutate(rng: &mut Rng, line: &mut Vec<u8>) {
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(line.len() as u32) as usize;
        match rng.below(4) {
            0 => line[at] = rng.below(256) as u8,
            1 => line.truncate(at + 1),
            2 => line.insert(at, b" \t#\"-0"[rng.below(6) as usize]),
            _ => line.extend_from_within(at..),
        }
        line.truncate(20_000);
    }
    line.retain(|byte| *byte != b'\n');
}

/// Methods of HTTP; the last one begins its second version.
const METHODS: [&str; 10] = ["get", "put", "head", "post", "options", "delete", "patch", "connect", "trace", "pri"];

/// A batch of lines, and the numbers of those that must be answered.
pub(crate) fn batch(rng: &mut Rng, first: usize) -> (Vec<u8>, Vec<usize>) {
    let (mut text, mut numbers) = (Vec::new(), Vec::new());
    for number in first..first + BATCH {
        let mut line = command(rng).into_bytes();
        if rng.below(6) == 0 {
            mutate(rng, &mut line);
            // A line that begins like a request of a browser ends the connection.
            let shown = String::from_utf8_lossy(&line).to_lowercase();
            let word = shown.split_whitespace().next().unwrap_or_default();
            if shown.contains("quit") || METHODS.contains(&word) {
                continue;
            }
        } else {
            line = [format!("{number} ").into_bytes(), line].concat();
            numbers.push(number);
        }
        text.extend(line);
        text.push(b'\n');
        // Solvers and analyses stop here.
        if rng.below(2) == 0 {
            text.extend(b"# interrupt\n");
        }
    }
    text.extend(b"# interrupt\n");
    (text, numbers)
}

/// Attacks an engine with so many lines.
fn attack(kind: Kind, part: u64, lines: usize) {
    let (game, size) = (kind.word(), kind.boards().nearest(9).to_string());
    let mut rng = random(part);
    let memory = MEMORY.to_string();
    let budget = if part.is_multiple_of(2) { ["--playouts", "20"] } else { ["--time", "0.005"] };
    let options = [game, "--threads", "2", "--seed", "1", "--size", &size, "--memory", &memory, "--no-model"];
    // Games are written into files where a line says so.
    let folder = tempfile::tempdir().unwrap();
    let mut engine = Program::spawn(program(&[&options[..], &budget].concat()).current_dir(folder.path()));
    engine.ask("name");
    let before = Holdings::of(engine.child.id());
    let mut next = 1_000_000_000;
    while next < 1_000_000_000 + lines {
        let (text, expected) = batch(&mut rng, next);
        next += BATCH;
        engine.send_bytes(&text);
        engine.send(&format!("{next} name"));
        let mut answered = Vec::new();
        loop {
            let line = engine.line();
            assert!(!line.contains("internal error"), "{game}: {line} after\n{}", String::from_utf8_lossy(&text));
            let id = line.strip_prefix(['=', '?']).and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
            if id == Some(next) {
                break;
            }
            answered.extend(id.filter(|&id| id >= 1_000_000_000));
        }
        assert_eq!(answered, expected, "{game}: {}", String::from_utf8_lossy(&text));
        // The empty line of the last answer.
        engine.line();
    }
    // Whatever the last game was, the engine goes back to where it began.
    engine.ask(&format!("losange-game {game}"));
    if let Some(before) = before {
        // Pictures have a thread once there was one.
        let most = Holdings { threads: before.threads + 1, memory: MEMORY + BESIDE, ..before };
        let after = Holdings::settled(engine.child.id(), most).unwrap();
        assert!(after.descriptors <= most.descriptors, "{game}: {before:?}, then {after:?}");
        assert!(after.threads <= most.threads, "{game}: {before:?}, then {after:?}");
        assert!(after.memory <= most.memory, "{game}: {before:?}, then {after:?}");
    }
    engine.close();
    assert!(engine.wait().success(), "{game}");
    check_log(&engine.errors());
}

#[test]
fn commands_in_any_order_are_answered_in_order() {
    let lines = amount(800, 200_000);
    for (part, &kind) in Kind::ALL.iter().enumerate() {
        attack(kind, part as u64, lines);
    }
}
