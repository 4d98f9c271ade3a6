#!/usr/bin/env python3
"""Trains a model on what self-play leaves in a folder, and writes it there for self-play to take.

    pip install -r scripts/train/requirements.txt
    scripts/train/train.py RUN --sizes 5 --minutes 10 &
    losange selfplay RUN --sizes 5

Learned are values of actions or of states by descent, or policy and value (for some games owners and score too) by search with a
policy. RUN/shards/*.npz are read (`src/learn/shard.rs` says what they hold) and deleted once they have left the replay window.
RUN/checkpoint.pt holds everything that training needs to go on after it was killed; RUN/model.onnx is the model; RUN/share says
how much of the time is over, from 0 to 1, while self-play by descent turns from chance to the best moves. While RUN/wait is
there and fresh self-play pauses, so that training keeps up where both share one core (--ahead). The loss of the steps
and that of positions that nothing is trained on are printed, and drawn by `tensorboard --logdir RUN`.

The engine tells what a game is (LOSANGE, or target/release/losange). The parts: games.py (its description), data.py (lessons), nets.py, losses.py, loop.py, export.py (ONNX files).
"""
import argparse
from pathlib import Path

import torch

from games import Game
from loop import Training


def arguments():
    """The parser of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--game", default="hex", help="the game's word, as in `losange describe WORD`")
    parser.add_argument("--learn", help="actions or, for one size of board, states, by descent, or policy, by search with it; the usual "
                        "one of the game")
    parser.add_argument("--sizes", help="board sizes, such as 5,7,9; the usual one of the game")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=4, help="residual blocks; of states, convolutions")
    parser.add_argument("--window", type=int, default=300_000, help="positions of the replay window")
    parser.add_argument("--reuse", type=float, default=4.0, help="times that each position is trained on")
    parser.add_argument("--ahead", type=int, help="positions that self-play may be ahead of training; when there are more, it waits "
                        "until half of them are trained on as often as --reuse says")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning; a tenth at the end")
    parser.add_argument("--start", type=Path, help="a model to go on from, instead of random weights; the new one may have "
                        "more channels and blocks and says the same to begin with")
    parser.add_argument("--minutes", type=float, default=60, help="training time of the whole run")
    parser.add_argument("--steps", type=int, help="end after so many steps, if that is sooner")
    parser.add_argument("--gated", action="store_true", help="write candidate.onnx; whoever tries it makes it model.onnx")
    parser.add_argument("--publish", type=float, default=10, help="seconds between models")
    parser.add_argument("--keep", type=float, default=15, help="minutes between models that are kept, as after-MINUTES.onnx; 0: none")
    parser.add_argument("--advice", type=int, default=0, help="visits of a position before a search by playouts asks the model, "
                        "such as 8 for a weak model of Go; 0: it values all leaves in the place of playouts")
    parser.add_argument("--taught-by", metavar="TEXT", help="the net that the labels are of and its licence, for the model's metadata")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main():
    parser = arguments()
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    game = Game(options.game, options.sizes and sorted({int(size) for size in options.sizes.split(",")}))
    learn = options.learn or game.learns[0]
    if learn not in game.learns:
        parser.error(f"{game.name} is learned by {' or '.join(game.learns)}")
    if learn == "states" and (len(game.sizes) > 1 or options.start):
        parser.error("states are learned for one size of board, from random weights")
    Training(game, learn, options).run()


if __name__ == "__main__":
    main()
