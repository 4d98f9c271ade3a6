//! Options of self-play, and what follows from them: files of the run, its model, openings.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::eval::net::{Backend, Network, Options, Output};
use crate::games::Size;
use crate::learn::{DescentSettings, LabelSettings, Maker, OutcomeSettings, PuctSettings, Selection, Targets, Worth};
use crate::players::models::{game_of, load};
use crate::players::{Kind, Played, Preset};
use crate::rng::Rng;
use crate::search::Stop;
use anyhow::{Context, bail};
use clap::Args;

use crate::commands::options::{at_least_one, cores, factor, kind, one_of, probability, seconds, seed, threads};
use crate::commands::runtime::{RuntimeOptions, back_end};

/// Plies of a game by policy in which moves are drawn in proportion to their visits.
const VARIED: u32 = 12;
/// Its weight of exploration, in -1..=1 (Maestrati takes 1).
const EXPLORATION: f32 = 1.0;

/// Bytes of answers of a model that are kept, until another one takes its place.
const CACHE: usize = 32 << 20;

/// Games by the bare model, beside those by descent.
#[derive(Debug, Args)]
pub(crate) struct OutcomeOptions {
    /// Models of actions: share of the evaluations that goes to games by the bare model. Moves are drawn for some plies; then both sides
    /// play the best move, and the moves of early positions learn who won.
    #[arg(long, default_value_t = 0.0, value_parser = probability)]
    pub(crate) outcome_share: f32,
    /// In these games: most plies whose moves are drawn; each has from one to so many.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    outcome_explored: u32,
    /// In these games: moves that are drawn in the last of these plies, each of them followed to an end of its own.
    #[arg(long, default_value_t = 16, value_parser = at_least_one)]
    outcome_branches: usize,
    /// In these games: temperature of the draw of a first move, over logarithms of the odds of winning.
    #[arg(long, default_value_t = 4.0, value_parser = factor)]
    outcome_temperature: f32,
    /// In these games: factor of the temperature from each ply to the next.
    #[arg(long, default_value_t = 0.8, value_parser = probability)]
    outcome_cooling: f32,
    /// In these games: plies whose moves are learned.
    #[arg(long, default_value_t = 14)]
    outcome_plies: usize,
    /// In these games: share of the positions after the draws that is kept for training.
    #[arg(long, default_value_t = 0.2, value_parser = probability)]
    outcome_keep: f32,
    /// In these games: plies from which the game's knowledge is asked before each move: it ends a game, forbids moves that it calls lost,
    /// and is learned. Never, if nothing is said.
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    outcome_known: usize,
    /// In these games: best moves whose replies are valued too before one of them is played, behind the draws.
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    outcome_looks: usize,
    /// In these games: how much a result counts, where a value that descent has searched once counts 2.
    #[arg(long, default_value_t = 3.0, value_parser = factor)]
    outcome_weight: f32,
    /// In these games: share of what came later in a target, from each ply to the next, where the rest is what the model said there; 1
    /// for the result alone.
    #[arg(long, default_value_t = 1.0, value_parser = probability)]
    outcome_trace: f32,
}

impl OutcomeOptions {
    /// How these games are played.
    pub(crate) fn settings(&self) -> OutcomeSettings {
        OutcomeSettings {
            explored: self.outcome_explored,
            branches: self.outcome_branches,
            temperature: self.outcome_temperature,
            cooling: self.outcome_cooling,
            plies: self.outcome_plies,
            keep: self.outcome_keep,
            known: self.outcome_known,
            looks: self.outcome_looks,
            weight: self.outcome_weight,
            trace: self.outcome_trace,
        }
    }
}

/// Games by another model, whose outputs are learned.
#[derive(Debug, Args)]
pub(crate) struct LabelOptions {
    /// Play by the bare policy of that model instead of the run's, and learn what it says of each position: policy, value, lead and owners.
    #[arg(long = "labels", value_name = "PATH", conflicts_with = "teacher")]
    pub(crate) by: Option<PathBuf>,
    /// With --labels: temperature of the draw of a first move from its policy; later moves are drawn less and less evenly.
    #[arg(long, default_value_t = 1.0, value_parser = factor, requires = "by")]
    label_temperature: f32,
    /// With --labels: share of the moves that are drawn evenly from all.
    #[arg(long, default_value_t = 0.03, value_parser = probability, requires = "by")]
    label_chance: f32,
    /// With --labels: share of the positions that is kept for training.
    #[arg(long, default_value_t = 1.0, value_parser = probability, requires = "by")]
    label_keep: f32,
}

