# Benzene's time_left, and the clocks that tournament scripts set.
10 time_left
#? [Black: .*White: .*]
11 time_left b
#? [\d.*]
12 time_left b 30
#? []
13 time_left b
#? [(29|30)(\.\d+)?]
14 time_settings 30 0 0
#? []
15 time_left w 20 0
#? []
16 time_left green
#! [.+]
17 time_settings 30 0
#! [.+]
boardsize 3 3
18 genmove b
#? [[a-c][1-3]]
# All systems are known to all games.
19 kata-list_time_settings
#? [none absolute byoyomi canadian fischer fischer-capped]
20 kata-time_settings fischer 60 5
#? []
21 time_left w
#? [60.0]
22 kata-time_settings byoyomi 0 0.1 3
#? []
23 time_left w 0.1 2
#? []
24 genmove w
#? [[a-c][1-3]]
25 kata-time_settings sundial 5
#! [.+]
