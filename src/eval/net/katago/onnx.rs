//! Networks of KataGo's written as ONNX, with all calculations inside, so that any back end runs them.
//!
//! A graph serves all boards, or those of one size, about which nothing is to be calculated then.

mod attention;
mod board;
mod graph;
mod layers;

use thiserror::Error;

use self::board::{BoardValues, LARGEST_SIDE};
use self::graph::{GraphWriter, Setting};
use super::net::{Block, Convolution, Matrix, Nested, Net, Norm, PolicyHead, Pooling, Trunk, ValueHead};
use crate::eval::net::contract::{ModelFile, Output};

/// Largest file that the format can have.
const LARGEST_FILE: u64 = (1 << 31) - 1;

/// Why a network cannot be written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(in crate::eval::net) enum OnnxError {
    /// There are no such boards.
    #[error("a board of {0}x{0} is too large or none; sides up to {LARGEST_SIDE} are possible")]
    Size(usize),
    /// Network that asks who plays.
    #[error("it imitates players and has an input for what is known of one, which models may not have")]
    Player,
    /// Network too large for one file.
    #[error("it has {0} weights, which are too many for an ONNX file")]
    TooLarge(u64),
}

/// Writes a network that has that description, for boards of so many lines, or for all.
///
/// # Errors
/// [`OnnxError`].
pub(in crate::eval::net) fn onnx(
    net: &Net,
    description: &ModelFile,
    lines: Option<usize>,
) -> Result<Vec<u8>, OnnxError> {
    if let Some(lines) = lines.filter(|lines| !(1..=LARGEST_SIDE).contains(lines)) {
        return Err(OnnxError::Size(lines));
    }
    let size = lines.map(|lines| [lines; 2]);
    if net.trunk.player.is_some() {
        return Err(OnnxError::Player);
    }
    // The first layer has weights for the numbers at each point of its window.
    let first = &net.trunk.planes;
    let more = first.weights.len() * Net::NUMBERS / Net::PLANES;
    if net.parameters.saturating_add(more as u64).saturating_mul(5) > LARGEST_FILE {
        return Err(OnnxError::TooLarge(net.parameters));
    }
    let mut graph = GraphWriter::default();
    let sides = size.map_or([None; 2], |size| size.map(Some));
    graph.input("input", &[None, Some(Net::PLANES + Net::NUMBERS), sides[0], sides[1]]);
    let points = size.map(|[rows, columns]| rows * columns);
    let board = BoardValues::new(&mut graph, size);
    let mut writer = Writer { graph, board };
    let trunk = writer.trunk(&net.trunk);
    writer.policies(&trunk, &net.policy);
    writer.values(&trunk, net);
    for output in &description.outputs {
        let numbers = match output {
            Output::Outcomes => Some(3),
            Output::Scores => Some(6),
            Output::Ownership => points,
            _ => points.map(|points| points + 1),
        };
        writer.graph.output(output.name(), &[None, numbers]);
    }
    let names: Vec<&str> = description.outputs.iter().map(|output| output.name()).collect();
    let all = || description.sizes.iter().map(|(low, high)| format!("{low}-{high}")).collect::<Vec<_>>().join(",");
    let sizes = lines.map_or_else(all, |lines| lines.to_string());
    Ok(writer.graph.file(&[
        ("losange.game", &description.game),
        ("losange.sizes", &sizes),
        ("losange.features", &description.encoding),
        ("losange.outputs", &names.join(",")),
        ("losange.value_range", "-1..1"),
        ("losange.trained_with", description.trained_with.as_deref().unwrap_or_default()),
    ]))
}

struct Writer {
    graph: GraphWriter,
    board: BoardValues,
}

impl Writer {
    fn trunk(&mut self, trunk: &Trunk) -> String {
        let mut x = self.graph.convolution("input", &start(trunk), None, None);
        x = self.blocks(x, &trunk.blocks, trunk.planes.outputs);
        x = match &trunk.tip {
            Norm::Affine(norm) => self.graph.norm(&x, norm),
            Norm::RootMeanSquare { norm, bias, over_points } => {
                let axes: &[i64] = if *over_points { &[1, 2, 3] } else { &[1] };
                let scaled = self.graph.scaled_by_root(&x, norm, axes);
                self.graph.affine(&scaled, &[1, bias.len(), 1, 1], &norm.factor, bias)
            }
        };
        self.graph.activated(&x, trunk.activation)
    }

