#!/usr/bin/env bash
# Clobber for one player (A. Fabbri, 2015, tables 6.1 to 6.3): stones left by Monte-Carlo tree search alone (first) and with
# local strategies (second), by other weights and explorations of these, and by beam search.
#
#   scripts/experiments/solitaire-clobber.sh
#   SIZES="8 10" scripts/experiments/solitaire-clobber.sh --games 10 sizes beam
#
# Arguments: sizes exploration weight beam, or some of them. All take about six hours on one core.
# Environment: GAMES (100), SIZES (8 10 12 14 16), PLAYOUTS (8000, twice as many in the other tables), RESULTS (runs/experiments.tsv), LOSANGE, MEMORY of a player in MiB (6144: strategies live of what was searched before,
# and on 14x14 512 are not enough for that).
set -euo pipefail
cd "$(dirname "$0")/../.."
GAMES=${GAMES:-100}
MEMORY=${MEMORY:-6144}
. scripts/experiments/common.sh

sizes=${SIZES:-8 10 12 14 16}
playouts=${PLAYOUTS:-8000}
# The preset: uniform playouts and UCT with the constant 0.05 that the game has by itself; the strategy of the highest value is
# pursued, each in a tree of its own.
preset=strategies-alone-2015

# settings SIDE NAME=VALUE...
settings() {
    local side=$1
    shift
    printf -- "--set-$side %s " "$@"
}

# pair NAME SIZE PLAYOUTS "FIRST..." "SECOND...": what each changes
pair() {
    # shellcheck disable=SC2046,SC2086
    match "$1" --game solitaire --size "$2" --playouts "$3" --memory "$MEMORY" --preset-first $preset --preset-second $preset $(settings first $4) $(settings second $5)
}

[ $# -gt 0 ] || set -- sizes exploration weight beam
for part; do
    case $part in
        sizes)
            title "$playouts playouts a move: first alone, second with strategies of weight 0.5"
            for size in $sizes; do pair "${size}x$size" "$size" "$playouts" strategy_weight=0 strategy_weight=0.5; done ;;
        exploration)
            title "8x8, $((2 * playouts)) playouts, weight 0.4: exploration of strategies"
            pair "0, 0.05" 8 $((2 * playouts)) "strategy_weight=0.4" "strategy_weight=0.4 strategy_exploration=0.05"
            pair "0.2, 0.5" 8 $((2 * playouts)) "strategy_weight=0.4 strategy_exploration=0.2" \
                "strategy_weight=0.4 strategy_exploration=0.5" ;;
        weight)
            title "8x8, $((2 * playouts)) playouts: weight of strategies"
            pair "none, 0.5" 8 $((2 * playouts)) strategy_weight=0 strategy_weight=0.5
            pair "0.7, 1" 8 $((2 * playouts)) strategy_weight=0.7 strategy_weight=1 ;;
        beam)
            title "Beam search (first) and any move (second), 0.1 s a move"
            for size in $sizes; do
                match "${size}x$size" --game solitaire --size "$size" --time 0.1 --set-second search=random
            done ;;
        *) echo "there is no part '$part'" >&2; exit 2 ;;
    esac
done
