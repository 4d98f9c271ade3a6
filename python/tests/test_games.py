"""Games and states."""

import copy
import pickle
import random

import numpy as np
import pytest

import losange


def walk(game: losange.Game, seed: int, most: int = 200) -> losange.State:
    """The end of a random game."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal() and len(state.history()) < most:
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("word", losange.games())
def test_a_random_game(word: str) -> None:
    game = losange.Game(word)
    rng = random.Random(1)
    state = game.new_initial_state()
    assert state.size == game.size and state.game_name == game.name == word
    for _ in range(200):
        legal = state.legal_actions()
        assert state.is_terminal() == (not legal)
        if not legal:
            break
        assert legal == sorted(set(legal))
        mask = state.legal_actions_mask()
        assert mask.shape == (game.num_distinct_actions(),) and np.flatnonzero(mask).tolist() == legal
        planes = state.observation_tensor()
        assert list(planes.shape) == state.observation_tensor_shape() and planes.dtype == np.float32
        assert state.board().shape == state.size[::-1]
        action = rng.choice(legal)
        assert state.string_to_action(state.action_to_string(action)) == action
        child = state.child(action)
        assert child.history() == state.history() + [action] and child.key != state.key
        state = child
    if state.is_terminal():
        assert state.current_player() == losange.TERMINAL
        assert len(state.returns()) == game.num_players()
        assert game.num_players() == 1 or sum(state.returns()) == 0
        assert (state.winner() is None) == (game.num_players() == 1 or state.returns()[0] == 0)


@pytest.mark.parametrize("word", losange.games())
def test_symmetries_show_the_same_pieces(word: str) -> None:
    state = walk(losange.Game(word), 3, 20)
    sums = {tuple(np.sort(state.observation_tensor(n).sum(axis=(1, 2))).tolist()) for n in range(losange.Game(word).num_symmetries())}
    # Planes of directions change places.
    assert len(sums) == 1
    with pytest.raises(ValueError, match="symmetries"):
        state.observation_tensor(99)


@pytest.mark.parametrize("word", losange.games())
def test_copies_pickles_and_records(word: str) -> None:
    state = walk(losange.Game(word), 2, 40)
    for other in [copy.copy(state), copy.deepcopy(state), state.clone(), pickle.loads(pickle.dumps(state))]:
        assert (other.key, other.history()) == (state.key, state.history())
        other.undo()
        assert len(other.history()) == len(state.history()) - 1
    read = losange.State.from_sgf(state.to_sgf())
    assert (read.game_name, read.key, str(read)) == (word, state.key, str(state))
    with pytest.raises(TypeError, match="to_sgf"):
        pickle.dumps(read)


def test_rules_of_go() -> None:
    game = losange.Game("go", 5, rules="japanese", komi=0.5)
    state = game.new_initial_state()
    for move in ["C3", "pass", "pass"]:
        state.play(move)
    assert (state.winner(), state.score(), state.returns()) == (0, 23.5, [1.0, -1.0])
    assert pickle.loads(pickle.dumps(game)) == game != losange.Game("go", 5)
    assert hash(game) == hash(pickle.loads(pickle.dumps(game)))
    assert repr(game) == "losange.Game('go', (5, 5), rules='japanese', komi=0.5)"


def test_swap_of_hex() -> None:
    without, swapped = losange.Game("hex", 5).new_initial_state(), losange.Game("hex", 5, swap=True).new_initial_state()
    for state in without, swapped:
        state.play("b1")
    swap = swapped.string_to_action("swap-pieces")
    assert swap in swapped.legal_actions() and swap not in without.legal_actions()
    swapped.apply_action(swap)
    assert swapped.board()[1, 0] == -1 and swapped.current_player() == 0


def test_towers_and_rectangles() -> None:
    assert np.abs(losange.Game("avalam").new_initial_state().board()).sum() == 48
    state = losange.Game("hex", (4, 3)).new_initial_state()
    state.play("d1")
    assert state.size == (4, 3) and state.board().tolist() == [[0, 0, 0, 1], [0] * 4, [0] * 4]
    assert "X joins top and bottom" in str(state)


def test_input_that_does_not_fit() -> None:
    state = losange.Game("hex", 3).new_initial_state()
    state.play("b2")
    before = state.history()
    for wrong, why in [
        (lambda: losange.Game("chess"), "unknown game 'chess'; known are go, hex"),
        (lambda: losange.Game("hex", 99), "Hex is played on boards from"),
        (lambda: losange.Game("go", swap=True), "Go has no swap"),
        (lambda: losange.Game("go", rules="none"), "unknown rules 'none'"),
        (lambda: losange.Game("go", komi=float("nan")), "komi is a number of points"),
        (lambda: state.play("b2"), "illegal move b2"),
        (lambda: state.play("e5"), "'e5' is no move"),
        (lambda: state.apply_action(1000), "action 1000 is none of the 10 actions"),
        (lambda: state.undo(2), "not so many moves"),
        (lambda: losange.State.from_sgf("(;GM[99])"), "no game of this engine"),
    ]:
        with pytest.raises(ValueError, match=why):
            wrong()
    with pytest.raises(OverflowError):
        state.apply_action(-1)
    assert state.history() == before
    state = losange.Game("breakthrough").new_initial_state()
    off = [a for a in range(losange.Game("breakthrough").num_distinct_actions()) if a not in state.legal_actions()]
    for action in off:
        with pytest.raises(ValueError):
            state.apply_action(action)
