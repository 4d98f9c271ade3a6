# The swap rule, and its two meanings.
boardsize 5 5
10 play b a2
#? []
11 play w swap-pieces
#! [illegal move.*]
12 param_game allow_swap 1
#? []
13 all_legal_moves
#? [.*swap-pieces.*]
14 play w swap-pieces
#? []
# HexGui's meaning, seen by looking: the stone is mirrored (b1) and white, Black is next.
15 gogui-rules_board
#? [\. O.*]
16 gogui-rules_side_to_move
#? [[bB].*]
17 undo
#? []
18 gogui-rules_board
#? [\. [. ]*\nX.*]
19 play w c3
#? []
20 undo
#? []
# Benzene's meaning: the programs exchange colours and the swapper's colour moves again; the stone stays.
21 play w swap-pieces
#? []
22 genmove w
#? [[a-e][1-5]]
23 gogui-rules_board
#? [!\. O.*]
24 clear_board
#? []
25 play b c3
#? []
26 play w d2
#? []
27 play b swap-pieces
#! [illegal move.*]
28 clear_board
#? []
29 play w swap-pieces
#! [illegal move.*]
# The centre of 5x5 is a won opening: the engine swaps it.
30 play b c3
#? []
31 genmove w
#? [swap-pieces]
# A question changes nothing, also where it is put by the side that has swapped.
clear_board
40 play b a2
#? []
41 play w swap-pieces
#? []
42 reg_genmove w
#? [[a-e][1-5]]
43 gogui-rules_board
#? [\. O.*]
44 reg_genmove b
#? [[a-e][1-5]]
45 gogui-rules_board
#? [\. O.*]
# A sequence is played whole or not at all.
46 gogui-play_sequence w d4 b z9
#! [.+]
47 gogui-rules_board
#? [\. O.*]
48 play w d4
#? []
49 gogui-rules_board
#? [!\. O.*]
# Questions mean the same board as a move would: the stone has stayed.
clear_board
50 play b a2
#? []
51 play w swap-pieces
#? []
52 all_legal_moves w
#? [!.* a2 .*]
53 all_legal_moves b
#? [.* a2 .*]
54 play w a2
#! [illegal move.*]
# It is the second player's, and the first stone's: nobody swaps his own stone, or Black White's.
clear_board
60 play b b4
#? []
61 play b swap-pieces
#! [illegal move: black swap-pieces \(swap is not allowed here\)]
62 undo
#? []
63 play w b4
#? []
64 play b swap-pieces
#! [illegal move: black swap-pieces \(swap is not allowed here\)]
# Where the programs have exchanged colours, the game is still one with the rule.
clear_board
65 play b b4
#? []
66 play w swap-pieces
#? []
67 play w swap-pieces
#! [illegal move: white swap-pieces \(swap is not allowed here\)]
68 play w c3
#? []
69 printsgf
#? [[\s\S]*RU\[swap\][\s\S]*;B\[b4\]\s*;W\[c3\][\s\S]*]
