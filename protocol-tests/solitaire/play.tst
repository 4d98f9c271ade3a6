# One player moves both colours.
10 boardsize 4 1
#? []
11 all_legal_moves
#? [A1-B1 B1-C1 B1-A1 C1-D1 C1-B1 D1-C1]
12 play w B1-A1
#? []
13 gogui-rules_side_to_move
#? [black]
14 final_score
#! [cannot score: the game is not over]
15 gogui-rules_final_result
#! [.+]
boardsize 4 2
16 genmove b
#? [[A-D][12]-[A-D][12]]
17 lz-analyze 10
#? [.*info move [A-D][12]-[A-D][12] .*]
18 genmove b
#? [.+]
19 genmove b
#? [.+]
20 genmove b
#? [.+]
21 genmove b
#? [.+]
22 genmove b
#? [.+]
23 genmove b
#? [.+]
# Eight points are no multiple of three: one stone is left.
24 final_score
#? [1]
25 gogui-rules_final_result
#? [1 stone is left]
26 genmove b
#? [pass]
27 boardsize 21
#! [unacceptable size]
28 set_position b A1 w B1 b E2
#! [.+]
boardsize 4 2
29 set_position b A1 w B1 b D2
#? []
30 genmove w
#? [A1-B1|B1-A1]
31 final_score
#? [2]
# Monte-Carlo tree search too.
boardsize 5
32 losange-set search mcts
#? []
33 genmove b
#? [[A-E][1-5]-[A-E][1-5]]
34 losange-set search ubfm
#! [Solitaire has no search 'ubfm'; it has usual, yopt, mcts, beam, random]
35 genmove b
#? [[A-E][1-5]-[A-E][1-5]]
