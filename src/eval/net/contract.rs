//! Contract of a model file, in the metadata properties of the ONNX format:
//!
//! | key | value |
//! | --- | --- |
//! | `losange.game` | the game, by [`Planes::NAME`]: `hex`, `go` and so on |
//! | `losange.sizes` | board sizes, such as `11` or `5-13` or `9,13,19`; both sides of a rectangle count |
//! | `losange.features` | encoding of the input: [`Planes::ENCODING`] of the game, such as `hex-1`, or one of its [`Planes::FOREIGN`] |
//! | `losange.outputs` | what it gives, such as `value` or `value,policy,ownership`; see below |
//! | `losange.value_range` | of `value` and `actions`: `-1..1` or `0..1` |
//! | `losange.precision` | `float32` (also where nothing is said), `float16` or `int8` |
//! | `losange.advice` | visits of a position before a search by playouts asks the model about it; it values all leaves in the place of playouts if nothing is said, or 0 |
//! | `losange.scoring` | Go: what was counted in the games that it has learned from, `area` or `territory`; games that are counted in the other way are shown to it as if they were. Both, if nothing is said |
//! | `losange.trained_with`, `losange.licence` | free text |
//! | `losange.taught_by` | the net whose judgement it has learned, and that net's licence |
//!
//! Each output is a tensor of that name, with one row for each position, seen by the side to move in it:
//!
//! | output | numbers of a row |
//! | --- | --- |
//! | `value` | one: the expected result |
//! | `actions` | one for each move: the expected result after it |
//! | `policy` | one for each move: the logarithm, up to a constant, of its prior; in Amazons one for each step of an amazon and one for each arrow, whose sum counts ([`Planes::policy_entries`]) |
//! | `ownership` | one for each point: its expected owner, 1 for the side to move, -1 for the opponent |
//! | `score` | one: the expected lead in points |
//! | `outcomes` | three: the logarithms, up to a constant, of the chances of win, loss and no result |
//! | `scores` | six: the expected score, its standard deviation, the expected lead, the turns until the result is clear, the expected errors of the result and of the score within some turns; -1 for errors that are not known. Points are as if the game had a result |
//! | `optimistic` | one for each move: a second policy, of moves that may turn out better than expected |
//!
//! `value`, `actions`, or `outcomes` and `policy` must be there, and `value` where `policy`, `ownership` or `score` is without `outcomes`.
//!
//! The input is called `input`: positions, planes, rows, columns. The embedded runtime wants the attributes of convolutions
//! (pads, strides, dilations, group) written out, as PyTorch does.

use std::fmt;

use thiserror::Error;

use crate::game::{Foreign, Planes};
use crate::games::MOST_LINES;

use super::protobuf::{Field, fields, part, text, varint};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its name in the metadata.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            fn by_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.name() == name)
            }
        }
    };
}

words! {
    /// One of the things that a model gives for a position.
    Output,
    /// The expected result of the side to move.
    Value = "value",
    /// Expected result after each move.
    Actions = "actions",
    /// Logarithms of the priors of moves, up to a constant.
    Policy = "policy",
    /// Owners of the points.
    Ownership = "ownership",
    /// Lead in points.
    Score = "score",
    /// Logarithms of the chances of win, loss and no result, up to a constant.
    Outcomes = "outcomes",
    /// Score, its deviation, lead, time left, errors of result and score.
    Scores = "scores",
    /// Policy of moves that may turn out better than expected.
    Optimistic = "optimistic",
}

words! {
    /// Numbers that a model calculates with.
    Precision,
    /// 32-bit floating point.
    Float32 = "float32",
    /// 16-bit floating point, with 32-bit inputs and outputs.
    Float16 = "float16",
    /// Quantised to 8-bit integers, with 32-bit floating-point inputs and outputs.
    Int8 = "int8",
}

/// Why a file is no model for this engine.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ContractError {
    /// It is not in the ONNX format.
    #[error("it is no ONNX file, and does not begin like one of KataGo's ({0}): get it anew, or export it again")]
    Format(String),
    /// Fault of a file that begins like one of KataGo's.
    #[error("it is no network of KataGo ({0})")]
    KataGo(String),
    /// A property is missing.
    #[error("its metadata say nothing of '{0}'")]
    Missing(&'static str),
    /// A property has a value that means nothing.
    #[error("its metadata say '{found}' of '{key}', where {expected} was expected")]
    Value {
        /// The property.
        key: &'static str,
        /// Values that would mean something.
        expected: &'static str,
        /// The value that stands there.
        found: String,
    },
    /// It was made for something else.
    #[error("its {what} is {found}, and {expected} is needed")]
    Mismatch {
        /// Game, encoding, input or output.
        what: &'static str,
        /// The property that is needed.
        expected: String,
        /// The property that it has.
        found: String,
    },
}

