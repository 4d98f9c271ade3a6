#!/usr/bin/env bash
# Hex: UBFM_s against the other searches of the papers at equal time, on the classical evaluation, with random first moves
# from both sides.
#
#   scripts/experiments/family.sh
#   GAMES=20 SECONDS_A_MOVE=0.1 SIZE=7 scripts/experiments/family.sh
#
# Environment: GAMES (200), SECONDS_A_MOVE (0.2), SIZE (9), LOSANGE.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/experiments/common.sh

seconds=${SECONDS_A_MOVE:-0.2}
size=${SIZE:-9}
title "Hex ${size}x$size, $seconds s a move: UBFM_s against"
against() {
    local name=$1
    shift
    match "$name" --game hex --size "$size" --time "$seconds" "$@"
}
against "UBFM" --set-second search=ubfm
against "UBFM_s with UCT term" --set-second search=ubfm_uct
against "descent" --set-second search=descent
against "without completion" --set-second completion=0
against "alpha-beta to depth 1" --set-second search=alphabeta --set-second depth=1
against "alpha-beta to depth 2" --set-second search=alphabeta --set-second depth=2
against "alpha-beta, deepening" --set-second search=alphabeta --set-second depth=0
