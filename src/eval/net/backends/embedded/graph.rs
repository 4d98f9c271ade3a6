//! The graph of an ONNX file, as far as our own code calculates it. The numbers are the field numbers of the format (`onnx.proto`).

use std::collections::HashMap;

use crate::eval::net::protobuf::{Field, fields, part, text, varint};

/// A calculation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kind: String,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    attributes: HashMap<String, Attribute>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Attribute {
    number: Option<f32>,
    integers: Vec<i64>,
    tensor: Option<Tensor>,
}

/// Constant numbers: those of the two types that are needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tensor {
    pub(super) shape: Vec<usize>,
    pub(super) floats: Vec<f32>,
    pub(super) integers: Vec<i64>,
}

/// Nodes in the order in which they can be calculated, and constants by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) tensors: HashMap<String, Tensor>,
    pub(super) outputs: Vec<String>,
}

impl Node {
    /// A list of integers, or one; empty if nothing is said.
    pub(super) fn integers(&self, name: &str) -> &[i64] {
        self.attributes.get(name).map_or(&[], |attribute| &attribute.integers)
    }

    pub(super) fn number(&self, name: &str) -> Option<f32> {
        self.attributes.get(name)?.number
    }
}

impl Graph {
    /// Reads the graph of a file.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub(super) fn parse(file: &[u8]) -> Result<Self, String> {
        let mut graph = Self::default();
        for field in fields(part(file, 7)?) {
            match field? {
                (1, Field::Bytes(message)) => {
                    let node = node(message)?;
                    if let (Some(tensor), Some(name)) = (constant(&node), node.outputs.first()) {
                        graph.tensors.insert(name.clone(), tensor);
                    }
                    graph.nodes.push(node);
                }
                (5, Field::Bytes(message)) => _ = graph.tensors.insert(text(message, 8)?, tensor(message)?),
                (12, Field::Bytes(message)) => graph.outputs.push(text(message, 1)?),
                _ => {}
            }
        }
        graph.share_constants();
        Ok(graph)
    }

    /// Constants under all of their names: where several are equal, exporters write one and an `Identity` for each of the others.
    fn share_constants(&mut self) {
        for node in self.nodes.iter().filter(|node| node.kind == "Identity") {
            if let ([input], [output]) = (node.inputs.as_slice(), node.outputs.as_slice())
                && let Some(tensor) = self.tensors.get(input).cloned()
            {
                self.tensors.insert(output.clone(), tensor);
            }
        }
    }
}

fn constant(node: &Node) -> Option<Tensor> {
    (node.kind == "Constant").then(|| node.attributes.get("value")?.tensor.clone()).flatten()
}

fn node(message: &[u8]) -> Result<Node, String> {
    let mut node = Node { kind: text(message, 4)?, inputs: vec![], outputs: vec![], attributes: HashMap::new() };
    for field in fields(message) {
        match field? {
            (1, Field::Bytes(name)) => node.inputs.push(String::from_utf8_lossy(name).into_owned()),
            (2, Field::Bytes(name)) => node.outputs.push(String::from_utf8_lossy(name).into_owned()),
            (5, Field::Bytes(message)) => _ = node.attributes.insert(text(message, 1)?, attribute(message)?),
            _ => {}
        }
    }
    Ok(node)
}

fn attribute(message: &[u8]) -> Result<Attribute, String> {
    let mut attribute = Attribute::default();
    for field in fields(message) {
        match field? {
            (2, Field::Fixed(bytes)) => attribute.number = floats(bytes).next(),
            (3 | 8, Field::Number(number)) => attribute.integers.push(number as i64),
            (5, Field::Bytes(message)) => attribute.tensor = Some(tensor(message)?),
            (8, Field::Bytes(packed)) => attribute.integers.extend(numbers(packed)?),
            _ => {}
        }
    }
    Ok(attribute)
}

fn tensor(message: &[u8]) -> Result<Tensor, String> {
    const FLOAT: u64 = 1;
    const INT64: u64 = 7;
    let (mut tensor, mut kind, mut raw) = (Tensor::default(), 0, &[][..]);
    for field in fields(message) {
        match field? {
            (1, Field::Number(size)) => tensor.shape.push(size as usize),
            (1, Field::Bytes(packed)) => tensor.shape.extend(numbers(packed)?.into_iter().map(|size| size as usize)),
            (2, Field::Number(number)) => kind = number,
            (4, Field::Bytes(bytes)) if bytes.len().is_multiple_of(4) => tensor.floats.extend(floats(bytes)),
            (7, Field::Number(number)) => tensor.integers.push(number as i64),
            (7, Field::Bytes(packed)) => tensor.integers.extend(numbers(packed)?),
            (9, Field::Bytes(bytes)) => raw = bytes,
            _ => {}
        }
    }
    match kind {
        FLOAT => tensor.floats.extend(floats(raw)),
        INT64 => tensor.integers.extend(raw.as_chunks().0.iter().map(|&bytes| i64::from_le_bytes(bytes))),
        _ => {}
    }
    Ok(tensor)
}

/// Numbers of a file; denormal ones count as zeros, since processors calculate with them many times slower.
fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    let numbers = bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    numbers.map(|number| if number.is_subnormal() { 0.0 } else { number })
}

fn numbers(mut packed: &[u8]) -> Result<Vec<i64>, String> {
    let mut numbers = Vec::new();
    while !packed.is_empty() {
        numbers.push(varint(&mut packed)? as i64);
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_all_of_their_names() {
        let identity = |from: &str, to: &str| Node {
            kind: "Identity".to_owned(),
            inputs: vec![from.to_owned()],
            outputs: vec![to.to_owned()],
            attributes: HashMap::new(),
        };
        let zero = Tensor { shape: vec![1], floats: vec![0.0], integers: vec![] };
        let nodes = vec![identity("bias", "same"), identity("same", "again"), identity("input", "map")];
        let mut graph = Graph { nodes, tensors: HashMap::from([("bias".to_owned(), zero)]), outputs: vec![] };
        graph.share_constants();
        assert_eq!(graph.tensors["again"], graph.tensors["bias"]);
        assert!(!graph.tensors.contains_key("map"));
    }
}
