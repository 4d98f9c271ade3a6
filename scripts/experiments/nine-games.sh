#!/usr/bin/env bash
# The experiments of Cohen-Solal 2020 over its nine games, on small boards with small nets. Each way of learning makes models from
# random weights in equal time; then each model meets those of all other ways, by alpha-beta to depth 1 on both sides, from random
# first moves. A table of Markdown tells which share of its games a way won, a draw counting half, with the interval of 95 %.
#
#   scripts/experiments/nine-games.sh
#   MINUTES=10 REPETITIONS=3 scripts/experiments/nine-games.sh searches heuristics
#   scripts/experiments/nine-games.sh --games 100 players hex santorini
#
#   learning    tree, root and terminal learning, each by UCT and by alpha-beta with deepening (table 2)
#   searches    descent and UBFM from all of the tree, UCT and deepening from all of it and from the game's own states (table 3)
#   heuristics  descent, where a won game is worth the same always, more the sooner it ends (two ways), the points or pieces of
#               its winner's lead or the moves that the winner had (table 4)
#   players     UBFM_s, UBFM, alpha-beta with deepening and MCTS by what descent learned, in equal time (table 6)
#
# Without a comparison all of them; without a game (surakarta othello hex gomoku clobber breakthrough amazons santorini loa) all nine.
# Environment: MINUTES (2) of training for each model, REPETITIONS (1) of it, DESCENTS (2) before a move, or as many evaluations
# by another search, GAMES (20) of a match, SECONDS_A_MOVE (0.05) of players, RUNS (runs/nine-games), where models stay and are
# not made again, so that other MINUTES or DESCENTS want another folder, RESULTS (results.tsv in RUNS), LOSANGE.
# Needs `pip install -r scripts/train/requirements.txt` where a model is to be made.
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=${RUNS:-runs/nine-games}
GAMES=${GAMES:-20}
RESULTS=${RESULTS:-$runs/results.tsv}
. scripts/experiments/common.sh

minutes=${MINUTES:-2} repetitions=${REPETITIONS:-1} descents=${DESCENTS:-2} seconds=${SECONDS_A_MOVE:-0.05}
export LOSANGE=$losange
comparisons='' played=''
for word in "$@"; do
    case $word in
        learning | searches | heuristics | players) comparisons+=" $word" ;;
        *) played+=" $word" ;;
    esac
done
comparisons=${comparisons:-learning searches heuristics players}
played=${played:-surakarta othello hex gomoku clobber breakthrough amazons santorini loa}

# size GAME: the board's side here, and the moves that a game takes or so.
size() {
    case $1 in
        surakarta) echo 6 60 ;;
        othello) echo 6 32 ;;
        hex) echo 7 30 ;;
        gomoku) echo 9 40 ;;
        clobber) echo 6 20 ;;
        breakthrough) echo 6 36 ;;
        amazons) echo 6 18 ;;
        santorini) echo 5 30 ;;
        loa) echo 6 30 ;;
        *) echo "$0: '$1' is neither a comparison nor a game of the paper" >&2 && return 1 ;;
    esac
}

# model GAME WAY REPETITION: the file of what was learned by a way, `MAKER-TARGETS-WORTH`; it is made where it is not there.
model() {
    local state=$runs/$1/$2-$3 side plies maker targets worth searches=$descents
    if [ ! -e "$state/done" ]; then
        read -r side plies <<<"$(size "$1")"
        IFS=- read -r maker targets worth <<<"$2"
        # As many evaluations before a move as that many descents have: each goes through half of the game or so.
        [ "$maker" = descent ] || searches=$((descents * plies / 2))
        rm -rf "${state:?}"
        mkdir -p "$runs/$1"
        scripts/learn.sh --state "$state" --game "$1" --sizes "$side" --minutes "$minutes" \
            --play "--preset descent-2020 --selection greedy --maker $maker --targets $targets --worth $worth --descents $searches" \
            -- --channels 16 --blocks 3 --seed "$3" >"$state.log" 2>&1 || { tail -n 5 "$state.log" >&2 && return 1; }
        touch "$state/done"
    fi
    echo "$state/model.onnx"
}

# meet GAME WAY OTHER ARENA-OPTION...: a match, as a line of $lines for each of the two: game, way, points, games.
meet() {
    local game=$1 way=$2 other=$3 side
    shift 3
    read -r side _ <<<"$(size "$game")"
    match "$game $way $other" --game "$game" --size "$side" --backend embedded "$@" |
        awk -v OFS='\t' '{ points = $4 + $6 / 2; games = $4 + $6 + $8; print $1, $2, points, games; print $1, $3, games - points, games }' >>"$lines"
}

