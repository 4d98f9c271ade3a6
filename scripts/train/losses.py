"""Losses: one term for each output of a net, added up. A batch holds the arrays of `src/learn/shard.rs`."""
import torch
from torch.nn import functional

from nets import OwnerPolicy


def actions(found, batch):
    """Squared error of the values of actions, by how much each counts."""
    weights = batch["weights"]
    return (weights * (found - batch["targets"]) ** 2).sum() / weights.sum()


def value(found, batch):
    """Squared error of the value; where positions count differently, by how much each does."""
    errors = (found[:, 0] - batch["values"]) ** 2
    counts = batch.get("counts")
    return errors.mean() if counts is None else (counts * errors).sum() / counts.sum()


def policy(found, batch):
    """Cross entropy between the shares of visits and the policy over legal moves."""
    legal = torch.where(batch["weights"] > 0, found, torch.full_like(found, -1e9))
    return -(batch["targets"] * functional.log_softmax(legal, 1)).sum(1).mean()


def steps(found, batch, entries):
    """The same where a move's logit is the sum of two entries of the policy: few moves of such a game are legal."""
    rows, moves = batch["weights"].nonzero(as_tuple=True)
    logits = found[rows, entries[0, moves]] + found[rows, entries[1, moves]]
    least = torch.full_like(found[:, 0], -1e9)
    logits = logits - least.scatter_reduce(0, rows, logits.detach(), "amax")[rows]
    sums = torch.zeros_like(least).index_add(0, rows, logits.exp())
    return -(batch["targets"][rows, moves] * (logits - sums.log()[rows])).sum() / len(found)


def ownership(found, batch):
    """Squared error of the owners."""
    return functional.mse_loss(found, batch["owners"])


def score(found, batch):
    """Error of the lead, in units of a usual one; squared where it is small."""
    unit = OwnerPolicy.LEAD
    return functional.smooth_l1_loss(found[:, 0] / unit, batch["scores"] / unit)


# Each output's term, and how much it counts.
TERMS = {"actions": (actions, 1.0), "value": (value, 1.0), "policy": (policy, 1.0), "ownership": (ownership, 0.5), "score": (score, 0.2)}


def loss(net, batch):
    """The loss of a net over a batch."""
    found = net(batch["planes"])
    found = (found,) if torch.is_tensor(found) else found
    entries = getattr(net, "entries", None)
    total = 0.0
    for name, output in zip(net.outputs, found, strict=True):
        term, weight = TERMS[name]
        if name == "policy" and entries is not None:
            total = total + weight * steps(output, batch, entries)
        else:
            total = total + weight * term(output, batch)
    return total
