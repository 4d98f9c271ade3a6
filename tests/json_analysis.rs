//! KataGo's JSON analysis protocol through the real program: queries, priorities, termination, junk, the end of input.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use losange::rng::Rng;
use serde_json::{Value, json};
use support::Program;

/// One thread and one position at a time, the same each time.
/// A random network that imitates people.
const PEOPLE: &str = "tests/fixtures/katago/v15-player.bin.gz";
const ONE: &[&str] = &["--threads", "1", "--seed", "1", "--memory", "64", "--no-model"];
/// Visits that nobody waits for.
const ENDLESS: u64 = 1 << 40;
/// Longest time between the request to stop and the answer.
const PROMPT: Duration = Duration::from_millis(100);

fn start(arguments: &[&str]) -> Program {
    Program::start(&[&["analysis"], arguments].concat())
}

/// A query on 5×5 with three moves, and more fields.
fn query(id: &str, more: &Value) -> String {
    let moves = json!([["B", "C3"], ["W", "B2"], ["B", "D4"]]);
    let mut query = json!({"id": id, "boardXSize": 5, "boardYSize": 5, "rules": "chinese", "komi": 0.5, "moves": moves, "maxVisits": 30});
    query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    query.to_string()
}

fn answer(program: &Program) -> Value {
    let line = program.line();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// All lines until the program ends by itself.
fn rest(program: &mut Program) -> Vec<Value> {
    let lines: Vec<String> = std::iter::from_fn(|| program.line_or_end()).collect();
    assert!(program.wait().success());
    lines.iter().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// Waits for a report of a search that goes on.
fn report_of(program: &Program, id: &str) -> Value {
    loop {
        let answer = answer(program);
        if answer["id"] == id && answer["isDuringSearch"] == true {
            return answer;
        }
    }
}

#[test]
fn turns_come_in_the_order_of_their_priorities_and_the_end_of_input_waits_for_them() {
    let mut program = start(ONE);
    program.send(&query("busy", &json!({"maxVisits": ENDLESS, "priority": 100, "reportDuringSearchEvery": 0.01})));
    report_of(&program, "busy");
    program.send(&query("late", &json!({"priority": -1})));
    program.send(&query("turns", &json!({"analyzeTurns": [0, 1, 2, 3], "priorities": [1, 9, 5, 0]})));
    program.send(&query("first", &json!({"priority": 10, "includePolicy": true, "includeOwnership": true})));
    program.send(r#"{"id":"x","action":"terminate","terminateId":"busy"}"#);
    program.close();
    let answers: Vec<Value> =
        rest(&mut program).into_iter().filter(|answer| answer["isDuringSearch"] == false).collect();
    let order: Vec<String> = answers.iter().map(|answer| format!("{}{}", answer["id"], answer["turnNumber"])).collect();
    let expected = ["busy3", "first3", "turns1", "turns2", "turns0", "turns3", "late3"];
    let quoted = |name: &&str| format!("\"{}\"{}", &name[..name.len() - 1], &name[name.len() - 1..]);
    assert_eq!(order, expected.iter().map(quoted).collect::<Vec<_>>());
    let first = &answers[1];
    assert_eq!((first["policy"].as_array().unwrap().len(), first["ownership"].as_array().unwrap().len()), (26, 25));
    let players: Vec<_> = answers[2..6].iter().map(|answer| &answer["rootInfo"]["currentPlayer"]).collect();
    assert_eq!(players, ["W", "B", "B", "W"]);
    let hashes: Vec<_> = [3, 4, 5].map(|turn: usize| answers[turn]["rootInfo"]["thisHash"].as_str().unwrap()).to_vec();
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
}

#[test]
fn termination_takes_a_tenth_of_a_second() {
    let mut program = start(&["--threads", "2", "--seed", "1", "--memory", "64", "--no-model"]);
    let endless = json!({"boardXSize": 19, "boardYSize": 19, "maxVisits": ENDLESS, "reportDuringSearchEvery": 0.05});
    let mut waits = Vec::new();
    for round in 0..10 {
        let id = format!("q{round}");
        program.send(&query(&id, &endless));
        report_of(&program, &id);
        let since = Instant::now();
        let action = json!({"id": "stop", "action": "terminate", "terminateId": id, "turnNumbers": [3]});
        program.send(&action.to_string());
        let mut echoed = false;
        loop {
            let answer = answer(&program);
            echoed |= answer == action;
            if answer["isDuringSearch"] == false {
                assert!(answer["rootInfo"]["visits"].as_u64().unwrap() > 0);
                break;
            }
        }
        waits.push(since.elapsed());
        if !echoed {
            assert_eq!(answer(&program), action);
        }
    }
    // On a machine that is busy with other things one of them may wait for its turn.
    waits.sort();
    println!("waits: {waits:?}");
    assert!(waits[waits.len() / 2] < PROMPT, "{waits:?}");
}

#[test]
fn reports_come_at_their_times_and_others_do_not_wait() {
    let mut program = start(&["--threads", "2", "--seed", "1", "--memory", "64", "--no-model"]);
    let times = json!({"maxVisits": ENDLESS, "firstReportDuringSearchAfter": 0.05, "reportDuringSearchEvery": 1000,
                       "includeMovesOwnership": true, "includePVVisits": true});
    program.send(&query("slow", &times));
    let report = report_of(&program, "slow");
    let best = &report["moveInfos"][0];
    assert_eq!(best["ownership"].as_array().unwrap().len(), 25);
    assert_eq!(best["pvVisits"].as_array().unwrap().len(), best["pv"].as_array().unwrap().len());
    program.send(&query("quick", &json!({})));
    assert_eq!(answer(&program)["id"], "quick", "the other thread is free, and no second report is due");
    program.send(r#"{"id":"all","action":"terminate_all"}"#);
    program.close();
    assert_eq!(rest(&mut program).iter().filter(|answer| answer["isDuringSearch"] == false).count(), 1);
}

/// A query with something wrong in it, and the field that its error names; none where there is no id.
fn malformed(number: u64, rng: &mut Rng) -> (String, Option<&'static str>) {
    let id = format!("bad{number}");
    let with = |more: Value| query(&id, &more);
    let names = ["moves", "boardXSize", "rules", "komi", "analyzeTurns", "maxVisits", "overrideSettings", "avoidMoves"];
    let field = names[rng.below(names.len() as u32) as usize];
    let junk = [json!(null), json!("junk"), json!(-1), json!([[]]), json!([1.5]), json!(true), json!({"a": [1]})];
    let value = junk[rng.below(junk.len() as u32) as usize].clone();
    let harmless = matches!((field, &value), ("komi", Value::Number(_)) | ("overrideSettings", Value::Object(_)));
    match rng.below(6) {
        0 => (with(json!({"moves": [["B", "C3"], ["W", "C3"]]})), Some("moves")),
        1 => (with(json!({"boardYSize": 29})), Some("boardYSize")),
        2 => {
            let mut text = with(json!({}));
            text.truncate(1 + rng.below(text.len() as u32 - 2) as usize);
            (text, None)
        }
        3 => (json!({"id": number, "moves": []}).to_string(), None),
        4 if rng.below(20) == 0 => {
            (format!("{{\"id\":\"{id}\",\"moves\":[{}]}}", "[\"B\",\"pass\"],".repeat(6000)), None)
        }
        _ if harmless => (with(json!({"priority": "high"})), Some("priority")),
        _ => (with(json!({ field: value })), Some(field)),
    }
}

#[test]
fn ten_thousand_malformed_queries_have_an_error_each_and_nothing_is_lost() {
    const COUNT: u64 = 10_000;
    let mut program = start(ONE);
    let (mut rng, mut lines, mut nameless, mut fields) = (Rng::new(7), String::new(), 0, BTreeMap::new());
    for number in 0..COUNT {
        let (line, field) = malformed(number, &mut rng);
        lines += &format!("{line}\n");
        match field {
            Some(field) => _ = fields.insert(format!("bad{number}"), field),
            None => nameless += 1,
        }
        if number % 1000 == 500 {
            lines += &format!("{}\n", query(&format!("good{number}"), &json!({"maxVisits": 1})));
        }
    }
    let mut stdin = program.stdin.take().unwrap();
    let sender = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let answers = rest(&mut program);
    sender.join().unwrap().unwrap();
    let good = answers.iter().filter(|answer| answer["id"].as_str().is_some_and(|id| id.starts_with("good")));
    assert_eq!(good.filter(|answer| answer["rootInfo"]["visits"].as_u64() > Some(0)).count(), 10);
    assert_eq!(
        answers.iter().filter(|answer| answer.get("error").is_some() && answer.get("id").is_none()).count(),
        nameless
    );
    for answer in answers.iter().filter(|answer| answer.get("error").is_some() && answer.get("id").is_some()) {
        let field = fields.remove(answer["id"].as_str().unwrap()).unwrap_or_else(|| panic!("twice: {answer}"));
        let named = answer["field"].as_str().unwrap();
        // The parts of a list of moves to avoid are named by themselves.
        assert!(named == field || field == "avoidMoves", "{answer}");
    }
    assert!(fields.is_empty(), "{} have no error, such as {:?}", fields.len(), fields.first_key_value());
}

#[test]
fn what_clients_look_at_is_said_word_by_word() {
    let mut program = start(ONE);
    let mut refused = |more: Value| {
        program.send(&query("q", &more));
        answer(&program)
    };
    let error = |text: &str, field: &str| json!({"error": text, "field": field, "id": "q"});
    assert_eq!(refused(json!({"moves": [["B", "E5"], ["W", "E5"]]})), error("Illegal move 1: E5", "moves"));
    assert_eq!(refused(json!({"moves": [["B", "Z5"]]})), error("Could not parse board location: Z5", "moves"));
    assert_eq!(refused(json!({"boardXSize": 29})), error("Must provide an integer from 2 to 25", "boardXSize"));
    assert_eq!(refused(json!({"rules": "foo"})), error("Could not parse rules: foo", "rules"));
    let komi = "Must be a integer or half-integer from -400.0 to 400.0";
    assert_eq!(refused(json!({"komi": 7.3})), error(komi, "komi"));
    assert_eq!(refused(json!({"analyzeTurns": [1, 5]})), error("Invalid turn number: 5", "analyzeTurns"));
    let warning = |text: &str, field: &str| json!({"warning": text, "field": field, "id": "q"});
    assert_eq!(
        refused(json!({"overrideSettings": {"foo": 1, "wideRootNoise": 0.04}})),
        warning("Unknown config params: foo", "overrideSettings")
    );
    assert_eq!(answer(&program)["isDuringSearch"], false);
    program.send(&query("q", &json!({"maxVisit": 1})));
    let typo = "Unexpected or unused field, do you have a typo? (set warnUnusedFields=false in the config to disable this warning)";
    assert_eq!(answer(&program), warning(typo, "maxVisit"));
    assert_eq!(answer(&program)["isDuringSearch"], false);
    program.send_bytes(&[b"{\"id\":\"", &[b'x'; 70_000][..], b"\"}\n"].concat());
    assert_eq!(answer(&program)["error"], "Request line is longer than 65536 bytes, ignoring it");
    program.send_bytes(b"\xff\xfe{}\n");
    assert!(answer(&program)["error"].as_str().unwrap().contains("could not parse input line as json request"));
}

#[test]
fn input_that_ends_can_end_everything() {
    let mut program = start(&[ONE, &["-quit-without-waiting"]].concat());
    program.send(&query("endless", &json!({"maxVisits": ENDLESS, "reportDuringSearchEvery": 0.01})));
    report_of(&program, "endless");
    program.send(&query("never", &json!({})));
    program.close();
    let answers = rest(&mut program);
    assert!(answers.iter().all(|answer| answer["id"] == "endless"), "{answers:?}");
}

#[test]
fn a_signal_and_a_reader_that_has_gone_end_the_program() {
    for signal in ["TERM", "INT"] {
        let mut program = start(ONE);
        program.send(&query("endless", &json!({"maxVisits": ENDLESS, "reportDuringSearchEvery": 0.01})));
        report_of(&program, "endless");
        program.signal(signal);
        assert!(program.wait().success());
    }
    let mut command = support::command(&[&["analysis"], ONE].concat());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{}\n", query("q", &json!({}))).as_bytes()).unwrap();
    assert!(support::wait(&mut child).success());
}

#[test]
fn the_command_line_of_katagos_clients_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("analysis.cfg");
    fs::write(&config, "# for KataGo\nreportAnalysisWinratesAs = BLACK\nmaxVisits = 7\nnnMaxBatchSize = 96\n").unwrap();
    let config = config.to_str().unwrap();
    let settings = "homeDataDir=/tmp,maxVisits=9";
    let arguments = ["-config", config, "-override-config", settings, "-human-model", PEOPLE, "--backend", "embedded"];
    let mut program = start(&[ONE, &arguments].concat());
    let mut plain: Value = serde_json::from_str(&query("q", &json!({}))).unwrap();
    plain.as_object_mut().unwrap().remove("maxVisits");
    program.send(&plain.to_string());
    let root = answer(&program)["rootInfo"].clone();
    assert_eq!((&root["visits"], &root["currentPlayer"]), (&json!(9), &json!("W")));
    plain["overrideSettings"] = json!({"reportAnalysisWinratesAs": "WHITE"});
    program.send(&plain.to_string());
    let white = answer(&program)["rootInfo"]["winrate"].as_f64().unwrap();
    assert!((white + root["winrate"].as_f64().unwrap() - 1.0).abs() < 1e-5, "{white} {root}");
    program.close();
    assert!(program.wait().success());
    let errors = program.errors();
    assert!(errors.contains("settings that mean nothing here: nnMaxBatchSize, homeDataDir"), "{errors}");
    assert!(errors.contains("imitates people on embedded"), "{errors}");
    assert!(errors.contains("ready to begin handling requests"), "KataGoAnal waits for it: {errors}");
}

#[test]
fn people_are_imitated_where_a_query_says_so() {
    let mut program = start(&[ONE, &["-human-model", PEOPLE]].concat());
    let asked = |more: Value| {
        let mut fields = json!({"maxVisits": 20, "includePolicy": true});
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        query("q", &fields)
    };
    program.send(&asked(json!({})));
    let plain = answer(&program);
    assert!(plain.get("humanPolicy").is_none() && plain["rootInfo"].get("humanWinrate").is_none());
    let mut policies = Vec::new();
    for profile in ["rank_20k", "rank_9d"] {
        program.send(&asked(
            json!({"overrideSettings": {"humanSLProfile": profile, "reportAnalysisWinratesAs": "BLACK"}}),
        ));
        let told = answer(&program);
        let policy: Vec<f64> = told["humanPolicy"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
        let sum: f64 = policy.iter().filter(|share| **share >= 0.0).sum();
        assert!((sum - 1.0).abs() < 1e-4 && policy.len() == told["policy"].as_array().unwrap().len(), "{sum}");
        assert!(told["moveInfos"].as_array().unwrap().iter().all(|info| info["humanPrior"].is_number()), "{told}");
        for name in ["humanWinrate", "humanScoreMean", "humanScoreStdev", "humanStWrError", "humanStScoreError"] {
            assert!(told["rootInfo"][name].is_number(), "{name}: {told}");
        }
        policies.push(policy);
    }
    assert_ne!(policies[0], policies[1]);
    program.send(&asked(json!({"overrideSettings": {"humanSLProfile": "rank_99k"}})));
    assert!(answer(&program)["error"].as_str().unwrap().contains("unknown profile 'rank_99k'"));
    program.send(r#"{"id":"m","action":"query_models"}"#);
    let models = answer(&program)["models"].to_string();
    assert_eq!(models.matches(r#""usesHumanSLProfile":true"#).count(), 1, "{models}");
    // Without such a network a warning says so.
    let mut program = start(ONE);
    program.send(&asked(json!({"overrideSettings": {"humanSLProfile": "rank_5k"}})));
    assert!(answer(&program)["warning"].as_str().unwrap().contains("no network that imitates people"));
    assert!(answer(&program).get("humanPolicy").is_none());
}

#[test]
fn hex_and_other_games_are_analysed_by_name() {
    let mut program = start(&["--threads", "1", "--seed", "1", "--memory", "64", "--game", "hex"]);
    program
        .send(r#"{"id":"h","boardXSize":7,"boardYSize":7,"moves":[["B","d4"]],"maxVisits":30,"includePolicy":true}"#);
    let hex = answer(&program);
    assert_eq!((hex["rootInfo"]["currentPlayer"].as_str(), hex["policy"].as_array().unwrap().len()), (Some("W"), 50));
    assert!(hex["moveInfos"][0].get("scoreLead").is_none());
    program.send(r#"{"id":"s","boardXSize":5,"boardYSize":5,"rules":"swap","moves":[["B","c3"],["W","swap-pieces"]],"maxVisits":10}"#);
    let proved = answer(&program);
    let visited = |info: &&Value| info["visits"].as_u64().unwrap() > 0;
    assert!(proved["moveInfos"].as_array().unwrap().iter().filter(visited).count() > 1, "{proved}");
    program.send(r#"{"id":"o","boardXSize":1,"boardYSize":1,"moves":[["B","a1"]]}"#);
    let over = answer(&program);
    assert_eq!((&over["moveInfos"], &over["rootInfo"]["provenWinner"]), (&json!([]), &json!("B")));
    program.send(r#"{"id":"g","game":"go","rules":"tromp-taylor","boardXSize":9,"boardYSize":9,"moves":[["B","pass"],["W","pass"]],"maxVisits":5}"#);
    assert_eq!(answer(&program)["rootInfo"]["visits"], 5);
    program.send(r#"{"id":"m","action":"query_models"}"#);
    // All that are compiled in, those of some boards of a game among them.
    let models = answer(&program)["models"].as_array().unwrap().clone();
    let names: Vec<_> = models.iter().map(|model| model["name"].as_str().unwrap()).collect();
    let of = |game: &str| models.iter().filter(|model| model["game"] == game).count();
    assert_eq!(
        ["hex", "go", "amazons", "gomoku", "loa", "santorini", "surakarta"].map(of),
        [3, 1, 1, 1, 1, 1, 1],
        "{names:?}"
    );
}

/// KaTrain 1.20's own queries of a game on 13×13: two moves, the last position, other moves there, a region, thinking on, its end,
/// and a game on 19×19.
#[test]
fn katrains_queries_are_answered_without_an_error() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/clients/katrain.jsonl");
    let sent = fs::read_to_string(path).unwrap();
    let mut program = start(&["--threads", "2", "--seed", "1", "--memory", "64"]);
    let mut finals = BTreeMap::new();
    for line in sent.lines() {
        let query: Value = serde_json::from_str(line).unwrap();
        let id = query["id"].as_str().unwrap();
        program.send(line);
        if query["reportDuringSearchEvery"] == 0.25 {
            report_of(&program, id);
            continue;
        }
        let wanted = if query["action"] == "terminate" { query["terminateId"].as_str().unwrap() } else { id };
        loop {
            let answer = answer(&program);
            assert!(answer.get("error").is_none() && answer.get("warning").is_none(), "{answer}");
            if answer["id"] == wanted && answer["isDuringSearch"] == false {
                finals.insert(wanted.to_owned(), (query.clone(), answer));
                break;
            }
        }
    }
    assert_eq!(finals.len(), 10);
    for (query, answer) in finals.values().filter(|(query, _)| query.get("action").is_none()) {
        let points = query["boardXSize"].as_u64().unwrap().pow(2) as usize;
        let lengths = ["ownership", "policy"].map(|name| answer[name].as_array().unwrap().len());
        assert_eq!(lengths, [points, points + 1], "{answer}");
        let best = &answer["moveInfos"][0];
        for key in ["winrate", "scoreLead", "prior", "visits", "order"] {
            assert!(
                best[key].is_number() && (key == "prior" || key == "order" || answer["rootInfo"][key].is_number()),
                "{key}"
            );
        }
        let avoided = query["avoidMoves"].as_array().into_iter().flatten();
        let avoided = avoided.filter(|list| list["player"] == answer["rootInfo"]["currentPlayer"]);
        assert!(avoided.flat_map(|list| list["moves"].as_array().unwrap()).all(|mv| *mv != best["move"]), "{answer}");
    }
}

/// Ogatak's queries: its first two, of which one must be refused, and four positions, each left for the next. Its last one still runs
/// when it hangs up.
#[test]
fn ogataks_queries_are_answered_and_the_large_board_refused() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/clients/ogatak.jsonl");
    let sent = fs::read_to_string(path).unwrap();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/models/go.onnx");
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("analysis.cfg");
    fs::write(&config, "numAnalysisThreads = 1\n").unwrap();
    let mut program = start(&["-config", config.to_str().unwrap(), "-model", model, "-quit-without-waiting"]);
    let mut reports = 0;
    for line in sent.lines() {
        let query: Value = serde_json::from_str(line).unwrap();
        let id = query["id"].as_str().unwrap();
        program.send(line);
        if query["reportDuringSearchEvery"].is_number() {
            let report = report_of(&program, id);
            assert!(report["rootInfo"]["winrate"].is_number() && report["ownership"].is_array(), "{report}");
            reports += 1;
            continue;
        }
        let answer = std::iter::repeat_with(|| answer(&program)).find(|answer| answer["id"] == id).unwrap();
        assert_eq!(answer.get("error").is_some(), id == "test_bs29", "{answer}");
    }
    assert_eq!(reports, 4);
    let since = Instant::now();
    program.close();
    assert!(program.wait().success() && since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
}
