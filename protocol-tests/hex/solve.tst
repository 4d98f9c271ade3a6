# Who wins, and by which moves. Winning openings of 4x4, published: the short diagonal.
boardsize 4 4
10 dfpn-solve-state black
#? [black]
11 dfpn-solver-find-winning black
#? [d1 c2 b3 a4]
12 play b a1
#? []
13 dfpn-solve-state white
#? [white]
14 dfpn-solve-state
#! [.+]
15 dfpn-solve-state green
#! [.+]
16 dfpn-clear-tt
#? []
# The swap rule does not matter to a proof, and nothing of the game is changed.
param_game allow_swap 1
17 dfpn-solve-state white
#? [white]
18 undo
#? []
19 param_game allow_swap 0
#? []
20 play-game d1 c2 b3 c3
#? []
21 dfpn-solve-state b
#? [black|white]
22 boardsize 5 3
#? []
23 dfpn-solver-find-winning w
#? [([a-e][1-3] ?)*]
