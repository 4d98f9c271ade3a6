#!/usr/bin/env python3
"""Makes positions in which a ladder decides, proves what is right in each by slow reading, and lets a program answer.

    scripts/ladders.py                      writes protocol-tests/ladders/*.tst
    scripts/ladders.py --check              reads every position there again, and fails where one asks for something else
    scripts/ladders.py --run 'losange go --no-model --threads 1 --time 1'     counts what a program answers

Four files, each for one question:

| file | to move | right is |
| --- | --- | --- |
| catch | the chaser of a chain with two liberties, whose ladder works | a move after which the chain is caught |
| net | the chaser, whose ladder is broken; a net catches the chain | no atari that lets it get away |
| run | the runner, in atari, whose ladder is broken | a move that saves the chain |
| leave | the runner, in atari, whose ladder works | any move but running |

The reader is a plain one of its own: boards are dictionaries, liberties are counted anew each time, and the chaser may play nothing
but ataris. The runner may run or take any chaser's chain in atari that touches its chain. Standard library only.
"""
import argparse
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path

from gtp import Program

DIRECTORY = Path(__file__).resolve().parent.parent / "protocol-tests" / "ladders"
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SIDES = ((0, -1), (-1, 0), (1, 0), (0, 1))
SEED = 20
# Positions by question: the boards they are on, and how many.
WANTED = {
    "catch": [(9, 3), (13, 4), (19, 8)],
    "net": [(9, 2), (13, 3), (19, 3)],
    "run": [(9, 3), (13, 3), (19, 6)],
    "leave": [(9, 3), (13, 4), (19, 8)],
}
# Stones of both sides in a ladder from its first atari to its end.
SHORTEST, LONGEST = 5, 60
# No reading of these positions goes deeper.
DEEPEST = 200
ROOM = (
    "boardsize {size}",
    "clear_board",
    "komi {komi}",
)
# Points beside two for each stone that a side is given for a chain that it has lost, so that the game is still open.
GIVEN = 10


class Board:
    """Stones of a square board by point, without a memory of the past."""

    def __init__(self, size, stones=None):
        self.size = size
        self.stones = dict(stones or {})

    def copy(self):
        return Board(self.size, self.stones)

    def beside(self, point):
        x, y = point
        near = ((x + dx, y + dy) for dx, dy in SIDES)
        return [(a, b) for a, b in near if 0 <= a < self.size and 0 <= b < self.size]

    def chain(self, point):
        """Stones and liberties of the chain at a point."""
        colour, stones, liberties, front = self.stones[point], {point}, set(), [point]
        while front:
            for near in self.beside(front.pop()):
                if near not in self.stones:
                    liberties.add(near)
                elif self.stones[near] == colour and near not in stones:
                    stones.add(near)
                    front.append(near)
        return stones, liberties

    def play(self, point, colour):
        """Number of stones taken, or None where the move is not legal. Kos are left to the caller."""
        if point in self.stones:
            return None
        self.stones[point] = colour
        taken = 0
        for near in self.beside(point):
            if self.stones.get(near, colour) != colour:
                stones, liberties = self.chain(near)
                if not liberties:
                    taken += len(stones)
                    for stone in stones:
                        del self.stones[stone]
        if not self.chain(point)[1]:
            del self.stones[point]
            return None
        return taken

    def after(self, point, colour):
        """The board after a move, or None."""
        board = self.copy()
        return None if board.play(point, colour) is None else board


def other(colour):
    return "w" if colour == "b" else "b"


def is_caught(board, stone, depth=0):
    """Whether the chaser, to move, catches the chain by one atari after the other."""
    if stone not in board.stones or depth > DEEPEST:
        return stone not in board.stones
    runner = board.stones[stone]
    liberties = board.chain(stone)[1]
    if len(liberties) != 2:
        return len(liberties) < 2
    for liberty in sorted(liberties):
        chased = board.after(liberty, other(runner))
        if chased and not saves(chased, stone, depth + 1):
            return True
    return False


