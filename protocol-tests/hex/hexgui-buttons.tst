# What the buttons and the analyze menu of HexGui 0.10 send, recorded.
name
version
hexgui-analyze_commands
boardsize 11 11
clear_board
clear_board
showboard
# "Consider set".
10 vc-build black
#? [a1 id\[b1\] .*([a-k][0-9]+ (f[dc][bw]|id\[[a-k][0-9]+\]|x) ?)+]
# The gear, which it has for programs of some names.
11 param_mohex
#? [(\[string\] [a-z_]+ [0-9.]+\n)+\[list/given/none\] model given\n\[string\] level full]
12 param_mohex threads 0
#! [threads cannot be '0': expected a number from 1 to 1]
13 param_mohex speed 2
#! [unknown option 'speed': .*]
14 param_mohex time_per_move 2
#? []
15 losange-option
#? [\[string\] time_per_move 2\n.*]
# The calculator, and its stop: a refusal would make HexGui begin an analysis.
16 param_dfpn use_guifx 1
#? []
17 dfpn-solve-state black
#? [gogui-gfx:\ndfpn\nVAR B .*\nLABEL( [a-k][0-9]+ ([0-9]+k?@[0-9]+k?|[WL]))+\nTEXT [0-9]+ states, .*for white\nnot known: interrupted]
# Setting up stones, row by row. White threatens to join its edges in c5 and c6, and Black can only try c6 and g5.
clear_board
play black d4
play white j4
play white d5
play white h5
play white b6
play white f6
play black d8
showboard
18 vc-build black
#? [(k3 fcw k4 fcw a6 fcw a7 fcw).* a2 x .*k10 x]
19 vc-build black
#? [!.* c6 .*]
20 vc-get-mustplay black
#? [!.*id\[.*]
21 vc-between-cells-full w h5 j4
#? [white h5 j4 full h-search \[ i4 i5 \] \[ \].*]
# HexGui has no fields for edges.
22 vc-between-cells-semi white west east
#? [white c5 i[45] semi h-search \[ i4 c5 e5 f5 g5 i5 c6 e6 g6 \] \[ \] [a-k][0-9]+\n.*]
23 vc-connected-to-full white j4
#? [!.*east.*]
24 dfpn-solve-state black
#? [gogui-gfx:\ndfpn\nVAR B (c6|g5).*\nLABEL g5 L c6 L\nTEXT [0-9]+ states, [0-9.]+ s\nwhite]
dfpn-solver-find-winning black
# What is proved of all moves by now does not lead the line off.
31 dfpn-solve-state black
#? [gogui-gfx:\ndfpn\nVAR B (c6|g5).*\nLABEL g5 L c6 L\nTEXT [0-9]+ states, [0-9.]+ s\nwhite]
25 param_dfpn
#? [\[bool\] use_guifx 1]
26 param_dfpn use_guifx 2
#! [.*expected 0 or 1.*]
27 param_dfpn epsilon 0
#! [unknown parameter 'epsilon']
28 param_dfpn use_guifx 0
#? []
29 dfpn-solve-state black
#? [white]
# *Solve Position* after the calculator: HexGui shows no refusal, but the text of a picture.
boardsize 11 11
param_dfpn use_guifx 1
param_game game_time 0.2
30 dfpn-solve-state black
#! [.*TEXT [0-9]+ states[^\n]*; not solved: .*]
