# Tunables over the protocol.
10 losange-get
#? [.*rave_equivalence.*]
11 losange-get uct_constant
#? [\d.*]
12 losange-set uct_constant 0.5
#? []
13 losange-get uct_constant
#? [0\.5]
14 losange-set uct_constant plenty
#! [.*uct_constant.*]
15 losange-set no_such_thing 1
#! [.*no_such_thing.*]
16 losange-set uct_constant
#! [.+]
17 kata-get-param playoutDoublingAdvantage
#! [.+]
18 kata-set-param analysisWideRootNoise 0.04
#! [.+]
# Of searches and parameters only those that the game has.
30 losange-set search ubfm
#! [Go has no search 'ubfm'; it has usual, yopt, mcts, puct, random]
31 losange-set solver_share 0
#! [Go has no parameter 'solver_share'; it has search, .*]
32 losange-set search random
#? []
33 losange-get search
#? [random]
34 losange-set search usual
#? []
19 losange-game chess
#! [.+]
20 losange-game hex
#? []
21 play b a1
#? []
22 gogui-rules_game_id
#? [Hex]
23 losange-game go
#? []
24 gogui-rules_game_id
#? [Go]
