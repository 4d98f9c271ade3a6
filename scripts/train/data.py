"""Lessons: the replay window over the shards of a run, and symmetries of the board.

`src/learn/shard.rs` says what a shard holds. Positions of one board size make a batch, each in one of the board's symmetries.
"""
import functools

import numpy as np
import torch

# Which map of a board's symmetry turns an array: the cells of the planes, the actions, or the points. Others stay as they are.
TURNED_BY = {"planes": "planes", "targets": "actions", "weights": "actions", "owners": "points"}


def turned(maps, name, array, number):
    """An array of a batch as symmetry `number` of the board shows it; `maps` are that board's (`games.Game.symmetries`)."""
    kind = TURNED_BY.get(name)
    if number == 0 or kind is None:
        return array
    sources = maps[kind][number]
    if name == "planes":
        return array.flatten(2).index_select(2, sources).reshape(array.shape)
    return array.index_select(1, sources)


class Sparse:
    """An array of two dimensions that is mostly zeros: of the moves of a game that names them by several points few are legal."""

    # It pays where at most so much of an array is not zero.
    FULL = 0.25

    def __init__(self, array):
        rows, self.columns = (places.int() for places in array.nonzero(as_tuple=True))
        self.width, self.numbers = array.shape[1], array[rows.long(), self.columns.long()]
        self.ends = torch.bincount(rows, minlength=len(array)).cumsum(0)

    @classmethod
    def where_it_pays(cls, array):
        """The array itself, or its sparse form."""
        return cls(array) if array.dim() == 2 and array.count_nonzero() <= cls.FULL * array.numel() else array

    def __getitem__(self, rows):
        """These rows, in full."""
        ends = self.ends[rows]
        counts = ends - torch.where(rows > 0, self.ends[rows - 1], 0)
        # Places of all their numbers: each row's run from where it begins.
        into = torch.arange(len(rows)).repeat_interleave(counts)
        places = torch.arange(len(into)) + (ends - counts.cumsum(0)).repeat_interleave(counts)
        full = torch.zeros(len(rows), self.width)
        full[into, self.columns[places].long()] = self.numbers[places]
        return full


def read(path):
    """The arrays of a shard, whole planes as bytes. May be called by any thread."""
    with np.load(path) as shard:
        arrays = {name: torch.from_numpy(shard[name]) for name in shard.files}
    whole = arrays["planes"].to(torch.uint8)
    arrays["planes"] = whole if torch.equal(whole.float(), arrays["planes"]) else arrays["planes"].half()
    return arrays


class Replay:
    """The last positions of each board size, as many as the window holds. The last ones of each shard are held out: nothing is
    trained on them, so that what is learned can be told from what is remembered. Where a game gives many lessons, as by descent,
    they are some of a game's of which others are trained on, and their loss is lower than that of a new game."""

    # Of so many positions one is held out.
    HELD_OUT = 20
    # How often a position is drawn that was used as often as was asked for, beside one that was never used.
    USED_UP = 0.05
    # On a GPU, a batch is of so many shards, and those of one shard are turned the same way: each such group is a few calls of the GPU.
    GROUPS = 64

    def __init__(self, game, window, reuse, device="cpu"):
        self.game, self.window, self.reuse, self.device, self.parts, self.total = game, window, reuse, device, [], 0

    def add(self, path, arrays, uses=0):
        """Takes the positions of a shard in, which were drawn so often in all, and returns their number. Shards that leave the window
        are deleted. On a GPU they lie in its memory."""
        count = len(arrays["planes"])
        used = count - count // self.HELD_OUT
        arrays = {name: array.to(self.device) for name, array in arrays.items()}
        shaped = Sparse.where_it_pays if self.device == "cpu" else lambda array: array
        part = {name: shaped(array[:used]) for name, array in arrays.items()}
        part |= {"path": path, "held out": {name: array[used:] for name, array in arrays.items()}, "uses": uses}
        self.parts.append(part)
        self.total += used
        while len(self.parts) > 1 and self.total - len(self.parts[0]["planes"]) >= self.window:
            old = self.parts.pop(0)
            self.total -= len(old["planes"])
            old["path"].unlink(missing_ok=True)
        return count

    def shares(self):
        """How likely each part is to be drawn from: by its positions, and by how much less than asked for they were used. By positions
        alone the first ones of a run would be used many times as often as the last."""
        counts = np.array([len(part["planes"]) for part in self.parts])
        left = 1 - np.array([part["uses"] for part in self.parts]) / np.maximum(counts, 1) / self.reuse
        shares = counts * (self.USED_UP + (1 - self.USED_UP) * left.clip(0))
        return shares / shares.sum()

    @functools.cache
    def symmetries(self, rows, columns):
        """The maps of that board's symmetries, where the positions are."""
        maps = self.game.symmetries(rows, columns)
        return {kind: [sources.to(self.device) for sources in turns] for kind, turns in maps.items()}

    def batch(self, size, rng):
        """Positions of one board size, each in one of its symmetries."""
        shares = self.shares()
        shape = self.parts[rng.choice(len(shares), p=shares)]["planes"].shape[1:]
        same, likely = zip(*[(part, share) for part, share in zip(self.parts, shares) if part["planes"].shape[1:] == shape])
        groups = size if self.device == "cpu" else min(size, self.GROUPS)
        places = np.resize(rng.choice(len(same), size=groups, p=np.array(likely) / sum(likely)), size)
        picks = rng.integers(np.array([len(part["planes"]) for part in same])[places])
        for k, count in zip(*np.unique(places, return_counts=True)):
            same[k]["uses"] += int(count)
        names = list(same[0]["held out"])
        maps = self.symmetries(shape[1], shape[2])
        turns = np.resize(rng.integers(len(maps["planes"]), size=groups), size)
        batch = {name: [] for name in names}
        for number in np.unique(turns):
            for k in np.unique(places[turns == number]):
                chosen = torch.from_numpy(picks[(turns == number) & (places == k)]).to(self.device)
                for name in names:
                    batch[name].append(turned(maps, name, same[k][name][chosen].float(), number))
        return {name: torch.cat(rows) for name, rows in batch.items()}

    def held_out(self, most=1024):
        """The newest positions that nothing was trained on, in batches of one board size each."""
        for part in reversed(self.parts):
            batch = {name: array[:most].float() for name, array in part["held out"].items()}
            most -= len(batch["planes"])
            if len(batch["planes"]):
                yield batch
