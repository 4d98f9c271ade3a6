# Pieces step in eight directions, and take around the corners. Black begins below.
11 gogui-rules_board_size
#? [6]
12 gogui-rules_board
#? [O O O O O O\nO O O O O O\n\. \. \. \. \. \.\n\. \. \. \. \. \.\nX X X X X X\nX X X X X X]
13 gogui-rules_legal_moves
#? [A2 B2 C2 D2 E2 F2]
14 play b B2-B3
#? []
15 play w A5-A4
#? []
16 play b B2-B3
#! [illegal move: black B2-B3 \(no such move\)]
17 play b A1-C4
#! [illegal move: .*]
18 undo
#? []
19 genmove w
#? [[A-F][56]-[A-F]4]
20 set_position b E2 b D5 w A5 w C6
#? []
21 play b E2-A5
#? []
22 showboard
#? [.*white to move, 1 moves played]
23 undo
#? []
24 reg_genmove b
#? [[A-F][1-6]-[A-F][1-6]]
# A position that comes again ends the game, and more pieces win.
25 set_position b A1 b F1 w A6
#? []
play b A1-A2
play w A6-B6
play b A2-A1
26 final_score
#! [cannot score: the game is not over]
27 play w B6-A6
#? []
28 final_score
#? [B\+1]
29 gogui-rules_final_result
#? [black wins, 2 pieces to 1]
30 genmove b
#? [pass]
# The pass is the client's last move.
31 undo
#? []
final_score
31 undo
#? []
32 showboard
#? [.*white to move, 3 moves played]
# Every search plays.
clear_board
33 losange-set search alphabeta
#? []
34 genmove b
#? [[A-F][12]-[A-F][123]]
35 losange-set search mcts
#? []
36 genmove w
#? [[A-F][56]-[A-F][456]]
37 kata-analyze 10
#? [.*info move [A-F][1-6]-[A-F][1-6] .*]
38 boardsize 5
#! [unacceptable size]
39 gogui-rules_game_id
#? [Surakarta]
# By points for GoGui.
40 genmove b
#? [[A-F][1-6]]
41 genmove b
#? [[A-F][1-6]]
