use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::graph::PositionGraph;
use super::node::{Body, Expanded, Own};
use super::*;
use crate::eval::{Attributes, Evaluation, Forecast, NoEvaluation, Wanted};
use crate::game::{Game, Side};
use crate::games::{Size, go, hex};
use crate::search::mcts::tests::Nim;
use crate::search::{Budget, Params, Restriction, Stop};

/// Knows nothing, or what it is told to.
struct Judge {
    lines: usize,
    fails: AtomicBool,
    asked: AtomicUsize,
    /// Value for the side to move, and share of the first move.
    told: fn(&Nim) -> (f32, f32),
}

impl Judge {
    fn new(lines: usize, told: fn(&Nim) -> (f32, f32)) -> Arc<Self> {
        Arc::new(Self { lines, fails: AtomicBool::new(false), asked: AtomicUsize::new(0), told })
    }

    fn ignorant(lines: usize) -> Arc<Self> {
        Self::new(lines, |_| (0.0, 0.2))
    }
}

impl PolicyEvaluator<Nim> for Judge {
    fn attributes(&self) -> Attributes {
        Attributes { name: "judge".into(), batch: 64, lines: self.lines }
    }

    fn serves(&self, position: &Nim) -> bool {
        position.heap < 1_000_000
    }

    fn evaluate_with_policy(
        &self,
        queries: &[PolicyQuery<'_, Nim>],
        evaluations: &mut Vec<Evaluation>,
        wanted: Wanted<'_>,
    ) -> Result<(), NoEvaluation> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(NoEvaluation::Failed);
        }
        if !wanted() {
            return Err(NoEvaluation::Cancelled);
        }
        self.asked.fetch_add(queries.len(), Ordering::Relaxed);
        evaluations.clear();
        for query in queries {
            let (value, first) = (self.told)(query.position);
            let sign = query.position.to_move().sign();
            let others = (1.0 - first) / (query.moves.len() - 1).max(1) as f32;
            let share = |mv: &u64| {
                if query.moves.len() == 1 {
                    1.0
                } else if *mv == 1 {
                    first
                } else {
                    others
                }
            };
            evaluations.push(Evaluation {
                value: value * sign,
                policy: query.moves.iter().map(share).collect(),
                score: Some(10.0 * value * sign),
                ownership: vec![value * sign],
                forecast: Some(Forecast { score: 10.0 * value * sign, deviation: 3.0, ..Forecast::default() }),
                ..Evaluation::default()
            });
        }
        Ok(())
    }
}

fn puct(judge: &Arc<Judge>) -> Puct<Nim> {
    Puct::new(Arc::new(Share::new(4)), 16, Arc::clone(judge) as Arc<dyn PolicyEvaluator<Nim>>)
}

fn nodes(count: u64) -> Budget {
    Budget { nodes: Some(count), ..Budget::default() }
}

fn run(search: &mut Puct<Nim>, position: &Nim, budget: Budget, threads: usize, params: &Params) -> Decision<u64> {
    let stop = Stop::new();
    search.run(&Task { threads, ownership: true, ..Task::new(position, budget, params, &stop) }, &mut |_| {})
}

#[test]
fn the_win_is_found_without_help() {
    for (lines, threads, graph) in [(1, 1, 1), (1, 1, 0), (8, 1, 1), (1, 3, 1), (8, 3, 0)] {
        let params = Params { graph_search: graph, ..Params::default() };
        for heap in [5, 6, 7, 9, 10, 11, 13] {
            let decision = run(&mut puct(&Judge::ignorant(lines)), &Nim::new(heap), nodes(3000), threads, &params);
            assert_eq!(decision.mv, heap % 4, "{heap} by {lines} lines and {threads} threads, graph {graph}");
            assert!(decision.report.winrate > 0.7, "{heap}: {}", decision.report.winrate);
        }
    }
}

