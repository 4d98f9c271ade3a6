//! Hostile model files: good ones changed by chance, and bombs that are made.

use losange::rng::Rng;

use super::onnx::{Field, Kind, change_one, crafted, decode, encode, integers, node, table, with, write_varint};

/// Operators of ONNX that are put in the place of others: some that models may use, and some that they may not.
const OPERATORS: &[&str] = &[
    "Relu",
    "Add",
    "Concat",
    "Conv",
    "Gemm",
    "MatMul",
    "Slice",
    "Gather",
    "Reshape",
    "Transpose",
    "Expand",
    "Flatten",
    "Tanh",
    "MaxPool",
    "ReduceMean",
    "ConstantOfShape",
    "Shape",
    "Pad",
    "Tile",
    "Loop",
    "If",
    "Scan",
    "Range",
    "NonZero",
    "Resize",
    "LSTM",
    "OneHot",
    "EyeLike",
    "RandomNormal",
    "SequenceConstruct",
    "Einsum",
    "Upsample",
    "",
];
/// Numbers that sizes are made of.
const SIZES: &[u64] =
    &[0, 1, 2, 3, 7, 255, 65_536, 100_000, 1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX, u64::MAX - 7];

fn bytes(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(bytes.len() as u32) as usize;
    match rng.below(5) {
        0 => bytes[at] = rng.below(256) as u8,
        1 => bytes[at] ^= 1 << rng.below(8),
        2 => drop(bytes.drain(at..(at + rng.below(40) as usize).min(bytes.len()))),
        3 => bytes.insert(at, rng.below(256) as u8),
        // A length, or another number, that is as long as they come.
        _ => {
            let mut number = Vec::new();
            write_varint(SIZES[rng.below(SIZES.len() as u32) as usize], &mut number);
            bytes.splice(at..=at, number);
        }
    }
}

fn any_size(rng: &mut Rng) -> u64 {
    SIZES[rng.below(SIZES.len() as u32) as usize]
}

/// Changes a number of a message, or adds one.
fn number(fields: &mut Vec<Field>, wanted: u64, rng: &mut Rng) {
    let to = any_size(rng);
    match fields.iter_mut().find(|field| matches!(field, Field::Number(number, _) if *number == wanted)) {
        Some(Field::Number(_, value)) if rng.below(2) == 0 => *value = to,
        _ => fields.push(Field::Number(wanted, to)),
    }
}

fn shape(model: &mut [Field], rng: &mut Rng) {
    match rng.below(4) {
        // A dimension of a constant, or its type.
        0 | 1 => change_one(model, Kind::Tensor, rng, &mut |fields, rng| {
            let wanted = 1 + u64::from(rng.below(8) == 0);
            // Dimensions may be packed: written one by one they mean the same.
            for field in fields.iter_mut().filter(|field| matches!(field, Field::Bytes(1, _))) {
                *field = Field::Number(1, any_size(rng));
            }
            number(fields, wanted, rng);
        }),
        // A stride, a border, a group or an axis.
        2 => change_one(model, Kind::Attribute, rng, &mut |fields, rng| {
            let packed = fields.iter_mut().find(|field| matches!(field, Field::Bytes(8, _)));
            let mut numbers = Vec::new();
            (0..1 + rng.below(4)).for_each(|_| write_varint(any_size(rng), &mut numbers));
            match packed {
                Some(field) => *field = Field::Bytes(8, numbers),
                None => number(fields, [3, 8][rng.below(2) as usize], rng),
            }
        }),
        // The numbers from which a size is made.
        _ => change_one(model, Kind::Tensor, rng, &mut |fields, rng| {
            if let Some(Field::Bytes(_, raw)) = fields.iter_mut().find(|field| matches!(field, Field::Bytes(9, _))) {
                let (size, length) = (any_size(rng).to_le_bytes(), raw.len());
                raw.iter_mut().zip(size).for_each(|(byte, new)| *byte = new);
                assert_eq!(raw.len(), length);
            }
        }),
    }
}

fn operator(model: &mut [Field], rng: &mut Rng) {
    change_one(model, Kind::Node, rng, &mut |fields, rng| match rng.below(4) {
        // An input or output by another name: a circle, or nothing.
        0 => {
            let names: Vec<usize> =
                (0..fields.len()).filter(|&i| matches!(fields[i], Field::Bytes(1 | 2, _))).collect();
            let [a, b] = [(); 2].map(|()| names[rng.below(names.len() as u32) as usize]);
            if let (Field::Bytes(number, _), Field::Bytes(_, name)) = (fields[a].clone(), fields[b].clone()) {
                fields[a] = Field::Bytes(number, name);
            }
        }
        _ => {
            let kind = OPERATORS[rng.below(OPERATORS.len() as u32) as usize];
            for field in fields.iter_mut().filter(|field| matches!(field, Field::Bytes(4, _))) {
                *field = Field::Bytes(4, kind.as_bytes().to_vec());
            }
        }
    });
}

