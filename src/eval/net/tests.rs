use std::fs;

use super::*;
use crate::eval::heuristic::Resistance;
use crate::game::{Game, Side};
use crate::games::Size;
use crate::games::hex::symmetry::{reflect, rotate};
use crate::games::hex::{Move, Position};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn load(name: &str) -> Result<Network, ModelError> {
    Network::load(&fixture(name), Backend::Embedded, None)
}

fn evaluator(name: &str) -> Result<NetworkEvaluator<Position>, ModelError> {
    let network = load(name)?;
    let sample = Position::new(Size::square(network.model().smallest_size()));
    NetworkEvaluator::new(network, &sample, Box::new(Resistance))
}

fn after(n: usize, moves: &[usize]) -> Position {
    let mut position = Position::new(Size::square(n));
    moves.iter().for_each(|&m| position.play(Move::at(m)));
    position
}

/// The same position with the colours exchanged, and half a turn of it.
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
    let (bytes, model) = read(&fixture("hex-value.onnx")).unwrap();
    assert_eq!((model.game.as_str(), model.encoding.as_str()), ("hex", "hex-1"));
    assert_eq!((model.outputs, model.range, model.bytes), (Outputs::StateValue, (-1.0, 1.0), bytes.len()));
    assert_eq!(model.sizes, [(3, 13)]);
    assert_eq!(model.parameters, 4 * 8 * 9 + 8 + 8 * 8 * 9 + 8 + 8 + 1);
    assert_eq!(model.inputs[0].to_string(), "input [?, 4, ?, ?]");
    assert!(model.serves(3, 13) && !model.serves(2, 5) && !model.serves(11, 14));
}

/// The value belongs to the side to move: with the colours exchanged, the result that `First` expects changes its sign.
#[test]
fn values_are_seen_by_first_whoever_moves() {
    let evaluator = evaluator("hex-value.onnx").unwrap();
    let mut values = Vec::new();
    for moves in [&[][..], &[7], &[7, 20, 3], &[0, 1, 2, 3, 4, 5]] {
        let position = after(6, moves);
        let (mirrored, _) = mirrored(&position);
        evaluator.evaluate(&[position, mirrored], &mut values);
        assert!((values[0] + values[1]).abs() < 1e-6 && values[0] != 0.0, "{values:?}");
    }
}

#[test]
fn a_batch_gives_the_values_of_single_positions() {
    for name in ["hex-value.onnx", "hex-actions.onnx"] {
        let network = load(name).unwrap();
        let positions: Vec<_> = (0..40).map(|m| after(9, &[m, 80 - m])).filter(|p| p.stones() == 2).collect();
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        network.run(&positions, &mut together).unwrap();
        for (number, position) in positions.iter().enumerate() {
            network.run(std::slice::from_ref(position), &mut alone).unwrap();
            for (a, b) in alone.iter().zip(&together[number * alone.len()..]) {
                assert!((a - b).abs() < 1e-5, "{name} {a} {b}");
            }
        }
    }
}

/// Each move gets the number of its own cell: seen from the other colour, the same at the reflected cell.
#[test]
fn action_values_stand_at_their_moves() {
    let evaluator = evaluator("hex-actions.onnx").unwrap();
    let position = after(6, &[7, 20, 3]);
    let (mirrored, _) = mirrored(&position);
    let size = position.size();
    let free: Vec<usize> = (0..36).filter(|&i| position.stone(i).is_none()).collect();
    let there: Vec<usize> = free.iter().map(|&i| reflect(size, i)).collect();
    let children = |position: &Position, moves: &[usize]| {
        let child = |&m: &usize| {
            let mut child = position.clone();
            child.play(Move::at(m));
            child
        };
        moves.iter().map(child).collect::<Vec<_>>()
    };
    let (mut values, mut others) = (Vec::new(), Vec::new());
    evaluator.evaluate_children(&position, &free, &children(&position, &free), &mut values);
    evaluator.evaluate_children(&mirrored, &there, &children(&mirrored, &there), &mut others);
    assert_eq!(values.len(), free.len());
    assert!(values.iter().zip(&others).all(|(a, b)| (a + b).abs() < 1e-6));
    // And they are not all the same.
    assert!(values.iter().any(|v| (v - values[0]).abs() > 1e-4));
}

