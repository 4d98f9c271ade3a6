#!/usr/bin/env bash
# Local strategies against the same player without them on Go 9x9, at equal playouts (A. Fabbri, 2015, figure 6.10: a small
# gain at few playouts).
#
#   scripts/experiments/strategies.sh
#   scripts/experiments/strategies.sh --games 40 1000
#
# Both play by the preset `strategies-2015`, the second one without strategies.
#
# Arguments: playouts a move (1000 2000 4000 8000 16000). Environment: GAMES (200), WEIGHT (0.3), EXPLORATION (1.4), SIZE (9),
# RESULTS (runs/experiments.tsv), LOSANGE.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/experiments/common.sh

weight=${WEIGHT:-0.3}
exploration=${EXPLORATION:-1.4}
[ $# -gt 0 ] || set -- 1000 2000 4000 8000 16000
title "Go ${SIZE:-9}x${SIZE:-9}, strategy_weight=$weight, strategy_exploration=$exploration"
for playouts; do
    match "$playouts playouts" --game go --size "${SIZE:-9}" --playouts "$playouts" \
        --preset-first strategies-2015 --preset-second strategies-2015 --set-second strategy_weight=0 \
        --set-first "strategy_weight=$weight" --set-first "strategy_exploration=$exploration"
done
