#!/usr/bin/env python3
"""Trains a model on what self-play leaves in a folder, and writes it there for self-play to take: values of actions, or of states, for
Hex; policy, value, ownership and score for Go; values of actions, or policy and value, for Clobber and Avalam.

    pip install -r scripts/train/requirements.txt
    scripts/train/train.py RUN --sizes 5 --minutes 10 &
    losange selfplay RUN --sizes 5

RUN/shards/*.npz are read (`src/learn/shard.rs` says what they hold) and deleted once they have left the replay window.
RUN/checkpoint.pt holds everything that training needs to go on after it was killed; RUN/model.onnx is the model; RUN/share says how
much of the time is over, from 0 to 1, while self-play by descent turns from chance to the best moves. The loss of the steps
and that of positions that nothing is trained on are printed, and drawn by `tensorboard --logdir RUN`.
"""
import argparse
import functools
import math
import os
import shutil
import time
from pathlib import Path

import numpy as np
import onnx
import torch
from tensorboardX import SummaryWriter
from torch import nn
from torch.nn import functional

class Block(nn.Module):
    """Two convolutions beside the identity; a mean over the whole board tells each cell of all others."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)])
        self.whole = nn.Linear(channels, channels)

    def forward(self, x):
        y = functional.relu(self.norms[0](self.first(x)))
        y = y + self.whole(y.mean((2, 3)))[:, :, None, None]
        return functional.relu(x + self.norms[1](self.second(y)))


class Trunk(nn.Module):
    """A residual tower for boards of any size."""

    def __init__(self, planes, channels, blocks):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(planes, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()
        )
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        # Whether its products have 16 bits. What is made of them never has: a policy of 16-bit logarithms drifts until it is lost.
        self.short = False

    def see(self, planes):
        """What the tower sees on each point."""
        if not self.short:
            return self.blocks(self.stem(planes))
        with torch.autocast(planes.device.type, torch.bfloat16):
            return self.blocks(self.stem(planes)).float()


class Cells(Trunk):
    """Values of all moves where a move is a cell: planes with a border in, numbers of the cells inside it out."""

    outputs = ["actions"]

    def __init__(self, game, channels, blocks):
        super().__init__(game.planes, channels, blocks)
        self.head = nn.Conv2d(channels, 1, 1)
        # Whether the stone may be swapped, which no game of self-play shows, must not count by chance.
        with torch.no_grad():
            self.stem[0].weight[:, game.planes - 1] = 0

    def forward(self, planes):
        cells = self.head(self.see(planes))
        return torch.tanh(cells[:, :, 1:-1, 1:-1].flatten(1))

    def loss(self, batch):
        weights = batch["weights"]
        return (weights * (self(batch["planes"]) - batch["targets"]) ** 2).sum() / weights.sum()


class States(nn.Module):
    """The value of the position, as in the paper: convolutions that see the board alone, and a layer that sees all that they leave of
    it (Cohen-Solal 2019, 4.1, with 150 channels in 3 of them). It serves one size of board."""

    outputs = ["value"]
    HIDDEN = 81

    def __init__(self, game, channels, convolutions, side):
        super().__init__()
        left = side - 2 * convolutions
        if left < 1:
            raise SystemExit(f"train: {convolutions} convolutions leave nothing of a board with sides of {side}: fewer --blocks")
        widths = [game.planes] + convolutions * [channels]
        layers = [layer for width in zip(widths, widths[1:]) for layer in (nn.Conv2d(*width, 3), nn.ReLU())]
        self.all = nn.Sequential(
            *layers, nn.Flatten(), nn.Linear(channels * left * left, self.HIDDEN), nn.ReLU(), nn.Linear(self.HIDDEN, 1)
        )
        self.short = False

    def forward(self, planes):
        with torch.autocast(planes.device.type, torch.bfloat16, enabled=self.short):
            return self.all(planes).float()

    def loss(self, batch):
        counts = batch["counts"]
        return (counts * (self(batch["planes"])[:, 0] - batch["values"]) ** 2).sum() / counts.sum()


class Steps(nn.Module):
    """A number for each step from each cell, or for those among them that the board has."""

    def __init__(self, game, channels):
        super().__init__()
        self.head = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(), nn.Conv2d(channels, game.directions, 1)
        )
        self.register_buffer("moves", None if game.moves is None else torch.tensor(game.moves), persistent=False)

    def forward(self, seen):
        numbers = self.head(seen).flatten(1)
        return numbers if self.moves is None else numbers.index_select(1, self.moves)


class Whole(nn.Module):
    """What the whole position is worth, by what was seen of it and by the plain counts of what is on the board."""

    # Planes' means are small: this many times them, one stone more is told from one less.
    COUNTS = 8.0

    def __init__(self, game, channels):
        super().__init__()
        self.value = nn.Sequential(nn.Linear(2 * channels + game.planes, channels), nn.ReLU(), nn.Linear(channels, 1))
        self.counts = nn.Linear(game.planes, 1)

    def forward(self, seen, planes):
        counts = self.COUNTS * planes.mean((2, 3))
        return self.value(torch.cat([seen.mean((2, 3)), seen.amax((2, 3)), counts], 1)) + self.counts(counts)


class Actions(Trunk):
    """Values of all moves where a move is a step from a cell."""

    outputs = ["actions"]
    loss = Cells.loss

    def __init__(self, game, channels, blocks):
        super().__init__(game.planes, channels, blocks)
        self.steps = Steps(game, channels)
        # What the position is worth: steps differ from it.
        self.whole = Whole(game, channels)

    def forward(self, planes):
        seen = self.see(planes)
        return torch.tanh(self.steps(seen) + self.whole(seen, planes))


class Policy(Trunk):
    """Value of the position, and logarithms of the attention that steps deserve."""

    outputs = ["value", "policy"]

    def __init__(self, game, channels, blocks):
        super().__init__(game.planes, channels, blocks)
        self.steps = Steps(game, channels)
        self.value = Whole(game, channels)

    def forward(self, planes):
        seen = self.see(planes)
        return torch.tanh(self.value(seen, planes)), self.steps(seen)

    def loss(self, batch):
        value, policy = self(batch["planes"])
        policy = torch.where(batch["weights"] > 0, policy, torch.full_like(policy, -1e9))
        surprise = -(batch["targets"] * functional.log_softmax(policy, 1)).sum(1).mean()
        return surprise + functional.mse_loss(value[:, 0], batch["values"])


class Points(Trunk):
    """Value of the position, attention that points and, last, the pass deserve, owners of the points, and lead."""

    outputs = ["value", "policy", "ownership", "score"]
    # Points in which a lead is told to the net, so that usual ones are of the size of the other numbers.
    LEAD = 20.0

    def __init__(self, game, channels, blocks):
        super().__init__(game.planes, channels, blocks)
        # Planes that are the same everywhere: those that no game has seen shall say nothing.
        with torch.no_grad():
            self.stem[0].weight[:, game.planes - 5 :] = 0
        self.policy = nn.Conv2d(channels, channels, 1)
        self.policy_whole = nn.Linear(2 * channels, channels)
        self.point = nn.Conv2d(channels, 1, 1)
        self.stay = nn.Linear(2 * channels, 1)
        self.owner = nn.Conv2d(channels, 1, 1)
        self.whole = nn.Sequential(nn.Linear(2 * channels, 2 * channels), nn.ReLU(), nn.Linear(2 * channels, 2))

    def forward(self, planes):
        seen = self.see(planes)
        pooled = torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1)
        heads = functional.relu(self.policy(seen) + self.policy_whole(pooled)[:, :, None, None])
        policy = torch.cat([self.point(heads).flatten(1), self.stay(pooled)], 1)
        whole = self.whole(pooled)
        owners = torch.tanh(self.owner(seen)).flatten(1)
        return torch.tanh(whole[:, :1]), policy, owners, whole[:, 1:] * self.LEAD

    def loss(self, batch):
        value, policy, owners, score = self(batch["planes"])
        policy = torch.where(batch["weights"] > 0, policy, torch.full_like(policy, -1e9))
        surprise = -(batch["targets"] * functional.log_softmax(policy, 1)).sum(1).mean()
        off = functional.smooth_l1_loss(score[:, 0] / self.LEAD, batch["scores"] / self.LEAD)
        owned = functional.mse_loss(owners, batch["owners"])
        return surprise + functional.mse_loss(value[:, 0], batch["values"]) + 0.5 * owned + 0.2 * off


def avalam_moves():
    """For each move that Avalam's board has, by cells from and to, where the head has its number."""
    rows = [range(2, 4), range(1, 5), range(1, 7), range(1, 9), range(0, 9), range(0, 8), range(2, 8), range(4, 8), range(5, 7)]
    cells = [(x, y) for y, row in enumerate(rows) for x in row if (x, y) != (4, 4)]
    steps = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
    places = []
    for x, y in cells:
        targets = [(cells.index((x + dx, y + dy)), k) for k, (dx, dy) in enumerate(steps) if (x + dx, y + dy) in cells]
        places += [k * 81 + y * 9 + x for _, k in sorted(targets)]
    return places


