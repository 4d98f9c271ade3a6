//! The house, read from the sources: a room uses what lies below it, never what lies above; games do not use each other, and hardly
//! anybody names one; files do not use each other in circles. The compiler cannot check this inside one package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms from the lowest floor up. `main` is the program: it may use everything.
const FLOORS: &[&str] =
    &["rng", "game", "games", "eval", "search", "players", "learn", "session", "protocol", "any", "server", "commands"];

/// The one room in which a library may be named.
const HOMES: &[(&str, &[&str])] = &[
    ("tokio", &["server"]),
    ("hyper", &["server"]),
    ("hyper_util", &["server"]),
    ("tokio_tungstenite", &["server"]),
    ("futures_util", &["server"]),
    ("constant_time_eq", &["server"]),
    ("nom", &["protocol"]),
    ("zip", &["learn"]),
    ("flate2", &["eval", "games"]),
    ("indicatif", &["commands"]),
    ("ort", &["eval"]),
    ("rten", &["eval"]),
    ("rten_simd", &["eval"]),
    ("rten_tensor", &["eval"]),
    ("clap", &["commands"]),
    ("clap_complete", &["commands"]),
    ("clap_mangen", &["commands"]),
    ("toml", &["commands"]),
    ("anyhow", &["commands"]),
];

/// Where games may be named: their rules, evaluators and players, what only Go and Hex have, protocols that are for some games, and
/// the commands that are for one game.
const NAMES_GAMES: &[&str] = &[
    "games/",
    "eval/heuristic/",
    "players/",
    "session/go",
    "session/hex",
    "session/passing",
    "session/repetition",
    "session/verdict",
    "protocol/go",
    "protocol/hex",
    "protocol/json/go",
    "protocol/tongues",
    "commands/fit_patterns",
    "commands/learn_patterns",
    "commands/solve",
];

/// Most lines of a file and of a function.
const LONGEST_FILE: usize = 600;
const LONGEST_FUNCTION: usize = 80;

/// Names that public types of two files may have, and why.
const SHARED_NAMES: &[(&str, &str)] = &[("Node", "search trees and models' graphs both have nodes")];

/// Files that are compiled for tests only, whose types need no names of their own.
const FOR_TESTS: &[&str] = &["games/toys.rs", "server/simulation"];

/// First words of a doc comment that say no noun and no verb.
const NO_BEGINNINGS: &[&str] = &["What", "Who", "Whose", "Whoever", "Whatever", "Of", "Those", "The same"];

/// Files that have unsafe code, each with the reason beside it; the compiler denies it elsewhere.
const UNSAFE: &[&str] = &[
    "eval/net/backends/embedded/aligned.rs",
    "eval/net/backends/embedded/tiles.rs",
    "eval/net/backends/onnxruntime.rs",
];

struct Source {
    /// First component of the path.
    room: String,
    /// Path below `src`.
    file: String,
    /// Path of its module, such as `games::go::board`; empty for the roots.
    module: String,
    /// Code without comments and without its unit tests.
    code: String,
    lines: usize,
}

fn find(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The text of a file without its unit tests. They stand at its end, so that nothing behind them is overlooked.
fn without_tests<'a>(file: &str, text: &'a str) -> &'a str {
    let Some((code, tests)) = text.split_once("#[cfg(test)]\nmod tests {\n") else { return text };
    let behind = tests.split_once("\n}\n").map(|(_, behind)| behind);
    assert_eq!(behind, Some(""), "{file} goes on behind its unit tests");
    code
}

/// Every source file, without files of tests.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    find(&root, &mut paths);
    paths.retain(|path| !path.ends_with("tests.rs"));
    paths.sort();
    assert!(paths.len() > 10, "the sources were not found");
    let source = |path: &PathBuf| {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let room = file.split(['/', '.']).next().unwrap().to_owned();
        let module = file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        let module = if matches!(module.as_str(), "lib" | "main") { String::new() } else { module };
        let text = fs::read_to_string(path).unwrap();
        let code = without_tests(&file, &text)
            .lines()
            .filter(|l| !l.trim_start().starts_with("//"))
            .collect::<Vec<_>>()
            .join("\n");
        Source { room, file, module, code, lines: text.lines().count() }
    };
    paths.iter().map(source).collect()
}

