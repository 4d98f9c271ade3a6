use std::fs;
use std::sync::Arc;

use super::batcher::{Batcher, Devices};
use super::*;
use crate::eval::heuristic::Resistance;
use crate::eval::{Evaluation, Evaluator, NoEvaluation, PolicyEvaluator, PolicyQuery};
use crate::game::{Game, Side};
use crate::games::hex::symmetry::{reflect, rotate};
use crate::games::hex::{Move, Position};
use crate::games::{Size, go};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn load(name: &str) -> Result<Network, ModelError> {
    Network::load(&fixture(name), &EMBEDDED, &board)
}

/// Without a cache, so that what is asked is computed.
const EMBEDDED: Options = Options {
    backend: Backend::Embedded,
    library: None,
    devices: Vec::new(),
    device_memory: None,
    cache: 0,
    random_symmetry: false,
};

fn board(n: usize) -> Position {
    Position::new(Size::square(n))
}

fn go_board(n: usize) -> go::Position {
    go::Position::new(Size::square(n), go::Rules::CHINESE, 7.5)
}

type HexEvaluator = NetworkEvaluator<Position, Resistance>;

fn evaluator(name: &str) -> HexEvaluator {
    NetworkEvaluator::new(Arc::new(load(name).unwrap()), Resistance)
}

fn evaluate(evaluator: &impl Evaluator<Position>, positions: &[Position]) -> Vec<f32> {
    let mut values = Vec::new();
    evaluator.evaluate(positions, &mut values, &|| true).unwrap();
    values
}

fn evaluate_children(evaluator: &HexEvaluator, position: &Position, moves: &[usize]) -> Vec<f32> {
    let child = |&index: &usize| {
        let mut child = position.clone();
        child.play(position.move_at(index));
        child
    };
    let children: Vec<_> = moves.iter().map(child).collect();
    let mut values = Vec::new();
    evaluator.evaluate_children(position, moves, &children, &mut values, &|| true).unwrap();
    values
}

fn run<G: Planes>(network: &Network, positions: &[&G]) -> Answers {
    let mut answers = Answers::default();
    network.run(positions, &mut answers, &|| true).unwrap();
    answers
}

fn after(n: usize, moves: &[usize]) -> Position {
    let mut position = Position::new(Size::square(n));
    moves.iter().for_each(|&m| position.play(Move::at(m)));
    position
}

/// A position with the colours exchanged, and half a turn of it.
fn mirrored(position: &Position) -> (Position, Position) {
    let size = position.size();
    let stones: Vec<_> = (0..size.points()).filter_map(|i| position.stone(i).map(|s| (s, i))).collect();
    let (mut mirrored, mut turned) = (Position::new(size), Position::new(size));
    mirrored.set_up(&stones.iter().map(|&(s, i)| (s.opponent(), reflect(size, i))).collect::<Vec<_>>()).unwrap();
    mirrored.set_to_move(position.to_move().opponent());
    turned.set_up(&stones.iter().map(|&(s, i)| (s, rotate(size, i))).collect::<Vec<_>>()).unwrap();
    turned.set_to_move(position.to_move());
    (mirrored, turned)
}

#[test]
fn a_file_tells_what_it_is() {
    let model = read(&fixture("hex-value.onnx")).unwrap();
    let length = std::fs::metadata(fixture("hex-value.onnx")).unwrap().len();
    assert_eq!((model.game.as_str(), model.encoding.as_str()), ("hex", "hex-1"));
    assert_eq!((model.outputs.as_slice(), model.range), ([Output::Value].as_slice(), (-1.0, 1.0)));
    assert_eq!((model.precision, model.bytes), (Precision::Float32, length as usize));
    assert_eq!(model.sizes, [(3, 13)]);
    assert_eq!(model.parameters, 4 * 8 * 9 + 8 + 8 * 8 * 9 + 8 + 8 + 1);
    assert_eq!(model.inputs[0].to_string(), "input [?, 4, ?, ?]");
    assert!(model.serves(3, 13) && !model.serves(2, 5) && !model.serves(11, 14));
}

/// The value belongs to the side to move: with the colours exchanged, the result that `First` expects changes its sign.
#[test]
fn values_are_seen_by_first_whoever_moves() {
    for name in ["hex-value.onnx", "hex-policy.onnx"] {
        let evaluator = evaluator(name);
        for moves in [&[][..], &[7], &[7, 20, 3], &[0, 1, 2, 3, 4, 5]] {
            let position = after(6, moves);
            let (mirrored, _) = mirrored(&position);
            let values = evaluate(&evaluator, &[position, mirrored]);
            assert!((values[0] + values[1]).abs() < 1e-6 && values[0] != 0.0, "{values:?}");
        }
    }
}

