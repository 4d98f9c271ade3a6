# Streams for HexGui, Sabaki's family and GoGui.
boardsize 5 5
10 gogui-gfx-analyze black
#? [\n?gogui-gfx: kata\ninfo move [a-e][1-5] visits \d+ winrate \d\.\d+ scoreLead 0\.0 order 0.*]
11 gogui-gfx-analyze green
#! [.+]
12 lz-analyze b 10
#? [\ninfo move [a-e][1-5] visits \d+ winrate \d+ prior \d+ lcb -?\d+ order 0 pv [a-e][1-5].*]
13 kata-analyze w 10
#? [\ninfo move [a-e][1-5] visits \d+ .*winrate \d\.\d+ .*order 0 pv [a-e][1-5].*]
14 kata-genmove_analyze b 5
#? [\n(info .*\n)+play [a-e][1-5]]
15 lz-genmove_analyze w 5
#? [\n(info .*\n)+play [a-e][1-5]]
16 gogui-analyze_commands
#? [([a-z]+/[^/\n]+/[^/\n]+(/[^/\n]*){0,2}\n?)+]
17 gogui-rules_side_to_move
#? [[bB].*]
18 gogui-rules_board
#? [([.XO] ?){5}(\n([.XO] ?){5}){4}]
# GoGui writes columns without the letter i, also for Hex.
boardsize 11 11
19 gogui-rules_legal_moves
#? [!.*[iI]\d.*]
20 gogui-rules_legal_moves
#? [.*L11.*]