/// The paths that begin with `root`, without it; lists in braces are taken apart, nested ones too.
fn paths_after(code: &str, root: &str) -> Vec<String> {
    let whole = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    let begins = code.match_indices(root).filter(|(at, _)| whole(*at)).map(|(at, _)| &code[at + root.len()..]);
    begins.flat_map(|rest| tree(rest).0).collect()
}

/// The paths of a tree such as `a::{b, c::D}`, and what follows it.
fn tree(text: &str) -> (Vec<String>, &str) {
    let text = text.trim_start();
    let word: String = text.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '*')).collect();
    let mut rest = &text[word.len()..];
    if word.is_empty() {
        let Some(mut list) = rest.strip_prefix('{') else { return (Vec::new(), rest) };
        let mut paths = Vec::new();
        loop {
            let (more, after) = tree(list);
            paths.extend(more);
            // After an alias the next comma or the end.
            let Some(end) = after.find([',', '}']) else { return (paths, "") };
            list = &after[end + 1..];
            if after[end..].starts_with('}') {
                return (paths, list);
            }
        }
    }
    if let Some(below) = rest.strip_prefix("::") {
        let (paths, after) = tree(below);
        rest = after;
        if !paths.is_empty() {
            return (paths.into_iter().map(|path| format!("{word}::{path}")).collect(), rest);
        }
    }
    (vec![word], rest)
}

impl Source {
    /// All paths of the package that it uses, from the root.
    fn used(&self) -> Vec<String> {
        let above = |path: &str| path.rsplit_once("::").map_or(String::new(), |(above, _)| above.to_owned());
        let join = |base: &str, path: String| if base.is_empty() { path } else { format!("{base}::{path}") };
        let mut used = paths_after(&self.code, "crate::");
        used.extend(paths_after(&self.code, "losange::"));
        used.extend(paths_after(&self.code, "self::").into_iter().map(|path| join(&self.module, path)));
        for path in paths_after(&self.code, "super::") {
            let (mut base, mut path) = (above(&self.module), path);
            while let Some(rest) = path.strip_prefix("super::") {
                (base, path) = (above(&base), rest.to_owned());
            }
            used.push(join(&base, path));
        }
        used
    }
}

fn no_faults(faults: &[String]) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn rooms_use_only_lower_rooms() {
    let floor = |room: &str| FLOORS.iter().position(|f| *f == room);
    let mut faults = Vec::new();
    for source in sources() {
        let Some(own) = floor(&source.room) else {
            if !matches!(source.file.as_str(), "main.rs" | "lib.rs") {
                faults.push(format!("{} is in no room", source.file));
            }
            continue;
        };
        for used in source.used() {
            let room = used.split("::").next().unwrap_or_default();
            match floor(room) {
                Some(other) if other > own => faults.push(format!("{} uses {room}, which lies above it", source.file)),
                None => faults.push(format!("{} uses {used}, which is on no floor", source.file)),
                _ => {}
            }
        }
    }
    no_faults(&faults);
}

/// Names of the games, which are folders, and their names in the list of players.
fn games() -> (BTreeSet<String>, Vec<String>) {
    let sources = sources();
    let folder = |source: &Source| Some(source.file.strip_prefix("games/")?.split_once('/')?.0.to_owned());
    let list = sources.iter().find(|source| source.file == "players/mod.rs").map_or("", |source| &source.code);
    let row = |line: &str| line.trim().split_once(" = games::").map(|(kind, _)| format!("Kind::{kind}"));
    let (games, kinds) = (sources.iter().filter_map(folder).collect(), list.lines().filter_map(row).collect());
    (games, kinds)
}

#[test]
fn games_are_named_in_their_rooms_only() {
    let (games, kinds) = games();
    assert!(games.len() >= 4 && kinds.len() >= 5, "{games:?} {kinds:?}");
    let mut faults = Vec::new();
    for source in sources() {
        let used = source.used();
        let game_of = |path: &String| {
            path.strip_prefix("games::")?.split("::").next().filter(|g| games.contains(*g)).map(str::to_owned)
        };
        let named: BTreeSet<String> = used.iter().filter_map(game_of).collect();
        let own = source.file.strip_prefix("games/").and_then(|path| path.split_once('/'));
        if let Some((own, _)) = own {
            faults.extend(named.iter().filter(|game| *game != own).map(|game| format!("{} names {game}", source.file)));
        }
        let listed = kinds.iter().any(|kind| source.code.contains(kind.as_str()));
        let evaluator = used.iter().any(|path| path.starts_with("eval::heuristic::"));
        let may = NAMES_GAMES.iter().any(|place| source.file.starts_with(place));
        if !may && (listed || evaluator || !named.is_empty()) {
            faults.push(format!("{} names a game", source.file));
        }
    }
    no_faults(&faults);
}

