//! Settings of a file and of the environment, and the order in which they and the command line hold; completions and manual pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A home of its own for the program, without settings but those of the test.
struct Home {
    dir: TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Home {
    fn new(file: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("losange.toml"), file).unwrap();
        Self { dir, variables: Vec::new() }
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join("losange.toml")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_losange"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("LOSANGE_") {
                command.env_remove(name);
            }
        }
        command.env("XDG_CONFIG_HOME", self.dir.path()).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.args(arguments).stdin(Stdio::null()).output().unwrap()
    }

    fn told(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Values and origins of the options that are set for a subcommand.
    fn holding(&self, subcommand: &str) -> BTreeMap<String, (String, String)> {
        let arguments: Vec<&str> = ["config"].into_iter().chain(subcommand.split(' ')).collect();
        let told = self.told(&arguments);
        let set = told.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "));
        let row = |(name, rest): (&str, &str)| {
            let (value, origin) = rest.split_once("  # ").unwrap();
            (name.to_owned(), (value.to_owned(), origin.replace(&self.dir.path().display().to_string(), "")))
        };
        set.map(row).collect()
    }

    /// The program must end with an error that has each of these words, and print nothing else.
    fn refused(&self, arguments: &[&str], words: &[&str]) {
        let output = self.run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}: {output:?}");
        assert!(words.iter().all(|word| stderr.contains(word)), "{arguments:?}: {words:?} in {stderr}");
        assert!(!stderr.contains("panic"), "{stderr}");
    }

    /// Rows and columns of the board that `losange go` begins with.
    fn boards(&self, arguments: &[&str]) -> String {
        // What a game says of itself needs no search: the size of a record.
        let mut child = Command::new(env!("CARGO_BIN_EXE_losange"));
        child.env_remove("LOSANGE_NO_CONFIG").env("XDG_CONFIG_HOME", self.dir.path());
        child.envs(self.variables.iter().map(|(name, value)| (name, value))).args(arguments);
        let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"gogui-rules_board_size\nname\nquit\n").unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }
}

fn pair(value: &str, origin: &str) -> (String, String) {
    (value.to_owned(), origin.to_owned())
}

const FILE: &str = "\
# Common ones first.
threads = 2
name = 'Everywhere'
verbose = 1

[go]
size = 9
name = 'File'
ponder = true

[hex]
size = 5
";

#[test]
fn command_line_over_environment_over_file() {
    let plain = Home::new(FILE);
    let played =
        |home: &Home, arguments: &[&str]| home.boards(arguments).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(played(&plain, &["--no-config", "go"]), "= 19 = Losange =");
    assert_eq!(played(&plain, &["go"]), "= 9 = File =");
    assert_eq!(played(&plain, &["hex"]), "= 5 hex = Everywhere =");
    let general = Home::new(FILE).with("LOSANGE_NAME", "General");
    assert_eq!(played(&general, &["go"]), "= 9 = General =");
    let special = Home::new(FILE).with("LOSANGE_NAME", "General").with("LOSANGE_GO_NAME", "Special");
    assert_eq!(played(&special, &["go"]), "= 9 = Special =");
    assert_eq!(played(&special, &["hex"]), "= 5 hex = General =");
    assert_eq!(played(&special, &["go", "--name", "Typed", "--size=7"]), "= 7 = Typed =");
    // An empty variable says nothing.
    assert_eq!(played(&Home::new(FILE).with("LOSANGE_NAME", ""), &["go"]), "= 9 = File =");
}

/// The time for a move is not that of a whole run, of each first move or of each position.
#[test]
fn time_means_the_same_wherever_it_is_set_for_all() {
    let home = Home::new("time = 10\n[review]\ntime = 3\n").with("LOSANGE_TIME", "20");
    assert_eq!(home.holding("go")["time"], pair("20", "LOSANGE_TIME"));
    assert_eq!(home.holding("arena")["time"], pair("20", "LOSANGE_TIME"));
    for subcommand in ["openings", "selfplay"] {
        assert_eq!(home.holding(subcommand).get("time"), None, "{subcommand}");
    }
    assert_eq!(home.holding("review")["time"], pair("3", "/losange.toml:3"));
}

#[test]
fn what_holds_is_shown_with_its_place() {
    let home =
        Home::new(FILE).with("LOSANGE_TIME", "1.5").with("LOSANGE_GO_SET", "rave_equivalence=0,uct_constant=0.1");
    let go = home.holding("go");
    assert_eq!(go["threads"], pair("2", "/losange.toml:2"));
    assert_eq!(go["name"], pair("\"File\"", "/losange.toml:8"));
    assert_eq!(go["ponder"], pair("true", "/losange.toml:9"));
    assert_eq!(go["time"], pair("1.5", "LOSANGE_TIME"));
    assert_eq!(go["set"], pair("[\"rave_equivalence=0\", \"uct_constant=0.1\"]", "LOSANGE_GO_SET"));
    assert_eq!(go.len(), 6, "{go:?}");
    let off = Home::new(FILE).with("LOSANGE_PONDER", "false").holding("go");
    assert_eq!(off["ponder"], pair("false", "LOSANGE_PONDER"));
    let told = home.told(&["config"]);
    assert!(told.starts_with(&format!("# File: {}\n", home.file().display())), "{told}");
    for table in ["[go]", "[selfplay]", "[bench.eval]", "[model.check]", "[analysis]", "[serve]"] {
        assert!(told.lines().any(|line| line == table), "{table} in {told}");
    }
    assert!(told.lines().any(|line| line == "#answer-time = 20"), "{told}");
    // What is shown is a file that says the same.
    let again = Home::new(&told);
    assert_eq!(again.holding("go")["time"].0, "1.5");
    assert!(again.told(&["config", "hex"]).contains("\nsize = 5  # "));
}

