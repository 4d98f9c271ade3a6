# Pieces move as many points as there are pieces on their line. Black begins above and below.
boardsize 5
11 gogui-rules_board
#? [\. X X X \.\nO \. \. \. O\nO \. \. \. O\nO \. \. \. O\n\. X X X \.]
12 gogui-rules_legal_moves
#? [B5 C5 D5 B1 C1 D1]
13 play b B1-B3
#? []
14 play w A2-B2
#! [illegal move: white A2-B2 \(no such move\)]
15 play w A2-B1
#? []
16 play b C1-C2
#! [illegal move: black C1-C2 \(no such move\)]
17 undo
#? []
# GoGui plays a move in two.
18 play w A2
#? []
19 gogui-rules_board_gfx
#? [SQUARE A2]
20 gogui-rules_side_to_move
#? [white]
21 undo
#? []
22 showboard
#? [.*white to move, 1 moves played]
23 genmove w
#? [[A-E][1-5]-[A-E][1-5]]
# Taking the piece that is aside joins both sides: a draw.
24 set_position b A4 b C3 b D3 w C4 w D2 w E2
#? []
25 play b A4-C4
#? []
26 final_score
#? [0]
27 gogui-rules_final_result
#? [draw, both sides are joined]
28 genmove w
#? [pass]
# A position that comes again is a draw.
29 set_position b A5 b A1 w C3 w C1 w E1
#? []
30 gogui-play_sequence b A5-B5 w E1-E2 b B5-A5
#? []
31 gogui-rules_final_result
#! [cannot score: the game is not over]
32 play w E2-E1
#? []
33 gogui-rules_final_result
#? [draw, the position was there before]
34 gg-undo 4
#? []
# Who joins all pieces has won: the middle one joins them.
35 set_position b A3 b B4 b C2 w A5 w E1 w E5
#? []
36 play b C2-B2
#? []
37 final_score
#? [B\+]
38 set_position b A1 b B2
#! [.*]
# Every search plays.
boardsize 6
39 losange-set search alphabeta
#? []
40 genmove b
#? [[A-F][1-6]-[A-F][1-6]]
41 losange-set search mcts
#? []
42 genmove w
#? [[A-F][1-6]-[A-F][1-6]]
43 kata-analyze 10
#? [.*info move [A-F][1-6]-[A-F][1-6] .*]
44 boardsize 9
#! [unacceptable size]
45 boardsize 3 5
#! [unacceptable size]
60 gogui-rules_game_id
#? [Lines of Action]
