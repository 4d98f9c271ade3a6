# Made by scripts/ladders.py: net. What is right was read to its end.

# 22 stones, chain at H3
boardsize 9
clear_board
komi 7.5
gogui-play_sequence w G2 w J3 b H3 w J4 w H2 b D5
1 genmove w
#? [!G3|H4]

# 6 stones, chain at C2
boardsize 9
clear_board
komi 7.5
gogui-play_sequence w C2 b C1 b D1 b B2 b B3 w B7 b H4 w F4
2 genmove b
#? [!C3|D2]

# 10 stones, chain at K3
boardsize 13
clear_board
komi 7.5
gogui-play_sequence b L4 w K3 b L3 b K2 w L2 b J2 w D4 b D10 w K10 b D8 w G7
3 genmove b
#? [!J3|K4]

# 22 stones, chain at D3
boardsize 13
clear_board
komi 7.5
gogui-play_sequence w E2 w C4 b D3 w D2 w C3 b D10 w K4 b K10 w F8
4 genmove w
#? [!D4|E3]

# 24 stones, chain at L11
boardsize 13
clear_board
komi 7.5
gogui-play_sequence w L12 b L11 w M10 w M11 w K12 b D4 w D10 b K4 w G11
5 genmove w
#? [!K11|L10]

# 42 stones, chain at D5
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b D4 b C6 b E4 w D5 b C5 w D16 b Q4 w Q16 b P6 w N6 b G3 w D14
6 genmove b
#? [!D6|E5]

# 14 stones, chain at E16
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b F17 b E17 w E16 w D17 b D15 b D16 w D4 b Q4 w Q16 b L17 w G12 b R10 w G8 b J12 w G5 b M7 w N13
7 genmove b
#? [!E15|F16]

# 20 stones, chain at G10
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b G11 b F9 b H11 w F11 w G10 b F10 w D4 b D16 w Q4 b Q16 w N4 b J5 w O13 b C8 w L14 b R13
8 genmove b
#? [!G9|H10]
