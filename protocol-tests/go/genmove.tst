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
# It takes a big chain that stands in atari, which decides the game.
boardsize 7
komi 0
gogui-setup B C1 B C2 B C3 B C4 B C5 B C6 W D1 W D2 W D3 W D4 W D5 W D6 W B1 W B2 W B3 W B4 W B5 W B6
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
