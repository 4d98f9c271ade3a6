//! `losange selfplay`: plays games for training, for as long as it is let.

mod learn;
mod options;
mod teach;

use anyhow::Context;
use losange::players::models::game_of;

use self::learn::Learn;
use self::options::missing;
use self::teach::Teach;

pub(crate) use self::options::SelfPlay;

/// Plays until the time is over, by a teacher or by the model of the run.
pub(crate) fn run(options: &SelfPlay) -> anyhow::Result<()> {
    match options.teacher {
        Some(kind) => kind.visit(Teach(options)),
        None => game_of(&options.model()).with_context(|| missing(&options.model()))?.visit(Learn(options)),
    }
}
