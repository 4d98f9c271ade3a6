# Files of games. SGF has no number for Clobber, so the record has its name.
10 loadsgf files/four.sgf
#? []
11 printsgf
#? [\(;FF\[4\]LG\[clobber\]CA\[UTF-8\]AP\[Losange:[0-9.]+\]SZ\[4:1\]PL\[B\]\n;LB\[A1-B1\]\n;LW\[D1-C1\]\)]
12 gogui-rules_side_to_move
#? [black]
13 gg-undo 2
#? []
14 undo
#! [cannot undo]
# Up to before move 2.
15 loadsgf files/four.sgf 2
#? []
16 gogui-rules_side_to_move
#? [white]
17 loadsgf files/go.sgf
#! [cannot load file: it is no game of Clobber, its GM is 1]
18 loadsgf files/missing.sgf
#! [cannot load file.*]
# A position that was set up.
boardsize 3 1
set_position b A1 w B1
19 printsgf
#? [.*SZ\[3:1\]AB\[aa\]AW\[ba\]PL\[B\]\)]
