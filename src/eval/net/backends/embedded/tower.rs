//! The part of a model that takes nearly all of the time: the convolutions from the input on, what connects them, and what is added to
//! whole channels between them.

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;

use super::aligned::LANES;
use super::convolution::{Convolution, MapRoom};
use super::dense::Dense;
use super::graph::{Graph, Node, Tensor};
use super::instructions::Instructions;
use super::map::{Map, Pooling, Shift, TakePool};
use super::rooms::Rooms;
use crate::eval::Wanted;
use crate::eval::net::runtime::{Batch, RunError};

/// Number of a map, or of a vector, among those that a run needs.
type Place = usize;

/// One calculation.
#[derive(Debug)]
enum Step {
    Convolve {
        by: Convolution,
        from: Place,
        plus: Option<Place>,
        rectify: bool,
        to: Place,
    },
    Pool {
        pool: Pooling,
        from: Place,
        to: Place,
    },
    Dense {
        by: Dense,
        from: Place,
        to: Place,
    },
    /// One vector behind the other.
    Join {
        from: Vec<Place>,
        to: Place,
    },
    Shift {
        from: Place,
        by: Place,
        rectify: bool,
        to: Place,
    },
}

/// Meaning of a name of the graph.
#[derive(Clone, Copy, Debug)]
enum Value {
    Map { place: Place, channels: usize },
    Vector { place: Place, length: usize, dimensions: usize },
}

/// A map or a vector that the rest of the graph needs.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// Its name in the graph.
    pub(super) name: String,
    value: Value,
}

impl Given {
    /// Its shape on such a board, that of ONNX without the batch.
    pub(super) fn shape(&self, [rows, columns]: [usize; 2]) -> Vec<usize> {
        match self.value {
            Value::Map { channels, .. } => vec![channels, rows, columns],
            Value::Vector { length, .. } => vec![length],
        }
    }
}

/// A plan of all steps.
#[derive(Debug)]
pub(super) struct Tower {
    steps: Vec<Step>,
    inputs: usize,
    maps: Vec<usize>,
    vectors: Vec<usize>,
    instructions: Instructions,
    /// In the order of what a run gives.
    pub(super) given: Vec<Given>,
    /// Numbers of the nodes that are not calculated here.
    pub(super) left: Vec<usize>,
    /// Memory that no run uses now; as much for each board as there were runs at once.
    rooms: Rooms<[usize; 2], Room>,
    /// Numbers that were given and nobody needs any more.
    spare: Mutex<Vec<Vec<Vec<f32>>>>,
}

/// Memory that a run writes to, kept for the next one on such a board.
#[derive(Debug)]
struct Room {
    maps: Vec<Map>,
    /// Each with what fills its last block.
    vectors: Vec<Vec<f32>>,
    scratch: MapRoom,
}

/// A plan under construction.
struct Planner<'a> {
    graph: &'a Graph,
    /// Nodes that need each name; a model's output needs one more.
    uses: HashMap<&'a str, usize>,
    values: HashMap<&'a str, Value>,
    planned: HashSet<usize>,
    steps: Vec<Step>,
    maps: Vec<usize>,
    vectors: Vec<usize>,
    instructions: Instructions,
}