class Game:
    """What differs between games."""

    def __init__(self, name, sizes, planes, border, nets, symmetries, turned, directions=0, moves=None, told=None):
        self.name, self.sizes, self.planes, self.border = name, sizes, planes, border
        # What can be learned, the usual first.
        self.nets, self.directions, self.moves = nets, directions, moves
        # Number of symmetries, and what one of them makes of a batch's array of that name.
        self.symmetries, self.turned = symmetries, turned
        self.encoding = f"{name}-1"
        # What else models say of themselves.
        self.told = told or {}


def turned_steps(targets):
    """Four numbers for each point after half a turn: the other way, from the opposite point."""
    return targets.reshape(len(targets), 4, -1)[:, [2, 3, 0, 1]].flip(2).flatten(1)


def half_turn(moves):
    """Half a turn of the board, which does that to the numbers of the moves."""

    def turned(name, array, number):
        if number == 0 or name in ("values", "counts"):
            return array
        return array.flip(2, 3) if name == "planes" else moves(array)

    return turned


def square(name, array, number):
    """One of the eight symmetries of a square board: flips, then rows for columns."""
    if name in ("values", "scores"):
        return array
    if name in ("targets", "weights"):
        return torch.cat([square("points", array[:, :-1], number), array[:, -1:]], 1)
    board = array
    if name != "planes":
        side = math.isqrt(array.shape[1])
        board = array.reshape(-1, 1, side, side)
    flips = [axis for axis, bit in ((3, 1), (2, 2)) if number & bit]
    board = board.flip(flips) if flips else board
    board = board.transpose(2, 3) if number & 4 else board
    return board if name == "planes" else board.flatten(1)


