#!/usr/bin/env python3
"""Plays a match of the engine against a program that speaks UCI, NBoard's protocol, Gomocup's or GTP.

    scripts/match.py breakthrough --protocol uci --time 0.5 --games 100 -- stockfish
    scripts/match.py othello --protocol nboard --depth 10 -- ./ntest x
    scripts/match.py gomoku --protocol gomocup --set threads=1 -- ./pbrain-rapfi
    scripts/match.py loa --protocol gtp --time 0.3 -- scripts/openspiel.py loa --time 0.3

Each opening of two moves by chance is played twice with exchanged colours. The engine is the referee too. A move that is not legal, a
crash and silence lose the game and are told; so that nobody has to trust the claim of equal time, both sides' times are printed. A line for
each game goes to standard error, the result with its 95 % interval (a draw counts half) to standard output.
The exit status is 1 where the opponent was at fault in a game.
"""
import argparse
import math
import os
import queue
import random
import re
import subprocess
import sys
import threading
import time

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
POINT = re.compile(r"([A-Z])(\d+)")
# Names of the variants in Fairy-Stockfish.
VARIANTS = {("breakthrough", "8"): "breakthrough", ("amazons", "10"): "amazons", ("clobber", "5x6"): "clobber",
            ("clobber", "10"): "clobber10"}
SIZES = {"breakthrough": "8", "amazons": "10", "clobber": "5x6", "othello": "8", "gomoku": "15", "loa": "8", "avalam": "9", "santorini": "5",
         "surakarta": "6"}
GAMES = {"uci": ["breakthrough", "amazons", "clobber"], "nboard": ["othello"], "gomocup": ["gomoku"], "gtp": list(SIZES)}


class Failed(Exception):
    """A program has died, is silent, or plays what it may not."""


class Refused(Failed):
    """The engine answers with an error."""


class Program:
    """A program that is talked to by lines."""

    def __init__(self, command, limit):
        self.name, self.limit, self.times = os.path.basename(command[0]), limit, []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode(errors="replace").rstrip("\r\n"))
        self.lines.put(None)

    def send(self, text):
        try:
            self.process.stdin.write(f"{text}\n".encode())
            self.process.stdin.flush()
        except OSError as error:
            raise Failed(f"{self.name} has gone before '{text.splitlines()[0]}'") from error

    def line(self):
        try:
            line = self.lines.get(timeout=self.limit)
        except queue.Empty:
            raise Failed(f"{self.name} is silent") from None
        if line is None:
            raise Failed(f"{self.name} has ended")
        return line

    def until(self, pattern):
        """The match in the first line that has one."""
        while True:
            if found := re.match(pattern, self.line()):
                return found

    def timed(self, act):
        begun = time.monotonic()
        answer = act()
        self.times.append(time.monotonic() - begun)
        return answer

    def close(self):
        self.process.kill()
        self.process.wait()


class Speaker(Program):
    """A program that speaks GTP."""

    def ask(self, command):
        self.send(command)
        first = self.line()
        while line := self.line():
            first += f"\n{line}"
        if not first.startswith("="):
            raise Refused(f"{self.name}: '{command}' -> {first}")
        return first[1:].strip()


class Engine(Speaker):
    """Losange itself."""

    def result(self):
        """The first player's points, once the game is over."""
        try:
            text = self.ask("final_score")
        except Refused:
            return None
        return {"B": 1, "W": 0}.get(text[:1], 0.5)


def points(move):
    """Columns and rows from 0, the row from below."""
    return [(COLUMNS.index(column), int(row) - 1) for column, row in POINT.findall(move)]


def named(column, row):
    if not 0 <= column < len(COLUMNS):
        raise Failed(f"there is no column {column + 1}")
    return f"{COLUMNS[column]}{row + 1}"


