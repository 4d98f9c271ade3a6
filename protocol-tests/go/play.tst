# Moves, captures, ko, suicide, undo.
boardsize 9
komi 7.5
10 play b E5
#? []
11 play W e4
#? []
12 play BLACK PASS
#? []
13 play white pass
#? []
14 play b E5
#! [illegal move.*occupied.*]
15 play b J9
#? []
16 play b I9
#! [.+]
17 play b K1
#! [.+]
18 play b E10
#! [.+]
19 play b E0
#! [.+]
20 play green E6
#! [.+]
21 play E6
#! [.+]
22 play b
#! [.+]
23 play
#! [.+]
24 play b resign
#? []
# A resignation is no move: this takes back J9.
25 undo
#? []
# Two passes have ended the game: there is nothing to play.
26 gogui-rules_legal_moves
#? []
27 gg-undo 4
#? []
28 undo
#! [cannot undo]
29 gg-undo 1
#! [cannot undo]
# A capture in the corner, and simple ko.
clear_board
play b A2
play w A1
play b B1
30 gogui-rules_captured_count
#? [.*1.*]
31 play w A1
#! [illegal move.*suicide.*]
clear_board
play b B1
play b A2
play b B3
play w C1
play w D2
play w C3
play w B2
32 play b C2
#? []
33 play w B2
#! [illegal move.*ko.*]
play w J9
play b J8
34 play w B2
#? []
# Several stones may commit suicide, under New Zealand rules by the engine too; under others its controller may play by its own.
clear_board
kata-set-rules new-zealand
play w A3
play w B2
play w C1
play b A1
play b A2
35 play b B1
#? []
36 gogui-rules_board
#? [([.XO] ?){9}(\n([.XO] ?){9}){6}\n\. O[. ]*\n\. \. O[. ]*]
kata-set-rules chinese
clear_board
play w A3
play w B2
play w C1
play b A1
play b A2
37 is_legal b B1
#? [0]
play b B1
# Two moves in a row by one colour are ordinary (set-up by plays).
clear_board
38 play b D4
#? []
39 play b D5
#? []
40 gogui-rules_side_to_move
#? [[wW].*]
41 showboard
#? [.*A B C D E F G H J.*]
42 showboard
#? [!.*\n\n.*]
43 gogui-play_sequence B C3 W C4 B PASS
#? []
44 gogui-play_sequence B A1 W A1
#! [.+]
# All or nothing.
45 play b A1
#? []
46 undo
#? []
47 gogui-setup B E5 W F5 B E4
#? []
48 gogui-setup_player W
#? []
49 gogui-rules_side_to_move
#? [[wW].*]
50 undo
#! [cannot undo]
51 gogui-setup B E5 W E5
#! [.+]
52 gogui-setup B
#! [.+]