#[test]
fn a_batch_gives_the_values_of_single_positions() {
    for name in ["hex-value.onnx", "hex-actions.onnx", "hex-policy.onnx"] {
        let network = load(name).unwrap();
        let positions: Vec<_> = (0..40).map(|m| after(9, &[m, 80 - m])).filter(|p| p.stones() == 2).collect();
        let together = run(&network, &positions.iter().collect::<Vec<_>>());
        assert_eq!(together.len(), positions.len());
        for (number, position) in positions.iter().enumerate() {
            let alone = run(&network, &[position]);
            for &output in &network.model().outputs {
                for (a, b) in alone.get(0, output).iter().zip(together.get(number, output)) {
                    assert!((a - b).abs() < 1e-5, "{name} {a} {b}");
                }
            }
        }
    }
}

/// Each move gets the number of its own cell: seen from the other colour, the same at the reflected cell.
#[test]
fn action_values_stand_at_their_moves() {
    let evaluator = evaluator("hex-actions.onnx");
    let position = after(6, &[7, 20, 3]);
    let (mirrored, _) = mirrored(&position);
    let size = position.size();
    let free: Vec<usize> = (0..36).filter(|&i| position.stone(i).is_none()).collect();
    let there: Vec<usize> = free.iter().map(|&i| reflect(size, i)).collect();
    let values = evaluate_children(&evaluator, &position, &free);
    let others = evaluate_children(&evaluator, &mirrored, &there);
    assert_eq!(values.len(), free.len());
    assert!(values.iter().zip(&others).all(|(a, b)| (a + b).abs() < 1e-6));
    // And they are not all the same.
    assert!(values.iter().any(|v| (v - values[0]).abs() > 1e-4));
}

/// A model that has learned from games in which areas are counted sees others as such, with a komi that makes up for what Black
/// has placed more; one that has learned from both sees them as they are.
#[test]
fn games_that_are_counted_otherwise_are_shown_as_what_was_learned() {
    let evaluation = |name: &str, scoring, komi| {
        let network = Network::load(&fixture(name), &EMBEDDED, &go_board).unwrap();
        let evaluator = NetworkEvaluator::new(Arc::new(network), ());
        let rules = go::Rules { scoring, ..go::Rules::CHINESE };
        let mut position = go::Position::new(Size::square(9), rules, komi);
        position.set_up(&[(Side::First, 40), (Side::First, 22), (Side::Second, 30)]).unwrap();
        position.play(go::Move::at(50));
        assert!(evaluator.serves(&position));
        let mut evaluations = Vec::new();
        evaluator
            .evaluate_with_policy(
                &[PolicyQuery::new(&position, &[go::Move::at(3), go::Move::PASS])],
                &mut evaluations,
                &|| true,
            )
            .unwrap();
        evaluations.remove(0)
    };
    let [area, territory] = [go::Rules::CHINESE, go::Rules::JAPANESE].map(|rules| rules.scoring);
    assert_eq!(evaluation("go-all.onnx", territory, 5.5), evaluation("go-all.onnx", area, 7.5));
    assert_ne!(evaluation("go-all.onnx", territory, 5.5), evaluation("go-all.onnx", area, 5.5));
    assert_ne!(evaluation("go-policy.onnx", territory, 5.5), evaluation("go-policy.onnx", area, 7.5));
}

#[test]
fn boards_that_a_model_does_not_serve_go_to_the_other_evaluator() {
    let evaluator = evaluator("hex-value.onnx");
    let position = after(14, &[90]);
    assert!(!evaluator.serves(&position));
    assert_eq!(evaluate(&evaluator, std::slice::from_ref(&position)), evaluate(&Resistance, &[position]));
}

#[test]
fn a_swap_is_valued_by_the_position_that_it_leads_to() {
    let evaluator = evaluator("hex-actions.onnx");
    let mut position = Position::new(Size::square(5));
    position.set_swap_allowed(true);
    position.play(Move::at(12));
    let mut child = position.clone();
    child.play(Move::SWAP);
    assert_eq!(evaluate_children(&evaluator, &position, &[25]), evaluate(&Resistance, &[child]));
    assert_eq!(position.to_move(), Side::Second);
}

fn evaluation_of<G: Planes>(network: Network, position: &G, moves: &[G::Move]) -> Evaluation {
    let mut evaluations = Vec::new();
    NetworkEvaluator::<G, ()>::new(Arc::new(network), ())
        .evaluate_with_policy(&[PolicyQuery::new(position, moves)], &mut evaluations, &|| true)
        .unwrap();
    evaluations.pop().unwrap()
}

