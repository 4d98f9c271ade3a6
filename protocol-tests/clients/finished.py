#!/usr/bin/env python3
"""Finished games and GNU Go's judgement of them: Losange's `final_score` must be the same, by area and by territory.

    finished.py                  checks the games beside this file; any difference fails
    finished.py make FILE        writes games and GNU Go's judgement, a JSON object a line (--sizes, --games, --seed)
    finished.py check FILE...    compares, shows every difference and how long each answer took

Games are played by GNU Go at low levels and by Losange with few playouts, against themselves. In most of them one side is careless for a
while, so that many stones are dead. GNU Go plays each to its end, with neutral points filled, and judges it at level 10.

Games for which its two scores contradict each other are left out: one side gains as many points by area over territory as it has played
stones more than the other. So are games with seki, whose eyes it counts for nobody by area too.
"""
import argparse
import json
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from gtp import Program  # noqa: E402

GNUGO = shutil.which("gnugo") or "/usr/games/gnugo"
HANG = 300
STORED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "finished.jsonl")
# An answer may cost this many times the processor time of a move on 19x19 with so many playouts in the same build on the same machine.
LONGEST = 3
PLAYOUTS = 4000
KOMI = 6.5
RULES = {"area": "chinese", "territory": "japanese"}


class Engine(Program):
    def __init__(self, *command):
        super().__init__(command, HANG)

    def begin(self, size, moves=()):
        plays = [f"play {'bw'[number % 2]} {move}" for number, move in enumerate(moves)]
        self.ask_all([f"boardsize {size}", "clear_board", f"komi {KOMI}", *plays])

    def processor_time(self):
        """Seconds of processor time that the process has used."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def yardstick():
    """Seconds of processor time of a first move on 19x19 with PLAYOUTS playouts."""
    losange = Engine(os.environ["LOSANGE"], "go", "--threads", "1", "--seed", "1", "--no-model", "--playouts", str(PLAYOUTS))
    losange.begin(19)
    before = losange.processor_time()
    losange.ask("genmove b")
    seconds = losange.processor_time() - before
    losange.close()
    return seconds


def gnugo(rules, level, seed=1):
    return Engine(GNUGO, "--mode", "gtp", f"--{rules}-rules", "--level", str(level), "--seed", str(seed))


def play(player, size, draw):
    """A game that ends by two passes, or None. One side may be careless for a while: so many of its moves are drawn from all legal ones."""
    player.begin(size)
    careless = draw.choice([None, "b", "w"])
    share, while_careless = draw.choice([0.1, 0.25, 0.5, 0.8]), draw.uniform(0.3, 0.8) * size * size
    moves = []
    while moves[-2:] != ["pass", "pass"] and "resign" not in moves and len(moves) < 3 * size * size:
        colour = "bw"[len(moves) % 2]
        if careless and len(moves) < while_careless:
            move = None
            if colour == careless and draw.random() < share:
                tried = f"{draw.choice('abcdefghjklmnopqrst'[:size])}{draw.randint(1, size)}"
                move = tried if player.accepts(f"play {colour} {tried}") else None
            moves.append((move or player.ask(f"genmove {colour}")).lower())
        else:
            # Several at once, since waiting takes longer than thinking; those after the end are of no account.
            turns = ["bw"[(len(moves) + turn) % 2] for turn in range(20)]
            for move in player.ask_all([f"genmove {turn}" for turn in turns]):
                if moves[-2:] != ["pass", "pass"]:
                    moves.append(move.lower())
    return moves if moves[-2:] == ["pass", "pass"] and "resign" not in moves else None


def finish(player, size, moves):
    """The game played on from before its passes by GNU Go, so that nothing is left to play for, not even a neutral point."""
    moves = moves[:-2]
    player.begin(size, moves)
    while moves[-2:] != ["pass", "pass"] and "resign" not in moves and len(moves) < 4 * size * size:
        moves.append(player.ask(f"genmove {'bw'[len(moves) % 2]}").lower())
    return moves if moves[-2:] == ["pass", "pass"] else None


def judged(referees, size, moves):
    """The game with GNU Go's scores and dead stones; None where its scores cannot both be true, or by seki cannot be compared."""
    game = {"size": size, "moves": moves, "score": {}, "dead": {}}
    seki = False
    for rules, referee in referees.items():
        referee.begin(size, moves)
        score, dead, alive_together = referee.ask_all(["final_score", "final_status_list dead", "final_status_list seki"])
        game["score"][rules], game["dead"][rules] = score, sorted(dead.lower().split())
        seki = seki or bool(alive_together)
    return game if not seki and agrees_with_itself(game) else None


