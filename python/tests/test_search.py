"""Searches."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import losange


@pytest.mark.parametrize("word", losange.games())
def test_each_game_is_searched(word: str) -> None:
    game = losange.Game(word)
    state = game.new_initial_state()
    report = losange.Search(game, model=None, memory=64).run(state, playouts=20)
    assert report.action in state.legal_actions() and report.move == state.action_to_string(report.action)
    assert report.player == 0 and 0 <= report.winrate <= 1 and report.visits > 0
    assert all(0 <= move.winrate <= 1 and move.pv[0] == move.action for move in report.moves)


def test_a_won_game_is_proven() -> None:
    game = losange.Game("hex", 3)
    state = game.new_initial_state()
    state.play("b2")
    report = losange.Search(game).run(state, seconds=10)
    assert report.winner == 0 and report.winrate == 0 and report.seconds < 5


def test_the_same_seed_finds_the_same() -> None:
    game = losange.Game("go", 9)
    state = game.new_initial_state()
    runs = [losange.Search(game, model=None, seed=seed).run(state, playouts=300) for seed in (5, 5, 6)]
    numbers = [[(move.action, move.visits) for move in run.moves] for run in runs]
    assert numbers[0] == numbers[1] != numbers[2]


def test_the_tree_goes_on_and_is_forgotten() -> None:
    game = losange.Game("go", 9)
    search = losange.Search(game, model=None)
    state = game.new_initial_state()
    state.apply_action(search.run(state, playouts=400).action)
    assert search.run(state, playouts=100).visits > 101
    search.clear()
    assert search.run(state, playouts=100).visits <= 101


def test_reports_come_on_the_way() -> None:
    game = losange.Game("go", 9)
    seen: list[losange.Report] = []
    last = losange.Search(game).run(
        game.new_initial_state(), seconds=1.0, ownership=True, on_report=seen.append, every=0.1
    )
    assert len(seen) >= 3 and seen[0].visits <= seen[-1].visits <= last.visits
    assert last.ownership is not None and last.ownership.shape == (9, 9) and (abs(last.ownership) <= 1).all()
    assert 0.9 <= last.seconds < 3


def test_an_error_of_the_listener_ends_the_search() -> None:
    game = losange.Game("go", 9)

    def listen(_report: losange.Report) -> None:
        raise KeyError("enough")

    start = time.monotonic()
    with pytest.raises(KeyError):
        losange.Search(game).run(game.new_initial_state(), seconds=30, on_report=listen)
    assert time.monotonic() - start < 10


def test_an_interrupt_ends_the_search() -> None:
    game = losange.Game("go", 9)
    # A shell that runs tests in the background has it ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    start = time.monotonic()
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            losange.Search(game).run(game.new_initial_state(), seconds=30)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 10


def test_searches_run_beside_each_other() -> None:
    game = losange.Game("hex", 5)
    search = losange.Search(game)
    found: list[losange.Report] = []

    def run() -> None:
        found.append(search.run(game.new_initial_state(), playouts=20))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4


def test_parameters() -> None:
    game = losange.Game("hex", 4)
    search = losange.Search("hex", model=None, search="mcts", uct_constant=0.5, graph_search=True)
    search.set("search", "ubfm")
    assert search.run(game.new_initial_state(), playouts=5).visits > 0
    for wrong, why in [
        (lambda: losange.Search("hex", nonsense=1), "unknown parameter 'nonsense'"),
        (lambda: search.set("search", "best"), "parameter 'search' wants"),
        (lambda: losange.Search("hex", threads=0), "threads are 1 to"),
        (lambda: losange.Search("hex", model="big"), 'not "big"'),
        (lambda: losange.Search("go", model=losange.Model.builtin("hex")), "the model is for Hex"),
        (lambda: search.run(losange.Game("go").new_initial_state(), playouts=1), "the state is of Go"),
        (lambda: search.run(game.new_initial_state(), seconds=-1), "seconds is a number from 0"),
        (lambda: search.run(game.new_initial_state(), seconds=float("nan")), "seconds is a number from 0"),
        (lambda: search.run(game.new_initial_state(), playouts=0), "1 or more"),
    ]:
        with pytest.raises(ValueError, match=why):
            wrong()
    with pytest.raises(TypeError, match="seconds, playouts or both"):
        search.run(game.new_initial_state())
    over = losange.Game("go", 5).new_initial_state()
    over.play("pass")
    over.play("pass")
    with pytest.raises(ValueError, match="the game is over"):
        losange.Search("go").run(over, playouts=1)
    assert np.isfinite(search.run(game.new_initial_state(), seconds=0).winrate)
