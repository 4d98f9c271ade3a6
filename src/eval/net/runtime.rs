//! A runtime: planes in, numbers out.

use super::Wanted;

/// Planes of positions of one shape.
#[derive(Clone, Copy)]
pub(super) struct Batch<'a> {
    /// All numbers, position after position.
    pub(super) planes: &'a [f32],
    /// Positions, planes, rows, columns.
    pub(super) shape: [usize; 4],
}

/// Why a batch was not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunError {
    /// Nobody wanted it any more.
    Cancelled,
    /// Message of the runtime.
    Failed(String),
}

/// Runs a model. Any number of threads may call at once.
pub(super) trait Runtime: Send + Sync {
    /// Its name on the command line, with the device where there are several.
    fn name(&self) -> String;

    /// Device that calculates, in the words of the runtime.
    fn provider(&self) -> String;

    /// Positions that are worth handing over at once, and calls that each thread should have under way.
    fn batches(&self) -> (usize, usize);

    /// Whether nothing after it in the table of back ends would run this model faster.
    fn suits(&self) -> bool {
        true
    }

    /// Replaces `outputs` by the model's outputs, in the order of its description.
    fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, wanted: Wanted<'_>) -> Result<(), RunError>;
}
