"""The rules are those of the program: random games are played in both. LOSANGE names the program, LOSANGE_GAMES games each."""

import json
import os
import random
import subprocess
from typing import Any

import pytest

import losange

PROGRAM = os.environ.get("LOSANGE")
GAMES = int(os.environ.get("LOSANGE_GAMES", "3"))
SIZES = {"go": 9, "hex": 6, "amazons": 6, "gomoku": 9, "santorini": 4}


class Program:
    """A session of the program."""

    def __init__(self, word: str, lines: int | None) -> None:
        size = ["--size", str(lines)] if lines else []
        command = [str(PROGRAM), word, *size, "--no-model", "--threads", "1"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, lines: list[str]) -> list[str]:
        """Answers to all of them, sent at once."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()
        answers = []
        for line in lines:
            answer = self.process.stdout.readline().decode()
            while (more := self.process.stdout.readline().decode()).strip():
                answer += more
            assert answer.startswith("="), f"{line}: {answer}"
            answers.append(answer[1:].strip())
        return answers


def colour(state: losange.State) -> str:
    return "bw"[state.current_player()]


def told(state: losange.State) -> dict[str, Any]:
    names = [state.action_to_string(action) for action in state.legal_actions()]
    board = "".join("B" if n > 0 else "W" if n < 0 else "." for n in state.board().flatten())
    winner = {None: None, 0: "B", 1: "W"}[state.winner()]
    return {"legal": names, "board": board, "over": state.is_terminal(), "winner": winner, "score": state.score() or 0}


@pytest.mark.skipif(PROGRAM is None, reason="LOSANGE names no program")
@pytest.mark.parametrize("word", losange.games())
def test_random_games_are_the_same(word: str) -> None:
    rng = random.Random(7)
    # By Chinese rules the program names no winner before it has read which stones are dead.
    rules = "tromp-taylor" if word == "go" else "chinese"
    game = losange.Game(word, SIZES.get(word), rules=rules)
    program = Program(word, SIZES.get(word))
    if word == "go":
        program.ask([f"kata-set-rules {rules}"])
    for _ in range(GAMES):
        state = game.new_initial_state()
        commands, expected = ["clear_board", "losange-state"], [told(state)]
        while not state.is_terminal() and len(state.history()) < 150:
            side = "b" if game.num_players() == 1 else colour(state)
            action = rng.choice(state.legal_actions())
            commands += [f"play {side} {state.action_to_string(action)}", "losange-state"]
            state.apply_action(action)
            expected.append(told(state))
        for answer, mine in zip(program.ask(commands)[1::2], expected, strict=True):
            theirs = json.loads(answer)
            end = theirs["end"] or {"winner": None, "score": 0}
            assert theirs["legal"] == mine["legal"]
            assert theirs["board"].replace("?", ".") == mine["board"]
            assert (bool(theirs["end"]), end["winner"], end["score"]) == (mine["over"], mine["winner"], mine["score"])
    program.ask(["quit"])
    program.process.wait()


@pytest.mark.skipif(PROGRAM is None, reason="LOSANGE names no program")
def test_the_search_is_the_same() -> None:
    game = losange.Game("hex", 7)
    report = losange.Search(game, seed=3).run(game.new_initial_state(), playouts=40)
    commands = ["boardsize 7", "kata-search_analyze b rootInfo true"]
    options = ["--playouts", "40", "--threads", "1", "--seed", "3", "--memory", "256"]
    output = subprocess.run(
        [str(PROGRAM), "hex", *options], input="".join(c + "\n" for c in [*commands, "quit"]), capture_output=True, text=True, check=True
    ).stdout
    assert f"play {report.move}" in output
