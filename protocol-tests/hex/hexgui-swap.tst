# What HexGui 0.10 sends, recorded: its start, and the ways to swap in it.
10 name
#? [Losange]
version
11 hexgui-analyze_commands
#? [(([a-z]+)/[^/\n]+/[^/\n]+\n?)+]
boardsize 11 11
clear_board
clear_board
showboard
param_game allow_swap 1
# "Swap sides" by a person after the engine's first stone: HexGui only asks for the board, and White is still next. An answer
# of "swap-pieces" makes it say "Swap move not allowed!".
boardsize 11 11
clear_board
showboard
12 genmove black
#? [[a-k][0-9]+]
13 showboard
#? [.*white to move, 1 moves played.*]
14 genmove white
#? [[a-k][0-9]+]
# "Swap pieces" by a person: White's stone, mirrored, on an empty board.
boardsize 11 11
clear_board
showboard
15 genmove black
#? [[a-k][0-9]+]
clear_board
play white j9
showboard
16 genmove black
#? [[a-k][0-9]+]
# A swap by the engine, and moves after it. HexGui has mirrored the stone itself.
boardsize 11 11
clear_board
showboard
play black f6
showboard
17 genmove white
#? [swap-pieces]
play black d4
showboard
18 genmove white
#? [[a-k][0-9]+]
# Back to the start of the game, and to its end.
undo
undo
clear_board
play black f6
undo
19 showboard
#? [.*black to move, 0 moves played.*]
play black f6
clear_board
play white f6
play black d4
play white d5
20 showboard
#? [.*black to move, 3 moves played.*]
# Both colours by the engine: nothing was done between, so that the swap is still open.
boardsize 5 5
clear_board
21 play black c3
#? []
22 genmove white
#? [swap-pieces]
