//! Files of ONNX as trees of fields, to be changed or made from nothing.

use losange::rng::Rng;

/// A field of a message: its number and what it holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    Number(u64, u64),
    Fixed(u64, Vec<u8>),
    Bytes(u64, Vec<u8>),
    Message(u64, Kind, Vec<Field>),
}

/// Messages whose fields are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
}

impl Kind {
    /// The message that a field holds.
    fn below(self, number: u64) -> Option<Self> {
        match (self, number) {
            (Self::Model, 7) => Some(Self::Graph),
            (Self::Graph, 1) => Some(Self::Node),
            (Self::Graph, 5) | (Self::Attribute, 5) => Some(Self::Tensor),
            (Self::Node, 5) => Some(Self::Attribute),
            _ => None,
        }
    }
}

fn varint(input: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = input.split_first().expect("a whole file");
        *input = rest;
        number |= u64::from(first & 0x7f) << shift;
        if *first < 0x80 {
            break;
        }
    }
    number
}

pub(crate) fn write_varint(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Takes a good file apart.
pub(crate) fn decode(kind: Kind, mut input: &[u8]) -> Vec<Field> {
    let mut fields = Vec::new();
    while !input.is_empty() {
        let tag = varint(&mut input);
        let number = tag >> 3;
        let length = match tag & 7 {
            0 => {
                fields.push(Field::Number(number, varint(&mut input)));
                continue;
            }
            1 => 8,
            2 => varint(&mut input) as usize,
            _ => 4,
        };
        let (bytes, rest) = input.split_at(length);
        input = rest;
        fields.push(match kind.below(number) {
            _ if tag & 7 != 2 => Field::Fixed(number, bytes.to_vec()),
            Some(below) => Field::Message(number, below, decode(below, bytes)),
            None => Field::Bytes(number, bytes.to_vec()),
        });
    }
    fields
}

/// Puts a file together.
pub(crate) fn encode(fields: &[Field]) -> Vec<u8> {
    let mut to = Vec::new();
    let mut bytes = |number: u64, bytes: &[u8]| {
        write_varint(number << 3 | 2, &mut to);
        write_varint(bytes.len() as u64, &mut to);
        to.extend_from_slice(bytes);
    };
    let mut parts = Vec::new();
    for field in fields {
        match field {
            Field::Bytes(number, content) => bytes(*number, content),
            Field::Message(number, _, fields) => bytes(*number, &encode(fields)),
            Field::Number(..) | Field::Fixed(..) => parts.push(field),
        }
    }
    for field in parts {
        match field {
            Field::Number(number, value) => {
                write_varint(number << 3, &mut to);
                write_varint(*value, &mut to);
            }
            Field::Fixed(number, content) => {
                write_varint(number << 3 | if content.len() == 8 { 1 } else { 5 }, &mut to);
                to.extend_from_slice(content);
            }
            Field::Bytes(..) | Field::Message(..) => {}
        }
    }
    to
}

/// Calls a function with every message of that kind.
pub(crate) fn each(fields: &mut [Field], wanted: Kind, act: &mut dyn FnMut(&mut Vec<Field>)) {
    for field in fields {
        if let Field::Message(_, kind, fields) = field {
            each(fields, wanted, act);
            if *kind == wanted {
                act(fields);
            }
        }
    }
}

/// Changes one message of that kind, chosen by chance.
pub(crate) fn change_one(
    model: &mut [Field],
    kind: Kind,
    rng: &mut Rng,
    act: &mut dyn FnMut(&mut Vec<Field>, &mut Rng),
) {
    let mut count = 0;
    each(model, kind, &mut |_| count += 1);
    let mut left = rng.below(count.max(1));
    each(model, kind, &mut |fields| {
        if left == 0 {
            act(fields, rng);
        }
        left = left.wrapping_sub(1);
    });
}

fn text(number: u64, text: &str) -> Field {
    Field::Bytes(number, text.as_bytes().to_vec())
}

/// A list of 64-bit integers as a constant.
pub(crate) fn integers(name: &str, numbers: &[i64]) -> Field {
    table(name, &[numbers.len() as u64], numbers)
}

/// A constant of 64-bit integers of that shape.
pub(crate) fn table(name: &str, shape: &[u64], numbers: &[i64]) -> Field {
    let raw = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let shape = shape.iter().map(|&side| Field::Number(1, side));
    let fields = shape.chain([Field::Number(2, 7), text(8, name), Field::Bytes(9, raw)]).collect();
    Field::Message(5, Kind::Tensor, fields)
}

/// A node without attributes.
pub(crate) fn node(kind: &str, inputs: &[&str], output: &str) -> Field {
    let inputs = inputs.iter().map(|name| text(1, name));
    Field::Message(1, Kind::Node, inputs.chain([text(2, output), text(4, kind)]).collect())
}

/// A list of integers, or one, as an attribute of a node.
pub(crate) fn with(node: Field, name: &str, numbers: &[i64]) -> Field {
    let Field::Message(number, kind, mut fields) = node else { return node };
    let mut attribute = vec![text(1, name)];
    match numbers {
        [one] => attribute.extend([Field::Number(3, *one as u64), Field::Number(20, 2)]),
        all => {
            attribute.extend(all.iter().map(|number| Field::Number(8, *number as u64)));
            attribute.push(Field::Number(20, 7));
        }
    }
    fields.push(Field::Message(5, Kind::Attribute, attribute));
    Field::Message(number, kind, fields)
}

/// A good file with other nodes and constants in front of its own; the first node of its own takes `input` as it is.
pub(crate) fn crafted(good: &[u8], parts: Vec<Field>) -> Vec<u8> {
    let mut model = decode(Kind::Model, good);
    for field in &mut model {
        if let Field::Message(7, Kind::Graph, fields) = field {
            let own = std::mem::take(fields);
            *fields = parts.clone();
            fields.extend(own);
        }
    }
    encode(&model)
}
