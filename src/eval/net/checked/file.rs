//! Strict reader of ONNX files: the parts that models need, each once, and nothing else. The numbers are the field numbers of the
//! format (`onnx.proto`).

use std::collections::{BTreeSet, HashMap};

use super::operators::group;
use crate::eval::net::protobuf::{Field, fields, varint};

/// Most nodes of a graph: several times those of the largest networks that play a game.
const MOST_NODES: usize = 4096;
/// Most inputs of a node.
const MOST_INPUTS: usize = 256;
/// Most dimensions of a tensor.
pub(super) const MOST_DIMENSIONS: usize = 8;
/// Most integers of an attribute, and attributes of a node.
const MOST_INTEGERS: usize = 1024;
const MOST_ATTRIBUTES: usize = 32;
/// Constants of up to so many integers are known to the check, since sizes may be calculated from them.
pub(super) const MOST_KNOWN: usize = 64;

/// Types of numbers, and the bytes that each takes.
const TYPES: &[(u64, usize)] = &[(1, 4), (2, 1), (3, 1), (4, 2), (5, 2), (6, 4), (INT64, 8), (9, 1), (10, 2), (11, 8)];
const INT64: u64 = 7;

/// Tensor as far as its size goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) shape: Vec<usize>,
    /// Its numbers, where they are few and known.
    pub(super) integers: Option<Vec<i64>>,
}

/// Attribute of a node.
#[derive(Clone, Debug, Default, PartialEq)]
struct Attribute {
    integers: Vec<i64>,
    text: Option<String>,
    tensor: Option<Extent>,
}

/// Calculation, by numbers of values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CheckedNode {
    pub(super) kind: String,
    /// `None` where an optional input is left out.
    pub(super) inputs: Vec<Option<usize>>,
    pub(super) output: usize,
    attributes: HashMap<String, Attribute>,
}

/// CheckedGraph whose nodes stand in the order in which they can be calculated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CheckedGraph {
    pub(super) nodes: Vec<CheckedNode>,
    pub(super) constants: Vec<(usize, Extent)>,
    pub(super) input: usize,
    pub(super) outputs: Vec<usize>,
    /// Number of values.
    pub(super) values: usize,
}

impl CheckedNode {
    /// A node of that operator with lists of integers as attributes.
    #[cfg(test)]
    pub(super) fn of(kind: &str, attributes: &[(&str, &[i64])]) -> Self {
        let attribute = |numbers: &[i64]| Attribute { integers: numbers.to_vec(), ..Attribute::default() };
        let attributes = attributes.iter().map(|(name, numbers)| ((*name).to_owned(), attribute(numbers))).collect();
        Self { kind: kind.to_owned(), inputs: Vec::new(), output: 0, attributes }
    }

    /// A list of integers, or one, if the file says it.
    pub(super) fn integers(&self, name: &str) -> Option<&[i64]> {
        self.attributes.get(name).map(|attribute| attribute.integers.as_slice())
    }

    pub(super) fn integer(&self, name: &str, otherwise: i64) -> i64 {
        self.integers(name).and_then(|numbers| numbers.first().copied()).unwrap_or(otherwise)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.attributes.get(name)?.text.as_deref()
    }

    pub(super) fn tensor(&self, name: &str) -> Option<&Extent> {
        self.attributes.get(name)?.tensor.as_ref()
    }
}

