#!/usr/bin/env python3
"""Plays games of Go against the program by a clock of its own, and tells how much of the time was used.

    LOSANGE=target/release/losange clocks.py [--clocks canadian,fischer] [--sizes 9,19] [--engine-lags 0.1,1] [--scale 0.1]

Black is the program under test, White the same program with few playouts and no clock. All times are multiplied by
--scale. The exit status is 1 if a game was lost on time.
"""
import argparse
import itertools
import os
import random
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from gtp import Program  # noqa: E402

# Time system, main time, period or increment, stones or periods.
CLOCKS = {
    "canadian": ("canadian", 10, 25, 10),
    "fischer": ("fischer", 30, 10, None),
    "byoyomi": ("byoyomi", 60, 10, 5),
    "absolute": ("absolute", 120, None, None),
}


def engine(program, size, *options):
    """The program, for a game on a board of that size."""
    command = [program, "go", "--size", str(size), "--threads", "1", "--memory", "256", "--seed", "1", *options]
    return Program(command, stderr=subprocess.DEVNULL)


class Clock:
    """The controller's clock of one side."""

    def __init__(self, system, main, period, count):
        self.system, self.period, self.full = system, period, count
        self.time, self.count, self.lost = main, 0, False
        # Seconds that the game gave so far, and that were used of them.
        self.given, self.used = main, 0.0

    def enter_overtime(self):
        if self.full is None:
            self.lost = True
        self.time, self.count = self.period or 0, self.full or 0

    def charge(self, spent):
        """Takes a move off the clock."""
        self.used += spent
        if self.count == 0:
            if spent <= self.time:
                increment = self.period if self.system == "fischer" else 0
                self.time += increment - spent
                self.given += increment
                return
            spent -= self.time
            self.enter_overtime()
        if self.system == "canadian":
            self.lost |= spent > self.time
            self.time -= spent
            self.count -= 1
            self.given += self.period / self.full
            if self.count == 0:
                self.enter_overtime()
        elif self.system == "byoyomi":
            # Each period that was gone over is gone.
            over = 0
            while spent > self.period:
                spent -= self.period
                over += 1
            self.given += (over + 1) * self.period
            self.count -= over
            self.lost |= self.count < 1


def play(options, name, size, engine_lag):
    system, *times = CLOCKS[name]
    main, period = (time and time * options.scale for time in times[:2])
    count = times[2]
    black = engine(options.program, size, "--lag", str(engine_lag * options.scale), *options.options.split())
    white = engine(options.program, size, "--playouts", "100", "--no-model")
    settings = " ".join(str(part) for part in (main, period, count) if part is not None)
    black.ask(f"kata-time_settings {system} {settings}")
    clock, chance, moves = Clock(system, main, period, count), random.Random(1), 0
    while moves < options.moves and not clock.lost:
        if not options.silent:
            black.ask(f"time_left b {clock.time:.3f} {clock.count}")
        lag = options.lag * options.scale * (0.5 + chance.random())
        start = time.monotonic()
        # Half of it before the program hears of its turn, half before the controller hears of the move.
        time.sleep(lag / 2)
        move = black.ask("genmove b")
        time.sleep(lag / 2)
        clock.charge(time.monotonic() - start)
        moves += 1
        white.ask(f"play b {move}")
        reply = white.ask("genmove w")
        black.ask(f"play w {reply}")
        if "resign" in (move, reply) or move == reply == "pass":
            break
    black.close()
    white.close()
    return clock, moves


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.environ.get("LOSANGE", "losange"))
    parser.add_argument("--clocks", default=",".join(CLOCKS))
    parser.add_argument("--sizes", default="19,9")
    parser.add_argument("--engine-lags", default="0.1,1", help="values of the program's --lag")
    parser.add_argument("--lag", type=float, default=0.05, help="mean of the true lag of a move, in seconds")
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--silent", action="store_true", help="never send time_left")
    parser.add_argument("--options", default="", help="more options of the program")
    options = parser.parse_args()
    lost = False
    print("| clock | board | `--lag` | moves | given, s | used, s | share |\n| --- | --- | --- | --- | --- | --- | --- |")
    sizes, lags = ([float(n) for n in text.split(",")] for text in (options.sizes, options.engine_lags))
    for name, size, lag in itertools.product(options.clocks.split(","), sizes, lags):
        clock, moves = play(options, name, int(size), lag)
        end = " lost on time" if clock.lost else ""
        share = 100 * clock.used / clock.given
        print(f"| {name} | {size:.0f} | {lag} | {moves} | {clock.given:.1f} | {clock.used:.1f} | {share:.0f} %{end} |", flush=True)
        lost |= clock.lost
    sys.exit(lost)


if __name__ == "__main__":
    main()
