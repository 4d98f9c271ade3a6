#!/usr/bin/env python3
"""OpenSpiel's Monte-Carlo tree search with playouts by chance, as a program that speaks GTP in the engine's notation.

    scripts/match.py loa --protocol gtp --time 0.3 -- scripts/openspiel.py loa --time 0.3

For amazons, breakthrough, loa and othello on their usual boards. Needs `pip install open_spiel`. A move of Amazons is three choices
there, and each of them gets a third of the time.
"""
import argparse
import re
import sys

import pyspiel

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
# The name there, rows, choices of a move, and whether rows are numbered from above where the engine numbers them from below.
GAMES = {
    "amazons": ("amazons", 10, 3, True),
    "breakthrough": ("breakthrough", 8, 1, True),
    "loa": ("lines_of_action", 8, 1, False),
    "othello": ("othello", 8, 1, True),
}


class Refused(Exception):
    """A command that cannot be carried out."""


class Session:
    def __init__(self, options):
        name, self.rows, self.parts, self.turned = GAMES[options.game]
        self.game = pyspiel.load_game(name)
        evaluator = pyspiel.RandomRolloutEvaluator(1, options.seed)
        self.bot = pyspiel.MCTSBot(self.game, evaluator, options.exploration, 2**31 - 1, options.memory, True, options.seed, False,
                                   max_wall_clock_time=options.time / self.parts)
        self.state = self.game.new_initial_state()

    def points(self, action):
        """The points of a choice, as the engine writes them: `A3`."""
        text = self.state.action_to_string(action)
        if self.parts > 1:
            row, column = map(int, re.search(r"\((\d+), (\d+)\)", text).groups())
            found = [(column - 1, row)]
        else:
            found = [(ord(column) - ord("a"), int(row)) for column, row in re.findall(r"([a-h])(\d)", text)]
        return [f"{COLUMNS[column]}{self.rows + 1 - row if self.turned else row}" for column, row in found]

    def play(self, move):
        wanted, reached = ([] if move == "PASS" else move.split("-")), self.state.clone()
        try:
            for _ in range(self.parts):
                action, points = next((action, points) for action in self.state.legal_actions()
                                      if (points := self.points(action)) == wanted[:len(points)] and bool(points) == bool(wanted))
                self.state.apply_action(action)
                wanted = wanted[len(points):]
        except StopIteration:
            self.state = reached
            raise Refused("illegal move") from None

    def genmove(self):
        move = []
        for _ in range(self.parts):
            if self.state.is_terminal():
                raise Refused("the game is over")
            action = self.bot.step(self.state)
            move += self.points(action)
            self.state.apply_action(action)
        return "-".join(move) or "PASS"

    def answer(self, command, *arguments):
        match command:
            case "protocol_version":
                return "2"
            case "name":
                return "OpenSpiel MCTS"
            case "version":
                return "1"
            case "clear_board":
                self.state = self.game.new_initial_state()
            case "play" if len(arguments) == 2:
                self.play(arguments[1].upper())
            case "genmove":
                return self.genmove()
            case "showboard":
                return f"\n{str(self.state).strip()}"
            case "quit":
                return ""
            case _:
                raise Refused("unknown command")
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--time", type=float, default=0.5, help="seconds for a move (0.5)")
    parser.add_argument("--exploration", type=float, default=1.4, help="constant of UCT, values from -1 to 1 (1.4)")
    parser.add_argument("--memory", type=int, default=1024, help="MiB for the tree (1024)")
    parser.add_argument("--seed", type=int, default=1)
    session = Session(parser.parse_args())
    for line in sys.stdin:
        if not (words := line.split()):
            continue
        try:
            print(f"= {session.answer(*words)}\n", flush=True)
        except Refused as fault:
            print(f"? {fault}\n", flush=True)
        if words[0] == "quit":
            break


if __name__ == "__main__":
    main()