def saves(board, stone, depth=0):
    """The moves by which the runner, to move in atari, gets away: the first found."""
    runner = board.stones[stone]
    stones, liberties = board.chain(stone)
    if len(liberties) > 1:
        return sorted(liberties)[:1]
    for move in replies(board, stones, liberties, runner):
        run = board.after(move, runner)
        if run and not is_caught(run, stone, depth + 1):
            return [move]
    return []


def replies(board, stones, liberties, runner):
    """Moves that run, or take a chaser's chain beside the runner's."""
    found = set(liberties)
    for stone in stones:
        for near in board.beside(stone):
            if board.stones.get(near, runner) != runner:
                around = board.chain(near)[1]
                if len(around) == 1:
                    found |= around
    return sorted(found)


def catches(board, stone, move, everywhere):
    """Whether the chaser's move catches the chain whatever the runner does next, anywhere or near the chain."""
    runner = board.stones[stone]
    after = board.after(move, other(runner))
    if after is None:
        return False
    if stone not in after.stones:
        return True
    stones, liberties = after.chain(stone)
    if len(liberties) == 1:
        return not saves(after, stone)
    tried = set(replies(after, stones, liberties, runner)) | liberties
    wide = (p for p in points(board.size) if p not in after.stones)
    near = set().union(*(after.beside(liberty) for liberty in liberties))
    for reply in [*sorted(tried), *(wide if everywhere else sorted(near))]:
        answered = after.after(reply, runner)
        if answered and not is_caught(answered, stone):
            return False
    return True


def points(size):
    return [(x, y) for y in range(size) for x in range(size)]


def line(board, stone):
    """Moves of a ladder from a chain of two liberties on, as long as the chaser has an atari that works or is the likeliest to."""
    board, moves, runner = board.copy(), [], board.stones[stone]
    while stone in board.stones and len(moves) < DEEPEST:
        liberties = sorted(board.chain(stone)[1])
        if len(liberties) != 2:
            break
        # The atari after which the runner has fewer liberties.
        def left(liberty):
            chased = board.after(liberty, other(runner))
            exits = chased and sorted(chased.chain(stone)[1])
            run = exits and chased.after(exits[0], runner)
            return (len(run.chain(stone)[1]) if run else 0) if chased else 9
        works = [p for p in liberties if (chased := board.after(p, other(runner))) and not saves(chased, stone)]
        atari = works[0] if works else min(liberties, key=left)
        if left(atari) > 2:
            break
        moves.append(atari)
        board.play(atari, other(runner))
        exits = sorted(board.chain(stone)[1])
        if len(exits) != 1 or board.play(exits[0], runner) is None:
            break
        moves.append(exits[0])
        if len(board.chain(stone)[1]) < 2:
            break
    return moves


def begin(chance, size, reach, both):
    """A board with a crosscut from which a ladder runs, or one to `both` sides, a stone of the runner, and the runner's colour."""
    runner = chance.choice("bw")
    x, y = chance.randint(1, reach), chance.randint(1, reach)
    turn = chance.randrange(8)

    def turned(a, b):
        a, b = (size - 1 - a if turn & 1 else a), (size - 1 - b if turn & 2 else b)
        return (b, a) if turn & 4 else (a, b)

    # The chaser above and to the left, and one stone that says which way the ladder leans.
    shape = {(x, y): runner, (x - 1, y): other(runner), (x, y - 1): other(runner), (x + 1, y - 1): other(runner)}
    if both:
        shape[x - 1, y + 1] = other(runner)
    # A stone of the runner that the chaser's cut off.
    if x > 1 and y > 1 and chance.random() < 0.7:
        shape[x - 1, y - 1] = runner
    return Board(size, {turned(*point): colour for point, colour in shape.items()}), turned(x, y), runner


