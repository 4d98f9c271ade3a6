#!/usr/bin/env bash
# Hex by Monte-Carlo tree search with playouts that know shapes (search=yopt): the tables of the YOPT paper, each parameter
# against the paper's standard at a fixed number of descents, 11x11 after a3.
#
#   scripts/experiments/yopt.sh                          # 200 games a line and 16000 descents, as published: a day on one core
#   DESCENTS=2000 scripts/experiments/yopt.sh --games 60 constant shapes
#
# Both play by the preset `yopt`, the paper to the letter. With SCHEDULE=1 the exploration is added to both means, which is how the
# constant can make the difference that the paper's table 3 shows.
#
# Sections: descents leaf constant equivalence shapes. Environment: GAMES (200), DESCENTS (16000), SCHEDULE (2), SIZE (11), OPENING (a3),
# RESULTS (runs/experiments.tsv), LOSANGE.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/experiments/common.sh

descents=${DESCENTS:-16000}
options=(--game hex --size "${SIZE:-11}" --opening "${OPENING:-a3}")
for side in first second; do
    options+=("--preset-$side" yopt "--set-$side" "yopt_schedule=${SCHEDULE:-2}")
done

# line NAME PUBLISHED SETTING: one row of a table.
line() {
    match "$1 (published $2)" "${options[@]}" --playouts "$descents" --set-first "$3"
}

descents() {
    title "Descents of the first player, against $descents of the second (published for 1/16 1/8 1/4 1/2 2 4 times: 6 11.5 20 33 61 68.5)"
    for sixteenths in 1 2 4 8 32 64; do
        match "$((descents * sixteenths / 16))" "${options[@]}" \
            --playouts "$((descents * sixteenths / 16))" --playouts-second "$descents"
    done
}

leaf() {
    title "Playouts from a leaf, $descents descents"
    line 2 56 leaf_playouts=2
    line 4 67.5 leaf_playouts=4
    line 8 77.5 leaf_playouts=8
    line 16 74.5 leaf_playouts=16
}

constant() {
    title "UCT constant (standard 0.3), $descents descents"
    line -0.1 38.5 yopt_uct_constant=-0.1
    line 0 61 yopt_uct_constant=0
    line 0.1 60 yopt_uct_constant=0.1
    line 0.2 55.5 yopt_uct_constant=0.2
    line 0.4 42 yopt_uct_constant=0.4
    line 0.5 41 yopt_uct_constant=0.5
    line 0.7 32.5 yopt_uct_constant=0.7
}

equivalence() {
    title "RAVE's k (standard 16000), $descents descents"
    line 0 20 yopt_equivalence=0
    line 8000 40.5 yopt_equivalence=8000
    line 32000 53 yopt_equivalence=32000
    line 64000 52.5 yopt_equivalence=64000
    line infinite 34 yopt_equivalence=1000000000
}

shapes() {
    title "What playouts know (standard 3), $descents descents"
    line uniform 22 playout_knowledge=1
    line bridges 42 playout_knowledge=2
    line ziggurats 71.5 playout_knowledge=4
}

[ $# -gt 0 ] || set -- descents leaf constant equivalence shapes
for section in "$@"; do
    case $section in
        descents | leaf | constant | equivalence | shapes) "$section" ;;
        *)
            echo "unknown section '$section': descents leaf constant equivalence shapes" >&2
            exit 2
            ;;
    esac
done
