//! The runtime that is compiled in (`rten`): slower than ONNX Runtime, but always there.

use std::sync::Arc;

use parking_lot::Mutex;
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueView};
use rten_tensor::AsView;

use super::contract::ModelFile;
use super::runtime::{Batch, RunError, Runtime};
use super::{PROCESSOR_BATCH, Wanted};

/// A model in the embedded runtime.
pub(super) struct Embedded {
    model: Model,
    input: NodeId,
    outputs: Vec<NodeId>,
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
        Ok(Self { model, input, outputs, pools: Mutex::default() })
    }
}

impl Runtime for Embedded {
    fn name(&self) -> String {
        "embedded".to_owned()
    }

    fn provider(&self) -> String {
        "rten on the processor".to_owned()
    }

    fn batches(&self) -> (usize, usize) {
        (PROCESSOR_BATCH, 1)
    }

    fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, _: Wanted<'_>) -> Result<(), RunError> {
        let failed = |why: &dyn std::fmt::Display| RunError::Failed(why.to_string());
        let input = ValueView::from_shape(&batch.shape, batch.planes).map_err(|why| failed(&why))?;
        let pool = self.pools.lock().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&pool)));
        let result = self.model.run(vec![(self.input, input.into())], &self.outputs, Some(options));
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