#[test]
fn the_parameters_leave_open_by_what_unvisited_moves_count() {
    // Ever more visits of each move, by a judge that thinks too little of whoever is to move.
    let visits = |by_means: bool, unvisited_mean| {
        let params = Params { unvisited_mean, ..Params::default() };
        let visits = |count| {
            let search = puct(&Judge::new(1, |_| (-0.8, 0.6)));
            let mut search = if by_means { search.by_means() } else { search };
            let report = run(&mut search, &Nim::new(41), nodes(count), 1, &params).report;
            report.moves.iter().map(|mv| (mv.mv, mv.visits)).collect::<Vec<_>>()
        };
        (2..40).map(visits).collect::<Vec<_>>()
    };
    let [by_judgment, by_means] = [visits(false, -1), visits(true, -1)];
    assert_ne!(by_judgment, by_means);
    assert_eq!((visits(true, 0), visits(false, 1)), (by_judgment, by_means));
}

#[test]
fn budgets_are_exact_and_visits_add_up() {
    for (lines, threads) in [(1, 1), (8, 1), (1, 3), (4, 2)] {
        let params = Params { graph_search: 0, ..Params::default() };
        let decision = run(&mut puct(&Judge::ignorant(lines)), &Nim::new(41), nodes(500), threads, &params);
        let report = decision.report;
        assert_eq!(report.nodes, 500);
        // The first one is the evaluation of the root.
        assert_eq!(report.visits, 500);
        assert_eq!(report.moves.iter().map(|mv| mv.visits).sum::<u64>(), 499);
        assert_eq!(report.moves.iter().map(|mv| mv.prior).sum::<f32>(), 1.0);
        assert_eq!(report.ownership.map(|owners| owners.len()), Some(1));
    }
}

/// Without shared nodes visits by moves and by positions are the same, and each evaluation counts once.
#[test]
fn reports_tell_what_the_network_says_besides() {
    let params = Params { graph_search: 0, value_weight_exponent: 0.0, noise_pruning: 0, ..Params::default() };
    let report = run(&mut puct(&Judge::ignorant(1)), &Nim::new(41), nodes(500), 1, &params).report;
    let root = report.detail.clone().unwrap();
    assert_eq!((root.visits, report.visits), (500, 500));
    assert!((root.weight - 500.0).abs() < 0.5, "{}", root.weight);
    let deviation = root.ownership_stdev.unwrap()[0];
    assert!((0.0..=1.0).contains(&deviation) && root.no_result == 0.0 && root.raw.is_none());
    for mv in report.moves.iter().filter(|mv| mv.visits > 0) {
        let detail = mv.detail.as_ref().unwrap();
        assert_eq!((detail.visits, &detail.pv_visits), (mv.visits, &mv.pv_visits));
        assert!(detail.utility_bound <= detail.utility && detail.utility.abs() <= 1.4);
    }
}

#[test]
fn positions_that_several_ways_lead_to_are_evaluated_once() {
    let judge = Judge::ignorant(1);
    let report = run(&mut puct(&judge), &Nim::new(20), nodes(2000), 1, &Params::default()).report;
    assert_eq!(report.nodes, 2000);
    // Heaps of 1 to 20 with either side to move, of which a search leaves few out.
    assert!((30..=40).contains(&judge.asked.load(Ordering::Relaxed)), "{:?}", judge.asked);
}

#[test]
fn what_lies_below_the_move_is_kept() {
    let judge = Judge::ignorant(1);
    let (mut search, mut position, params) = (puct(&judge), Nim::new(21), Params::default());
    let first = run(&mut search, &position, nodes(800), 1, &params);
    let expected = first.report.moves[0].visits;
    search.advance(first.mv);
    position.play(first.mv);
    let next = run(&mut search, &position, nodes(1), 1, &params);
    assert!(next.report.visits >= expected, "{} after {expected}", next.report.visits);
    assert_eq!(next.report.to_move, Side::Second);
    // A search that is stopped at once takes nothing away, and one of one node adds one visit.
    let stop = Stop::new();
    stop.set();
    search.run(&Task::new(&position, Budget::default(), &params, &stop), &mut |_| {});
    let more = run(&mut search, &position, nodes(1), 1, &params);
    assert_eq!(more.report.visits, next.report.visits + 1);
    // Another position is searched afresh.
    let fresh = run(&mut search, &Nim::new(33), nodes(10), 1, &params);
    assert_eq!(fresh.report.visits, 10);
}

