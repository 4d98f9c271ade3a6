#!/usr/bin/env bash
# Go: what each part of `search=puct` is worth. The search as it is plays the search without one part, at as many playouts for both.
#
#   scripts/experiments/search-features.sh
#   MODEL=kata1.bin.gz SIZE=9 PLAYOUTS=200 scripts/experiments/search-features.sh --games 100
#
# A part that is worth something wins more than half. Environment: GAMES (200), PLAYOUTS (100), SIZE (9), MODEL (models/go.onnx), RESULTS
# (runs/experiments.tsv), LOSANGE.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/experiments/common.sh

playouts=${PLAYOUTS:-100}
size=${SIZE:-9}
model=${MODEL:-models/go.onnx}
title "Go ${size}x$size, $playouts playouts a move, $(basename "$model"): the search as it is against"
without() {
    local name=$1
    shift
    match "$name" --game go --size "$size" --playouts "$playouts" --first "$model" --second "$model" --set-first search=puct --set-second search=puct "$@"
}
without "all of them" --set-second exploration_log=0 --set-second volatility_scale=0 --set-second unvisited_reduction=0 \
    --set-second root_unvisited_reduction=0 --set-second static_score_utility=0 --set-second dynamic_score_utility=0 --set-second noise_pruning=0 \
    --set-second value_weight_exponent=0 --set-second subtree_bias=0 --set-second uncertainty_weights=0 --set-second bound_deviations=0 \
    --set-second graph_search=0 --set-second policy_optimism=0 --set-second root_policy_optimism=0
without "no growth of exploration" --set-second exploration_log=0
without "no scale by volatility" --set-second volatility_scale=0
without "unvisited as the parent" --set-second unvisited_reduction=0 --set-second root_unvisited_reduction=0
without "no score utility" --set-second static_score_utility=0 --set-second dynamic_score_utility=0
without "no static score utility" --set-second static_score_utility=0
without "no dynamic score utility" --set-second dynamic_score_utility=0
without "no pruning of noise" --set-second noise_pruning=0
without "no value weights" --set-second value_weight_exponent=0
without "no subtree bias" --set-second subtree_bias=0
without "no uncertainty weights" --set-second uncertainty_weights=0
without "most visited move" --set-second bound_deviations=0
without "no shared nodes" --set-second graph_search=0
without "no optimistic policy" --set-second policy_optimism=0 --set-second root_policy_optimism=0
