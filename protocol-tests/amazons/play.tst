# An amazon moves and shoots an arrow, both as a queen does. Black begins below.
boardsize 5
11 gogui-rules_board
#? [\. O \. O \.\nO \. \. \. O\n\. \. \. \. \.\nX \. \. \. X\n\. X \. X \.]
12 gogui-rules_legal_moves
#? [A2 E2 B1 D1]
# GoGui plays a turn in three.
13 play b B1
#? []
14 gogui-rules_legal_moves
#? [B4 B3 D3 B2 C2 A1 C1]
15 play b B3
#? []
16 gogui-rules_board_gfx
#? [SQUARE B1 B3]
17 gogui-rules_side_to_move
#? [black]
18 play b B1
#? []
19 gogui-rules_board
#? [\. O \. O \.\nO \. \. \. O\n\. X \. \. \.\nX \. \. \. X\n\. \? \. X \.]
20 play b A2-A3-A2
#? []
21 undo
#? []
22 play w B5-B4-C4
#? []
23 play b A2-A1-B1
#! [illegal move: black A2-A1-B1 \(no such move\)]
24 showboard
#? [.*black to move, 2 moves played]
25 genmove b
#? [[A-E][1-5]-[A-E][1-5]-[A-E][1-5]]
26 final_score
#! [cannot score: the game is not over]
# Who cannot move has lost; the winner's score is what it reaches.
boardsize 4
27 set_position b A1 w D4
#? []
28 gogui-play_sequence b A1-A2-A1 w D4-D3-D4 b A2-B2-A2 w D3-C3-D3 b B2-B1-B2 w C3-B3-C3
#? []
29 losange-state
#? [.*"board":"...\?.W\?\?\?\?..\?B..".*]
30 gogui-play_sequence b B1-C1-C2 w B3-A3-B3 b C1-D1-C1 w A3-A4-A3 b D1-D2-D1
#? []
31 final_score
#! [cannot score: the game is not over]
32 play w A4-B4-A4
#? []
33 final_score
#? [W\+1]
34 gogui-rules_final_result
#? [white wins]
35 genmove b
#? [pass]
# Every search plays.
boardsize 6
36 losange-set search alphabeta
#? []
37 genmove b
#? [[A-F][1-6]-[A-F][1-6]-[A-F][1-6]]
38 losange-set search mcts
#? []
39 genmove w
#? [[A-F][1-6]-[A-F][1-6]-[A-F][1-6]]
40 kata-analyze 10
#? [.*info move [A-F][1-6]-[A-F][1-6]-[A-F][1-6] .*]
41 boardsize 11
#! [unacceptable size]
42 boardsize 3 5
#! [unacceptable size]
60 gogui-rules_game_id
#? [Amazons]
# Burnt squares are set up.
boardsize 4
90 losange-setup w b A1 w D4 burnt A2 burnt B1
#? []
91 losange-state
#? [.*"board":"\.\.\.W\.\.\.\.\?\.\.\.B\?\.\.".*"turn":"W".*]
92 printsgf
#? [.*SZ\[4\]AB\[ad\]AW\[da\]LA\[ac:burnt\]\[bd:burnt\]PL\[W\]\)]
93 play w D4-B2-D4
#? []
94 final_score
#? [W\+11]
95 undo
#? []
96 losange-edit b . A2 w C4 burnt D4
#? []
97 losange-state
#? [.*"board":"\.\.W\?\.\.\.\.\.\.\.\.B\?\.\.".*"turn":"B".*]
98 set_position b A1 w D4 burnt A1
#! [an amazon on a burnt square]
99 losange-setup b burnt A1
#! [a side without amazons]
100 losange-setup b b2 A1
#! [this game has no towers]
