# Moves by the engine: legal, sensible, in every form.
boardsize 9
komi 7.5
10 genmove b
#? [[A-HJ][1-9]]
11 undo
#? []
12 reg_genmove b
#? [[A-HJ][1-9]]
# reg_genmove does not play.
13 undo
#! [cannot undo]
14 genmove
#! [.+]
15 genmove purple
#! [.+]
16 genmove WHITE
#? [[A-HJ][1-9]]
17 genmove w
#? [[A-HJ][1-9]]
# It takes a big chain in atari that would be connected next, which decides the game.
boardsize 7
komi 0
gogui-setup B C1 B C2 B C3 B C4 B C5 B C6 B D7 B E7 B F7 B G7 B F1 B F2 B F3 B F4 B F5 B F6 W D1 W D2 W D3 W D4 W D5 W D6 W B1 W B2 W B3 W B4 W B5 W B6
gogui-setup_player W
18 reg_genmove w
#? [C7]
# The opponent has passed and the count is won: pass.
boardsize 5
komi 0.5
kata-set-rules chinese
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
play w pass
20 genmove b
#? [pass]
# The game is over; a move is still answered.
21 genmove w
#? [pass|[A-E][1-5]]
# Whatever playouts learn from the tree, and whatever goals are pursued, it takes the big chain. No model serves six rows.
boardsize 7 6
komi 0
gogui-setup B C1 B C2 B C3 B C4 B C5 B D6 B E6 B F6 B G6 B F1 B F2 B F3 B F4 B F5 W D1 W D2 W D3 W D4 W D5 W B1 W B2 W B3 W B4 W B5
gogui-setup_player W
losange-set reply_share 0.5
60 losange-set replies bhrf
#? []
61 reg_genmove w
#? [C6]
62 losange-set replies bhrf_volatile
#? []
63 reg_genmove w
#? [C6]
64 losange-set replies lgrf
#? []
65 reg_genmove w
#? [C6]
66 losange-set replies nst
#? []
67 reg_genmove w
#? [C6]
68 losange-set replies pool_rave
#? []
69 reg_genmove w
#? [C6]
70 losange-set replies none
#? []
71 reg_genmove w
#? [C6]
72 losange-set strategy_weight 0.3
#? []
73 reg_genmove w
#? [C6]
74 losange-set playout_knowledge 5
#? []
75 reg_genmove w
#? [C6]
76 losange-set replies best
#! [.*pool_rave.*]
