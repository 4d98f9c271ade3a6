"""A game as training needs it, asked of the engine: `losange describe GAME --json` tells planes, actions and symmetries."""
import functools
import json
import os
import shutil
import subprocess
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent.parent


def program():
    """The engine: LOSANGE in the environment, or the release build here, or the one on the PATH."""
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "losange"
    found = os.environ.get("LOSANGE") or (str(built) if built.exists() else shutil.which("losange"))
    if not found:
        raise SystemExit("train: the engine is missing: build it (cargo build --release), or set LOSANGE to its path")
    return found


def describe(name, size=None):
    """The engine's description of a game, on its usual board or on one of `size` lines."""
    board = ["--size", str(size)] if size else []
    done = subprocess.run([program(), "describe", name, "--json", *board], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"train: {done.stderr.strip()}")
    return json.loads(done.stdout)


class Game:
    """Planes, actions and symmetries of a game."""

    def __init__(self, name):
        told = describe(name)
        self.word, self.name = name, told["model"]["game"]
        self.encoding, self.scoring = told["model"]["encoding"], told["model"]["scoring"]
        self.sizes = [told["usual"][0]]
        # Number of planes, and cells of border on each side of the board in them.
        self.planes, self.border = told["shape"][0], (told["shape"][1] - told["board"][0]) // 2
        # Each point has an owner at the end where points are counted.
        self.owners = self.scoring is not None
        self.learns = ["policy"] if self.owners else ["actions", "states"] if self.border else ["actions", "policy"]
        self.layers, self.pointless, self.places = layout(told["actions"], told["board"])
        # A game whose actions are some of its layers' numbers is learned on one board.
        self.fixed = self.places is not None

    @functools.cache
    def symmetries(self, rows, columns):
        """For each symmetry of a board with planes of that size, where each cell, action and point of the turned board comes from."""
        board = f"{columns - 2 * self.border}x{rows - 2 * self.border}"
        maps = {"planes": [], "actions": [], "points": []}
        for symmetry in describe(self.word, board)["symmetries"]:
            for kind, sources in maps.items():
                # The engine tells where a number goes; the inverse is where it comes from.
                sources.append(torch.tensor(symmetry[kind]).argsort())
        if self.places is not None:
            check_places(self.places, maps)
        return maps


def layout(actions, board):
    """Where the numbers of actions lie: layers of the board, actions without a cell behind them, and, where an action's index is not
    its place in the layers, the place of each."""
    area = board[0] * board[1]
    layers, pointless = divmod(len(actions), area)
    steps = [tuple(cell - cells[0] for cell in cells) for cells in actions if cells]
    plain = all(index % area == cells[0] for index, cells in enumerate(actions) if cells)
    # A layer has one step, whatever the cell; edges are left out, where it leads to no cell.
    kinds = {(index // area, step) for (index, _), step in zip(filter(lambda entry: entry[1], enumerate(actions)), steps)}
    if layers and plain and len(kinds) == layers and not any(actions[layers * area :]):
        return layers, pointless, None
    order = sorted(set(steps))
    if len(steps) != len(actions):
        raise SystemExit("train: the engine tells no cell of some actions, and their order is unknown")
    return len(order), 0, [order.index(step) * area + cells[0] for step, cells in zip(steps, actions)]


def check_places(places, maps):
    """Fails if the places of the actions do not turn with the board as the engine says that actions do."""
    area = len(maps["points"][0])
    cells, layers = torch.tensor(places) % area, torch.tensor(places) // area
    for points, actions in zip(maps["planes"], maps["actions"], strict=True):
        turned = set(zip(layers.tolist(), layers[actions].tolist()))
        if not torch.equal(points[cells], cells[actions]) or len(turned) != len(set(layers.tolist())):
            raise SystemExit("train: places of actions and symmetries disagree")
