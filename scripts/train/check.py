#!/usr/bin/env python3
"""Checks that training sees a game as the engine does: symmetries of planes and actions, and where each action's number lies.

    scripts/train/check.py GAME SIZE FOLDER

FOLDER/N.npz holds the same positions of a board with SIZE lines as the engine shows them under its symmetry N, with a 1 in
`weights` for each legal action and any numbers in `targets` and `owners`. Every array, turned here, must be one that the engine
turned. The sparse form of arrays must give them back, and what is held out must be the last positions. A larger net that begins as
a smaller one must say what that says. Then a small net learns which actions are legal, from nothing but the planes: it cannot where
planes and actions disagree.
"""
import argparse
import copy
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from data import Replay, Sparse, turned
from export import export, load_model
from games import Game
from loop import settle
from losses import policy, steps
from nets import net_for

# The arrays that a symmetry changes.
ARRAYS = ("planes", "targets", "weights", "owners")
# The small net, and how much of the legal and of the other actions it must know of positions that it has not seen, after rounds of
# so many steps. Some games need more of them: where a line's pieces say how far a piece moves. Where a move has three points the
# net learns fewer in that time, but more than it does of actions in another order.
CHANNELS, BLOCKS = 24, 2
KNOWN, KNOWN_OF_THREE, ROUNDS, STEPS = (0.93, 0.93), (0.75, 0.93), 16, 160


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


def check_sparse(board):
    """Compares rows of the sparse form of arrays, in any order and again, with those of the arrays."""
    rows = torch.randint(len(board["planes"]), (2 * len(board["planes"]),))
    for name in ("targets", "weights"):
        if not torch.equal(Sparse(board[name])[rows], board[name][rows]):
            sys.exit(f"check: the sparse form of '{name}' holds something else")


def check_held_out(game, board):
    """Compares what the replay holds out of a shard with its last positions. It must not keep the others for them."""
    replay = Replay(game, len(board["planes"]), 1)
    last = len(board["planes"]) // Replay.HELD_OUT
    replay.add(Path("none"), dict(board))
    told = next(replay.held_out())
    kept = replay.parts[0]["held out"]
    for name, array in board.items():
        if not torch.equal(told[name], array[-last:].float()):
            sys.exit(f"check: '{name}' of what is held out are those of other positions")
        if torch.is_tensor(kept[name]) and kept[name].untyped_storage().nbytes() > kept[name].nbytes:
            sys.exit(f"check: '{name}' of what is held out keep all of the shard")


def check_growth(game, learn, board):
    """Exports a net and compares it with one that begins as it and has more channels and blocks, and where owners are learned a plane
    more, which is empty here."""
    planes = board["planes"][:16].clone()
    before = copy.copy(game)
    if game.owners:
        before.planes -= 1
        planes[:, -1] = 0
    small = net_for(before, learn, CHANNELS, BLOCKS, planes.shape[2])
    large = net_for(game, learn, CHANNELS + 8, BLOCKS + 1, planes.shape[2])
    # Norms as training leaves them: equal tensors are written once.
    for norm in (module for module in small.modules() if isinstance(module, torch.nn.BatchNorm2d)):
        torch.nn.init.normal_(norm.bias)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        path = Path(folder) / "small.onnx"
        export(before, small, path, game.sizes, "nothing", 0)
        load_model(large, path)
        said = small(planes[:, :before.planes]), large.eval()(planes)
    for old, new in zip(*(numbers if isinstance(numbers, tuple) else (numbers,) for numbers in said), strict=True):
        if not torch.allclose(old, new, atol=1e-4):
            sys.exit(f"check: {game.name}, {learn}: a larger net that begins as a smaller one says something else")


def check_norms(game, learn, board):
    """Shows a net in training a batch, and then compares it, with its norms at rest, with the model that it would be."""
    planes = board["planes"][:16]
    net = net_for(game, learn, CHANNELS, BLOCKS, planes.shape[2]).train()
    with torch.no_grad():
        net(planes)
        settle(net)
        said = net(planes), net.eval()(planes)
    for training, model in zip(*(numbers if isinstance(numbers, tuple) else (numbers,) for numbers in said), strict=True):
        if not torch.equal(training, model):
            sys.exit(f"check: {game.name}, {learn}: a net in training says something else than its model")


def check_actions(game, learn, boards):
    """Lets a small net learn which actions are legal, under all symmetries, and asks it about positions that it has seen under none."""
    torch.manual_seed(1)
    held_out = len(boards[0]["planes"]) // 5
    unseen = [boards[0][name][:held_out] for name in ("planes", "weights")]
    planes, legal = (torch.cat([board[name][held_out:] for board in boards]) for name in ("planes", "weights"))
    net = net_for(game, learn, CHANNELS, BLOCKS, planes.shape[2])
    output = net.outputs.index("policy" if learn == "policy" else "actions")
    enough = KNOWN_OF_THREE if game.points > 2 else KNOWN
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)

    def score(seen):
        found = net(seen)
        found = found if torch.is_tensor(found) else found[output]
        # Values of actions end in a tanh, whose range is widened to that of logits.
        return 6 * found if learn == "actions" else net.logits(found)

    for taken in range(1, ROUNDS + 1):
        for _ in range(STEPS):
            picks = torch.randint(len(planes), (64,))
            loss = functional.binary_cross_entropy_with_logits(score(planes[picks]), legal[picks])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            right = (score(unseen[0]) > 0) == (unseen[1] > 0)
        known = [right[unseen[1] == value].float().mean().item() for value in (1, 0)]
        told = f"knows {known[0]:.3f} of the legal actions and {known[1]:.3f} of the others after {taken * STEPS} steps"
        if all(share >= least for share, least in zip(known, enough)):
            break
    else:
        sys.exit(f"check: {game.name}, {learn}: planes and actions disagree: a net {told}")
    print(f"{game.name}, {learn}: {told}")


def check_steps(game, board):
    """Compares the loss of a policy in which a move's logit is a sum with that of all actions' logits."""
    net = net_for(game, "policy", CHANNELS, BLOCKS, board["planes"].shape[2])
    batch = {"weights": board["weights"], "targets": functional.softmax(board["targets"], 1) * board["weights"]}
    found = torch.randn(len(board["planes"]), game.policy_layers * board["planes"][0, 0].numel())
    sums, plain = steps(found, batch, net.entries).item(), policy(net.logits(found), batch).item()
    if abs(sums - plain) > 1e-4 * abs(plain):
        sys.exit(f"check: {game.name}: the loss of a policy of sums is {sums}, and of all its moves {plain}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="the game's word")
    parser.add_argument("size", type=int, help="lines of the board")
    parser.add_argument("folder", type=Path, help="one shard for each symmetry, 0.npz and so on")
    options = parser.parse_args()
    torch.set_num_threads(1)
    game = Game(options.game, [options.size])
    paths = sorted(options.folder.glob("*.npz"), key=lambda path: int(path.stem))
    boards = [load(path) for path in paths]
    check_symmetries(game, boards)
    check_sparse(boards[0])
    check_held_out(game, boards[0])
    # Nets that learn values of actions have the same head.
    learn = "policy" if "policy" in game.learns else "actions"
    if game.entries is not None:
        check_steps(game, boards[0])
    check_growth(game, learn, boards[0])
    check_norms(game, learn, boards[0])
    check_actions(game, learn, boards)


if __name__ == "__main__":
    main()
