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
# A move that is asked for is played there too.
boardsize 4
set_position b a1 b a2 b a3 b a4
901 genmove_debug w
#? [[a-d][1-4]]
902 gogui-rules_legal_moves
903 genmove_debug w
#? [[a-d][1-4]]
904 showboard
#? [(?s).*O.*O.*]
