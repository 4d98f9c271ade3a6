# Files of games.
10 loadsgf files/two.sgf
#? []
11 printsgf
#? [\(;FF\[4\]LG\[loa\].*SZ\[5\]PL\[B\]\n;LB\[B1-B3\]\n;LW\[A2-B1\]\)]
