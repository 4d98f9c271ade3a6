//! Check of a model file before any runtime sees it. Runtimes trust a file: one of some hundred bytes can demand a tensor of 10⁵×10⁵
//! numbers. So files have parts and operators of a list only ([`file`]), and the sizes of all tensors are calculated for each board
//! before it is run ([`shapes`]). What cannot be calculated beforehand is refused.

mod file;
mod operators;
mod shapes;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use parking_lot::RwLock;

use self::file::{CheckedGraph, Extent};
use self::shapes::infer;

/// Most numbers that a position needs at one time while a graph is calculated.
const MOST_AT_ONCE: usize = 1 << 22;
/// Most numbers of all tensors together that are made for one position.
const MOST_TOGETHER: usize = 1 << 27;
/// Most products of one position: some seconds of a processor.
const MOST_PRODUCTS: usize = 100_000_000_000;
/// Batches of up to so many positions are usual, and above them the powers of two, to which batches for GPUs are padded.
const SMALL_BATCH: usize = 8;
const LARGE_BATCH: usize = 256;

/// Number of elements of a tensor, if it can be said.
fn elements(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |product, &size| product.checked_mul(size))
}

/// Memory and time that a run takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cost {
    at_once: usize,
    together: usize,
    products: usize,
}

/// A file that has passed, and the boards for which its sizes are known to be bounded.
#[derive(Debug)]
pub(super) struct Checked {
    graph: CheckedGraph,
    known: RwLock<HashSet<[usize; 3]>>,
}

impl Checked {
    /// Checks the parts of a file.
    ///
    /// # Errors
    /// The part of the file that no model may have.
    pub(super) fn new(bytes: &[u8]) -> Result<Self, String> {
        Ok(Self { graph: CheckedGraph::parse(bytes)?, known: RwLock::default() })
    }

    /// Checks the sizes of all tensors for an input of that shape: positions, planes, rows, columns.
    ///
    /// # Errors
    /// What is too large, or cannot be calculated.
    pub(super) fn allow(&self, [positions, planes, rows, columns]: [usize; 4]) -> Result<(), String> {
        let board = [planes, rows, columns];
        let usual = positions <= SMALL_BATCH || positions <= LARGE_BATCH && positions.is_power_of_two();
        if !usual {
            return self.bounded(positions, board);
        }
        if self.known.read().contains(&board) {
            return Ok(());
        }
        let powers = std::iter::successors(Some(2 * SMALL_BATCH), |batch| Some(2 * batch));
        for positions in (1..=SMALL_BATCH).chain(powers.take_while(|batch| *batch <= LARGE_BATCH)) {
            self.bounded(positions, board)?;
        }
        self.known.write().insert(board);
        Ok(())
    }

    fn bounded(&self, positions: usize, [planes, rows, columns]: [usize; 3]) -> Result<(), String> {
        let cost = self.cost([positions, planes, rows, columns])?;
        for (what, found, most) in [
            ("numbers at once", cost.at_once, MOST_AT_ONCE),
            ("numbers", cost.together, MOST_TOGETHER),
            ("products", cost.products, MOST_PRODUCTS),
        ] {
            let each = found / positions.max(1);
            if each > most {
                return Err(format!(
                    "it takes {each} {what} a position of {rows}x{columns}; at most {most} are calculated"
                ));
            }
        }
        Ok(())
    }

    /// Memory and time of one run.
    fn cost(&self, input: [usize; 4]) -> Result<Cost, String> {
        self.walk(input).map(|(cost, _)| cost)
    }

    /// Numbers of each output.
    #[cfg(test)]
    fn sizes(&self, input: [usize; 4]) -> Result<Vec<usize>, String> {
        let (_, values) = self.walk(input)?;
        let size = |number: &usize| elements(&values[*number].as_ref()?.shape);
        self.graph.outputs.iter().map(|number| size(number).ok_or_else(|| "not known".to_owned())).collect()
    }

    /// Goes through the graph as a runtime does, with sizes in the place of tensors.
    fn walk(&self, input: [usize; 4]) -> Result<(Cost, Vec<Option<Extent>>), String> {
        let graph = &self.graph;
        let mut values: Vec<Option<Extent>> = vec![None; graph.values];
        let mut uses = vec![0_usize; graph.values];
        let used = graph.nodes.iter().flat_map(|node| node.inputs.iter().flatten());
        used.chain(&graph.outputs).for_each(|&number| uses[number] += 1);
        // Constants are as large as the file says, and stay.
        for (number, value) in &graph.constants {
            values[*number] = Some(value.clone());
            uses[*number] = usize::MAX;
        }
        values[graph.input] = Some(Extent { shape: input.to_vec(), integers: None });
        let (mut now, mut cost) = (elements(&input).ok_or("its input is too large")?, Cost::default());
        for node in &graph.nodes {
            let inputs: Vec<Option<&Extent>> =
                node.inputs.iter().map(|number| number.and_then(|number| values[number].as_ref())).collect();
            let (value, products) = infer(node, &inputs).map_err(|why| format!("{}: {why}", node.kind))?;
            let size = elements(&value.shape).ok_or_else(|| format!("{} makes {:?}", node.kind, value.shape))?;
            cost.products = cost.products.saturating_add(products);
            cost.together = cost.together.saturating_add(size);
            values[node.output] = Some(value);
            // A runtime may calculate what is made of constants alone when it loads a model, and keep it.
            if node.inputs.iter().flatten().all(|&number| uses[number] == usize::MAX) {
                uses[node.output] = usize::MAX;
                continue;
            }
            now = now.saturating_add(size);
            cost.at_once = cost.at_once.max(now);
            let unused = uses[node.output] == 0;
            for &number in node.inputs.iter().flatten().chain(unused.then_some(&node.output)) {
                if uses[number] != usize::MAX {
                    uses[number] = uses[number].saturating_sub(1);
                    let size = values[number].as_ref().and_then(|value| elements(&value.shape)).unwrap_or(0);
                    now -= if uses[number] == 0 { size } else { 0 };
                }
            }
        }
        Ok((cost, values))
    }
}
