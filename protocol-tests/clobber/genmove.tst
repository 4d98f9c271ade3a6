# Moves by the engine: it wins what is won.
boardsize 3 1
10 genmove b
#? [A1-B1|C1-B1]
boardsize 4 1
# After B1-A1 nothing is left that White can take; A1-B1 loses.
11 reg_genmove b
#? [[AC]1-[BD]1|C1-[BD]1]
12 undo
#! [cannot undo]
boardsize 2 3
13 genmove b
#? [[AB][123]-[AB][123]]
14 undo
#? []
15 lz-genmove_analyze b 10
#? [.*play [AB][123]-[AB][123]]
16 lz-analyze 10
#? [.*info move [AB][123]-[AB][123] visits \d+ winrate \d+ .*pv [AB][123]-[AB][123].*]
17 genmove
#! [.+]
# The other searches.
18 losange-set search random
#? []
19 genmove b
#? [.+]
20 losange-set search alphabeta
#? []
21 genmove w
#? [.+]
22 losange-game chess
#! [.*expected one of go, hex, clobber, .*]
23 losange-game avalam
#? []
24 gogui-rules_game_id
#? [Avalam]
