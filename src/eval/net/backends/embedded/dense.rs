//! Fully connected layers.

use super::graph::{Graph, Node};

/// Every output is a weighted sum of all inputs.
#[derive(Debug)]
pub(super) struct Dense {
    inputs: usize,
    /// By input, then output: all sums grow at once, which the compiler makes vectors of.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Dense {
    /// The layer that a `Gemm` of constants stands for; `None` where it stands for something else.
    pub(super) fn new(graph: &Graph, node: &Node) -> Option<Self> {
        let tensor = |input: usize| graph.tensors.get(node.inputs.get(input)?);
        let (weights, bias) = (tensor(1)?, tensor(2)?);
        let &[rows, columns] = weights.shape.as_slice() else { return None };
        let by_output = node.integers("transB") == [1];
        let (inputs, outputs) = if by_output { (columns, rows) } else { (rows, columns) };
        let numbers = rows.saturating_mul(columns);
        let whole = numbers > 0 && weights.floats.len() == numbers && bias.floats.len() == outputs;
        let once = ["alpha", "beta"].into_iter().all(|name| node.number(name).is_none_or(|number| number == 1.0));
        (node.kind == "Gemm" && whole && once && node.integers("transA").iter().all(|&t| t == 0)).then_some(())?;
        let place =
            |input: usize, output: usize| if by_output { output * inputs + input } else { input * outputs + output };
        let ordered = (0..numbers).map(|index| weights.floats[place(index / outputs, index % outputs)]).collect();
        Some(Self { inputs, weights: ordered, bias: bias.floats.clone() })
    }

    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(super) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Calculates all of `to` from as many inputs as the layer has.
    pub(super) fn run(&self, from: &[f32], to: &mut [f32]) {
        to.copy_from_slice(&self.bias);
        for (number, weights) in from.iter().zip(self.weights.chunks_exact(self.bias.len())) {
            to.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += number * weight);
        }
    }
}
