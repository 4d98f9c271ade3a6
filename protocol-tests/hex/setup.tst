# Sizes. HexGui always sends two numbers.
10 boardsize 11 11
#? []
11 boardsize 5
#? []
12 boardsize 0
#! [.+]
13 boardsize 33
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
29 boardsize 32 32
#? []
30 play b af32
#? []
31 play w aa1
#? []
32 play b ag1
#! [.+]
33 showboard
#? [\n +a a a a a a\n  a b .* y z a b c d e f   X joins.*\n +a a a a a a\n +a b .* y z a b c d e f   O joins left and right]
34 boardsize 26 2
#? []
35 play b Z2
#? []
36 losange-state
#? [.*"legal":\["a1","b1",.*"z1","a2",.*]
# Positions as JSON, and set up with either side to move.
90 boardsize 2
#? []
91 losange-state
#? [\{"board":"\.\.\.\.","end":null,"game":"hex","heights":null,"legal":\["a1","b1","a2","b2"\],"levels":null,"moves":0,"size":\[2,2\],"turn":"B"\}]
92 losange-setup w b a1
#? []
93 losange-state
#? [\{"board":"B\.\.\.","end":null,"game":"hex","heights":null,"legal":\["b1","a2","b2"\],"levels":null,"moves":0,"size":\[2,2\],"turn":"W"\}]
94 play w b1
#? []
95 play b a2
#? []
96 losange-state
#? [\{"board":"BWB\.","end":\{"score":0.0,"text":"black wins","winner":"B"\},"game":"hex","heights":null,"legal":\[\],"levels":null,"moves":2,"size":\[2,2\],"turn":"W"\}]
97 losange-setup
#! [syntax error: .+]
98 losange-setup b w
#! [syntax error: .+]
99 losange-setup b w c3
#! [illegal move: .+]
