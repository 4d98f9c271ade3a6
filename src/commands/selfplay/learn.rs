//! Self-play by the model of a run, which is read again whenever it changes.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::eval::net::{ModelError, Network, Output, read};
use crate::learn::selfplay::{Machine, Player};
use crate::learn::shard::Shard;
use crate::learn::{Descent, Labelled, Outcomes, PolicyGame};
use crate::players::{Played, Visitor};
use crate::protocol::files::write_whole;
use crate::rng::Rng;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::{Mutex, RwLock};

use super::options::{SelfPlay, missing, network};

/// How often the model file is looked at, and progress is shown.
const LOOK: Duration = Duration::from_secs(1);
/// Longest time for which the trainer's word to wait holds.
const WAITED: Duration = Duration::from_secs(60);
/// Longest time until lessons are written, however few there are.
const LONGEST: Duration = Duration::from_secs(20);
/// Games at once in a thread: many make large batches. A game by descent tells nothing before its end, which many at once put off
/// until their model is out of date (on 11×11 one takes some 18 000 evaluations).
const GAMES: usize = 32;
const GAMES_BY_DESCENT: usize = 4;

/// The model as it is now, and when its file was written.
type Current = (Arc<Network>, SystemTime);

/// Games of one kind in one thread, which does not know their types.
trait Games {
    /// Goes on with each of them by a model, with so much of the run over, and says how many positions were valued.
    fn step(&mut self, network: &Network, exploitation: f32) -> Result<usize, ModelError>;

    /// Games that have come to their end.
    fn finished(&self) -> u64;

    /// Positions whose lessons wait to be taken.
    fn learned(&self) -> usize;

    /// Whether they take so much memory that they should be taken.
    fn is_loaded(&self) -> bool;

    /// Takes the lessons since the last time.
    fn take(&mut self) -> Vec<Shard>;
}

/// Games with all that they are begun and played by.
struct Many<'a, M: Machine> {
    options: &'a SelfPlay,
    player: Player<M>,
    /// Games at once, where nothing is said of that.
    usual: usize,
    opening: fn(&SelfPlay, &mut Rng) -> M::G,
    settings: fn(&SelfPlay, &Network, f32) -> M::Settings,
}

/// Games that are not begun yet.
fn many<'a, M: Machine + 'a>(
    options: &'a SelfPlay,
    rng: Rng,
    usual: usize,
    opening: fn(&SelfPlay, &mut Rng) -> M::G,
    settings: fn(&SelfPlay, &Network, f32) -> M::Settings,
) -> Box<dyn Games + 'a> {
    Box::new(Many { options, player: Player::<M>::new(rng), usual, opening, settings })
}

impl<M: Machine> Games for Many<'_, M> {
    fn step(&mut self, network: &Network, exploitation: f32) -> Result<usize, ModelError> {
        let (games, settings) = (self.options.games.unwrap_or(self.usual), self.settings);
        let settings = settings(self.options, network, exploitation);
        self.player.step(network, games, &settings, &mut |rng| (self.opening)(self.options, rng))
    }

    fn finished(&self) -> u64 {
        self.player.finished()
    }

    fn learned(&self) -> usize {
        self.player.learned()
    }

    fn is_loaded(&self) -> bool {
        self.player.is_loaded()
    }

    fn take(&mut self) -> Vec<Shard> {
        self.player.take()
    }
}

/// All games of a thread.
type AllGames<'a> = Vec<Box<dyn Games + 'a>>;

/// A way to play a game by a model.
struct Way {
    /// Outputs of which a model must have one.
    needs: &'static [Output],
    /// Reads a model for the game.
    load: fn(&SelfPlay, &Path, &[Output]) -> anyhow::Result<Network>,
    /// Games of a thread, and behind them those by the bare model, where such may be played beside.
    begin: fn(&SelfPlay, [Rng; 2]) -> AllGames<'_>,
}

/// State that the threads share.
struct Run<'a> {
    options: &'a SelfPlay,
    way: &'a Way,
    model: RwLock<Current>,
    /// Games of earlier processes, all workers together.
    before: u64,
    /// How much of its time the trainer says is over.
    trained: Mutex<f32>,
    games: AtomicU64,
    evaluations: AtomicU64,
    positions: AtomicU64,
    /// Whether the trainer wants no more lessons for now.
    waits: AtomicBool,
    over: AtomicBool,
    /// Why a thread ended.
    fault: Mutex<Option<anyhow::Error>>,
}

/// The model of the run as it is now.
fn current(options: &SelfPlay, way: &Way) -> anyhow::Result<Current> {
    let path = options.model();
    let written = fs::metadata(&path).and_then(|file| file.modified()).with_context(|| missing(&path))?;
    Ok((Arc::new((way.load)(options, &path, way.needs)?), written))
}

