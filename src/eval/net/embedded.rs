//! The runtime that is compiled in: our own code for the tower of convolutions, `rten` for what else a model has, and for all of a
//! model that has no tower that we know.

use std::sync::Arc;

use parking_lot::Mutex;
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView, ValueView};
use rten_tensor::AsView;

use super::contract::ModelFile;
use super::graph::Graph;
use super::runtime::{Batch, RunError, Runtime};
use super::tower::Tower;
use super::{PROCESSOR_BATCH, Wanted};

/// A model in the embedded runtime.
pub(super) struct Embedded {
    model: Model,
    input: NodeId,
    outputs: Vec<NodeId>,
    /// With the nodes of what it gives.
    pub(super) tower: Option<(Tower, Vec<NodeId>)>,
    /// Pools of one thread each that no call uses now: searches have threads of their own.
    pools: Mutex<Vec<Arc<ThreadPool>>>,
}

impl Embedded {
    pub(super) fn load(bytes: &[u8], file: &ModelFile) -> Result<Self, String> {
        let failed = |why: &dyn std::fmt::Display| format!("the embedded runtime cannot load it: {why}");
        let options = ModelOptions::with_all_ops().prepack_weights(true).load(bytes.to_owned());
        let model = options.map_err(|why| failed(&why))?;
        let node = |name: &str| model.node_id(name).map_err(|why| failed(&why));
        let input = node("input")?;
        let outputs = file.outputs.iter().map(|output| node(output.name())).collect::<Result<_, String>>()?;
        let mut embedded = Self { model, input, outputs, tower: None, pools: Mutex::default() };
        let planes = file.inputs.first().and_then(|port| port.shape.get(1).copied().flatten()).unwrap_or_default();
        embedded.tower = Graph::parse(bytes).ok().and_then(|graph| {
            let tower = Tower::new(&graph, planes as usize)?;
            let nodes =
                tower.given.iter().map(|given| embedded.model.node_id(&given.name).ok()).collect::<Option<_>>()?;
            Some((tower, nodes))
        });
        Ok(embedded)
    }

    /// All by the library, from the inputs that are given.
    fn rest(&self, inputs: Vec<(NodeId, ValueOrView<'_>)>, outputs: &mut Vec<Vec<f32>>) -> Result<(), RunError> {
        let failed = |why: &dyn std::fmt::Display| RunError::Failed(why.to_string());
        let pool = self.pools.lock().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&pool)));
        let result = self.model.run(inputs, &self.outputs, Some(options));
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
        "embedded".to_owned()
    }

    fn provider(&self) -> String {
        let own = self.tower.as_ref().map_or("", |_| "own convolutions and ");
        format!("{own}rten on the processor")
    }

    fn batches(&self) -> (usize, usize) {
        (PROCESSOR_BATCH, 1)
    }

    fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, wanted: Wanted<'_>) -> Result<(), RunError> {
        fn view<'a>(shape: &[usize], numbers: &'a [f32]) -> Result<ValueOrView<'a>, RunError> {
            let view = ValueView::from_shape(shape, numbers);
            view.map(ValueOrView::from).map_err(|why| RunError::Failed(why.to_string()))
        }
        let mut inputs = vec![(self.input, view(&batch.shape, batch.planes)?)];
        let Some((tower, nodes)) = &self.tower else { return self.rest(inputs, outputs) };
        let given = tower.run(batch, wanted)?;
        let [positions, _, rows, columns] = batch.shape;
        for (&node, numbers) in nodes.iter().zip(&given) {
            let channels = numbers.len() / (positions * rows * columns);
            inputs.push((node, view(&[positions, channels, rows, columns], numbers)?));
        }
        self.rest(inputs, outputs)
    }
}
