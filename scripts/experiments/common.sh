# shellcheck shell=bash
# What the experiments share; read by them, not run.

losange=${LOSANGE:-target/release/losange}
games=${GAMES:-200}
if [ ! -x "$losange" ]; then
    echo "There is no $losange: run 'cargo build --release' first, or set LOSANGE to the program." >&2
    exit 1
fi

# title TEXT
title() {
    printf '\n%s\n' "$1"
}

# match NAME ARENA-OPTION...: one line for a match of the first player against the second.
match() {
    local name=$1
    shift
    local result
    result=$("$losange" arena --games "$games" --threads 1 "$@" | tr '\n' ' ') || exit
    printf '%-28s %s\n' "$name" "$result"
}
