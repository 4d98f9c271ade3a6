# Files of games.
10 loadsgf files/five.sgf
#? [.*]
11 gogui-rules_board_size
#? [5.*]
12 gogui-rules_side_to_move
#? [[wW].*]
13 printsgf
#? [\(;.*GM\[11\].*SZ\[5\].*;B\[c3\].*;W\[d2\].*;B\[b4\].*\)]
# As in other Hex programs, the number is that of the last move played.
14 loadsgf files/five.sgf 2
#? [.*]
15 undo
#? []
16 undo
#? []
17 undo
#! [cannot undo]
18 loadsgf files/missing.sgf
#! [cannot load file.*]
19 loadsgf ../go/files/nine.sgf
#! [cannot load file.*]
