# The start, moves, and what is refused.
10 boardsize 3 2
#? []
11 showboard
#? [\n    A  B  C\n 2  X  O  X 2\n 1  O  X  O 1\n    A  B  C\n   black to move, 0 moves played]
12 all_legal_moves
#? [A2-B2 A2-A1 C2-C1 C2-B2 B1-B2 B1-C1 B1-A1]
13 play b A2-A1
#? []
14 play b B1A1
#! [illegal move: black B1-A1 \(no such move\)]
15 play w a1-b1
#! [illegal move: white A1-B1 \(no such move\)]
16 play w A2-C2
#! [.*is no move of this game.*]
17 play w pass
#! [illegal move: white pass \(there is no passing before the end\)]
18 play green A1-A2
#! [.*no colour.*]
19 play w
#! [.+]
20 final_score
#! [cannot score: the game is not over]
21 gogui-rules_side_to_move
#? [white]
22 undo
#? []
23 undo
#! [cannot undo]
24 boardsize 11
#! [unacceptable size]
25 boardsize 0
#! [unacceptable size]
26 boardsize 10
#? []
# A whole game on the smallest board.
boardsize 2 1
27 play b A1-B1
#? []
28 final_score
#? [B\+]
29 genmove w
#? [pass]
30 play w pass
#? []
31 play w B1-A1
#! [illegal move: white B1-A1 \(the game is over\)]
32 gogui-rules_final_result
#? [black wins]
33 gogui-rules_legal_moves
#? []
# Positions that are set up; Black is to move.
boardsize 3 1
34 set_position b A1 w B1 w C1
#? []
35 all_legal_moves
#? [A1-B1]
36 all_legal_moves w
#? [B1-A1]
37 set_position b A1 w A1
#! [A1 is named twice]
38 set_position b
#! [.+]
39 set_position b D1
#! [.+]
# All games as JSON.
90 losange-games
#? [\[\{"boards":\[2,25\],"burns":false,"draws":true,"grid":"lines","letters":"gtp","levels":0,"name":"Go","openings":\[9,13,19\],"play_levels":\["30k",.*,"9d"\],"players":2,"points":1,"sgf":1,"tallest":1,"usual":\[19,19\],"word":"go"\},.*"word":"breakthrough"\}.*\]]
