#!/usr/bin/env python3
"""Checks that training sees a game as the engine does: symmetries of planes and actions, and where each action's number lies.

    scripts/train/check.py GAME FOLDER

FOLDER/N.npz holds the same positions of one board as the engine shows them under its symmetry N, with a 1 in `weights` for each
legal action and any numbers in `targets` and `owners`. Every array, turned here, must be one that the engine turned. Then a tiny
net learns which actions are legal, from nothing but the planes: it cannot where the planes and the actions disagree.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from data import turned
from games import Game
from nets import net_for

# The arrays that a symmetry changes.
ARRAYS = ("planes", "targets", "weights", "owners")
# Steps of the tiny net, and the share of legal and of other actions that it must know of positions it has not seen.
STEPS, KNOWN = 160, 0.93


def load(path):
    """The arrays of a shard."""
    with np.load(path) as shard:
        return {name: torch.from_numpy(shard[name]) for name in ARRAYS}


def check_symmetries(game, boards):
    """Compares each symmetry of the game with the engine's of the same number."""
    plain = boards[0]
    maps = game.symmetries(*plain["planes"].shape[2:])
    counts = {kind: len(sources) for kind, sources in maps.items()}
    if set(counts.values()) != {len(boards)}:
        sys.exit(f"check: the engine has {len(boards)} symmetries, training {counts}")
    for number, board in enumerate(boards):
        for name, array in plain.items():
            if not torch.equal(turned(maps, name, array, number), board[name]):
                sys.exit(f"check: '{name}' under symmetry {number} is another than the engine's")


def check_actions(game, learn, board):
    """Lets a tiny net learn which actions are legal."""
    torch.manual_seed(1)
    planes, legal = board["planes"], board["weights"]
    net = net_for(game, learn, 16, 1, planes.shape[2])
    output = net.outputs.index("policy" if learn == "policy" else "actions")
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    held_out = len(planes) // 5

    def score(seen):
        found = net(seen)
        found = found if torch.is_tensor(found) else found[output]
        # Values of actions end in a tanh, whose range is widened to that of logits.
        return 6 * found if learn == "actions" else found

    for _ in range(STEPS):
        picks = torch.randint(held_out, len(planes), (64,))
        loss = functional.binary_cross_entropy_with_logits(score(planes[picks]), legal[picks])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = (score(planes[:held_out]) > 0) == (legal[:held_out] > 0)
    known = [right[legal[:held_out] == value].float().mean().item() for value in (1, 0)]
    print(f"{game.name}, {learn}: knows {known[0]:.3f} of the legal actions and {known[1]:.3f} of the others")
    if not min(known) >= KNOWN:
        sys.exit(f"check: {game.name}, {learn}: planes and actions disagree")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="the game's word")
    parser.add_argument("folder", type=Path, help="one shard for each symmetry, 0.npz and so on")
    options = parser.parse_args()
    torch.set_num_threads(1)
    game = Game(options.game)
    paths = sorted(options.folder.glob("*.npz"), key=lambda path: int(path.stem))
    boards = [load(path) for path in paths]
    check_symmetries(game, boards)
    # Nets that learn values of actions have the same head.
    check_actions(game, "policy" if "policy" in game.learns else "actions", boards[0])


if __name__ == "__main__":
    main()