/// Files that use files of other rooms and of their own, without parents and children: a module and what is in it are one.
fn uses(sources: &[Source]) -> BTreeMap<&str, BTreeSet<&str>> {
    let modules: BTreeMap<&str, &str> =
        sources.iter().map(|source| (source.module.as_str(), source.file.as_str())).collect();
    let file_of = |path: &str| {
        let ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]).collect::<Vec<_>>();
        ends.into_iter().rev().find_map(|end| modules.get_key_value(&path[..end]))
    };
    let inside = |inner: &str, outer: &str| inner == outer || inner.starts_with(&format!("{outer}::"));
    let mut uses = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.module.is_empty()) {
        let used = source.used();
        let files = used.iter().filter_map(|path| file_of(path));
        let files = files.filter(|(module, _)| !inside(module, &source.module) && !inside(&source.module, module));
        uses.insert(source.file.as_str(), files.map(|(_, file)| *file).collect::<BTreeSet<&str>>());
    }
    uses
}

/// All files that a file comes to by what it uses.
fn reached<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(file) = waiting.pop() {
        waiting.extend(uses[file].iter().filter(|next| uses.contains_key(**next) && seen.insert(**next)));
    }
    seen
}

#[test]
fn files_use_each_other_in_no_circle() {
    let sources = sources();
    let uses = uses(&sources);
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|file| (*file, reached(&uses, file))).collect();
    let circle = |file: &str| -> Vec<&str> {
        reached[file].iter().copied().filter(|other| reached[other].contains(file)).collect()
    };
    let circles: BTreeSet<Vec<&str>> =
        uses.keys().map(|file| circle(file)).filter(|circle| !circle.is_empty()).collect();
    let mut faults = Vec::new();
    for circle in &circles {
        faults.push(format!("in a circle: {}", circle.join(", ")));
        for file in circle {
            let within: Vec<&str> = uses[file].iter().copied().filter(|other| circle.contains(other)).collect();
            faults.push(format!("  {file} uses {}", within.join(", ")));
        }
    }
    no_faults(&faults);
}

#[test]
fn files_are_short() {
    let long = sources().into_iter().filter(|source| source.lines > LONGEST_FILE);
    no_faults(&long.map(|source| format!("{} is too long", source.file)).collect::<Vec<_>>());
}

/// Name and lines of each function, which ends where a brace stands as far to the left as it began.
fn functions(code: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let name = |line: &'_ str| -> Option<usize> {
        let words = line.trim_start().split_once("fn ").map(|(before, _)| before);
        let modifier = |word: &str| word.starts_with("pub") || matches!(word, "const" | "async" | "unsafe");
        words?.split_whitespace().all(modifier).then(|| line.find("fn ").unwrap_or_default() + 3)
    };
    let mut functions = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(at) = name(line) else { continue };
        let ends = |other: &&str| other.trim() == "}" && indent(other) == indent(line);
        let length = lines[first..].iter().position(|other| ends(other) || other.ends_with(';') && *other == *line);
        let end = line[at..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(line.len(), |end| at + end);
        functions.push((&line[at..end], length.map_or(1, |length| length + 1)));
    }
    functions
}

#[test]
fn functions_are_short() {
    let mut faults = Vec::new();
    for source in sources() {
        let long = functions(&source.code).into_iter().filter(|(_, length)| *length > LONGEST_FUNCTION);
        faults.extend(long.map(|(name, _)| format!("{}: {name} is too long", source.file)));
    }
    no_faults(&faults);
}

/// Names of the types of a file that others can use.
fn public_types(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter(|line| line.starts_with("pub")).filter_map(|line| {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || *word == "unsafe");
        let kind = words.next()?;
        let name = words.next()?.split(|c: char| !c.is_alphanumeric()).next();
        name.filter(|_| matches!(kind, "struct" | "enum" | "trait" | "type"))
    })
}