#[test]
fn boards_that_a_model_does_not_serve_go_to_the_other_evaluator() {
    let evaluator = evaluator("hex-value.onnx").unwrap();
    let (mut values, mut expected) = (Vec::new(), Vec::new());
    let position = after(14, &[90]);
    assert!(!evaluator.serves(&position));
    evaluator.evaluate(std::slice::from_ref(&position), &mut values);
    Resistance.evaluate(std::slice::from_ref(&position), &mut expected);
    assert_eq!(values, expected);
}

#[test]
fn a_swap_is_valued_by_the_position_that_it_leads_to() {
    let evaluator = evaluator("hex-actions.onnx").unwrap();
    let mut position = Position::new(Size::square(5));
    position.set_swap_allowed(true);
    position.play(Move::at(12));
    let mut child = position.clone();
    child.play(Move::SWAP);
    let (mut values, mut expected) = (Vec::new(), Vec::new());
    evaluator.evaluate_children(&position, &[25], std::slice::from_ref(&child), &mut values);
    Resistance.evaluate(&[child], &mut expected);
    assert_eq!(values, expected);
    assert_eq!(position.to_move(), Side::Second);
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
        (folder.path().to_owned(), "cannot be read: is a directory"),
        (huge, "has 2147483648 bytes; at most 1073741824"),
        (write("empty.onnx", b""), "it is no ONNX file"),
        (write("text.onnx", b"This is text, and no model at all."), "it is no ONNX file"),
        (write("cut.onnx", &good[..good.len() / 2]), ""),
        (fixture("go-value.onnx"), "its game is go, and hex is needed"),
        (fixture("hex-encoding.onnx"), "its encoding is hex-0, and hex-1 is needed"),
        (fixture("hex-planes.onnx"), "its input is input [?, 3, ?, ?], and input [?, 4, 5, 5] is needed"),
        (fixture("hex-output.onnx"), "its output is actions [?, ?], and value is needed"),
        (fixture("hex-no-sizes.onnx"), "its metadata say nothing of 'losange.sizes'"),
        (fixture("hex-bad-range.onnx"), "'lots' of 'losange.value_range', where '-1..1' or '0..1' was expected"),
        (fixture("hex-nan.onnx"), "gives NaN where numbers was expected"),
    ];
    for (path, expected) in cases {
        let made = Network::load(&path, Backend::Embedded, None).and_then(|network| {
            let sample = Position::new(Size::square(network.model().smallest_size()));
            NetworkEvaluator::new(network, &sample, Box::new(Resistance))
        });
        let Err(error) = made else { panic!("{} was accepted", path.display()) };
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
}

/// What a cut or changed file does must be an error or numbers, never a panic.
#[test]
fn damaged_files_do_no_harm() {
    let good = fs::read(fixture("hex-actions.onnx")).unwrap();
    let mut rng = crate::rng::Rng::stream(7, 0);
    let sample = after(5, &[3]);
    for _ in 0..300 {
        let mut bytes = good.clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] = rng.below(256) as u8;
        }
        bytes.truncate(bytes.len() - rng.below(2) as usize * rng.below(500) as usize);
        if let Ok(model) = ModelFile::parse(&bytes)
            && let Ok(embedded) = embedded::Embedded::load(bytes, &model)
        {
            let network = Network { path: PathBuf::new(), model, runtime: Box::new(embedded) };
            let _ = network.run(std::slice::from_ref(&sample), &mut Vec::new());
        }
    }
}

#[test]
fn a_library_that_is_none_is_an_error_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let fake = folder.path().join("libonnxruntime.so");
    fs::write(&fake, "no library").unwrap();
    for library in [fake, folder.path().join("nothing.so")] {
        let error = Network::load(&fixture("hex-value.onnx"), Backend::OrtCpu, Some(&library)).unwrap_err().to_string();
        assert!(error.contains("ONNX Runtime was not found") && error.contains("get-onnxruntime.sh"), "{error}");
        assert!(error.contains(&library.display().to_string()), "{error}");
        // Where nothing is demanded, the embedded runtime takes over.
        let network = Network::load(&fixture("hex-value.onnx"), Backend::Auto, Some(&library)).unwrap();
        assert_eq!(network.runtime(), "embedded");
    }
}
