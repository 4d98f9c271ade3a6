# Made by scripts/ladders.py: catch. What is right was read to its end.

# 17 stones, chain at E4
boardsize 9
clear_board
komi 7.5
gogui-play_sequence b E3 w F3 b F5 b F4 w E4 w H3 b D4 w E5 b E6 w D5 b C5 w D6 b D7 w C6
1 genmove b
#? [B6]

# 22 stones, chain at G7
boardsize 9
clear_board
komi 7.5
gogui-play_sequence w H7 b H8 w G8 b G7 w H6 w F7 b G6 w G5 b F6 w E6 b F5 w F4 b E5
2 genmove w
#? [D5]

# 10 stones, chain at D6
boardsize 9
clear_board
komi 7.5
gogui-play_sequence b E7 w D6 b C6 w C7 b D7 w E2 b H4 w H2 b D5 w E6 b F6 w E5
3 genmove b
#? [E4]

# 10 stones, chain at E8
boardsize 13
clear_board
komi 7.5
gogui-play_sequence b D8 b E9 b D7 w E8 w D4 b K4 w K10 b G4 w K8 b F8 w E7 b E6 w F7 b G7 w F6
4 genmove b
#? [F5]

# 14 stones, chain at K9
boardsize 13
clear_board
komi 7.5
gogui-play_sequence b K10 b L9 b L8 w L10 w K9 w D4 b D10 w K4 b C8 w C6 b F5 w L6 b J9 w K8 b K7 w J8 b H8 w J7 b J6 w H7
5 genmove b
#? [G7]

# 22 stones, chain at K4
boardsize 13
clear_board
komi 7.5
gogui-play_sequence b K3 b L4 w L3 b L5 w K4 w D4 b D10 w K10 b J8 w H10 b J4 w K5 b K6 w J5 b H5 w J6 b J7 w H6 b G6 w H7 b H8 w G7
6 genmove b
#? [F7]

# 20 stones, chain at C11
boardsize 13
clear_board
komi 7.5
gogui-play_sequence b D12 b C12 w C11 b B11 w D4 b K4 w K10 b H5 b C10 w D11 b E11 w D10 b D9 w E10 b F10 w E9 b E8 w F9 b G9 w F8 b F7 w G8
7 genmove b
#? [H8]

# 46 stones, chain at Q4
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b Q3 b R4 w Q4 b P3 w R3 w D4 b D16 w Q16 b D6 w F10 b C8 w D12 b K4 w O16 b H7 w F5 b Q5 w P4 b O4 w P5 b P6 w O5 b N5 w O6 b O7 w N6 b M6 w N7 b N8 w M7
8 genmove b
#? [L7]

# 54 stones, chain at P2
boardsize 19
clear_board
komi 7.5
gogui-play_sequence w Q2 w P1 w O1 b P2 b D4 w D16 b Q4 w Q16 b O17 w L3 w P3 b O2 w N2 b O3
9 genmove w
#? [O4]

# 10 stones, chain at R18
boardsize 19
clear_board
komi 7.5
gogui-play_sequence w R18 b S17 b R19 b S18 w D4 b D16 w Q4 b Q16 w G8 b K13 w G14 b J10 b Q18 w R17 b Q17 w R16 b R15 w S16
10 genmove b
#? [S15|T16|T15]

# 24 stones, chain at K9
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b K9 b L8 w L9 w K8 w L10 b D4 w D16 b Q4 w Q16 b D7 w P12 b P14 w O6 b C9 w G3 b K6 w H9 w J9 b K10 w K11 b J10 w H10 b J11 w J12 b H11 w G11 b H12 w H13 b G12
11 genmove w
#? [F12]

# 12 stones, chain at C17
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b B17 b C18 b D18 w C17 w D4 b Q4 w Q16 b F13 w K16 b C16 w D17 b E17 w D16 b D15 w E16
12 genmove b
#? [F16]

# 12 stones, chain at S16
boardsize 19
clear_board
komi 7.5
gogui-play_sequence w S16 b T16 b T15 b S17 w D4 b D16 w Q4 b Q16 w K4 b R7 w L13 b E7 b S15 w R16 b R15 w R17 b R18 w Q17 b P17 w Q18
13 genmove b
#? [P18|Q19]

# 18 stones, chain at R8
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b R8 b S7 w S8 w S9 w R7 b D4 w D16 b Q4 w Q16 b H16 w R12 b C9 w M13 w Q8 b R9 w R10 b Q9
14 genmove w
#? [P9]

# 10 stones, chain at D2
boardsize 19
clear_board
komi 7.5
gogui-play_sequence w D2 b C3 b D1 b C2 w D16 b Q4 w Q16 b F6 w K7 b E2 w D3 b D4 w E3 b F3 w E4
15 genmove b
#? [E5]
