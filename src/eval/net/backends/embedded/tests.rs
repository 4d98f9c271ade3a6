use std::fs;

use super::*;
use crate::eval::net::shipped::SHIPPED;
use crate::rng::Rng;

/// With our own code for its convolutions a model gives what the library alone gives.
#[test]
fn towers_are_calculated_as_the_library_does_it() {
    let fixtures = ["go-all", "go-policy", "hex-actions", "hex-policy", "hex-value"].map(|name| format!("{name}.onnx"));
    let files = fixtures.iter().map(|name| fs::read(format!("tests/fixtures/{name}")).unwrap());
    let shipped = SHIPPED.iter().map(|(_, _, bytes)| bytes.to_vec());
    let mut rng = Rng::new(3);
    let (mut towers, mut whole) = (0, 0);
    for bytes in files.chain(shipped) {
        let model = ModelFile::parse(&bytes).unwrap();
        let mut embedded = Embedded::new(&bytes, &model, Instructions::Fastest).unwrap();
        let portable = Embedded::new(&bytes, &model, Instructions::Portable).unwrap();
        let short = Embedded::new(&bytes, &model, Instructions::Tiles).unwrap();
        towers += usize::from(embedded.tower.is_some());
        whole += usize::from(embedded.is_own());
        let sizes = &model.inputs[0].shape[1..];
        let [planes, rows, columns] = [0, 1, 2].map(|i| sizes[i].map_or(8, |n| n as usize));
        for positions in [1, 3] {
            let shape = [positions, planes, rows, columns];
            let input: Vec<f32> = (0..shape.iter().product()).map(|_| rng.below(2) as f32).collect();
            let run = |embedded: &Embedded| {
                let mut outputs = Vec::new();
                embedded.run(Batch { planes: &input, shape }, &mut outputs, &|| true).unwrap();
                outputs.concat()
            };
            let own = run(&embedded);
            let Some((tower, rest)) = embedded.tower.take() else { continue };
            let wanted = run(&embedded);
            embedded.tower = embedded.library(&tower).map(|library| (tower, library));
            let shared = run(&embedded);
            embedded.tower = embedded.tower.take().map(|(tower, _)| (tower, rest));
            // Single numbers of 16 bits may be farther off.
            let far = run(&short).iter().zip(&wanted).map(|(found, wanted)| (found - wanted).powi(2)).sum::<f32>();
            let all = wanted.iter().map(|wanted| 1.0 + wanted.powi(2)).sum::<f32>();
            assert!(far < 1e-3 * all, "{far} of {all}");
            for found in [own, shared, run(&portable)] {
                assert_eq!(found.len(), wanted.len());
                for (found, wanted) in found.iter().zip(&wanted) {
                    assert!((found - wanted).abs() < 1e-4 * (1.0 + wanted.abs()), "{found} for {wanted}");
                }
            }
        }
    }
    assert!(towers >= SHIPPED.len() + fixtures.len() - 1, "{towers} towers");
    assert!(whole >= SHIPPED.len() + fixtures.len() - 1, "{whole} without the library");
}

/// A board of a size that a model was not made for is an error, as by the library.
#[test]
fn shapes_that_do_not_fit_are_errors() {
    let (_, _, bytes) = SHIPPED.iter().find(|(game, ..)| *game == "avalam").unwrap();
    let model = ModelFile::parse(bytes).unwrap();
    let planes = model.inputs[0].shape[1].unwrap() as usize;
    let mut embedded = Embedded::new(bytes, &model, Instructions::Fastest).unwrap();
    for own in [true, false] {
        let batch = Batch { planes: &vec![0.0; planes * 25], shape: [1, planes, 5, 5] };
        assert!(matches!(embedded.run(batch, &mut Vec::new(), &|| true), Err(RunError::Failed(_))), "own: {own}");
        embedded.tower = None;
    }
}