def points(score):
    """What Black has more, of a score such as W+3.5."""
    return float(score[2:]) * (-1 if score[0] == "W" else 1)


def agrees_with_itself(game):
    """Whether GNU Go's two scores can both be true."""
    played = [sum(move != "pass" for move in game["moves"][side::2]) for side in range(2)]
    area, territory = (points(game["score"][rules]) for rules in RULES.values())
    return area - territory == played[0] - played[1]


def make(sizes, games, seed):
    """Yields games with GNU Go's scores and dead stones."""
    made, left_out = 0, 0
    players = [gnugo(rules, level, seed) for rules in RULES.values() for level in [0, 2]]
    for playouts in [8, 60]:
        ours = [os.environ["LOSANGE"], "go", "--no-model", "--threads", "1", "--seed", str(seed), "--resign", "0"]
        players += [Engine(*ours, "--rules", rules, "--playouts", str(playouts)) for rules in RULES.values()]
    finisher = gnugo("chinese", 2, seed)
    referees = {rules: gnugo(rules, 10) for rules in RULES.values()}
    for size in sizes:
        for number in range(games):
            draw = random.Random(f"{seed} {size} {number}")
            moves = play(draw.choice(players), size, draw)
            moves = finish(finisher, size, moves) if moves else None
            if moves:
                game = judged(referees, size, moves)
                made, left_out = made + 1, left_out + (not game)
                if game:
                    yield game
    print(f"finished: {left_out} of {made} games were left out", file=sys.stderr)
    for engine in [*players, finisher, *referees.values()]:
        engine.close()


def check(games, losange):
    """Compares; returns the numbers of comparisons and of differences, and the seconds of each answer by size."""
    compared, differ, seconds = 0, 0, {}
    for number, game in enumerate(games):
        losange.begin(game["size"], game["moves"])
        for rules in RULES.values():
            losange.ask(f"kata-set-rules {rules}")
            before = losange.processor_time()
            ours = losange.ask("final_score")
            seconds.setdefault(game["size"], []).append(losange.processor_time() - before)
            dead = sorted(losange.ask("final_status_list dead").lower().split())
            compared += 1
            if ours != game["score"][rules]:
                differ += 1
                theirs = game["dead"][rules]
                print(f"game {number}, {game['size']}x{game['size']}, {rules}: GNU Go {game['score'][rules]}, Losange {ours}")
                print("  dead to GNU Go alone:", *sorted(set(theirs) - set(dead)))
                print("  dead to Losange alone:", *sorted(set(dead) - set(theirs)))
                print("\n".join("  " + line for line in losange.ask("showboard").splitlines()))
    return compared, differ, seconds


def report(compared, differ, seconds):
    print(f"finished: {compared - differ} of {compared} scores are GNU Go's")
    for size, times in sorted(seconds.items()):
        print(f"finished: {size}x{size}: {sum(times) / len(times):.2f} s on average, {max(times):.2f} s at most")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["test", "make", "check"], default="test")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--sizes", default="5,7,9,13,19")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what == "make":
        sizes = [int(size) for size in options.sizes.split(",")]
        with open(options.files[0], "w") as file:
            for game in make(sizes, options.games, options.seed):
                print(json.dumps(game), file=file, flush=True)
        return 0
    losange = Engine(os.environ["LOSANGE"], "go", "--threads", "1", "--seed", "1")
    files = options.files if options.what == "check" else [STORED]
    before = yardstick()
    compared, differ, seconds = check([json.loads(line) for name in files for line in open(name)], losange)
    losange.close()
    report(compared, differ, seconds)
    longest, bound = max(time for times in seconds.values() for time in times), LONGEST * max(before, yardstick())
    print(f"finished: {longest:.2f} s at most, of {bound:.2f} s: {LONGEST} first moves of {PLAYOUTS} playouts on 19x19")
    if options.what != "test":
        return 0
    if longest > bound:
        print("finished: an answer takes too long", file=sys.stderr)
    if differ > 0:
        print("finished: scores are not GNU Go's", file=sys.stderr)
    return int(differ > 0 or longest > bound)


if __name__ == "__main__":
    sys.exit(main())
