# Levels of weaker play.
boardsize 5
10 level 20
#? []
11 level 5k
#! ['5k' is no level of Hex: expected 1 to 20, or full]
12 losange-set level 21
#! ['21' is no level of Hex: expected 1 to 20, or full]
13 level
#? [20]
14 level 1
#? []
15 genmove b
#? [[a-e][1-5]]
# A win that is seen is played, at every level.
boardsize 3
clear_board
play b b1
play b b2
16 reg_genmove b
#? [(a3|b3)]
# The level is the session's, whatever the preset.
level 5
90 losange-preset ubfm-2019
#? []
91 level
#? [5]
