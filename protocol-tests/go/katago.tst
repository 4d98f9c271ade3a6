# Commands of KataGo's and GNU Go's.
boardsize 5
10 kata-search b
#? [[A-E][1-5]]
11 kata-search
#! [.+]
# Nothing was played.
12 list_stones b
#? []
13 kata-search_analyze b 5 maxmoves 1 pvVisits true
#? [\n(info move [A-E][1-5] visits \d+ .* pvVisits( \d+)+\n)+play [A-E][1-5]]
14 kata-search_cancellable b
#? [[A-E][1-5]]
15 kata-search_analyze_cancellable w 5
#? [\n(info .*\n)+play [A-E][1-5]]
16 set_position b c3 w c2 w a1
#? []
17 list_stones white
#? [C2 A1]
18 gogui-rules_side_to_move
#? [[bB].*]
19 undo
#! [cannot undo]
20 set_position b c3 w c3
#! [.+]
21 set_position b a1 w a2 w b1
#! [.+]
22 set_position b pass
#! [.+]
23 list_stones b
#? [C3]
24 is_legal b a2
#? [1]
25 is_legal w c3
#? [0]
26 is_legal w pass
#? [1]
27 is_legal w z9
#! [.+]
28 all_legal b
#? [A5 B5 C5 D5 E5 A4 .*]
29 all_legal b
#? [!.*(C3|pass).*]
# An eye: Black may fill it, White may not.
30 set_position b a2 b b2 b b1
#? []
31 is_legal w a1
#? [0]
32 is_legal b a1
#? [1]
33 set_position
#? []
34 list_stones b
#? []
35 kata-raw-human-nn b 0
#! [Cannot run kata-raw-human-nn.*]
36 kata-analyze b 5 maxmoves 1 pvVisits true pvEdgeVisits true noResultValue true movesOwnership true movesOwnershipStdev true
#? [\ninfo move .* scoreSelfplay -?\d+\.\d+ noResultValue 0\.000000 prior .* pv [A-E].* pvVisits( \d+)+ pvEdgeVisits( \d+)+ movesOwnership( -?\d\.\d+){25} movesOwnershipStdev( \d\.\d+){25}(\n.*)?]
37 kata-genmove_analyze b 5 maxmoves 1 pvVisits false movesOwnership true
#? [\n(info .* pv [A-E].* movesOwnership( -?\d\.\d+){25}\n)+play [A-E][1-5]]
38 lz-analyze b 5 pvVisits true
#! [unknown key.*]
39 stop
#? []