impl LabelOptions {
    /// How these games are played.
    pub(crate) fn settings(&self) -> LabelSettings {
        LabelSettings { temperature: self.label_temperature, chance: self.label_chance, keep: self.label_keep }
    }
}

/// Games to play.
#[derive(Debug, Args)]
pub(crate) struct SelfPlay {
    /// Folder of the run: `model.onnx` is read from it, again whenever it changes, and `shards/` filled.
    pub(crate) dir: PathBuf,
    /// Board sizes, such as 5 or 7,9,11; each game takes one of them, or the nearest that the game has.
    #[arg(long, value_delimiter = ',', default_value = "11", value_parser = at_least_one)]
    pub(crate) sizes: Vec<usize>,
    /// Threads, each with games of its own.
    #[arg(long, default_value_t = cores(), value_parser = threads)]
    pub(crate) threads: usize,
    /// Games at once in each thread [default: 4 by descent, which learns of a game when that ends; 32 of other ways].
    #[arg(long, value_parser = at_least_one)]
    pub(crate) games: Option<usize>,
    /// Models of actions or states: descents before each move.
    #[arg(long, default_value_t = 20)]
    pub(crate) descents: u32,
    /// Learn as a paper has it (see `losange presets`): its options of self-play, where they are not given.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Models of actions or states: share of the states that is kept for training, for each time that the search came through
    /// them [default: 0.1].
    #[arg(long, value_parser = probability)]
    keep: Option<f32>,
    /// Models of actions or states: what fills the tree, iterations to the end of the game, those of UBFM or of UCT, or alpha-beta [default: descent].
    #[arg(long, value_parser = one_of(Maker::ALL))]
    maker: Option<Maker>,
    /// Models of actions or states: what is learned, all of the tree (weighted by updates or not) or the game's own states, with
    /// what was searched or how it ended [default: weighted].
    #[arg(long, value_parser = one_of(Targets::ALL))]
    targets: Option<Targets>,
    /// Models of actions or states: what a won game is worth, the same always, more the sooner it ends (two ways), or by the moves
    /// that its winner could choose among, the pieces that it has left or the points by which it leads [default: classic].
    #[arg(long, value_parser = one_of(Worth::ALL))]
    worth: Option<Worth>,
    /// Models of actions or states: how moves are chosen [default: ordinal].
    #[arg(long, value_parser = one_of(Selection::ALL))]
    selection: Option<Selection>,
    /// Models of actions or states: whether the rules alone end games, and not what is certain at a glance [default: false].
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    by_rules: Option<bool>,
    /// Models of actions or states: whether resolved games are played to their end, as they are where the game's own states are
    /// learned [default: false].
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    play_on: Option<bool>,
    /// Models of states: whether every second state adds the end of a game by chance [default: true].
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    random_ends: Option<bool>,
    /// Models of actions or states: whether what one game has resolved is known in the next one [default: false].
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    keep_resolved: Option<bool>,
    /// Hex: share of the games in which the second move may be a swap.
    #[arg(long, default_value_t = 0.0, value_parser = probability)]
    swap: f32,
    /// Models with a policy: searches before each move that is learned from; others have a fifth [default: 100].
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..))]
    searches: Option<u32>,
    /// Models with a policy: share of the moves that is learned from [default: 0.25].
    #[arg(long, value_parser = probability)]
    learned: Option<f32>,
    /// Models with a policy: plies of a game in which moves are drawn in proportion to their visits [default: 12].
    #[arg(long)]
    varied: Option<u32>,
    /// Models of actions or states: games of the whole run, over which play turns from chance to the best move, instead of the
    /// trainer's time.
    #[arg(long)]
    pub(crate) run: Option<u64>,
    /// Models of actions or states: how far play is turned from chance (0) to the best move (1) all the time, instead of more and more.
    #[arg(long, value_parser = probability, conflicts_with = "run")]
    pub(crate) exploitation: Option<f32>,
    /// Models of actions or states: plies before which positions of descent are not learned.
    #[arg(long, default_value_t = 0)]
    pub(crate) descent_from: usize,
    #[command(flatten)]
    pub(crate) outcomes: OutcomeOptions,
    /// Positions of a shard; fewer where a game has very many moves.
    #[arg(long, default_value_t = 5_000, value_parser = at_least_one)]
    pub(crate) shard: usize,
    /// Play by the engine's own knowledge of that game instead of a model, to begin with: lessons for models of actions by an
    /// evaluator where the game has one, and else with a policy by the game's usual search.
    #[arg(long, value_parser = kind(), value_name = "GAME")]
    pub(crate) teacher: Option<Kind>,
    /// With --teacher: lessons for models with a policy also where there is an evaluator, by minimax over it with --searches expansions.
    #[arg(long, requires = "teacher")]
    pub(crate) policy: bool,
    /// With --teacher: so many ends of games by chance and nothing else, by which models of states begin (see --worth).
    #[arg(long, requires = "teacher", conflicts_with_all = ["policy", "adviser"])]
    pub(crate) ends: Option<u64>,
    /// With --teacher: a model that the game's usual search asks, for advice or in the place of playouts as its metadata say.
    #[arg(long, value_name = "PATH", requires = "teacher")]
    pub(crate) adviser: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) labels: LabelOptions,
    /// Seconds after which it ends; teachers finish the games that they are in.
    #[arg(long, value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// Name of this process among several that fill one folder.
    #[arg(long, default_value = "0")]
    pub(crate) worker: String,
    /// Back end that runs the model.
    #[arg(long, value_parser = back_end(), default_value = Backend::Auto.name())]
    backend: Backend,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Seed of all randomness; another one at each start where it is not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Set by a signal: what was learned so far is written, and the program ends.
    #[arg(skip)]
    pub(crate) stop: Stop,
}