#[test]
fn restrictions_bind_and_a_stop_gives_a_move() {
    let judge = Judge::ignorant(1);
    let (params, stop) = (Params::default(), Stop::new());
    let position = Nim::new(7);
    let restrictions = [Restriction::new(Side::First, vec![1, 2], true, 1)];
    let task = Task { restrictions: &restrictions, ..Task::new(&position, nodes(300), &params, &stop) };
    let decision = puct(&judge).run(&task, &mut |_| {});
    assert!(decision.mv < 3 && decision.report.moves.iter().all(|mv| mv.mv < 3));
    stop.set();
    let decision = puct(&judge).run(&Task::new(&position, Budget::default(), &params, &stop), &mut |_| {});
    assert!(position.is_legal(decision.mv));
}

#[test]
fn an_evaluator_that_fails_is_done_without() {
    let judge = Judge::ignorant(1);
    judge.fails.store(true, Ordering::Relaxed);
    let decision = run(&mut puct(&judge), &Nim::new(11), nodes(4000), 1, &Params::default());
    assert_eq!(decision.mv, 3);
    // On boards that it does not serve, playouts alone.
    let decision = run(&mut puct(&Judge::ignorant(1)), &Nim::new(2_000_001), nodes(10), 1, &Params::default());
    assert!(decision.mv <= 3);
}

#[test]
fn memory_is_bounded_and_the_search_goes_on() {
    let judge = Judge::new(1, |_| (0.0, 0.6));
    let mut search = Puct::new(Arc::new(Share::new(1)), 1, Arc::clone(&judge) as Arc<dyn PolicyEvaluator<Nim>>);
    let params = Params { graph_search: 0, ..Params::default() };
    let decision = run(&mut search, &Nim::new(90_001), nodes(20_000), 1, &params);
    assert_eq!(decision.report.nodes, 20_000);
    assert!(decision.report.memory <= 1 << 20, "{}", decision.report.memory);
}

/// Plain PUCT, written down once more: value sums and visits by path, without anything that KataGo adds.
struct Plain {
    told: fn(&Nim) -> (f32, f32),
    nodes: HashMap<Vec<u64>, (f32, f32)>,
}

impl Plain {
    /// One simulation from a position that was reached by these moves; its value for `First`.
    fn simulate(&mut self, position: &Nim, way: &mut Vec<u64>) -> f32 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let sign = position.to_move().sign();
        let known = self.nodes.get(way).copied();
        let value = if moves.is_empty() {
            -sign
        } else if known.is_none() {
            (self.told)(position).0 * sign
        } else {
            let mv = self.best(position, way, &moves);
            let mut next = position.clone();
            next.play(mv);
            way.push(mv);
            let value = self.simulate(&next, way);
            way.pop();
            value
        };
        let (visits, sum) = known.unwrap_or_default();
        self.nodes.insert(way.clone(), (visits + 1.0, sum + value));
        value
    }

    fn best(&self, position: &Nim, way: &mut Vec<u64>, moves: &[u64]) -> u64 {
        let (value, first) = (self.told)(position);
        let sign = position.to_move().sign();
        let others = (1.0 - first) / (moves.len() - 1).max(1) as f32;
        let prior = |mv: u64| {
            if moves.len() == 1 {
                1.0
            } else if mv == 1 {
                first
            } else {
                others
            }
        };
        let (visits, sum) = self.nodes[way];
        let child = |mv: u64| self.nodes.get(&[way.as_slice(), &[mv]].concat()).copied().unwrap_or_default();
        let visited: f32 = moves.iter().filter(|&&mv| child(mv).0 > 0.0).map(|&mv| prior(mv)).sum();
        let share = visited * visited;
        let reduction = if way.is_empty() { 0.1 } else { 0.2 };
        let untried = share * sum / visits * sign + (1.0 - share) * value - reduction * visited.sqrt();
        let score = |mv: u64| {
            let (count, sum) = child(mv);
            let mean = if count > 0.0 { sum / count * sign } else { untried };
            mean + prior(mv) * (visits - 1.0 + 0.01).sqrt() / (1.0 + count)
        };
        // Of equal ones the likelier, then the first: as in the order of priors.
        let mut order = moves.to_vec();
        order.sort_by(|&a, &b| prior(b).total_cmp(&prior(a)).then(a.cmp(&b)));
        order.into_iter().reduce(|a, b| if score(b) > score(a) + 1e-5 { b } else { a }).unwrap()
    }
}

