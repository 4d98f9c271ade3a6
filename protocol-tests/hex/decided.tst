# Programs of Hex set positions up by plays in any order, also when one side has joined its edges already.
1 boardsize 3
#? []
2 play b b1
#? []
3 play b b2
#? []
4 play b b3
#? []
5 play w a1
#? []
6 play w a1
#! [illegal move: white a1 \(occupied\)]
7 play b c3
#? []
8 genmove w
#? [resign]
9 undo
#? []
10 undo
#? []
11 undo
#? []
12 final_score
#? [cannot score]
