//! `losange selfplay`: plays games for training, for as long as it is let.

mod learn;
mod options;
mod teach;

use crate::learn::shard::sweep;
use crate::players::models::game_of;
use crate::server::on_termination;
use anyhow::Context;

use self::learn::Learn;
use self::options::missing;
use self::teach::Teach;

pub(crate) use self::options::SelfPlay;

/// Plays until the time is over or a signal comes, by a teacher or by the model of the run.
pub(crate) fn run(options: &SelfPlay) -> anyhow::Result<()> {
    let stop = options.stop.clone();
    on_termination(move |_| stop.set()).context("signals cannot be waited for")?;
    let own = format!("-{}-", options.worker);
    for folder in [options.dir.join("shards"), options.dir.clone()] {
        let left = |name: &str| name.contains(&own) || name == options.worker;
        sweep(&folder, &left).with_context(|| folder.display().to_string())?;
    }
    match options.teacher {
        Some(kind) => kind.visit(Teach(options)),
        None => game_of(&options.model(), None).with_context(|| missing(&options.model()))?.visit(Learn(options)),
    }
}
