# Pieces go ahead, straight or diagonally, and take diagonally. Black begins below.
11 gogui-rules_board_size
#? [8]
boardsize 5
12 gogui-rules_board
#? [O O O O O\nO O O O O\n\. \. \. \. \.\nX X X X X\nX X X X X]
13 gogui-rules_legal_moves
#? [.+]
14 play b A2-A3
#? []
15 play w B4-A3
#? []
16 play b B2-A3
#? []
17 play w C5-C3
#! [illegal move: .*]
18 play w C4-C3
#? []
19 play b C2-C3
#! [illegal move: black C2-C3 \(no such move\)]
20 play b C2-B3
#? []
21 undo
#? []
22 showboard
#? [.*black to move, 4 moves played]
23 genmove b
#? [[A-E][1-5]-[A-E][1-5]]
# Whoever reaches the last row has won.
24 set_position b A2 b B1 w E4 w D4
#? []
25 genmove b
#? [[A-E][1-5]-[A-E][1-5]]
26 set_position b A4 b B1 w E4 w D4
#? []
27 reg_genmove b
#? [A4-[AB]5]
28 play b A4-A5
#? []
29 final_score
#? [B\+.*]
30 genmove w
#? [pass|resign]
31 set_position b A5 w A1
#! [.*]
# Every search plays.
boardsize 6
32 losange-set search alphabeta
#? []
33 genmove b
#? [[A-F][12]-[A-F][23]]
34 losange-set search mcts
#? []
35 genmove w
#? [[A-F][56]-[A-F][45]]
36 kata-analyze 10
#? [.*info move [A-F][1-6]-[A-F][1-6] .*]
37 gogui-rules_game_id
#? [Breakthrough]
38 boardsize 9
#! [unacceptable size]
39 boardsize 3 5
#! [unacceptable size]
# Another winning move is looked for where the first one is avoided.
boardsize 5
losange-option playouts 20000
gogui-play_sequence b D2-D3 w C4-D3 b A2-A3 w D5-C4 b C2-D3 w D4-C3 b B2-C3 w E4-E3 b C3-D4 w E5-D4 b B1-C2 w C4-B3 b A1-A2
60 lz-genmove_analyze w 10000 avoid w B3-A2 1
#? [\n(info .*\n)+play E3]
# A move that is proved to lose is none to play while others are open, however little was seen of those.
boardsize 5
losange-set search alphabeta
losange-option playouts 800
gogui-play_sequence b A2-B3 w B4-A3 b C2-D3 w C4-D3 b D1-C2 w A5-B4 b D2-E3 w D3-D2 b B1-A2 w B5-C4
61 kata-search_analyze b 1000 provenWinner true rootInfo true
#? [!play C1-D2|rootInfo .*provenWinner W]
62 losange-set search ubfm_s
