# Files of games: SGF numbers Othello 2, and a pass is empty.
10 loadsgf files/pass.sgf
#? []
11 printsgf
#? [\(;FF\[4\]GM\[2\].*SZ\[4\]PL\[B\]\n;B\[cd\]\n;W\[bd\]\n;B\[ad\]\n;W\[dd\]\n;B\[db\]\n;W\[\]\)]
12 gogui-rules_side_to_move
#? [black]
13 loadsgf files/go.sgf
#! [.*it is no game of Othello, its GM is 1]
