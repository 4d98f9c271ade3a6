"""KaTrain's own engine, game and game node drive the engine as KaTrain does, through a pipe and through a WebSocket: a game of fifty
moves analysed as it is played, alternatives, a region, pondering, a new game with handicap. Its widgets are stubs; everything that
speaks to the engine is KaTrain's."""
import json
import os
import subprocess
import sys
import time
import types

LOSANGE = os.environ["LOSANGE"]
HANG = 120
MOVES, BOARD = 50, 19


class Anything:
    """Stands for what is drawn or stored."""

    def __init__(self, *_, **__):
        pass

    def __call__(self, *_, **__):
        return Anything()

    def __getattr__(self, name):
        return Anything()


def stub(name, **contents):
    module = types.ModuleType(name)
    module.__dict__.update(contents)
    sys.modules[name] = module


stub("chardet")
stub("kivy", Config=Anything())
stub("kivy.utils", platform="linux")
stub("kivy.storage")
stub("kivy.storage.jsonstore", JsonStore=Anything)
stub("kivy._event", Observable=object)
i18n = Anything()
i18n._ = lambda text: text
stub("katrain.core.lang", i18n=i18n, rank_label=str)

import katrain
from katrain.core import constants
from katrain.core.game import Game, Move
from katrain.core.remote_engine import make_engine

SETTINGS = os.path.join(os.path.dirname(katrain.__file__), "config.json")


class Window:
    """KaTrain's main window, as far as engine and game ask it for something."""

    pondering = False
    players_info = {}
    last_player_info = None
    debug_level = 0

    def __init__(self, settings):
        self.settings, self.faults, self.warnings = settings, [], []

    def log(self, text, level=0):
        if level == constants.OUTPUT_ERROR:
            self.faults.append(str(text))
        if "warning" in str(text).lower():
            self.warnings.append(str(text))

    def __call__(self, *message):
        self.faults.append(str(message))

    def config(self, key, default=None):
        value = self.settings
        for part in key.split("/"):
            value = value.get(part, {}) if isinstance(value, dict) else {}
        return default if value == {} else value

    def update_state(self, **_):
        pass


def settle(engine):
    """Waits until all that was asked is answered."""
    until = time.monotonic() + HANG
    # A query that is just being taken from one list to the other is seen in neither.
    calm = 0
    while calm < 5:
        time.sleep(0.02)
        calm = calm + 1 if engine.is_idle() else 0
        assert time.monotonic() < until, f"{engine.queries_remaining()} queries are not answered"


def moves():
    """A game of the engine's."""
    commands = "".join(f"genmove {'bw'[number % 2]}\n" for number in range(MOVES)) + "quit\n"
    arguments = [LOSANGE, "go", "--size", str(BOARD), "--threads", "1", "--playouts", "10", "--seed", "5"]
    text = subprocess.run(arguments, input=commands, text=True, capture_output=True, check=True, timeout=HANG).stdout
    words = [line[2:].strip() for line in text.split("\n") if line.startswith("= ")]
    return [("BW"[number % 2], word) for number, word in enumerate(words[:MOVES])]


def session(window, engine, record):
    """What a user does in KaTrain."""
    game = Game(window, engine, game_properties={"SZ": str(BOARD), "KM": 6.5, "RU": "japanese"})
    for player, word in record:
        game.play(Move.from_gtp(word, player=player))
    settle(engine)
    nodes = game.current_node.nodes_from_root
    assert len(nodes) == MOVES + 1 and all(node.analysis_complete for node in nodes)
    for node in nodes:
        assert node.analysis["root"]["visits"] > 0 and 0 <= node.analysis["root"]["winrate"] <= 1
        assert node.candidate_moves and len(node.ownership) == BOARD**2 and len(node.policy) == BOARD**2 + 1
    last = game.current_node
    best = last.candidate_moves[0]["move"]
    assert any(move["move"] == best and move["order"] == 0 for move in last.candidate_moves)
    last.analyze(engine, find_alternatives=True, priority=constants.PRIORITY_ALTERNATIVES, time_limit=False)
    last.analyze(engine, region_of_interest=[0, 4, 0, 4], priority=constants.PRIORITY_ALTERNATIVES)
    settle(engine)
    # Pondering goes on until it is stopped.
    middle = nodes[20]
    before = middle.analysis["root"]["visits"]
    middle.analyze(engine, ponder=True)
    until = time.monotonic() + HANG
    while middle.analysis["root"]["visits"] <= before:
        assert time.monotonic() < until, "pondering brings nothing"
        time.sleep(0.02)
    assert not engine.is_idle()
    engine.stop_pondering()
    settle(engine)
    # A new game forgets what was asked before.
    last.analyze(engine, visits=1_000_000, time_limit=False)
    engine.on_new_game()
    window.settings["game"]["handicap"] = 2
    game = Game(window, engine, game_properties={"SZ": "13", "KM": 0.5, "RU": "chinese"})
    settle(engine)
    assert game.current_node.analysis_complete and game.current_node.next_player == "W"
    assert not window.faults and not window.warnings, (window.faults, window.warnings)


def run(how, options, record):
    with open(SETTINGS, encoding="utf-8") as file:
        settings = json.load(file)
    window = Window(settings)
    engine = make_engine(window, {**settings["engine"], "max_visits": 20, "fast_visits": 10, **options})
    session(window, engine, record)
    engine.shutdown(finish=True)
    print(f"katrain: {how}: {MOVES} moves analysed without an error")


def through_pipe(record):
    run("pipe", {"backend": "custom", "altcommand": f"exec '{LOSANGE}' analysis --memory 256"}, record)


def through_websocket(record):
    arguments = [LOSANGE, "serve", "--http", "127.0.0.1:0", "--memory", "256", "--sessions", "2"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = server.stdout.readline().strip().removeprefix("listening on http://")
            run("WebSocket", {"backend": "remote", "remote_url": f"ws://{address}analysis"}, record)
        finally:
            server.terminate()
        assert server.wait(HANG) == 0


if __name__ == "__main__":
    RECORD = moves()
    through_pipe(RECORD)
    through_websocket(RECORD)
    print("katrain: passed (KaTrain 1.20.0)")
