# Sizes. HexGui always sends two numbers.
10 boardsize 11 11
#? []
11 boardsize 5
#? []
12 boardsize 0
#! [.+]
13 boardsize 26
#! [.+]
14 boardsize 1000 1000
#! [.+]
15 boardsize -1
#! [.+]
16 boardsize a
#! [.+]
17 boardsize
#! [.+]
18 boardsize 1
#? []
19 play b a1
#? []
20 final_score
#? [B\+]
21 boardsize 4 6
#? []
22 play b d6
#? []
23 play w e1
#! [.+]
24 play w a7
#! [.+]
25 clear_board
#? []
26 clear_board
#? []
27 showboard
#? [.*a.*b.*c.*d.*]
28 showboard
#? [!.*\n\n.*]
29 boardsize 25 25
#? []
30 play b y25
#? []
