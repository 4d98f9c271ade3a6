# The first stone lies on one of the two outer lines.
11 gogui-rules_board_size
#? [15]
12 play b H8
#! [illegal move: black H8 \(the first stone lies on an outer line\)]
13 play b B8
#? []
14 play w H8
#? []
15 play b H8
#! [illegal move: black H8 \(the point is not empty\)]
16 play b pass
#! [illegal move: black pass \(there is no passing before the end\)]
17 showboard
#? [.*black to move, 2 moves played]
18 undo
#? []
19 genmove w
#? [[A-HJ-P]\d+]
# Five in a row win, and are hindered.
boardsize 9
20 set_position b C3 b D3 b E3 b F3 w C4 w D4 w E4
#? []
21 reg_genmove b
#? [B3|G3]
23 set_position b C3 b D3 b E3 b F3 w C4 w D4 w E4 w G3
#? []
24 genmove w
#? [B3]
25 set_position b C3 b D3 b F3 b G3 w C4 w D4 w E4
#? []
26 genmove b
#? [E3]
27 final_score
#? [B\+]
28 gogui-rules_final_result
#? [black wins]
29 genmove w
#? [pass]
30 gogui-rules_legal_moves
#? []
# Every search plays.
boardsize 7
31 losange-set search alphabeta
#? []
32 genmove b
#? [[A-G][1-7]]
33 losange-set search mcts
#? []
34 genmove w
#? [[A-G][1-7]]
35 kata-analyze 10
#? [.*info move [A-G][1-7] .*]
36 gogui-rules_game_id
#? [Gomoku]
37 boardsize 20 5
#? []
38 boardsize 21
#! [unacceptable size]
39 boardsize 4 9
#! [unacceptable size]
# A move that ends the game at once may be avoided all the same.
boardsize 15
losange-set search mcts
losange-setup b b A5 b H8 w A10 w B10 w C10 w D10
60 lz-genmove_analyze b 1000 avoid b E10 1
#? [\n(info .*\n)+play ([A-DF-HJ-P]\d+|E[1-9]|E1[1-5])]
