//! The runtime that is compiled in (`rten`): slower than ONNX Runtime, but always there.

use std::sync::Arc;

use parking_lot::Mutex;
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueView};
use rten_tensor::AsView;

use super::Runtime;
use super::contract::ModelFile;

/// A model in the embedded runtime.
pub(super) struct Embedded {
    model: Model,
    input: NodeId,
    outputs: Vec<(String, NodeId)>,
    /// Pools of one thread each that no call uses now: searches have threads of their own.
    pools: Mutex<Vec<Arc<ThreadPool>>>,
}

impl Embedded {
    pub(super) fn load(bytes: Vec<u8>, file: &ModelFile) -> Result<Self, String> {
        let failed = |why: &dyn std::fmt::Display| format!("the embedded runtime cannot load it: {why}");
        let model = ModelOptions::with_all_ops().prepack_weights(true).load(bytes).map_err(|why| failed(&why))?;
        let node = |name: &str| model.node_id(name).map_err(|why| failed(&why));
        let input = node("input")?;
        let outputs =
            file.ports.iter().map(|port| Ok((port.name.clone(), node(&port.name)?))).collect::<Result<_, String>>()?;
        Ok(Self { model, input, outputs, pools: Mutex::default() })
    }
}

impl Runtime for Embedded {
    fn name(&self) -> &str {
        "embedded"
    }

    fn run(&self, planes: &[f32], shape: [usize; 4], output: &str, values: &mut Vec<f32>) -> Result<(), String> {
        let node = self.outputs.iter().find(|(name, _)| name == output).map(|o| o.1).ok_or("no such output")?;
        let input = ValueView::from_shape(&shape, planes).map_err(|why| why.to_string())?;
        let pool = self.pools.lock().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&pool)));
        let result = self.model.run(vec![(self.input, input.into())], &[node], Some(options));
        self.pools.lock().push(pool);
        match result.map_err(|why| why.to_string())?.pop() {
            Some(Value::FloatTensor(tensor)) => {
                values.clear();
                values.extend(tensor.iter().copied());
                Ok(())
            }
            _ => Err(format!("output '{output}' is no tensor of 32-bit floats")),
        }
    }
}
