//! The runtime that is compiled in: our own code for the tower of convolutions and the heads on it, `rten` for heads that we do
//! not know, and for all of a model that has no tower that we know.

mod aligned;
mod convolution;
mod dense;
mod direct;
mod graph;
mod heads;
mod instructions;
mod map;
mod residual;
mod rooms;
mod tiled;
mod tiles;
mod tower;
mod winograd;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use parking_lot::Mutex;
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView, ValueView};
use rten_tensor::AsView;

use self::graph::Graph;
use self::heads::{Heads, Value as Given};
pub(in crate::eval::net) use self::instructions::Instructions;
pub(in crate::eval::net) use self::residual::Residual;
pub(in crate::eval::net) use self::tiles::available as has_tiles;
use self::tower::Tower;
use super::{Loading, PROCESSOR_BATCH};
use crate::eval::Wanted;
use crate::eval::net::contract::ModelFile;
use crate::eval::net::files::Content;
use crate::eval::net::runtime::{Batch, RunError, Runtime};

/// A model in the embedded runtime.
pub(in crate::eval::net) struct Embedded {
    model: Model,
    input: NodeId,
    outputs: Vec<NodeId>,
    tower: Option<(Tower, Rest)>,
    instructions: Instructions,
    /// Pools of one thread each that no call uses now: searches have threads of their own.
    pools: Mutex<Vec<Arc<ThreadPool>>>,
}

/// Calculator of the rest of a model, from what its tower gives.
enum Rest {
    Own(Heads),
    /// By the nodes of what is given.
    Library(Vec<NodeId>),
}

/// Loads a model by the fastest instructions of this processor.
pub(super) fn load(model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
    match model.content {
        Content::Onnx(bytes) => Ok(Box::new(Embedded::new(bytes, model.file, Instructions::Fastest)?)),
        Content::KataGo(net) => Ok(Box::new(Residual::new(net, &model.file.outputs, Instructions::Fastest)?)),
    }
}

/// Calls the library, whose sums can overflow on numbers that no model has.
fn caught<R>(call: impl FnOnce() -> R) -> Result<R, &'static str> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| "rten panicked")
}

impl Embedded {
    pub(in crate::eval::net) fn new(
        bytes: &[u8],
        file: &ModelFile,
        instructions: Instructions,
    ) -> Result<Self, String> {
        let failed = |why: &dyn std::fmt::Display| format!("the embedded runtime cannot load it: {why}");
        let loaded = caught(|| ModelOptions::with_all_ops().prepack_weights(true).load(bytes.to_owned()));
        let model = loaded.map_err(|why| failed(&why))?.map_err(|why| failed(&why))?;
        let node = |name: &str| model.node_id(name).map_err(|why| failed(&why));
        let input = node("input")?;
        let outputs = file.outputs.iter().map(|output| node(output.name())).collect::<Result<_, String>>()?;
        let mut embedded = Self { model, input, outputs, tower: None, instructions, pools: Mutex::default() };
        let planes = file.inputs.first().and_then(|port| port.shape.get(1).copied().flatten()).unwrap_or_default();
        embedded.tower = Graph::parse(bytes).ok().and_then(|graph| {
            let tower = Tower::new(&graph, planes as usize, instructions)?;
            let names = tower.given.iter().map(|given| given.name.as_str());
            let given: Vec<&str> = std::iter::once("input").chain(names).collect();
            let wanted: Vec<&str> = file.outputs.iter().map(|output| output.name()).collect();
            let heads = Heads::new(&graph, &tower.left, &given, &wanted, instructions);
            let rest = heads.map(Rest::Own).or_else(|| embedded.library(&tower))?;
            Some((tower, rest))
        });
        Ok(embedded)
    }

    /// Whether our own code calculates all of it.
    pub(super) fn is_own(&self) -> bool {
        matches!(self.tower, Some((_, Rest::Own(_))))
    }

    /// The library from what a tower gives on.
    fn library(&self, tower: &Tower) -> Option<Rest> {
        let nodes = tower.given.iter().map(|given| self.model.node_id(&given.name).ok());
        nodes.collect::<Option<_>>().map(Rest::Library)
    }

    /// All by the library, from the inputs that are given.
    fn rest(&self, inputs: Vec<(NodeId, ValueOrView<'_>)>, outputs: &mut Vec<Vec<f32>>) -> Result<(), RunError> {
        let failed = |why: &dyn std::fmt::Display| RunError::Failed(why.to_string());
        let pool = self.pools.lock().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&pool)));
        let result = caught(|| self.model.run(inputs, &self.outputs, Some(options))).map_err(|why| failed(&why))?;
        self.pools.lock().push(pool);
        outputs.clear();
        for value in result.map_err(|why| failed(&why))? {
            match value {
                Value::FloatTensor(tensor) => outputs.push(tensor.iter().copied().collect()),
                _ => return Err(failed(&"an output is no tensor of 32-bit floats")),
            }
        }
        Ok(())
    }
}

impl Runtime for Embedded {
    fn name(&self) -> String {
        self.instructions.backend().to_owned()
    }

    fn provider(&self) -> String {
        let by = match self.tower {
            Some((_, Rest::Own(_))) => "own code",
            Some((_, Rest::Library(_))) => "own convolutions and rten",
            None => "rten",
        };
        format!("{by} on the processor")
    }

    fn batches(&self) -> (usize, usize) {
        (PROCESSOR_BATCH, 1)
    }

    /// The own code is faster than a library on a processor.
    fn suits(&self) -> bool {
        self.is_own()
    }

    fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, wanted: Wanted<'_>) -> Result<(), RunError> {
        fn view<'a>(shape: &[usize], numbers: &'a [f32]) -> Result<ValueOrView<'a>, RunError> {
            let view = ValueView::from_shape(shape, numbers);
            view.map(ValueOrView::from).map_err(|why| RunError::Failed(why.to_string()))
        }
        let mut inputs = vec![(self.input, view(&batch.shape, batch.planes)?)];
        let Some((tower, rest)) = &self.tower else { return self.rest(inputs, outputs) };
        let given = tower.run(batch, wanted)?;
        let [positions, planes, rows, columns] = batch.shape;
        let shapes = tower.given.iter().map(|given| given.shape([rows, columns]));
        match rest {
            Rest::Own(heads) => {
                outputs.resize_with(self.outputs.len(), Vec::new);
                outputs.iter_mut().for_each(Vec::clear);
                let shapes: Vec<Vec<usize>> = std::iter::once(vec![planes, rows, columns]).chain(shapes).collect();
                for position in 0..positions {
                    let all = std::iter::once(batch.planes).chain(given.iter().map(Vec::as_slice)).zip(&shapes);
                    let own = all.map(|(numbers, shape)| {
                        let size = shape.iter().product::<usize>();
                        Given { shape, numbers: &numbers[position * size..][..size] }
                    });
                    heads.run(&own.collect::<Vec<_>>(), outputs).map_err(RunError::Failed)?;
                }
                tower.take_back(given);
                Ok(())
            }
            Rest::Library(nodes) => {
                for ((&node, numbers), shape) in nodes.iter().zip(&given).zip(shapes) {
                    inputs.push((node, view(&[&[positions], shape.as_slice()].concat(), numbers)?));
                }
                self.rest(inputs, outputs)
            }
        }
    }
}

#[cfg(test)]
mod tests;