class Uci(Program):
    def __init__(self, options, command):
        super().__init__(command, options.limit)
        self.options = options
        self.send("uci")
        self.until("uciok")
        for setting in [f"UCI_Variant={VARIANTS[options.game, options.size]}", *options.set]:
            name, _, value = setting.partition("=")
            self.send(f"setoption name {name} value {value}")
        self.ready()

    def ready(self):
        self.send("isready")
        self.until("readyok")

    def begin(self):
        self.send("ucinewgame")
        self.ready()

    def write(self, move):
        text = [f"{chr(ord('a') + column)}{row + 1}" for column, row in points(move)]
        return "".join(text[:2]) + "".join(f",{text[1]}{arrow}" for arrow in text[2:])

    def genmove(self, moves):
        self.send(" ".join(["position startpos", *(["moves"] if moves else []), *map(self.write, moves)]))
        self.send(f"go depth {self.options.depth}" if self.options.depth else f"go movetime {round(1000 * self.options.time)}")
        move = self.until(r"bestmove (\S+)")[1]
        text = [named(ord(column) - ord("a"), int(row) - 1) for column, row in re.findall(r"([a-z])(\d+)", move)]
        # Where an arrow begins is written again.
        return "-".join(text[:2] + text[3:])


class NBoard(Program):
    START = "8 --------\n--------\n--------\n---O*---\n---*O---\n--------\n--------\n-------- *".replace("\n", " ")

    def __init__(self, options, command):
        super().__init__(command, options.limit)
        self.send("nboard 2")
        if options.depth:
            self.send(f"set depth {options.depth}")

    def begin(self):
        pass

    def turned(self, move):
        """The same point by rows from above, or from below again."""
        return "PASS" if move == "PASS" else f"{move[0]}{9 - int(move[1])}"

    def genmove(self, moves):
        told = "".join(f"{'BW'[ply % 2]}[{'PA' if move == 'PASS' else self.turned(move)}]" for ply, move in enumerate(moves))
        self.send(f"set game (;GM[Othello]PC[match]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[{self.START}]{told};)")
        self.send("go")
        move = self.until(r"=== *([A-Ha-h][1-8]|PA)")[1].upper()
        return "PASS" if move == "PA" else self.turned(move)


class Gomocup(Program):
    def __init__(self, options, command):
        super().__init__(command, options.limit)
        self.options, self.rows = options, int(options.size)

    def begin(self):
        self.send(f"START {self.rows}")
        self.until("OK")
        for setting in ["rule=0", f"timeout_turn={round(1000 * self.options.time)}", "timeout_match=0", *self.options.set]:
            self.send("INFO {} {}".format(*setting.split("=", 1)))

    def genmove(self, moves):
        mine = len(moves) % 2
        if moves:
            cells = [(column, self.rows - 1 - row, 1 if ply % 2 == mine else 2) for ply, move in enumerate(moves) for column, row in points(move)]
            self.send("\n".join(["BOARD", *("{},{},{}".format(*cell) for cell in cells), "DONE"]))
        else:
            self.send("BEGIN")
        column, row = self.until(r"(\d+),(\d+)").groups()
        return named(int(column), self.rows - 1 - int(row))


class Gtp(Speaker):
    """An opponent that writes moves as the engine does, and was told its time by its own options."""

    def __init__(self, options, command):
        super().__init__(command, options.limit)
        self.known = 0

    def begin(self):
        self.ask("clear_board")
        self.known = 0

    def genmove(self, moves):
        try:
            for ply, move in list(enumerate(moves))[self.known:]:
                self.ask(f"play {'bw'[ply % 2]} {move}")
            self.known = len(moves) + 1
            return self.ask(f"genmove {'bw'[len(moves) % 2]}").upper()
        except Refused as fault:
            raise Failed(str(fault)) from fault


def opening(engine, rng):
    engine.ask("clear_board")
    moves = []
    for colour in "bw":
        moves.append(rng.choice(engine.ask("all_legal_moves").split()))
        engine.ask(f"play {colour} {moves[-1]}")
    return moves


