# Administration: what every client asks first.
10 protocol_version
#? [2]
11 name
#? [Losange]
12 version
#? [\d+\.\d+\.\d+]
13 known_command genmove
#? [true]
14 known_command kgs-chat
#? [false]
15 known_command analyze
#? [false]
16 known_command
#! [.+]
# LizzieYzy collects only when the first line is protocol_version; Sabaki does not trim.
17 list_commands
#? [protocol_version\n([a-z_-]+\n)*[a-z_-]+]
18 list_commands
#? [.*\nkata-analyze\n.*]
19 list_commands
#? [.*\nlz-genmove_analyze\n.*]
20 list_commands
#? [!.*kgs-chat.*]
# What LizzieYzy Next looks for before it offers its analysis of whole games and its play on other programs' boards.
40 known_command stop
#? [true]
41 known_command boardsize
#? [true]
42 known_command komi
#? [true]
43 known_command kata-get-rules
#? [true]
44 known_command kata-set-rules
#? [true]
45 known_command clear_board
#? [true]
46 known_command play
#? [true]
47 known_command set_position
#? [true]
48 known_command kata-analyze
#? [true]
49 known_command rectangular_boardsize
#? [true]
50 known_command kata-genmove_analyze
#? [true]
51 known_command kata-get-param
#? [true]
52 known_command kata-set-param
#? [true]
21 cputime
#? [\d+\.\d+]
22 no_such_command
#! [unknown command.*]
23 GENMOVE b
#! [unknown command.*]
24 gogui-interrupt
#? []
25 gogui-version 1.5.1
#? []
26 gogui-title
#? [Losange.*]
27 gogui-rules_game_id
#? [Go]
28 gomill-cpu_time
#? [\d+\.\d+]
29 help
#? [.*genmove.*]
