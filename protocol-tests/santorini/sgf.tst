# Files of games.
10 loadsgf files/two.sgf
#? []
11 printsgf
#? [\(;FF\[4\]LG\[santorini\].*SZ\[5\]PL\[B\]\n;LB\[D4-B2\]\n;LW\[B4-D2\]\n;LB\[B2-B3-C3\]\)]
12 gogui-rules_board_gfx
#? [LABEL C3 1]
