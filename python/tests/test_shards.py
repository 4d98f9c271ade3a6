"""Lessons of the program's self-play. LOSANGE names the program."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import losange

PROGRAM = os.environ.get("LOSANGE")


@pytest.mark.skipif(PROGRAM is None, reason="LOSANGE names no program")
def test_self_play_is_read(tmp_path: Path) -> None:
    options = ["--teacher", "breakthrough", "--sizes", "5", "--threads", "1", "--shard", "50", "--time", "3"]
    command = [str(PROGRAM), "selfplay", str(tmp_path), *options]
    subprocess.run(command, check=True, capture_output=True)
    shards = list(losange.read_shards(tmp_path / "shards"))
    assert shards
    shape = losange.Game("breakthrough", 5).observation_tensor_shape()
    for shard in shards:
        assert list(shard["planes"].shape[1:]) == shape and shard["planes"].dtype == np.float32
        assert all(len(rows) == len(shard["planes"]) for rows in shard.values())


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.npz"
    for content in [b"", b"no archive"]:
        path.write_bytes(content)
        with pytest.raises(ValueError, match="no file of lessons"):
            losange.read_shard(path)
    np.savez(path, planes=np.zeros((2, 1, 3, 3)), values=np.zeros(3))
    with pytest.raises(ValueError, match="no file of lessons"):
        losange.read_shard(path)
    with pytest.raises(OSError):
        losange.read_shard(tmp_path / "none.npz")
