//! Networks in KataGo's format, of Go and of Hex, through the real program.

mod support;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use losange::eval::net::{Backend, Network, NetworkEvaluator, Options};
use losange::eval::{Attributes, Evaluation, NoEvaluation, PolicyEvaluator, PolicyQuery, Wanted};
use losange::game::{Game, MonteCarlo, Outcome, PlayoutEnd, PlayoutPolicy, Side};
use losange::games::{Size, go, hex};
use losange::players::Played;
use losange::rng::Rng;
use losange::search::params::Method;
use losange::search::puct::Puct;
use losange::search::{Budget, Params, Searcher, Share, Stop, Task};
use serde_json::Value;
use support::Program;

/// Files made at random by `scripts/katago-net.py`.
fn fixtures() -> Vec<PathBuf> {
    let files = fs::read_dir("tests/fixtures/katago").unwrap().map(|entry| entry.unwrap().path());
    let mut nets: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end != "md")).collect();
    nets.sort();
    nets
}

/// JSON of a file.
fn read(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// Vectors of KataHex's (its Eigen build at d348a64), and the random network that they are of.
fn katahex_random() -> (Value, PathBuf) {
    let folder = Path::new("tests/fixtures/katago-vectors");
    (read(&folder.join("katahex-random-b3c24.json")), folder.join("katahex-random-b3c24.bin.gz"))
}

fn start(net: &Path, more: &[&str]) -> Program {
    let fixed = ["go", "--threads", "1", "--seed", "3", "--backend", "embedded", "--model", net.to_str().unwrap()];
    Program::start(&[&fixed[..], more].concat())
}

/// The numbers of `kata-raw-nn` by their names; maps row by row, NaN where there is none.
struct Raw(Vec<(String, Vec<f64>)>);

impl Raw {
    fn parse(text: &str) -> Self {
        let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
        for line in text.trim_start_matches("= ").lines() {
            let mut words = line.split_whitespace().peekable();
            if let Some(name) = words.next_if(|word| word.parse::<f64>().is_err() && *word != "NAN") {
                rows.push((name.to_owned(), Vec::new()));
            }
            let numbers = words.map(|word| word.parse().unwrap_or(f64::NAN));
            rows.last_mut().unwrap().1.extend(numbers);
        }
        Self(rows)
    }

    fn get(&self, name: &str) -> &[f64] {
        &self.0.iter().find(|row| row.0 == name).unwrap_or_else(|| panic!("{name} is missing")).1
    }
}

#[test]
fn they_are_searched_as_katago_does() {
    for net in fixtures() {
        let model = losange::eval::net::read(&net).unwrap();
        assert_eq!(go::Position::recipe().usual(Some(&model)), Method::Puct, "{}", net.display());
    }
    let mut program =
        start(&fixtures()[0], &["--playouts", "20", "--set", "graph_search=0", "--set", "subtree_bias=0"]);
    assert!(program.ask("genmove b").starts_with("= "));
    let keys = "rootInfo true noResultValue true movesOwnership true movesOwnershipStdev true ownershipStdev true";
    let answer = program.ask(&format!("kata-search_analyze w maxmoves 1 pvVisits true {keys}"));
    for key in ["noResultValue 0.", "movesOwnershipStdev 0.", "rawVarTimeLeft ", " ownershipStdev 0."] {
        assert!(answer.contains(key), "{key}: {answer}");
    }
}

#[test]
fn each_kind_of_network_plays() {
    let nets = fixtures();
    assert!(nets.len() >= 10, "{nets:?}");
    for net in nets {
        let mut program = start(&net, &["--playouts", "12"]);
        for size in ["5", "9 7"] {
            program.ask(&format!("boardsize {size}"));
            for colour in ["b", "w", "b", "w"] {
                let answer = program.ask(&format!("genmove {colour}"));
                assert!(answer.starts_with("= "), "{}: {answer}", net.display());
            }
        }
        let raw = Raw::parse(&program.ask("kata-raw-nn 0"));
        let points = 63;
        assert_eq!([raw.get("policy").len(), raw.get("whiteOwnership").len()], [points; 2]);
        let policy: f64 =
            raw.get("policy").iter().filter(|share| share.is_finite()).sum::<f64>() + raw.get("policyPass")[0];
        assert!((policy - 1.0).abs() < 1e-4, "{}: {policy}", net.display());
        let chances = ["whiteWin", "whiteLoss", "noResult"].map(|name| raw.get(name)[0]);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{chances:?}");
        let raw = program.ask("kata-raw-nn 0");
        assert_eq!(program.ask("kata-raw-nn black 0"), raw);
        assert!(
            program.ask("kata-raw-nn w 0 1").starts_with("= symmetry 0\n") && program.ask("kata-raw-nn w 0") != raw
        );
        assert!(program.ask("kata-raw-nn b 0 0.2 7").starts_with("? unexpected argument '7'"));
        let all = program.ask("kata-raw-nn all");
        assert_eq!(all.matches("symmetry").count(), 4);
        assert!(program.ask("kata-raw-nn 4").starts_with('?'));
    }
}

/// Differences from the answers of KataGo to `kata-raw-nn 0 0` in a position of its vectors, set up by commands.
/// `None` where the programs count otherwise: KataGo plays suicides that the rules forbid when it is told to, and takes Black's first
/// moves, with White passing between them, for a handicap.
fn differences(program: &mut Program, position: &Value) -> Option<[f64; 4]> {
    let text = |key: &str| position[key].as_str().unwrap().to_owned();
    program.ask(&format!("rectangular_boardsize {} {}", position["width"], position["height"]));
    assert!(program.ask(&format!("kata-set-rules {}", text("rules"))).starts_with('='), "{}", text("rules"));
    program.ask(&format!("komi {}", position["komi"]));
    let moves = position["moves"].as_array().unwrap();
    let begun = moves.iter().take_while(|mv| mv[0] != "w" || mv[1] == "pass");
    if begun.filter(|mv| mv[0] == "b" && mv[1] != "pass").count() > 1 && moves[0][0] != "handicap" {
        return None;
    }
    for mv in moves {
        let (first, second) = (mv[0].as_str().unwrap(), mv[1].to_string());
        let command = match first {
            "b" | "w" => format!("play {first} {}", mv[1].as_str().unwrap()),
            "handicap" => format!("set_free_handicap {}", second.trim_matches('"')),
            _ => panic!("{mv}"),
        };
        let answer = program.ask(&command);
        if answer.contains("suicide") {
            return None;
        }
        assert!(answer.starts_with('='), "{command}: {answer}");
    }
    let raw = Raw::parse(&program.ask("kata-raw-nn 0 0"));
    let number = |key: &str| position[key].as_f64().unwrap();
    let width = position["width"].as_u64().unwrap() as usize;
    let height = position["height"].as_u64().unwrap() as usize;
    let place = |vertex: &str| {
        let column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(&vertex[..1]).unwrap();
        (height - vertex[1..].parse::<usize>().unwrap()) * width + column
    };
    let largest = |key: &str, map: &str| {
        let pairs = position[key].as_array().unwrap().iter();
        let gap = |pair: &Value| (raw.get(map)[place(pair[0].as_str().unwrap())] - pair[1].as_f64().unwrap()).abs();
        pairs.filter(|pair| pair[0] != "pass").map(gap).fold(0.0, f64::max)
    };
    let illegal = raw.get("policy").iter().filter(|share| share.is_nan()).count();
    assert_eq!(illegal as u64, position["illegal"].as_u64().unwrap(), "{position}");
    Some([
        (raw.get("whiteWin")[0] - number("whiteWin")).abs(),
        largest("policy", "policy"),
        largest("ownership", "whiteOwnership"),
        (raw.get("whiteLead")[0] - number("whiteLead")).abs(),
    ])
}

#[test]
#[ignore = "needs a network of KataGo's and its vectors in the folder that LOSANGE_NETS names"]
fn evaluations_are_katagos() {
    let folder = PathBuf::from(env::var_os("LOSANGE_NETS").expect("LOSANGE_NETS names the folder"));
    let vectors = read(&folder.join("vectors-b6c96.json"));
    let net = folder.join("g170-b6c96-s175395328-d26788732.bin.gz");
    let mut program = start(&net, &[]);
    let positions = vectors["positions"].as_array().unwrap();
    let (mut worst, mut compared) = ([0.0_f64; 4], 0);
    for position in positions {
        let Some(gaps) = differences(&mut program, position) else { continue };
        compared += 1;
        worst = std::array::from_fn(|number| worst[number].max(gaps[number]));
        assert!(gaps[..3].iter().all(|gap| *gap < 1e-4) && gaps[3] < 0.01, "{gaps:?} in {position}");
    }
    assert!(compared >= positions.len() * 4 / 5, "{compared} of {}", positions.len());
    eprintln!("{compared} positions; largest differences of win rate, policy, ownership, lead: {worst:?}");
}

#[test]
fn each_kind_of_network_plays_hex() {
    let mut refused = 0;
    for net in fixtures() {
        let file = net.to_str().unwrap();
        let fixed = ["hex", "--threads", "1", "--seed", "3", "--backend", "embedded", "--playouts", "12"];
        let mut program = Program::start(&[&fixed[..], &["--model", file]].concat());
        let first = program.ask("name");
        if first.is_empty() {
            assert!(program.errors().contains("a norm has no bias"), "{file}");
            refused += 1;
            continue;
        }
        for size in ["5", "9 7", "32"] {
            program.ask(&format!("boardsize {size}"));
            let mut stones = 0;
            for colour in ["b", "w", "b"] {
                let answer = program.ask(&format!("genmove {colour}"));
                assert!(answer.starts_with("= ") && !answer.contains("resign"), "{file}: {answer}");
                stones += usize::from(!answer.contains("swap-pieces"));
            }
            let raw = Raw::parse(&program.ask("kata-raw-nn 0"));
            let shares = raw.get("policy").iter().filter(|share| share.is_finite());
            let (sum, pass) = (shares.sum::<f64>(), raw.get("policyPass")[0]);
            assert!(pass > 0.0 && (sum + pass - 1.0).abs() < 1e-3, "{file}: {sum} {pass}");
            assert_eq!(raw.get("policy").iter().filter(|share| share.is_nan()).count(), stones);
        }
    }
    assert!(refused < fixtures().len(), "all were refused");
}

/// A position of the vectors, by its stones.
fn hex_position(vector: &Value) -> hex::Position {
    let side = |text: &Value| if text == "B" { Side::First } else { Side::Second };
    let size = Size { width: number(vector, "width"), height: number(vector, "height") };
    let mut position = hex::Position::new(size);
    let moves = vector["moves"].as_array().unwrap().iter().filter(|mv| mv[1] != "pass");
    let stones: Vec<_> = moves.map(|mv| (side(&mv[0]), hex_cell(size, mv[1].as_str().unwrap()))).collect();
    position.set_up(&stones).unwrap();
    position.set_to_move(side(&vector["toMove"]));
    position
}

/// A random network that imitates people.
const PEOPLE: &str = "tests/fixtures/katago/v15-player.bin.gz";

#[test]
fn people_are_imitated() {
    let fixed = ["go", "--size", "9", "--threads", "1", "--seed", "3", "--time", "60", "--no-model", "--human-model"];
    let mut program = Program::start(&[&fixed[..], &[PEOPLE]].concat());
    assert!(
        program.ask("kata-raw-human-nn 0").starts_with("? Cannot run kata-raw-human-nn, humanSLProfile is not set")
    );
    assert!(program.ask("kata-set-param humanSLProfile rank_0k").contains("unknown profile 'rank_0k'"));
    let mut told = Vec::new();
    for profile in ["rank_9d", "rank_20k", "rank_20k_9d", "preaz_9d", "proyear_1900"] {
        assert_eq!(program.ask(&format!("kata-set-param humanSLProfile {profile}")).trim(), "=");
        assert_eq!(program.ask("kata-get-param humanSLProfile").trim(), format!("= {profile}"));
        let raw = program.ask("kata-raw-human-nn 0");
        assert!(raw.contains("\nwhiteScore ") && !raw.contains("whiteLead"), "{raw}");
        assert!(!told.contains(&raw), "{profile}");
        told.push(raw);
    }
    assert!(program.ask("kata-raw-human-nn b 0 1").starts_with("? unexpected argument '1'"));
    assert!(program.ask("kata-get-models").contains(r#""usesHumanSLProfile":true"#));
    // Moves are drawn, and the search beside them is a short one: each would have a minute.
    let begun = Instant::now();
    for colour in ["b", "w", "b", "w"] {
        assert!(program.ask(&format!("genmove {colour}")).starts_with("= "));
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert_eq!(program.ask("kata-set-param humanSLProfile \"\"").trim(), "=");
    assert!(program.ask("kata-raw-human-nn 0").contains("humanSLProfile is not set"));
    let mut program = Program::start(&["go", "--size", "9", "--no-model"]);
    assert!(program.ask("kata-set-param humanSLProfile rank_5k").contains("--human-model FILE"));
    let refused = |arguments: &[&str]| {
        let output = support::command(arguments).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let other = "tests/fixtures/katago/v15.bin.gz";
    assert!(refused(&["go", "--human-model", other]).contains("does not imitate people"));
    assert!(refused(&["go", "--human-profile", "rank_5k"]).contains("--human-model"));
    assert!(refused(&["go", "--human-model", PEOPLE, "--human-profile", "5k"]).contains("unknown profile '5k'"));
}

/// Numbers of KataGo's (its Eigen build at 6a1fc5de) for [`PEOPLE`], by profiles and sides.
#[test]
fn imitations_are_katagos() {
    let vectors = read(Path::new("tests/fixtures/katago-vectors/people.json"));
    let fixed = ["go", "--size", "9", "--threads", "1", "--no-model", "--backend", "embedded", "--human-model", PEOPLE];
    let mut program = Program::start(&fixed);
    let (mut worst, mut compared) = (0.0_f64, 0);
    for vector in vectors.as_array().unwrap() {
        for command in vector["commands"].as_array().unwrap() {
            assert!(program.ask(command.as_str().unwrap()).starts_with('='), "{command}");
        }
        let [ours, theirs] = [program.ask("kata-raw-human-nn 0"), vector["raw"].as_str().unwrap().to_owned()];
        let [ours, theirs] = [Raw::parse(&ours), Raw::parse(&theirs)];
        for (name, numbers) in theirs.0 {
            for (a, b) in numbers.iter().zip(ours.get(&name)) {
                assert_eq!(a.is_nan(), b.is_nan(), "{name}");
                // They are printed with three digits or more.
                worst = worst.max(if a.is_nan() { 0.0 } else { (a - b).abs() / a.abs().max(1.0) });
            }
        }
        compared += 1;
    }
    assert!(compared >= 20 && worst < 1e-3, "{compared} {worst}");
}

fn number(vector: &Value, key: &str) -> usize {
    vector[key].as_u64().unwrap() as usize
}

fn hex_cell(size: Size, text: &str) -> usize {
    size.index(usize::from(text.as_bytes()[0] - b'a'), text[1..].parse::<usize>().unwrap() - 1)
}

#[test]
fn evaluations_are_katahexs() {
    let (vectors, net) = katahex_random();
    let options = Options { backend: Backend::Embedded, ..Options::default() };
    let network = Arc::new(Network::load(&net, &options, &|size| hex::Position::new(Size::square(size))).unwrap());
    assert_eq!(hex::Position::recipe().usual(Some(network.model())), Method::Puct);
    let evaluator = NetworkEvaluator::<hex::Position, ()>::new(network, ());
    let (mut worst, mut compared) = ([0.0_f64; 3], 0);
    for vector in vectors["vectors"].as_array().unwrap() {
        // KataHex does not turn a board of unequal sides for White, and has settings for unequal players and for Go's taxes.
        let turned = vector["width"] == vector["height"] || vector["toMove"] == "B";
        if !turned || vector["tax"] != "NONE" || vector["pdaWhite"] != 0.0 {
            continue;
        }
        let position = hex_position(vector);
        let cells: Vec<usize> = (0..position.points()).filter(|&cell| position.stone(cell).is_none()).collect();
        let moves: Vec<_> = cells.iter().map(|&cell| position.move_at(cell)).collect();
        let symmetry = number(vector, "symmetry") >> 1 & 1;
        let evaluation = evaluator.look(&PolicyQuery::new(&position, &moves), symmetry).unwrap();
        let white = 0.5 - 0.5 * f64::from(evaluation.value);
        worst[0] = worst[0].max((white - vector["whiteWin"].as_f64().unwrap()).abs());
        let pass = vector["policyPass"].as_f64().unwrap();
        worst[2] = worst[2].max((f64::from(evaluation.elsewhere) - pass).abs());
        // Ours never passes: what a pass had is shared out.
        let left = vector["policySum"].as_f64().unwrap() - pass;
        for pair in vector["policy"].as_array().unwrap() {
            let cell = hex_cell(position.size(), pair[0].as_str().unwrap());
            let ours = f64::from(evaluation.policy[cells.iter().position(|&other| other == cell).unwrap()]);
            worst[1] = worst[1].max((ours * left - pair[1].as_f64().unwrap()).abs());
        }
        compared += 1;
    }
    assert!(compared >= 60, "{compared}");
    assert!(worst.iter().all(|gap| *gap < 1e-5), "{worst:?}");
    eprintln!("{compared} positions; largest differences of win rate, policy and pass: {worst:?}");
}

/// Hex as KataHex has it: there is a pass, which loses at once.
#[derive(Clone, Debug)]
struct PassingHex {
    board: hex::Position,
    passed: bool,
}

impl PassingHex {
    fn moves_of_board(&self) -> Vec<hex::Move> {
        let mut moves = Vec::new();
        self.board.legal_moves(&mut moves);
        moves
    }
}

impl Game for PassingHex {
    /// Nothing is a pass.
    type Move = Option<hex::Move>;
    type Findings = ();

    fn to_move(&self) -> Side {
        self.board.to_move()
    }

    fn set_to_move(&mut self, side: Side) {
        self.board.set_to_move(side);
    }

    fn legal_moves(&self, moves: &mut Vec<Self::Move>) {
        moves.clear();
        if self.outcome().is_none() {
            moves.extend(self.moves_of_board().into_iter().map(Some));
            moves.push(None);
        }
    }

    fn is_legal(&self, mv: Self::Move) -> bool {
        self.outcome().is_none() && mv.is_none_or(|mv| self.board.is_legal(mv))
    }

    fn play(&mut self, mv: Self::Move) {
        match mv {
            Some(mv) => self.board.play(mv),
            None => {
                self.passed = true;
                self.board.set_to_move(self.board.to_move().opponent());
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let passed = self.passed.then(|| Outcome::of(Some(self.board.to_move()), 0.0));
        self.board.outcome().or(passed)
    }

    fn key(&self) -> u64 {
        self.board.key() ^ u64::from(self.passed)
    }

    fn move_count(&self) -> usize {
        self.board.points() + 1
    }

    fn index(&self, mv: Self::Move) -> usize {
        mv.map_or(self.board.points(), |mv| self.board.index(mv))
    }

    fn move_at(&self, index: usize) -> Self::Move {
        (index < self.board.points()).then(|| self.board.move_at(index))
    }

    fn points(&self) -> usize {
        self.board.points()
    }

    fn plies(&self) -> usize {
        self.board.plies()
    }
}

/// Playouts, which nobody asks for.
struct NoPlayouts;

impl PlayoutPolicy<PassingHex> for NoPlayouts {
    fn start(&mut self, _: &PassingHex) {
        panic!("the network failed");
    }

    fn to_move(&self) -> Side {
        Side::First
    }

    fn step(&mut self, _: &mut Rng) -> Option<Option<hex::Move>> {
        None
    }

    fn suits(&self, _: Option<hex::Move>) -> bool {
        false
    }

    fn play(&mut self, _: Option<hex::Move>) {}

    fn end(&self) -> PlayoutEnd {
        PlayoutEnd { outcome: Outcome::DRAW, length: 0 }
    }

    fn add_ownership(&self, _: &mut [f32]) {}
}

impl MonteCarlo for PassingHex {
    const SOLVES: bool = false;
    type Playout = NoPlayouts;

    fn playout_policy(&self, _: u32) -> NoPlayouts {
        NoPlayouts
    }
}

/// A network of KataHex's with the pass that it knows, and without turning boards at random.
struct Passing(NetworkEvaluator<hex::Position, ()>);

impl PolicyEvaluator<PassingHex> for Passing {
    fn attributes(&self) -> Attributes {
        Attributes { name: "katahex".into(), batch: 1, lines: 1 }
    }

    fn serves(&self, position: &PassingHex) -> bool {
        self.0.serves(&position.board)
    }

    fn evaluate_with_policy(
        &self,
        queries: &[PolicyQuery<'_, PassingHex>],
        evaluations: &mut Vec<Evaluation>,
        _: Wanted<'_>,
    ) -> Result<(), NoEvaluation> {
        evaluations.clear();
        for query in queries {
            let (board, moves) = (&query.position.board, query.position.moves_of_board());
            let known = self.0.look(&PolicyQuery::new(board, &moves), 0).unwrap();
            let mut policy: Vec<f32> = known.policy.iter().map(|share| share * (1.0 - known.elsewhere)).collect();
            policy.push(known.elsewhere);
            evaluations.push(Evaluation { value: known.value, policy, ..Evaluation::default() });
        }
        Ok(())
    }
}

/// Parameters of KataHex's search (its settings of 2022).
fn katahex() -> Params {
    let mut params = Params::default();
    for (name, value) in [
        ("exploration", "0.9"),
        ("exploration_log", "0.6"),
        ("policy_temperature", "1.1"),
        ("unvisited_mean", "1"),
        ("static_score_utility", "0"),
        ("dynamic_score_utility", "0"),
        ("value_weight_exponent", "0.5"),
        ("uncertainty_weights", "0"),
        ("subtree_bias", "0"),
    ] {
        params.set(name, value).unwrap();
    }
    params
}

/// Visits of the moves of a root by a search of so many visits, the root's own among them.
fn visits_of(evaluator: &Arc<dyn PolicyEvaluator<PassingHex>>, vector: &Value, visits: u64) -> BTreeMap<String, u64> {
    let position = PassingHex { board: hex_position(vector), passed: false };
    let (params, stop, share) = (katahex(), Stop::new(), Arc::new(Share::new(1)));
    let budget = Budget { nodes: Some(visits), ..Budget::default() };
    let task = Task::new(&position, budget, &params, &stop);
    let report = Puct::new(share, 64, Arc::clone(evaluator)).run(&task, &mut |_| ()).report;
    let size = position.board.size();
    let name = |mv: Option<hex::Move>| match mv.map(|mv| position.board.index(mv)) {
        Some(cell) => format!("{}{}", (b'a' + (cell % size.width) as u8) as char, cell / size.width + 1),
        None => "pass".to_owned(),
    };
    report.moves.iter().filter(|mv| mv.visits > 0).map(|mv| (name(mv.mv), mv.visits)).collect()
}

/// How many searches of a file of vectors give each move of the root as many visits as KataHex does, and of how many.
fn same_searches(vectors: &Value, net: &Path) -> [usize; 2] {
    let options = Options { backend: Backend::Embedded, ..Options::default() };
    let network = Network::load(net, &options, &|size| hex::Position::new(Size::square(size))).unwrap();
    let evaluator: Arc<dyn PolicyEvaluator<PassingHex>> =
        Arc::new(Passing(NetworkEvaluator::new(Arc::new(network), ())));
    let searches = vectors["searches"].as_array().unwrap();
    let same = searches.iter().enumerate().filter(|(number, search)| {
        let children = search["children"].as_array().unwrap().iter();
        let theirs: BTreeMap<_, _> = children
            .map(|child| (child[0].as_str().unwrap().to_owned(), child[1].as_u64().unwrap()))
            .filter(|(_, visits)| *visits > 0)
            .collect();
        let ours = visits_of(&evaluator, search, 100);
        if ours != theirs {
            eprintln!("search {number}: {ours:?}, KataHex {theirs:?}");
        }
        ours == theirs
    });
    [same.count(), searches.len()]
}

/// Searches by KataHex (its Eigen build at d348a64) of random positions of 5x5 to 13x13, 100 visits each.
#[test]
fn searches_are_katahexs() {
    let vectors = read(Path::new("tests/fixtures/katago-vectors/katahex.json"));
    assert_eq!(same_searches(&vectors, Path::new("tests/fixtures/katago/v10-hex.bin.gz")), [200, 200]);
    let (vectors, net) = katahex_random();
    assert_eq!(same_searches(&vectors, &net), [20, 20]);
}