impl<'a> Planner<'a> {
    fn tensor(&self, node: &Node, input: usize) -> Option<&'a Tensor> {
        self.graph.tensors.get(node.inputs.get(input)?)
    }

    fn map(&self, name: &str) -> Option<(Place, usize)> {
        match self.values.get(name) {
            Some(&Value::Map { place, channels }) => Some((place, channels)),
            _ => None,
        }
    }

    /// A vector as it is calculated, and its length.
    fn vector(&self, name: &str) -> Option<(Place, usize)> {
        match self.values.get(name) {
            Some(&Value::Vector { place, length, dimensions: 2 }) => Some((place, length)),
            _ => None,
        }
    }

    fn new_map(&mut self, name: &'a str, channels: usize) -> Place {
        let place = self.maps.len();
        self.maps.push(channels);
        self.values.insert(name, Value::Map { place, channels });
        place
    }

    fn new_vector(&mut self, name: &'a str, length: usize) -> Place {
        let place = self.vectors.len();
        self.vectors.push(length);
        self.values.insert(name, Value::Vector { place, length, dimensions: 2 });
        place
    }

    /// The only node that needs a name, if there is no other one.
    fn only_use(&self, name: &str) -> Option<(usize, &'a Node)> {
        let mut users = self.graph.nodes.iter().enumerate().filter(|(_, node)| node.inputs.iter().any(|i| i == name));
        users.next().filter(|_| self.uses.get(name) == Some(&1))
    }

    /// Plans a node, and those after it that are done with it. `None` where it is left to the library.
    fn plan(&mut self, number: usize, node: &'a Node) -> Option<()> {
        let [output] = node.outputs.as_slice() else { return None };
        match node.kind.as_str() {
            "Conv" => self.convolve(node, output)?,
            kind @ ("ReduceMean" | "ReduceMax") if node.integers("keepdims") == [0] => {
                let axes = self.tensor(node, 1).map_or(node.integers("axes"), |tensor| &tensor.integers);
                let (from, channels) = self.map(node.inputs.first()?).filter(|_| axes == [2, 3])?;
                let to = self.new_vector(output, channels);
                let pool = if kind == "ReduceMean" { Pooling::Mean } else { Pooling::Most };
                self.steps.push(Step::Pool { pool, from, to });
            }
            "Concat" if node.integers("axis") == [1] => {
                let parts = node.inputs.iter().map(|input| self.vector(input));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                let to = self.new_vector(output, parts.iter().map(|(_, length)| length).sum());
                self.steps.push(Step::Join { from: parts.into_iter().map(|(place, _)| place).collect(), to });
            }
            "Gemm" => self.dense(node, output)?,
            "Unsqueeze" => {
                let Value::Vector { place, length, dimensions } = *self.values.get(node.inputs.first()?.as_str())?
                else {
                    return None;
                };
                let [axis] = self.tensor(node, 1)?.integers[..] else { return None };
                let last = axis == -1 || axis == dimensions as i64;
                let value = Value::Vector { place, length, dimensions: dimensions + 1 };
                self.values.insert(output, last.then_some(value)?);
            }
            "Add" => {
                let [a, b] = node.inputs.as_slice() else { return None };
                let (map, vector) = if self.map(a).is_some() { (a, b) } else { (b, a) };
                let (from, channels) = self.map(map)?;
                let Value::Vector { place: by, length, dimensions: 4 } = *self.values.get(vector.as_str())? else {
                    return None;
                };
                (length == channels).then_some(())?;
                let (name, rectify) = self.rectified(output);
                let to = self.new_map(name, channels);
                self.steps.push(Step::Shift { from, by, rectify, to });
            }
            _ => return None,
        }
        self.planned.insert(number);
        Some(())
    }

    fn convolve(&mut self, node: &'a Node, output: &'a str) -> Option<()> {
        let (from, inputs) = self.map(node.inputs.first()?)?;
        let (weights, bias) = (self.tensor(node, 1)?, self.tensor(node, 2)?);
        let &[outputs, of, window @ (1 | 3), columns] = weights.shape.as_slice() else { return None };
        let numbers = outputs.saturating_mul(inputs).saturating_mul(window * window);
        let whole = of == inputs && numbers > 0 && weights.floats.len() == numbers && bias.floats.len() == outputs;
        let whole = whole && columns == window;
        let pads = [window as i64 / 2; 4];
        let plain = [("pads", &pads[..]), ("strides", &[1; 2]), ("dilations", &[1; 2]), ("group", &[1])];
        (whole && plain.into_iter().all(|(name, value)| node.integers(name) == value)).then_some(())?;
        let mut name = output;
        let mut plus = None;
        if let Some((number, next)) = self.only_use(name).filter(|(_, next)| next.kind == "Add") {
            let other = next.inputs.iter().find(|input| *input != name)?;
            if let Some((place, _)) = self.map(other).filter(|&(_, channels)| channels == outputs) {
                plus = Some(place);
                name = next.outputs.first()?;
                self.planned.insert(number);
            }
        }
        let (name, rectify) = self.rectified(name);
        let by = Convolution::new(outputs, inputs, window, &weights.floats, &bias.floats, self.instructions);
        let to = self.new_map(name, outputs);
        self.steps.push(Step::Convolve { by, from, plus, rectify, to });
        Some(())
    }

    /// The name of what becomes of a map where negative numbers become zeros and that is all that it is needed for, which is planned
    /// then. Else its own name.
    fn rectified(&mut self, name: &'a str) -> (&'a str, bool) {
        let rectifier = self.only_use(name).filter(|(_, next)| next.kind == "Relu");
        match rectifier.and_then(|(number, next)| Some((number, next.outputs.first()?))) {
            Some((number, output)) => {
                self.planned.insert(number);
                (output, true)
            }
            None => (name, false),
        }
    }

    fn dense(&mut self, node: &'a Node, output: &'a str) -> Option<()> {
        let (from, length) = self.vector(node.inputs.first()?)?;
        let by = Dense::new(self.graph, node, self.instructions).filter(|dense| dense.inputs() == length)?;
        let to = self.new_vector(output, by.outputs());
        self.steps.push(Step::Dense { by, from, to });
        Some(())
    }

    /// Names that the nodes left to the library need. What changes the shape of a vector for it is left to it too.
    fn needed(&mut self) -> HashSet<&'a str> {
        loop {
            let left = self.graph.nodes.iter().enumerate().filter(|(number, _)| !self.planned.contains(number));
            let needed = left.flat_map(|(_, node)| &node.inputs).chain(&self.graph.outputs).map(String::as_str);
            let needed: HashSet<&str> = needed.filter(|&name| name != "input").collect();
            let shapes = |name: &str| match self.values.get(name) {
                Some(Value::Vector { dimensions, .. }) => *dimensions != 2 && needed.contains(name),
                _ => false,
            };
            let gives_shaped = |node: &Node| node.outputs.iter().any(|name| shapes(name));
            let planned = self.planned.iter().copied();
            let back: Vec<usize> = planned.filter(|&number| gives_shaped(&self.graph.nodes[number])).collect();
            if back.is_empty() {
                return needed;
            }
            back.iter().for_each(|number| _ = self.planned.remove(number));
        }
    }
}

