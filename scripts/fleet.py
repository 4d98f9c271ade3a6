#!/usr/bin/env python3
"""Makes a model on many machines: Ray plays the games wherever the cluster has processors, and training runs here.

    pip install -r scripts/train/requirements-fleet.txt
    ray start --head                            # here, and on each other machine: ray start --address=HERE:6379
    scripts/fleet.py runs/go --game go --sizes 9,13,19 --minutes 600 -- --channels 48 --blocks 6
    scripts/fleet.py runs/go --game go --sizes 9,13,19 --labels g170-b6c96.bin.gz -- --start models/go.onnx

RUN is the folder of one machine's run (scripts/learn.sh), and each of the two goes on with what the other has begun. Machines may
come and go: there are as many players as the cluster has processors for, those of a lost machine begin anew on another one, and a
shard counts once it lies in RUN/shards. A machine needs Ray alone: the program and the models travel (the program of this machine, so
that all must have its system). On machines with GPUs there is a player for each, which values the positions of many games at once.

Options after -- are those of train.py. Each line that is printed tells of the last seconds: machines, players at work, games and
positions a second, and what the trainer and the gate said last.
"""
import argparse
import fcntl
import hashlib
import io
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import zipfile
from pathlib import Path

from numpy.lib import format as npy

TRAINING = Path(__file__).resolve().parent / "train"
sys.path.insert(0, str(TRAINING))

try:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ImportError:
    sys.exit("fleet: Ray is missing: pip install -r scripts/train/requirements-fleet.txt")

import engine  # noqa: E402
from engine import bound, describe, program  # noqa: E402
from gate import Gate, match  # noqa: E402

# Players take along what they call of it: other machines do not have the file.
ray.cloudpickle.register_pickle_by_value(engine)

# Seconds: for which a player waits for a shard, within which a program that ends has never begun, between lines, and after a player
# that could not begin until the next one may.
TURN, BEGINNING, LINE, REST = 5, 10, 10, 30


def placed(content, suffix=""):
    """A file of that content in this machine's folder for such files, the same one for all players."""
    folder = Path(tempfile.gettempdir()) / f"losange-fleet-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / (hashlib.sha256(content).hexdigest()[:32] + suffix)
    if not path.exists():
        partial = folder / f"{uuid.uuid4()}.part"
        partial.write_bytes(content)
        partial.chmod(0o700)
        os.replace(partial, path)
    return path


def positions_of(shard):
    """Number of the positions of a shard, by its header."""
    with zipfile.ZipFile(io.BytesIO(shard)).open("planes.npy") as planes:
        npy.read_magic(planes)
        return npy.read_array_header_1_0(planes)[0][0]


@ray.remote(max_restarts=-1, max_task_retries=-1)
class Player:
    """A `losange selfplay` in a folder of its own."""

    def __init__(self, arguments):
        self.name = uuid.uuid4().hex[:12]
        self.folder = tempfile.TemporaryDirectory(prefix="losange-player-")
        self.run = Path(self.folder.name)
        self.shards = self.run / "shards"
        self.shards.mkdir()
        self.arguments = arguments
        self.held, self.child, self.begun = None, None, None

    def turn(self, files, version, share, waits, taken):
        """Plays on, and returns the shards that are there, by name, and the games played so far. `files` holds references to the model
        of that version, the program and, for labels, a model with its name. Shards of the turn before that are `taken` are deleted."""
        for name in taken:
            (self.shards / name.replace(f"-{self.name}", "")).unlink(missing_ok=True)
        self.write("share", share.encode())
        if waits:
            (self.run / "wait").touch()
        else:
            (self.run / "wait").unlink(missing_ok=True)
        if version != self.held:
            self.write("model.onnx", ray.get(files["model"]))
            self.held = version
        if self.child is None:
            self.begin(files)
        end = time.monotonic() + TURN
        while not (ready := sorted(self.shards.glob("*.npz"))) and time.monotonic() < end:
            time.sleep(0.1)
            self.check()
        games = sum(int(path.read_text() or 0) for path in self.run.glob("*.games"))
        return {f"{path.stem}-{self.name}.npz": path.read_bytes() for path in ready}, (self.name, games)

    def write(self, name, content):
        partial = self.run / f"{name}.part"
        partial.write_bytes(content)
        os.replace(partial, self.run / name)

    def begin(self, files):
        command = [str(placed(ray.get(files["program"]))), "selfplay", str(self.run), *self.arguments]
        if "labels" in files:
            name, content = files["labels"]
            command += ["--labels", str(placed(ray.get(content), f"-{name}"))]
        with (self.run / "told").open("wb") as told:
            self.child = subprocess.Popen(bound(command), stdin=subprocess.DEVNULL, stdout=told, stderr=told)
        self.begun = time.monotonic()

    def check(self):
        """If the program has ended this player does, and Ray begins it anew."""
        if self.child.poll() is not None:
            told = (self.run / "told").read_text(errors="replace")[-2000:]
            if time.monotonic() - self.begun < BEGINNING:
                raise RuntimeError(told)
            print(f"fleet: a player has ended: {told}", file=sys.stderr, flush=True)
            os._exit(1)

    def stop(self):
        if self.child is not None:
            self.child.terminate()
            self.child.wait()
        self.folder.cleanup()


