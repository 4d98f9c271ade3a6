//! Training of every game: Python sees planes, actions and symmetries as the engine does, and a step makes a model that runs.
//!
//! Needs PyTorch and, for simulated machines, Ray (`scripts/train/requirements-fleet.txt`).

mod support;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use losange::game::Planes;
use losange::learn::shard::Shard;
use losange::players::{Kind, Played, Visitor};
use losange::rng::Rng;
use support::command;

/// Positions that are shown to Python, of random games.
const POSITIONS: usize = 600;
/// A game that takes longer means a hang; generous, for slow machines.
const HANG: Duration = Duration::from_secs(120);

fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{output:?}");
    output
}

fn losange(arguments: &[&str]) -> String {
    String::from_utf8(output(&mut command(arguments)).stdout).unwrap()
}

fn script(name: &str) -> Command {
    let mut command = Command::new(format!("scripts/train/{name}"));
    command.env("LOSANGE", env!("CARGO_BIN_EXE_losange"));
    command
}

/// Positions of random games from a start, none of which is over.
fn positions<G: Planes>(start: &G) -> Vec<G> {
    let (mut rng, mut moves, mut positions) = (Rng::new(1), Vec::new(), Vec::new());
    let mut position = start.clone();
    while positions.len() < POSITIONS {
        if position.outcome().is_some() {
            position = start.clone();
        }
        position.legal_moves(&mut moves);
        positions.push(position.clone());
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    positions
}

/// The positions as the engine shows them under one symmetry, with random numbers for moves and points.
fn shard<G: Planes>(positions: &[G], symmetry: usize) -> Shard {
    let mut rng = Rng::new(2);
    let (mut shard, mut moves) = (Shard { shape: positions[0].shape(), ..Shard::default() }, Vec::new());
    shard.actions = positions[0].action_count();
    for position in positions {
        position.write_planes(symmetry, &mut shard.planes);
        let mut targets = vec![0.0; shard.actions];
        let mut legal = targets.clone();
        position.legal_moves(&mut moves);
        for &mv in &moves {
            let index = position.action_index(mv, symmetry).expect("models know every move of these games");
            (targets[index], legal[index]) = (rng.unit(), 1.0);
        }
        let [rows, columns] = position.board();
        let mut owners = vec![0.0; rows * columns];
        for point in 0..position.points() {
            owners[position.point_index(point, symmetry)] = rng.unit();
        }
        shard.targets.extend(targets);
        shard.weights.extend(legal);
        shard.owners.extend(owners);
    }
    shard
}

/// Lets Python compare its symmetries with the engine's, and learn which moves are legal.
fn assert_seen_alike<G: Played>(start: &G) {
    let folder = tempfile::tempdir().unwrap();
    let positions = positions(start);
    for symmetry in 0..start.symmetries() {
        shard(&positions, symmetry).write(&folder.path().join(format!("{symmetry}.npz"))).unwrap();
    }
    let told = output(script("check.py").args([G::KIND.word(), &start.size().width.to_string()]).arg(folder.path()));
    println!("{}", String::from_utf8_lossy(&told.stdout).trim_end());
}

/// Compares how a game is seen.
struct Seen;

impl Visitor for Seen {
    type Output = ();

    fn visit<G: Played>(self) {
        assert_seen_alike(&G::square(5));
    }
}

#[test]
#[ignore = "needs PyTorch"]
fn every_game_is_seen_as_the_engine_sees_it() {
    for_two().for_each(|kind| kind.visit(Seen));
}

/// Games that are learned: those for two.
fn for_two() -> impl Iterator<Item = Kind> {
    struct Two;
    impl Visitor for Two {
        type Output = bool;

        fn visit<G: Played>(self) -> bool {
            G::PLAYERS == 2
        }
    }
    Kind::ALL.iter().copied().filter(|kind| kind.visit(Two))
}

/// Plays with the model of a run until the first lessons lie there.
fn play_until_a_shard(folder: &Path, size: &str) {
    let mut player = command(&["selfplay"])
        .arg(folder)
        .args([
            "--sizes",
            size,
            "--threads",
            "1",
            "--games",
            "1",
            "--backend",
            "embedded",
            "--descents",
            "2",
            "--keep",
            "1",
        ])
        .args(["--searches", "4", "--learned", "1", "--shard", "40"])
        .spawn()
        .unwrap();
    let is_shard = |path: PathBuf| path.extension().is_some_and(|extension| extension == "npz");
    let start = Instant::now();
    while !folder.join("shards").read_dir().unwrap().any(|entry| is_shard(entry.unwrap().path())) {
        assert!(start.elapsed() < HANG && player.try_wait().unwrap().is_none(), "no lessons");
        thread::sleep(Duration::from_millis(20));
    }
    player.kill().unwrap();
    player.wait().unwrap();
}

/// One step of training on lessons of self-play, with a model of random weights to begin with.
fn assert_trains(game: &str, learn: &str, size: &str, folder: &Path) {
    let folder = folder.join(format!("{game}-{learn}"));
    let train = |more: &[&str]| {
        let mut command = script("train.py");
        command.arg(&folder).args(["--game", game, "--learn", learn, "--sizes", size, "--batch", "16"]);
        output(command.args(["--channels", "4", "--blocks", "1"]).args(more));
    };
    train(&["--minutes", "0"]);
    play_until_a_shard(&folder, size);
    train(&["--minutes", "10", "--steps", "1"]);
    let model = folder.join("model.onnx");
    let inspected = losange(&["model", "inspect", model.to_str().unwrap()]);
    assert!(inspected.contains(", 1 steps"), "{inspected}");
    losange(&["model", "check", model.to_str().unwrap()]);
}

/// Trains the first of the games whose models have the same form; all of them where `LOSANGE_LONG` is set.
#[test]
#[ignore = "needs PyTorch"]
fn a_step_makes_a_model_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut forms = HashSet::new();
    for kind in for_two() {
        let Learned { learned, size, form } = kind.visit(Learning);
        if forms.insert((learned, form)) || std::env::var_os("LOSANGE_LONG").is_some() {
            for learn in learned {
                assert_trains(kind.word(), learn, &size.to_string(), folder.path());
            }
        }
    }
}