impl Tower {
    /// The tower of a model with so many planes; `None` if it has none.
    pub(super) fn new(graph: &Graph, inputs: usize, instructions: Instructions) -> Option<Self> {
        let mut uses = HashMap::new();
        for name in graph.nodes.iter().flat_map(|node| &node.inputs).chain(&graph.outputs) {
            *uses.entry(name.as_str()).or_default() += 1;
        }
        let values = HashMap::from([("input", Value::Map { place: 0, channels: inputs })]);
        let (planned, steps) = (HashSet::new(), Vec::new());
        let (maps, vectors) = (vec![inputs], Vec::new());
        let mut planner = Planner { graph, uses, values, planned, steps, maps, vectors, instructions };
        for (number, node) in graph.nodes.iter().enumerate() {
            if !planner.planned.contains(&number) {
                planner.plan(number, node);
            }
        }
        let mut given = Vec::new();
        for name in planner.needed() {
            if let Some(&value) = planner.values.get(name) {
                given.push(Given { name: name.to_owned(), value });
            }
        }
        let Planner { mut steps, maps, vectors, planned, .. } = planner;
        let left = (0..graph.nodes.len()).filter(|number| !planned.contains(number)).collect();
        // Vectors that nobody needs are not calculated.
        let of_vector = |given: &Given| match given.value {
            Value::Vector { place, .. } => Some(place),
            Value::Map { .. } => None,
        };
        let mut used: HashSet<Place> = given.iter().filter_map(of_vector).collect();
        for step in steps.iter().rev() {
            match step {
                Step::Shift { by, .. } => used.extend([*by]),
                Step::Dense { from, to, .. } if used.contains(to) => used.extend([*from]),
                Step::Join { from, to } if used.contains(to) => used.extend(from),
                _ => {}
            }
        }
        steps.retain(|step| match step {
            Step::Pool { to, .. } | Step::Dense { to, .. } | Step::Join { to, .. } => used.contains(to),
            Step::Convolve { .. } | Step::Shift { .. } => true,
        });
        given.sort_by(|a, b| a.name.cmp(&b.name));
        let convolves = steps.iter().any(|step| matches!(step, Step::Convolve { .. }));
        (convolves && !given.is_empty()).then(|| Self {
            steps,
            inputs,
            maps,
            vectors,
            instructions,
            given,
            left,
            rooms: Rooms::default(),
            spare: Mutex::default(),
        })
    }

