"""KataGoAnal annotates a record: it waits for the engine to say that it is ready, asks for all positions in one query, and writes what
it hears into comments."""
import json
import os
import re
import subprocess
import sys
import tempfile

HANG = 300
MOVES = ["ee", "ce", "gc", "cc", "gg", "cg", "dd", "cd", "fh", "dh", "eh", "dg"]
MODEL = os.path.abspath("../../models/go.onnx")


def main():
    with tempfile.TemporaryDirectory() as folder:
        settings = os.path.join(folder, "katagoanal")
        os.mkdir(settings)
        with open(os.path.join(settings, "paths.json"), "w", encoding="utf-8") as file:
            json.dump({"binary": os.environ["LOSANGE"], "model": MODEL}, file)
        record = os.path.join(folder, "game.sgf")
        with open(record, "w", encoding="utf-8") as file:
            nodes = "".join(f";{'BW'[number % 2]}[{move}]" for number, move in enumerate(MOVES))
            file.write(f"(;GM[1]FF[4]SZ[9]KM[7.5]RU[Chinese]{nodes})\n")
        command = [sys.executable, "-m", "KataGoAnal.cli", record, "--visits", "20", "-o", folder]
        environment = {**os.environ, "XDG_CONFIG_HOME": folder}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=HANG, check=False)
        assert done.returncode == 0 and "Injected 1/1 games" in done.stdout, (done.stdout, done.stderr)
        with open(os.path.join(folder, "game.injected.sgf"), "rb") as file:
            comments = re.findall(rb"C\[[^\]]*[Ww]inrate[^\]]*%", file.read())
        assert len(comments) == len(MOVES) + 1, comments
    print("katagoanal: passed (KataGoAnal 0.4.0)")


if __name__ == "__main__":
    main()
