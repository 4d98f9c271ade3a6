#!/usr/bin/env bash
# Background history reply forest against the same player without it: the tables of the thesis (A. Fabbri, 2015, section
# 5.5), with the number of playouts and of games that this machine has time for.
#
#   scripts/experiments/bhrf.sh                                  # everything; days on two cores
#   PLAYOUTS=1000 SIZES=9 scripts/experiments/bhrf.sh --games 40 uniform
#
# All play by a preset of the thesis, to the letter, the second player without replies. Section `time` compares what the program usually
# plays. With 30000 playouts and more patterns may need more than their usual room: PATTERNS sets the most of them.
#
# Sections: uniform depth expert rave time. Environment: GAMES (200), PLAYOUTS (10000), SIZES ("9 19"), SECONDS_A_MOVE (1),
# PATTERNS (524288), RESULTS (runs/experiments.tsv), LOSANGE.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/experiments/common.sh

playouts=${PLAYOUTS:-10000}
sizes=${SIZES:-9 19}
seconds=${SECONDS_A_MOVE:-1}
without="--set-second replies=none"
patterns="--memory 1024 --set-first reply_patterns=${PATTERNS:-524288}"
uniform="--preset-first bhrf-mean --preset-second bhrf-mean $patterns $without"
expert="--preset-first bhrf-expert --preset-second bhrf-expert $patterns $without"

uniform() {
    title "Uniform playouts, every move asks the patterns, $playouts playouts a move (published: 9x9 67 %, 19x19 74 %)"
    for size in $sizes; do
        for form in bhrf bhrf_volatile lgrf pool_rave; do
            # shellcheck disable=SC2086 # options, word by word
            match "$size $form" --game go --size "$size" --playouts "$playouts" $uniform --set-first replies=$form
        done
    done
}

depth() {
    title "Longest context, uniform playouts (published on 9x9: 2 64.8 %, 5 67.5 %, no limit 67.3 %)"
    for size in $sizes; do
        for longest in 2 5; do
            # shellcheck disable=SC2086
            match "$size depth $longest" --game go --size "$size" --playouts "$playouts" $uniform \
                --set-first replies=bhrf --set-first reply_depth=$longest
        done
    done
}

expert() {
    title "Expert playouts, $playouts playouts a move (published on 19x19 at 30000: 61 % for mean 0.15 and volatile 0.25)"
    for size in $sizes; do
        for form in "bhrf 0.15" "bhrf_volatile 0.05" "bhrf_volatile 0.25"; do
            # shellcheck disable=SC2086
            match "$size $form" --game go --size "$size" --playouts "$playouts" $expert \
                --set-first "replies=${form% *}" --set-first "reply_share=${form#* }"
        done
    done
}

rave() {
    title "The same without RAVE on either side (published on 19x19 at 30000, volatile 0.15: 46 %)"
    for size in $sizes; do
        # shellcheck disable=SC2086
        match "$size volatile 0.15" --game go --size "$size" --playouts "$playouts" $expert \
            --set-first replies=bhrf_volatile --set-first reply_share=0.15 \
            --set-first rave_equivalence=0 --set-second rave_equivalence=0
    done
}

time_() {
    title "Expert playouts, $seconds s a move"
    for size in $sizes; do
        for form in "bhrf 0.15" "bhrf_volatile 0.05" "bhrf_volatile 0.25" "lgrf 0.25" "nst 0.05" "pool_rave 0.25"; do
            # shellcheck disable=SC2086
            match "$size $form" --game go --size "$size" --time "$seconds" $without \
                --set-first "replies=${form% *}" --set-first "reply_share=${form#* }"
        done
    done
}

[ $# -gt 0 ] || set -- uniform depth expert rave time
for section in "$@"; do
    case $section in
        uniform | depth | expert | rave) "$section" ;;
        time) time_ ;;
        *)
            echo "unknown section '$section': uniform depth expert rave time" >&2
            exit 2
            ;;
    esac
done
