#!/usr/bin/env bash
# Hex: what self-play learns from (Cohen-Solal 2020), from random weights and in equal time on all cores. Each way makes a model;
# each model then plays the standard one (descent, the whole tree weighted by updates, classic values, ordinal selection), both
# at a few expansions a move by the preset ubfm_s-2019, after every first move from both sides. All learn as the paper has it: by the
# preset descent-2019, from all of the tree, with games to their end by the rules alone.
#
#   scripts/experiments/descent.sh
#   SIZE=7 MINUTES=20 scripts/experiments/descent.sh
#
# Environment: SIZE (5), MINUTES (2) of training for each of the thirteen ways, EXPANSIONS (2) a move, RUNS (runs/descent), where models
# stay and are not made again, LOSANGE. Needs `pip install -r scripts/train/requirements.txt`.
set -euo pipefail
cd "$(dirname "$0")/../.."
size=${SIZE:-5}
. scripts/experiments/common.sh
# Two after each first move.
games=$((2 * size * size))

minutes=${MINUTES:-2} runs=${RUNS:-runs/descent} expansions=${EXPANSIONS:-2}
export LOSANGE=$losange

# learn NAME SELFPLAY-OPTION... [-- TRAIN-OPTION...]
learn() {
    local name=$1 play=(--preset descent-2019)
    shift
    case " $* " in *" --worth "*) ;; *) play+=(--worth classic) ;; esac
    [ -e "$runs/$name/done" ] && return
    rm -rf "${runs:?}/$name"
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        play+=("$1")
        shift
    done
    shift $(($# > 0))
    scripts/learn.sh --state "$runs/$name" --sizes "$size" --minutes "$minutes" ${play[0]:+--play "${play[*]}"} \
        -- --channels 16 --blocks 3 "$@" >"$runs/$name.log" 2>&1 || {
        tail -n 5 "$runs/$name.log" >&2
        return 1
    }
    touch "$runs/$name/done"
}

# against NAME SELFPLAY-OPTION... [-- TRAIN-OPTION...]: plays after each first cell in turn.
against() {
    local name=$1 won=0 cell line letter letters=abcdefghijklmnopqrstuvwxyz
    learn "$@"
    for ((cell = 0; cell < size * size; cell++)); do
        letter=${letters:cell % size:1}
        line=$("$losange" arena --game hex --size "$size" --games 2 --threads 1 --playouts "$expansions" --backend embedded \
            --preset-first ubfm_s-2019 --preset-second ubfm_s-2019 --opening "$letter$((1 + cell / size))" \
            --first "$runs/standard/model.onnx" --second "$runs/$name/model.onnx") || exit
        won=$((won + ${line%% *}))
    done
    printf '%-28s the standard won %d of %d; %s\n' "$name" "$won" "$games" "$(told "$name")"
}

mkdir -p "$runs"
title "Hex ${size}x$size, $minutes minutes of training each, $expansions expansions a move"
# told NAME: the trainer's last line.
told() { grep ' steps ' "$runs/$1.log" | tail -n 1 || true; }
learn standard
told standard
against tree --targets tree
against root --targets root
against terminal --targets terminal
# As many evaluations before a move as descents have: they are about ten times as long.
against ubfm --maker ubfm --descents 200
against mcts --maker mcts --descents 200
against deepening --maker deepening --descents 200
against depth --worth depth
against multiplicative --worth multiplicative
against mobility --worth mobility
against greedy --selection greedy
against softmax --selection softmax
# The net of the paper, which values states: an expansion is an evaluation of each child.
against states -- --learn states --channels 150
