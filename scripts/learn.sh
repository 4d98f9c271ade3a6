#!/usr/bin/env bash
# Makes a model, from nothing or from another one: plays and trains at once, until the time is over. May be killed and started again.
#
#   scripts/learn.sh --state DIR [--game hex] [--sizes 11] [--minutes 60] [--gate] [--play OPTIONS]
#                    [-- OPTION FOR train.py...]
#   scripts/learn.sh --state runs/hex5 --sizes 5 --minutes 10
#   scripts/learn.sh --state runs/avalam --game avalam --gate
#   scripts/learn.sh --state runs/hex --sizes 9,11 -- --start models/hex.onnx --rate 5e-4
#   scripts/learn.sh --state runs/loa --game loa --minutes 32 --play '--teacher loa --policy --searches 100' -- --learn policy
#   scripts/learn.sh --state runs/loa --game loa --minutes 64 -- --learn policy
#
# The last two go together: the engine's own knowledge plays first, where games by chance would find no end, and then the model.
#
# DIR/model.onnx is the model; try it with `losange hex --size 5 --model DIR/model.onnx`, or against the engine's own
# knowledge with `losange arena --game hex --size 5 --first DIR/model.onnx`.
#   --play         options for losange selfplay, such as '--searches 60'
#   --gate         a new model takes the place of the best one only after a sequential test that says it is nearer to the
#                  second lead of GATE_ELO (0,80) than to the first, of at most GATE_GAMES (200) games against it at
#                  GATE_PLAYOUTS (50) playouts a move; DIR/gate.tsv tells of each
# Needs `pip install -r scripts/train/requirements.txt`. Runs on Linux and macOS (bash from 3.2 on).
set -euo pipefail
usage() { sed -n '2,22s/^# \{0,1\}//p' "$0" >&2; exit 2; }
state='' game=hex sizes='' minutes=60 gate='' play=()
while [ $# -gt 0 ]; do
    case $1 in
        --state) state=${2:?}; shift 2 ;;
        --game) game=${2:?}; shift 2 ;;
        --sizes) sizes=${2:?}; shift 2 ;;
        --minutes) minutes=${2:?}; shift 2 ;;
        --play) read -ra play <<<"${2:?}"; shift 2 ;;
        --gate) gate=--gated; shift ;;
        --) shift; break ;;
        *) usage ;;
    esac
done
[ -n "$state" ] || usage
[ "${state#/}" != "$state" ] || state=$PWD/$state
if [ -n "${LOSANGE:-}" ]; then
    losange=$(command -v "$LOSANGE") || { echo "learn: LOSANGE names no program: $LOSANGE" >&2; exit 1; }
    losange=$(realpath "$losange")
fi
cd "$(dirname "$0")/.."

python3 -c 'import numpy, onnx, tensorboardX, torch' 2>/dev/null || {
    echo "learn: Python lacks what training needs: pip install -r scripts/train/requirements.txt" >&2
    exit 1
}
if [ -z "${losange:-}" ]; then
    losange=${CARGO_TARGET_DIR:-target}/release/losange
    [ -x "$losange" ] || cargo build --release --locked
fi
export LOSANGE=$losange
described=$("$losange" describe "$game" --json)
# The side of the game's usual board.
usual() { python3 -c 'import json, sys; print(json.loads(sys.argv[1])["usual"][0])' "$described"; }
sizes=${sizes:-$(usual)}
cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
mkdir -p "$state"

# Waits without holding the folder's lock.
pause() { sleep "$1" 9>&-; }

# One loop at a time works in a folder. The lock goes with the last of its processes.
exec 9>"$state/lock"
python3 -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null || {
    echo "learn: another loop is at work in $state" >&2
    exit 1
}
# Should the loop be killed, its processes end too, where the system has a way for that.
bound() { if command -v setpriv >/dev/null; then exec setpriv --pdeathsig KILL -- "$@"; else exec "$@"; fi; }
children=()
# They write what they have, which takes a moment.
trap 'kill ${children[@]+"${children[@]}"} 2>/dev/null || true; wait' EXIT
touch "$state/begun"
# The games wait for a trainer that is behind.
bound scripts/train/train.py "$state" --game "$game" --sizes "$sizes" --minutes "$minutes" $gate --ahead $((cores > 1 ? 20000 : 10000)) "$@" &
trainer=$!
children+=("$trainer")
# It writes its model at once, also where one lies there, which may serve other sizes; but a gated one stays.
ready() { [ "$state/model.onnx" -nt "$state/begun" ] || { [ -n "$gate" ] && [ -e "$state/model.onnx" ]; }; }
until ready; do
    kill -0 "$trainer" 2>/dev/null || { wait "$trainer"; exit 1; }
    pause 0.2
done
# The trainer takes of one core as much as it needs, and the games the rest; they end a little after it.
played=("$losange" selfplay "$state" --sizes "$sizes")
[[ " ${play[*]-} " == *" --threads "* ]] || played+=(--threads "$cores")
bound nice -n 10 "${played[@]}" ${play[@]+"${play[@]}"} &
helpers=("$!")
children+=("$!")
judge=(scripts/train/gate.py "$state" --game "$game" --size "${sizes##*,}")
if [ -n "$gate" ]; then
    bound "${judge[@]}" &
    helpers+=("$!")
    children+=("$!")
fi
# Whoever ends first takes the others along; only the trainer comes to an end of its own.
while kill -0 "$trainer" 2>/dev/null; do
    for helper in "${helpers[@]}"; do
        kill -0 "$helper" 2>/dev/null || {
            wait "$helper" || exit
            echo "learn: self-play or the gate has ended" >&2
            exit 1
        }
    done
    pause 0.5
done
wait "$trainer"
if [ -n "$gate" ]; then
    # The last model is tried too, which the gate may have no time for beside the training.
    kill "${helpers[@]}" 2>/dev/null || true
    wait "${helpers[@]}" || true
    echo "learn: trying the last model"
    bound "${judge[@]}" --once &
    children=("$!")
    wait "$!"
fi
