#!/usr/bin/env python3
"""Levels as a strong network sees them: what their moves lose, and how many are among its first ten.

    scripts/experiments/level-losses.py --model g170-b6c96.bin.gz --levels 1,10,20,30,39
    scripts/experiments/level-losses.py --game hex --size 11 --levels 1,10,20 --model models/hex.onnx

Each level plays against itself, with the model that is compiled in. Games that are over are kept in OUT and not played again. Then
the model values all positions (`losange analysis`). Printed are a table of the levels and the moves that lost most.
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from gtp import Program, Refused  # noqa: E402

KOMI = 7
# A move beyond these is none of a strong player's.
FIRST = 10


def play(options, level, number):
    """Moves of a game of a level against itself: pairs of colour and move."""
    fixed = [options.game, "--size", str(options.size), "--level", str(level), "--threads", "1", "--memory", "64"]
    engine = Program([options.losange, *fixed, "--seed", str(1000 * level + number), "--playouts", "100000"])
    if options.game == "go":
        engine.ask(f"komi {KOMI}")
    moves, passes = [], 0
    while len(moves) < 2 * options.size**2 and passes < 2:
        colour = "BW"[len(moves) % 2]
        try:
            move = engine.ask(f"genmove {colour}")
        except Refused:
            # Hex has ended.
            break
        if move.lower() == "resign":
            break
        # A swap would exchange the colours.
        if "swap" in move:
            sys.exit("level-losses: a swap was played")
        moves.append([colour, move])
        passes = passes + 1 if move.lower() == "pass" else 0
    engine.close()
    return moves


def games(options, level):
    """The games of a level, those that were played before among them."""
    file = options.out / f"{options.game}-{options.size}-level-{level}.jsonl"
    done = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    for number in range(len(done), options.games):
        done.append(play(options, level, number))
        with file.open("a") as out:
            out.write(json.dumps(done[-1]) + "\n")
    return done[: options.games]


def value(options, records):
    """What the model says of all positions of games, by game and turn."""
    command = [options.losange, "analysis", "--threads", str(options.threads)]
    command += ["--model", options.model] if options.model else []
    settings = {"reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0}
    queries = []
    for number, moves in enumerate(records):
        query = {"id": str(number), "moves": moves, "boardXSize": options.size, "boardYSize": options.size}
        query |= {"analyzeTurns": list(range(len(moves) + 1)), "maxVisits": options.visits, "includePolicy": True}
        query |= {"rules": "chinese", "komi": KOMI} if options.game == "go" else {"game": options.game}
        queries.append(json.dumps(query | {"overrideSettings": settings}))
    done = subprocess.run(command, input="\n".join(queries) + "\n", stdout=subprocess.PIPE, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        if "error" in answer:
            sys.exit(f"level-losses: {answer['error']}")
        if "rootInfo" in answer and not answer.get("isDuringSearch"):
            found[int(answer["id"]), answer["turnNumber"]] = answer
    return found


def place(options, move):
    """Place of a move in a policy."""
    if move.lower() == "pass":
        return options.size**2
    letters = "abcdefghjklmnopqrstuvwxyz" if options.game == "go" else "abcdefghijklmnopqrstuvwxyz"
    column, row = letters.index(move[0].lower()), int(move[1:])
    return (options.size - row if options.game == "go" else row - 1) * options.size + column


def judge(options, level, records):
    """All moves that have a value before and after them."""
    found, judged = value(options, records), []
    for number, moves in enumerate(records):
        for turn, (colour, move) in enumerate(moves):
            before, after = found.get((number, turn)), found.get((number, turn + 1))
            if not before or not after:
                continue
            sign = 1 if colour == "B" else -1
            change = {
                key: sign * (before["rootInfo"][key] - after["rootInfo"][key])
                for key in ("winrate", "scoreLead")
                if before["rootInfo"].get(key) is not None and after["rootInfo"].get(key) is not None
            }
            policy = before["policy"]
            rank = 1 + sum(share > policy[place(options, move)] for share in policy)
            best = before["moveInfos"][0]["move"] if before["moveInfos"] else "-"
            judged.append({"level": level, "game": number + 1, "turn": turn + 1, "colour": colour, "move": move, "rank": rank,
                           "best": best, "loss": change.get("winrate", 0.0), "points": change.get("scoreLead")})
    return judged


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="go", choices=["go", "hex"])
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--levels", default="1,5,9,13,17,21,25,29,33,37,39", help="levels, by their numbers")
    parser.add_argument("--games", type=int, default=10, help="games of each level")
    parser.add_argument("--model", help="values the moves; without one, the model that is compiled in")
    parser.add_argument("--visits", type=int, default=100, help="visits of each position")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--worst", type=int, default=5, help="moves of each level that are listed")
    parser.add_argument("--out", type=Path, default=Path("runs/levels"), help="where the games are kept")
    parser.add_argument("--losange", default=os.environ.get("LOSANGE", "target/release/losange"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    print("| level | moves | mean loss of win rate | mean loss in points | among the first ten | the first |")
    print("| --- | --- | --- | --- | --- | --- |")
    worst = []
    for level in map(int, options.levels.split(",")):
        judged = judge(options, level, games(options, level))
        count = max(len(judged), 1)
        points = [mv["points"] for mv in judged if mv["points"] is not None]
        mean = f"{sum(points) / len(points):.2f}" if points else "-"
        loss, first = sum(mv["loss"] for mv in judged) / count, sum(mv["rank"] == 1 for mv in judged) / count
        ten = sum(mv["rank"] <= FIRST for mv in judged) / count
        print(f"| {level} | {len(judged)} | {loss:.1%} | {mean} | {ten:.0%} | {first:.0%} |", flush=True)
        worst += sorted(judged, key=lambda mv: -mv["loss"])[: options.worst]
    print("\n| level | game | move | loss of win rate | in points | its place by the policy | the best |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for mv in worst:
        told = "-" if mv["points"] is None else f"{mv['points']:.1f}"
        print(f"| {mv['level']} | {mv['game']} | {mv['turn']} {mv['colour']} {mv['move']} | {mv['loss']:.1%} | {told} | {mv['rank']} | {mv['best']} |")


if __name__ == "__main__":
    main()
