//! `losange selfplay`: plays games for training, for as long as it is let.

mod learn;
mod options;
mod teach;

use crate::learn::shard::{Writer, sweep};
use crate::players::models::game_of;
use crate::server::on_termination;
use anyhow::Context;

use self::learn::Learn;
use self::options::missing;
use self::teach::Teach;

pub(crate) use self::options::SelfPlay;

/// The worker that writes a shard of that name: `TIME-WORKER-THREAD-NUMBER`.
fn writer_of_shard(name: &str) -> Option<&str> {
    let (stamp, rest) = name.split_once('-')?;
    let (rest, number) = rest.rsplit_once('-')?;
    let (worker, _thread) = rest.rsplit_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (stamp.len() == 15 && digits(stamp) && digits(number)).then_some(worker)
}

/// The worker that writes its count of games under that name: `WORKER.games.PROCESS`.
fn writer_of_count(name: &str) -> Option<&str> {
    let (worker, process) = name.rsplit_once(".games.")?;
    process.parse::<u32>().ok().map(|_| worker)
}

/// Plays until the time is over or a signal comes, by a teacher or by the model of the run.
pub(crate) fn run(options: &SelfPlay) -> anyhow::Result<()> {
    let stop = options.stop.clone();
    on_termination(move |_| stop.set()).context("signals cannot be waited for")?;
    let writer = |worker: &str| if worker == options.worker { Writer::Own } else { Writer::Other };
    let shards = options.dir.join("shards");
    sweep(&shards, &|name| writer_of_shard(name).map(writer)).with_context(|| shards.display().to_string())?;
    sweep(&options.dir, &|name| writer_of_count(name).map(writer))
        .with_context(|| options.dir.display().to_string())?;
    match options.teacher {
        Some(kind) => kind.visit(Teach(options)),
        None => game_of(&options.model(), None).with_context(|| missing(&options.model()))?.visit(Learn(options)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_are_known_by_the_names_of_their_files() {
        for (name, worker) in [
            ("001764430000000-0-0-3", Some("0")),
            ("001764430000000-left-hand-teacher1-12", Some("left-hand")),
            ("a-0-b", None),
            ("film.mkv", None),
            ("001764430000000-0", None),
        ] {
            assert_eq!(writer_of_shard(name), worker, "{name}");
        }
        for (name, worker) in [("0.games.4711", Some("0")), ("0.games", None), ("0", None), ("0.games.x", None)] {
            assert_eq!(writer_of_count(name), worker, "{name}");
        }
    }
}