/// Fields of a message that are known: `once` at most once, `many` any number of times. Readers of others would differ in what a
/// repeated or unknown one means.
fn known<'a>(what: &str, message: &'a [u8], once: &[u64], many: &[u64]) -> Result<Vec<(u64, Field<'a>)>, String> {
    let mut found: Vec<(u64, Field<'_>)> = Vec::new();
    let mut seen = 0_u64;
    for field in fields(message) {
        let (number, value) = field?;
        let bit = 1_u64.checked_shl(u32::try_from(number).unwrap_or(u32::MAX)).unwrap_or(0);
        if once.contains(&number) && seen & bit != 0 {
            return Err(format!("a {what} has field {number} twice"));
        }
        if !once.contains(&number) && !many.contains(&number) {
            return Err(format!("a {what} has field {number}, which models may not have"));
        }
        seen |= bit;
        found.push((number, value));
    }
    Ok(found)
}

/// Checks a message of which nothing else is asked: a runtime may set aside as many bytes as a text in it promises.
fn check(what: &str, (number, message): (u64, Field<'_>), once: &[u64]) -> Result<(), String> {
    match message {
        Field::Bytes(message) => known(what, message, once, &[]).map(drop),
        _ => Err(odd(what, number)),
    }
}

fn text(bytes: &[u8]) -> Result<String, String> {
    String::from_utf8(bytes.to_vec()).map_err(|_| "a name is no text".to_owned())
}

fn odd(what: &str, number: u64) -> String {
    format!("field {number} of a {what} is of a wrong type")
}

/// Numbers of a packed field.
fn packed(mut bytes: &[u8]) -> Result<Vec<i64>, String> {
    let mut numbers = Vec::new();
    if count(bytes) > MOST_INTEGERS {
        return Err(format!("a list has more than {MOST_INTEGERS} numbers"));
    }
    while !bytes.is_empty() {
        numbers.push(varint(&mut bytes)? as i64);
    }
    Ok(numbers)
}

/// How many numbers a packed field has: each ends with a byte below 128.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte < 0x80).count()
}

impl CheckedGraph {
    /// Reads a file.
    ///
    /// # Errors
    /// The part of the file that no model may have.
    pub(super) fn parse(file: &[u8]) -> Result<Self, String> {
        let model = known("model", file, &[1, 2, 3, 4, 5, 6, 7], &[8, 14])?;
        model.iter().filter(|field| field.0 == 8).try_for_each(|&field| check("set of operators", field, &[1, 2]))?;
        let graph = model.iter().find_map(|field| match field {
            (7, Field::Bytes(message)) => Some(*message),
            _ => None,
        });
        let fields = known("graph", graph.ok_or("it has no graph")?, &[2, 10], &[1, 5, 11, 12, 13, 14, 16])?;
        let (mut graph, mut names) = (Self::default(), HashMap::new());
        let mut is_new = |name: String| match names.len() {
            _ if name.is_empty() => Err("a value has no name".to_owned()),
            number if names.insert(name.clone(), number).is_none() => Ok(number),
            _ => Err(format!("'{name}' is made twice")),
        };
        let listed = |wanted: u64| {
            fields.iter().filter(move |field| field.0 == wanted).map(move |&(number, field)| match field {
                Field::Bytes(message) => Ok(message),
                _ => Err(odd("graph", number)),
            })
        };
        for message in listed(5) {
            let (name, value) = tensor(message?)?;
            graph.constants.push((is_new(name)?, value));
        }
        let inputs = listed(11).map(|message| info(message?)).collect::<Result<Vec<_>, String>>()?;
        let [input] = inputs.as_slice() else { return Err(format!("it has {} inputs", inputs.len())) };
        graph.input = is_new(input.clone())?;
        listed(13).try_for_each(|message| info(message?).map(drop))?;
        let nodes = listed(1).collect::<Result<Vec<_>, String>>()?;
        if nodes.len() > MOST_NODES {
            return Err(format!("it has {} nodes; at most {MOST_NODES} are calculated", nodes.len()));
        }
        let nodes = nodes.into_iter().map(node).collect::<Result<Vec<_>, String>>()?;
        for node in &nodes {
            is_new(node.output.clone())?;
        }
        let place = |name: &String| match names.get(name) {
            _ if name.is_empty() => Ok(None),
            Some(&number) => Ok(Some(number)),
            None => Err(format!("'{name}' is used and never made")),
        };
        for Parts { kind, inputs, output, attributes } in nodes {
            let inputs = inputs.iter().map(place).collect::<Result<_, String>>()?;
            graph.nodes.push(CheckedNode { kind, inputs, output: names[&output], attributes });
        }
        graph.values = names.len();
        graph.sort()?;
        for message in listed(12) {
            let name = info(message?)?;
            graph.outputs.push(*names.get(&name).ok_or_else(|| format!("the output '{name}' is never made"))?);
        }
        Ok(graph)
    }

    /// Puts nodes behind those whose values they use; converters leave them in any order.
    fn sort(&mut self) -> Result<(), String> {
        let mut users = vec![Vec::new(); self.values];
        let mut makers = vec![false; self.values];
        self.nodes.iter().for_each(|node| makers[node.output] = true);
        let mut missing = vec![0_usize; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            for &number in node.inputs.iter().flatten().filter(|number| makers[**number]) {
                users[number].push(place);
                missing[place] += 1;
            }
        }
        // The first in the file of those that can be calculated: an order that is right stays.
        let mut ready: BTreeSet<usize> = (0..self.nodes.len()).filter(|&place| missing[place] == 0).collect();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(place) = ready.pop_first() {
            order.push(place);
            for &user in &users[self.nodes[place].output] {
                missing[user] -= 1;
                if missing[user] == 0 {
                    ready.insert(user);
                }
            }
        }
        if order.len() < self.nodes.len() {
            return Err("its nodes use each other in a circle".to_owned());
        }
        let mut nodes: Vec<Option<CheckedNode>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.nodes = order.into_iter().filter_map(|place| nodes[place].take()).collect();
        Ok(())
    }
}

/// Name of an input or output, which must be a tensor of numbers.
fn info(message: &[u8]) -> Result<String, String> {
    let mut name = String::new();
    for field in known("value", message, &[1, 2, 3], &[4])? {
        match field {
            (1, Field::Bytes(bytes)) => name = text(bytes)?,
            (2, Field::Bytes(bytes)) => {
                for field in known("type", bytes, &[1, 6], &[])? {
                    let (1, Field::Bytes(bytes)) = field else { continue };
                    for field in known("tensor type", bytes, &[1, 2], &[])? {
                        match field {
                            (1, Field::Number(kind)) => _ = size_of(kind)?,
                            (2, Field::Bytes(shape)) => {
                                let dimensions = known("shape", shape, &[], &[1])?;
                                if dimensions.len() > MOST_DIMENSIONS {
                                    return Err(format!("'{name}' has more than {MOST_DIMENSIONS} dimensions"));
                                }
                                dimensions.into_iter().try_for_each(|field| check("dimension", field, &[1, 2, 3]))?;
                            }
                            _ => {}
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(name)
}

fn size_of(kind: u64) -> Result<usize, String> {
    let size = TYPES.iter().find(|(number, _)| *number == kind).map(|(_, size)| *size);
    size.ok_or_else(|| format!("it has tensors of type {kind}, which models may not have"))
}

/// Name and size of a constant, all of whose numbers must be there.
fn tensor(message: &[u8]) -> Result<(String, Extent), String> {
    let (mut name, mut shape, mut kind, mut raw, mut listed) = (String::new(), Vec::new(), 0, None, 0);
    let mut numbers = Vec::new();
    let message = known("tensor", message, &[2, 8, 9, 12, 14], &[1, 4, 5, 7, 10, 16])?;
    let is_of = |kind: u64| match kind {
        1 => 4,
        INT64 => 7,
        11 => 10,
        _ => 5,
    };
    let mut lists = message.iter().map(|field| field.0).filter(|number| matches!(number, 4 | 5 | 7 | 10));
    let list = lists.next();
    for field in message.iter().copied() {
        match field {
            (1, Field::Number(size)) => shape.push(size as i64),
            (1, Field::Bytes(bytes)) => shape.extend(packed(bytes)?),
            (2, Field::Number(number)) => kind = number,
            (4, Field::Bytes(bytes)) => listed += bytes.len() / 4,
            (10, Field::Bytes(bytes)) => listed += bytes.len() / 8,
            (5, Field::Bytes(bytes)) => listed += count(bytes),
            (7, Field::Bytes(bytes)) => {
                listed += count(bytes);
                if bytes.len() <= 10 * MOST_KNOWN {
                    numbers.extend(packed(bytes)?);
                }
            }
            (4 | 10, Field::Fixed(_)) | (5, Field::Number(_)) => listed += 1,
            (7, Field::Number(number)) => {
                listed += 1;
                numbers.push(number as i64);
            }
            (8, Field::Bytes(bytes)) => name = text(bytes)?,
            (9, Field::Bytes(bytes)) => raw = Some(bytes),
            (14, Field::Number(0)) | (12 | 16, _) => {}
            (14, _) => return Err("numbers of a tensor lie in another file".to_owned()),
            (number, _) => return Err(odd("tensor", number)),
        }
    }
    let size = size_of(kind)?;
    if list.is_some_and(|list| list != is_of(kind)) || lists.any(|other| Some(other) != list) {
        return Err(format!("numbers of the tensor '{name}' are of another type"));
    }
    let dimension = |&size: &i64| usize::try_from(size).ok();
    let shape: Option<Vec<usize>> = shape.iter().map(dimension).collect();
    let elements = shape.as_deref().filter(|shape| shape.len() <= MOST_DIMENSIONS).and_then(super::elements);
    let there = match raw {
        Some(raw) => (listed == 0 && raw.len().is_multiple_of(size)).then(|| raw.len() / size),
        None => Some(listed),
    };
    match (shape, elements) {
        (Some(shape), Some(elements)) if there == Some(elements) => {
            if let Some(raw) = raw.filter(|raw| kind == INT64 && raw.len() <= 8 * MOST_KNOWN) {
                numbers = raw.as_chunks().0.iter().map(|&bytes| i64::from_le_bytes(bytes)).collect();
            }
            let is_list = shape.len() <= 1;
            let known = kind == INT64 && is_list && numbers.len() == elements && elements <= MOST_KNOWN;
            Ok((name, Extent { shape, integers: known.then_some(numbers) }))
        }
        _ => Err(format!("the tensor '{name}' has other numbers than its shape says")),
    }
}

/// Parts of a node, by names.
struct Parts {
    kind: String,
    inputs: Vec<String>,
    output: String,
    attributes: HashMap<String, Attribute>,
}

fn node(message: &[u8]) -> Result<Parts, String> {
    let (mut kind, mut inputs, mut outputs, mut attributes) = (String::new(), Vec::new(), Vec::new(), HashMap::new());
    for field in known("node", message, &[3, 4, 6, 7], &[1, 2, 5, 9])? {
        match field {
            (1, Field::Bytes(bytes)) => inputs.push(text(bytes)?),
            (2, Field::Bytes(bytes)) => outputs.push(text(bytes)?),
            (4, Field::Bytes(bytes)) => kind = text(bytes)?,
            (5, Field::Bytes(bytes)) => {
                let (name, attribute) = attribute(bytes)?;
                if attributes.insert(name.clone(), attribute).is_some() {
                    return Err(format!("a node has the attribute '{name}' twice"));
                }
                if attributes.len() > MOST_ATTRIBUTES {
                    return Err(format!("a node has more than {MOST_ATTRIBUTES} attributes"));
                }
            }
            (7, Field::Bytes(b"" | b"ai.onnx")) | (3 | 6 | 9, _) => {}
            (7, _) => return Err(format!("the operator {kind} is none of ONNX's own")),
            (number, _) => return Err(odd("node", number)),
        }
    }
    if group(&kind).is_none() {
        return Err(format!("the operator '{}' is not among those that models may use", kind.escape_debug()));
    }
    if kind == "Cast" {
        let to = attributes.get("to").and_then(|to: &Attribute| to.integers.first());
        size_of(to.map_or(0, |&to| to as u64))?;
    }
    if inputs.len() > MOST_INPUTS {
        return Err(format!("a node has {} inputs; at most {MOST_INPUTS} are read", inputs.len()));
    }
    while outputs.last().is_some_and(String::is_empty) {
        outputs.pop();
    }
    match <[String; 1]>::try_from(outputs) {
        Ok([output]) => Ok(Parts { kind, inputs, output, attributes }),
        Err(outputs) => Err(format!("{kind} has {} outputs, and models may have one of each node", outputs.len())),
    }
}

fn attribute(message: &[u8]) -> Result<(String, Attribute), String> {
    let (mut name, mut attribute) = (String::new(), Attribute::default());
    for field in known("attribute", message, &[1, 2, 3, 4, 5, 13, 20], &[7, 8, 9])? {
        match field {
            (1, Field::Bytes(bytes)) => name = text(bytes)?,
            (3 | 8, Field::Number(number)) => attribute.integers.push(number as i64),
            (8, Field::Bytes(bytes)) => attribute.integers.extend(packed(bytes)?),
            (4, Field::Bytes(bytes)) => attribute.text = Some(text(bytes)?),
            (5, Field::Bytes(bytes)) => attribute.tensor = Some(tensor(bytes)?.1),
            (2, Field::Fixed(_)) | (7 | 9 | 13 | 20, _) => {}
            (number, _) => return Err(odd("attribute", number)),
        }
    }
    Ok((name, attribute))
}
