#!/usr/bin/env bash
# Levels: each plays the one below it, or the one so many below, with the model that is compiled in.
#
#   scripts/experiments/levels.sh
#   GAME=hex SIZE=11 scripts/experiments/levels.sh --games 40 4
#
# The argument is the distance (1). Environment: GAMES (200), GAME (go), SIZE (9), RESULTS (runs/experiments.tsv), LOSANGE.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/experiments/common.sh

step=${1:-1}
game=${GAME:-go}
size=${SIZE:-9}
model=models/$game.onnx
[ -e "$model" ] || { echo "levels: there is no $model; the games with one are go, hex, avalam and breakthrough" >&2; exit 1; }
# Go has ranks, other games have numbers.
highest=20
[ "$game" != go ] || highest=39
title "$game ${size}x$size, $(basename "$model"): each level against the one $step below"
for ((level = 1 + step; level <= highest; level += step)); do
    match "$level against $((level - step))" --game "$game" --size "$size" --playouts 100000 --memory 64 \
        --first "$model" --second "$model" --set-first level="$level" --set-second level="$((level - step))"
done
