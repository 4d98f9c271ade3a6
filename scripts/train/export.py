"""Models as files: ONNX with the metadata that the engine reads, and weights taken from an earlier one."""
import os

import onnx
import torch
from torch.nn import functional

from nets import States


def export(game, net, path, sizes, note, advice, teacher=None):
    """Writes the model with its metadata, under another name first. `src/eval/net/contract.rs` says what the metadata mean."""
    net = net.eval().cpu()
    side = sizes[-1] + 2 * game.border
    partial = path.with_suffix(".part")
    axes = {"input": {0: "batch"}, **{name: {0: "batch"} for name in net.outputs}}
    if not game.fixed and not isinstance(net, States):
        axes["input"].update({2: "rows", 3: "columns"})
        for name in net.outputs:
            if name in ("actions", "policy", "ownership"):
                axes[name][1] = "points" if name == "ownership" else "moves"
    torch.onnx.export(
        net, (torch.zeros(1, game.planes, side, side),), str(partial), input_names=["input"], output_names=net.outputs,
        dynamic_axes=axes, opset_version=17, dynamo=False,
    )
    model = onnx.load(str(partial))
    metadata = {
        "game": game.name, "sizes": ",".join(map(str, sizes)), "features": game.encoding, "outputs": ",".join(net.outputs),
        "value_range": "-1..1", "precision": "float32", "advice": str(advice), "trained_with": note,
        "licence": "MIT OR Apache-2.0",
    }
    if teacher:
        metadata["taught_by"] = teacher
    if game.scoring:
        metadata["scoring"] = game.scoring
    for key, value in metadata.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = f"losange.{key}", value
    onnx.save(model, str(partial))
    os.replace(partial, path)


def stretched(small, large, old, new):
    """Where the numbers of a layer lie in one of a wider net: a dimension is some times the channels, and then the rest."""
    times = (large - small) // (new - old) if new > old else 0
    rest = small - times * old
    if rest < 0 or times * new + rest != large:
        raise ValueError
    places = [torch.arange(old) + k * new for k in range(times)]
    return torch.cat([*places, torch.arange(rest) + times * new])


def widened(small, large, old, new):
    """The layer `large` with the numbers of a narrower one in it. What was there hears nothing of what is new, which hears everything."""
    places = [stretched(*sizes, old, new) for sizes in zip(small.shape, large.shape, strict=True)]
    whole = large.clone()
    if len(places) > 1:
        whole[places[0]] = 0
    whole[torch.meshgrid(*places, indexing="ij")] = small
    return whole


def deaf(weight, planes):
    """The weights of the first convolution, of so many planes: it hears nothing of those that it did not have."""
    return functional.pad(weight, (0, 0, 0, 0, 0, max(planes - weight.shape[1], 0)))


def load_model(net, path):
    """Takes the weights of a model that was made here, which may have fewer channels, blocks and planes, so that the net says what the
    model says: export joins each norm with the convolution before it."""
    held = {entry.name: torch.tensor(onnx.numpy_helper.to_array(entry)) for entry in onnx.load(str(path)).graph.initializer}
    weights = net.state_dict()
    joined = [tensor for name, tensor in held.items() if name not in weights]
    pairs = [(net.stem[0], net.stem[1])]
    pairs += [pair for block in net.blocks for pair in zip((block.first, block.second), block.norms)]
    # Of a convolution with its norm one tensor is the weights and one the biases; a block has two.
    blocks = (len(joined) // 2 - 1) // 2
    added = tuple(f"blocks.{number}." for number in range(blocks, len(net.blocks)))
    norms = ("stem.", "first.weight", "second.weight", "norms.")
    others = [name for name in weights if not name.startswith(added) and not any(part in name for part in norms)]
    try:
        old, new = len(joined[0]), net.stem[0].out_channels
        if len(joined) != 2 + 4 * blocks or not 0 < blocks <= len(net.blocks) or old > new:
            raise ValueError
        joined[0] = deaf(joined[0], net.stem[0].in_channels)
        numbers = {name: widened(held[name], weights[name].cpu(), old, new) for name in others}
        for (convolution, norm), weight, bias in zip(pairs, joined[::2], joined[1::2]):
            numbers[convolution] = widened(weight, convolution.weight.detach().cpu(), old, new)
            numbers[norm] = widened(bias, norm.bias.detach().cpu(), old, new)
    except (IndexError, KeyError, ValueError):
        raise SystemExit(
            f"train: {path} is another network: --game and --learn must be what it is, --channels and --blocks at least that"
        ) from None
    net.load_state_dict({**weights, **{name: numbers[name] for name in others}})
    with torch.no_grad():
        for convolution, norm in pairs[: 1 + 2 * blocks]:
            convolution.weight.copy_(numbers[convolution])
            norm.bias.copy_(numbers[norm])
            norm.weight.fill_(1)
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
        # A new block changes nothing before it has learned to.
        for block in net.blocks[blocks:]:
            block.norms[1].weight.zero_()