def play(engine, opponent, begun, first):
    """The engine's points of one game, as the first player or the second, and how it ended."""
    opponent.begin()
    engine.ask("clear_board")
    moves = []
    for move in begun:
        engine.ask(f"play {'bw'[len(moves) % 2]} {move}")
        moves.append(move)
    while (result := engine.result()) is None:
        colour = "bw"[len(moves) % 2]
        if (colour == "b") == first:
            move = engine.timed(lambda: engine.ask(f"genmove {colour}")).upper()
            if move == "RESIGN":
                return 0, moves, "resigned"
        else:
            try:
                move = opponent.timed(lambda: opponent.genmove(moves))
            except Failed as fault:
                return 1, moves, str(fault)
            if move.upper() == "RESIGN":
                return 1, moves, "resigned"
            try:
                engine.ask(f"play {colour} {move}")
            except Refused as fault:
                return 1, moves, str(fault)
        moves.append(move)
    return result if first else 1 - result, moves, "over"


def wilson(share, games, z=1.96):
    centre, width = share + z * z / (2 * games), z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return [(centre + sign * width) / (1 + z * z / games) for sign in (-1, 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=SIZES)
    parser.add_argument("--protocol", required=True, choices=GAMES)
    parser.add_argument("--size", help="board, such as 8 or 5x6; the usual one")
    parser.add_argument("--time", type=float, default=0.5, help="seconds for a move of each side (0.5)")
    parser.add_argument("--depth", type=int, help="the opponent searches so deep, in the place of its time")
    parser.add_argument("--games", type=int, default=100, help="an even number (100)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="option of the opponent: setoption of UCI, INFO of Gomocup")
    parser.add_argument("--limit", type=float, default=60, help="seconds after which a silent program has lost (60)")
    parser.add_argument("--losange", default=os.environ.get("LOSANGE", "target/release/losange"), help="the engine")
    parser.add_argument("--options", default="", help="further options of the engine, such as '--no-model --threads 2'")
    parser.add_argument("opponent", nargs="+", help="its command line, after --")
    options = parser.parse_args()
    options.size = options.size or SIZES[options.game]
    if options.game not in GAMES[options.protocol]:
        parser.error(f"{options.protocol} is for {', '.join(GAMES[options.protocol])}")
    if options.protocol == "uci" and (options.game, options.size) not in VARIANTS:
        parser.error(f"UCI has no {options.game} on {options.size}")
    if options.protocol == "nboard" and not options.depth:
        parser.error("NBoard's protocol knows no time for a move: say --depth")
    if options.games < 2 or options.games % 2:
        parser.error("openings are played twice: --games wants an even number")
    further = options.options.split()
    # An option may be given once only.
    threads = [] if "--threads" in further else ["--threads", "1"]
    command = [options.losange, options.game, "--size", options.size, *threads, "--time", str(options.time), *further]
    engine = Engine(command, options.limit)
    meet = {"uci": Uci, "nboard": NBoard, "gomocup": Gomocup, "gtp": Gtp}[options.protocol]
    opponent, rng, score, faults = None, random.Random(options.seed), [], 0
    times = []
    for number in range(options.games):
        if opponent is None:
            opponent = meet(options, options.opponent)
        if number % 2 == 0:
            begun = opening(engine, rng)
        won, moves, how = play(engine, opponent, begun, number % 2 == 0)
        score.append(won)
        print(f"{number + 1}: {won} {how}, {' '.join(moves)}", file=sys.stderr, flush=True)
        if how not in ("over", "resigned"):
            faults += 1
            times += opponent.times
            opponent.close()
            opponent = None
    share = sum(score) / len(score)
    low, high = wilson(share, len(score))
    print(f"{score.count(1)} won, {score.count(0.5)} drawn, {score.count(0)} lost of {len(score)}: "
          f"{100 * share:.0f} % ({100 * low:.0f} to {100 * high:.0f} %); faults of the opponent: {faults}")
    times += opponent.times if opponent else []
    for name, taken in (("losange", engine.times), ("opponent", times)):
        if taken:
            print(f"{name}: {sum(taken) / len(taken):.2f} s a move, at most {max(taken):.2f}")
    sys.exit(faults > 0)


if __name__ == "__main__":
    try:
        main()
    except (Failed, OSError) as fault:
        sys.exit(f"match: {fault}")
