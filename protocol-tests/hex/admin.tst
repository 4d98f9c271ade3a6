# Administration over HTP.
10 name
#? [Losange]
11 version
#? [\d+\.\d+\.\d+]
12 protocol_version
#? [2]
13 list_commands
#? [protocol_version\n([a-z_-]+\n)*[a-z_-]+]
14 known_command swap-pieces
#? [false]
15 known_command gogui-gfx-analyze
#? [true]
16 hexgui-analyze_commands
#? [([a-z]+/[^/\n]+/[^/\n]+(/[^/\n]*){0,2}\n?)+]
17 frobnicate
#! [unknown command.*]
18 param_game
#? [\[bool\] allow_swap [01]\n\[string\] game_time 0]
19 param_game allow_swap 1
#? []
20 param_game
#? [.*\[bool\] allow_swap 1.*]
21 param_game allow_swap 0
#? []
22 param_game allow_flying 1
#! [.+]
23 param_game allow_swap maybe
#! [.+]
24 cputime
#? [\d+\.\d+]
25 gogui-rules_game_id
#? [Hex]
26 gogui-rules_board_size
#? [11.*hex]
27 komi 6.5
#! [unknown command.*]
28 help
#? [.*genmove.*]
# All models of the game, the one for most boards first, and the sides of the boards that each is made for.
29 kata-get-models
#? [\[\{.*"name":"hex.onnx","sides":\[\[\d+,\d+\]\].*"name":"hex-7x7.onnx","sides":\[\[7,7\]\].*"name":"hex-large.onnx","sides":\[\[\d+,\d+\]\].*\]]
