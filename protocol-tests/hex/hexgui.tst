# A swap by a person, as HexGui tells of it: White's stone, mirrored already, on an empty board. Black moves next and cannot swap.
param_game allow_swap 1
boardsize 11 11
clear_board
play white g1
10 all_legal_moves
#? [!.*swap-pieces.*]
11 play black swap-pieces
#! [illegal move.*]
12 genmove black
#? [[a-k][0-9]+]
# Centre stones are those that a swap is worth while for.
clear_board
play white f6
13 genmove black
#? [[a-k][0-9]+]
14 undo
#? []
15 undo
#? []
# The rule itself stays.
16 play black f6
#? []
17 all_legal_moves
#? [.*swap-pieces.*]
clear_board
play white f6
play white e5
18 all_legal_moves
#? [!.*swap-pieces.*]
