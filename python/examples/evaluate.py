#!/usr/bin/env python3
"""A model over the positions of a random game: how its opinion changes, and how many positions a second it values.

    examples/evaluate.py go 9
    examples/evaluate.py hex 11 --model ../models/hex.onnx
"""

import argparse
import random
import time

import losange


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=losange.games(), nargs="?", default="hex")
    parser.add_argument("size", type=int, nargs="?")
    parser.add_argument("--model", help="a file; the model that is built in where it is not given")
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()

    model = losange.Model(options.model, game=options.game) if options.model else losange.Model.builtin(options.game)
    if model is None:
        raise SystemExit(f"no model of {options.game} is built in: name one with --model")
    print(model)
    rng = random.Random(1)
    states = [losange.Game(options.game, options.size).new_initial_state()]
    while not states[-1].is_terminal() and len(states) < 300:
        states.append(states[-1].child(rng.choice(states[-1].legal_actions())))

    numbers = model.evaluate(states)
    for ply in range(0, len(states), 10):
        # Seen by player 0 all along.
        sign = -1 if states[ply].current_player() == 1 else 1
        bar = "#" * round(20 * (1 + sign * numbers.value[ply]))
        print(f"{ply:4} {sign * numbers.value[ply]:+.2f} {bar}")

    going = [state for state in states if not state.is_terminal()]
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < options.seconds:
        model.evaluate(going)
        count += len(going)
    print(f"{count / (time.perf_counter() - start):.0f} positions a second, {len(going)} at once")


if __name__ == "__main__":
    main()
