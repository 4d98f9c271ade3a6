use std::fs;

use super::*;
use crate::eval::net::contract::ModelFile;
use crate::eval::net::shipped::SHIPPED;

fn value(shape: &[usize], integers: Option<&[i64]>) -> Extent {
    Extent { shape: shape.to_vec(), integers: integers.map(<[i64]>::to_vec) }
}

/// All models that are kept here pass on their smallest and largest boards, with figures that leave room.
#[test]
fn our_own_models_pass() {
    let fixtures =
        ["go-all", "go-policy", "hex-actions", "hex-policy", "hex-value", "hex-variants/int8", "hex-variants/float32"];
    let files = fixtures.iter().map(|name| fs::read(format!("tests/fixtures/{name}.onnx")).unwrap());
    for bytes in files.chain(SHIPPED.iter().map(|(_, _, bytes)| bytes.to_vec())) {
        let model = ModelFile::parse(&bytes).unwrap();
        let checked = Checked::new(&bytes).unwrap();
        let sizes = &model.inputs[0].shape[1..];
        for side in [model.smallest_size(), model.largest_size() + 2] {
            let [planes, rows, columns] = [0, 1, 2].map(|i| sizes[i].map_or(side, |n| n as usize));
            for positions in [1, 8, 100, 256] {
                checked.allow([positions, planes, rows, columns]).unwrap();
            }
            let cost = checked.cost([1, planes, rows, columns]).unwrap();
            assert!(cost.at_once > 0 && cost.products > 0, "{cost:?}");
            assert!(cost.at_once < MOST_AT_ONCE / 4 && cost.together < MOST_TOGETHER / 4, "{cost:?}");
        }
    }
}

/// A runtime would set aside what a text promises.
#[test]
fn texts_longer_than_what_is_left_are_refused() {
    let good = fs::read("models/hex.onnx").unwrap();
    let (dimension, operators) =
        ([&b"\x12\x05batch"[..], b"\x12\x7fbatch"], [&b"\x42\x02\x10\x11"[..], b"\x42\x02\x0a\x7f"]);
    for [part, promise] in [dimension, operators] {
        let place = good.windows(part.len()).position(|bytes| bytes == part).expect("the model has such a part");
        let mut bad = good.clone();
        bad[place..][..part.len()].copy_from_slice(promise);
        let refused = Checked::new(&bad).unwrap_err();
        assert!(refused.contains("127 bytes are promised"), "{refused}");
    }
}

/// The outputs have the sizes that are calculated, for each model and board.
#[test]
fn sizes_are_those_of_the_runtime() {
    use crate::eval::net::backends::{Embedded, Instructions};
    use crate::eval::net::runtime::{Batch, Runtime};
    for (name, side) in [("go-all", 7), ("hex-actions", 8), ("hex-policy", 6), ("hex-variants/int8", 7)] {
        let bytes = fs::read(format!("tests/fixtures/{name}.onnx")).unwrap();
        let model = ModelFile::parse(&bytes).unwrap();
        let planes = model.inputs[0].shape[1].unwrap() as usize;
        let shape = [3, planes, side, side];
        let (checked, mut outputs) = (Checked::new(&bytes).unwrap(), Vec::new());
        let embedded = Embedded::new(&bytes, &model, Instructions::Fastest).unwrap();
        let input = vec![0.0; shape.iter().product()];
        embedded.run(Batch { planes: &input, shape }, &mut outputs, &|| true).unwrap();
        let sizes = checked.sizes(shape).unwrap();
        let lengths: Vec<usize> = outputs.iter().map(Vec::len).collect();
        let names = model.outputs.iter().map(|output| model.ports.iter().position(|port| port.name == output.name()));
        let calculated: Vec<usize> = names.map(|place| sizes[place.unwrap()]).collect();
        assert_eq!(lengths, calculated, "{name}");
    }
}

