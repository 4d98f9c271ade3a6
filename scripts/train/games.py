"""What differs between games, as training needs it."""
import functools

import torch


class Game:
    """A game: planes, actions and symmetries of its boards."""

    def __init__(self, name, sizes, planes, border, learns, *, silent=(), layers=1, steps=None, places=None, pointless=0, turns=2, owners=False, scoring=None):
        self.name, self.encoding = name, f"{name}-1"
        # Usual board sizes, number of planes, and cells of border on each side of them.
        self.sizes, self.planes, self.border = sizes, planes, border
        # What can be learned, the usual first; planes that self-play never varies.
        self.learns, self.silent = learns, silent
        # Actions are `layers` numbers for each point, or those among them at `places`, and last `pointless` ones without a point.
        self.layers, self.places, self.pointless = layers, places, pointless
        self.steps, self.turns = steps, turns
        self.fixed = places is not None
        # Whether each point has an owner at the end; how points are counted.
        self.owners, self.scoring = owners, scoring

    @functools.lru_cache
    def symmetries(self, rows, columns):
        """For each symmetry of a board with planes of that size, where each cell, action and point of the turned board comes from."""
        maps = {"planes": [], "actions": [], "points": []}
        inner = (rows - 2 * self.border, columns - 2 * self.border)
        turns = self.turns if inner[0] == inner[1] else min(self.turns, 4)
        for number in range(turns):
            turn = number if self.turns > 2 else 3 * number
            points = turned_board(*inner, turn)
            maps["planes"].append(turned_board(rows, columns, turn))
            maps["points"].append(points)
            actions = torch.cat([points + layer * len(points) for layer in self.turned_layers(turn)])
            if self.places is not None:
                index = {place: k for k, place in enumerate(self.places)}
                actions = torch.tensor([index[actions[place].item()] for place in self.places])
            last = torch.arange(self.pointless) + self.layers * len(points)
            maps["actions"].append(torch.cat([actions, last]))
        return maps

    def turned_layers(self, turn):
        """For each layer of the turned board, the layer that it comes from."""
        if self.steps is None:
            return range(self.layers)
        return [self.steps.index(turned_step(step, turn)) for step in self.steps]


def turned_step(step, turn):
    """A step under flips of columns (1) and rows (2), then the exchange of both (4), backwards."""
    x, y = step[::-1] if turn & 4 else step
    return (-x if turn & 1 else x, -y if turn & 2 else y)


def turned_board(rows, columns, turn):
    """For each point of the turned board, the point that it comes from."""
    board = torch.arange(rows * columns).reshape(rows, columns)
    board = board.flip([axis for axis, bit in ((1, 1), (0, 2)) if turn & bit])
    return (board.T if turn & 4 else board).flatten()


NORTH_TO_WEST = [(0, -1), (1, 0), (0, 1), (-1, 0)]
ALL_AROUND = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


def avalam_places():
    """For each move that Avalam's board has, by cells from and to, where the layers have its number."""
    rows = [range(2, 4), range(1, 5), range(1, 7), range(1, 9), range(0, 9), range(0, 8), range(2, 8), range(4, 8), range(5, 7)]
    cells = [(x, y) for y, row in enumerate(rows) for x in row if (x, y) != (4, 4)]
    places = []
    for x, y in cells:
        targets = [(cells.index((x + dx, y + dy)), k) for k, (dx, dy) in enumerate(ALL_AROUND) if (x + dx, y + dy) in cells]
        places += [k * 81 + y * 9 + x for _, k in sorted(targets)]
    return places


GAMES = {
    "hex": Game("hex", [11], 4, 1, ["actions", "states"], silent=[3]),
    "go": Game("go", [9], 17, 0, ["policy"], silent=range(12, 17), pointless=1, turns=8, owners=True, scoring="area"),
    "clobber": Game("clobber", [6], 2, 0, ["actions", "policy"], layers=4, steps=NORTH_TO_WEST, turns=8),
    "avalam": Game("avalam", [9], 11, 0, ["actions", "policy"], layers=8, steps=ALL_AROUND, places=avalam_places()),
}
