# Files of games.
10 loadsgf files/five.sgf
#? [.*]
11 gogui-rules_board_size
#? [5.*]
12 gogui-rules_side_to_move
#? [[wW].*]
13 printsgf
#? [\(;.*GM\[11\].*SZ\[5\].*;B\[c3\].*;W\[d2\].*;B\[b4\].*\)]
# As in other Hex programs, the number is that of the last move played.
14 loadsgf files/five.sgf 2
#? [.*]
15 undo
#? []
16 undo
#? []
17 undo
#! [cannot undo]
18 loadsgf files/missing.sgf
#! [cannot load file.*]
19 loadsgf ../go/files/nine.sgf
#! [cannot load file.*]
# PlayHex's records have passes, which take turns.
20 loadsgf files/playhex.sgf
#? []
21 losange-state
#? [.*"board":"\.W\.\.\.\.\.\.\.\.\.\.B\.\.\.\.\.B\.\.\.\.\.\.","end":null.*"moves":4.*"turn":"W".*]
22 printsgf
#? [.*;B\[a2\]\n;W\[swap-pieces\]\n;B\[c3\]\n;W\[pass\]\n;B\[d4\]\)]
# LittleGolem's name no game, have two letters for a cell, and call the first player White.
23 loadsgf files/littlegolem.hsgf
#? []
24 printsgf
#? [.*SZ\[13\]RU\[swap\]PL\[B\]\n;B\[a13\]\n;W\[swap-pieces\]\n;B\[d10\]\n;W\[j4\]\)]
# HexGui's: players who exchange colours leave the stone and the turn. Up to 0.9 another word meant that.
25 loadsgf files/hexgui.sgf
#? []
26 printsgf
#? [.*;B\[c3\]\n;W\[d2\]\)]
27 loadsgf files/hexgui-old.sgf
#? []
28 printsgf
#? [.*;B\[c3\]\n;W\[d2\]\)]