impl SelfPlay {
    /// File of the model that plays: the run's, or the one whose outputs are learned.
    pub(crate) fn model(&self) -> PathBuf {
        self.labels.by.clone().unwrap_or_else(|| self.dir.join("model.onnx"))
    }

    /// Folder of the shards, made if it is not there.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub(crate) fn shards(&self) -> anyhow::Result<PathBuf> {
        let folder = self.dir.join("shards");
        fs::create_dir_all(&folder).with_context(|| self.dir.display().to_string())?;
        Ok(folder)
    }

    /// Path of the next shard of a thread; names sort by time, and say where a teacher or another model is learned from.
    ///
    /// # Errors
    /// A clock before 1970.
    pub(crate) fn shard(&self, thread: usize, number: usize) -> anyhow::Result<PathBuf> {
        let stamp = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
        let taught = self.teacher.is_some() || self.labels.by.is_some();
        let thread = format!("{}{thread}", if taught { "teacher" } else { "" });
        Ok(self.dir.join("shards").join(format!("{stamp:015}-{}-{thread}-{number}.npz", self.worker)))
    }

    /// The seed, another one at each start where it is not given.
    pub(crate) fn seed(&self) -> u64 {
        seed(self.seed)
    }

    /// The position that the next game begins with, on one of the boards of the run.
    pub(crate) fn opening<G: Played>(&self, rng: &mut Rng) -> G {
        let swaps = self.swap > 0.0 && rng.unit() < self.swap;
        let mut opening = G::opening(self.size::<G>(rng), rng);
        // Behind the second move no swap can come.
        while swaps && opening.plies() > 1 {
            opening = G::opening(self.size::<G>(rng), rng);
        }
        if swaps {
            opening.allow_swap();
        }
        opening
    }

    /// One of the boards of the run.
    fn size<G: Played>(&self, rng: &mut Rng) -> Size {
        Size::square(G::BOARDS.nearest(self.sizes[rng.below(self.sizes.len() as u32) as usize]))
    }

    /// The start of a game on one of the boards of the run.
    pub(crate) fn start<G: Played>(&self, rng: &mut Rng) -> G {
        G::on(self.size::<G>(rng))
    }

    /// The preset, if one is named.
    ///
    /// # Errors
    /// An unknown name, or a preset for other games.
    pub(crate) fn check<G: Played>(&self) -> anyhow::Result<()> {
        if let Some(name) = &self.preset {
            G::recipe().preset(name)?;
        }
        let worth = self.worth();
        if worth == Worth::Presence && G::square(self.sizes[0]).pieces().is_none() {
            bail!("in {} the winner has no more pieces than the loser: choose another --worth than presence", G::KIND);
        }
        if worth == Worth::Scoring && !G::SCORED {
            bail!("{} has no points to win by: choose another --worth than scoring", G::KIND);
        }
        if self.swap > 0.0 && !G::SWAPS {
            bail!("{} has no swap: leave --swap out", G::KIND);
        }
        Ok(())
    }

    /// Value of an option: the given one, or the preset's, or else the usual one.
    fn chosen<T: FromStr>(&self, given: Option<T>, name: &str, usual: T) -> T {
        let preset = self.preset.as_ref().and_then(|name| Preset::of_name(name).ok());
        let of_preset = || preset.and_then(|preset| preset.option(name)?.parse().ok());
        given.or_else(of_preset).unwrap_or(usual)
    }

    /// Worth of a won game.
    pub(crate) fn worth(&self) -> Worth {
        self.chosen(self.worth, "worth", Worth::default())
    }

    /// How games are played by descent, with a model that values states or actions.
    pub(crate) fn descent_settings(&self, states: bool, exploitation: f32) -> DescentSettings {
        DescentSettings {
            descents: self.descents,
            exploitation,
            keep: self.chosen(self.keep, "keep", 0.1),
            maker: self.chosen(self.maker, "maker", Maker::default()),
            targets: self.chosen(self.targets, "targets", Targets::default()),
            worth: self.worth(),
            selection: self.chosen(self.selection, "selection", Selection::default()),
            from: self.descent_from,
            states,
            by_rules: self.chosen(self.by_rules, "by-rules", false),
            play_on: self.chosen(self.play_on, "play-on", false),
            random_ends: self.chosen(self.random_ends, "random-ends", true),
            keep_resolved: self.chosen(self.keep_resolved, "keep-resolved", false),
        }
    }

    /// How games are searched by policy.
    pub(crate) fn policy_settings(&self) -> PuctSettings {
        PuctSettings {
            searches: self.chosen(self.searches, "searches", 100),
            learned: self.chosen(self.learned, "learned", 0.25),
            varied: self.chosen(self.varied, "varied", VARIED),
            exploration: EXPLORATION,
        }
    }
}