# Half a turn leaves the order of cells, and of moves between them, but for its direction.
CELLS = half_turn(lambda numbers: numbers.flip(1))
GAMES = {
    "hex": Game("hex", "11", 4, 2, {"actions": Cells, "states": States}, 2, CELLS),
    "go": Game("go", "9", 17, 0, {"policy": Points}, 8, square, told={"losange.scoring": "area"}),
    "clobber": Game("clobber", "6", 2, 0, {"actions": Actions, "policy": Policy}, 2, half_turn(turned_steps), 4),
    "avalam": Game("avalam", "9", 11, 0, {"actions": Actions, "policy": Policy}, 2, CELLS, 8, avalam_moves()),
}


class Replay:
    """The last positions of each board size, as many as the window holds. The last ones of each shard are held out: nothing is
    trained on them, so that what is learned can be told from what is remembered."""

    # Of so many positions one is held out.
    HELD_OUT = 20

    def __init__(self, game, window):
        self.game, self.window, self.parts, self.total = game, window, [], 0

    def add(self, path):
        with np.load(path) as shard:
            part = {name: torch.from_numpy(shard[name]) for name in shard.files}
        whole = part["planes"].to(torch.uint8)
        part["planes"] = whole if torch.equal(whole.float(), part["planes"]) else part["planes"].half()
        used = len(whole) - len(whole) // self.HELD_OUT
        held_out = {name: array[used:] for name, array in part.items()}
        part = {name: array[:used] for name, array in part.items()}
        part |= {"path": path, "held out": held_out}
        self.parts.append(part)
        self.total += len(part["planes"])
        while len(self.parts) > 1 and self.total - len(self.parts[0]["planes"]) >= self.window:
            old = self.parts.pop(0)
            self.total -= len(old["planes"])
            old["path"].unlink(missing_ok=True)
        return len(whole)

    def batch(self, size, rng):
        """Positions of one board size, which is drawn in proportion to their number, each in one of its symmetries."""
        counts = np.array([len(part["planes"]) for part in self.parts])
        shape = self.parts[rng.choice(len(counts), p=counts / counts.sum())]["planes"].shape[1:]
        same = [part for part in self.parts if part["planes"].shape[1:] == shape]
        ends = np.cumsum([len(part["planes"]) for part in same])
        picks = rng.integers(ends[-1], size=size)
        places = np.searchsorted(ends, picks, side="right")
        names = list(same[0]["held out"])
        turns = rng.integers(self.game.symmetries, size=size)
        batch = {name: [] for name in names}
        for number in range(self.game.symmetries):
            for k in np.unique(places[turns == number]):
                chosen = torch.from_numpy(picks[(turns == number) & (places == k)] - (ends[k - 1] if k else 0))
                for name in names:
                    batch[name].append(self.game.turned(name, same[k][name][chosen].float(), number))
        return {name: torch.cat(rows) for name, rows in batch.items()}

    def held_out(self, most=1024):
        """The newest positions that nothing was trained on, in batches of one board size each."""
        for part in reversed(self.parts):
            batch = {name: array[:most].float() for name, array in part["held out"].items()}
            most -= len(batch["planes"])
            if len(batch["planes"]):
                yield batch


