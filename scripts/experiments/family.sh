#!/usr/bin/env bash
# Hex: UBFM_s against the other searches of its paper (Cohen-Solal 2019, table 2) at equal time, with random first moves from both
# sides: both by their presets, without solver, proofs and knowledge, on the classical evaluation or on one model.
#
#   scripts/experiments/family.sh
#   SECONDS_A_MOVE=0.1 SIZE=7 scripts/experiments/family.sh --games 20
#
# Environment: GAMES (200), SECONDS_A_MOVE (0.2), SIZE (9), MODEL (none), RESULTS (runs/experiments.tsv), LOSANGE.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/experiments/common.sh

seconds=${SECONDS_A_MOVE:-0.2}
size=${SIZE:-9}
model=()
[ -z "${MODEL:-}" ] || model=(--first "$MODEL" --second "$MODEL")
title "Hex ${size}x$size, $seconds s a move: UBFM_s against"
against() {
    local name=$1
    shift
    match "$name" --game hex --size "$size" --time "$seconds" ${model[0]:+"${model[@]}"} --preset-first ubfm_s-2019 --preset-second "$@"
}
against "UBFM" ubfm-2019
against "without completion" ubfm_s-uncompleted-2019
against "alpha-beta to depth 1" alphabeta-2019 --set-second depth=1
against "alpha-beta to depth 2" alphabeta-2019
against "alpha-beta, deepening" alphabeta-2019 --set-second depth=0
against "descent" descent-2019
# The paper's constants: 2 sqrt(2), sqrt(2), sqrt(2) / 2, sqrt(2) / 10.
for constant in 2.828427 1.414214 0.707107 0.141421; do
    against "with UCT's term, $constant" ubfm_uct-2019 --set-second ubfm_uct_constant=$constant
done