/// Evaluations of a policy model, against its own numbers taken by hand.
#[test]
fn judgements_are_the_models_numbers_seen_by_first() {
    let mut position = go_board(5);
    [12, 7, 3].iter().for_each(|&p| position.play(go::Move::at(p)));
    assert_eq!(position.to_move(), Side::Second);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let load = || Network::load(&fixture("go-all.onnx"), &EMBEDDED, &go_board).unwrap();
    let answers = run(&load(), &[&position]);
    let evaluation = evaluation_of(load(), &position, &moves);
    assert!((evaluation.value + answers.get(0, Output::Value)[0]).abs() < 1e-6);
    assert_eq!(evaluation.score, Some(-answers.get(0, Output::Score)[0]));
    let owners: Vec<f32> = answers.get(0, Output::Ownership).iter().map(|v| -v).collect();
    assert_eq!(evaluation.ownership, owners);
    assert!((evaluation.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let logits = answers.get(0, Output::Policy);
    assert_eq!((moves.len(), evaluation.policy.len(), logits.len()), (23, 23, 26));
    // The shares of two moves have the ratio of the exponentials, the pass with its own number at the end.
    for (mv, share) in moves.iter().zip(&evaluation.policy) {
        let logit = logits[mv.point().unwrap_or(25)];
        let ratio = share / evaluation.policy[22];
        assert!((ratio / (logit - logits[25]).exp() - 1.0).abs() < 1e-4, "{mv:?}");
    }
    assert_eq!(
        evaluation_of(Network::load(&fixture("go-policy.onnx"), &EMBEDDED, &go_board).unwrap(), &position, &moves)
            .score,
        None
    );
}

/// Shown in another symmetry, a position has its numbers at the turned places: told back, they are those of a position
/// that was turned itself.
#[test]
fn random_symmetries_are_taken_back() {
    let options = Options { random_symmetry: true, ..EMBEDDED };
    let load = |options: &Options| Network::load(&fixture("go-all.onnx"), options, &go_board).unwrap();
    let (plain, turning) = (load(&EMBEDDED), load(&options));
    let mut seen = [false; 8];
    for point in 0..25 {
        let mut position = go_board(5);
        position.play(go::Move::at(point));
        let symmetry = turning.symmetry(&position);
        seen[symmetry] = true;
        let mut turned = go_board(5);
        turned.play(go::Move::at(position.point_index(point, symmetry)));
        let (found, expected) = (run(&turning, &[&position]), run(&plain, &[&turned]));
        assert_eq!(found, expected);
        let moves = [go::Move::at((point + 1) % 25), go::Move::PASS];
        let there = [go::Move::at(position.point_index((point + 1) % 25, symmetry)), go::Move::PASS];
        let (mut a, mut b) =
            (evaluation_of(load(&options), &position, &moves), evaluation_of(load(&EMBEDDED), &turned, &there));
        let told: Vec<f32> = (0..25).map(|p| b.ownership[position.point_index(p, symmetry)]).collect();
        assert_eq!(a.ownership, told);
        (a.ownership, b.ownership) = (Vec::new(), Vec::new());
        assert_eq!(a, b);
    }
    assert!(seen.iter().filter(|s| **s).count() >= 5, "{seen:?}");
}

#[test]
fn what_is_known_is_not_computed_again() {
    // So many slots that these positions have one each.
    let options = Options { cache: 1 << 24, ..EMBEDDED };
    let network = Network::load(&fixture("hex-actions.onnx"), &options, &board).unwrap();
    let begun = network.work().0;
    let positions: Vec<_> = (0..10).map(|m| after(7, &[m])).collect();
    let refs: Vec<_> = positions.iter().collect();
    let first = run(&network, &refs[..6]);
    assert_eq!(network.work().0 - begun, 6);
    let all = run(&network, &refs);
    assert_eq!(network.work().0 - begun, 10);
    assert_eq!(all, run(&load("hex-actions.onnx").unwrap(), &refs));
    assert_eq!(all.numbers()[..first.numbers().len()], *first.numbers());
    // A board with the same stones and another one to move is another input.
    let mut other = positions[0].clone();
    other.set_to_move(Side::First);
    run(&network, &[&other]);
    assert_eq!(network.work().0 - begun, 11);
    // And so is one of another shape.
    let planes = [1.0; 2 * 9 * 13];
    assert_ne!(hash([2, 9, 13], &planes), hash([2, 13, 9], &planes));
}

/// Results of every board have all of the memory.
#[test]
fn the_models_of_a_game_keep_their_results_in_one_place() {
    let options = Options { cache: 1 << 24, ..EMBEDDED };
    let network = Network::shipped(&options, &board).unwrap().unwrap();
    let cache = network.cache.as_ref().unwrap();
    assert!(network.all().count() > 1);
    assert!(network.all().all(|beside| beside.cache.as_ref().is_some_and(|other| Arc::ptr_eq(cache, other))));
    let positions = [7, 11, 16].map(|size| after(size, &[5]));
    let mut known = Vec::new();
    for again in [false, true] {
        for (number, position) in positions.iter().enumerate() {
            let begun = network.work().0;
            let numbers = run(&network, &[position]).numbers().to_vec();
            assert_eq!(network.work().0 - begun, u64::from(!again));
            known.push(numbers);
            assert_eq!(known[number], known[known.len() - 1]);
        }
    }
    network.clear_cache();
    let begun = network.work().0;
    run(&network, &[&positions[0]]);
    assert_eq!(network.work().0 - begun, 1);
}

#[test]
fn a_model_that_fails_in_a_game_is_replaced() {
    let mut network = load("hex-value.onnx").unwrap();
    network.runtime = broken();
    let evaluator: HexEvaluator = NetworkEvaluator::new(Arc::new(network), Resistance);
    let position = after(5, &[3]);
    assert_eq!(
        evaluate(&evaluator, std::slice::from_ref(&position)),
        evaluate(&Resistance, std::slice::from_ref(&position))
    );
    let judged =
        evaluator.evaluate_with_policy(&[PolicyQuery::new(&position, &[Move::at(4)])], &mut Vec::new(), &|| true);
    assert_eq!(judged, Err(NoEvaluation::Failed));
}

/// A runtime that gives nothing.
fn broken() -> Box<dyn Runtime> {
    struct Broken;
    impl Runtime for Broken {
        fn name(&self) -> String {
            "broken".to_owned()
        }

        fn provider(&self) -> String {
            String::new()
        }

        fn batches(&self) -> (usize, usize) {
            (1, 1)
        }

        fn run(&self, _: Batch<'_>, outputs: &mut Vec<Vec<f32>>, _: Wanted<'_>) -> Result<(), RunError> {
            *outputs = vec![vec![f32::NAN]];
            Ok(())
        }
    }
    Box::new(Broken)
}

/// Models of a game that are compiled in: each says of its boards what its file alone says, and all give the same outputs.
#[test]
fn some_boards_have_models_of_their_own() {
    let alone = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name);
        Network::load(&path, &EMBEDDED, &board).unwrap()
    };
    let together = Network::shipped(&EMBEDDED, &board).unwrap().unwrap();
    let values = |network: &Network, n: usize| {
        let (mut position, mut answers) = (board(n), Answers::default());
        position.play(Move::at(n + 2));
        network.run(&[&position], &mut answers, &|| true).unwrap();
        answers.get(0, Output::Actions).to_vec()
    };
    let (usual, small, large) = (alone("hex.onnx"), alone("hex-7x7.onnx"), alone("hex-large.onnx"));
    for (network, size) in [(&small, 7), (&usual, 8), (&usual, 11), (&usual, 15), (&large, 16), (&large, 19)] {
        assert_eq!(values(&together, size), values(network, size), "{size}");
    }
    assert_ne!(values(&small, 7), values(&usual, 7));
    assert_ne!(values(&large, 19), values(&usual, 19));
    assert!(
        together.serves(19, 19) && together.serves(7, 7) && !together.serves(20, 20) && together.largest_size() == 19
    );
    assert_eq!(together.work().0, 6 + together.all().count() as u64, "one position each when they were loaded");
    let contract = |network: &Network| (network.model.outputs.clone(), network.model.range, network.model.advice);
    assert!(together.all().all(|network| contract(network) == contract(&together)));
}

