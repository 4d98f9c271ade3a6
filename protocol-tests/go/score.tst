# Scores and the fate of stones.
boardsize 2
komi 0
kata-set-rules tromp-taylor
10 final_score
#? [0]
play b A1
11 final_score
#? [B\+4(\.0)?]
komi 7.5
12 final_score
#? [W\+3\.5]
# A wall each on 5x5: columns A-C black with two eyes, columns D-E white with two eyes.
boardsize 5
komi 0.5
play b C1
play b C2
play b C3
play b C4
play b C5
play b B2
play b B4
play b A2
play b A4
play w D1
play w D2
play w D3
play w D4
play w D5
play w E2
play w E4
13 final_score
#? [B\+4\.5]
14 final_status_list dead
#? []
15 final_status_list alive
#? [.*C1.*]
16 final_status_list seki
#? []
17 final_status C3
#? [alive]
18 final_status A1
#? [black_territory]
19 final_status E5
#? [white_territory]
20 final_status_list sleeping
#! [.+]
21 final_status_list
#! [.+]
22 final_status Z1
#! [.+]
# A lone invader is dead under rules with agreement, and the score counts it so.
kata-set-rules chinese
play w A1
23 final_status_list dead
#? [A1]
24 final_score
#? [B\+4\.5]
25 final_status A1
#? [dead]
# Every chain here has two eyes: Black passes rather than fill one in, except to take what has to be taken.
26 kgs-genmove_cleanup b
#? [A[135]|B[135]]
# Komi of any decimals, and none below 0 that is 0.
boardsize 3
kata-set-rules tromp-taylor
komi 7.3
play b B2
40 final_score
#? [B\+1\.7]
komi -0
41 get_komi
#? [0]