    /// Blocks on a map; those of transformers work on a row of points.
    fn blocks(&mut self, mut x: String, blocks: &[Block], channels: usize) -> String {
        let mut is_row = false;
        for block in blocks {
            let wants_row = matches!(block, Block::Attention(_) | Block::FeedForward(_));
            if wants_row != is_row {
                x = if wants_row {
                    self.graph.row(&x, channels)
                } else {
                    self.graph.map(&x, channels, &mut self.board)
                };
                is_row = wants_row;
            }
            x = match block {
                Block::Ordinary(block) => {
                    let y = self.graph.norm(&x, &block.first_norm);
                    let y = self.graph.activated(&y, block.first_activation);
                    let y = self.graph.normed(&y, &block.first, &block.second_norm);
                    let y = self.graph.activated(&y, block.second_activation);
                    self.added(&x, &y, &block.second)
                }
                Block::Pooling(block) => self.pooling(&x, block),
                Block::Nested(block) => self.nested(&x, block),
                Block::Attention(block) => self.graph.attention(&x, block, &mut self.board),
                Block::FeedForward(block) => self.graph.feed_forward(&x, block),
            };
        }
        if is_row { self.graph.map(&x, channels, &mut self.board) } else { x }
    }

    fn added(&mut self, x: &str, y: &str, layer: &Convolution) -> String {
        let y = self.graph.convolution(y, layer, None, None);
        self.graph.node("Add", &[x, &y], &[])
    }

    fn nested(&mut self, x: &str, block: &Nested) -> String {
        let y = self.graph.norm(x, &block.first_norm);
        let y = self.graph.activated(&y, block.first_activation);
        let y = self.graph.convolution(&y, &block.first, None, None);
        let y = self.blocks(y, &block.blocks, block.first.outputs);
        let y = self.graph.norm(&y, &block.last_norm);
        let y = self.graph.activated(&y, block.last_activation);
        self.added(x, &y, &block.last)
    }

    fn pooling(&mut self, x: &str, block: &Pooling) -> String {
        let y = self.graph.norm(x, &block.first_norm);
        let y = self.graph.activated(&y, block.first_activation);
        let pooled = self.graph.normed(&y, &block.pooling, &block.pooling_norm);
        let pooled = self.graph.activated(&pooled, block.pooling_activation);
        let pooled = self.graph.pooled(&pooled, &self.board, false);
        // The second norm is folded into both that are added.
        let norm = &block.second_norm;
        let row = self.graph.dense(&pooled, &block.pooled, Some(&norm.factor), &norm.bias);
        let y = self.graph.convolution(&y, &block.first, Some(&norm.factor), None);
        let y = self.graph.spread(&y, &row);
        let y = self.graph.activated(&y, block.second_activation);
        self.added(x, &y, &block.second)
    }

    fn policies(&mut self, trunk: &str, head: &PolicyHead) {
        let pooled = self.graph.normed(trunk, &head.pooling, &head.pooling_norm);
        let pooled = self.graph.activated(&pooled, head.pooling_activation);
        let pooled = self.graph.pooled(&pooled, &self.board, false);
        let row = self.graph.dense(&pooled, &head.pooled, Some(&head.norm.factor), &head.norm.bias);
        let map = self.graph.convolution(trunk, &head.points, Some(&head.norm.factor), None);
        let map = self.graph.spread(&map, &row);
        let map = self.graph.activated(&map, head.activation);
        let (before_pass, pass) = match &head.hidden_pass {
            None => (pooled, &head.pass),
            Some(hidden) => {
                let row = self.graph.dense(&pooled, &head.pass, None, &hidden.bias);
                (self.graph.activated(&row, hidden.activation), &hidden.out)
            }
        };
        for (channel, name) in ["policy", "optimistic"].into_iter().take(head.out.outputs).enumerate() {
            let points =
                Convolution { outputs: 1, weights: column(&head.out.weights, head.out.outputs, channel), ..head.out };
            let points = self.graph.convolution(&map, &points, None, None);
            let points = self.graph.node("Flatten", &[&points], &[("axis", Setting::Integer(1))]);
            let weights = column(&pass.weights, pass.outputs, channel);
            let pass =
                self.graph.dense(&before_pass, &Matrix { inputs: pass.inputs, outputs: 1, weights }, None, &[0.0]);
            self.graph.named(name, "Concat", &[&points, &pass], &[("axis", Setting::Integer(1))]);
        }
    }

