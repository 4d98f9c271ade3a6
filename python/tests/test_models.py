"""Models."""

import random
import threading
from pathlib import Path

import numpy as np
import pytest

import losange

MODELS = Path(__file__).parents[2] / "models"


def states(game: losange.Game, count: int) -> list[losange.State]:
    rng = random.Random(1)
    found = [game.new_initial_state()]
    while len(found) < count:
        found.append(found[-1].child(rng.choice(found[-1].legal_actions())))
    return found


def builtin(word: str) -> losange.Model:
    model = losange.Model.builtin(word)
    assert model is not None
    return model


def test_hex_has_values_of_moves() -> None:
    model = builtin("hex")
    some = states(losange.Game("hex", 9), 12)
    found = model.evaluate(some)
    assert found.value.shape == (12,) and (abs(found.value) <= 1).all()
    assert found.policy is None and found.score is None and found.ownership is None
    assert found.action_values is not None
    for state, row, value in zip(some, found.action_values, found.value):
        assert np.flatnonzero(~np.isnan(row)).tolist() == state.legal_actions()
        if "value" not in model.outputs:
            assert value == np.nanmax(row)


def test_go_has_policy_score_and_owners() -> None:
    some = states(losange.Game("go", 9), 10)
    found = builtin("go").evaluate(some)
    assert found.policy is not None and found.ownership is not None
    assert np.allclose(found.policy.sum(axis=1), 1, atol=1e-3)
    for state, row in zip(some, found.policy):
        assert set(np.flatnonzero(row)) <= set(state.legal_actions())
    assert found.ownership.shape == (10, 9, 9) and (abs(found.ownership) <= 1).all()
    one = builtin("go").evaluate(some[3])
    assert one.policy is not None and np.allclose(one.policy[0], found.policy[3], atol=1e-4)


def test_the_end_is_worth_its_result() -> None:
    state = losange.Game("go", 9).new_initial_state()
    for _ in range(2):
        state.play("pass")
    found = builtin("go").evaluate([state])
    assert found.value.tolist() == [-1.0] and found.score is not None and found.score.tolist() == [-7.5]


def test_files_and_what_is_none() -> None:
    model = losange.Model(MODELS / "hex.onnx")
    assert model.game_name == "hex" and model.serves(11, 11) and not model.serves(2, 2)
    assert losange.Model(MODELS / "hex.onnx", backend="portable").runtime == "portable"
    # Some boards have a model of their own among those that are compiled in.
    for size, name in [(9, "hex.onnx"), (7, "hex-7x7.onnx"), (17, "hex-large.onnx")]:
        some = states(losange.Game("hex", size), 5)
        assert np.allclose(losange.Model(MODELS / name).evaluate(some).value, builtin("hex").evaluate(some).value, atol=1e-4)
    with pytest.raises(OSError):
        losange.Model("/there/is/no/such.onnx")
    with pytest.raises(ValueError, match="no ONNX file"):
        losange.Model(__file__)
    with pytest.raises(ValueError, match="unknown back end 'magic'"):
        losange.Model(MODELS / "hex.onnx", backend="magic")
    with pytest.raises(ValueError, match="state 0 is of Go"):
        model.evaluate(losange.Game("go", 9).new_initial_state())
    with pytest.raises(ValueError, match="another board"):
        model.evaluate([losange.Game("hex", n).new_initial_state() for n in (7, 9)])
    with pytest.raises(ValueError, match="does not serve boards of 2x2"):
        model.evaluate(losange.Game("hex", 2).new_initial_state())
    assert losange.Model.builtin("solitaire") is None
    assert model.evaluate([]).value.shape == (0,)


def test_threads_evaluate_beside_each_other() -> None:
    model = builtin("hex")
    some = states(losange.Game("hex", 9), 20)
    expected = model.evaluate(some).value
    found: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: found.append(model.evaluate(some).value)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.array_equal(row, expected) for row in found)