/// A part of the graph twice, gone, or in another place.
fn order(model: &mut [Field], rng: &mut Rng) {
    for field in model {
        if let Field::Message(7, Kind::Graph, fields) = field {
            let [a, b] = [(); 2].map(|()| rng.below(fields.len() as u32) as usize);
            match rng.below(3) {
                0 => fields.swap(a, b),
                1 => drop(fields.remove(a)),
                _ => fields.push(fields[a].clone()),
            }
        }
    }
}

/// A good file, changed.
pub(crate) fn mutated(good: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut file = good.to_vec();
    match rng.below(6) {
        0 => (0..=rng.below(6)).for_each(|_| bytes(&mut file, rng)),
        1 => file.truncate(rng.below(file.len() as u32) as usize),
        kind => {
            let mut model = decode(Kind::Model, &file);
            for _ in 0..=rng.below(2) {
                match kind {
                    2 | 3 => shape(&mut model, rng),
                    4 => operator(&mut model, rng),
                    _ => order(&mut model, rng),
                }
            }
            file = encode(&model);
        }
    }
    file
}

/// Files that demand too much, each with a part of what must be said of them.
pub(crate) fn bombs(good: &[u8]) -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let large = |axis: i64| integers("size", &[axis, axis]);
    let of_shape = |output| node("ConstantOfShape", &["size"], output);
    let many = |count: usize, part: &dyn Fn(usize) -> Field| (0..count).map(part).collect::<Vec<_>>();
    let names: Vec<String> = (0..64).map(|number| format!("bomb{number}")).collect();
    let doubled = |number: usize| {
        let from = if number == 0 { "input" } else { &names[number - 1] };
        with(node("Concat", &[from, from], &names[number]), "axis", &[1])
    };
    let nested = (0..200_000).fold(Vec::new(), |inner: Vec<u8>, _| {
        // Written from the inside out; more than a few levels are cut off where they would take too long to make.
        if inner.len() > 4000 { inner } else { encode(&[Field::Bytes(6, inner)]) }
    });
    let tensor = |fields: Vec<Field>| vec![Field::Message(5, Kind::Tensor, fields)];
    let named = |name: &str| Field::Bytes(8, name.as_bytes().to_vec());
    vec![
        ("constant of shape", crafted(good, vec![large(100_000), of_shape("bomb")]), "numbers a position"),
        ("overflow", crafted(good, vec![large(1 << 40), of_shape("bomb")]), "ConstantOfShape"),
        ("negative", crafted(good, vec![large(-5), of_shape("bomb")]), "negative"),
        ("doubling", crafted(good, many(40, &doubled)), "a position"),
        (
            "copies of a constant",
            crafted(
                good,
                [vec![large(4000), of_shape("bomb")], many(64, &|n| node("Identity", &["bomb"], &names[n]))].concat(),
            ),
            "numbers a position",
        ),
        (
            "expand by the input's own size",
            crafted(
                good,
                vec![
                    integers("factor", &[1_000_000]),
                    node("Shape", &["input"], "sizes"),
                    node("Mul", &["sizes", "factor"], "size"),
                    of_shape("bomb"),
                ],
            ),
            "ConstantOfShape",
        ),
        (
            "a size that depends on numbers",
            crafted(
                good,
                vec![
                    with(node("Cast", &["input"], "numbers"), "to", &[7]),
                    node("ConstantOfShape", &["numbers"], "bomb"),
                ],
            ),
            "not known beforehand",
        ),
        (
            "sizes of a stretched pair",
            crafted(
                good,
                vec![
                    table("a", &[2, 1], &[200, 200]),
                    table("b", &[1, 2], &[0, 0]),
                    integers("four", &[4]),
                    node("Add", &["a", "b"], "pairs"),
                    node("Reshape", &["pairs", "four"], "size"),
                    of_shape("bomb"),
                ],
            ),
            "not known beforehand",
        ),
        (
            "borders in another order",
            crafted(
                good,
                vec![
                    table("pairs", &[2, 4], &[0, 0, 0, 1 << 22, 0, 0, 0, 0]),
                    integers("eight", &[8]),
                    with(node("Transpose", &["pairs"], "turned"), "perm", &[1, 0]),
                    node("Reshape", &["turned", "eight"], "pads"),
                    node("Pad", &["input", "pads"], "bomb"),
                ],
            ),
            "not known beforehand",
        ),
        (
            "a size that another type has changed",
            crafted(
                good,
                vec![
                    integers("five", &[5]),
                    integers("many", &[100_000_000]),
                    with(node("Cast", &["five"], "truth"), "to", &[9]),
                    with(node("Cast", &["truth"], "one"), "to", &[7]),
                    node("Sub", &["five", "one"], "difference"),
                    node("Mul", &["difference", "many"], "size"),
                    of_shape("bomb"),
                ],
            ),
            "not known beforehand",
        ),
        (
            "borders",
            crafted(
                good,
                vec![integers("pads", &[0, 0, 0, 0, 0, 0, 1 << 20, 1 << 20]), node("Pad", &["input", "pads"], "bomb")],
            ),
            "a position",
        ),
        (
            "tiles",
            crafted(good, vec![integers("n", &[1, 1, 1 << 20, 1 << 20]), node("Tile", &["input", "n"], "bomb")]),
            "operator 'Tile'",
        ),
        ("a loop", crafted(good, vec![node("Loop", &["input"], "bomb")]), "operator 'Loop'"),
        ("a graph inside", crafted(good, vec![nesting(nested)]), "field 6"),
        (
            "strides of 0",
            crafted(
                good,
                vec![with(with(node("MaxPool", &["input"], "bomb"), "kernel_shape", &[2, 2]), "strides", &[0, 0])],
            ),
            "'strides'",
        ),
        (
            "a group of 0",
            crafted(good, vec![integers("w", &[1]), with(node("Conv", &["input", "w"], "bomb"), "group", &[0])]),
            "Conv",
        ),
        (
            "a window of 2^40",
            crafted(good, vec![with(node("MaxPool", &["input"], "bomb"), "kernel_shape", &[1 << 40, 1])]),
            "'kernel_shape'",
        ),
        (
            "numbers in another file",
            crafted(
                good,
                tensor(vec![
                    Field::Number(1, 3),
                    Field::Number(2, 1),
                    named("far"),
                    Field::Bytes(13, b"\x0a\x08location".to_vec()),
                ]),
            ),
            "field 13",
        ),
        (
            "numbers as text",
            crafted(good, vec![with(node("Cast", &["input"], "bomb"), "to", &[8])]),
            "tensors of type 8",
        ),
        (
            "no numbers",
            crafted(good, tensor(vec![Field::Number(1, 1 << 40), Field::Number(2, 1), named("none")])),
            "numbers",
        ),
        (
            "strings",
            crafted(
                good,
                tensor(vec![Field::Number(1, 1), Field::Number(2, 8), named("words"), Field::Bytes(6, b"w".to_vec())]),
            ),
            "field 6",
        ),
        ("a circle", crafted(good, vec![node("Relu", &["b"], "a"), node("Relu", &["a"], "b")]), "in a circle"),
        ("nodes", crafted(good, many(5000, &|n| node("Relu", &["input"], &format!("n{n}")))), "nodes"),
        (
            "another library's operator",
            crafted(good, vec![foreign(node("Relu", &["input"], "bomb"))]),
            "none of ONNX's own",
        ),
        ("a function", [encode(&[Field::Bytes(25, b"\x0a\x01f".to_vec())]), good.to_vec()].concat(), "field 25"),
        ("two graphs", [good, good].concat(), "twice"),
    ]
}

