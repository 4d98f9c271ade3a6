# GoGui plays a move in two: the point that a stone comes from, and the one that it goes to.
boardsize 3 2
10 gogui-rules_game_id
#? [Clobber]
11 gogui-rules_board_size
#? [3]
12 gogui-rules_board
#? [\? \? \?\nX O X\nO X O]
13 gogui-rules_legal_moves
#? [A2 C2 B1]
14 play b A2
#? []
15 gogui-rules_legal_moves
#? [B2 A1]
16 gogui-rules_side_to_move
#? [black]
17 gogui-rules_board_gfx
#? [SQUARE A2]
18 play b C1
#! [illegal move: black C1 \(the piece in hand cannot go there\)]
19 play b A1
#? []
20 gogui-rules_side_to_move
#? [white]
21 gogui-rules_board
#? [\? \? \?\n\. O X\nX X O]
22 play w A1
#! [illegal move: white A1 \(nothing that can move is there\)]
23 undo
#? []
24 gogui-rules_legal_moves
#? [B2 A1]
25 undo
#? []
26 gogui-rules_legal_moves
#? [A2 C2 B1]
27 undo
#! [cannot undo]
# Once GoGui has said who it is, it is answered so too.
gogui-version 1.6.0
28 genmove b
#? [[ABC][12]]
29 gogui-rules_side_to_move
#? [black]
30 genmove b
#? [[ABC][12]]
31 gogui-rules_side_to_move
#? [white]
# What the user has picked up the engine puts down.
clear_board
play b B1
32 genmove b
#? [A1|C1|B2]
33 gogui-rules_side_to_move
#? [white]
# What is refused in the middle of a sequence leaves nothing in hand.
clear_board
90 gogui-play_sequence b A2 b Z9
#! [.+]
91 gogui-rules_legal_moves
#? [A2 C2 B1]