    fn room(&self, board: [usize; 2]) -> Room {
        self.rooms.take(board).unwrap_or_else(|| Room {
            maps: self.maps.iter().map(|&channels| Map::new(board[0], board[1], channels)).collect(),
            vectors: self.vectors.iter().map(|&length| vec![0.0; length.next_multiple_of(LANES)]).collect(),
            scratch: MapRoom::default(),
        })
    }

    /// Calculates what is given for each position, position after position: of maps channels, rows, columns.
    pub(super) fn run(&self, batch: Batch<'_>, wanted: Wanted<'_>) -> Result<Vec<Vec<f32>>, RunError> {
        let [positions, planes, rows, columns] = batch.shape;
        if planes != self.inputs {
            return Err(RunError::Failed(format!("{planes} planes where {} are expected", self.inputs)));
        }
        let mut room = self.room([rows, columns]);
        let mut given = self.spare.lock().pop().unwrap_or_default();
        given.resize_with(self.given.len(), Vec::new);
        for (numbers, given) in given.iter_mut().zip(&self.given) {
            numbers.clear();
            numbers.reserve_exact(positions * given.shape([rows, columns]).iter().product::<usize>());
        }
        for position in batch.planes.chunks_exact(planes * rows * columns) {
            if !wanted() {
                self.rooms.keep([rows, columns], room);
                return Err(RunError::Cancelled);
            }
            room.maps[0].read(position);
            self.steps.iter().for_each(|step| self.take(step, &mut room));
            for (given, numbers) in self.given.iter().zip(&mut given) {
                match given.value {
                    Value::Map { place, channels } => room.maps[place].write(channels, numbers),
                    Value::Vector { place, length, .. } => numbers.extend_from_slice(&room.vectors[place][..length]),
                }
            }
        }
        self.rooms.keep([rows, columns], room);
        Ok(given)
    }

    /// Keeps what [`Tower::run`] gave as memory for the next call.
    pub(super) fn take_back(&self, given: Vec<Vec<f32>>) {
        self.spare.lock().push(given);
    }

    fn take(&self, step: &Step, room: &mut Room) {
        // Steps write to places above those that they read.
        let Room { maps, vectors, scratch, .. } = room;
        match step {
            Step::Convolve { by, from, plus, rectify, to } => {
                let (read, write) = maps.split_at_mut(*to);
                by.run(&read[*from], plus.map(|plus| &read[plus]), *rectify, &mut write[0], scratch);
            }
            &Step::Pool { pool, from, to } => {
                self.instructions.run(TakePool { pool, from: &maps[from], to: &mut vectors[to] });
            }
            Step::Dense { by, from, to } => {
                let (read, write) = vectors.split_at_mut(*to);
                by.run(&read[*from], &mut write[0]);
            }
            Step::Join { from, to } => {
                let (read, write) = vectors.split_at_mut(*to);
                let mut to = write[0].as_mut_slice();
                for &place in from {
                    let (own, rest) = to.split_at_mut(self.vectors[place]);
                    own.copy_from_slice(&read[place][..own.len()]);
                    to = rest;
                }
            }
            &Step::Shift { from, by, rectify, to } => {
                let (read, write) = maps.split_at_mut(to);
                self.instructions.run(Shift { from: &read[from], by: &vectors[by], rectify, to: &mut write[0] });
            }
        }
    }
}
