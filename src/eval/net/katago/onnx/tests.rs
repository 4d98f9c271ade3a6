use std::fs;

use super::*;
use crate::eval::net::backends::{Embedded, Instructions};
use crate::eval::net::checked::Checked;
use crate::eval::net::katago::reader::{looks_like, read};
use crate::eval::net::katago::{FormatUse, description};
use crate::eval::net::runtime::{Batch, Runtime};

const PLANES: usize = Net::PLANES + Net::NUMBERS;

fn fixture(name: &str) -> Net {
    read(&fs::read(format!("tests/fixtures/katago/{name}")).unwrap()).unwrap()
}

/// Description of a network of Go in a file of so many bytes.
fn described(net: &Net, bytes: usize) -> ModelFile {
    description(net, bytes, FormatUse::of("go")).unwrap()
}

fn written(net: &Net, lines: Option<usize>) -> Result<Vec<u8>, OnnxError> {
    onnx(net, &described(net, 0), lines)
}

/// Outcomes, scores, the second point and the pass of both policies, and the owners of the third point and the eighteenth of 4x5.
struct Expected {
    name: &'static str,
    outcomes: [f32; 3],
    scores: [f32; 6],
    policy: [f32; 2],
    optimistic: Option<[f32; 2]>,
    owners: [f32; 2],
}

/// Numbers that another program's graphs gave in ONNX Runtime.
const EXPECTED: &[Expected] = &[
    Expected {
        name: "v9.txt.gz",
        outcomes: [0.480907, -0.133308, 0.300871],
        scores: [10.061488, 11.517445, 5.041664, 26.966318, 0.544838, 8.485163],
        policy: [-1.008643, -0.362094],
        optimistic: None,
        owners: [-0.182944, -0.246099],
    },
    Expected {
        name: "v10.bin",
        outcomes: [0.328216, 0.349836, 0.539360],
        scores: [1.214814, 10.233443, -0.844941, 39.591595, 0.435164, 4.362_23],
        policy: [-0.319984, 0.120549],
        optimistic: None,
        owners: [-0.100255, -0.054198],
    },
    Expected {
        name: "v8.bin.gz",
        outcomes: [-0.061579, 0.243245, -0.065876],
        scores: [4.562488, 12.080906, 10.089447, 33.296_58, -1.000000, -1.000000],
        policy: [0.195280, -1.108211],
        optimistic: None,
        owners: [0.289448, 0.388847],
    },
    Expected {
        name: "v11.bin.gz",
        outcomes: [-0.473078, 0.177282, -0.042558],
        scores: [-2.554183, 12.714111, 16.645_63, 24.087167, 0.337932, 4.361154],
        policy: [0.073715, 0.189800],
        optimistic: None,
        owners: [-0.760682, -0.113265],
    },
    Expected {
        name: "v14.bin.gz",
        outcomes: [-0.533013, 0.169880, -0.679119],
        scores: [12.996072, 17.562338, -12.752_25, 38.028_31, 0.399377, 7.976938],
        policy: [0.189704, -0.082968],
        optimistic: Some([0.107919, 0.059980]),
        owners: [0.280922, 0.243722],
    },
    Expected {
        name: "v15.bin.gz",
        outcomes: [0.120364, -0.368230, 0.047837],
        scores: [-5.329_98, 13.595302, -7.806357, 27.777983, 0.391639, 7.378274],
        policy: [-0.166046, 0.351969],
        optimistic: Some([-0.434991, -0.452601]),
        owners: [0.232361, 0.003434],
    },
    Expected {
        name: "v16.bin.gz",
        outcomes: [-0.047089, 0.000690, 0.213177],
        scores: [1.050783, 15.775536, 21.681757, 23.928028, 0.354710, 8.094_23],
        policy: [-0.006429, 0.836866],
        optimistic: Some([-0.067102, 0.051140]),
        owners: [0.562322, 0.747544],
    },
    Expected {
        name: "v17.bin.gz",
        outcomes: [-0.338947, 0.257408, -0.686601],
        scores: [-4.847303, 17.321_54, 1.832397, 26.385078, 0.378531, 9.196698],
        policy: [0.400399, -0.086663],
        optimistic: Some([-0.512162, -0.171107]),
        owners: [0.594512, 0.656520],
    },
    Expected {
        name: "v17-keys.bin.gz",
        outcomes: [-0.068087, 0.038835, -0.124562],
        scores: [1.529746, 9.583288, 2.164258, 19.889918, 0.425913, 7.587499],
        policy: [0.014372, 0.035904],
        optimistic: Some([0.086112, -0.060833]),
        owners: [-0.384023, -0.224493],
    },
];

