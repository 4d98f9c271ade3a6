#!/usr/bin/env python3
"""Rates models and searches of one game against each other, in Elo with 95 % intervals.

    scripts/rate.py TABLE.json --game hex --size 11 --time 0.3 --games 20 \\
        shipped=models/hex.onnx knowledge= yopt=:search=yopt

A player is NAME=[MODEL][:NAME=VALUE,...]: a model, or the engine's own knowledge, and tunables (see `losange params`). Each
plays so many games against each other one; what TABLE.json holds already is not played again, so that a run may be broken
off and players be added later. TABLE.svg is a picture of it. Needs NumPy and a built engine.
"""
import argparse
import itertools
import json
import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path

import numpy as np

RESULT = re.compile(r"(\d+) won, (\d+) drawn, (\d+) lost of")
# One Elo in units of the logistic curve.
ELO = np.log(10) / 400


def side(options, player, which):
    """Options of the arena for one player."""
    model, _, settings = player.partition(":")
    given = [f"--{which}", model] if model else []
    return given + [word for setting in filter(None, settings.split(",")) for word in (f"--set-{which}", setting)]


def play(options, first, second):
    command = [options.losange, "arena", "--game", options.game, "--size", str(options.size), "--games", str(options.games)]
    command += ["--playouts", str(options.playouts)] if options.playouts else ["--time", str(options.time)]
    command += ["--backend", options.backend] + side(options, first, "first") + side(options, second, "second")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    found = RESULT.search(done.stdout)
    if done.returncode or not found:
        sys.exit(f"rate: {' '.join(command)} has failed")
    return [int(count) for count in found.groups()]


def fit(names, results):
    """Ratings by maximum likelihood (Bradley and Terry), and half the width of their 95 % intervals; the mean is 0.

    Half a drawn game between each two players who have met keeps the ratings of those finite who have won or lost all games.
    """
    games = np.zeros((len(names), len(names)))
    points = np.zeros_like(games)
    for (a, b), (won, drawn, lost) in results.items():
        i, j = names.index(a), names.index(b)
        games[i, j] = games[j, i] = won + drawn + lost + 0.5
        points[i, j], points[j, i] = won + 0.5 * drawn + 0.25, lost + 0.5 * drawn + 0.25
    rating = np.zeros(len(names))
    centre = np.full((len(names), len(names)), 1 / len(names))
    for _ in range(100):
        expected = 1 / (1 + np.exp(rating[None, :] - rating[:, None]))
        weight = games * expected * (1 - expected)
        information = np.diag(weight.sum(1)) - weight
        step = np.linalg.solve(information + centre, (points - games * expected).sum(1))
        rating = rating + step
        if np.abs(step).max() < 1e-9:
            break
    covariance = np.linalg.inv(information + centre) - centre
    return rating / ELO, 1.96 * np.sqrt(np.diag(covariance).clip(0)) / ELO


def picture(names, ratings, widths, title):
    """A bar with its interval for each player, as SVG."""
    low = min(r - w for r, w in zip(ratings, widths)) - 20
    high = max(r + w for r, w in zip(ratings, widths)) + 20
    at = lambda elo: 180 + 420 * (elo - low) / (high - low)
    rows = []
    for row, name in enumerate(names):
        y = 50 + 26 * row
        left, right, middle = (at(ratings[row] + d) for d in (-widths[row], widths[row], 0))
        rows.append(
            f'<text x="170" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
            f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}" stroke="#4477aa" stroke-width="3"/>'
            f'<circle cx="{middle:.1f}" cy="{y}" r="5" fill="#4477aa"/>'
            f'<text x="610" y="{y + 4}">{ratings[row]:+.0f} ± {widths[row]:.0f}</text>'
        )
    height = 60 + 26 * len(names)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{height}" font-family="sans-serif" font-size="13">'
        f'<rect width="720" height="{height}" fill="white"/><text x="20" y="24">{escape(title)}</text>{"".join(rows)}</svg>\n'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("players", nargs="*", metavar="NAME=[MODEL][:NAME=VALUE,...]", help="those to play; none: only show")
    parser.add_argument("--game", default="hex")
    parser.add_argument("--size", default="11")
    parser.add_argument("--games", type=int, default=20, help="games of each pair")
    parser.add_argument("--time", type=float, default=0.3, help="seconds a move")
    parser.add_argument("--playouts", type=int, help="playouts or expansions a move, instead of --time")
    parser.add_argument("--backend", default="embedded")
    parser.add_argument("--losange", default=os.environ.get("LOSANGE", "target/release/losange"))
    options = parser.parse_intermixed_args()

    runtime = "embedded runtime" if options.backend == "embedded" else options.backend
    told = f"{options.game} on {options.size}, {runtime}"
    told += f", {options.playouts} playouts a move" if options.playouts else f", {options.time} s a move, one thread"
    table = {"conditions": told, "players": {}, "results": []}
    if options.table.exists():
        table = json.loads(options.table.read_text())
        if options.players and table["conditions"] != told:
            parser.error(f"{options.table} holds games of other conditions: {table['conditions']}")
    for player in options.players:
        name, equals, what = player.partition("=")
        if not equals or table["players"].get(name, what) != what:
            parser.error(f"'{player}' is not NAME=[MODEL][:NAME=VALUE,...], or that name is another player's")
        table["players"][name] = what

    known = {tuple(sorted(pair)) for pair in (row[:2] for row in table["results"])}
    asked = [player.partition("=")[0] for player in options.players]
    for first, second in itertools.combinations(asked, 2):
        if tuple(sorted((first, second))) in known:
            continue
        counts = play(options, table["players"][first], table["players"][second])
        table["results"].append([first, second, *counts])
        print(f"{first} against {second}: {counts[0]} won, {counts[1]} drawn, {counts[2]} lost", flush=True)
        partial = options.table.with_suffix(".part")
        partial.write_text(json.dumps(table, indent=1) + "\n")
        os.replace(partial, options.table)

    results = {(row[0], row[1]): row[2:] for row in table["results"]}
    names = sorted({name for pair in results for name in pair})
    if not names:
        parser.error("there is nothing to rate")
    ratings, widths = fit(names, results)
    order = np.argsort(-ratings)
    names, ratings, widths = [names[i] for i in order], ratings[order], widths[order]
    print(f"{told if not options.table.exists() else table['conditions']}")
    for name, rating, width in zip(names, ratings, widths):
        points = sum((row[2] + row[3] / 2) if row[0] == name else (row[4] + row[3] / 2) for row in table["results"] if name in row[:2])
        games = sum(sum(row[2:]) for row in table["results"] if name in row[:2])
        print(f"{name:24} {rating:+6.0f} ± {width:<4.0f} {points:g} of {games}")
    table["ratings"] = {name: [round(float(r)), round(float(w))] for name, r, w in zip(names, ratings, widths)}
    options.table.write_text(json.dumps(table, indent=1) + "\n")
    options.table.with_suffix(".svg").write_text(picture(names, ratings, widths, f"Elo, {table['conditions']}"))


if __name__ == "__main__":
    main()
