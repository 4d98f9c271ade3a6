#!/usr/bin/env python3
"""Makes the variants of a model that some processors and GPUs run faster: 16-bit floats, and 8-bit integers whose ranges come
from positions of self-play.

    pip install onnxruntime==1.31.1
    scripts/train/variants.py runs/hex/model.onnx runs/hex/shards FOLDER
    losange model check FOLDER
    losange hex --model FOLDER      # takes the one that this machine runs fastest

FOLDER gets float32.onnx (the model itself), float16.onnx and int8.onnx. How far their outputs are from the model's is printed
for each output, as a share of its spread over those positions.
"""
import argparse
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from onnxruntime.transformers.float16 import convert_float_to_float16

BATCH = 16


class Positions(CalibrationDataReader):
    """Batches of planes, one after the other."""

    def __init__(self, planes):
        self.batches = iter([{"input": planes[k : k + BATCH]} for k in range(0, len(planes), BATCH)])

    def get_next(self):
        return next(self.batches, None)


def positions(folder, count):
    """So many positions of one board, evenly from the newest shards."""
    parts = []
    for path in sorted(folder.glob("*.npz"), reverse=True):
        with np.load(path) as shard:
            planes = shard["planes"]
        if parts and planes.shape[1:] != parts[0].shape[1:]:
            continue
        parts.append(planes[:: max(1, len(planes) // 128)].astype(np.float32))
        if sum(map(len, parts)) >= count:
            break
    if not parts:
        raise SystemExit(f"variants: there are no shards in {folder}")
    return np.concatenate(parts)[:count]


def describe(variant, original, precision):
    """The metadata of the model, but for the precision."""
    del variant.metadata_props[:]
    for entry in original.metadata_props:
        copy = variant.metadata_props.add()
        copy.key, copy.value = entry.key, precision if entry.key == "losange.precision" else entry.value
    return variant


def outputs(path, planes):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return dict(zip([port.name for port in session.get_outputs()], session.run(None, {"input": planes})))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("shards", type=Path, help="folder with shards of self-play")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=512)
    options = parser.parse_args()
    planes = positions(options.shards, options.positions)
    original = onnx.load(str(options.model))
    options.folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(options.model, options.folder / "float32.onnx")

    half = convert_float_to_float16(onnx.load(str(options.model)), keep_io_types=True)
    onnx.save(describe(half, original, "float16"), str(options.folder / "float16.onnx"))

    target = options.folder / "int8.onnx"
    with tempfile.TemporaryDirectory() as scratch:
        prepared = Path(scratch) / "prepared.onnx"
        quant_pre_process(str(options.model), str(prepared), skip_symbolic_shape=True)
        quantize_static(
            str(prepared), str(target), Positions(planes), quant_format=QuantFormat.QDQ, per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )
    onnx.save(describe(onnx.load(str(target)), original, "int8"), str(target))

    expected = outputs(options.model, planes)
    for name in ("float16", "int8"):
        found = outputs(options.folder / f"{name}.onnx", planes)
        told = [
            f"{output} {np.sqrt(((found[output] - values) ** 2).mean()) / values.std():.1%}"
            for output, values in expected.items()
        ]
        print(f"{name}: {', '.join(told)}")


if __name__ == "__main__":
    main()
