# shellcheck shell=bash
# What the experiments share; read by them, not run. A first argument `--games N` sets the number of games of a match.
#
# Each match that is over is a line of $RESULTS, and is not played again: an experiment that was killed goes on with the match that it
# was at. Another file, or none of that name, begins afresh.

losange=${LOSANGE:-target/release/losange}
games=${GAMES:-200}
if [ "${1:-}" = --games ]; then
    games=${2:?--games wants a number}
    shift 2
fi
results=${RESULTS:-runs/experiments.tsv}
if [ ! -x "$losange" ]; then
    echo "There is no $losange: run 'cargo build --release' first, or set LOSANGE to the program." >&2
    exit 1
fi
mkdir -p "$(dirname "$results")"
touch "$results"

# title TEXT
title() {
    printf '\n%s\n' "$1"
}

# match NAME ARENA-OPTION...: one line for a match of the first player against the second.
match() {
    local name=$1 key result
    shift
    key="--games $games $*"
    result=$(awk -F '\t' -v key="$key" '$1 == key { print $2; exit }' "$results")
    if [ -z "$result" ]; then
        # shellcheck disable=SC2086 # a number
        result=$("$losange" arena --games $games --threads 1 "$@" | tr '\n' ' ') || exit
        printf '%s\t%s\n' "$key" "$result" >>"$results"
    fi
    printf '%-28s %s\n' "$name" "$result"
}
