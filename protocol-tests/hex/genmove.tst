# Moves by the engine.
boardsize 3 3
10 genmove b
#? [a3|b2|c1|a2|c2]
11 undo
#? []
12 reg_genmove b
#? [a3|b2|c1|a2|c2]
13 undo
#! [cannot undo]
14 genmove
#! [.+]
15 genmove green
#! [.+]
# One move from the end: take it.
boardsize 5 5
play b c1
play b c2
play b c4
play b b5
play w a1
play w e1
play w e4
16 reg_genmove b
#? [c3]
# And stop it: the only cell is the same for White where there is no way round.
boardsize 2 2
play b b1
17 reg_genmove w
#? [a2|b2]
# A lost position still gets a legal move.
boardsize 3 3
play b b2
18 genmove w
#? [[a-c][1-3]]
19 genmove b
#? [[a-c][1-3]]
20 genmove w
#? [[a-c][1-3]|resign]
