# Fixed, free and set handicap.
boardsize 19
clear_board
10 fixed_handicap 9
#? [.*K10.*]
11 fixed_handicap 2
#! [board not empty]
clear_board
12 fixed_handicap 2
#? [D4 Q16]
clear_board
13 fixed_handicap 1
#! [invalid number of stones]
14 fixed_handicap 10
#! [invalid number of stones]
15 fixed_handicap
#! [.+]
16 place_free_handicap 4
#? [[A-HJ-T]\d+( [A-HJ-T]\d+){3}]
clear_board
17 set_free_handicap D4 Q16 K10
#? []
18 gogui-rules_side_to_move
#? [[wW].*]
19 set_free_handicap C3 C4
#! [board not empty]
clear_board
20 set_free_handicap D4 D4
#! [bad vertex list]
21 set_free_handicap D4
#! [.+]
22 set_free_handicap D4 PASS
#! [bad vertex list]
23 set_free_handicap D4 Z99
#! [bad vertex list]
boardsize 9
24 fixed_handicap 4
#? [C3 G7 G3 C7|C3 G7 C7 G3]
boardsize 6
25 fixed_handicap 2
#! [invalid number of stones]
boardsize 9
26 fixed_handicap 5
#? [.*E5.*]
27 undo
#! [cannot undo]
