# Both workers are put down in one move, in any order. Then a worker goes and builds.
boardsize 3
11 gogui-rules_board
#? [\. \. \.\n\. \. \.\n\. \. \.]
12 play b B3-A3
#? []
undo
13 play b A3-B3
#? []
14 genmove w
#? [[A-C][1-3]-[A-C][1-3]]
15 undo
#? []
16 play w A1-B1
#? []
17 gogui-rules_legal_moves
#? [A3 B3]
# GoGui plays a turn in three.
18 play b B3
#? []
19 gogui-rules_legal_moves
#? [C3 A2 B2 C2]
20 play b C2
#? []
21 gogui-rules_legal_moves
#? [B3 C3 B2 C1]
22 gogui-rules_board_gfx
#? [SQUARE B3 C2]
23 play b C1
#? []
24 gogui-rules_board_gfx
#? [LABEL C1 1]
25 gogui-rules_side_to_move
#? [white]
26 play w B1-C1-B1
#? []
27 showboard
#? [.*  X  \.  \. 3\n.*\.  \.  X 2\n.*  O 1\. 1O 1\n.*black to move, 4 moves played]
28 losange-state
#? [.*"levels":\[0,0,0,0,0,0,0,1,1\].*]
29 undo
#? []
30 genmove w
#? [[A-C][1-3]-[A-C][1-3](-[A-C][1-3])?]
# Workers and buildings are set up.
31 set_position b A1 b B2 w C3 w B3
#? []
32 set_position b A1 w C3
#! [.*]
33 final_score
#! [cannot score: the game is not over]
90 losange-setup w b A1 b B2 w C3 w B3 2 A1 3 A2 4 C1
#? []
91 losange-state
#? [.*"board":"\.WW\.B\.B\.\.".*"levels":\[0,0,0,3,0,0,2,0,4\].*"turn":"W".*]
92 printsgf
#? [.*SZ\[3\]AB\[bb\]\[ac\]AW\[ba\]\[ca\]LA\[ab:3\]\[ac:2\]\[cc:4\]PL\[W\]\)]
93 play w B3-A2-A3
#! [.*no such move.*]
94 losange-edit b . C1 1 B2
#? []
95 losange-state
#? [.*"levels":\[0,0,0,3,1,0,2,0,0\].*"turn":"B".*]
96 play b A1-A2
#? []
97 final_score
#? [B\+]
98 losange-setup b b A1 b B2 w C3 w B3 4 A1
#! [a worker on a dome]
99 losange-setup b 1 A1
#! [a building before all workers stand]
100 losange-setup b 5 A1
#! [a building has 1 to 4 levels]
101 losange-setup b burnt A1
#! [this game has no burnt squares]
102 losange-setup b x A1
#! [syntax error: expected .*, found 'x']
103 losange-edit b b
#! [syntax error: expected colours and points in turn]
104 losange-edit b b Z9
#! [.*no point of this board.*]
105 loadsgf files/built.sgf
#? []
106 losange-state
#? [.*"board":"W\.\.\.W\.B\.B".*"levels":\[0,0,0,1,2,0,0,0,0\].*"turn":"B".*]
boardsize 3
# Every search plays.
boardsize 5
play b D4-B2
play w B4-D2
34 losange-set search alphabeta
#? []
35 genmove b
#? [[A-E][1-5]-[A-E][1-5]-[A-E][1-5]]
36 losange-set search mcts
#? []
37 genmove w
#? [[A-E][1-5]-[A-E][1-5]-[A-E][1-5]]
38 kata-analyze 10
#? [.*info move [A-E][1-5]-[A-E][1-5]-[A-E][1-5] .*]
39 boardsize 6
#! [unacceptable size]
60 gogui-rules_game_id
#? [Santorini]
# Workers are named in any order where moves are restricted, too.
boardsize 3
clear_board
61 kata-search_analyze b 100 allow b B1-A1 1 maxmoves 1
#? [(?s).*info move A1-B1 .*]
