# PlayHex's worker, as MoHex: strength by games, fresh trees, stones of one colour in a row, a swap.
param_mohex reuse_subtree 0
param_mohex max_time 30
param_mohex max_memory 1073741824
param_mohex max_games 12
10 param_mohex
#? [.*playouts 12\n.*]
9 losange-get solver_share
#? [0]
11 param_mohex max_games 0
#! [syntax error: expected a number of games from 1.*]
12 param_mohex max_time -1
#! [syntax error: .+]
13 param_mohex reuse_subtree maybe
#! [syntax error: .+]
14 param_mohex use_book 1
#! [unknown option.+]
param_game allow_swap 0
boardsize 9 9
play-game f4
15 genmove white
#? [[a-i][1-9]]
boardsize 5 5
play-game a2
play black b4
play black c1
showboard
16 genmove white
#? [[a-e][1-5]]
param_game allow_swap 1
boardsize 5 5
play-game c3
17 genmove white
#? [[a-e][1-5]|swap-pieces]
boardsize 1 1
clear_board
showboard
18 genmove black
#? [a1]
param_mohex max_memory 1
19 genmove white
#? [resign]
# The same, as KataHex: positions set up with Black to move, the policy of a model, searches with a report on standard error.
param_game allow_swap 0
param_mohex max_memory 1073741824
boardsize 14 14
20 set_position black d5 black k2 white a1 white d4 white f5 white f7 white g9 white g11 white g14
#? []
21 kata-raw-nn 0
#? [symmetry 0\nwhiteWin (0\.[0-9]{6})\nwhiteLoss (0\.[0-9]{6})\nnoResult 0\.000000\n(\S+ \S+\n){6}policy\n    NAN 0\.[0-9]{6} .* \npolicyPass 0\.000000 \nwhiteOwnership\n.*]
22 genmove_debug black
#? [[a-n][0-9]+]
boardsize 5 5
clear_board
showboard
23 search_debug black
#? [[a-e][1-5]]
24 losange-state
#? [.*"moves":0,.*]
25 kata-raw-nn all
#? [symmetry 0\n.*symmetry 7\n.*]
26 kata-raw-nn 8
#! [syntax error: .+]
27 kata-raw-nn
#! [syntax error: .+]
# A pass at the end of a game is sent as a stone without a cell.
28 set_position black a1 white b2 white pass
#? []
29 losange-state
#? [\{"board":"B\.\.\.\.\.W.*"turn":"B"\}]
30 set_position black a1 white a1
#! [.+]
31 set_position black a1 white
#! [syntax error: .+]
32 set_position black z9
#! [illegal move: .+]
33 losange-state
#? [\{"board":"B\.\.\.\.\.W.*"turn":"B"\}]
# A game that is won, and a full board: the result is certain, and all cells are alike.
34 set_position black c1 black c2 black c3 black c4 black c5 white a1
#? []
35 kata-raw-nn 0
#? [symmetry 0\nwhiteWin 0\.000000\nwhiteLoss 1\.000000\n.*    NAN 0\.052632     NAN .*]
36 genmove_debug black
#? [[a-e][1-5]]
boardsize 2 2
37 set_position white a1 white b1 white a2 white b2
#? []
38 kata-raw-nn 0
#? [symmetry 0\nwhiteWin 1\.000000\n.*policy\n    NAN     NAN \n    NAN     NAN \npolicyPass 0\.000000 \n.*]
39 genmove_debug black
#? [pass]
# A move that wins at once is as good as any can be.
40 set_position black a1
#? []
41 kata-raw-nn 0
#? [symmetry 0\nwhiteWin 0\.000000\n.*]
42 kata-raw-nn white 0
#? [symmetry 0\nwhiteWin 0\.[0-9]+\n.*]