def export(game, net, path, sizes, note, advice):
    """Writes the model with its metadata, under another name first."""
    net = net.eval().cpu()
    side = sizes[-1] + game.border
    partial = path.with_suffix(".part")
    axes = {"input": {0: "batch"}, **{name: {0: "batch"} for name in net.outputs}}
    if game.moves is None and not isinstance(net, States):
        axes["input"].update({2: "rows", 3: "columns"})
        for name in net.outputs:
            if name in ("actions", "policy", "ownership"):
                axes[name][1] = "points" if name == "ownership" else "moves"
    torch.onnx.export(
        net, (torch.zeros(1, game.planes, side, side),), str(partial), input_names=["input"], output_names=net.outputs,
        dynamic_axes=axes, opset_version=17, dynamo=False,
    )
    model = onnx.load(str(partial))
    for key, value in {
        "losange.game": game.name, "losange.sizes": ",".join(map(str, sizes)), "losange.features": game.encoding,
        "losange.outputs": ",".join(net.outputs), "losange.value_range": "-1..1", "losange.precision": "float32",
        "losange.advice": str(advice), "losange.trained_with": note, "losange.licence": "MIT OR Apache-2.0", **game.told,
    }.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(model, str(partial))
    os.replace(partial, path)


def stretched(small, large, old, new):
    """Where the numbers of a layer lie in one of a wider net: a dimension is some times the channels, and then what is no channel."""
    times = (large - small) // (new - old) if new > old else 0
    rest = small - times * old
    if rest < 0 or times * new + rest != large:
        raise ValueError
    places = [torch.arange(old) + k * new for k in range(times)]
    return torch.cat([*places, torch.arange(rest) + times * new])


def widened(small, large, old, new):
    """The layer `large` with the numbers of a narrower one in it. What was there hears nothing of what is new, which hears everything."""
    places = [stretched(*sizes, old, new) for sizes in zip(small.shape, large.shape, strict=True)]
    whole = large.clone()
    if len(places) > 1:
        whole[places[0]] = 0
    whole[torch.meshgrid(*places, indexing="ij")] = small
    return whole


