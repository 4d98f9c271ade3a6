#!/usr/bin/env python3
"""Writes the tables of docs/strength.md and docs/speed.md from measurements/*.tsv.

    scripts/measurements.py            writes them
    scripts/measurements.py --check    fails when a document is stale, a row is malformed, or a log is missing

Both check the intervals that other documents give beside a score: `7 of 20 (18 to 57 %)`, also in two cells of a table.

A table stands between `<!-- table NAME -->` and `<!-- end -->`. The rows of that name are shown, in the order of the file; rows
without a name are kept for the record alone. Standard library only.
"""
import argparse
import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ["docs/strength.md", "docs/speed.md"]
MOST_LINES = 150
COLUMNS = {
    "matches": "table date commit machine game board setting against at games won drawn published command log note",
    "speed": "table date commit machine item value unit wanted command log note",
    "stones": "table date commit machine board search games mean deviation best published command log note",
}
DATE = re.compile(r"(\d{4}-\d{2}-\d{2})?")
COMMIT = re.compile(r"([0-9a-f]{7,40})?")
INTERVAL = re.compile(r"(\d+) of (\d+)(?: \(| \| )(\d+ to \d+ %)")
TABLE = re.compile(r"(<!-- table ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


class Malformed(Exception):
    """A row or a document that does not follow the rules."""


def wilson(points, games, z=1.96):
    """95 % interval of a share of `points` out of `games`, in whole per cent (Wilson 1927)."""
    share, spread = points / games, z * z / games
    centre = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return f"{100 * (centre - half):.0f} to {100 * (centre + half):.0f} %"


def match(row):
    """Cells of a match: a draw counts half in the interval."""
    games, won, drawn = int(row["games"]), int(row["won"]), int(row["drawn"] or 0)
    if won + drawn > games or games == 0:
        raise Malformed(f"{won} won and {drawn} drawn of {games}")
    score = f"{won} of {games}" + (f", {drawn} drawn" if drawn else "")
    where = " ".join(filter(None, [row["game"].capitalize(), row["board"]]))
    return [where, row["at"], row["setting"], row["against"], score, wilson(won + drawn / 2, games)]


def speed(row):
    """Cells of a speed, with what was wanted of it."""
    return [row["item"], row["value"], row["unit"], row["wanted"], row["machine"]]


def stones(row):
    """Cells of a game for one player: stones left, fewest first of all."""
    return [row["board"], row["search"], row["games"], f"{row['mean']} ± {row['deviation']}", row["best"], row["published"]]


FORMS = {
    "matches": (["board", "a move", "player", "against", "won", "95 %"], match),
    "speed": (["what", "measured", "unit", "wanted", "machine"], speed),
    "stones": (["board", "search", "games", "stones left", "best", "published"], stones),
}


def rows(name):
    """Rows of a file, each as a dictionary."""
    path = ROOT / "measurements" / f"{name}.tsv"
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    columns = COLUMNS[name].split()
    if head.split("\t") != columns:
        raise Malformed(f"{path.name}: the columns should be {COLUMNS[name]}")
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        row = dict(zip(columns, cells))
        try:
            if len(cells) != len(columns):
                raise Malformed(f"{len(cells)} cells, not {len(columns)}")
            if not DATE.fullmatch(row["date"]) or not COMMIT.fullmatch(row["commit"]):
                raise Malformed("the date or the commit is none")
            log = row["log"].partition("#")[0]
            if not log or not (ROOT / log).is_file():
                raise Malformed(f"there is no log '{log}'")
            FORMS[name][1](row)
        except (Malformed, ValueError) as error:
            raise Malformed(f"{path.name}, line {number}: {error}") from None
        yield row


def table(form, of):
    """Rows as a table in Markdown, without the columns that are empty in all of them."""
    head, cells = FORMS[form]
    body = [cells(row) for row in of]
    used = [k for k in range(len(head)) if any(line[k] for line in body)]
    lines = [[head[k] for k in used], ["---"] * len(used)] + [[line[k] for k in used] for line in body]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def intervals(path):
    """Checks the intervals of a document."""
    for won, games, told in INTERVAL.findall(path.read_text(encoding="utf-8")):
        if int(won) <= int(games) and told != (right := wilson(int(won), int(games))):
            raise Malformed(f"{path.relative_to(ROOT)}: {won} of {games} has the interval {right}, not {told}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail when something is stale")
    check = parser.parse_args().check
    tables = {}
    for form in COLUMNS:
        for row in rows(form):
            if row["table"]:
                if tables.setdefault(row["table"], (form, []))[0] != form:
                    raise Malformed(f"the table {row['table']} has rows in two files")
                tables[row["table"]][1].append(row)
    shown = set()
    for name in DOCUMENTS:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")

        def filled(found):
            if found[2] not in tables:
                raise Malformed(f"{name}: no row belongs to the table {found[2]}")
            shown.add(found[2])
            return found[1] + table(*tables[found[2]]) + found[3]

        new = TABLE.sub(filled, text)
        if new.count("\n") > MOST_LINES:
            raise Malformed(f"{name} has {new.count(chr(10))} lines; {MOST_LINES} are the most")
        if new != text:
            if check:
                raise Malformed(f"{name} is stale: run scripts/measurements.py")
            path.write_text(new, encoding="utf-8")
    for path in [ROOT / "README.md", ROOT / "models" / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        intervals(path)
    if missing := tables.keys() - shown:
        raise Malformed(f"no document shows the tables {', '.join(sorted(missing))}")


if __name__ == "__main__":
    try:
        main()
    except Malformed as error:
        sys.exit(f"measurements: {error}")