/// Operator, attributes, inputs, and what it makes if they fit.
type Case<'a> = (&'a str, &'a [(&'a str, &'a [i64])], &'a [&'a Extent], Option<Extent>);

#[test]
fn shapes_are_as_defined() {
    let map = value(&[2, 3, 8, 9], None);
    let weights = value(&[6, 3, 3, 3], None);
    let sizes = value(&[4], Some(&[2, 3, 8, 9]));
    let one = value(&[1], Some(&[2]));
    let cases: &[Case<'_>] = &[
        ("Relu", &[], &[&map], Some(map.clone())),
        ("Cos", &[], &[&sizes], Some(value(&[4], None))),
        ("Sin", &[], &[&map], Some(map.clone())),
        ("Add", &[], &[&map, &value(&[3, 1, 1], None)], Some(map.clone())),
        ("Add", &[], &[&map, &value(&[2], None)], None),
        ("Mul", &[], &[&sizes, &one], Some(value(&[4], Some(&[4, 6, 16, 18])))),
        ("Conv", &[("pads", &[1, 1, 1, 1])], &[&map, &weights], Some(value(&[2, 6, 8, 9], None))),
        ("Conv", &[("strides", &[2, 3])], &[&map, &weights], Some(value(&[2, 6, 3, 3], None))),
        ("Conv", &[("dilations", &[4, 4])], &[&map, &weights], None),
        ("Conv", &[("group", &[3])], &[&map, &weights], None),
        ("Conv", &[("strides", &[0, 1])], &[&map, &weights], None),
        ("MaxPool", &[("kernel_shape", &[2, 2]), ("strides", &[2, 2])], &[&map], Some(value(&[2, 3, 4, 4], None))),
        (
            "MaxPool",
            &[("kernel_shape", &[2, 2]), ("strides", &[2, 2]), ("ceil_mode", &[1])],
            &[&map],
            Some(value(&[2, 3, 4, 5], None)),
        ),
        ("GlobalMaxPool", &[], &[&map], Some(value(&[2, 3, 1, 1], None))),
        ("ReduceMean", &[("axes", &[-1, 2]), ("keepdims", &[0])], &[&map], Some(value(&[2, 3], None))),
        ("ReduceSum", &[], &[&map], Some(value(&[1, 1, 1, 1], None))),
        ("Flatten", &[], &[&map], Some(value(&[2, 216], None))),
        ("Gemm", &[("transB", &[1])], &[&value(&[2, 5], None), &value(&[7, 5], None)], Some(value(&[2, 7], None))),
        ("Gemm", &[], &[&value(&[2, 5], None), &value(&[7, 5], None)], None),
        ("MatMul", &[], &[&value(&[4, 1, 2, 5], None), &value(&[3, 5, 7], None)], Some(value(&[4, 3, 2, 7], None))),
        ("Reshape", &[], &[&map, &value(&[2], Some(&[0, -1]))], Some(value(&[2, 216], None))),
        ("Reshape", &[], &[&map, &value(&[2], Some(&[5, -1]))], None),
        ("Reshape", &[], &[&map, &value(&[2], None)], None),
        ("Transpose", &[("perm", &[0, 2, 3, 1])], &[&map], Some(value(&[2, 8, 9, 3], None))),
        ("Transpose", &[("perm", &[0, 0, 3, 1])], &[&map], None),
        ("Unsqueeze", &[("axes", &[0, -1])], &[&value(&[5], None)], Some(value(&[1, 5, 1], None))),
        ("Squeeze", &[], &[&value(&[1, 5, 1], None)], Some(value(&[5], None))),
        ("Concat", &[("axis", &[1])], &[&map, &map], Some(value(&[2, 6, 8, 9], None))),
        ("Concat", &[("axis", &[0])], &[&one, &sizes], Some(value(&[5], Some(&[2, 2, 3, 8, 9])))),
        ("Gather", &[], &[&sizes, &value(&[2], Some(&[-1, 0]))], Some(value(&[2], Some(&[9, 2])))),
        ("Gather", &[("axis", &[1])], &[&map, &value(&[5], None)], Some(value(&[2, 5, 8, 9], None))),
        ("Slice", &[], &[&sizes, &one, &value(&[1], Some(&[i64::MAX]))], Some(value(&[2], Some(&[8, 9])))),
        (
            "Slice",
            &[],
            &[&map, &one, &value(&[1], Some(&[-2])), &value(&[1], Some(&[3])), &value(&[1], Some(&[2]))],
            Some(value(&[2, 3, 8, 3], None)),
        ),
        (
            "Slice",
            &[],
            &[
                &sizes,
                &value(&[1], Some(&[-1])),
                &value(&[1], Some(&[i64::MIN])),
                &value(&[1], Some(&[0])),
                &value(&[1], Some(&[-2])),
            ],
            Some(value(&[2], Some(&[9, 3]))),
        ),
        ("Pad", &[], &[&value(&[5], None), &value(&[2], Some(&[1, -2]))], Some(value(&[4], None))),
        ("Expand", &[], &[&value(&[3, 1], None), &value(&[2], Some(&[1, 4]))], Some(value(&[3, 4], None))),
        ("ConstantOfShape", &[], &[&sizes], Some(value(&[2, 3, 8, 9], None))),
        ("ConstantOfShape", &[], &[&value(&[2], Some(&[i64::MAX, 3]))], None),
        ("Shape", &[], &[&map], Some(sizes.clone())),
        ("Loop", &[], &[&map], None),
    ];
    for (kind, attributes, inputs, wanted) in cases {
        let node = file::CheckedNode::of(kind, attributes);
        let inputs: Vec<Option<&Extent>> = inputs.iter().map(|value| Some(*value)).collect();
        let found = infer(&node, &inputs);
        assert_eq!(found.as_ref().ok().map(|found| &found.0), wanted.as_ref(), "{kind} {attributes:?}: {found:?}");
    }
}