# learned GAME WAY...: all models of a game's ways against those of all others.
learned() {
    local game=$1 way other first second own theirs
    shift
    while [ $# -gt 1 ]; do
        way=$1
        shift
        for other in "$@"; do
            for ((first = 1; first <= repetitions; first++)); do
                own=$(model "$game" "$way" "$first")
                for ((second = 1; second <= repetitions; second++)); do
                    theirs=$(model "$game" "$other" "$second")
                    meet "$game" "$way" "$other" --preset-first alphabeta-2019 --preset-second alphabeta-2019 --set-first depth=1 \
                        --set-second depth=1 --first "$own" --second "$theirs"
                done
            done
        done
    done
}

# heuristics GAME: what the paper compares there.
heuristics() {
    local own
    case $1 in
        surakarta | othello | amazons) own='scoring mobility' ;;
        breakthrough | loa) own='mobility presence' ;;
        santorini | clobber) own=mobility ;;
        *) own='' ;;
    esac
    # shellcheck disable=SC2086 # words
    printf 'descent-tree-%s ' classic depth multiplicative $own
}

# players GAME: the searches of two players against each other, by what descent learned.
players() {
    local game=$1 searches=(ubfm_s-2019 ubfm-2019 alphabeta-2019 mcts) first second repetition learned
    for ((first = 0; first < 3; first++)); do
        for ((second = first + 1; second < 4; second++)); do
            for ((repetition = 1; repetition <= repetitions; repetition++)); do
                learned=$(model "$game" descent-tree-classic "$repetition")
                # shellcheck disable=SC2046 # options
                meet "$game" "${searches[first]%-2019}" "${searches[second]%-2019}" --time "$seconds" --first "$learned" --second "$learned" \
                    $(search first "${searches[first]}") $(search second "${searches[second]}")
            done
        done
    done
}

# search SIDE NAME: options of the arena for a search.
search() {
    case $2 in
        alphabeta-2019) echo "--preset-$1 $2 --set-$1 depth=0" ;;
        mcts) echo "--set-$1 search=mcts" ;;
        *) echo "--preset-$1 $2" ;;
    esac
}

# table: the lines of a comparison, games in rows and ways in columns.
table() {
    awk -F '\t' '
        !($1 in row) { row[$1]; rows[++height] = $1 }
        !($2 in column) { column[$2]; columns[++width] = $2 }
        { points[$1, $2] += $3; games[$1, $2] += $4 }
        function cell(share, n,    z, middle, spread) {
            z = 1.96
            middle = share + z * z / (2 * n)
            spread = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
            return sprintf("%.0f (%.0f to %.0f)", 100 * share, 100 * (middle - spread) / (1 + z * z / n), 100 * (middle + spread) / (1 + z * z / n))
        }
        END {
            line = "| game |"; rule = "| --- |"; last = "| mean |"
            for (c = 1; c <= width; c++) { line = line " " columns[c] " |"; rule = rule " --- |" }
            print line; print rule
            for (r = 1; r <= height; r++) {
                line = "| " rows[r] " |"
                for (c = 1; c <= width; c++) {
                    n = games[rows[r], columns[c]]
                    line = line " " (n ? cell(points[rows[r], columns[c]] / n, n) : "") " |"
                    if (n) { sum[c] += points[rows[r], columns[c]] / n; count[c]++ }
                }
                print line
            }
            for (c = 1; c <= width; c++) last = last sprintf(" %.0f |", 100 * sum[c] / count[c])
            print last
        }' "$lines"
}

for game in $played; do size "$game" >/dev/null; done
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
for comparison in $comparisons; do
    title "$comparison: $minutes minutes of training each, $repetitions of each, $descents descents before a move, $games games a match"
    : >"$lines"
    for game in $played; do
        case $comparison in
            learning) learned "$game" {mcts,deepening}-{tree,root,terminal}-classic ;;
            searches) learned "$game" {descent,ubfm,mcts,deepening}-tree-classic {mcts,deepening}-root-classic ;;
            heuristics)
                read -ra ways <<<"$(heuristics "$game")"
                learned "$game" "${ways[@]}"
                ;;
            players) players "$game" ;;
        esac
    done
    table
done
