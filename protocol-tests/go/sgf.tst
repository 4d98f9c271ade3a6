# Files of games.
10 loadsgf files/handicap.sgf
#? [.*]
11 gogui-rules_board_size
#? [19.*]
12 get_komi
#? [0\.5]
13 gogui-rules_side_to_move
#? [[wW].*]
14 loadsgf files/nine.sgf
#? [.*]
15 printsgf
#? [\(;.*GM\[1\].*SZ\[9\].*;B\[ee\].*\)]
16 gogui-rules_side_to_move
#? [[wW].*]
# Up to before move 3.
17 loadsgf files/nine.sgf 3
#? [.*]
18 gogui-rules_side_to_move
#? [[bB].*]
19 undo
#? []
20 undo
#? []
21 undo
#! [cannot undo]
22 loadsgf "files/nine.sgf" 1
#? [.*]
23 loadsgf files/missing.sgf
#! [cannot load file.*]
24 loadsgf files/truncated.sgf
#! [cannot load file.*]
25 loadsgf files/wrong-size.sgf
#! [cannot load file.*]
26 loadsgf files/hex.sgf
#! [cannot load file.*]
27 loadsgf
#! [.+]
28 loadsgf files/nine.sgf x
#! [.+]
# A failed load leaves the position alone.
29 gogui-rules_board_size
#? [9.*]
30 loadsgf files/setup.sgf
#? [.*]
31 gogui-rules_board
#? [X X [. ]*\n.*]
# An illegal move is executed as it was drawn: the game begins from there.
32 loadsgf files/illegal.sgf
#? []
33 printsgf
#? [\(;.*AW\[ee\]PL\[B\]\n;B\[aa\]\n;W\[bb\]\)]
34 gg-undo 2
#? []
35 undo
#! [cannot undo]
