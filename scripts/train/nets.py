"""Networks: a residual tower with heads, or the plain convolutions of the paper.

Inputs are planes, float32 [n, planes, rows, columns], as `losange describe GAME` tells of them. Values are seen by the side to
move, in -1..1. Names of layers stand in exported models, which training can go on from: renaming one makes old models useless.
"""
import torch
from torch import nn
from torch.nn import functional


@torch.no_grad()
def quiet(layer):
    """A last layer whose numbers are small at first: a fresh net that was sure of something would teach itself that for long. Nothing is
    exactly 0, or the exporter would make one tensor of several."""
    for weights in layer.parameters():
        weights.mul_(0.01)
    return layer


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

    def __init__(self, game, channels, blocks):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(game.planes, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()
        )
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        # Whether the tower multiplies in 16 bits. Heads never do: a policy of 16-bit logarithms drifts until it is lost.
        self.short = False

    @torch.no_grad()
    def silence(self, planes):
        """Takes the weights of planes away that are the same number everywhere in `planes`, so that they do not count by chance."""
        numbers = planes.transpose(0, 1).flatten(1)
        self.stem[0].weight[:, numbers.amax(1) == numbers.amin(1)] = 0

    def features(self, planes):
        """Features of each point: [n, channels, rows, columns]."""
        if not self.short:
            return self.blocks(self.stem(planes))
        with torch.autocast(planes.device.type, torch.bfloat16):
            return self.blocks(self.stem(planes)).float()

    def logits(self, policy):
        """Logits of all actions, of a policy that `forward` gives: [n, actions]."""
        return policy


class CellActions(Trunk):
    """Values of all actions where an action is a cell inside the border of the planes: `actions` [n, cells]."""

    outputs = ["actions"]

    def __init__(self, game, channels, blocks):
        super().__init__(game, channels, blocks)
        self.head = quiet(nn.Conv2d(channels, 1, 1))

    def forward(self, planes):
        cells = self.head(self.features(planes))
        return torch.tanh(cells[:, :, 1:-1, 1:-1].flatten(1))


class States(nn.Module):
    """The value of the position, as in the paper: convolutions without padding, and a layer that sees all that they leave
    (Cohen-Solal 2019, 4.1, with 150 channels in 3 of them): `value` [n, 1]. It serves one size of board."""

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
            *layers, nn.Flatten(), nn.Linear(channels * left * left, self.HIDDEN), nn.ReLU(), quiet(nn.Linear(self.HIDDEN, 1))
        )
        self.short = False

    def forward(self, planes):
        with torch.autocast(planes.device.type, torch.bfloat16, enabled=self.short):
            return self.all(planes).float()


class MoveHead(nn.Module):
    """A number for each action: from layers of the board, and for actions without a point from pooled features."""

    def __init__(self, game, channels):
        super().__init__()
        self.head = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(), quiet(nn.Conv2d(channels, game.layers, 1)))
        # Where each action's number lies in the flattened layers; None where that is its index, on any board.
        places = None if game.places is None else torch.tensor(game.places).clamp(min=0)
        self.register_buffer("moves", places, persistent=False)
        self.stay = quiet(nn.Linear(2 * channels, game.pointless)) if game.pointless else None

    def forward(self, features):
        numbers = self.head(features).flatten(1)
        if self.moves is not None:
            numbers = numbers.index_select(1, self.moves)
        return numbers if self.stay is None else torch.cat([numbers, self.stay(pooled(features))], 1)


class ValueHead(nn.Module):
    """A number for the position, by its features and by the plain counts of what is on the board: [n, 1]."""

    # Planes' means are small: this many times them, one stone more is told from one less.
    COUNTS = 8.0

    def __init__(self, game, channels):
        super().__init__()
        last = quiet(nn.Linear(channels, 1))
        self.value = nn.Sequential(nn.Linear(2 * channels + game.planes, channels), nn.ReLU(), last)
        self.counts = quiet(nn.Linear(game.planes, 1))

    def forward(self, features, planes):
        counts = self.COUNTS * planes.mean((2, 3))
        return self.value(torch.cat([pooled(features), counts], 1)) + self.counts(counts)


def pooled(features):
    """Means and maxima over the board: [n, 2 * channels]."""
    return torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1)


class MoveActions(Trunk):
    """Values of all actions, each as a difference from the value of the position: `actions` [n, actions]."""

    outputs = ["actions"]

    def __init__(self, game, channels, blocks):
        super().__init__(game, channels, blocks)
        self.steps = MoveHead(game, channels)
        self.whole = ValueHead(game, channels)

    def forward(self, planes):
        features = self.features(planes)
        return torch.tanh(self.steps(features) + self.whole(features, planes))


class StepHead(nn.Module):
    """Entries of a policy in which a move's logit is the sum of two, from layers of the board."""

    def __init__(self, game, channels):
        super().__init__()
        layers = game.policy_layers
        self.head = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(), quiet(nn.Conv2d(channels, layers, 1)))

    def forward(self, features):
        return self.head(features).flatten(1)


class MovePolicy(Trunk):
    """Value of the position and logits of the policy: `value` [n, 1], `policy` [n, actions], or [n, entries] where a move has several."""

    outputs = ["value", "policy"]

    def __init__(self, game, channels, blocks):
        super().__init__(game, channels, blocks)
        self.steps = MoveHead(game, channels) if game.entries is None else StepHead(game, channels)
        self.value = ValueHead(game, channels)
        # The entries of each action: [2, actions].
        self.register_buffer("entries", game.entries, persistent=False)

    def forward(self, planes):
        features = self.features(planes)
        return torch.tanh(self.value(features, planes)), self.steps(features)

    def logits(self, policy):
        """As in any tower, where a move's logit may be a sum."""
        return policy if self.entries is None else policy[:, self.entries].sum(1)


class OwnerPolicy(Trunk):
    """Value, policy over the points and, last, the pass, owners of the points, and lead: `value` [n, 1], `policy` [n, points + 1],
    `ownership` [n, points] in -1..1 (1: side to move), `score` [n, 1] in points."""

    outputs = ["value", "policy", "ownership", "score"]
    # Points in which a lead is told to the net, so that usual ones are of the size of the other numbers.
    LEAD = 20.0

    def __init__(self, game, channels, blocks):
        super().__init__(game, channels, blocks)
        self.policy = nn.Conv2d(channels, channels, 1)
        self.policy_whole = nn.Linear(2 * channels, channels)
        self.point = quiet(nn.Conv2d(channels, 1, 1))
        self.stay = quiet(nn.Linear(2 * channels, 1))
        self.owner = quiet(nn.Conv2d(channels, 1, 1))
        self.whole = nn.Sequential(nn.Linear(2 * channels, 2 * channels), nn.ReLU(), quiet(nn.Linear(2 * channels, 2)))

    def forward(self, planes):
        features = self.features(planes)
        board = pooled(features)
        heads = functional.relu(self.policy(features) + self.policy_whole(board)[:, :, None, None])
        policy = torch.cat([self.point(heads).flatten(1), self.stay(board)], 1)
        whole = self.whole(board)
        owners = torch.tanh(self.owner(features)).flatten(1)
        return torch.tanh(whole[:, :1]), policy, owners, whole[:, 1:] * self.LEAD


def net_for(game, learn, channels, blocks, side):
    """The net that learns what `learn` names, of one of the game's kinds of lessons. `side` is that of the planes."""
    if learn == "states":
        return States(game, channels, blocks, side)
    if learn == "actions":
        return (CellActions if game.border else MoveActions)(game, channels, blocks)
    return (OwnerPolicy if game.owners else MovePolicy)(game, channels, blocks)