/// An encoding of positions, among those that a game knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The game's own.
    Own,
    /// One of another program.
    Foreign {
        /// Its number in [`Planes::FOREIGN`].
        number: usize,
        /// Number of its planes.
        planes: usize,
        /// Numbers of a policy behind those of the game's moves.
        other_moves: usize,
    },
}

impl Encoding {
    /// Planes, rows and columns of a position.
    pub fn shape<G: Planes>(self, position: &G) -> [usize; 3] {
        match self {
            Self::Own => position.shape(),
            Self::Foreign { planes, .. } => {
                let [rows, columns] = position.board();
                [planes, rows, columns]
            }
        }
    }

    /// Numbers of a policy.
    pub fn policy<G: Planes>(self, position: &G) -> usize {
        match self {
            Self::Own => position.policy_count(),
            Self::Foreign { other_moves, .. } => position.policy_count() + other_moves,
        }
    }

    /// Appends the planes of a position under a symmetry.
    pub fn write<G: Planes>(self, position: &G, symmetry: usize, planes: &mut Vec<f32>) {
        match self {
            Self::Own => position.write_planes(symmetry, planes),
            Self::Foreign { number, .. } => position.write_foreign(number, symmetry, planes),
        }
    }
}

/// An input or output of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its dimensions; `None` where any number goes.
    pub shape: Vec<Option<i64>>,
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dimensions: Vec<_> = self.shape.iter().map(|d| d.map_or("?".to_owned(), |d| d.to_string())).collect();
        write!(f, "{} [{}]", self.name, dimensions.join(", "))
    }
}

/// A model file's description of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// Name of the game.
    pub game: String,
    /// Board sizes that it serves, as ranges.
    pub sizes: Vec<(usize, usize)>,
    /// Encoding of its input.
    pub encoding: String,
    /// Outputs, in the order of the metadata.
    pub outputs: Vec<Output>,
    /// Numbers that it calculates with.
    pub precision: Precision,
    /// Values of a lost and of a won position.
    pub range: (f32, f32),
    /// Visits of a position before a search by playouts asks it; 0 where it values all leaves in the place of playouts.
    pub advice: u32,
    /// Way of counting at the end of the games that it knows, if not all of them.
    pub scoring: Option<String>,
    /// How it was trained, in words.
    pub trained_with: Option<String>,
    /// The net that taught it and that net's licence, in words.
    pub taught_by: Option<String>,
    /// Its licence.
    pub licence: Option<String>,
    /// Whether it imitates people, of whom it is told with each position.
    pub imitates: bool,
    /// Inputs of the graph.
    pub inputs: Vec<Port>,
    /// Outputs of the graph.
    pub ports: Vec<Port>,
    /// Number of weights.
    pub parameters: u64,
    /// Size of the file in bytes.
    pub bytes: usize,
}

