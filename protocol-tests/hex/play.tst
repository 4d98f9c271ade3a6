# Moves, ends, undo.
boardsize 3 3
10 play black a1
#? []
11 play white a1
#! [illegal move.*occupied.*]
12 play w d1
#! [.+]
13 play w a4
#! [.+]
14 play w zz
#! [.+]
15 play green b2
#! [.+]
16 play b
#! [.+]
17 play
#! [.+]
18 play W B2
#? []
19 final_score
#? [cannot score]
20 undo
#? []
21 undo
#? []
22 undo
#! [cannot undo]
23 play b resign
#? []
24 undo
#! [cannot undo]
# Black joins top and bottom: b1, b2, b3.
25 play b b1
#? []
# Any colour may play any number of times (set-up by plays).
26 play b b2
#? []
27 all_legal_moves
#? [ ?.*a1 .*]
28 all_legal_moves
#? [.*resign.*]
29 all_legal_moves
#? [!.*b2.*]
30 play b b3
#? []
31 final_score
#? [B\+]
# Stones may follow, as in set-ups by plays.
32 play w a1
#? []
undo
33 genmove w
#? [resign]
34 genmove b
#? [resign]
35 gogui-rules_legal_moves
#? []
36 undo
#? []
37 final_score
#? [cannot score]
# White joins left and right.
38 play w a3
#? []
39 clear_board
#? []
play w a2
play w b2
40 play w c2
#? []
41 final_score
#? [W\+]
42 gogui-rules_final_result
#? [.*[Ww].*]
# White across the bent row a3, b2, c1 does not exist for Black: it is White's.
clear_board
play w a3
play w b2
43 play w c1
#? []
44 final_score
#? [W\+]
45 play-game b1 a1
#? []
46 undo
#? []
