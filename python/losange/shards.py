"""Lessons that ``losange selfplay`` writes, as NumPy arrays."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt

Lessons = dict[str, npt.NDArray[np.float32]]


def read_shard(path: str | PathLike[str]) -> Lessons:
    """The arrays of one file by their names.

    ``planes`` has a row for each position, of the shape of ``State.observation_tensor()``. The others have as many rows:
    ``targets`` and ``weights`` by action of the model, ``values``, ``counts``, ``scores`` and ``owners``, as far as the file has
    them. All are seen by the side to move.

    Raises ``ValueError`` if it is no such file, and ``OSError`` if it cannot be read.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            lessons: Lessons = {name: file[name] for name in file.files}
    except (zipfile.BadZipFile, AttributeError, EOFError, ValueError) as error:
        raise ValueError(f"{path} is no file of lessons") from error
    if "planes" not in lessons or any(len(rows) != len(lessons["planes"]) for rows in lessons.values()):
        raise ValueError(f"{path} is no file of lessons")
    return lessons


def read_shards(folder: str | PathLike[str]) -> Iterator[Lessons]:
    """The files of a folder, the oldest first. Files that are still being written are left out."""
    for path in sorted(Path(folder).glob("*.npz"), key=lambda path: (path.stat().st_mtime, path.name)):
        yield read_shard(path)
