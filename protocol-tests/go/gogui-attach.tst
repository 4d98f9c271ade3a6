# What GoGui 1.6 sends, recorded: a program attached to a game that is loaded already, and what its tools send.
10 name
#? [Losange]
protocol_version
version
11 list_commands
#? [!.*gogui-rules_.*]
gogui-interrupt
name
protocol_version
gogui-version 1.6.0
12 gogui-analyze_commands
#? [gfx/Analyze/losange-analyze %m\n.*param/Engine/losange-option.*]
boardsize 9
clear_board
komi 7.5
13 gogui-play_sequence B E5 W C7 B G7 W D3 B G3 W F6 B E6 W F5 B F4 W G4 B H4
#? []
# "Analyze", until "Interrupt": the last picture stays.
14 losange-analyze w
#? [VAR w [A-J][1-9] .*\nINFLUENCE( [A-J][1-9] -?[01]\.[0-9]{3})+\nTEXT [0-9.]+ % for white, [0-9]+ visits]
15 losange-analyze green
#! [.+]
# The dialog "Engine".
16 losange-option
#? [\[string\] time_per_move [0-9.]+\n\[string\] playouts 300\n\[string\] threads 1\n\[string\] resign_below 0\n\[list/given/none\] model given\n\[string\] level full]
losange-option time_per_move 3
losange-option model none
17 losange-option
#? [.*time_per_move 3\n.*model none\n.*level full]
18 losange-option resign_below 2
#! [resign_below cannot be '2': expected a number from 0 to 1]
19 genmove w
#? [[A-J][1-9]]
# The game is still there.
20 printsgf
#? [.*;B\[ee\].*;B\[hf\].*;W\[[a-i]{2}\].*]
