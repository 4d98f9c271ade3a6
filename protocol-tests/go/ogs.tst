# gtp2ogs 9.0.1: what it sends in a game by Fischer's clock with a limit, then by byo-yomi. Its lines end with CR LF.
10 list_commands
#? [.*\nkata-time_settings\n.*]
11 kata-list_time_settings
#? [.*fischer-capped.*]
12 boardsize 9
#? []
13 clear_board
#? []
14 komi 7.5
#? []
15 kata-time_settings fischer-capped 300 10 600 -1
#? []
16 time_left black 300 0
#? []
17 time_left white 300 0
#? []
18 genmove black
#? [[A-HJ][1-9]]
19 play white c3
#? []
20 kata-time_settings fischer-capped 300 10 600 -1
#? []
21 time_left black 298 0
#? []
22 time_left white 291 0
#? []
23 genmove black
#? [[A-HJ][1-9]]
24 kgs-time_settings byoyomi 60 30 5
#? []
25 time_left black 30 5
#? []
26 time_left white 12 0
#? []
27 genmove white
#? [[A-HJ][1-9]]
28 time_settings 0 10 1
#? []
29 time_left black 10 1
#? []
30 genmove black
#? [[A-HJ][1-9]]
