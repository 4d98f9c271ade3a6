# Jobs of PlayHex's worker as its own code has sent them: a move of each engine, analyses of moves and of positions.
# mohex 5 "a2" swap true
101 param_mohex reuse_subtree 0
#? []
102 param_mohex max_time 30
#? []
103 param_mohex max_memory 1073741824
#? []
104 param_mohex max_games 12
#? []
105 param_game allow_swap 1
#? []
106 boardsize 5 5
#? []
107 play-game a2
#? []
108 showboard
#? [.*X joins.*]
109 genmove white
#? [[a-z]{1,2}[0-9]+|swap-pieces]
# katahex 5 "a2" treeSearch true
110 boardsize 5 5
#? []
111 clear_board
#? []
112 set_position white b1
#? []
113 showboard
#? [.*X joins.*]
114 genmove_debug black
#? [[a-z]{1,2}[0-9]+]
# mohex 5 "c2 pass d3 pass b4" swap false
115 param_mohex reuse_subtree 0
#? []
116 param_mohex max_time 30
#? []
117 param_mohex max_memory 1073741824
#? []
118 param_mohex max_games 12
#? []
119 param_game allow_swap 0
#? []
120 boardsize 5 5
#? []
121 play-game c2
#? []
122 play black d3
#? []
123 play black b4
#? []
124 showboard
#? [.*X joins.*]
125 genmove white
#? [[a-z]{1,2}[0-9]+]
# mohex 5 "a2 swap-pieces pass b3 c4" swap false
126 param_mohex reuse_subtree 0
#? []
127 param_mohex max_time 30
#? []
128 param_mohex max_memory 1073741824
#? []
129 param_mohex max_games 12
#? []
130 param_game allow_swap 0
#? []
131 boardsize 5 5
#? []
132 play-game c4 b1
#? []
133 play white b3
#? []
134 showboard
#? [.*X joins.*]
135 genmove white
#? [[a-z]{1,2}[0-9]+]
# analyze-move 5 "b4 pass pass d1" e4 last true
136 boardsize 5 5
#? []
137 set_position black b4 white d1
#? []
138 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){5} \n){5}policyPass 0\.000000 \nwhiteOwnership\n.*]
139 set_position black a4 white d2 white d5
#? []
140 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){5} \n){5}policyPass 0\.000000 \nwhiteOwnership\n.*]
141 set_position black a4 white d2 white b2
#? []
142 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){5} \n){5}policyPass 0\.000000 \nwhiteOwnership\n.*]
# analyze-move 5 "a1 b2 c3 d4 e5 a5" pass last true
143 boardsize 5 5
#? []
144 set_position black a1 black c3 black e5 white b2 white d4 white a5
#? []
145 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){5} \n){5}policyPass 0\.000000 \nwhiteOwnership\n.*]
146 set_position black b2 black d4 black e1 white a1 white c3 white e5 white pass
#? []
147 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){5} \n){5}policyPass 0\.000000 \nwhiteOwnership\n.*]
148 set_position black b2 black d4 black e1 white a1 white c3 white e5 white d3
#? []
149 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){5} \n){5}policyPass 0\.000000 \nwhiteOwnership\n.*]
# analyze-position 5 empty
150 boardsize 5 5
#? []
151 clear_board
#? []
152 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){5} \n){5}policyPass 0\.000000 \nwhiteOwnership\n.*]
# analyze-position 5 won by black
153 boardsize 5 5
#? []
154 set_position black a1 white a3 white b3 white c3 white d3 white e3
#? []
155 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){5} \n){5}policyPass 0\.000000 \nwhiteOwnership\n.*]
# katahex 11 "a2 swap-pieces" treeSearch false
156 boardsize 11 11
#? []
157 clear_board
#? []
158 set_position white b1
#? []
159 showboard
#? [.*X joins.*]
160 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){11} \n){11}policyPass 0\.000000 \nwhiteOwnership\n.*]
# analyze-position 11 uneven white
161 boardsize 11 11
#? []
162 set_position black c4 white a1 white a2 white a3
#? []
163 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){11} \n){11}policyPass 0\.000000 \nwhiteOwnership\n.*]
# mohex 14 "a1 b2 c3 d4 e5 a5" swap false
201 param_mohex reuse_subtree 0
#? []
202 param_mohex max_time 30
#? []
203 param_mohex max_memory 1073741824
#? []
204 param_mohex max_games 4
#? []
205 param_game allow_swap 0
#? []
206 boardsize 14 14
#? []
207 play-game a1 b2 c3 d4 e5 a5
#? []
208 showboard
#? [.*X joins.*]
209 genmove black
#? [[a-z]{1,2}[0-9]+]
# analyze-position 14 uneven white
210 boardsize 14 14
#? []
211 set_position black c4 white a1 white a2 white a3
#? []
212 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){14} \n){14}policyPass 0\.000000 \nwhiteOwnership\n.*]
# katahex 19 "a2 swap-pieces" treeSearch false
213 boardsize 19 19
#? []
214 clear_board
#? []
215 set_position white b1
#? []
216 showboard
#? [.*X joins.*]
217 kata-raw-nn 0
#? [symmetry 0\nwhiteWin [01]\.[0-9]{6}\n(\S+ \S+\n){8}policy\n(( *(NAN|[01]\.[0-9]{6})){19} \n){19}policyPass 0\.000000 \nwhiteOwnership\n.*]