/// One word names one thing. Games have the same names for the same things: board, move, position.
#[test]
fn types_have_names_of_their_own() {
    let sources = sources();
    let game = |file: &str| Some(file.strip_prefix("games/")?.split_once('/')?.0.to_owned());
    let mut named = BTreeMap::<&str, Vec<&str>>::new();
    for source in sources.iter().filter(|source| !FOR_TESTS.iter().any(|place| source.file.starts_with(place))) {
        public_types(&source.code).for_each(|name| named.entry(name).or_default().push(&source.file));
    }
    let clash = |files: &[&str]| {
        let games: BTreeSet<Option<String>> = files.iter().map(|file| game(file)).collect();
        files.len() > 1 && (games.contains(&None) || games.len() < files.len())
    };
    let allowed = |name: &str| SHARED_NAMES.iter().any(|(shared, _)| *shared == name);
    let faults = named.iter().filter(|(name, files)| clash(files) && !allowed(name));
    no_faults(&faults.map(|(name, files)| format!("{name} is in {}", files.join(" and "))).collect::<Vec<_>>());
}

/// A doc comment begins with a noun or a verb.
#[test]
fn doc_comments_say_what_a_thing_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    ["src", "tests", "benches"].iter().for_each(|folder| find(&root.join(folder), &mut paths));
    let comment = |line: &'_ str| -> Option<usize> {
        let text = line.trim_start();
        (text.starts_with("/// ") || text.starts_with("//! ")).then_some(line.len() - text.len() + 4)
    };
    let mut faults = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let mut before = None;
        for (number, line) in text.lines().enumerate() {
            let at = comment(line);
            let begins = |words: &&&str| at.is_some_and(|at| line[at..].starts_with(&format!("{words} ")));
            if before.is_none() && NO_BEGINNINGS.iter().find(begins).is_some() {
                let file = path.strip_prefix(root).unwrap().display();
                faults.push(format!("{file}:{}: {}", number + 1, line.trim_start()));
            }
            before = at;
        }
    }
    no_faults(&faults);
}

#[test]
fn libraries_stay_in_their_rooms() {
    let mut faults = Vec::new();
    for source in sources() {
        for (library, homes) in HOMES {
            let named = !paths_after(&source.code, &format!("{library}::")).is_empty();
            if named && !homes.contains(&source.room.as_str()) {
                faults.push(format!("{} names {library}", source.file));
            }
        }
    }
    no_faults(&faults);
}

#[test]
fn unsafe_code_is_where_it_is_allowed() {
    let sources = sources();
    for root in ["lib.rs", "main.rs"] {
        let denies = sources.iter().any(|source| source.file == root && source.code.contains("#![deny(unsafe_code)]"));
        assert!(denies, "{root} does not deny unsafe code");
    }
    let allowing = sources.iter().filter(|source| source.code.contains("allow(unsafe_code"));
    let allowing: Vec<&str> = allowing.map(|source| source.file.as_str()).collect();
    assert_eq!(allowing, UNSAFE);
    let bare = sources.iter().filter(|source| source.code.contains("allow(unsafe_code)"));
    no_faults(&bare.map(|source| format!("{} allows unsafe code without a reason", source.file)).collect::<Vec<_>>());
}

/// Standard output belongs to the protocol: only the program's own listings may print.
#[test]
fn the_library_never_prints() {
    let mut faults = Vec::new();
    for source in sources() {
        let prints = ["println!", "print!(", "dbg!("].iter().any(|p| source.code.contains(p));
        if prints && !matches!(source.room.as_str(), "main" | "commands") {
            faults.push(source.file);
        }
    }
    no_faults(&faults);
}

#[test]
fn the_reader_of_paths_sees_groups() {
    let code = "use crate::{game::{Game, Side}, rng::Rng as R,\n search};\nfn f() { crate::eval::x() + mycrate::y() }\n\
                use crate::games::{Size, go::{self, Rules}, clobber};\nuse super::super::a::B;";
    let expected = [
        "game::Game",
        "game::Side",
        "rng::Rng",
        "search",
        "eval::x",
        "games::Size",
        "games::go::self",
        "games::go::Rules",
        "games::clobber",
    ];
    assert_eq!(paths_after(code, "crate::"), expected);
    let source = Source {
        room: "a".to_owned(),
        file: "a/b/c.rs".to_owned(),
        module: "a::b::c".to_owned(),
        code: "use super::{d::E, f}; use super::super::a::B;".to_owned(),
        lines: 1,
    };
    assert_eq!(source.used(), ["a::b::d::E", "a::b::f", "a::a::B"]);
}
