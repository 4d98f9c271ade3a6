# Levels of weaker play.
boardsize 5
clear_board
10 level
#? [full]
11 level 5k
#? []
12 level
#? [5k]
13 losange-get level
#? [26]
14 level 10
#? []
15 level
#? [21k]
16 level 31k
#! ['31k' is no level of Go: expected 30k to 1k, 1d to 9d, 1 to 39, or full]
17 losange-option level 2D
#? []
18 level
#? [2d]
# In the middle of an empty board nobody passes.
19 genmove b
#? [[A-E][1-5]]
20 level full
#? []
21 losange-get level
#? [0]
22 losange-set level 40
#! [.*level.*from 0 to 39.*]
