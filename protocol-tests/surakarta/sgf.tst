# Files of games, with the past of their positions.
10 loadsgf files/back.sgf
#? []
11 printsgf
#? [\(;FF\[4\]LG\[surakarta\].*SZ\[6\]PL\[B\]\n;LB\[B2-B3\]\n;LW\[B5-B4\]\n;LB\[B3-B2\]\)]
12 play w B4-B5
#? []
13 final_score
#? [0]