def load_model(net, path):
    """Takes the weights of a model that was made here, which may have fewer channels and blocks, so that the net says what the model
    says: export joins each norm with the convolution before it."""
    held = {entry.name: torch.tensor(onnx.numpy_helper.to_array(entry)) for entry in onnx.load(str(path)).graph.initializer}
    weights = net.state_dict()
    joined = [tensor for name, tensor in held.items() if name not in weights]
    pairs = [(net.stem[0], net.stem[1])]
    pairs += [pair for block in net.blocks for pair in zip((block.first, block.second), block.norms)]
    # Of a convolution with its norm one tensor is the weights and one the biases; a block has two.
    blocks = (len(joined) // 2 - 1) // 2
    added = tuple(f"blocks.{number}." for number in range(blocks, len(net.blocks)))
    norms = ("stem.", "first.weight", "second.weight", "norms.")
    others = [name for name in weights if not name.startswith(added) and not any(part in name for part in norms)]
    try:
        old, new = len(joined[0]), net.stem[0].out_channels
        if len(joined) != 2 + 4 * blocks or not 0 < blocks <= len(net.blocks) or old > new:
            raise ValueError
        numbers = {name: widened(held[name], weights[name].cpu(), old, new) for name in others}
        for (convolution, norm), weight, bias in zip(pairs, joined[::2], joined[1::2]):
            numbers[convolution] = widened(weight, convolution.weight.detach().cpu(), old, new)
            numbers[norm] = widened(bias, norm.bias.detach().cpu(), old, new)
    except (IndexError, KeyError, ValueError):
        raise SystemExit(
            f"train: {path} is another network: --game and --learn must be what it is, --channels and --blocks at least that"
        ) from None
    net.load_state_dict({**weights, **{name: numbers[name] for name in others}})
    with torch.no_grad():
        for convolution, norm in pairs[: 1 + 2 * blocks]:
            convolution.weight.copy_(numbers[convolution])
            norm.bias.copy_(numbers[norm])
            norm.running_var.fill_(1 - norm.eps)
        # A new block changes nothing before it has learned to.
        for block in net.blocks[blocks:]:
            block.norms[1].weight.zero_()


@torch.no_grad()
def validate(net, replay, device):
    """The mean loss over positions that were held out; None while there are none."""
    losses, weights = [], []
    for batch in replay.held_out():
        losses.append(net.eval().loss({name: part.to(device) for name, part in batch.items()}).item())
        weights.append(len(batch["planes"]))
    return np.average(losses, weights=weights) if losses else None


@torch.no_grad()
def measure_norms(net, planes):
    """Sets the means and variances of all norms to those of a batch, and their scales so that nothing else changes."""

    def measure(norm, inputs):
        mean, variance = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        norm.bias += scale * (mean - norm.running_mean)
        norm.weight.copy_(scale * (variance + norm.eps).sqrt())
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)

    hooks = [part.register_forward_pre_hook(measure) for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    net.eval()(planes)
    for hook in hooks:
        hook.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--game", choices=GAMES, default="hex")
    parser.add_argument("--learn", help="actions or, for one size of board, states, by descent, or policy, by search with it; the usual "
                        "one of the game")
    parser.add_argument("--sizes", help="board sizes, such as 5,7,9 (Hex 11, Clobber 6, Avalam its own)")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=4, help="residual blocks; of states, convolutions")
    parser.add_argument("--window", type=int, default=300_000, help="positions of the replay window")
    parser.add_argument("--reuse", type=float, default=4.0, help="times that each position is trained on")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning; a tenth at the end")
    parser.add_argument("--start", type=Path, help="a model to go on from, instead of random weights; the new one may have "
                        "more channels and blocks and says the same to begin with")
    parser.add_argument("--minutes", type=float, default=60, help="training time of the whole run")
    parser.add_argument("--gated", action="store_true", help="write candidate.onnx; whoever tries it makes it model.onnx")
    parser.add_argument("--publish", type=float, default=10, help="seconds between models")
    parser.add_argument("--keep", type=float, default=15, help="minutes between models that are kept, as after-MINUTES.onnx")
    parser.add_argument("--advice", type=int, default=0, help="visits of a position before a search by playouts asks the model, "
                        "such as 8 for a weak model of Go; 0: it values all leaves in the place of playouts")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    game = GAMES[options.game]
    learned = options.learn or next(iter(game.nets))
    if learned not in game.nets:
        parser.error(f"{game.name} is learned by {' or '.join(game.nets)}")
    make = game.nets[learned]
    sizes = sorted(int(size) for size in (options.sizes or game.sizes).split(","))
    if learned == "states":
        if len(sizes) > 1 or options.start:
            parser.error("states are learned for one size of board, from random weights")
        make = functools.partial(make, side=sizes[0] + game.border)
    shards, model = options.run / "shards", options.run / "model.onnx"
    # Where models are tried before they are played with, the new one waits under another name.
    newest = options.run / "candidate.onnx" if options.gated else model
    shards.mkdir(parents=True, exist_ok=True)

    # Convolutions with 16-bit products where the processor has instructions for them: 1.7 (AMX) to 1.9 (AVX-512) times as many steps.
    short = device == "cpu" and (torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported())
    net = make(game, options.channels, options.blocks).to(device, memory_format=torch.channels_last)
    net.short = short
    checkpoint = options.run / "checkpoint.pt"
    if options.start and not checkpoint.exists():
        load_model(net, options.start)
    # The mean of the weights over the last steps plays better than the last ones.
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True
    )
    optimizer = torch.optim.Adam(net.parameters(), lr=options.rate)
    # Of the positions, those that come from a teacher's games.
    state = {"steps": 0, "positions": 0, "taught": 0, "trained": 0.0, "seconds": 0.0}
    # Shards that count already: those of the window. What has left it is deleted.
    replay, known = Replay(game, options.window), set()
    if checkpoint.exists():
        saved = torch.load(checkpoint, map_location=device)
        net.load_state_dict(saved["net"])
        mean.load_state_dict(saved["mean"])
        optimizer.load_state_dict(saved["optimizer"])
        state, known = state | saved["state"], set(saved["known"])
    way = {"actions": "descent", "states": "descent by values of states"}.get(learned, "search by policy")
    begun_with = f"from {options.start.name}, " if options.start else ""

    def note():
        played = state["positions"] - state["taught"]
        counts = [(state["taught"], "positions of a teacher"), (played, f"positions of self-play by {way}")]
        told = ", ".join(f"{count} {what}" for count, what in counts if count) or "no positions"
        return f"{begun_with}{told}, {state['steps']} steps, {options.channels} channels, {options.blocks} blocks"

    def share():
        """Of the time of the run; all of a run that only writes its model."""
        whole = 60 * options.minutes
        return min((time.monotonic() - begun) / whole, 1) if whole > 0 else 1

    def publish(path):
        partial = options.run / "share.part"
        partial.write_text(f"{share():.4f}\n")
        os.replace(partial, options.run / "share")
        twin = make(game, options.channels, options.blocks)
        twin.load_state_dict(mean.module.state_dict())
        export(game, twin, path, sizes, note(), options.advice)
        partial = checkpoint.with_suffix(".part")
        torch.save(
            {"net": net.state_dict(), "mean": mean.state_dict(), "optimizer": optimizer.state_dict(), "state": state,
             "known": [part["path"].name for part in replay.parts]},
            partial,
        )
        os.replace(partial, checkpoint)

    # What counted before a restart is in the window, but not new.
    for path in sorted(shards.glob("*.npz")):
        if path.name in known:
            replay.add(path)
    begun = time.monotonic() - state["seconds"]
    # Also of a run that goes on: it may serve other sizes now.
    if not (options.gated and model.exists()):
        publish(model)
    losses, log = [], SummaryWriter(str(options.run / "tensorboard"))
    published = time.monotonic()
    while time.monotonic() - begun < 60 * options.minutes:
        for path in sorted(shards.glob("*.npz")):
            if path.name not in known:
                known.add(path.name)
                count = replay.add(path)
                state["positions"] += count
                state["taught"] += count if "-teacher" in path.name else 0
        if state["trained"] >= options.reuse * state["positions"] or not replay.parts:
            time.sleep(0.1)
        else:
            for group in optimizer.param_groups:
                group["lr"] = options.rate * (0.1 + 0.9 * (1 + math.cos(math.pi * share())) / 2)
            batch = {name: part.to(device) for name, part in replay.batch(options.batch, rng).items()}
            batch["planes"] = batch["planes"].contiguous(memory_format=torch.channels_last)
            if options.start and state["steps"] == 0:
                measure_norms(net, batch["planes"])
                mean.module.load_state_dict(net.state_dict())
            net.train()
            loss = net.loss(batch)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            mean.update_parameters(net)
            state["steps"] += 1
            state["trained"] += options.batch
            losses.append(loss.item())
        if time.monotonic() - published >= options.publish:
            state["seconds"] = time.monotonic() - begun
            publish(newest)
            kept = int(state["seconds"] / 60 / options.keep) * options.keep
            if kept > 0 and not (copy := options.run / f"after-{kept:g}.onnx").exists():
                partial = copy.with_suffix(".part")
                shutil.copy(newest, partial)
                os.replace(partial, copy)
            published = time.monotonic()
            figures = {"loss": np.mean(losses) if losses else None, "held out": validate(mean.module, replay, device)}
            told = "  ".join(f"{name} {'-' if figure is None else f'{figure:.4f}'}" for name, figure in figures.items())
            print(f"{state['seconds']:6.0f} s  {state['steps']} steps  {state['positions']} positions  {told}", flush=True)
            figures |= {"positions": state["positions"], "rate": optimizer.param_groups[0]["lr"]}
            for name, figure in figures.items():
                if figure is not None:
                    log.add_scalar(name.replace(" ", "_"), figure, state["steps"])
            log.flush()
            losses = []
    state["seconds"] = time.monotonic() - begun
    publish(newest)
    log.close()


if __name__ == "__main__":
    main()