/// Games that workers of this run have finished before: each keeps its own count.
fn games_before(dir: &Path) -> anyhow::Result<u64> {
    let mut games = 0;
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "games") {
            games += fs::read_to_string(&path)?.trim().parse::<u64>().unwrap_or(0);
        }
    }
    Ok(games)
}

/// The share of the run that is over, as the trainer writes it beside the model; 0 where none does.
fn trained(dir: &Path) -> f32 {
    let told = fs::read_to_string(dir.join("share")).ok().and_then(|text| text.trim().parse().ok());
    told.filter(|share: &f32| share.is_finite()).unwrap_or(0.0).clamp(0.0, 1.0)
}

/// Whether the trainer asks for a pause: its file is fresh, since a trainer that was killed leaves one behind.
fn waits(dir: &Path) -> bool {
    let written = fs::metadata(dir.join("wait")).and_then(|file| file.modified()).ok();
    written.is_some_and(|written| written.elapsed().is_ok_and(|age| age < WAITED))
}

/// Play by a search with a policy.
fn by_policy<G: Played>() -> Way {
    Way {
        needs: &[Output::Policy],
        load: network::<G>,
        begin: |options, [rng, _]| {
            let settings = |options: &SelfPlay, _: &_, _| options.policy_settings();
            vec![many::<PolicyGame<G>>(options, rng, GAMES, SelfPlay::opening, settings)]
        },
    }
}

/// Play by the bare policy of a model whose outputs are learned.
fn by_labels<G: Played>() -> Way {
    Way {
        needs: &[Output::Policy],
        load: network::<G>,
        begin: |options, [rng, _]| {
            let settings = |options: &SelfPlay, _: &_, _| options.labels.settings();
            vec![many::<Labelled<G>>(options, rng, GAMES, SelfPlay::opening, settings)]
        },
    }
}

/// A model for descent, and for the games beside it where there are some.
fn descending<G: Played>(options: &SelfPlay, path: &Path, needs: &[Output]) -> anyhow::Result<Network> {
    let network = network::<G>(options, path, needs)?;
    if options.outcomes.outcome_share > 0.0 && !network.model().gives(Output::Actions) {
        bail!("--outcome-share plays by values of moves, which {} does not give: it has to be 0", path.display());
    }
    Ok(network)
}

/// Play by descent, and games by the bare model beside.
fn by_descent<G: Played>() -> Way {
    Way {
        needs: &[Output::Actions, Output::Value],
        load: descending::<G>,
        begin: |options, [rng, beside]| {
            let settings = |options: &SelfPlay, network: &Network, exploitation| {
                options.descent_settings(!network.model().gives(Output::Actions), exploitation)
            };
            let outcomes = |options: &SelfPlay, _: &_, _| options.outcomes.settings();
            vec![
                many::<Descent<G>>(options, rng, GAMES_BY_DESCENT, SelfPlay::opening, settings),
                many::<Outcomes<G>>(options, beside, GAMES, SelfPlay::start, outcomes),
            ]
        },
    }
}

impl Run<'_> {
    fn exploitation(&self) -> f32 {
        if let Some(held) = self.options.exploitation {
            return held;
        }
        let Some(run) = self.options.run else { return *self.trained.lock() };
        let games = self.before + self.games.load(Ordering::Relaxed);
        (games as f32 / run.max(1) as f32).min(1.0)
    }

    /// The loop of one thread.
    fn work(&self, number: usize, seed: u64) -> anyhow::Result<()> {
        let options = self.options;
        let mut games = (self.way.begin)(options, [seed, !seed].map(|seed| Rng::stream(seed, number as u64)));
        let (mut written, mut reported, mut shards) = (Instant::now(), 0, 0);
        // Evaluations of either kind of games.
        let (mut valued, mut by_outcomes) = (0, 0);
        loop {
            let over = self.over.load(Ordering::Relaxed) || options.stop.is_set();
            let learned: usize = games.iter().map(|games| games.learned()).sum();
            let full = learned >= options.shard || games.iter().any(|games| games.is_loaded());
            if full || learned > 0 && (over || written.elapsed() >= LONGEST) {
                for shard in games.iter_mut().flat_map(|games| games.take()) {
                    self.positions.fetch_add(shard.len() as u64, Ordering::Relaxed);
                    let path = options.shard(number, shards)?;
                    shard.write(&path).with_context(|| path.display().to_string())?;
                    shards += 1;
                }
                written = Instant::now();
            }
            if over {
                return Ok(());
            }
            if self.waits.load(Ordering::Relaxed) {
                thread::sleep(LOOK / 10);
                continue;
            }
            let network = Arc::clone(&self.model.read().0);
            let beside = games.len() > 1 && (by_outcomes as f32) < options.outcomes.outcome_share * (valued + 1) as f32;
            let count = games[usize::from(beside)].step(&network, self.exploitation())?;
            by_outcomes += if beside { count } else { 0 };
            valued += count;
            self.evaluations.fetch_add(count as u64, Ordering::Relaxed);
            let finished: u64 = games.iter().map(|games| games.finished()).sum();
            self.games.fetch_add(finished - reported, Ordering::Relaxed);
            reported = finished;
        }
    }

    /// Takes a new model as soon as there is one.
    fn refresh(&self) {
        let changed = fs::metadata(self.options.model()).and_then(|file| file.modified());
        let known = self.model.read().1;
        if changed.is_ok_and(|changed| changed != known) {
            match current(self.options, self.way) {
                Ok(current) => {
                    *self.model.write() = current;
                    tracing::info!("a new model");
                }
                Err(error) => tracing::warn!(%error, "the new model is not taken"),
            }
        }
    }
}