/// The reason why there is no model.
pub(crate) fn missing(model: &Path) -> String {
    format!("no model to play with: {}; scripts/train/train.py makes the first one", model.display())
}

/// A model for the game that gives one of the outputs that are needed, on all boards of the run.
///
/// # Errors
/// Another game, a missing output, or a board that the model does not serve.
pub(crate) fn network<G: Played>(options: &SelfPlay, path: &Path, needs: &[Output]) -> anyhow::Result<Network> {
    let (kind, game) = (G::KIND, game_of(path, Some(G::KIND))?);
    if game != kind {
        bail!("the run is for {kind}, and the model {} for {game}", path.display());
    }
    // A search begins with what the one before has valued below the move that was played.
    let runtime = Options { cache: CACHE, ..options.runtime.options(options.backend) };
    let network = load::<G>(path, &runtime)?;
    if !needs.iter().any(|&output| network.model().gives(output)) {
        let needs: Vec<&str> = needs.iter().map(|output| output.name()).collect();
        bail!("the model {} gives no {}, which {kind} is learned by", path.display(), needs.join(" and no "));
    }
    let mut sizes = options.sizes.iter().map(|&size| G::BOARDS.nearest(size));
    if let Some(size) = sizes.find(|&size| !network.model().serves(size, size)) {
        bail!("the model {} does not serve {size}x{size}", path.display());
    }
    Ok(network)
}
