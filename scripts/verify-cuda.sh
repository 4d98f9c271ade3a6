#!/usr/bin/env bash
# Shows on a machine with an NVIDIA GPU that models really run there, rightly and how fast. Fails where there is none.
#
#   cargo build --release && scripts/get-onnxruntime.sh cuda && scripts/verify-cuda.sh [MODEL...]
#
# Without models it takes the tiny ones of tests/fixtures; for speeds worth knowing make larger ones with
# scripts/make-test-models.py. LOSANGE names another program than target/release/losange. Where Python has
# onnxruntime-gpu, its speed is printed beside ours.
set -euo pipefail
cd "$(dirname "$0")/.."

losange=${LOSANGE:-target/release/losange}
models=("$@")
[ ${#models[@]} -gt 0 ] || models=(tests/fixtures/hex-policy.onnx tests/fixtures/go-all.onnx)
home=${XDG_DATA_HOME:-$HOME/.local/share}/losange

fail() {
    echo "verify-cuda: $*" >&2
    exit 1
}
# The output must hold the text.
expect() {
    local text=$1 output=$2
    grep -qF -- "$text" <<<"$output" || fail "expected '$text' in: $output"
}
# One search with a model; the first argument is the back end, settings of the environment may follow.
play() {
    local backend=$1
    shift
    env "$@" "$losange" hex --size 5 --playouts 20 --threads 1 --backend "$backend" \
        --model tests/fixtures/hex-value.onnx <<<$'genmove b\nquit' 2>&1
}

[ -x "$losange" ] || fail "$losange is not there; cargo build --release makes it"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null ||
    fail "there is no NVIDIA GPU here (nvidia-smi does not find one)"
[ -e "$home/libonnxruntime_providers_cuda.so" ] || fail "scripts/get-onnxruntime.sh cuda was not run"

echo "== the GPU calculates, and what the processor does"
for model in "${models[@]}"; do
    output=$("$losange" model check "$model") || fail "$output"
    echo "$output"
    expect "ort-cuda (CUDAExecutionProvider (" "$output"
done

echo "== speed"
for model in "${models[@]}"; do
    "$losange" bench eval "$model" --backend ort-cuda --batches 1,8,32,128,512 --threads 1
    "$losange" bench eval "$model" --backend ort-cuda --batches 32 --threads 4 --sessions 8
    python3 - "$model" <<'PYTHON' || true
import sys, time
try:
    import numpy as np, onnxruntime as ort
except ImportError:
    sys.exit("no Python onnxruntime-gpu to compare with")
if "CUDAExecutionProvider" not in ort.get_available_providers():
    sys.exit("this Python's onnxruntime is not the one for GPUs")
session = ort.InferenceSession(sys.argv[1], providers=["CUDAExecutionProvider"])
planes = session.get_inputs()[0].shape[1]
side = 13 if planes == 4 else 9
for batch in (1, 8, 32, 128, 512):
    x = np.random.default_rng(1).random((batch, planes, side, side), np.float32)
    for _ in range(10):
        session.run(None, {"input": x})
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < 1:
        session.run(None, {"input": x})
        calls += 1
    print(f"  Python onnxruntime-gpu, batch {batch:4}: {batch * calls / (time.perf_counter() - start):10.0f} positions/s")
PYTHON
done

echo "== what is missing is said, and the next back end taken"
output=$(play ort-cuda) || fail "$output"
expect "runs on ort-cuda:0 (CUDAExecutionProvider (" "$output"
hidden=$(mktemp -d)
trap 'rm -rf "$hidden"' EXIT
mkdir "$hidden/losange"
ln -s "$home"/* "$hidden/losange/"
rm -f "$hidden"/losange/libcudnn*
for missing in "ORT_DYLIB_PATH=/nonexistent" "CUDA_VISIBLE_DEVICES=-1" "XDG_DATA_HOME=$hidden"; do
    if output=$(play ort-cuda "$missing"); then
        # cuDNN may be installed for the whole system.
        case $missing in XDG*) echo "$missing: another cuDNN was found" ;; *) fail "$missing: $output" ;; esac
    else
        expect "cannot be run" "$output"
        expect "scripts/get-onnxruntime.sh" "$output"
        echo "$missing: $output"
        output=$(play auto "$missing") || fail "$output"
        grep "runs on" <<<"$output"
    fi
done
echo "== all as it should be"
