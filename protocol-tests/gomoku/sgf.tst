# Files of games: SGF numbers Gomoku 4.
10 loadsgf files/two.sgf
#? []
11 printsgf
#? [\(;FF\[4\]GM\[4\].*SZ\[15\]PL\[B\]\n;B\[ah\]\n;W\[hh\]\)]
12 showboard
#? [.*black to move, 2 moves played]
