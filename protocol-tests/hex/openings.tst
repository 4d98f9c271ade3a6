# Values of first moves, from tables that are compiled in: as a line of kata-analyze, whatever is on the board.
boardsize 5
play b a1
10 losange-openings
#? [info move [a-e][1-5] visits [0-9]+ .* winrate 1\.0+ .* order 0 pv .* info move [a-e][1-5] .* winrate 0\.0+ .* order 24 pv [a-e][1-5]]
boardsize 4
11 losange-openings
#! [no table of first moves for this board: Hex has them for \[5, 6, 7, .*\]]
boardsize 5 6
12 losange-openings
#! [no table of first moves .*]