/// The input of which those are the outputs: some planes that look like none of Go's, and numbers from below 0 to above.
fn input(rows: usize, columns: usize) -> Vec<f32> {
    let points = rows * columns;
    let plane = |plane: usize, point: usize| plane == 0 || (7 * plane + 3 * point).is_multiple_of(5);
    let planes = (0..Net::PLANES * points).map(|place| f32::from(u8::from(plane(place / points, place % points))));
    let numbers = (0..Net::NUMBERS * points).map(|place| ((place / points) as f32 - 9.0) / 19.0);
    planes.chain(numbers).collect()
}

/// Outputs on a board, in the order of the contract.
fn run(file: &[u8], rows: usize, columns: usize) -> Vec<Vec<f32>> {
    let model = ModelFile::parse(file).unwrap();
    let embedded = Embedded::new(file, &model, Instructions::Fastest).unwrap();
    let mut outputs = Vec::new();
    // A board alone and the same twice give the same.
    for positions in [1, 2] {
        let planes = input(rows, columns).repeat(positions);
        let batch = Batch { planes: &planes, shape: [positions, PLANES, rows, columns] };
        let first = std::mem::take(&mut outputs);
        embedded.run(batch, &mut outputs, &|| true).unwrap();
        for (once, twice) in first.iter().zip(&outputs) {
            assert!(near(once, &twice[..once.len()]) && near(once, &twice[once.len()..]));
        }
        outputs = if positions == 2 { first } else { outputs };
    }
    outputs
}

fn near(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-5 * (1.0 + a.abs()))
}

#[test]
fn outputs_are_those_of_another_program() {
    for expected in EXPECTED {
        let net = fixture(expected.name);
        let outputs = run(&written(&net, None).unwrap(), 5, 4);
        let mut wanted = vec![expected.outcomes.to_vec(), expected.scores.to_vec(), expected.policy.to_vec()];
        wanted.extend(expected.optimistic.map(|optimistic| optimistic.to_vec()));
        wanted.push(expected.owners.to_vec());
        let last = outputs.len() - 1;
        let found = outputs.iter().enumerate().map(|(number, all)| match number {
            0 | 1 => all.clone(),
            _ if number == last => vec![all[2], all[17]],
            _ => vec![all[1], all[20]],
        });
        for (number, (found, wanted)) in found.zip(&wanted).enumerate() {
            assert!(near(&found, wanted), "{}, output {number}: {found:?} {wanted:?}", expected.name);
        }
        assert_eq!(outputs.len(), wanted.len());
    }
}

/// Each file passes the check that all model files must pass, on boards of all sizes, and says what it is.
#[test]
fn files_are_models() {
    for entry in fs::read_dir("tests/fixtures/katago").unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.starts_with('v') || name.contains("player") {
            continue;
        }
        let net = fixture(&name);
        for lines in [None, Some(9)] {
            let file = written(&net, lines).unwrap();
            assert!(!looks_like(&file), "{name}");
            let (model, checked) = (ModelFile::parse(&file).unwrap(), Checked::new(&file).unwrap());
            let wanted = described(&net, file.len());
            assert_eq!((&model.game, &model.encoding), (&wanted.game, &wanted.encoding));
            assert_eq!((&model.outputs, model.range), (&wanted.outputs, wanted.range));
            assert_eq!(model.trained_with, wanted.trained_with);
            let all = (2..=25).flat_map(|rows| [[rows, rows], [rows, 27 - rows]]).collect();
            for [rows, columns] in lines.map_or(all, |lines| vec![[lines; 2]]) {
                assert!(model.serves(rows, columns), "{name} {rows}x{columns}");
                model.check_ports([PLANES, rows, columns]).unwrap();
                checked.allow([3, PLANES, rows, columns]).unwrap();
            }
        }
    }
}

/// The graph for all boards and that for one give the same on boards of which no side is as in the other tests.
#[test]
fn one_board_is_as_all() {
    for name in ["v8.bin.gz", "v14.bin.gz", "v17.bin.gz", "v17-keys.bin.gz"] {
        let net = fixture(name);
        let all = written(&net, None).unwrap();
        for lines in [2, 3, 9, 13] {
            let one = written(&net, Some(lines)).unwrap();
            let (one, all) = (run(&one, lines, lines), run(&all, lines, lines));
            assert!(one.iter().zip(&all).all(|(one, all)| near(one, all)), "{name} {lines}x{lines}");
        }
    }
}

#[test]
fn networks_that_no_model_can_be_are_refused() {
    let mut net = fixture("v8.bin.gz");
    assert_eq!(written(&net, Some(33)), Err(OnnxError::Size(33)));
    assert_eq!(written(&net, Some(0)), Err(OnnxError::Size(0)));
    net.parameters = u64::MAX;
    assert_eq!(written(&net, None), Err(OnnxError::TooLarge(u64::MAX)));
    assert_eq!(written(&fixture("v15-player.bin.gz"), None), Err(OnnxError::Player));
}