/// Plays a game by the run's model, in the way that the model can be taught by.
pub(crate) struct Learn<'a>(pub(crate) &'a SelfPlay);

impl Visitor for Learn<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Played>(self) -> Self::Output {
        let (options, file) = (self.0, read(&self.0.model())?);
        options.check::<G>()?;
        if options.labels.by.is_some() {
            play(options, &by_labels::<G>())
        } else if file.gives(Output::Policy) || !G::recipe().plays_with(&file) {
            play(options, &by_policy::<G>())
        } else {
            play(options, &by_descent::<G>())
        }
    }
}

fn play(options: &SelfPlay, way: &Way) -> anyhow::Result<()> {
    let start = Instant::now();
    options.shards()?;
    let seed = options.seed();
    let counter = options.dir.join(format!("{}.games", options.worker));
    let own: u64 = fs::read_to_string(&counter).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let run = Run {
        options,
        way,
        model: RwLock::new(current(options, way)?),
        before: games_before(&options.dir)?,
        trained: Mutex::new(trained(&options.dir)),
        games: AtomicU64::new(0),
        evaluations: AtomicU64::new(0),
        positions: AtomicU64::new(0),
        waits: AtomicBool::new(waits(&options.dir)),
        over: AtomicBool::new(false),
        fault: Mutex::new(None),
    };
    eprintln!("losange: playing with {} on {}", run.model.read().0.path().display(), run.model.read().0.runtime());
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
    thread::scope(|scope| -> anyhow::Result<()> {
        for number in 0..options.threads {
            let run = &run;
            scope.spawn(move || {
                if let Err(error) = run.work(number, seed) {
                    *run.fault.lock() = Some(error);
                    run.over.store(true, Ordering::Relaxed);
                }
            });
        }
        let end = options.time.map(Duration::from_secs_f64);
        let result = (|| {
            let ended = || run.over.load(Ordering::Relaxed) || options.stop.is_set();
            while !ended() && end.is_none_or(|end| start.elapsed() < end) {
                let look = Instant::now() + LOOK.min(end.map_or(LOOK, |end| end.saturating_sub(start.elapsed())));
                options.stop.wait_while(Some(look), || true);
                run.refresh();
                *run.trained.lock() = trained(&options.dir);
                run.waits.store(waits(&options.dir), Ordering::Relaxed);
                let (games, elapsed) = (run.games.load(Ordering::Relaxed), start.elapsed().as_secs_f64());
                write_whole(&counter, format!("{}\n", own + games)).with_context(|| counter.display().to_string())?;
                let evaluations = run.evaluations.load(Ordering::Relaxed);
                bar.set_message(format!(
                    "{} games ({:.1}/s)  {} positions  {:.0} evaluations/s  exploitation {:.2}",
                    run.before + games,
                    games as f64 / elapsed,
                    run.positions.load(Ordering::Relaxed),
                    evaluations as f64 / elapsed,
                    run.exploitation()
                ));
                bar.tick();
            }
            anyhow::Ok(())
        })();
        run.over.store(true, Ordering::Relaxed);
        result
    })?;
    bar.finish();
    let games = run.games.load(Ordering::Relaxed);
    eprintln!(
        "losange: {games} games, {} positions, {} evaluations in {:.0} s",
        run.positions.load(Ordering::Relaxed),
        run.evaluations.load(Ordering::Relaxed),
        start.elapsed().as_secs_f64()
    );
    match run.fault.lock().take() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_to_wait_grows_old() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wait");
        assert!(!waits(folder.path()));
        fs::write(&path, "").unwrap();
        assert!(waits(folder.path()));
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - 2 * WAITED).unwrap();
        assert!(!waits(folder.path()));
    }

    #[test]
    fn the_trainer_says_how_much_is_over() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(trained(folder.path()), 0.0);
        for (text, share) in [("0.25\n", 0.25), ("1.5", 1.0), ("-1", 0.0), ("NaN", 0.0), ("soon", 0.0)] {
            fs::write(folder.path().join("share"), text).unwrap();
            assert_eq!(trained(folder.path()), share, "{text}");
        }
    }
}