fn nesting(inner: Vec<u8>) -> Field {
    let Field::Message(number, kind, mut fields) = node("Relu", &["input"], "bomb") else { unreachable!() };
    fields.push(Field::Message(5, Kind::Attribute, vec![Field::Bytes(1, b"body".to_vec()), Field::Bytes(6, inner)]));
    Field::Message(number, kind, fields)
}

fn foreign(node: Field) -> Field {
    let Field::Message(number, kind, mut fields) = node else { unreachable!() };
    fields.push(Field::Bytes(7, b"com.example".to_vec()));
    Field::Message(number, kind, fields)
}

/// A network of KataGo's, changed in some places: bytes, or whole numbers of its text, sizes among them.
pub(crate) fn mutated_network(good: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut changed = good.to_vec();
    for _ in 0..=rng.below(3) {
        if rng.below(2) == 0 {
            bytes(&mut changed, rng);
            continue;
        }
        let begin = rng.below(changed.len() as u32) as usize;
        let is_number = |token: &&[u8]| !token.is_empty() && token.iter().all(u8::is_ascii_digit);
        let found = changed[begin..].split(u8::is_ascii_whitespace).find(is_number);
        let Some(token) = found else { continue };
        let at = token.as_ptr() as usize - changed.as_ptr() as usize;
        let end = at + token.len();
        changed.splice(at..end, any_size(rng).to_string().bytes());
    }
    changed
}
