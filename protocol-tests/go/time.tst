# Clocks in every client's dialect.
boardsize 9
10 time_settings 30 0 0
#? []
11 time_settings 0 1 0
#? []
12 time_settings 0 5 1
#? []
13 time_settings 600 30 10
#? []
14 time_settings -1 0 0
#! [.+]
15 time_settings 10 x 0
#! [.+]
16 time_settings 10
#! [.+]
17 time_left b 300 0
#? []
18 time_left W 25 3
#? []
19 time_left b 12.75 1
#? []
20 time_left green 10 0
#! [.+]
21 time_left b
#! [.+]
22 kgs-time_settings none
#? []
23 kgs-time_settings absolute 600
#? []
24 kgs-time_settings canadian 600 300 25
#? []
25 kgs-time_settings byoyomi 600 30 5
#? []
26 time_left b 30 5
#? []
27 kgs-time_settings sundial 3
#! [.+]
28 kata-list_time_settings
#? [.*fischer.*]
29 kata-time_settings none
#? []
30 kata-time_settings absolute 60.5
#? []
31 kata-time_settings byoyomi 60 10.5 3
#? []
32 kata-time_settings canadian 60 30 5
#? []
33 kata-time_settings fischer 60 5
#? []
34 kata-time_settings fischer-capped 60 5 120 30
#? []
35 kata-time_settings fischer 60
#! [.+]
# A negative limit is none: gtp2ogs sends such a line before every move.
41 kata-time_settings fischer-capped 300 10 600 -1
#? []
42 kata-time_settings fischer-capped 300 10 -1 30.5
#? []
43 kata-time_settings fischer-capped 300 10 600
#! [.+]
44 kata-time_settings fischer-capped -300 10 600 -1
#! [.+]
45 kata-time_settings FISCHER 2147483647 0.5
#? []
# No stones in a period are no limit, and no periods no overtime.
46 kata-time_settings canadian 60 30 0
#? []
47 kata-time_settings canadian 60 0 0
#? []
48 kata-time_settings byoyomi 60 30 0
#? []
49 kgs-time_settings fischer 60 5
#! [.+]
# A clock that has run out.
50 time_left b -0.7 0
#? []
51 kata-list_time_settings
#? [none absolute byoyomi canadian fischer fischer-capped]
36 kata-time_settings nonsense
#! [.+]
37 time_settings 1 0 0
#? []
38 genmove b
#? [[A-HJ][1-9]]
39 time_left w 0 0
#? []
40 genmove w
#? [[A-HJ][1-9]|pass]
