# GoGui: menu, rules, parameters.
boardsize 9
10 gogui-analyze_commands
#? [([a-z]+/[^/\n]+/[^/\n]+(/[^/\n]*){0,2}\n?)+]
11 gogui-rules_board
#? [([.] ?){9}(\n([.] ?){9}){8}]
play b A9
12 gogui-rules_board
#? [X.*]
13 gogui-rules_legal_moves
#? [!.*A9.*]
14 gogui-rules_legal_moves
#? [.*pass.*]
15 gogui-rules_side_to_move
#? [[wW].*]
16 gogui-setup_player x
#! [.+]
17 gogui-play_sequence
#? []
18 gogui-play_sequence B
#! [.+]
# GoGui plays Go by its own rules, and would begin a new game if it were told of others: they are answered, but not listed.
19 list_commands
#? [!.*gogui-rules.*]
20 list_commands
#? [.*gogui-play_sequence.*gogui-setup.*]
21 gogui-rules_game_id
#? [Go]
