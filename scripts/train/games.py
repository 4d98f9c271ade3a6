"""A game as training needs it, asked of the engine: `losange describe GAME --json` tells planes, actions and symmetries."""
import functools

import torch

from engine import describe


class Game:
    """Planes, actions and symmetries of a game, learned on boards of some sizes: the usual one, where none is said."""

    def __init__(self, word, sizes=None):
        told = describe(word, sizes and sizes[0])
        self.word, self.name = word, told["model"]["game"]
        self.encoding, self.scoring = told["model"]["encoding"], told["model"]["scoring"]
        self.sizes = sizes or [told["usual"][0]]
        # Number of planes, and cells of border on each side of the board in them.
        self.planes, self.border = told["shape"][0], (told["shape"][1] - told["board"][0]) // 2
        # Each point has an owner at the end where points are counted.
        self.owners = self.scoring is not None
        self.learns = ["policy"] if self.owners else ["actions", "states"] if self.border else ["actions", "policy"]
        self.layers, self.pointless, self.places = layout(told["actions"], told["board"])
        # Layers of a policy, and the entries of it whose sum is each action's, where actions have none of their own.
        self.policy_layers = told["outputs"]["policy"] // (told["board"][0] * told["board"][1])
        self.entries = told["policy"] and torch.tensor(told["policy"]).T
        # Most points of a move.
        self.points = max(len(cells) for cells in told["actions"])
        # A game is learned on one board where it has no other, where its actions are some of its layers' numbers, or where its layers
        # are others on other boards.
        least, most = told["boards"]
        self.fixed = least == most or self.places is not None or self.layers != self.layers_beside(least)
        if self.fixed and len(self.sizes) > 1:
            raise SystemExit(f"train: {self.name} is learned for one size of board: its moves are others on another one")

    def layers_beside(self, least):
        """Layers of actions on a board of the next size, down to the least."""
        size = self.sizes[0]
        told = describe(self.word, size - 1 if size > least else size + 1)
        return layout(told["actions"], told["board"])[0]

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


def steps_between(cells, columns):
    """The rows and columns from the first cell to each of the others."""
    places = [divmod(cell, columns) for cell in cells]
    return tuple((row - places[0][0], column - places[0][1]) for row, column in places[1:])


def layout(actions, board):
    """Where the numbers of actions lie: layers of the board, actions without a cell behind them, and, where an action's index is not
    its place in the layers, the place of each; -1 for numbers that no move has."""
    area = board[0] * board[1]
    layers, pointless = divmod(len(actions), area)
    steps = [steps_between(cells, board[1]) for cells in actions if cells]
    plain = all(index % area == cells[0] for index, cells in enumerate(actions) if cells)
    # A layer has one step, whatever the cell; edges are left out, where it leads to no cell.
    kinds = {(index // area, step) for (index, _), step in zip(filter(lambda entry: entry[1], enumerate(actions)), steps)}
    if layers and plain and len(kinds) == layers and not any(actions[layers * area :]):
        return layers, pointless, None
    order = sorted(set(steps))
    if len(steps) != len(actions) and pointless:
        raise SystemExit("train: the engine tells no cell of some actions, and their order is unknown")
    layer_of = {step: layer for layer, step in enumerate(order)}
    return len(order), 0, [layer_of[steps_between(cells, board[1])] * area + cells[0] if cells else -1 for cells in actions]


def check_places(places, maps):
    """Fails if the places of the actions do not turn with the board as the engine says that actions do."""
    area = len(maps["points"][0])
    places = torch.tensor(places)
    known = places >= 0
    cells, layers = places % area, places // area
    for points, actions in zip(maps["planes"], maps["actions"], strict=True):
        turned = set(zip(layers[known].tolist(), layers[actions][known].tolist()))
        alike = torch.equal(points[cells][known], cells[actions][known]) and torch.equal(known, known[actions])
        if not alike or len(turned) != len(set(layers[known].tolist())):
            raise SystemExit("train: places of actions and symmetries disagree")
