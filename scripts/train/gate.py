#!/usr/bin/env python3
"""The gate of a run: a new model takes the place of the best one only after a sequential test that says it is better.

    scripts/train/gate.py RUN --game go --size 9
    scripts/train/gate.py RUN --game go --size 9 --once    # tries what was not tried yet, and ends

Each new RUN/candidate.onnx plays against RUN/model.onnx, and takes its place if it is better; the old model stays as
RUN/before-N.onnx, with the number of the generation that took its place. RUN/gate.tsv tells of each. Environment: LOSANGE, the
program; GATE_ELO (0,80), the two leads that the test tells apart; GATE_GAMES (200), at most so many games; GATE_PLAYOUTS (50) a move.
"""
import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from engine import bound, program


def match(game, size, seed):
    """Arguments of the program for the match of two models, without those."""
    setting = os.environ.get
    return [
        "arena", "--game", game, "--size", str(size), "--games", setting("GATE_GAMES", "200"),
        "--playouts", setting("GATE_PLAYOUTS", "50"), "--sprt", setting("GATE_ELO", "0,80"), "--seed", str(seed),
    ]


class Gate:
    """The models of a run that wait to be tried."""

    def __init__(self, run):
        self.run = run
        self.model, self.candidate, self.tried = (run / f"{name}.onnx" for name in ("model", "candidate", "tried"))
        self.told, self.judged = run / "gate.tsv", run / "gate.judged"
        # What the candidate that was judged last holds, which is not tried again: the trainer writes a file also where it has not learned.
        self.seen = self.judged.read_text().strip() if self.judged.exists() else ""
        self.written = None

    def fetch(self):
        """Copies the newest candidate where it was not tried yet, since what is tried stays as it is while the trainer goes on; a
        number of its own, or None."""
        try:
            written = self.candidate.stat().st_mtime_ns
            if written == self.written:
                return None
            shutil.copy(self.candidate, self.tried)
        except FileNotFoundError:
            return None
        self.written = written
        told, best = (hashlib.sha256(path.read_bytes()).hexdigest() for path in (self.tried, self.model))
        if told in (self.seen, best):
            return None
        self.seen = told
        return int(told[:8], 16)

    def rating(self):
        """Elo above the first model: the leads of all that were accepted, each over the one before, and their number."""
        told = self.told.read_text() if self.told.exists() else ""
        leads = [float(lead) for lead in re.findall(r"\taccepted .* ([+-][\d.]+|[+-]inf) Elo", told)]
        return sum(leads), len(leads)

    def judge(self, result):
        """Takes what the match said, and returns the line about it."""
        generations = self.rating()[1]
        line = result.splitlines()[0]
        if "accepted:" in result:
            shutil.copy(self.model, self.run / f"before-{generations + 1}.onnx")
            os.replace(self.tried, self.model)
            line = f"accepted {generations + 1}\t{line}"
        else:
            line = f"refused\t{line}"
        line = f"{time.strftime('%FT%TZ', time.gmtime())}\t{line}"
        with self.told.open("a") as told:
            told.write(line + "\n")
        self.judged.write_text(self.seen)
        return line

    def try_newest(self, game, size):
        """Plays the match of the newest candidate and tells of it, if there is one that was not tried yet."""
        seed = self.fetch()
        if seed is None:
            return
        models = ["--first", str(self.tried), "--second", str(self.model)]
        played = subprocess.run(bound([program(), *match(game, size, seed), *models]), capture_output=True, text=True)
        if played.returncode != 0:
            raise SystemExit(f"gate: the match ended with status {played.returncode}: {played.stderr.strip()}")
        print(self.judge(played.stdout), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--game", required=True, help="the game's word")
    parser.add_argument("--size", type=int, required=True, help="lines of the board")
    parser.add_argument("--once", action="store_true", help="end after the newest candidate was tried")
    options = parser.parse_args()
    # A match that is being played is ended on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    gate = Gate(options.run)
    while True:
        gate.try_newest(options.game, options.size)
        if options.once:
            return
        time.sleep(5)


if __name__ == "__main__":
    main()
