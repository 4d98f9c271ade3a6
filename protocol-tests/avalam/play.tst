# Towers of either colour are carried onto others.
11 gogui-rules_board_size
#? [9]
12 gogui-rules_board
#? [\? \? X O \? \? \? \? \?\n\? X O X O \? \? \? \?\n\? O X O X O X \? \?\n\? X O X O X O X O\nX O X O \? O X O X\nO X O X O X O X \?\n\? \? X O X O X O \?\n\? \? \? \? O X O X \?\n\? \? \? \? \? O X \? \?]
13 play b C9-D9
#? []
14 play w D9-E8
#? []
15 play b E8-D7
#? []
16 gogui-rules_board_gfx
#? [LABEL D7 4]
17 play w D7-E6
#? []
18 gogui-rules_board_gfx
#? [LABEL E6 5]
19 play b E6-F6
#! [illegal move: black E6-F6 \(no such move\)]
20 play b E5-E4
#! [.*is no move of this game.*]
21 play b A1-B2
#! [.+]
22 showboard
#? [.*5X.*black to move, 4 moves played]
23 undo
#? []
24 gogui-rules_board_gfx
#? [LABEL D7 4]
25 genmove w
#? [[A-J][1-9]-[A-J][1-9]]
26 boardsize 9
#? []
27 boardsize 8
#! [unacceptable size]
28 set_position b A1
#! [.+]
29 kata-analyze 10
#? [.*info move [A-J][1-9]-[A-J][1-9] .*]
30 losange-set search ubfm_s
#? []
30 genmove b
#? [[A-J][1-9]-[A-J][1-9]]
# By points for GoGui.
clear_board
31 gogui-rules_game_id
#? [Avalam]
32 genmove b
#? [[A-J][1-9]]
33 genmove b
#? [[A-J][1-9]]
34 gogui-rules_side_to_move
#? [white]
# Towers as JSON.
90 clear_board
#? []
91 play b C9-D9
#? []
92 losange-state
#? [\{"board":"\?\?\.B\?.+","end":null,"game":"avalam","heights":\[0,0,0,2,0,.+\],"legal":\[.*"D9-D8".*\],"levels":null,"moves":1,"size":\[9,9\],"turn":"W"\}]
93 losange-setup b b A1
#! [a tower is not on the board]
# Towers are set up.
94 losange-setup w b3 C9 white D9 W2 C8
#? []
95 losange-state
#? [.*"board":"\?\?BW\?\?\?\?\?\?\.W\..*".*"heights":\[0,0,3,1,0,0,0,0,0,0,0,2,0,.*\].*"turn":"W".*]
96 printsgf
#? [.*SZ\[9\]AW\[da\]LA\[ca:B3\]\[cb:W2\]PL\[W\]\)]
97 play w C8-C9
#? []
98 final_score
#? [W\+2]
99 losange-edit b . C9 b5 C8
#? []
100 losange-state
#? [.*"heights":\[0,0,0,1,0,0,0,0,0,0,0,5,0,.*\].*"turn":"B".*]
101 losange-setup b b6 C9
#! [a tower has 1 to 5 pieces]
102 losange-setup b b C9 w2 C9
#! [two towers on one point]
103 losange-setup b b5 C9 b5 D9 b5 C8 b5 D8 b5 E8 b5 B8 b5 C7 b5 D7 b5 E7 w5 F7
#! [more than 48 pieces]
104 losange-setup b 2 C9
#! [this game has no buildings]
