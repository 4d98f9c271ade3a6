"""The program that plays, as training finds and asks it. Needs nothing but the standard library."""
import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def program():
    """The engine: LOSANGE in the environment, or the release build here, or the one on the PATH."""
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "losange"
    found = os.environ.get("LOSANGE") or (str(built) if built.exists() else shutil.which("losange"))
    if not found:
        raise SystemExit("train: the engine is missing: build it (cargo build --release), or set LOSANGE to its path")
    return found


def bound(command):
    """The command, which ends with whoever begins it, where the system has a way for that."""
    return ["setpriv", "--pdeathsig", "KILL", "--", *command] if shutil.which("setpriv") else command


def describe(name, size=None):
    """The engine's description of a game, on its usual board or on one of `size` lines."""
    board = ["--size", str(size)] if size else []
    done = subprocess.run([program(), "describe", name, "--json", *board], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"train: {done.stderr.strip()}")
    return json.loads(done.stdout)
