# Files of games.
10 loadsgf files/two.sgf
#? []
11 printsgf
#? [\(;FF\[4\]LG\[avalam\].*SZ\[9\]PL\[B\]\n;LB\[C9-D9\]\n;LW\[D9-E8\]\)]
12 gogui-rules_board_gfx
#? [LABEL E8 3]
