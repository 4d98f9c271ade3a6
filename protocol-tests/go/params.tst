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
# KataGo's names, in the order in which LizzieYzy asks.
40 kata-get-param playoutDoublingAdvantage
#? [0\.0]
41 kata-get-param analysisWideRootNoise
#? [0]
42 kata-set-param playoutDoublingAdvantage 0
#? []
43 kata-set-param playoutDoublingAdvantage 1.5
#! [Could not set params: '1\.5' is no value of playoutDoublingAdvantage: expected 0, .*]
44 kata-set-param analysisWideRootNoise 0.04
#? []
45 kata-get-param analysisWideRootNoise
#? [0\.04]
46 kata-set-param numSearchThreads 1
#? []
47 kata-set-param numSearchThreads 64
#! [.*--threads allows]
48 kata-get-param maxVisits
#? [300]
49 kata-set-param maxVisits 1125899906842624
#? []
50 kata-get-param maxVisits
#? [1125899906842624]
51 kata-get-param maxTime
#? [1e\+?20]
52 kata-set-params {"maxVisits": 100, "maxTime": 2.5, "ponderingEnabled": "false", "cpuctExploration": 1.1}
#? []
53 kata-get-params
#? [\{.*"analysisWideRootNoise":"0\.04".*"cpuctExploration":1\.1.*"maxTime":2\.5,"maxVisits":100.*"ponderingEnabled":"false".*\}]
54 kata-set-params {"maxVisits": 7, "nonsense": 1}
#! [Could not set params: .*nonsense.*]
# Nothing of a faulty object is taken.
55 kata-get-param maxPlayouts
#? [100]
56 kata-set-params maxVisits
#! [Could not set params: this is no JSON object: .*]
57 kata-set-param maxVisits
#! [.+]
58 kata-get-param dynamicPlayoutDoublingAdvantageCapPerOppLead
#! [Invalid parameter: .*]
59 kata-list-params
#? [analysisWideRootNoise cpuctExploration .*maxVisits .*useGraphSearch .*rave_equivalence.*]
60 kata-set-param useGraphSearch false
#? []
61 losange-get graph_search
#? [0]
62 kata-get-param useGraphSearch
#? [false]
63 kata-set-param useGraphSearch 2
#! [.+]
64 clear_cache
#? []
65 kata-get-models
#? [\[\{.*"internalName":"go".*"usesHumanSLProfile":false.*"version":0\}\]]
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
# A preset sets all of them, and what is set afterwards changes it. One for another game says for which.
35 losange-preset
#? [bhrf-mean .*\n(.*\n)*strategies-2015 .*]
36 losange-set uct_constant 0.5
#? []
37 losange-preset bhrf-mean
#? []
38 losange-get reply_root
#? [1]
39 losange-get uct_constant
#? [0]
40 losange-set reply_share 0.5
#? []
41 losange-get reply_share
#? [0.5]
42 losange-preset yopt
#! [the preset 'yopt' is for Hex, and not for Go]
43 losange-preset fast
#! [unknown preset 'fast': expected one of ubfm-2019, .*]
44 losange-get search
#? [mcts]
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
