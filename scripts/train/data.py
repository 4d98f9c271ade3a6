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


class Ring:
    """Positions of one board size in the memory of a GPU, each with a number that counts up. Freed places are used again. A batch is a
    few calls for each array, where one shard after the other would be hundreds."""

    def __init__(self, device):
        # Numbers of the oldest position and of the next one.
        self.device, self.arrays, self.oldest, self.next = device, {}, 0, 0

    def places(self, numbers):
        """Where the positions of these numbers lie."""
        return numbers % len(self.arrays["planes"])

    def put(self, arrays):
        """Takes positions in, and returns the number of the first."""
        first, self.next = self.next, self.next + len(arrays["planes"])
        kinds = {name: torch.promote_types(array.dtype, self.arrays.get(name, array).dtype) for name, array in arrays.items()}
        if not self.arrays or self.next - self.oldest > len(self.arrays["planes"]) or kinds["planes"] != self.arrays["planes"].dtype:
            self.grow(arrays, kinds, first)
        places = self.places(torch.arange(first, self.next, device=self.device))
        for name, array in arrays.items():
            self.arrays[name][places] = array.to(self.device, kinds[name])
        return first

    def grow(self, like, kinds, end):
        """Makes room for twice as many, and moves those before number `end`."""
        room = 2 * (self.next - self.oldest)
        numbers = torch.arange(self.oldest, end, device=self.device)
        larger = {name: torch.empty(room, *array.shape[1:], dtype=kinds[name], device=self.device) for name, array in like.items()}
        for name, array in self.arrays.items():
            larger[name][numbers % room] = array[self.places(numbers)].to(kinds[name])
        self.arrays = larger

    def batch(self, numbers, maps, turns):
        """The positions of these numbers, each in the symmetry beside it."""
        places = self.places(torch.from_numpy(numbers).to(self.device))
        turns = torch.from_numpy(turns).to(self.device)
        batch = {name: array[places].float() for name, array in self.arrays.items()}
        for name, kind in TURNED_BY.items():
            if name in batch and len(maps[kind]) > 1:
                array = batch[name].flatten(2) if name == "planes" else batch[name][:, None]
                sources = maps[kind][turns][:, None].expand(-1, array.shape[1], -1)
                batch[name] = array.gather(2, sources).reshape(batch[name].shape)
        return batch


class Replay:
    """The last positions of each board size, as many as the window holds. The last ones of each shard are held out: nothing is
    trained on them, so that what is learned can be told from what is remembered. Where a game gives many lessons, as by descent,
    they are some of a game's of which others are trained on, and their loss is lower than that of a new game."""

    # Of so many positions one is held out.
    HELD_OUT = 20
    # How often a position is drawn that was used as often as was asked for, beside one that was never used.
    USED_UP = 0.05

    def __init__(self, game, window, reuse, device="cpu"):
        self.game, self.window, self.reuse, self.device, self.parts, self.total = game, window, reuse, device, [], 0
        # Rings by the shape of the planes, where a GPU trains.
        self.rings = {}

    def add(self, path, arrays, uses=0):
        """Takes the positions of a shard in, which were drawn so often in all, and returns their number. Shards that leave the window
        are deleted."""
        count, shape = len(arrays["planes"]), arrays["planes"].shape[1:]
        used = count - count // self.HELD_OUT
        part = {"path": path, "uses": uses, "count": used, "shape": shape}
        if self.device == "cpu":
            # A part of an array keeps all of it, unless it is made sparse or copied.
            part["arrays"] = {name: Sparse.where_it_pays(array[:used]) for name, array in arrays.items()}
            part["held out"] = {name: Sparse.where_it_pays(array[used:].clone()) for name, array in arrays.items()}
        else:
            part["held out"] = {name: array[used:].to(self.device) for name, array in arrays.items()}
            part["first"] = self.rings.setdefault(shape, Ring(self.device)).put({name: array[:used] for name, array in arrays.items()})
        self.parts.append(part)
        self.total += used
        while len(self.parts) > 1 and self.total - self.parts[0]["count"] >= self.window:
            old = self.parts.pop(0)
            self.total -= old["count"]
            if old["shape"] in self.rings:
                self.rings[old["shape"]].oldest += old["count"]
            old["path"].unlink(missing_ok=True)
        return count

    def shares(self):
        """How likely each part is to be drawn from: by its positions, and by how much less than asked for they were used. By positions
        alone the first ones of a run would be used many times as often as the last."""
        counts = np.array([part["count"] for part in self.parts])
        left = 1 - np.array([part["uses"] for part in self.parts]) / np.maximum(counts, 1) / self.reuse
        shares = counts * (self.USED_UP + (1 - self.USED_UP) * left.clip(0))
        return shares / shares.sum()

    @functools.cache
    def stacked_maps(self, rows, columns):
        """The maps of that board's symmetries, those of a kind in one array on the GPU."""
        return {kind: torch.stack(maps).to(self.device) for kind, maps in self.game.symmetries(rows, columns).items()}

    def batch(self, size, rng):
        """Positions of one board size, each in one of its symmetries."""
        shares = self.shares()
        shape = self.parts[rng.choice(len(shares), p=shares)]["shape"]
        same, likely = zip(*[(part, share) for part, share in zip(self.parts, shares) if part["shape"] == shape])
        places = rng.choice(len(same), size=size, p=np.array(likely) / sum(likely))
        picks = rng.integers(np.array([part["count"] for part in same])[places])
        for k, count in zip(*np.unique(places, return_counts=True)):
            same[k]["uses"] += int(count)
        maps = self.game.symmetries(shape[1], shape[2])
        turns = rng.integers(len(maps["planes"]), size=size)
        if shape in self.rings:
            numbers = picks + np.array([part["first"] for part in same])[places]
            return self.rings[shape].batch(numbers, self.stacked_maps(shape[1], shape[2]), turns)
        batch = {name: [] for name in same[0]["arrays"]}
        for number in np.unique(turns):
            for k in np.unique(places[turns == number]):
                chosen = torch.from_numpy(picks[(turns == number) & (places == k)])
                for name, rows in batch.items():
                    rows.append(turned(maps, name, same[k]["arrays"][name][chosen].float(), number))
        return {name: torch.cat(rows) for name, rows in batch.items()}

    def held_out(self, most=1024):
        """The newest positions that nothing was trained on, in batches of one board size each."""
        for part in reversed(self.parts):
            rows = torch.arange(min(most, len(part["held out"]["planes"])), device=self.device)
            batch = {name: array[rows].float() for name, array in part["held out"].items()}
            most -= len(batch["planes"])
            if len(batch["planes"]):
                yield batch
