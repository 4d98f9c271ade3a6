//! `losange selfplay`: plays games for training, for as long as it is let.

mod learn;
mod options;
mod teach;

use crate::eval::net::{Output, read};
use crate::learn::shard::{RunWriter, sweep};
use crate::players::Kind;
use crate::players::models::game_of;
use crate::server::on_termination;
use anyhow::{Context, bail};

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
    let writer = |worker: &str| if worker == options.worker { RunWriter::Own } else { RunWriter::Other };
    let shards = options.dir.join("shards");
    sweep(&shards, &|name| writer_of_shard(name).map(writer)).with_context(|| shards.display().to_string())?;
    sweep(&options.dir, &|name| writer_of_count(name).map(writer))
        .with_context(|| options.dir.display().to_string())?;
    if let Some(kind) = options.teacher {
        return kind.visit(Teach(options));
    }
    let path = options.model();
    // What another model teaches is for the run's own.
    let own = options.dir.join("model.onnx");
    let own = if options.labels.by.is_some() && own.exists() { Some(read(&own)?) } else { None };
    let meant = own.as_ref().and_then(|model| Kind::of_models(&model.game));
    let kind = game_of(&path, meant).with_context(|| missing(&path))?;
    if let Some(own) = own {
        if meant != Some(kind) {
            bail!("the run is for {}, and the model {} for {kind}", own.game, path.display());
        }
        if !own.gives(Output::Policy) {
            bail!("the run's model learns no policy, which {} teaches", path.display());
        }
    }
    kind.visit(Learn(options))
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
