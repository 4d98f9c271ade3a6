#!/usr/bin/env python3
"""Models with random weights that never change: those of tests/fixtures, a few KiB each, or a large one to measure with.

    pip install onnx onnxruntime numpy sympy
    scripts/make-test-models.py
    scripts/make-test-models.py --game go --outputs policy,value --channels 64 --blocks 6 64x6.onnx
    scripts/make-test-models.py --channels 64 --blocks 6 --int8 64x6-int8.onnx
"""
import argparse
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "fixtures"
PLANES = {"hex": 4, "go": 21}
# Version of the encoding.
ENCODINGS = {"hex": "hex-1", "go": "go-2"}
# Rows and columns around the board in the encoding.
BORDER = {"hex": 1, "go": 0}


class Net:
    """A graph under construction. All attributes are written out: the embedded runtime knows no defaults."""

    def __init__(self, seed):
        self.rng, self.nodes, self.tensors = np.random.default_rng(seed), [], {}

    def weights(self, *shape):
        scale = (2 / np.prod(shape[1:])) ** 0.5
        return (self.rng.standard_normal(shape) * scale).astype(np.float32)

    def constant(self, name, array):
        self.tensors[name] = array
        return name

    def add(self, kind, inputs, **attributes):
        out = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], **attributes))
        return out

    def conv(self, source, inputs, outputs, size):
        name = f"w{len(self.tensors)}"
        weights = self.constant(name, self.weights(outputs, inputs, size, size))
        bias = self.constant(name + "b", np.zeros(outputs, np.float32))
        pad = size // 2
        return self.add("Conv", [source, weights, bias], pads=[pad] * 4, strides=[1, 1], dilations=[1, 1], group=1)

    def dense(self, source, inputs, fill=None, bias=0.0):
        name = f"w{len(self.tensors)}"
        weights = self.weights(inputs, 1) if fill is None else np.full((inputs, 1), fill, np.float32)
        bias = self.constant(name + "b", np.full(1, bias, np.float32))
        return self.add("Gemm", [source, self.constant(name, weights), bias], alpha=1.0, beta=1.0, transA=0, transB=0)

    def points(self, source, channels, border):
        """One number for each point inside the border."""
        numbers = self.conv(source, channels, 1, 1)
        if border:
            bounds = [("begin", border), ("end", -border), ("axes", None)]
            names = [
                self.constant(name, np.array([2, 3] if at is None else [at, at], np.int64)) for name, at in bounds
            ]
            numbers = self.add("Slice", [numbers, *names])
        return self.add("Flatten", [numbers], axis=1)