#[test]
fn without_what_katago_adds_it_is_plain_puct() {
    let params = Params {
        graph_search: 0,
        exploration_log: 0.0,
        volatility_scale: 0.0,
        static_score_utility: 0.0,
        dynamic_score_utility: 0.0,
        noise_pruning: 0,
        value_weight_exponent: 0.0,
        subtree_bias: 0.0,
        uncertainty_weights: 0,
        bound_deviations: 0.0,
        root_policy_optimism: 1.0,
        ..Params::default()
    };
    let told: fn(&Nim) -> (f32, f32) = |position| {
        let wave = ((position.heap * 37) % 11) as f32 / 11.0;
        (0.6 * wave - 0.3, 0.2 + 0.5 * wave)
    };
    for heap in [9, 14, 30] {
        let decision = run(&mut puct(&Judge::new(1, told)), &Nim::new(heap), nodes(300), 1, &params);
        let mut plain = Plain { told, nodes: HashMap::new() };
        (0..300).for_each(|_| _ = plain.simulate(&Nim::new(heap), &mut Vec::new()));
        for mv in &decision.report.moves {
            let (visits, sum) = plain.nodes.get(&vec![mv.mv]).copied().unwrap_or_default();
            // Sums are rounded in another order, which decides where two moves are equal.
            assert!((mv.visits as f32 - visits).abs() <= 1.0, "move {} of {heap}: {} and {visits}", mv.mv, mv.visits);
            assert!((mv.winrate - (0.5 + 0.5 * sum / visits.max(1.0))).abs() < 2e-3 || visits == 0.0);
        }
    }
}

/// Looks at moves that take a ko, and says that it goes a little badly for `First`.
struct KoJudge;

impl PolicyEvaluator<go::Position> for KoJudge {
    fn attributes(&self) -> Attributes {
        Attributes { name: "ko".into(), batch: 64, lines: 1 }
    }

    fn serves(&self, _: &go::Position) -> bool {
        true
    }

    fn evaluate_with_policy(
        &self,
        queries: &[PolicyQuery<'_, go::Position>],
        evaluations: &mut Vec<Evaluation>,
        _: Wanted<'_>,
    ) -> Result<(), NoEvaluation> {
        evaluations.clear();
        for query in queries {
            let position = query.position;
            let prior = |&mv: &go::Move| {
                let mut next = position.clone();
                next.play(mv);
                let forbidden = |point| next.check(next.to_move(), go::Move::at(point)) == Err(go::Illegal::Ko);
                if (0..next.points()).any(forbidden) { 1.0 } else { 1e-6 }
            };
            let priors: Vec<f32> = query.moves.iter().map(prior).collect();
            let policy = priors.iter().map(|prior| prior / priors.iter().sum::<f32>()).collect();
            let value = -0.3;
            evaluations.push(Evaluation { value, policy, ..Evaluation::default() });
        }
        Ok(())
    }
}

/// Black to move takes in the first of three kos, White in the second, and so on, until all is as it was.
#[test]
fn a_way_round_has_no_result() {
    let mut position = go::Position::new(Size { width: 4, height: 9 }, go::Rules::CHINESE, 0.5);
    let kos = [".XO. XO.O .XO.", ".XO. X.XO .XO.", ".XO. XO.O .XO."].concat().replace(' ', "");
    let stones = kos.chars().enumerate().filter_map(|(point, stone)| match stone {
        'X' => Some((Side::First, point)),
        'O' => Some((Side::Second, point)),
        _ => None,
    });
    position.set_up(&stones.collect::<Vec<_>>()).unwrap();
    let (params, stop) =
        (Params { static_score_utility: 0.0, dynamic_score_utility: 0.0, ..Params::default() }, Stop::new());
    let (share, judge) = (Arc::new(Share::new(1)), Arc::new(KoJudge));
    let mut searches: [Box<dyn Searcher<go::Position>>; 2] = [
        Box::new(Puct::new(Arc::clone(&share), 64, Arc::clone(&judge) as Arc<dyn PolicyEvaluator<go::Position>>)),
        Box::new(Mcts::with_evaluator(share, 64, judge)),
    ];
    for search in &mut searches {
        let report = search.run(&Task::new(&position, nodes(6000), &params, &stop), &mut |_| {}).report;
        assert!((report.moves[0].mean - 0.5).abs() < 0.05, "{:?}", report.moves[0]);
    }
}

#[test]
fn a_graph_that_goes_leaves_no_way_round() {
    let graph = PositionGraph::new(Nim::new(3), 1 << 20);
    let (one, other) = (graph.node(1, true), graph.node(2, true));
    for (node, next) in [(&one, &other), (&other, &one)] {
        let mut expanded = Expanded::new(Own::default(), 1.0, &[0], &[1.0], None);
        expanded.follow(0, Arc::clone(next));
        *node.body.lock() = Body::Expanded(Box::new(expanded));
    }
    let left = [Arc::downgrade(&one), Arc::downgrade(&other)];
    drop((one, other));
    assert!(left.iter().all(|node| node.upgrade().is_some()));
    drop(graph);
    assert!(left.iter().all(|node| node.upgrade().is_none()));
}

/// Holds all moves of Hex for equally good.
struct Even;

impl PolicyEvaluator<hex::Position> for Even {
    fn attributes(&self) -> Attributes {
        Attributes { name: "even".into(), batch: 1, lines: 1 }
    }

