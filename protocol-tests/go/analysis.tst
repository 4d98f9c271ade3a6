# Streams, in the grammar that the graphical clients parse.
boardsize 9
komi 7.5
10 lz-analyze B 10
#? [\ninfo move [A-HJ][1-9] visits \d+ winrate \d+ prior \d+ lcb -?\d+ order 0 pv .*]
11 lz-analyze 10
#? [\ninfo move .*]
12 lz-analyze b interval 10 maxmoves 1
#? [!.*order 1 .*]
13 kata-analyze W 10
#? [\ninfo move [A-HJ][1-9] visits \d+ .*winrate \d\.\d+ .*scoreMean -?\d+\.\d+ .*prior \d\.\d+ lcb -?\d+\.\d+ .*order 0 pv ([A-HJ][1-9]|pass)( [A-HJ][1-9]| pass)* ?.*]
# Nothing stands behind pv unless it was asked for: Sabaki would drop the last move.
14 kata-analyze W 10
#? [!.*(rootInfo|ownership).*]
15 kata-analyze 10 ownership true
#? [.* ownership( -?\d\.\d+){81}( .*|\n.*|)]
16 kata-analyze B 10 rootInfo true
#? [.* rootInfo visits \d+ .*]
17 lz-analyze b 10 avoid b A1,B1,C1,D1,E1,F1,G1,H1,J1 1
#? [!.*info move [A-HJ]1 .*]
18 lz-analyze b 10 allow b E5 1
#? [!.*info move ([^E].|E[^5]) .*]
19 lz-analyze b 10 avoid b
#! [.+]
20 lz-analyze b 10 frobnicate true
#! [.+]
21 kata-analyze b 10 ownership maybe
#! [.+]
22 lz-analyze b 10 allow b E5 1 avoid b E4 1
#! [.+]
23 lz-analyze b -5
#! [.+]
24 kata-analyze b 10 minmoves
#! [.+]
25 lz-genmove_analyze b 5
#? [\n(info .*\n)+play [A-HJ][1-9]]
26 kata-genmove_analyze w 5
#? [\n(info .*\n)+play [A-HJ][1-9]]
# No interval: one last line all the same.
27 kata-genmove_analyze b
#? [\n(info .*\n)+play [A-HJ][1-9]]
28 kata-genmove_analyze w ownership true
#? [\n(info .* ownership .*\n)+play [A-HJ][1-9]]
29 undo
#? []
30 stop
#? []
31 cgos-genmove_analyze w
#? [\n?\{"winrate":.*"moves":\[\{.*"ownership":"[A-Za-z0-9+]{81}".*\}\nplay [A-HJ][1-9]]
32 cgos-opponent_name gnugo
#? []
33 cgos-opponent_rating 1800
#? []
34 cgos-gameover B+3.5
#? []
# A move that no search would look at is looked at where it alone is allowed.
boardsize 5
set_position b a4 b b5 w e1
60 kata-genmove_analyze b allow b A5 1
#? [\n(info .*\n)+play A5]
