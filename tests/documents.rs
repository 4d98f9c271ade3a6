//! Documents that say what the program does: generated pages are fresh, every key of every stream is told, links lead somewhere.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use support::{Program, command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).unwrap()
}

/// The output of `losange` with these arguments.
fn losange(arguments: &[&str]) -> String {
    let output = command(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn generated_pages_are_fresh() {
    for (page, arguments) in
        [("docs/commands.md", &["commands"][..]), ("docs/parameters.md", &["params", "--markdown"][..])]
    {
        let stale = format!("{page} is out of date: losange {} > {page}", arguments.join(" "));
        assert_eq!(read(page), losange(arguments), "{stale}");
    }
}

/// Keys in the first cell of a table's row in docs/analysis.md.
fn documented() -> BTreeSet<String> {
    let page = read("docs/analysis.md");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    cells.map(|(key, _)| key.to_owned()).collect()
}

fn assert_documented(keys: &BTreeSet<String>, stream: &str) {
    let documented = documented();
    let missing: Vec<_> = keys.difference(&documented).collect();
    assert!(missing.is_empty(), "{stream}: docs/analysis.md has no row for {missing:?}");
}

fn engine(game: &str, size: &str) -> Program {
    Program::start(&[game, "--size", size, "--threads", "1", "--seed", "1", "--playouts", "200", "--no-model"])
}

/// Words of an info line that are names of numbers, not moves and not values.
fn names(line: &str) -> BTreeSet<String> {
    let is_name = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic()) && *word != "pass";
    line.split_whitespace().filter(is_name).map(str::to_owned).collect()
}

#[test]
fn keys_that_are_read_are_documented() {
    let mut program = engine("go", "5");
    for command in ["kata-analyze", "lz-analyze"] {
        let answer = program.ask(&format!("{command} nonsense 1"));
        let (_, known) = answer.split_once("expected one of ").unwrap_or_else(|| panic!("{answer}"));
        let known: BTreeSet<String> = known.trim().split(", ").map(str::to_owned).collect();
        assert!(known.contains("minmoves") && known.contains("rootInfo") == (command == "kata-analyze"), "{known:?}");
        assert_documented(&known, command);
    }
}

#[test]
fn keys_of_info_lines_are_documented() {
    for game in ["go", "hex", "clobber"] {
        for command in
            ["kata-genmove_analyze b 1 rootInfo true ownership true ownershipStdev true", "lz-genmove_analyze b 1"]
        {
            let mut program = engine(game, "5");
            program.send(command);
            let answer = program.answer();
            let info = answer.lines().rev().find(|line| line.starts_with("info move")).expect("a report");
            let keys = names(info);
            assert!(keys.contains("winrate") && keys.contains("rootInfo") == command.starts_with("kata"), "{info}");
            assert!(game != "go" || keys.contains("ownershipStdev") == command.starts_with("kata"), "{info}");
            assert_documented(&keys, command);
        }
    }
}

#[test]
fn keys_of_cgos_reports_are_documented() {
    let answer = engine("go", "5").ask("cgos-genmove_analyze b");
    let json = answer.lines().find(|line| line.starts_with('{')).expect("a report");
    let report: serde_json::Value = serde_json::from_str(json).unwrap();
    let of = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let keys = &of(&report) | &of(&report["moves"][0]);
    assert!(keys.contains("ownership") && keys.contains("pv"), "{keys:?}");
    assert_documented(&keys, "cgos-genmove_analyze");
}

#[test]
fn keys_of_json_answers_are_documented() {
    let mut program = Program::start(&["analysis", "--threads", "1", "--seed", "1", "--memory", "64", "--no-model"]);
    let query = r#"{"id":"q","rules":"aga","boardXSize":5,"boardYSize":5,"moves":[],"maxVisits":50,"includePolicy":true,
        "includeOwnership":true,"includeOwnershipStdev":true,"includePVVisits":true,"includeNoResultValue":true,
        "includeMovesOwnership":true,"includeMovesOwnershipStdev":true}"#;
    program.send(&query.replace('\n', " "));
    let answer: serde_json::Value = serde_json::from_str(&program.line()).unwrap();
    let of = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let keys = &(&of(&answer) | &of(&answer["moveInfos"][0])) | &of(&answer["rootInfo"]);
    assert!(keys.contains("symHash") && keys.contains("pvEdgeVisits") && keys.contains("ownershipStdev"), "{keys:?}");
    assert_documented(&keys, "losange analysis");
}

#[test]
fn keys_of_live_graphics_are_documented() {
    // HexGui's come on standard output, until the next line of input.
    let mut program = engine("hex", "5");
    program.send("gogui-gfx-analyze b");
    let (head, info) = (program.line(), program.line());
    program.send("");
    assert_eq!(head, "gogui-gfx: kata");
    assert_documented(&(&names(&info) | &BTreeSet::from([head])), "gogui-gfx-analyze");
    // GoGui's come on standard error.
    let mut program =
        Program::start(&["go", "--size", "9", "--threads", "1", "--seed", "1", "--time", "1.2", "--no-model"]);
    program.ask("gogui-version 1.5");
    program.ask("genmove b");
    // Pictures are no answers: the last one may come after the move, or be lost where the program ends at once.
    let errors = program.errors_to("gogui-gfx: CLEAR").join("\n");
    program.send("quit");
    assert!(program.wait().success());
    let begun = errors.lines().skip_while(|line| *line != "gogui-gfx:").skip(1);
    let words = begun.filter(|line| !line.starts_with("gogui-gfx:")).filter_map(|line| line.split(' ').next());
    let mut keys: BTreeSet<String> = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    assert!(keys.contains("INFLUENCE"), "{errors}");
    keys.extend(["gogui-gfx:".to_owned(), "gogui-gfx: CLEAR".to_owned()]);
    assert_documented(&keys, "live graphics");
}

fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

#[test]
fn links_lead_to_files() {
    let mut pages = Vec::new();
    for folder in ["", "docs", "docs/log", "models", "measurements"] {
        markdown(&Path::new(ROOT).join(folder), &mut pages);
    }
    let mut count = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            assert!(page.parent().unwrap().join(target).exists(), "{}: {target} is not there", page.display());
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}
