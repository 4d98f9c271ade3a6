# GoGui starts a second process of the program for the rules, which it does not tell its version. Both write points GoGui's way.
boardsize 11
gogui-interrupt
10 gogui-rules_game_id
#? [Hex]
11 gogui-rules_board_size
#? [11.*hex]
12 gogui-rules_legal_moves
#? [.*L10.*]
13 play B L10
#? []
14 play W B10
#? []
15 gogui-rules_board
#? [([.] ?){11}\n[.] O ([.] ?){8}X\n.*]
# The dialog of parameters has a field for each line.
16 param_game
#? [\[string\] game_time 0]
# GoGui has no word for a swap.
18 param_game allow_swap 1
#! [GoGui cannot show a swap]
17 losange-set
#? [\[list/usual/ubfm.*\] search usual\n(\[(string|bool|list/[a-z_/]+)\] [a-z_]+ .+\n?)+]
