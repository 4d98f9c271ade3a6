"""Losange: rules, neural networks and search of Go, Hex and ten other games.

>>> import losange
>>> game = losange.Game("hex", 7)
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("d4"))
>>> losange.Search(game).run(state, playouts=20).move in [state.action_to_string(a) for a in state.legal_actions()]
True
"""

import os

# ONNX Runtime, where a model runs on it, sends its makers what it notes of this machine otherwise.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

from ._losange import (  # noqa: E402
    TERMINAL,
    Evaluation,
    Game,
    Model,
    MoveReport,
    Report,
    Search,
    State,
    __version__,
    games,
)
from .shards import read_shard, read_shards

__all__ = [
    "TERMINAL",
    "Evaluation",
    "Game",
    "Model",
    "MoveReport",
    "Report",
    "Search",
    "State",
    "__version__",
    "games",
    "read_shard",
    "read_shards",
]
