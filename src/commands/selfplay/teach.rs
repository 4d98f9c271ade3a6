//! Teachers: games by the engine's own knowledge, for models to begin with.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crate::eval::net::Output;
use crate::eval::{Cancelled, Evaluator};
use crate::learn::selfplay::{Lesson, keep};
use crate::learn::shard::Shard;
use crate::learn::{random_end, teacher};
use crate::players::{Models, Played, Resources, Visitor};
use crate::rng::Rng;
use crate::search::ubfm::Ubfm;
use crate::search::{Searcher, Share};
use anyhow::{Context, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::options::{SelfPlay, network};

/// Memory of a teacher's tree, in MiB.
const MEMORY: usize = 64;

/// Plays one game and tells its lessons.
type Teacher<'a, G> = Box<dyn FnMut(&mut Rng) -> anyhow::Result<Vec<Lesson<G>>> + 'a>;

/// Plays a game by its teacher.
pub(crate) struct Teach<'a>(pub(crate) &'a SelfPlay);

impl Visitor for Teach<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Played>(self) -> Self::Output {
        let options = self.0;
        options.check::<G>()?;
        if options.ends.is_some() {
            return taught::<G>(options, &|| by_chance(options));
        }
        let recipe = G::recipe();
        match recipe.lessons() {
            Some(_) if options.adviser.is_some() => bail!("the teacher of {} asks no adviser", G::KIND),
            Some(evaluator) if options.policy => taught::<G>(options, &|| {
                let share = Arc::new(Share::new(1));
                by_search(options, Box::new(Ubfm::new(share, MEMORY, Arc::clone(evaluator))))
            }),
            Some(evaluator) => taught::<G>(options, &|| by_evaluator(options, evaluator)),
            None => {
                let load = |path| network::<G>(options, path, &[Output::Policy]);
                let adviser = options.adviser.as_deref().map(load).transpose()?;
                let models = adviser.map_or_else(Models::default, |network| Models::one(Arc::new(network)));
                taught::<G>(options, &|| {
                    let (share, models) = (Arc::new(Share::new(1)), models.clone());
                    by_search(options, recipe.searcher(&Resources { share, memory: MEMORY, models }))
                })
            }
        }
    }
}

/// Plays by a classical evaluator.
fn by_evaluator<'a, G: Played>(options: &'a SelfPlay, evaluator: &'a dyn Evaluator<G>) -> Teacher<'a, G> {
    Box::new(move |rng| match teacher::game(evaluator, options.opening(rng), rng, &options.stop) {
        Ok(lessons) => Ok(lessons),
        Err(Cancelled) if options.stop.is_set() => Ok(Vec::new()),
        Err(Cancelled) => bail!("the game was broken off"),
    })
}

/// Ends games by chance.
fn by_chance<G: Played>(options: &SelfPlay) -> Teacher<'_, G> {
    let worth = options.worth();
    Box::new(move |rng| Ok(vec![random_end(options.start::<G>(rng), worth, rng)]))
}

/// Plays by a search.
fn by_search<'a, G: Played>(options: &'a SelfPlay, mut search: Box<dyn Searcher<G>>) -> Teacher<'a, G> {
    let settings = options.policy_settings();
    Box::new(move |rng| Ok(teacher::searched(&mut *search, options.opening(rng), &settings, rng, &options.stop)))
}

/// Plays by teachers of which each thread makes one of its own.
fn taught<'a, G: Played>(options: &'a SelfPlay, make: &(dyn Fn() -> Teacher<'a, G> + Sync)) -> anyhow::Result<()> {
    options.shards()?;
    let (start, seed) = (Instant::now(), options.seed());
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
    let (games, positions) = (AtomicU64::new(0), AtomicU64::new(0));
    let over = || {
        let late = options.time.is_some_and(|time| start.elapsed().as_secs_f64() >= time);
        late || options.stop.is_set() || options.ends.is_some_and(|ends| games.load(Ordering::Relaxed) >= ends)
    };
    let told = || {
        let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let (games, elapsed) = (count(&games), start.elapsed().as_secs_f64());
        format!("{games} games ({:.1}/s)  {} positions", games as f64 / elapsed, count(&positions))
    };
    let work = |number: usize| -> anyhow::Result<()> {
        let (mut teach, mut rng) = (make(), Rng::stream(seed, number as u64));
        let (mut shards, mut written) = (Vec::new(), 0);
        while !over() {
            teach(&mut rng)?.iter().for_each(|lesson| keep(&mut shards, lesson));
            games.fetch_add(1, Ordering::Relaxed);
            if over() || shards.iter().any(|shard: &Shard| shard.len() >= options.shard || shard.is_large()) {
                for shard in std::mem::take(&mut shards) {
                    positions.fetch_add(shard.len() as u64, Ordering::Relaxed);
                    let path = options.shard(number, written)?;
                    shard.write(&path).with_context(|| path.display().to_string())?;
                    written += 1;
                }
                bar.set_message(told());
                bar.tick();
            }
        }
        Ok(())
    };
    thread::scope(|scope| -> anyhow::Result<()> {
        let work = &work;
        let workers: Vec<_> = (0..options.threads).map(|number| scope.spawn(move || work(number))).collect();
        for worker in workers {
            worker.join().map_err(|_| anyhow!("a thread broke down"))??;
        }
        Ok(())
    })?;
    bar.finish();
    eprintln!("losange: {} in {:.0} s", told(), start.elapsed().as_secs_f64());
    Ok(())
}