    fn values(&mut self, trunk: &str, net: &Net) {
        let head = &net.value;
        let map = self.graph.normed(trunk, &head.points, &head.norm);
        let map = self.graph.activated(&map, head.activation);
        let owners = self.graph.convolution(&map, &head.ownership, None, None);
        let owners = self.graph.node("Tanh", &[&owners], &[]);
        self.graph.named("ownership", "Flatten", &[&owners], &[("axis", Setting::Integer(1))]);
        let row = self.graph.pooled(&map, &self.board, true);
        let row = self.graph.dense(&row, &head.hidden, None, &head.hidden_bias);
        let row = self.graph.activated(&row, head.hidden_activation);
        let outcomes = self.graph.dense(&row, &head.outcome, None, &head.outcome_bias);
        self.graph.named("outcomes", "Identity", &[&outcomes], &[]);
        self.scores(&row, head, net);
    }

    /// The six numbers: those that stay as they are, those that are made positive, and the errors.
    fn scores(&mut self, row: &str, head: &ValueHead, net: &Net) {
        let factors = &net.factors;
        let plain = self.raw(row, head, [(0, factors.score_mean), (2, factors.lead)]);
        let soft = self.raw(row, head, [(1, 1.0), (3, 1.0)]);
        let soft = self.graph.node("Softplus", &[&soft], &[]);
        let soft = self.times(&soft, [factors.score_deviation, factors.time_left]);
        let errors = self.errors(row, head, net);
        let all = self.graph.node("Concat", &[&plain, &soft, &errors], &[("axis", Setting::Integer(1))]);
        let order = self.graph.integers(&[0, 2, 1, 3, 4, 5]);
        self.graph.named("scores", "Gather", &[&all, &order], &[("axis", Setting::Integer(1))]);
    }

    fn errors(&mut self, row: &str, head: &ValueHead, net: &Net) -> String {
        let factors = [net.factors.result_error, net.factors.score_error];
        if net.version < 9 {
            let none = Matrix { inputs: head.scores.inputs, outputs: 2, weights: vec![0.0; 2 * head.scores.inputs] };
            return self.graph.dense(row, &none, None, &[-1.0; 2]);
        }
        let half = if net.version >= 14 { 0.5 } else { 1.0 };
        let errors = self.raw(row, head, [(4, half), (5, half)]);
        let errors = self.graph.node("Softplus", &[&errors], &[]);
        match net.version {
            // The root of the square of the function, times the factor.
            14.. => self.times(&errors, factors.map(f32::sqrt)),
            10..14 => {
                let squares = self.times(&errors, factors);
                self.graph.node("Sqrt", &[&squares], &[])
            }
            _ => self.times(&errors, [1.0, 10.0]),
        }
    }

    /// Two of the raw numbers, each times a factor.
    fn raw(&mut self, row: &str, head: &ValueHead, two: [(usize, f32); 2]) -> String {
        let columns = two.map(|(place, _)| column(&head.scores.weights, head.scores.outputs, place));
        let weights = columns[0].iter().zip(&columns[1]).flat_map(|(first, second)| [*first, *second]).collect();
        let factors = two.map(|(_, factor)| factor);
        let bias = two.map(|(place, factor)| head.scores_bias[place] * factor);
        let layer = Matrix { inputs: head.scores.inputs, outputs: 2, weights };
        self.graph.dense(row, &layer, Some(&factors), &bias)
    }

    fn times(&mut self, x: &str, factors: [f32; 2]) -> String {
        let factors = self.graph.numbers(&[1, 2], &factors);
        self.graph.node("Mul", &[x, &factors], &[])
    }
}

/// The layer at the beginning, for planes and numbers at once: the numbers, which fill planes, count at the middle of the window.
fn start(trunk: &Trunk) -> Convolution {
    let Convolution { window, dilation, inputs, outputs, ref weights } = trunk.planes;
    let middle = window[0] * window[1] / 2;
    let mut all = Vec::with_capacity(window[0] * window[1] * (inputs + trunk.numbers.inputs) * outputs);
    for (point, planes) in weights.chunks(inputs * outputs).enumerate() {
        all.extend_from_slice(planes);
        if point == middle {
            all.extend_from_slice(&trunk.numbers.weights);
        } else {
            all.resize(all.len() + trunk.numbers.weights.len(), 0.0);
        }
    }
    Convolution { window, dilation, inputs: inputs + trunk.numbers.inputs, outputs, weights: all }
}

/// Weights to one output of several.
fn column(weights: &[f32], outputs: usize, output: usize) -> Vec<f32> {
    weights.iter().skip(output).step_by(outputs).copied().collect()
}

#[cfg(test)]
mod tests;
