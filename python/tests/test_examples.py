"""The scripts of the examples, and the code of the README, run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "command",
    [
        "play.py hex 4 --playouts 10",
        "evaluate.py hex 7 --seconds 0.1",
        "learn.py clobber 4 --games 1 --playouts 20 --out {folder}/lessons.npz",
    ],
)
def test_an_example_runs(command: str, tmp_path: Path) -> None:
    script, *arguments = command.format(folder=tmp_path).split()
    subprocess.run([sys.executable, str(ROOT / "examples" / script), *arguments], check=True, capture_output=True)


def test_the_readme_runs() -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert code
    subprocess.run([sys.executable, "-c", code[1]], check=True, capture_output=True)