impl ModelFile {
    /// Reads the description out of a file's bytes.
    ///
    /// # Errors
    /// [`ContractError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, ContractError> {
        let file = File::parse(bytes).map_err(ContractError::Format)?;
        let property = |key: &'static str| {
            let entry = file.properties.iter().find(|p| p.0 == key);
            entry.map(|p| p.1.clone()).ok_or(ContractError::Missing(key))
        };
        let bad = |key, expected| move |found: String| ContractError::Value { key, expected, found };
        let sizes = property("losange.sizes")?;
        let outputs = property("losange.outputs")?;
        let range = property("losange.value_range")?;
        Ok(Self {
            game: property("losange.game")?,
            sizes: ranges(&sizes)
                .ok_or_else(|| bad("losange.sizes", "a list of sizes such as '9,13-19'")(sizes.clone()))?,
            encoding: property("losange.features")?,
            outputs: self::outputs(&outputs).ok_or_else(|| {
                bad("losange.outputs", "a list such as 'value', 'actions' or 'value,policy'")(outputs)
            })?,
            precision: match property("losange.precision") {
                Ok(name) => Precision::by_name(&name)
                    .ok_or_else(|| bad("losange.precision", "'float32', 'float16' or 'int8'")(name))?,
                Err(_) => Precision::Float32,
            },
            range: match range.as_str() {
                "-1..1" => (-1.0, 1.0),
                "0..1" => (0.0, 1.0),
                _ => return Err(bad("losange.value_range", "'-1..1' or '0..1'")(range)),
            },
            advice: match property("losange.advice") {
                Ok(visits) => visits.parse().map_err(|_| bad("losange.advice", "a number of visits")(visits))?,
                Err(_) => 0,
            },
            scoring: match property("losange.scoring") {
                Ok(way) if !["area", "territory"].contains(&way.as_str()) => {
                    return Err(bad("losange.scoring", "'area' or 'territory'")(way));
                }
                way => way.ok(),
            },
            trained_with: property("losange.trained_with").ok(),
            taught_by: property("losange.taught_by").ok(),
            licence: property("losange.licence").ok(),
            imitates: false,
            inputs: file.inputs,
            ports: file.outputs,
            parameters: file.parameters,
            bytes: bytes.len(),
        })
    }

    /// Whether it was made for a board of so many rows and columns.
    pub fn serves(&self, rows: usize, columns: usize) -> bool {
        [rows, columns].iter().all(|n| self.sizes.iter().any(|(low, high)| (low..=high).contains(&n)))
    }

    /// Way of counting at the end that it knows, where it is another than the one given.
    pub fn other_scoring(&self, scoring: Option<&str>) -> Option<&str> {
        self.scoring.as_deref().filter(|known| scoring.is_some_and(|scoring| scoring != *known))
    }

    /// The smallest board that it serves.
    pub fn smallest_size(&self) -> usize {
        self.sizes.iter().map(|&(low, _)| low).min().unwrap_or(1)
    }

    /// The largest board that it serves.
    pub fn largest_size(&self) -> usize {
        self.sizes.iter().map(|&(_, high)| high).max().unwrap_or(1)
    }

    /// Encoding of its input, if it is for that game and takes what the game can be written as.
    ///
    /// # Errors
    /// Fault of the model.
    pub fn check<G: Planes>(&self) -> Result<Encoding, ContractError> {
        let mismatch = |what, expected: String, found: String| Err(ContractError::Mismatch { what, expected, found });
        if self.game != G::NAME {
            return mismatch("game", G::NAME.to_owned(), self.game.clone());
        }
        let foreign = G::FOREIGN.iter().enumerate().find(|(_, foreign)| foreign.name == self.encoding);
        let encoding = match foreign {
            Some((number, &Foreign { planes, other_moves, .. })) => Encoding::Foreign { number, planes, other_moves },
            None if self.encoding == G::ENCODING => Encoding::Own,
            None => {
                let known = std::iter::once(G::ENCODING).chain(G::FOREIGN.iter().map(|foreign| foreign.name));
                return mismatch("encoding", known.collect::<Vec<_>>().join(" or "), self.encoding.clone());
            }
        };
        Ok(encoding)
    }

    /// Whether its input takes planes of that shape, and it gives what it says.
    ///
    /// # Errors
    /// Fault of the model.
    pub fn check_ports(&self, shape: [usize; 3]) -> Result<(), ContractError> {
        let mismatch = |what, expected: String, found: String| Err(ContractError::Mismatch { what, expected, found });
        let listed = |ports: &[Port]| ports.iter().map(Port::to_string).collect::<Vec<_>>().join(", ");
        let [planes, rows, columns] = shape.map(|n| n as i64);
        let fits = |port: &Port| {
            port.name == "input"
                && port.shape.len() == 4
                && [None, Some(planes), Some(rows), Some(columns)]
                    .iter()
                    .zip(&port.shape)
                    .all(|(want, have)| have.is_none() || want.is_some() && want == have)
        };
        if !matches!(self.inputs.as_slice(), [port] if fits(port)) {
            return mismatch("input", format!("input [?, {planes}, {rows}, {columns}]"), listed(&self.inputs));
        }
        match self.outputs.iter().find(|output| !self.ports.iter().any(|port| port.name == output.name())) {
            Some(output) => mismatch("output", output.name().to_owned(), listed(&self.ports)),
            None => Ok(()),
        }
    }

    /// Whether it gives that.
    pub fn gives(&self, output: Output) -> bool {
        self.outputs.contains(&output)
    }

    /// Whether another file is the same model in another precision, as far as its description tells.
    pub fn is_variant_of(&self, other: &Self) -> bool {
        let told = |m: &Self| (m.game.clone(), m.sizes.clone(), m.encoding.clone(), m.outputs.clone(), m.range);
        told(self) == told(other)
    }
}

