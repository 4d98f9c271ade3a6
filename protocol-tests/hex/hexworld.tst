# Links to HexWorld, both ways.
10 hexworld-load https://hexworld.org/board/#9r9c1,b3:sc6i9:p
#? []
11 losange-state
#? [.*"moves":4.*"size":\[9,9\],"turn":"W".*]
12 hexworld-link
#? [https://hexworld.org/board/#9c1,b3:sc6i9:p]
13 play w d4
#? []
14 hexworld-link
#? [https://hexworld.org/board/#9c1,b3:sc6i9:pd4]
# The part after the mark alone; the cursor stands before what lies ahead.
15 hexworld-load 11c1,h4e7f9,b9c3
#? []
16 hexworld-link
#? [https://hexworld.org/board/#11c1,h4e7f9]
17 undo
#? []
18 hexworld-link
#? [https://hexworld.org/board/#11c1,h4e7]
19 hexworld-load 5,a1a1
#! [cannot load link: a1 in the link cannot be played: occupied]
20 hexworld-load
#! [syntax error: .+]
21 hexworld-link
#? [https://hexworld.org/board/#11c1,h4e7]
# Rectangles, and stones that are set up.
22 hexworld-load 6x5,:pf1:pe1c2c3b3a5e3
#? []
23 hexworld-link
#? [https://hexworld.org/board/#6x5c1,:pf1:pe1c2c3b3a5e3]
boardsize 32
24 set_position black af32 black aa1
#? []
25 hexworld-link
#? [https://hexworld.org/board/#32c1,aa1:paf32:p]
# A file with a link: up to its cursor, or up to a move of all.
26 loadsgf files/link.txt
#? []
27 hexworld-link
#? [https://hexworld.org/board/#11c1,h4e7f9]
28 loadsgf files/link.txt 4
#? []
29 hexworld-link
#? [https://hexworld.org/board/#11c1,h4e7f9b9]
# A pass at the end is not who began.
30 hexworld-load 5,:pa1:p
#? []
31 printsgf
#? [.*SZ\[5\]RU\[swap\]PL\[B\]\n;B\[pass\]\n;W\[a1\]\n;B\[pass\]\)]