def model(outputs, *, game="hex", planes=None, channels=8, blocks=0, metadata=None, fill=None, seed=1):
    """Two convolutions, residual blocks, and a head for each output."""
    net, border = Net(seed), BORDER[game]
    planes = planes or PLANES[game]
    x = net.add("Relu", [net.conv("input", planes, channels, 3)])
    x = net.add("Relu", [net.conv(x, channels, channels, 3)])
    for _ in range(blocks):
        y = net.add("Relu", [net.conv(x, channels, channels, 3)])
        x = net.add("Relu", [net.add("Add", [x, net.conv(y, channels, channels, 3)])])
    mean = net.add("Flatten", [net.add("GlobalAveragePool", [x])], axis=1)
    ports = []
    for name in outputs.split(","):
        if name == "value":
            head, width = net.add("Tanh", [net.dense(mean, channels, fill)]), 1
        elif name == "score":
            head, width = net.dense(mean, channels), 1
        elif name == "actions":
            head, width = net.add("Tanh", [net.points(x, channels, border)]), "moves"
        elif name == "ownership":
            head, width = net.add("Tanh", [net.points(x, channels, border)]), "points"
        else:
            head, width = net.points(x, channels, border), "moves"
            if game == "go":
                # Passes are rare, so that games last.
                head = net.add("Concat", [head, net.dense(mean, channels, bias=-6)], axis=1)
        net.nodes.append(helper.make_node("Identity", [head], [name]))
        ports.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", width]))
    graph = helper.make_graph(
        net.nodes, "losange-test",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["batch", planes, "rows", "columns"])],
        ports, [numpy_helper.from_array(array, name) for name, array in net.tensors.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    describe(made, {
        "losange.game": game, "losange.sizes": "3-13" if game == "hex" else "2-19", "losange.features": ENCODINGS[game],
        "losange.outputs": outputs, "losange.value_range": "-1..1", "losange.trained_with": "nothing: random weights",
        "losange.licence": "MIT OR Apache-2.0",
    } | (metadata or {}))
    onnx.checker.check_model(made)
    return made


def describe(made, properties):
    kept = {entry.key: entry.value for entry in made.metadata_props} | properties
    del made.metadata_props[:]
    for key, value in kept.items():
        if value is not None:
            entry = made.metadata_props.add()
            entry.key, entry.value = key, value


def int8(made, game, size):
    """The same model, quantised: calibrated on random stones."""
    from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(CalibrationDataReader):
        def __init__(self):
            rng, side = np.random.default_rng(5), size + 2 * BORDER[game]
            self.batches = iter([
                {"input": (rng.random((1, PLANES[game], side, side)) < 0.3).astype(np.float32)} for _ in range(64)
            ])

        def get_next(self):
            return next(self.batches, None)

    with tempfile.TemporaryDirectory() as folder:
        source, clean, target = (str(Path(folder) / name) for name in ("source.onnx", "clean.onnx", "target.onnx"))
        onnx.save(made, source)
        quant_pre_process(source, clean, skip_symbolic_shape=True)
        quantize_static(clean, target, Reader(), per_channel=True, activation_type=QuantType.QUInt8,
                        weight_type=QuantType.QInt8)
        quantised = onnx.load(target)
    describe(quantised, {entry.key: entry.value for entry in made.metadata_props} | {"losange.precision": "int8"})
    return quantised


def write(path, made):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.SerializeToString(deterministic=True))
    print(f"{path.name:24} {path.stat().st_size:8} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, help="where to write one model; without it, the fixtures")
    parser.add_argument("--game", choices=PLANES, default="hex")
    parser.add_argument("--outputs", help="such as policy,value; actions for Hex and policy,value for Go unless it is said")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--int8", action="store_true", help="quantise it")
    options = parser.parse_args()
    if options.file:
        outputs = options.outputs or {"hex": "actions", "go": "policy,value"}[options.game]
        made = model(outputs, game=options.game, channels=options.channels, blocks=options.blocks)
        write(options.file, int8(made, options.game, 11) if options.int8 else made)
        return
    actions = model("actions", seed=2)
    models = {
        "hex-value": model("value"),
        "hex-actions": actions,
        "hex-policy": model("value,policy", seed=3, metadata={"losange.value_range": "0..1"}),
        "hex-nan": model("value", fill=np.nan),
        "hex-planes": model("value", planes=3),
        "hex-output": model("actions", metadata={"losange.outputs": "value"}),
        "hex-encoding": model("value", metadata={"losange.features": "hex-0"}),
        "hex-no-sizes": model("value", metadata={"losange.sizes": None}),
        "hex-bad-range": model("value", metadata={"losange.value_range": "lots"}),
        "hex-bad-advice": model("value", metadata={"losange.advice": "often"}),
        "go-bad-scoring": model("policy,value", game="go", metadata={"losange.scoring": "stones"}),
        "hex-shape": model("actions"),
        "go-value": model("value", game="go"),
        "go-policy": model("policy,value", game="go", seed=4),
        "go-all": model("policy,value,ownership,score", game="go", seed=5, metadata={"losange.scoring": "area"}),
        "hex-variants/float32": actions,
        "hex-variants/int8": int8(actions, "hex", 7),
    }
    # An output with the right name and the wrong number of numbers: what the first convolution gives.
    graph = models["hex-shape"].graph
    graph.node[-1].input[0] = graph.node[1].output[0]
    for name, made in models.items():
        write(FOLDER / f"{name}.onnx", made)


if __name__ == "__main__":
    main()
