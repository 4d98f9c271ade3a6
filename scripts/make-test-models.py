#!/usr/bin/env python3
"""Writes the tiny models of tests/fixtures: random weights that never change, a few KiB each.

    pip install onnx numpy && scripts/make-test-models.py
"""
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "fixtures"
CHANNELS = 8


def weights(rng, *shape):
    scale = (2 / np.prod(shape[1:])) ** 0.5
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def model(outputs, *, planes=4, metadata=None, broken=None, seed=1):
    """Two convolutions (all attributes written out: the embedded runtime knows no defaults); then either the mean over the board, or a number for each cell inside the border."""
    rng = np.random.default_rng(seed)
    tensors = {
        "w1": weights(rng, CHANNELS, planes, 3, 3), "b1": np.zeros(CHANNELS, np.float32),
        "w2": weights(rng, CHANNELS, CHANNELS, 3, 3), "b2": np.zeros(CHANNELS, np.float32),
    }
    nodes = [
        helper.make_node("Conv", ["input", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1], strides=[1, 1], dilations=[1, 1], group=1),
        helper.make_node("Relu", ["c1"], ["r1"]),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], pads=[1, 1, 1, 1], strides=[1, 1], dilations=[1, 1], group=1),
        helper.make_node("Relu", ["c2"], ["r2"]),
    ]
    if outputs == "value":
        tensors["w3"] = weights(rng, CHANNELS, 1) if broken != "nan" else np.full((CHANNELS, 1), np.nan, np.float32)
        tensors["b3"] = np.zeros(1, np.float32)
        nodes += [
            helper.make_node("GlobalAveragePool", ["r2"], ["mean"]),
            helper.make_node("Flatten", ["mean"], ["flat"]),
            helper.make_node("Gemm", ["flat", "w3", "b3"], ["out"]),
        ]
        shape = ["batch", 1]
    else:
        tensors |= {"w3": weights(rng, 1, CHANNELS, 1, 1), "b3": np.zeros(1, np.float32)}
        tensors |= {"one": np.array([1, 1], np.int64), "end": np.array([-1, -1], np.int64), "axes": np.array([2, 3], np.int64)}
        nodes += [
            helper.make_node("Conv", ["r2", "w3", "b3"], ["c3"], pads=[0, 0, 0, 0], strides=[1, 1], dilations=[1, 1], group=1),
            helper.make_node("Slice", ["c3", "one", "end", "axes"], ["inner"]),
            helper.make_node("Flatten", ["inner"], ["out"]),
        ]
        shape = ["batch", "cells"]
    nodes.append(helper.make_node("Tanh", ["out"], [outputs]))
    graph = helper.make_graph(
        nodes, "losange-test",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["batch", planes, "rows", "columns"])],
        [helper.make_tensor_value_info(outputs, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(array, name) for name, array in tensors.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    properties = {
        "losange.game": "hex", "losange.sizes": "3-13", "losange.features": "hex-1", "losange.outputs": outputs,
        "losange.value_range": "-1..1", "losange.trained_with": "nothing: random weights", "losange.licence": "MIT OR Apache-2.0",
    } | (metadata or {})
    for key, value in properties.items():
        if value is not None:
            entry = made.metadata_props.add()
            entry.key, entry.value = key, value
    onnx.checker.check_model(made)
    return made


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    models = {
        "hex-value": model("value"),
        "hex-actions": model("actions", seed=2),
        "hex-nan": model("value", broken="nan"),
        "hex-planes": model("value", planes=3),
        "hex-output": model("actions", metadata={"losange.outputs": "value"}),
        "hex-encoding": model("value", metadata={"losange.features": "hex-0"}),
        "hex-no-sizes": model("value", metadata={"losange.sizes": None}),
        "hex-bad-range": model("value", metadata={"losange.value_range": "lots"}),
        "go-value": model("value", metadata={"losange.game": "go", "losange.features": "go-1"}),
    }
    for name, made in models.items():
        path = FOLDER / f"{name}.onnx"
        path.write_bytes(made.SerializeToString(deterministic=True))
        print(f"{path.name:20} {path.stat().st_size:6} bytes")


if __name__ == "__main__":
    main()
