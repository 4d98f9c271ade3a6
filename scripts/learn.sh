#!/usr/bin/env bash
# Makes a Hex model from nothing: plays and trains at once, until the time is over. May be killed and started again.
#
#   scripts/learn.sh RUN SIZES MINUTES [OPTION FOR train.py...]
#   scripts/learn.sh runs/hex5 5 10
#
# RUN/model.onnx is the model; try it with `losange hex --size 5 --model RUN/model.onnx`, or against the engine's own
# knowledge with `losange arena --size 5 --first RUN/model.onnx`. Needs `pip install -r scripts/train/requirements.txt`.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,8s/^# \?//p' "$0" >&2; exit 2; }
run=$1 sizes=$2 minutes=$3
shift 3
cd "$(dirname "$0")/.."

python3 -c 'import numpy, onnx, torch' 2>/dev/null || {
    echo "learn: Python lacks what training needs: pip install -r scripts/train/requirements.txt" >&2
    exit 1
}
losange=${LOSANGE:-target/release/losange}
[ -x "$losange" ] || cargo build --release --locked
cores=$(nproc)
mkdir -p "$run"

scripts/train/train.py "$run" --sizes "$sizes" --minutes "$minutes" "$@" &
trainer=$!
trap 'kill $trainer 2>/dev/null || true' EXIT
while [ ! -e "$run/model.onnx" ]; do
    kill -0 $trainer 2>/dev/null || { wait $trainer; exit 1; }
    sleep 0.2
done
# One core is the trainer's; the games end a little after it.
"$losange" selfplay "$run" --sizes "$sizes" --threads $((cores > 1 ? cores - 1 : 1)) &
player=$!
trap 'kill $trainer $player 2>/dev/null || true' EXIT
wait $trainer
