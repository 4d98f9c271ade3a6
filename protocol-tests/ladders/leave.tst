# Made by scripts/ladders.py: leave. What is right was read to its end.

# 14 stones, chain at E8
boardsize 9
clear_board
komi 27.5
gogui-play_sequence w E8 b D9 b E9 b F8 w C4 b E5 b E7 w D8 b C8 w D7 b D6 w C7 b B7 w C6 b C5
1 genmove w
#? [!B6]

# 23 stones, chain at G7
boardsize 9
clear_board
komi -8.5
gogui-play_sequence w F8 b G7 w H7 w G8 w G6 b F7 w E7 b F6 w F5
2 genmove b
#? [!E6]

# 18 stones, chain at D2
boardsize 9
clear_board
komi -4.5
gogui-play_sequence w E1 b D2 w D1 w C2 b D5 w D3
3 genmove b
#? [!E2]

# 24 stones, chain at L4
boardsize 13
clear_board
komi 27.5
gogui-play_sequence b M4 w L4 b L3 b M5 w M3 w D4 b D10 w K10 b E8 w E6 b K4 w L5 b L6 w K5 b J5 w K6 b K7 w J6 b H6
4 genmove w
#? [!J7]

# 10 stones, chain at C3
boardsize 13
clear_board
komi -8.5
gogui-play_sequence b B2 w D2 w B3 w C2 b C3 b D10 w K4 b K10 w K7 b G4 w E4 b H11 w H7 w C4 b D3 w D4 b E3 w F3
5 genmove b
#? [!E2]

# 18 stones, chain at K2
boardsize 13
clear_board
komi 27.5
gogui-play_sequence b K1 b L3 w K2 b L2 w D4 b D10 w K10 b E7 b J2 w K3 b K4 w J3 b H3 w J4 b J5 w H4 b G4
6 genmove w
#? [!H5]

# 14 stones, chain at K3
boardsize 13
clear_board
komi -4.5
gogui-play_sequence b K3 w L3 w K2 w L4 b D4 w D10 b K10 w F7 w J3
7 genmove b
#? [!K4]

# 54 stones, chain at B5
boardsize 19
clear_board
komi 27.5
gogui-play_sequence b A6 b A5 w B5 b B4 w D4 b D16 w Q4 b Q16 w M3 b Q10 w L11 b H15 w M8 b M5 w P14 b H17 b C5 w B6 b B7 w C6 b D6 w C7 b C8 w D7 b E7
8 genmove w
#? [!D8]

# 12 stones, chain at R17
boardsize 19
clear_board
komi 23.5
gogui-play_sequence b Q18 w R17 b R18 b S17 w D4 b D16 w Q4 b O13 w H14 b D11 w L15 b R16 w Q17 b P17 w Q16 b Q15
9 genmove w
#? [!P16]

# 48 stones, chain at C16
boardsize 19
clear_board
komi -4.5
gogui-play_sequence w D17 w C17 w B16 b C16 b D4 w Q4 b Q16 w K3 b L12 w C15
10 genmove b
#? [!D16]

# 32 stones, chain at Q15
boardsize 19
clear_board
komi -8.5
gogui-play_sequence b R16 w R15 w R14 w Q16 b Q15 b D4 w D16 b Q4 w G7 b P9 w P15 b Q14 w Q13 b P14 w O14
11 genmove b
#? [!P13]

# 48 stones, chain at Q3
boardsize 19
clear_board
komi 19.5
gogui-play_sequence w Q3 b Q2 w R2 b R3 b P2 w D4 b D16 w Q16 b G16 w N12 b N10 w E7 b H8 w C8 b Q14 w C12 b Q4
12 genmove w
#? [!P3]

# 18 stones, chain at S5
boardsize 19
clear_board
komi -4.5
gogui-play_sequence w T6 w S4 w T5 b S5 b D4 w D16 b Q4 w Q16 b L12 w N10 b E7 w N3 b L3 w F11 w R5
13 genmove b
#? [!S6]

# 12 stones, chain at G10
boardsize 19
clear_board
komi 25.5
gogui-play_sequence b F9 b F10 w F11 b G11 w G10 w D4 b D16 w Q4 b Q16 w O7 b K15 w G14 b K3 w M5 b K12 w D11 b L7 b H10 w G9 b G8 w H9 b J9 w H8 b H7
14 genmove w
#? [!J8]

# 50 stones, chain at C17
boardsize 19
clear_board
komi 33.5
gogui-play_sequence b B17 b C18 w C17 b D18 w D4 b Q4 w Q16 b K14 w M3 b F5 w G17 b C9 w J16 b K5 w Q14 b C16 w D17 b E17 w D16 b D15 w E16 b F16 w E15 b E14 w F15 b G15 w F14 b F13 w G14 b H14
15 genmove w
#? [!G13]
