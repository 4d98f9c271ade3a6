#!/usr/bin/env python3
"""Checks scripts/fleet.py on simulated machines: one is lost while it plays, another one joins.

    scripts/train/check_fleet.py                   Hex on 5×5 for two minutes, three machines of one processor beside the trainer's
    scripts/train/check_fleet.py --seconds 1200
    scripts/train/check_fleet.py --players 20 --shards 10000 --seconds 3600      games by a stub

No game counts twice and no shard is lost or broken: the shards in the folder are all different, each is read to its end, and the
trainer has counted their positions, no more and no less. The lost machine's players begin anew. With a stub, which writes shards of a
few positions, the memory of scripts/fleet.py must not grow by more than a fifth after the first quarter.
"""
import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import torch

try:
    from ray.cluster_utils import Cluster
except ImportError:
    sys.exit("check: Ray is missing: pip install -r scripts/train/requirements-fleet.txt")

from engine import program

FLEET = Path(__file__).resolve().parent.parent / "fleet.py"
# Memory that a fleet may gain after the first quarter.
GROWTH = 1.2
# A program whose games are shards of a few positions, one each so many seconds, and that describes games as the real one does.
STUB = """#!{python}
import os, sys, time
from pathlib import Path
if sys.argv[1] != "selfplay":
    os.execv({losange!r}, [{losange!r}, *sys.argv[1:]])
import numpy as np
run, number, chance = Path(sys.argv[2]), 0, np.random.default_rng()
while True:
    cells = 25
    planes = (chance.random((8, 4, 7, 7)) < 0.3).astype(np.float32)
    targets = chance.random((8, cells), dtype=np.float32) * 2 - 1
    partial = run / "shards" / f"{{number}}.part"
    with partial.open("wb") as file:
        np.savez(file, planes=planes, targets=targets, weights=np.ones((8, cells), np.float32))
    os.replace(partial, run / "shards" / f"{{time.time_ns() // 10**6:015}}-0-{{number}}.npz")
    number += 1
    (run / "0.games").write_text(f"{{number}}\\n")
    time.sleep({pause})
"""


def memory(process):
    """Memory of a process in MB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024


def players_of(run):
    """Names of the players whose shards lie in the folder."""
    return {re.sub(r".*-", "", path.stem) for path in (run / "shards").glob("*.npz")}


def check_shards(run):
    """Reads all shards; the trainer must have counted what they hold. Those that came after its last look are not counted yet."""
    saved = torch.load(run / "checkpoint.pt", map_location="cpu")
    counted, held, seen = saved["state"]["positions"], 0, {}
    for path in sorted((run / "shards").glob("*.npz")):
        content = path.read_bytes()
        other = seen.setdefault(hashlib.sha256(content).hexdigest(), path.name)
        if other != path.name:
            sys.exit(f"check: {path.name} is {other} once more")
        with np.load(path) as shard:
            count = {len(shard[name]) for name in shard.files}
        if len(count) != 1:
            sys.exit(f"check: {path.name} holds arrays of {count} positions")
        held += count.pop() if path.name in saved["known"] else 0
    if counted != held:
        sys.exit(f"check: the trainer counted {counted} positions, the shards hold {held}")
    players = len(players_of(run))
    print(f"{len(seen)} shards of {players} players, {held} positions, all once")
    return players


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--players", type=int, default=3, help="players in all, on three machines or, from twelve on, four to a machine")
    parser.add_argument("--shards", type=int, help="shards of a stub in all, in place of games")
    options = parser.parse_args()
    each = max(1, options.players // 3)
    with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
        folder = Path(folder)
        run, environment = folder / "run", os.environ | {"OMP_NUM_THREADS": "1"}
        if options.shards:
            stub = folder / "stub"
            pause = options.seconds * options.players / options.shards
            stub.write_text(STUB.format(python=sys.executable, losange=program(), pause=pause))
            stub.chmod(0o700)
            environment["LOSANGE"] = str(stub)
        # The first machine has the trainer's processor too.
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": each + 1, "include_dashboard": False})
        machines = [cluster.add_node(num_cpus=each) for _ in range(2)]
        command = [
            sys.executable, str(FLEET), str(run), "--game", "hex", "--sizes", "5", "--minutes", str(options.seconds / 60),
            "--address", cluster.address, "--play", "--descents 2 --games 2 --shard 500",
            "--", "--channels", "4", "--blocks", "1", "--window", "100000000", "--reuse", "0.1",
        ]
        fleet = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=lambda: [print(line, end="", flush=True) for line in fleet.stdout], daemon=True).start()
        begun, sizes = time.monotonic(), []
        try:
            # The first not before all players have given something.
            steps = [(1 / 3, 3 * each, lambda: cluster.remove_node(machines.pop(), allow_graceful=False)),
                     (1 / 2, 3 * each, lambda: machines.append(cluster.add_node(num_cpus=each)))]
            while fleet.poll() is None:
                share = (time.monotonic() - begun) / options.seconds
                if steps and share > steps[0][0] and len(players_of(run)) >= steps[0][1]:
                    steps.pop(0)[2]()
                    print(f"check: machines now: {1 + len(machines)}", flush=True)
                if share > 1 / 4:
                    sizes.append(memory(fleet))
                if share > 2:
                    sys.exit("check: the fleet does not end")
                time.sleep(0.5)
        finally:
            fleet.kill()
            cluster.shutdown()
        if fleet.returncode or steps:
            sys.exit(f"check: the fleet has ended with {fleet.returncode}, too early: {bool(steps)}")
        if check_shards(run) <= 3 * each:
            sys.exit("check: no player began anew after its machine was lost")
        print(f"memory: {sizes[0]:.0f} MB after a quarter, {max(sizes):.0f} MB at most")
        if options.shards and max(sizes) > GROWTH * sizes[0]:
            sys.exit("check: the memory grows")


if __name__ == "__main__":
    main()