@ray.remote
class Held:
    """Keeps processors of a machine free of players."""


@ray.remote(max_retries=-1)
def play_match(losange, arguments, models):
    """Plays the match of two models: its output, or its complaint where it could not be played, and the other is None."""
    with tempfile.TemporaryDirectory(prefix="losange-match-") as folder:
        first, second = (Path(folder) / f"{player}.onnx" for player in ("first", "second"))
        for file, model in zip((first, second), models):
            file.write_bytes(ray.get(model))
        command = [str(placed(ray.get(losange[0]))), *arguments, "--first", str(first), "--second", str(second)]
        played = subprocess.run(bound(command), capture_output=True, text=True)
    return (played.stdout, None) if played.returncode == 0 else (None, f"status {played.returncode}: {played.stderr.strip()}")


class Fleet:
    """A run and its players."""

    def __init__(self, options, trainer):
        self.options, self.run = options, options.run
        self.shards, self.model = self.run / "shards", self.run / "model.onnx"
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        self.held = Held.options(num_cpus=options.reserve, scheduling_strategy=here).remote()
        self.files = {"program": ray.put(Path(program()).read_bytes())}
        if options.labels:
            self.files["labels"] = (options.labels.name, ray.put(options.labels.read_bytes()))
        self.trainer = trainer
        # What the trainer says, and its last line.
        self.lines, self.said = queue.SimpleQueue(), ""
        threading.Thread(target=lambda: [self.lines.put(line) for line in trainer.stdout], daemon=True).start()
        # Turns that are played, by reference; a player of each kind that the cluster has no room for yet is among them too.
        self.turns, self.players = {}, {"cpu": [], "gpu": []}
        self.version, self.rests_until = None, 0
        self.gate, self.tried, self.for_gate = Gate(self.run) if options.gate else None, None, 0
        # Games of each player, and positions taken, since the start.
        self.games, self.positions = {}, 0

    def grow(self):
        """Adds players for processors that have none."""
        if time.monotonic() < self.rests_until:
            return
        there = ray.cluster_resources()
        gpus = int(there.get("GPU", 0))
        cores = int(there.get("CPU", 0)) - self.options.reserve
        # The gate has a processor of its own where there are enough of them.
        self.for_gate = 1 if self.gate and cores > 1 else 0
        cores -= self.for_gate + gpus * self.options.gpu_threads
        room = {"gpu": gpus, "cpu": max(cores, 0) // self.options.threads}
        for kind, players in self.players.items():
            while len(players) < room[kind]:
                players.append(self.player(kind))
                self.play_on(players[-1], [])

    def player(self, kind):
        options = self.options
        threads = options.gpu_threads if kind == "gpu" else options.threads
        arguments = ["--sizes", options.sizes, "--threads", str(threads), *(options.gpu_play if kind == "gpu" else []), *options.play]
        placing = {"num_cpus": threads, "num_gpus": 1 if kind == "gpu" else 0, "scheduling_strategy": "SPREAD"}
        return Player.options(**placing).remote(arguments)

    def play_on(self, player, taken):
        turn = player.turn.remote(self.files, self.version, self.share(), (self.run / "wait").exists(), taken)
        self.turns[turn] = player

    def share(self):
        try:
            return (self.run / "share").read_text()
        except FileNotFoundError:
            return "0"

    def take(self, shards, games):
        """Writes shards, each whole or not at all."""
        name, played = games
        self.games[name] = max(played, self.games.get(name, 0))
        for name, content in shards.items():
            partial = self.shards / f"{name}.part"
            partial.write_bytes(content)
            os.replace(partial, self.shards / name)
            self.positions += positions_of(content)

    def renew(self):
        """Gives players the newest model from their next turn on."""
        written = self.model.stat().st_mtime_ns
        if written != self.version:
            self.files = {**self.files, "model": ray.put(self.model.read_bytes())}
            self.version = written

    def try_candidate(self):
        """Has the newest candidate tried on the cluster, one at a time."""
        gate = self.gate
        if self.tried is None:
            seed = gate.fetch()
            if seed is not None:
                models = [ray.put(path.read_bytes()) for path in (gate.tried, gate.model)]
                arguments = match(self.options.game, self.options.sizes.split(",")[-1], seed)
                self.tried = play_match.options(num_cpus=self.for_gate).remote([self.files["program"]], arguments, models)
        elif ray.wait([self.tried], timeout=0)[0]:
            match_played, self.tried = self.tried, None
            try:
                result, complaint = ray.get(match_played)
            except ray.exceptions.RayError as error:
                result, complaint = None, error
            if result is None:
                print(f"fleet: the gate's match could not be played: {complaint}", file=sys.stderr, flush=True)
            else:
                print(gate.judge(result), flush=True)

    def work(self):
        """Until the trainer ends."""
        begun = printed = time.monotonic()
        before = 0, 0
        while self.trainer.poll() is None:
            self.renew()
            self.grow()
            if self.gate:
                self.try_candidate()
            for turn in self.ended():
                player = self.turns.pop(turn)
                try:
                    shards, games = ray.get(turn)
                except ray.exceptions.RayError as error:
                    self.lose(player, getattr(error, "cause", None) or error)
                    continue
                self.take(shards, games)
                self.play_on(player, list(shards))
            if (now := time.monotonic()) - printed >= LINE:
                before = self.tell(now - begun, now - printed, before)
                printed = now

    def lose(self, player, error):
        """Goes on without a player that cannot begin: its machine may be a bad one. Where none has begun yet, none will."""
        told = f"fleet: a player cannot begin: {error}"
        if not self.games:
            sys.exit(told)
        print(told, file=sys.stderr, flush=True)
        for kind, players in self.players.items():
            self.players[kind] = [other for other in players if other is not player]
        ray.kill(player)
        self.rests_until = time.monotonic() + REST

    def ended(self):
        """Turns that have ended, within a second."""
        if not self.turns:
            # No machine has room for a player yet.
            time.sleep(1)
            return []
        return ray.wait(list(self.turns), timeout=1)[0]

    def tell(self, since, seconds, before):
        """Prints a line, and returns the counts of now."""
        while not self.lines.empty():
            self.said = self.lines.get().strip()
        counts = sum(self.games.values()), self.positions
        games, positions = ((now - then) / seconds for now, then in zip(counts, before))
        machines = sum(node["Alive"] for node in ray.nodes())
        players = sum(map(len, self.players.values()))
        rates = f"{games:.1f} games/s  {positions:.0f} positions/s"
        if self.gate:
            rating, accepted = self.gate.rating()
            rates += f"  rating {rating:+.0f} by {accepted} models"
        print(f"{since:6.0f} s  {machines} machines  {players} players  {rates}  | {self.said}", flush=True)
        return counts

    def stop(self):
        """Has all players end."""
        for player in (player for players in self.players.values() for player in players):
            player.stop.remote()


def lock(run):
    """Keeps other loops out of the folder, until this process ends."""
    file = (run / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(f"fleet: another loop is at work in {run}")
    return file


def begin_training(options, training):
    """Starts the trainer."""
    command = [
        sys.executable, str(TRAINING / "train.py"), str(options.run), "--game", options.game, "--sizes", options.sizes,
        "--minutes", str(options.minutes), *(["--gated"] if options.gate else []), *training,
    ]
    return subprocess.Popen(bound(command), stdout=subprocess.PIPE, text=True)


def wait_for_model(trainer, options):
    """Waits until the model is there. The trainer writes it at once, also where one lies there, which may serve other sizes; but a gated
    one stays."""
    model, begun = options.run / "model.onnx", time.time()
    while not (model.exists() and (options.gate or model.stat().st_mtime >= begun)):
        if trainer.poll() is not None:
            sys.exit(1)
        time.sleep(0.2)


def main():
    own, training = sys.argv[1:], []
    if "--" in own:
        own, training = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--game", default="hex", help="the game's word, as in `losange describe WORD`")
    parser.add_argument("--sizes", help="board sizes, such as 5,7,9; the usual one of the game")
    parser.add_argument("--minutes", type=float, default=60, help="training time of the whole run")
    parser.add_argument("--threads", type=int, default=1, help="processors of a player")
    parser.add_argument("--gpu-threads", type=int, default=4, help="processors of a player with a GPU")
    parser.add_argument("--gpu-play", type=str.split, default=["--games", "128"], help="more options for losange selfplay there")
    parser.add_argument("--play", type=str.split, default=[], help="options for losange selfplay: --play='--searches 60'")
    parser.add_argument("--labels", type=Path, metavar="MODEL", help="have this model play and value the positions")
    parser.add_argument("--gate", action="store_true", help="try a new model before it is played with, as learn.sh does")
    parser.add_argument("--reserve", type=int, default=1, help="processors that the trainer keeps")
    parser.add_argument("--address", default="auto", help="of the cluster; local: a cluster of this machine alone")
    options = parser.parse_args(own)
    options.run = options.run.resolve()
    options.sizes = options.sizes or str(describe(options.game)["usual"][0])
    (options.run / "shards").mkdir(parents=True, exist_ok=True)
    held = lock(options.run)
    ray.init(address=options.address, log_to_driver=False, logging_level="error")
    # Ray has a handler of its own, which aborts.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    trainer, fleet = begin_training(options, training), None
    try:
        wait_for_model(trainer, options)
        fleet = Fleet(options, trainer)
        fleet.work()
        status = trainer.wait()
    except KeyboardInterrupt:
        status = 0
    finally:
        trainer.terminate()
        if fleet:
            fleet.stop()
        ray.shutdown()
        held.close()
    sys.exit(status)


if __name__ == "__main__":
    main()
