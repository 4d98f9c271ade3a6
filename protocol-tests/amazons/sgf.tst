# Files of games.
10 loadsgf files/two.sgf
#? []
11 printsgf
#? [\(;FF\[4\]LG\[amazons\].*SZ\[6\]PL\[B\]\n;LB\[B1-B4-B3\]\n;LW\[A5-A3-A5\]\)]
12 gogui-rules_side_to_move
#? [black]
