# Made by scripts/ladders.py: run. What is right was read to its end.

# 14 stones, chain at B2
boardsize 9
clear_board
komi 7.5
gogui-play_sequence b B2 w C1 w B1 w A2 b D7 w G5 b E2 w B3 b C2 w D2 b C3 w C4 b D3 w E3
1 genmove b
#? [D1|D4]

# 22 stones, chain at H7
boardsize 9
clear_board
komi 7.5
gogui-play_sequence b H7 w J7 w J6 w H8 b G3 w G7 b H6 w H5 b G6 w F6 b G5 w G4
2 genmove b
#? [F5]

# 20 stones, chain at B6
boardsize 9
clear_board
komi 7.5
gogui-play_sequence w A6 w B7 w C7 b B6 b C3 w E7 b H4 w B5 b C6 w D6 b C5 w C4 b D5 w E5
3 genmove b
#? [D4]

# 14 stones, chain at B4
boardsize 13
clear_board
komi 7.5
gogui-play_sequence b A5 w B4 b B3 b A4 w D4 b D10 w K4 b K10 w F5 b L7 w F9 b J8 w G7 b C4 w B5 b B6 w C5 b D5
4 genmove w
#? [C3|C6]

# 24 stones, chain at L11
boardsize 13
clear_board
komi 7.5
gogui-play_sequence b M11 w M12 b K12 w L11 b L12 w D4 b D10 w K4 b G11 w H5 b G3 w L9 b L10 w K11 b J11 w K10 b K9 w J10 b H10 w J9 b J8 w H9 b G9 w H8 b H7
5 genmove w
#? [G8|K8|M10]

# 8 stones, chain at K5
boardsize 13
clear_board
komi 7.5
gogui-play_sequence b K4 b L5 w K5 b J4 w D4 b D10 w K10 b K8 w G5 b G7 w E6 b K6 w J5 b H5 w J6 b J7
6 genmove w
#? [H6]

# 12 stones, chain at B5
boardsize 19
clear_board
komi 7.5
gogui-play_sequence w A5 w B4 w C4 b B5 b D16 w Q4 b Q16 w F6 b F9 w H8 b F11 w G13 b F3 w B6 b C5 w D5 b C6 w C7
7 genmove b
#? [D6]

# 24 stones, chain at J11
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b H11 b H10 b J12 w J11 w H12 w D4 b D16 w Q4 b Q16 w J7 b F7 b K11 w J10 b J9 w K10 b L10 w K9 b K8 w L9 b M9 w L8 b L7 w M8 b N8 w M7 b M6
8 genmove w
#? [N7]

# 8 stones, chain at E10
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b D9 w F9 w D10 w E9 b E10 b D4 w D16 b Q4 w Q16 b L4 w J16 b H13 w J10 b K13 w R14 w E11 b F10 w G10 b F11 w F12
9 genmove b
#? [G11]

# 44 stones, chain at P4
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b O3 w Q3 w P4 b Q4 b P3 w D4 b D16 w Q16 b H4 w G8 b L13 w L10 b C13 w R11 b P10 w O12 b P5 w O4 b N4 w O5 b O6
10 genmove w
#? [N5]

# 34 stones, chain at Q4
boardsize 19
clear_board
komi 7.5
gogui-play_sequence b P3 b Q3 w Q4 b R4 w D4 b D16 w Q16 b J6 w G14 b Q5 w P4 b O4 w P5 b P6
11 genmove w
#? [O5]

# 48 stones, chain at Q18
boardsize 19
clear_board
komi 7.5
gogui-play_sequence w R17 b Q18 w Q19 w R18 b D4 w D16 b Q4 w R14 b M11 w G11 b M4 w D10 b L16 w P18 b Q17 w Q16 b P17 w O17
12 genmove b
#? [P16]