def scatter(chance, board, stone, stones):
    """Adds so many stones of both sides, none beside another, first of all one in each free corner of a large board; a list of them in
    order."""
    order, colour = [], board.stones[stone]
    low, high = (2, board.size - 3) if board.size > 9 else (1, board.size - 2)
    corners = [(x, y) for x in (3, board.size - 4) for y in (3, board.size - 4)] if board.size > 9 else []
    for number in range(len(corners) + stones):
        for _ in range(200):
            point = corners[number] if number < len(corners) else (chance.randint(low, high), chance.randint(low, high))
            x, y = point
            if all((x + dx, y + dy) not in board.stones for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
                board.stones[point] = colour
                order.append((colour, point))
                colour = other(colour)
                break
    return order


def propose(chance, question, size):
    """A position: its moves, the side to move and a stone of the chain; or None where chance brought nothing of use."""
    board, stone, runner = begin(chance, size, chance.choice([2, 3, 4, size // 2]), question == "net")
    first = [(colour, point) for point, colour in board.stones.items()]
    chance.shuffle(first)
    order = first + scatter(chance, board, stone, chance.choice([2, 4, 6, 8]) * size // 19)
    moves = line(board, stone)
    if not SHORTEST <= len(moves) <= LONGEST:
        return None
    # So many moves of it have been played: enough that the chain is worth saving, but where that is not the question.
    played = {"catch": 4, "run": 5, "leave": 1, "net": 0}[question]
    most = min(len(moves) - 3, 16)
    if question != "net" and chance.random() < 0.6 and most > played + 2:
        played = chance.randrange(played + 2, most, 2)
    if played > len(moves) - 3:
        return None
    to_move = other(runner)
    for move in moves[:played]:
        if board.play(move, to_move) is None:
            return None
        order.append((to_move, move))
        to_move = other(to_move)
    if stone not in board.stones or any(not board.chain(p)[1] for p in board.stones):
        return None
    return board, order, to_move, stone, len(moves)


def expectation(question, board, to_move, stone):
    """The pattern of a right answer, or None where the position does not ask the question."""
    stones, liberties = board.chain(stone)
    runner = board.stones[stone]
    chosen = None
    if question in ("catch", "net") and to_move != runner and len(liberties) == 2:
        ataris = [p for p in sorted(liberties) if catches(board, stone, p, False)]
        near = set().union(*(board.beside(p) for p in liberties)) | {q for p in liberties for q in board.beside(p)}
        near |= {q for p in near for q in board.beside(p)}
        others = [p for p in sorted(near) if p not in board.stones and p not in liberties]
        if (question == "catch") != bool(ataris):
            return None
        nets = (p for p in others if catches(board, stone, p, False) and catches(board, stone, p, True))
        if question == "catch":
            chosen = True, ataris + list(nets)
        elif next(nets, None):
            chosen = False, sorted(liberties)
    elif question in ("run", "leave") and to_move == runner and len(liberties) == 1:
        exits = sorted(liberties)
        saving = []
        for move in replies(board, stones, liberties, runner):
            run = board.after(move, runner)
            if run and not is_caught(run, stone):
                saving.append(move)
        if question == "run" and saving:
            chosen = True, saving
        elif question == "leave" and not saving:
            chosen = False, exits
    if chosen is None:
        return None
    wanted, moves = chosen
    names = "|".join(name(point) for point in moves)
    return f"[{names}]" if wanted else f"[!{names}]"


def name(point):
    x, y = point
    return f"{LETTERS[x]}{y + 1}"


def place(text):
    return LETTERS.index(text[0].upper()), int(text[1:]) - 1


def write(folder, seed, more):
    folder.mkdir(exist_ok=True)
    for question, boards in WANTED.items():
        lines = [f"# Made by scripts/ladders.py: {question}. What is right was read to its end."]
        number = 0
        for size, count in boards:
            lengths = set()
            made = 0
            chance = random.Random(f"{seed} {question} {size}")
            while made < count * more:
                found = propose(chance, question, size)
                if not found:
                    continue
                board, order, to_move, stone, length = found
                # Of each length a few at most, so that all are there; long ones on the largest board.
                kind = length // 6
                if kind in lengths and made + len(lengths) < count * more + 2 and chance.random() < 0.9:
                    continue
                expected = expectation(question, board, to_move, stone)
                if expected is None:
                    continue
                lengths.add(kind)
                made += 1
                number += 1
                given = 2 * len(board.chain(stone)[0]) + GIVEN if question == "leave" else 0
                komi = 7.5 + (given if to_move == "w" else -given)
                lines += ["", f"# {length} stones, chain at {name(stone)}"]
                lines += [text.format(size=size, komi=komi) for text in ROOM]
                lines.append("gogui-play_sequence " + " ".join(f"{colour} {name(point)}" for colour, point in order))
                lines += [f"{number} genmove {to_move}", f"#? {expected}"]
        (folder / f"{question}.tst").write_text("\n".join(lines) + "\n")
        print(f"{question}: {number}", flush=True)


def cases(path):
    """The positions of a file: size, moves, side to move, chain, expectation, lines to send, length."""
    chain, size, order, lines, length = None, 0, [], [], 0
    for text in path.read_text().splitlines():
        if found := re.match(r"# (\d+) stones, chain at (\w+)", text):
            length, chain, lines = int(found[1]), place(found[2]), []
        elif text.startswith("#? "):
            yield size, order, lines[-1].split()[-1], chain, text[3:], lines, length
        elif text and not text.startswith("#"):
            lines.append(re.sub(r"^\d+ ", "", text))
            words = text.split()
            if words[0] == "boardsize":
                size = int(words[1])
            elif words[0] == "gogui-play_sequence":
                order = [(words[i], place(words[i + 1])) for i in range(1, len(words), 2)]


def check(folder):
    wrong = []
    for path in sorted(folder.glob("*.tst")):
        for size, order, to_move, chain, expected, _, _ in cases(path):
            board = Board(size)
            legal = all(board.play(point, colour) is not None for colour, point in order)
            if not legal or expectation(path.stem, board, to_move, chain) != expected:
                wrong.append(f"{path.name}: {to_move} at {name(chain)}, {expected}")
    print("\n".join(wrong) or "as read")
    return 1 if wrong else 0


def run(command, folder, only, verbose):
    program = Program(shlex.split(command), stderr=subprocess.DEVNULL)
    right = asked = 0
    for path in sorted(folder.glob("*.tst")):
        results = {}
        for size, _, _, chain, expected, lines, length in cases(path):
            if only and only not in (path.stem, str(size)):
                continue
            for text in lines[:-1]:
                program.ask(text)
            answer = program.ask(lines[-1])
            pattern = expected.strip("[]")
            good = (re.fullmatch(pattern.lstrip("!"), answer) is None) == pattern.startswith("!")
            results.setdefault(size, []).append(good)
            if verbose and not good:
                print(f"  {path.stem} {size}: {answer}, expected {expected}, {length} stones, chain at {name(chain)}")
        for size, of in results.items():
            print(f"{path.stem} {size}×{size}: {sum(of)} of {len(of)}", flush=True)
            right, asked = right + sum(of), asked + len(of)
    program.close()
    print(f"{right} of {asked}")
    return 0 if right >= 0.95 * asked else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="read the positions again")
    parser.add_argument("--seed", type=int, default=SEED, help="make other positions")
    parser.add_argument("--more", type=int, default=1, help="make so many times as many")
    parser.add_argument("--folder", type=Path, default=DIRECTORY, help="where the files are")
    parser.add_argument("--run", metavar="COMMAND")
    parser.add_argument("--only", metavar="QUESTION", help="with --run: that question, or boards of that size, alone")
    parser.add_argument("--verbose", action="store_true", help="with --run: show what is wrong")
    arguments = parser.parse_args()
    if arguments.check:
        return check(arguments.folder)
    if arguments.run:
        return run(arguments.run, arguments.folder, arguments.only, arguments.verbose)
    write(arguments.folder, arguments.seed, arguments.more)
    return 0


if __name__ == "__main__":
    sys.exit(main())
