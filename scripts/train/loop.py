"""The training loop: takes shards in as they appear, steps, publishes models, keeps a checkpoint to go on from."""
import math
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from tensorboardX import SummaryWriter
from torch import nn

from data import Replay, read
from export import export, load_model
from losses import loss
from nets import Trunk, net_for

# How a run's own positions came about, by what is learned.
WAYS = {"actions": "descent", "states": "descent by values of states", "policy": "search by policy"}


@torch.no_grad()
def validate(net, replay):
    """The mean loss over positions that were held out; None while there are none."""
    losses, weights = [], []
    for batch in replay.held_out():
        losses.append(loss(net.eval(), batch).item())
        weights.append(len(batch["planes"]))
    return np.average(losses, weights=weights) if losses else None


@torch.no_grad()
def measure_norms(net, planes):
    """Sets the means and variances of all norms to those of a batch, and their scales so that nothing else changes."""

    def measure(norm, inputs):
        mean, variance = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        norm.bias += scale * (mean - norm.running_mean)
        norm.weight.copy_(scale * (variance + norm.eps).sqrt())
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)

    hooks = [part.register_forward_pre_hook(measure) for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    net.eval()(planes)
    for hook in hooks:
        hook.remove()


def settle(net):
    """Has the norms of a net in training use the numbers that its model will have, and not those of each batch. The means and
    variances of 7×7 are others than those of 19×19, but a model has one set of them."""
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.eval()


def drift(means, weights, steps):
    """Moves the mean of the weights on by a step: over all steps at first, or most of it would be random weights, and then over some 200."""
    decay = min(0.995, (float(steps) + 1) / (float(steps) + 10))
    torch.optim.swa_utils.get_ema_multi_avg_fn(decay)(means, weights, steps)


class Training:
    """One run: its folder, its net and all that a checkpoint keeps."""

    # Seconds after which the file that has self-play wait is renewed; `losange selfplay` heeds it for a minute.
    RENEWED = 10
    # Steps after which the norms of a net for several sizes, which begins with random weights, stand still.
    UNSETTLED = 1000
    # Steps in which the rate rises to its full height: Adam's first ones go equally far in every weight.
    WARM = 200
    # Seconds between looks for new shards; where a GPU trains, threads that read them, and shards that are read at once.
    LOOK, READERS, AT_ONCE = 0.5, 4, 16

    def __init__(self, game, learn, options):
        self.game, self.learn, self.options = game, learn, options
        self.shards, self.model = options.run / "shards", options.run / "model.onnx"
        # Where models are tried before they are played with, the new one waits under another name.
        self.newest = options.run / "candidate.onnx" if options.gated else self.model
        self.checkpoint = options.run / "checkpoint.pt"
        # The file that has self-play wait, and when it was written last.
        self.wait, self.waited = options.run / "wait", None
        self.wait.unlink(missing_ok=True)
        self.shards.mkdir(parents=True, exist_ok=True)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.rng = np.random.default_rng(options.seed)
        self.net = self.make().to(self.device, memory_format=torch.channels_last)
        # Convolutions with 16-bit products where there are instructions for them: 1.7 (AMX) to 1.9 (AVX-512) times as many steps.
        if self.device == "cpu":
            self.net.short = torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
        else:
            self.net.short = torch.cuda.is_bf16_supported(including_emulation=False)
        if options.start and not self.checkpoint.exists():
            load_model(self.net, options.start)
        # The mean of the weights over the last steps plays better than the last ones.
        # The count of the steps is the one of this object: asking a GPU for the one that it is given would wait for all its work.
        self.mean = torch.optim.swa_utils.AveragedModel(
            self.net, multi_avg_fn=lambda means, weights, _: drift(means, weights, self.state["steps"]), use_buffers=True
        )
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=options.rate, fused=self.device == "cuda")
        # "taught": of the positions, those of a teacher's games.
        self.state = {"steps": 0, "positions": 0, "taught": 0, "trained": 0.0, "seconds": 0.0}
        # Shards that count already: those of the window. What has left it is deleted.
        self.replay, self.known = Replay(game, options.window, options.reuse, self.device), set()
        # Shards that are being read, in their order, and when they were looked for last.
        self.readers, self.reading, self.looked = ThreadPoolExecutor(self.READERS), {}, -math.inf
        if self.checkpoint.exists():
            self.restore()
        self.begun = time.monotonic() - self.state["seconds"]
        self.losses = []

    def make(self):
        """A net with random weights."""
        side = self.game.sizes[0] + 2 * self.game.border
        return net_for(self.game, self.learn, self.options.channels, self.options.blocks, side)

    def restore(self):
        """Goes on from the checkpoint. Its shards are in the window, but not new."""
        saved = torch.load(self.checkpoint, map_location=self.device)
        self.net.load_state_dict(saved["net"])
        self.mean.load_state_dict(saved["mean"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.state, self.known = self.state | saved["state"], set(saved["known"])
        for path in sorted(self.shards.glob("*.npz")):
            if path.name in self.known:
                self.replay.add(path, read(path), saved.get("uses", {}).get(path.name, 0))

    def note(self):
        """How the model came about, for its metadata."""
        options, state = self.options, self.state
        begun_with = f"from {options.start.name}, " if options.start else ""
        played = state["positions"] - state["taught"]
        counts = [(state["taught"], "positions of a teacher"), (played, f"positions of self-play by {WAYS[self.learn]}")]
        told = ", ".join(f"{count} {what}" for count, what in counts if count) or "no positions"
        return f"{begun_with}{told}, {state['steps']} steps, {options.channels} channels, {options.blocks} blocks"

    def share(self):
        """Of the time of the run, the share that is over; all of a run that only writes its model."""
        whole = 60 * self.options.minutes
        return min((time.monotonic() - self.begun) / whole, 1) if whole > 0 else 1

    def publish(self, path):
        """Writes the share of time, the model and the checkpoint, each whole or not at all."""
        partial = self.options.run / "share.part"
        partial.write_text(f"{self.share():.4f}\n")
        os.replace(partial, self.options.run / "share")
        twin = self.make()
        twin.load_state_dict(self.mean.module.state_dict())
        export(self.game, twin, path, self.game.sizes, self.note(), self.options.advice, self.options.taught_by)
        partial = self.checkpoint.with_suffix(".part")
        torch.save(
            {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "optimizer": self.optimizer.state_dict(),
             "state": self.state, "known": [part["path"].name for part in self.replay.parts],
             "uses": {part["path"].name: part["uses"] for part in self.replay.parts}},
            partial,
        )
        os.replace(partial, self.checkpoint)

    def pace(self):
        """Has self-play wait while it is too far ahead. The file is renewed, since one that is old means a trainer that was killed."""
        ahead, now = self.options.ahead, time.monotonic()
        if ahead is None:
            return
        owed = self.state["positions"] - self.state["trained"] / self.options.reuse
        if owed > (ahead / 2 if self.waited else ahead):
            if not self.waited or now - self.waited >= self.RENEWED:
                self.wait.touch()
                self.waited = now
        elif self.waited:
            self.wait.unlink(missing_ok=True)
            self.waited = None

    def take_in(self):
        """Adds the shards that have appeared; a GPU trains on while they are read."""
        if (now := time.monotonic()) - self.looked < self.LOOK:
            return
        self.looked = now
        for path in sorted(self.shards.glob("*.npz")):
            if path.name in self.known:
                continue
            if self.device == "cpu":
                self.add(path, read(path))
            elif path not in self.reading and len(self.reading) < self.AT_ONCE:
                self.reading[path] = self.readers.submit(read, path)
        for path, arrays in list(self.reading.items()):
            if not arrays.done():
                break
            self.add(path, self.reading.pop(path).result())

    def add(self, path, arrays):
        """Adds a shard that was read."""
        self.known.add(path.name)
        count = self.replay.add(path, arrays)
        self.state["positions"] += count
        self.state["taught"] += count if "-teacher" in path.name else 0

    def step(self):
        """One step of the optimizer over one batch."""
        options, net = self.options, self.net
        rate = options.rate * min(1, (self.state["steps"] + 1) / self.WARM)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * (0.1 + 0.9 * (1 + math.cos(math.pi * self.share())) / 2)
        batch = self.replay.batch(options.batch, self.rng)
        batch["planes"] = batch["planes"].contiguous(memory_format=torch.channels_last)
        if self.state["steps"] == 0:
            if options.start:
                measure_norms(net, batch["planes"])
            elif isinstance(net, Trunk):
                net.silence(batch["planes"])
            self.mean.module.load_state_dict(net.state_dict())
        net.train()
        if len(self.game.sizes) > 1 and (options.start or self.state["steps"] >= self.UNSETTLED):
            settle(net)
        error = loss(net, batch)
        self.optimizer.zero_grad(set_to_none=True)
        error.backward()
        self.optimizer.step()
        self.mean.update_parameters(net)
        self.state["steps"] += 1
        self.state["trained"] += options.batch
        self.losses.append(error.detach())

    def keep(self):
        """Copies the newest model every `--keep` minutes; 0 keeps none."""
        if self.options.keep <= 0:
            return
        kept = int(self.state["seconds"] / 60 / self.options.keep) * self.options.keep
        if kept > 0 and not (copy := self.options.run / f"after-{kept:g}.onnx").exists():
            partial = copy.with_suffix(".part")
            shutil.copy(self.newest, partial)
            os.replace(partial, copy)

    def report(self, log):
        """Prints and draws the losses since the last report."""
        state = self.state
        figures = {
            "loss": torch.stack(self.losses).mean().item() if self.losses else None,
            "held out": validate(self.mean.module, self.replay),
        }
        told = "  ".join(f"{name} {'-' if figure is None else f'{figure:.4f}'}" for name, figure in figures.items())
        print(f"{state['seconds']:6.0f} s  {state['steps']} steps  {state['positions']} positions  {told}", flush=True)
        figures |= {"positions": state["positions"], "rate": self.optimizer.param_groups[0]["lr"]}
        for name, figure in figures.items():
            if figure is not None:
                log.add_scalar(name.replace(" ", "_"), figure, state["steps"])
        log.flush()
        self.losses = []

    def run(self):
        """Trains until the time is over."""
        options, state = self.options, self.state
        # Also of a run that goes on: it may serve other sizes now.
        if not (options.gated and self.model.exists()):
            self.publish(self.model)
        log = SummaryWriter(str(options.run / "tensorboard"))
        published = time.monotonic()
        while time.monotonic() - self.begun < 60 * options.minutes and not self.is_enough():
            self.take_in()
            self.pace()
            if state["trained"] >= options.reuse * state["positions"] or not self.replay.parts:
                time.sleep(0.1)
            else:
                self.step()
            if time.monotonic() - published >= options.publish:
                state["seconds"] = time.monotonic() - self.begun
                self.publish(self.newest)
                self.keep()
                published = time.monotonic()
                self.report(log)
        state["seconds"] = time.monotonic() - self.begun
        self.wait.unlink(missing_ok=True)
        self.publish(self.newest)
        log.close()

    def is_enough(self):
        """Whether the run has made as many steps as it was asked for."""
        return self.options.steps is not None and self.state["steps"] >= self.options.steps