/// A net whose weights stay as they are is what is published soon, whatever it began with; and of shards that come one after the
/// other the first are not drawn many times as often as others.
const FAIR: &str = r#"
import sys, types
from pathlib import Path
import numpy as np, torch
from loop import drift
from data import Replay, read
net = torch.nn.Linear(3, 1)
mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=drift, use_buffers=True)
mean.update_parameters(net)
for weights in net.parameters():
    weights.data.fill_(1)
for _ in range(50):
    mean.update_parameters(net)
assert all((weights - 1).abs().max() < 0.01 for weights in mean.module.parameters())
maps = {kind: [None] for kind in ["planes", "actions", "points"]}
game = types.SimpleNamespace(symmetries=lambda rows, columns: maps)
replay, rng, trained = Replay(game, 1 << 20, 4), np.random.default_rng(1), 0
for number in range(20):
    path = f"{sys.argv[1]}/{number}.npz"
    np.savez(path, planes=np.zeros((1000, 1, 2, 2), np.float32), targets=np.zeros((1000, 4), np.float32))
    replay.add(Path(path), read(path))
    while trained < 4 * 1000 * (number + 1):
        trained += len(replay.batch(100, rng)["planes"])
uses = [part["uses"] / 950 for part in replay.parts]
assert max(uses) < 8 and min(uses[:15]) > 3, uses
"#;

#[test]
#[ignore = "needs PyTorch"]
fn training_is_fair_to_steps_and_positions() {
    let folder = tempfile::tempdir().unwrap();
    output(Command::new("python3").current_dir("scripts/train").args(["-c", FAIR]).arg(folder.path()));
}

/// Positions in the memory of a GPU (here in the processor's, as for one) give the batches that they give on a processor, whichever
/// have left the window and however large their numbers are.
const RING: &str = r#"
import sys, types
from pathlib import Path
import numpy as np, torch
from data import Replay
def maps(rows, columns):
    cells = torch.arange(rows * columns).reshape(rows, columns)
    turns = [cells.flatten(), cells.flip(0).flatten(), cells.flip(1).flatten(), cells.flip(0, 1).flatten()]
    return {"planes": turns, "points": turns, "actions": [torch.cat([turn, torch.tensor([rows * columns])]) for turn in turns]}
game = types.SimpleNamespace(symmetries=maps)
sides = [Replay(game, 300, 4, device) for device in ("cpu", torch.device("cpu"))]
chance = torch.Generator().manual_seed(1)
def drawn(*shape):
    return torch.rand(*shape, generator=chance)
for number in range(40):
    rows, count = 3 + number % 2, 20 + number
    planes = drawn(count, 2, rows, 4).round().to(torch.uint8) if number < 25 else drawn(count, 2, rows, 4).half()
    cells = rows * 4
    arrays = {"planes": planes, "targets": drawn(count, cells + 1), "owners": drawn(count, cells), "values": drawn(count)}
    for side in sides:
        side.add(Path(f"{sys.argv[1]}/{number}.npz"), arrays)
    batches = [side.batch(64, np.random.default_rng(number)) for side in sides]
    names = list(arrays)
    plain, ring = ({tuple(np.concatenate([batch[name][row].flatten() for name in names])) for row in range(64)} for batch in batches)
    assert plain == ring and all(batch["planes"].dtype == torch.float32 for batch in batches), number
assert [side.total for side in sides] == [sides[0].total] * 2 and len(sides[0].parts) < 10
assert all(len(ring.arrays["planes"]) < 500 and ring.next > 700 for ring in sides[1].rings.values())
"#;

#[test]
#[ignore = "needs PyTorch"]
fn a_gpu_is_given_the_same_batches() {
    let folder = tempfile::tempdir().unwrap();
    output(Command::new("python3").current_dir("scripts/train").args(["-c", RING]).arg(folder.path()));
}

/// Three machines learn, one of them is lost and another one joins: no game counts twice and no shard is lost.
#[test]
#[ignore = "needs PyTorch and Ray"]
fn a_fleet_survives_the_loss_of_a_machine() {
    let told = output(script("check_fleet.py").args(["--seconds", "120"]));
    assert!(String::from_utf8_lossy(&told.stdout).contains("all once"), "{told:?}");
}

/// How a game is learned.
struct Learned {
    /// Kinds of models.
    learned: &'static [&'static str],
    /// Lines of a small board.
    size: usize,
    /// Whether a point has several actions, whether there are actions without one, and whether the game has one board.
    form: [bool; 3],
}

/// Tells how a game is learned.
struct Learning;

impl Visitor for Learning {
    type Output = Learned;

    fn visit<G: Played>(self) -> Learned {
        let start = G::square(4);
        let has_border = start.shape()[1] > start.board()[0];
        let learned: &[&str] = match (start.scoring(), has_border) {
            (Some(_), _) => &["policy"],
            (None, true) => &["actions", "states"],
            (None, false) => &["actions", "policy"],
        };
        let (actions, points) = (start.action_count(), start.points());
        let form = [actions / points > 1, actions % points > 0, G::BOARDS.fewest == G::BOARDS.most];
        Learned { learned, size: start.size().width, form }
    }
}