    fn serves(&self, _: &hex::Position) -> bool {
        true
    }

    fn evaluate_with_policy(
        &self,
        queries: &[PolicyQuery<'_, hex::Position>],
        evaluations: &mut Vec<Evaluation>,
        _: Wanted<'_>,
    ) -> Result<(), NoEvaluation> {
        let even = |query: &PolicyQuery<'_, hex::Position>| {
            let count = query.moves.len();
            Evaluation { policy: vec![1.0 / count as f32; count], ..Evaluation::default() }
        };
        evaluations.clear();
        evaluations.extend(queries.iter().map(even));
        Ok(())
    }
}

/// Lines of a search end where the winner is known; a game that has come there wants a move all the same.
#[test]
fn a_position_whose_winner_is_known_is_searched_when_the_game_comes_to_it() {
    let (params, stop) = (Params::default(), Stop::new());
    let mut search: Puct<hex::Position> = Puct::new(Arc::new(Share::new(1)), 16, Arc::new(Even));
    let mut position = hex::Position::new(Size::square(3));
    let run = |position: &hex::Position, search: &mut Puct<hex::Position>| {
        search.run(&Task::new(position, nodes(60), &params, &stop), &mut |_| {}).report
    };
    run(&position, &mut search);
    let centre = hex::Move::at(4);
    search.advance(centre);
    position.play(centre);
    assert!(position.proven().is_some() && position.outcome().is_none());
    let report = run(&position, &mut search);
    assert!(report.moves.len() > 1 && report.moves[0].visits > 0, "{:?}", report.moves);
    assert!(report.winrate < 0.5, "{}", report.winrate);
}

/// Without proofs the rules alone end lines, and no move is left out.
#[test]
fn without_proofs_the_rules_alone_end_lines() {
    let stop = Stop::new();
    let position = hex::Position::new(Size::square(3));
    let winrate = |proofs| {
        let params = Params { proofs, ..Params::default() };
        let mut search: Puct<hex::Position> = Puct::new(Arc::new(Share::new(1)), 16, Arc::new(Even));
        let report = search.run(&Task::new(&position, nodes(30), &params, &stop), &mut |_| {}).report;
        report.moves.iter().find(|mv| mv.mv == hex::Move::at(4)).map_or(0.0, |mv| mv.winrate)
    };
    assert!(winrate(1) > 0.9 && winrate(0) < 0.9, "{} {}", winrate(1), winrate(0));
}
