//! Graph under construction, in the protobuf format of ONNX. The numbers are the field numbers of `onnx.proto`.

use std::collections::HashMap;

/// Type of 32-bit floats, and of 64-bit integers.
const FLOAT: u64 = 1;
const INT64: u64 = 7;
/// Types of attributes.
const ONE_FLOAT: u64 = 1;
const ONE_INTEGER: u64 = 2;
const INTEGERS: u64 = 7;
/// Version of the format, and of the set of operators.
const FORMAT: u64 = 8;
const OPERATORS: u64 = 18;

/// A message, field by field.
#[derive(Debug, Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn number(&mut self, field: u64, number: u64) {
        self.varint(field << 3);
        self.varint(number);
    }

    fn float(&mut self, field: u64, number: f32) {
        self.varint(field << 3 | 5);
        self.0.extend(number.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// A setting of an operator.
#[derive(Clone, Copy, Debug)]
pub(super) enum Setting<'a> {
    Integer(i64),
    Integers(&'a [i64]),
    Float(f32),
}

/// Nodes and constants so far. Values are called by names, of which each method returns one.
#[derive(Debug, Default)]
pub(super) struct GraphWriter {
    graph: Message,
    values: usize,
    /// Names of lists of integers, which many nodes use.
    lists: HashMap<Vec<i64>, String>,
}

impl GraphWriter {
    fn name(&mut self) -> String {
        self.values += 1;
        format!("v{}", self.values)
    }

    fn constant(&mut self, kind: u64, shape: &[usize], bytes: &[u8]) -> String {
        let (name, mut tensor) = (self.name(), Message::default());
        shape.iter().for_each(|&size| tensor.number(1, size as u64));
        tensor.number(2, kind);
        tensor.bytes(8, name.as_bytes());
        tensor.bytes(9, bytes);
        self.graph.bytes(5, &tensor.0);
        name
    }

    /// A constant tensor.
    pub(super) fn numbers(&mut self, shape: &[usize], numbers: &[f32]) -> String {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.constant(FLOAT, shape, &bytes)
    }

    /// A constant list of integers.
    pub(super) fn integers(&mut self, list: &[i64]) -> String {
        if let Some(name) = self.lists.get(list) {
            return name.clone();
        }
        let bytes: Vec<u8> = list.iter().flat_map(|number| number.to_le_bytes()).collect();
        let name = self.constant(INT64, &[list.len()], &bytes);
        self.lists.insert(list.to_vec(), name.clone());
        name
    }

    /// A node.
    pub(super) fn node(&mut self, kind: &str, inputs: &[&str], settings: &[(&str, Setting<'_>)]) -> String {
        let name = self.name();
        self.named(&name, kind, inputs, settings);
        name
    }

    /// A node that makes a value of that name.
    pub(super) fn named(&mut self, name: &str, kind: &str, inputs: &[&str], settings: &[(&str, Setting<'_>)]) {
        let mut node = Message::default();
        inputs.iter().for_each(|input| node.bytes(1, input.as_bytes()));
        node.bytes(2, name.as_bytes());
        node.bytes(3, name.as_bytes());
        node.bytes(4, kind.as_bytes());
        for (name, setting) in settings {
            let mut attribute = Message::default();
            attribute.bytes(1, name.as_bytes());
            match setting {
                Setting::Float(number) => {
                    attribute.float(2, *number);
                    attribute.number(20, ONE_FLOAT);
                }
                Setting::Integer(number) => {
                    attribute.number(3, *number as u64);
                    attribute.number(20, ONE_INTEGER);
                }
                Setting::Integers(numbers) => {
                    numbers.iter().for_each(|&number| attribute.number(8, number as u64));
                    attribute.number(20, INTEGERS);
                }
            }
            node.bytes(5, &attribute.0);
        }
        self.graph.bytes(1, &node.0);
    }

    fn port(&mut self, field: u64, name: &str, shape: &[Option<usize>]) {
        let mut dimensions = Message::default();
        for (axis, size) in shape.iter().enumerate() {
            let mut dimension = Message::default();
            match size {
                Some(size) => dimension.number(1, *size as u64),
                // Sizes of the same name are the same.
                None if axis == 0 => dimension.bytes(2, b"positions"),
                None => dimension.bytes(2, format!("{name}_{axis}").as_bytes()),
            }
            dimensions.bytes(1, &dimension.0);
        }
        let (mut tensor, mut kind, mut port) = (Message::default(), Message::default(), Message::default());
        tensor.number(1, FLOAT);
        tensor.bytes(2, &dimensions.0);
        kind.bytes(1, &tensor.0);
        port.bytes(1, name.as_bytes());
        port.bytes(2, &kind.0);
        self.graph.bytes(field, &port.0);
    }

    /// The input, with sizes where they are known.
    pub(super) fn input(&mut self, name: &str, shape: &[Option<usize>]) {
        self.port(11, name, shape);
    }

    /// An output, which a node makes.
    pub(super) fn output(&mut self, name: &str, shape: &[Option<usize>]) {
        self.port(12, name, shape);
    }

    /// The whole file.
    pub(super) fn file(mut self, metadata: &[(&str, &str)]) -> Vec<u8> {
        self.graph.bytes(2, b"network");
        let (mut file, mut operators) = (Message::default(), Message::default());
        file.number(1, FORMAT);
        file.bytes(2, b"losange");
        file.bytes(7, &self.graph.0);
        drop(self.graph);
        operators.number(2, OPERATORS);
        file.bytes(8, &operators.0);
        for (key, value) in metadata {
            let mut entry = Message::default();
            entry.bytes(1, key.as_bytes());
            entry.bytes(2, value.as_bytes());
            file.bytes(14, &entry.0);
        }
        file.0
    }
}
