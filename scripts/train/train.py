#!/usr/bin/env python3
"""Trains an action-value model for Hex on what self-play leaves in a folder, and writes it there for self-play to take.

    pip install -r scripts/train/requirements.txt
    scripts/train/train.py RUN --sizes 5 --minutes 10 &
    losange selfplay RUN --sizes 5

RUN/shards/*.npz are read (`src/learn/shard.rs` says what they hold) and deleted once they have left the replay window.
RUN/checkpoint.pt holds everything that training needs to go on after it was killed; RUN/model.onnx is the model.
"""
import argparse
import math
import os
import time
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional

PLANES = 4


class Block(nn.Module):
    """Two convolutions beside the identity; a mean over the whole board tells each cell of all others."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)])
        self.whole = nn.Linear(channels, channels)

    def forward(self, x):
        y = functional.relu(self.norms[0](self.first(x)))
        y = y + self.whole(y.mean((2, 3)))[:, :, None, None]
        return functional.relu(x + self.norms[1](self.second(y)))


class Net(nn.Module):
    """Values of all moves on a board of any size: planes with a border in, numbers of the cells inside it out."""

    def __init__(self, channels, blocks):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(PLANES, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()
        )
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        self.head = nn.Conv2d(channels, 1, 1)

    def forward(self, planes):
        cells = self.head(self.blocks(self.stem(planes)))
        return torch.tanh(cells[:, :, 1:-1, 1:-1].flatten(1))


class Replay:
    """The last positions of each board size, as many as the window holds."""

    def __init__(self, window):
        self.window, self.parts, self.total = window, [], 0

    def add(self, path):
        with np.load(path) as shard:
            part = {
                "planes": torch.from_numpy(shard["planes"]).to(torch.uint8),
                "targets": torch.from_numpy(shard["targets"]),
                "weights": torch.from_numpy(shard["weights"]),
                "path": path,
            }
        self.parts.append(part)
        self.total += len(part["planes"])
        while len(self.parts) > 1 and self.total - len(self.parts[0]["planes"]) >= self.window:
            old = self.parts.pop(0)
            self.total -= len(old["planes"])
            old["path"].unlink(missing_ok=True)
        return len(part["planes"])

    def batch(self, size, rng):
        """Positions of one board size, which is drawn in proportion to their number; half of them turned by 180 degrees."""
        counts = np.array([len(part["planes"]) for part in self.parts])
        shape = self.parts[rng.choice(len(counts), p=counts / counts.sum())]["planes"].shape[1:]
        same = [part for part in self.parts if part["planes"].shape[1:] == shape]
        ends = np.cumsum([len(part["planes"]) for part in same])
        picks = rng.integers(ends[-1], size=size)
        places = np.searchsorted(ends, picks, side="right")
        chosen = [(same[k], pick - (ends[k - 1] if k else 0)) for k, pick in zip(places, picks)]
        planes, targets, weights = (
            torch.stack([part[name][at] for part, at in chosen]) for name in ("planes", "targets", "weights")
        )
        turned = torch.from_numpy(rng.random(size) < 0.5)
        planes = torch.where(turned[:, None, None, None], planes.flip(2, 3), planes).float()
        targets = torch.where(turned[:, None], targets.flip(1), targets)
        weights = torch.where(turned[:, None], weights.flip(1), weights)
        return planes, targets, weights


def export(net, path, sizes, note):
    """Writes the model with its metadata, under another name first."""
    net = net.eval().cpu()
    side = sizes[-1] + 2
    partial = path.with_suffix(".part")
    torch.onnx.export(
        net, (torch.zeros(1, PLANES, side, side),), str(partial), input_names=["input"], output_names=["actions"],
        dynamic_axes={"input": {0: "batch", 2: "rows", 3: "columns"}, "actions": {0: "batch", 1: "moves"}},
        opset_version=17, dynamo=False,
    )
    model = onnx.load(str(partial))
    for key, value in {
        "losange.game": "hex", "losange.sizes": ",".join(map(str, sizes)), "losange.features": "hex-1",
        "losange.outputs": "actions", "losange.value_range": "-1..1", "losange.precision": "float32",
        "losange.trained_with": note, "losange.licence": "MIT OR Apache-2.0",
    }.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(model, str(partial))
    os.replace(partial, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--sizes", default="11", help="board sizes, such as 5,7,9")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--window", type=int, default=300_000, help="positions of the replay window")
    parser.add_argument("--reuse", type=float, default=4.0, help="times that each position is trained on")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning; a tenth at the end")
    parser.add_argument("--minutes", type=float, default=60, help="training time of the whole run")
    parser.add_argument("--publish", type=float, default=10, help="seconds between models")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    sizes = sorted(int(size) for size in options.sizes.split(","))
    shards, model = options.run / "shards", options.run / "model.onnx"
    shards.mkdir(parents=True, exist_ok=True)

    net = Net(options.channels, options.blocks).to(device)
    # The mean of the weights over the last steps plays better than the last ones.
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True
    )
    optimizer = torch.optim.Adam(net.parameters(), lr=options.rate)
    state = {"steps": 0, "positions": 0, "trained": 0.0, "seconds": 0.0}
    checkpoint = options.run / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, map_location=device)
        net.load_state_dict(saved["net"])
        mean.load_state_dict(saved["mean"])
        optimizer.load_state_dict(saved["optimizer"])
        state = saved["state"]
    note = f"descent self-play, {options.channels} channels, {options.blocks} blocks"

    def publish():
        twin = Net(options.channels, options.blocks)
        twin.load_state_dict(mean.module.state_dict())
        export(twin, model, sizes, f"{note}, {state['positions']} positions, {state['steps']} steps")
        partial = checkpoint.with_suffix(".part")
        torch.save(
            {"net": net.state_dict(), "mean": mean.state_dict(), "optimizer": optimizer.state_dict(), "state": state},
            partial,
        )
        os.replace(partial, checkpoint)

    if not model.exists():
        publish()
    replay, known, losses = Replay(options.window), set(), []
    # What was trained on before a restart is in the window, but not new.
    for path in sorted(shards.glob("*.npz")):
        known.add(path.name)
        replay.add(path)
    begun, published = time.monotonic() - state["seconds"], time.monotonic()
    while time.monotonic() - begun < 60 * options.minutes:
        for path in sorted(shards.glob("*.npz")):
            if path.name not in known:
                known.add(path.name)
                state["positions"] += replay.add(path)
        if state["trained"] >= options.reuse * state["positions"] or not replay.parts:
            time.sleep(0.1)
        else:
            share = min((time.monotonic() - begun) / (60 * options.minutes), 1)
            for group in optimizer.param_groups:
                group["lr"] = options.rate * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)
            net.train()
            planes, targets, weights = (x.to(device) for x in replay.batch(options.batch, rng))
            loss = (weights * (net(planes) - targets) ** 2).sum() / weights.sum()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            mean.update_parameters(net)
            state["steps"] += 1
            state["trained"] += options.batch
            losses.append(loss.item())
        if time.monotonic() - published >= options.publish:
            state["seconds"] = time.monotonic() - begun
            publish()
            published = time.monotonic()
            told = f"{np.mean(losses):.4f}" if losses else "-"
            print(f"{state['seconds']:6.0f} s  {state['steps']} steps  {state['positions']} positions  loss {told}", flush=True)
            losses = []
    state["seconds"] = time.monotonic() - begun
    publish()


if __name__ == "__main__":
    main()
