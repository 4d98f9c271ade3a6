# Boards of more than 256 cells: moves, proofs and winning moves.
time_settings 0 1 1
boardsize 17 17
10 genmove b
#? [[a-s][0-9]+]
11 genmove w
#? [[a-s][0-9]+]
boardsize 17 17
play b i1
play b i2
play b i3
play b i4
play b i5
play b i6
play b i7
play b i8
play b h10
play b h11
play b h12
play b h13
play b h14
play b h15
play b h16
play b h17
# Proofs have more than the clock of a move.
time_settings 0 1 0
12 dfpn-solve-state black
#? [black]
13 dfpn-solve-state white
#? [black]
14 dfpn-solver-find-winning white
#? []
15 dfpn-solver-find-winning black
#? [([a-s][0-9]+ ?){273}]
time_settings 0 1 1
16 reg_genmove w
#? [[a-s][0-9]+|resign]
17 reg_genmove b
#? [[a-s][0-9]+]
boardsize 19 19
18 genmove b
#? [[a-s][0-9]+]
19 genmove w
#? [[a-s][0-9]+]
boardsize 19 19
play b j1
play b j2
play b j3
play b j4
play b j5
play b j6
play b j7
play b j8
play b j9
play b i11
play b i12
play b i13
play b i14
play b i15
play b i16
play b i17
play b i18
play b i19
time_settings 0 1 0
20 dfpn-solve-state black
#? [black]
21 dfpn-solve-state white
#? [black]
22 dfpn-solver-find-winning white
#? []
time_settings 0 1 1
24 reg_genmove w
#? [[a-s][0-9]+|resign]
25 reg_genmove b
#? [[a-s][0-9]+]
boardsize 16 17
26 genmove b
#? [[a-y][0-9]+]
boardsize 20 13
27 genmove b
#? [[a-y][0-9]+]
boardsize 25 11
28 genmove b
#? [[a-y][0-9]+]
boardsize 32 32
29 genmove b
#? [[a-z]{1,2}[0-9]+]
boardsize 32 32
set_position black p1 black p2 black p3 black p4 black p5 black p6 black p7 black p8 black p9 black p10 black p11 black p12 black p13 black p14 black p15 black o17 black o18 black o19 black o20 black o21 black o22 black o23 black o24 black o25 black o26 black o27 black o28 black o29 black o30 black o31 black o32
time_settings 0 1 0
31 dfpn-solve-state black
#? [black]
32 dfpn-solve-state white
#? [black]
time_settings 0 1 1
33 reg_genmove b
#? [[a-z]{1,2}[0-9]+]
play b o16
34 final_score
#? [B\+]
