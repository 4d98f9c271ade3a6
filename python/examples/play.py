#!/usr/bin/env python3
"""A game between two searches, with what the winner thought of each move.

    examples/play.py hex 7 --playouts 200
"""

import argparse

import losange


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=losange.games(), nargs="?", default="hex")
    parser.add_argument("size", type=int, nargs="?")
    parser.add_argument("--playouts", type=int, default=100)
    options = parser.parse_args()

    game = losange.Game(options.game, options.size)
    state = game.new_initial_state()
    # One plays with the model that is built in, the other without any.
    searches = [losange.Search(game), losange.Search(game, model=None)]
    while not state.is_terminal() and len(state.history()) < 300:
        player = state.current_player()
        report = searches[player].run(state, playouts=options.playouts)
        print(f"{player}: {report.move:8} {100 * report.winrate:5.1f} %  {report.visits} visits")
        state.apply_action(report.action)
    print(state)
    print("returns", state.returns())


if __name__ == "__main__":
    main()