#[test]
fn an_option_stands_once_in_a_table() {
    let output = Home::new("[go]\nanswer_time = 5\nanswer-time = 10\n").run(&["config", "go"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && errors.contains("'answer-time' stands there twice"), "{errors}");
}

#[test]
fn options_that_exclude_each_other_follow_the_order() {
    let missing = "/nowhere/net.onnx";
    let home = || Home::new(&format!("[go]\nmodel = '{missing}'\n"));
    home().refused(&["go"], &[missing]);
    assert!(home().run(&["go", "--no-model"]).status.success());
    assert!(home().with("LOSANGE_NO_MODEL", "1").run(&["go"]).status.success());
    let none = Home::new("no-model = true\n");
    none.refused(&["go", "--model", missing], &[missing]);
    assert!(none.run(&["go"]).status.success());
    // In one place they are an error.
    Home::new(&format!("no-model = true\nmodel = '{missing}'\n"))
        .refused(&["go"], &["losange.toml:", "cannot be used"]);
}

#[test]
fn parameters_add_up() {
    let home =
        Home::new("[go.set]\nrave_equivalence = 500\nuct_constant = 0.9\n").with("LOSANGE_SET", "rave_equivalence=250");
    let set = home.holding("go");
    assert_eq!(set["set"].0, "[\"rave_equivalence=500\", \"uct_constant=0.9\", \"rave_equivalence=250\"]");
    Home::new("[go]\nset = ['nothing=1']\n").refused(&["go"], &["nothing"]);
}

#[test]
fn help_shows_what_the_game_has() {
    let helps = ["go", "hex", "clobber"].map(|game| Home::new("").told(&[game, "--help"]));
    assert_eq!(helps.each_ref().map(|help| help.contains("--rules")), [true, false, false]);
    assert_eq!(helps.each_ref().map(|help| help.contains("--swap")), [false, true, false]);
}

#[test]
fn mistakes_in_the_file_are_told_with_their_line() {
    let of = |text: &str, words: &[&str]| {
        let home = Home::new(text);
        let file = home.file().display().to_string();
        home.refused(&["go"], &[words, &[file.as_str()]].concat());
        // Help is given all the same.
        assert!(home.told(&["go", "--help"]).contains("--answer-time"));
    };
    of("\n[go]\nthread = 2\n", &[":3: 'thread' is no option", "`losange config go --no-config` lists"]);
    of("theme = 2\n", &[":1: 'theme' is no option", "`losange config --no-config`"]);
    of("config = 'x'\n", &[":1: 'config' is a subcommand"]);
    of("go = 2\n", &[":1: 'go' is a subcommand", "table"]);
    of("[hex]\nrules = 1\nsizes = 2\n", &[":3: 'sizes' is no option"]);
    of(
        "[go]\nthreads = 'many'\n",
        &[":2: invalid value 'many' for '--threads", "from 1 to 1024", "`losange config go --no-config`"],
    );
    of("threads = 0\n", &[":1: invalid value '0'"]);
    of("[go]\nthreads = [1, 2]\n", &[":2: --threads takes one value, and there are 2"]);
    of("[go]\nthreads = { a = 1 }\n", &[":2: an option takes", "table"]);
    of("[go]\nponder = 3\n", &[":2: invalid value '3' for '--ponder"]);
    of("verbose = 'much'\n", &[":1: --verbose takes a number"]);
    of("time = 1\n[go]\nseed = 2026-11-25\n", &[":3: an option takes", "datetime"]);
    of("[go]\n\nthreads = \n", &[":3: "]);
    of("[go]\nthreads = 1\nthreads = 2\n", &[":3: duplicate key"]);
    of("[go]\nrules = 'draughts'\n", &[":2: ", "draughts"]);
    Home::new("").with("LOSANGE_GO_THREADS", "none").refused(&["go"], &["LOSANGE_GO_THREADS: invalid value 'none'"]);
    // Others' mistakes are found where they are asked for.
    let home = Home::new("[hex]\nsize = 99\n");
    assert!(home.run(&["go"]).status.success());
    home.refused(&["hex"], &[":2: invalid value '99'"]);
    // What the game alone knows to be wrong may be of the file too.
    Home::new("size = 30\n").refused(&["loa"], &["played on boards from 4x4 to 8x8", "--size by", ":1)"]);
    let output = home.run(&["config", "hex"]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(":2: invalid value '99'"));
}

#[test]
fn mistakes_of_the_command_line_are_told_as_ever() {
    let home = Home::new("[go]\nsize = 9\n[selfplay]\nteacher = 'hex'\nthreads = 1\n");
    for (arguments, words) in [
        (&["go", "--size", "99"][..], &["error: invalid value '99' for '--size"][..]),
        (&["go", "--size", "9", "--size", "9"], &["error: the argument '--size"]),
        (&["go", "--nothing"], &["error: unexpected argument '--nothing'"]),
        (&["come"], &["error: unrecognized subcommand 'come'"]),
        (&["selfplay"], &["error: the following required arguments", "DIR"]),
        (&["config", "come"], &["no subcommand 'come'"]),
    ] {
        home.refused(arguments, words);
    }
    // A subcommand that is missing is not the file's fault.
    let told = |home: &Home| String::from_utf8(home.run(&[]).stderr).unwrap();
    let usage = told(&Home::new(""));
    assert!(usage.contains("Usage: losange") && told(&Home::new("verbose = 1\n")) == usage, "{usage}");
    // What the file says satisfies what an option requires.
    Home::new("").refused(&["selfplay", "/dev/null/x", "--policy"], &["--teacher"]);
    home.refused(&["selfplay", "/dev/null/x", "--policy"], &["/dev/null/x"]);
}

#[test]
fn the_file_is_chosen() {
    let home = Home::new("name = 'usual'\n");
    let other = home.dir.path().join("other.toml");
    fs::write(&other, "name = 'other'\n").unwrap();
    let other = other.to_str().unwrap();
    let name = |home: &Home, arguments: &[&str]| home.boards(arguments).split_whitespace().nth(3).unwrap().to_owned();
    assert_eq!(name(&home, &["go"]), "usual");
    assert_eq!(name(&home, &["--config", other, "go"]), "other");
    assert_eq!(name(&home, &["go", &format!("--config={other}")]), "other");
    assert_eq!(name(&home, &["go", "--no-config"]), "Losange");
    let named = Home::new("name = 'usual'\n").with("LOSANGE_CONFIG", other);
    assert_eq!(name(&named, &["go"]), "other");
    assert_eq!(name(&named, &["--config", home.file().to_str().unwrap(), "go"]), "usual");
    let none = Home::new("name = 'usual'\n").with("LOSANGE_NO_CONFIG", "true");
    assert_eq!(name(&none, &["go"]), "Losange");
    home.refused(&["--config", "/nowhere.toml", "go"], &["/nowhere.toml"]);
    home.refused(&["--config", other, "--no-config", "go"], &["cannot be used with"]);
    home.refused(&["--config", "/dev/zero", "go"], &["/dev/zero", "1 MiB"]);
    // KataGo's option of that name is its own.
    let katago = home.dir.path().join("katago.cfg");
    fs::write(&katago, "maxVisits = 500\n").unwrap();
    assert!(home.run(&["analysis", "-config", katago.to_str().unwrap(), "--no-model"]).status.success());
    // The program's own stands before the subcommand, and what it says of that one holds.
    let settings = home.dir.path().join("analysis.toml");
    fs::write(&settings, "[analysis]\nconfig = '/nowhere.cfg'\n").unwrap();
    home.refused(&["--config", settings.to_str().unwrap(), "analysis", "--no-model"], &["/nowhere.cfg"]);
    // Nobody needs a file.
    fs::remove_file(home.file()).unwrap();
    assert!(home.told(&["config"]).contains("losange.toml, which is not there"));
}

#[test]
fn completions_are_made_for_each_shell() {
    let home = Home::new("");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = home.told(&["completions", shell]);
        for word in ["losange", "answer-time", "selfplay", "no-config"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let script = home.dir.path().join("losange.bash");
    fs::write(&script, home.told(&["completions", "bash"])).unwrap();
    let bash = Command::new("bash").arg("-n").arg(script).output();
    assert!(bash.is_ok_and(|output| output.status.success() && output.stderr.is_empty()));
    home.refused(&["completions", "tcl"], &["possible values", "bash"]);
}

#[test]
fn manual_pages_are_made() {
    let home = Home::new("");
    let page = home.told(&["man"]);
    assert!(page.contains(".TH losange 1") && page.contains("losange\\-go(1)"), "{page}");
    let dir = home.dir.path().join("man1");
    assert_eq!(home.told(&["man", dir.to_str().unwrap()]), "");
    let has = |name: &str, text: &str| fs::read_to_string(Path::join(&dir, name)).unwrap().contains(text);
    assert!(has("losange.1", "losange\\-serve(1)") && has("losange-go.1", "answer\\-time"));
    assert!(has("losange-bench-eval.1", "batches"));
    // Examples keep their lines.
    assert!(has("losange-solve.1", ".SH EXTRA\n.nf\nExamples:\n"));
    home.refused(&["man", "/dev/null/man1"], &["/dev/null/man1"]);
}
