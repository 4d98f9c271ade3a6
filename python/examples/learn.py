#!/usr/bin/env python3
"""Training data from self-play in Python: planes, the share of the visits of each action, the result for the side to move.

    examples/learn.py clobber 5 --games 4 --out lessons.npz
"""

import argparse

import losange
import numpy as np


def lessons(game: losange.Game, search: losange.Search, playouts: int, rng: np.random.Generator) -> dict[str, list[np.ndarray]]:
    """One game, each move drawn by its visits."""
    state = game.new_initial_state()
    planes, policies, players = [], [], []
    while not state.is_terminal() and len(state.history()) < 400:
        report = search.run(state, playouts=playouts)
        visits = np.zeros(game.num_distinct_actions(), np.float32)
        for move in report.moves:
            visits[move.action] = move.visits
        policy = visits / visits.sum()
        planes.append(state.observation_tensor())
        policies.append(policy)
        players.append(state.current_player())
        state.apply_action(int(rng.choice(len(policy), p=policy.astype(np.float64) / policy.sum(dtype=np.float64))))
    returns = state.returns()
    values = [np.float32(returns[player]) for player in players]
    return {"planes": planes, "policies": policies, "values": values}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=losange.games(), nargs="?", default="clobber")
    parser.add_argument("size", type=int, nargs="?")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--playouts", type=int, default=64)
    parser.add_argument("--out", default="lessons.npz")
    options = parser.parse_args()

    game = losange.Game(options.game, options.size)
    search = losange.Search(game, model=None, search="mcts")
    rng = np.random.default_rng(1)
    found: dict[str, list[np.ndarray]] = {}
    for number in range(options.games):
        search.clear()
        for name, rows in lessons(game, search, options.playouts, rng).items():
            found.setdefault(name, []).extend(rows)
        print(f"game {number + 1}: {len(found['planes'])} positions")
    planes, policies, values = (np.array(found[name]) for name in ("planes", "policies", "values"))
    np.savez(options.out, planes=planes, policies=policies, values=values)
    print(f"{options.out}: planes {planes.shape}, policies {policies.shape}, values {values.shape}")


if __name__ == "__main__":
    main()