/// Parts of an ONNX file that matter here. The numbers are the field numbers of its format (`onnx.proto`).
#[derive(Debug, Default)]
struct File {
    properties: Vec<(String, String)>,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    parameters: u64,
}

impl File {
    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let (mut file, mut graph) = (Self::default(), None);
        for field in fields(bytes) {
            match field? {
                (7, Field::Bytes(message)) => graph = Some(message),
                (14, Field::Bytes(message)) => file.properties.push((text(message, 1)?, text(message, 2)?)),
                _ => {}
            }
        }
        for field in fields(graph.ok_or("it has no graph")?) {
            match field? {
                (5, Field::Bytes(tensor)) => file.parameters = file.parameters.saturating_add(weights(tensor)?),
                (11, Field::Bytes(info)) => file.inputs.push(port(info)?),
                (12, Field::Bytes(info)) => file.outputs.push(port(info)?),
                _ => {}
            }
        }
        Ok(file)
    }
}

/// Number of elements of a tensor.
fn weights(tensor: &[u8]) -> Result<u64, String> {
    let mut count = 1_u64;
    for field in fields(tensor) {
        match field? {
            (1, Field::Number(n)) => count = count.saturating_mul(n),
            (1, Field::Bytes(mut packed)) => {
                while !packed.is_empty() {
                    count = count.saturating_mul(varint(&mut packed)?);
                }
            }
            _ => {}
        }
    }
    Ok(count)
}

/// Name and shape of an input or output.
fn port(info: &[u8]) -> Result<Port, String> {
    let shape = part(part(part(info, 2)?, 1)?, 2)?;
    let mut dimensions = Vec::new();
    for field in fields(shape) {
        if let (1, Field::Bytes(dimension)) = field? {
            let size = fields(dimension).find_map(|field| match field {
                Ok((1, Field::Number(n))) => i64::try_from(n).ok(),
                _ => None,
            });
            dimensions.push(size);
        }
    }
    Ok(Port { name: text(info, 1)?, shape: dimensions })
}

/// `value,policy` as a list without repetition, if it is one that makes sense.
fn outputs(text: &str) -> Option<Vec<Output>> {
    let listed: Vec<_> = text.split(',').map(|name| Output::by_name(name.trim())).collect::<Option<_>>()?;
    let gives = |output| listed.contains(&output);
    let judged = gives(Output::Outcomes) && gives(Output::Policy);
    let whole = gives(Output::Value) || listed == [Output::Actions] || judged;
    let once = listed.iter().enumerate().all(|(i, output)| !listed[..i].contains(output));
    (whole && once).then_some(listed)
}

/// `9,13-19` as ranges.
fn ranges(text: &str) -> Option<Vec<(usize, usize)>> {
    text.split(',')
        .map(|part| {
            let (low, high) = part.split_once('-').unwrap_or((part, part));
            let range = (low.trim().parse().ok()?, high.trim().parse().ok()?);
            (1 <= range.0 && range.0 <= range.1 && range.1 <= MOST_LINES).then_some(range)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(ranges("11"), Some(vec![(11, 11)]));
        assert_eq!(ranges("5-9, 13"), Some(vec![(5, 9), (13, 13)]));
        for bad in ["", "x", "9-5", "0-3", "5-33", "5--6"] {
            assert_eq!(ranges(bad), None, "{bad}");
        }
    }

    #[test]
    fn outputs_are_read() {
        use Output::{Actions, Policy, Score, Value};
        assert_eq!(outputs("actions"), Some(vec![Actions]));
        assert_eq!(outputs("policy, value,score"), Some(vec![Policy, Value, Score]));
        assert_eq!(outputs("value,actions"), Some(vec![Value, Actions]));
        for bad in ["", "x", "policy", "actions,policy", "value,value", "value,"] {
            assert_eq!(outputs(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_no_onnx_file_is_refused() {
        for bytes in [&b""[..], b"not an ONNX file", &[0xff; 64]] {
            assert!(matches!(ModelFile::parse(bytes), Err(ContractError::Format(_))), "{bytes:?}");
        }
    }
}