#[test]
fn of_a_folder_the_fastest_variant_is_taken() {
    let network = load("hex-variants").unwrap();
    assert!(network.path().starts_with(fixture("hex-variants")));
    let error = load("").unwrap_err().to_string();
    assert!(error.contains("holds different models") || error.contains("does not fit"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let error = Network::load(folder.path(), &EMBEDDED, &board).unwrap_err().to_string();
    assert!(error.contains("holds no models"), "{error}");
    // One that does not run is passed over.
    for name in ["hex-actions.onnx", "hex-shape.onnx"] {
        fs::copy(fixture(name), folder.path().join(name)).unwrap();
    }
    let network = Network::load(folder.path(), &EMBEDDED, &board).unwrap();
    assert_eq!(network.path().file_name().unwrap(), "hex-actions.onnx");
}

/// Each wrong file with what is said of it.
#[test]
fn wrong_files_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read(fixture("hex-value.onnx")).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let huge = write("huge.onnx", b"");
    fs::File::options().write(true).open(&huge).unwrap().set_len(2 << 30).unwrap();
    let cases = [
        (folder.path().join("nothing.onnx"), "cannot be read: No such file"),
        (folder.path().to_owned(), "does not fit: it is no ONNX file"),
        (huge, "has 2147483648 bytes; at most 536870912"),
        (write("empty.onnx", b""), "it is no ONNX file"),
        (write("text.onnx", b"This is text, and no model at all."), "it is no ONNX file"),
        (write("cut.onnx", &good[..good.len() / 2]), ""),
        (fixture("go-value.onnx"), "its game is go, and hex is needed"),
        (fixture("hex-encoding.onnx"), "its encoding is hex-0, and hex-1 or katahex-7 is needed"),
        (fixture("hex-planes.onnx"), "its input is input [?, 3, ?, ?], and input [?, 4, 5, 5] is needed"),
        (fixture("hex-output.onnx"), "its output is actions [?, ?], and value is needed"),
        (fixture("hex-no-sizes.onnx"), "its metadata say nothing of 'losange.sizes'"),
        (fixture("hex-bad-range.onnx"), "'lots' of 'losange.value_range', where '-1..1' or '0..1' was expected"),
        (fixture("hex-bad-advice.onnx"), "'often' of 'losange.advice', where a number of visits was expected"),
        (fixture("go-bad-scoring.onnx"), "'stones' of 'losange.scoring', where 'area' or 'territory' was expected"),
        (fixture("hex-nan.onnx"), "gives NaN where 'value' with numbers was expected"),
        (
            fixture("hex-shape.onnx"),
            "gives 1800 numbers where 'actions' with 169 numbers for each of 1 positions was expected",
        ),
    ];
    let mut cases = cases.to_vec();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let locked = write("locked.onnx", &good);
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
        // Whoever may read everything has nothing to be refused.
        if fs::read(&locked).is_err() {
            cases.push((locked, "cannot be read: Permission denied"));
        }
    }
    for (path, expected) in cases {
        let Err(error) = Network::load(&path, &EMBEDDED, &board) else { panic!("{} was accepted", path.display()) };
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
}

#[test]
fn a_library_that_is_none_is_an_error_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let fake = folder.path().join("libonnxruntime.so");
    fs::write(&fake, "no library").unwrap();
    for library in [fake, folder.path().join("nothing.so")] {
        let load = |backend| {
            let options = Options { backend, library: Some(library.clone()), ..EMBEDDED };
            Network::load(&fixture("hex-value.onnx"), &options, &board)
        };
        let error = load(Backend::OrtCpu).unwrap_err().to_string();
        assert!(error.contains("ONNX Runtime was not found") && error.contains("get-onnxruntime.sh"), "{error}");
        assert!(error.contains(&library.display().to_string()) && !error.contains("Dlopen"), "{error}");
        // Where nothing is demanded, the embedded runtime takes over.
        let network = load(Backend::Auto).unwrap();
        assert!(["bfloat16", "embedded"].contains(&network.runtime().as_str()), "{}", network.runtime());
    }
}

/// Many searchers behind one batcher get what each would have got alone.
#[test]
fn batches_of_many_searchers_give_the_same_values() {
    let mut network = load("hex-policy.onnx").unwrap();
    let batcher = Batcher::new(network.runtime).unwrap();
    network.runtime = Box::new(Devices(vec![batcher]));
    let direct = load("hex-policy.onnx").unwrap();
    std::thread::scope(|scope| {
        for searcher in 0..6 {
            let (network, direct) = (&network, &direct);
            scope.spawn(move || {
                for round in 0..20 {
                    // Boards of two sizes, with one or two stones.
                    let position = after(5 + searcher % 2, &[round, 24 - round / 2][..1 + round % 2]);
                    let (found, expected) = (run(network, &[&position]), run(direct, &[&position]));
                    for (a, b) in found.numbers().iter().zip(expected.numbers()) {
                        assert!((a - b).abs() < 1e-5, "{a} {b}");
                    }
                }
            });
        }
    });
    let (evaluations, _) = network.work();
    assert_eq!(evaluations, 6 * 20 + 1);
}
