# Virtual connections and inferior cells, in benzene's words.
boardsize 11 11
play black d4
play black e5
play black g5
10 vc-between-cells-full black d4 e5
#? [black d4 e5 full h-search \[ e4 d5 \] \[ \]]
11 vc-between-cells-semi black e5 g5
#? [black e5 g5 semi h-search \[ f5 \] \[ \] f5]
12 vc-between-cells-full black d4 north
#? [black d4 north full .*]
13 vc-connected-to-full black d4
#? [.*d3.*e5.* north]
14 vc-intersection-full black d4 e5
#? [e4 d5]
15 vc-union-full black d4 e5
#? [e4 d5]
16 vc-intersection-semi black a11 k1
#? []
17 vc-between-cells-full black d4 d4
#? []
18 eval-resist-cells black
#? [([a-k][0-9]+ [0-9]+\.[0-9] ?)+]
play black d5
19 group-get d5
#? [d5 d4 e5]
20 group-get a1
#? []
# A stone of the second row captures the two cells behind it, and in time the corner.
boardsize 5 5
play black c4
21 compute-fillin white
#? [b5 fcb c5 fcb d5 fcb e5 fcb d4 fcb e4 fcb]
22 compute-dominated white
#? [([a-e][1-5] id\[[a-e][1-5]\] ?)+]
23 compute-inferior white
#? [b5 fcb c5 fcb d5 fcb e5 fcb d4 fcb e4 fcb( [a-e][1-5] id\[[a-e][1-5]\])+]
# Below a lone stone of the second row White's stones are dead after one answer.
clear_board
play black c4
30 compute-vulnerable white
#? [.*b5 iv\[c5\].*]
31 compute-vulnerable
#! [.+]
# Whatever is wrong is said.
24 vc-build
#! [.+]
25 vc-build green
#! [.+]
26 vc-between-cells-full black c4
#! [.*missing.*]
27 vc-between-cells-full black c4 west
#! [west is no edge of black]
28 vc-between-cells-full white c4 west
#! [.*not white's.*]
29 vc-connected-to-semi black z9
#! [.+]
30 group-get
#! [.+]
# A game that is over.
play-game a1 b1 a2 b2 a3 b3 a4 b4 a5
31 vc-build white
#? []
32 compute-inferior white
#? []
33 vc-between-cells-full black north south
#! [.*decided.*]
34 eval-resist-cells black
#! [.*decided.*]
35 dfpn-solve-state white
#? [black]
