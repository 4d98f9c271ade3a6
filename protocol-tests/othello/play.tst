# Discs are placed where they flank others. Rows are counted from below, and Black begins.
11 gogui-rules_board_size
#? [8]
12 gogui-rules_board
#? [(\. \. \. \. \. \. \. \.\n){3}\. \. \. O X \. \. \.\n\. \. \. X O \. \. \.(\n\. \. \. \. \. \. \. \.){3}]
13 all_legal_moves
#? [D6 C5 F4 E3]
14 play b D5
#! [illegal move: black D5 \(it flanks no disc\)]
15 play b pass
#! [illegal move: black pass \(there is a disc to place\)]
16 play b D6
#? []
17 gogui-rules_board
#? [(\. \. \. \. \. \. \. \.\n){2}\. \. \. X \. \. \. \.\n\. \. \. X X \. \. \.\n\. \. \. X O \. \. \.(\n\. \. \. \. \. \. \. \.){3}]
18 gogui-rules_legal_moves
#? [C6 E6 C4]
19 genmove w
#? [C6|E6|C4]
20 undo
#? []
21 showboard
#? [.*white to move, 1 moves played]
22 final_score
#! [cannot score: the game is not over]
# A pass is a move where nothing can be placed, and nothing at the end.
boardsize 4
23 set_position b B4 w A4
#? []
24 gogui-rules_legal_moves
#? [pass]
25 genmove b
#? [pass]
26 gogui-rules_side_to_move
#? [white]
27 genmove w
#? [C4]
28 final_score
#? [W\+3]
29 gogui-rules_final_result
#? [white wins, 3 discs to 0]
30 play b pass
#? []
31 genmove b
#? [pass]
32 showboard
#? [.*white wins, 3 discs to 0]
33 printsgf
#? [\(;FF\[4\]GM\[2\].*SZ\[4\]AB\[ba\]AW\[aa\]PL\[B\]\n;B\[\]\n;W\[ca\]\)]
# Every search plays.
boardsize 6
34 losange-set search alphabeta
#? []
35 genmove b
#? [[A-F][1-6]]
36 losange-set search mcts
#? []
37 genmove w
#? [[A-F][1-6]]
38 kata-analyze 10
#? [.*info move [A-F][1-6] .*]
39 gogui-rules_game_id
#? [Othello]
40 boardsize 10 9
#? []
41 boardsize 11
#! [unacceptable size]
42 boardsize 3 5
#! [unacceptable size]
