# Sizes, komi, clearing. CGOS sends boardsize, komi, time_settings and then clear_board, which must keep the others.
10 boardsize 9
#? []
11 gogui-rules_board_size
#? [9]
12 boardsize 0
#! [unacceptable size]
13 boardsize 1
#! [unacceptable size]
14 boardsize 26
#! [unacceptable size]
15 boardsize 1000
#! [unacceptable size]
16 boardsize -3
#! [.+]
17 boardsize nine
#! [.+]
18 boardsize
#! [.+]
19 gogui-rules_board_size
#? [9]
20 boardsize 2
#? []
21 boardsize 25
#? []
22 play b Z25
#? []
23 boardsize 19 13
#? []
24 gogui-rules_board_size
#? [19 13.*]
25 play w T13
#? []
26 play w T14
#! [.+]
27 rectangular_boardsize 7 9
#? []
28 play b G9
#? []
29 rectangular_boardsize 7
#! [.+]
30 boardsize 9
#? []
# boardsize clears.
31 undo
#! [cannot undo]
32 komi 5.5
#? []
33 clear_board
#? []
34 get_komi
#? [5\.5]
35 komi nan
#! [.+]
36 komi inf
#! [.+]
37 komi x
#! [.+]
38 komi
#! [.+]
39 get_komi
#? [5\.5]
40 komi -3.5
#? []
41 get_komi
#? [-3\.5]
42 komi 0
#? []
43 komi 7
#? []
44 kgs-rules chinese
#? []
# KGS plays them with superko.
200 kata-get-rules
#? [\{.*"ko":"POSITIONAL".*"whiteHandicapBonus":"N".*\}]
45 kgs-rules aga
#? []
46 kgs-rules japanese
#? []
47 kgs-rules new_zealand
#? []
48 kgs-rules chess
#! [unknown rules.*]
49 kata-set-rules tromp-taylor
#? []
50 kata-get-rules
#? [\{.*"scoring":"AREA".*\}]
51 kata-get-rules
#? [\{.*"suicide":true.*\}]
52 kata-get-rules
#? [\{.*"ko":"POSITIONAL".*\}]
53 kata-set-rules japanese
#? []
54 kata-get-rules
#? [\{.*"tax":"SEKI".*\}]
55 kata-set-rule ko SITUATIONAL
#? []
56 kata-get-rules
#? [\{.*"ko":"SITUATIONAL".*\}]
57 kata-set-rule ko MAGIC
#! [.+]
58 kata-set-rules {"ko":"SIMPLE","scoring":"AREA","tax":"NONE","suicide":false,"hasButton":false,"whiteHandicapBonus":"N","friendlyPassOk":true}
#? []
59 kata-get-rules
#? [\{.*"whiteHandicapBonus":"N".*\}]
201 kata-set-rule hasButton true
#! [.*button.*]
202 kata-set-rule hasButton false
#? []
203 kata-set-rules cgos
#? []
204 kata-get-rules
#? [\{"friendlyPassOk":false,.*"scoring":"AREA","suicide":false.*\}]
205 kata-set-rules chinese
#? []
60 kata-set-rules {"ko":
#! [.+]
61 kata-set-rules go-fish
#! [.+]
62 clear_board
#? []
63 kata-get-rules
#? [\{.*"whiteHandicapBonus":"N".*\}]
# KataGo's word for a board that is no square.
64 boardsize 9:7
#? []
65 losange-state
#? [.*"size":\[9,7\].*]
66 boardsize 9:
#! [unacceptable size]
67 boardsize 9:0
#! [unacceptable size]
# A chain is named as clients name points.
boardsize 5
90 losange-setup b w A2 w B1 b A1
#! [the chain at A1 has no liberty]
