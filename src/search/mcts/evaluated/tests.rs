use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::super::Mcts;
use super::super::iteration::Worker;
use super::super::learned::Learned;
use super::super::node::Node;
use super::super::pool::Room;
use super::super::tests::{Nim, Setting, run, run_by};
use super::super::tree::Tree;
use super::super::tree_search::TreeSearch;
use super::Evaluated;
use crate::eval::{Attributes, Evaluation, NoEvaluation, PolicyEvaluator, PolicyQuery, Wanted};
use crate::game::{Game, MonteCarlo, Side};
use crate::games::{Size, go};
use crate::rng::Rng;
use crate::search::watch::Watch;
use crate::search::{Budget, Params, Searcher, Share, Stop, Task};

/// An evaluator of Nim that can be asked what it was asked.
struct Fool {
    lines: usize,
    /// Share of attention of the move "take one" where there are others.
    first: f32,
    /// Whether it knows who wins.
    wise: bool,
    fails: bool,
    /// Waits until nobody wants to know any more.
    stalls: bool,
    /// Visits after which it wants to give advice.
    advice: u32,
    batches: Mutex<Vec<usize>>,
}

impl Default for Fool {
    fn default() -> Self {
        let batches = Mutex::default();
        Self { lines: 1, first: 1.0 / 3.0, wise: false, fails: false, stalls: false, advice: 0, batches }
    }
}

impl PolicyEvaluator<Nim> for Fool {
    fn attributes(&self) -> Attributes {
        Attributes { name: "fool".into(), batch: 64, lines: self.lines }
    }

    fn serves(&self, position: &Nim) -> bool {
        position.heap < 100
    }

    fn advice(&self) -> u32 {
        self.advice
    }

    fn evaluate_with_policy(
        &self,
        queries: &[PolicyQuery<'_, Nim>],
        evaluations: &mut Vec<Evaluation>,
        wanted: Wanted<'_>,
    ) -> Result<(), NoEvaluation> {
        self.batches.lock().push(queries.len());
        while self.stalls && self.batches.lock().len() > 1 {
            if !wanted() {
                return Err(NoEvaluation::Cancelled);
            }
            thread::sleep(Duration::from_millis(1));
        }
        if self.fails {
            return Err(NoEvaluation::Failed);
        }
        evaluations.clear();
        for &PolicyQuery { position, moves, .. } in queries {
            assert!(position.heap > 0 && !moves.is_empty());
            let others = (1.0 - self.first) / (moves.len() - 1).max(1) as f32;
            let share = |mv: &u64| {
                if moves.len() == 1 {
                    1.0
                } else if *mv == 1 {
                    self.first
                } else {
                    others
                }
            };
            let lost = if position.heap % 4 == 0 { -0.9 } else { 0.9 };
            evaluations.push(Evaluation {
                value: if self.wise { lost * position.to_move().sign() } else { 0.0 },
                policy: moves.iter().map(share).collect(),
                score: self.wise.then_some(lost * position.to_move().sign()),
                ownership: if self.wise { vec![lost * position.to_move().sign()] } else { Vec::new() },
                ..Evaluation::default()
            });
        }
        Ok(())
    }
}

fn evaluated(fool: Fool) -> (Mcts<Nim>, Arc<Fool>) {
    let fool = Arc::new(fool);
    (Mcts::with_evaluator(Arc::new(Share::new(4)), 16, Arc::clone(&fool) as Arc<dyn PolicyEvaluator<Nim>>), fool)
}

#[test]
fn the_win_is_found_whatever_the_judge_thinks_of_it() {
    for (lines, threads) in [(1, 1), (8, 1), (1, 3), (8, 3)] {
        for heap in [5, 6, 7, 9, 10, 11] {
            // By its own reading of the end, against a policy that points elsewhere, and by playouts if the evaluator fails.
            let first = if heap % 4 == 1 { 0.1 } else { 0.6 };
            for fool in [Fool { lines, ..Fool::default() }, Fool { lines, first, ..Fool::default() }] {
                let (mut search, fool) = evaluated(fool);
                let decision = run(&mut search, &Nim::new(heap), &Setting { threads, ..Setting::default() });
                assert_eq!(decision.mv, heap % 4, "heap {heap}, {lines} lines, {threads} threads");
                assert!(decision.report.moves[0].winrate > 0.7);
                assert_eq!(decision.report.score, None);
                let largest = fool.batches.lock().iter().copied().max().unwrap();
                assert!(largest <= lines && (lines == 1 || largest > 1), "{largest}");
            }
            let (mut search, _) = evaluated(Fool { lines, fails: true, ..Fool::default() });
            let decision = run(&mut search, &Nim::new(heap), &Setting { threads, ..Setting::default() });
            assert_eq!(decision.mv, heap % 4, "heap {heap}, {lines} lines, {threads} threads, no evaluations");
        }
    }
}

#[test]
fn a_judge_that_knows_is_believed() {
    let (mut search, _) = evaluated(Fool { wise: true, ..Fool::default() });
    let setting = Setting { nodes: Some(2000), ownership: true, ..Setting::default() };
    let report = run(&mut search, &Nim::new(39), &setting).report;
    assert_eq!(report.moves[0].mv, 3);
    // Wrong moves are tried too, as the policy wants it: the mean stays well below what the evaluator says.
    assert!(report.winrate > 0.55, "{}", report.winrate);
    assert!(report.score.unwrap() > 0.1 && report.ownership.unwrap()[0] > 0.1);
}

#[test]
fn attention_follows_the_policy() {
    let (mut search, _) = evaluated(Fool { first: 0.8, ..Fool::default() });
    let report = run(&mut search, &Nim::new(60), &Setting { nodes: Some(40), ..Setting::default() }).report;
    assert_eq!(report.moves[0].mv, 1);
    assert!((report.moves[0].prior - 0.8).abs() < 1e-5);
    assert!(report.moves[0].visits > 25, "{}", report.moves[0].visits);
}

#[test]
fn budgets_and_seeds_hold_with_a_judge_too() {
    for (lines, threads) in [(1, 1), (8, 1), (8, 4)] {
        let setting = Setting { nodes: Some(500), threads, ..Setting::default() };
        let (mut search, _) = evaluated(Fool { lines, ..Fool::default() });
        let report = run(&mut search, &Nim::new(20), &setting).report;
        assert_eq!((report.nodes, report.visits), (500, 500));
        assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 500);
        let again = run(&mut evaluated(Fool { lines, ..Fool::default() }).0, &Nim::new(20), &setting).report;
        assert!(threads > 1 || again.moves == report.moves);
    }
}

#[test]
fn a_stop_does_not_wait_for_the_judge() {
    let (mut search, _) = evaluated(Fool { stalls: true, lines: 4, ..Fool::default() });
    let setting = Setting { nodes: None, threads: 2, ..Setting::default() };
    let stop = setting.stop.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(50));
            stop.set();
        });
        let start = Instant::now();
        let report = run(&mut search, &Nim::new(40), &setting).report;
        assert!(start.elapsed() < Duration::from_millis(500));
        assert_eq!((report.nodes, report.visits), (0, 0));
    });
    // Nothing of what was given up is left in the tree.
    let tree = &search.trees.as_ref().unwrap().game;
    let in_flight: u32 = tree.children(tree.root()).iter().map(|child| child.stats().in_flight).sum();
    assert_eq!(in_flight + tree.root().stats().in_flight, 0);
    assert!(tree.children(tree.root()).iter().all(|child| child.claim()));
}

/// A root that was never evaluated does not stay for the next search.
#[test]
fn a_stop_before_the_root_is_judged_leaves_no_tree() {
    struct Deaf;
    impl PolicyEvaluator<Nim> for Deaf {
        fn attributes(&self) -> Attributes {
            Attributes { name: "deaf".into(), batch: 1, lines: 1 }
        }

        fn serves(&self, _: &Nim) -> bool {
            true
        }

        fn evaluate_with_policy(
            &self,
            _: &[PolicyQuery<'_, Nim>],
            _: &mut Vec<Evaluation>,
            _: Wanted<'_>,
        ) -> Result<(), NoEvaluation> {
            Err(NoEvaluation::Cancelled)
        }
    }
    let mut search = Mcts::with_evaluator(Arc::new(Share::new(1)), 16, Arc::new(Deaf));
    let setting = Setting { nodes: None, ..Setting::default() };
    setting.stop.set();
    assert!(Nim::new(9).is_legal(run(&mut search, &Nim::new(9), &setting).mv));
    assert!(search.trees.is_none());
}

#[test]
fn boards_that_the_judge_does_not_serve_are_searched_by_playouts() {
    let (mut search, fool) = evaluated(Fool::default());
    let report = run(&mut search, &Nim::new(101), &Setting { nodes: Some(100), ..Setting::default() }).report;
    assert_eq!(report.visits, 100);
    assert!(fool.batches.lock().is_empty());
}

#[test]
fn playouts_and_judgements_mix() {
    let position = Nim::new(39);
    let stop = Stop::new();
    // After one simulation, by an evaluator that calls everything even: how far from even the playout has drawn it.
    let distance = |playout_share| {
        let params = Params { playout_share, score_weight: 0.0, ..Params::default() };
        let task = Task::new(&position, Budget { nodes: Some(1), ..Budget::default() }, &params, &stop);
        let report = evaluated(Fool::default()).0.run(&task, &mut |_| {}).report;
        (report.winrate - 0.5).abs()
    };
    assert_eq!([0.0, 0.5, 1.0].map(distance), [0.0, 0.25, 0.5]);
}

/// Parameters of a search by playouts that takes advice.
fn advised() -> Params {
    Params { rave_equivalence: 0.0, uct_constant: 0.7, advice_visits: 4, ..Params::default() }
}

#[test]
fn the_win_is_found_whatever_is_advised() {
    for (heap, threads) in [(5, 1), (6, 3), (7, 1), (9, 3), (11, 1)] {
        let first = if heap % 4 == 1 { 0.1 } else { 0.6 };
        for fool in [Fool { first, ..Fool::default() }, Fool { wise: true, ..Fool::default() }] {
            let (mut search, fool) = evaluated(fool);
            let setting = Setting { threads, ..Setting::default() };
            let decision = run_by(&mut search, &Nim::new(heap), &setting, &advised());
            assert_eq!(decision.mv, heap % 4, "heap {heap}, {threads} threads");
            // Asked one at a time, and of each node once: there are fewer of them than simulations.
            let batches = fool.batches.lock();
            assert!(batches.iter().all(|&batch| batch == 1) && !batches.is_empty());
            assert!(4 * batches.len() as u64 <= decision.report.nodes, "{}", batches.len());
        }
        let (mut search, fool) = evaluated(Fool { fails: true, ..Fool::default() });
        let setting = Setting { threads, ..Setting::default() };
        assert_eq!(run_by(&mut search, &Nim::new(heap), &setting, &advised()).mv, heap % 4, "no advice");
        assert!(fool.batches.lock().len() < 1000);
    }
}

/// Knowledge of an evaluator counts as so many visits of a node for the side whose move it is, and its policy draws visits.
#[test]
fn advice_counts() {
    let setting = Setting { nodes: Some(300), ..Setting::default() };
    let winrate = |weight| {
        let params = Params { advice_weight: weight, advice_visits: 1, score_weight: 0.0, ..advised() };
        let (mut search, _) = evaluated(Fool { wise: true, ..Fool::default() });
        run_by(&mut search, &Nim::new(38), &setting, &params).report.winrate
    };
    // Playouts from so large a heap are nearly even; the evaluator knows that it is won.
    let [without, with] = [0, 20].map(winrate);
    assert!(with > without + 0.1, "{without} {with}");
    let visits = |advice_constant| {
        let params = Params { advice_constant, advice_visits: 1, advice_weight: 0, ..advised() };
        let (mut search, _) = evaluated(Fool { first: 0.9, ..Fool::default() });
        let report = run_by(&mut search, &Nim::new(60), &setting, &params).report;
        report.moves.iter().find(|m| m.mv == 1).map_or(0, |m| m.visits)
    };
    let [without, with] = [0.0, 2.0].map(visits);
    assert!(with > 150 && with > without + 50, "{without} {with}");
}

/// Without a word from the parameters a model is used as it says of itself.
#[test]
fn a_model_says_whether_it_advises() {
    let asked = |advice, advice_visits| {
        let (mut search, fool) = evaluated(Fool { advice, ..Fool::default() });
        run_by(&mut search, &Nim::new(60), &Setting::default(), &Params { advice_visits, ..advised() });
        fool.batches.lock().len()
    };
    let [valued, advised] = [asked(0, -1), asked(10, -1)];
    assert!(advised > 0 && 5 * advised < valued, "{advised} {valued}");
    assert_eq!((asked(10, 0), asked(0, 10)), (valued, advised));
    // One that does not serve the board is no adviser either.
    let (mut search, fool) = evaluated(Fool { advice: 10, ..Fool::default() });
    let report = run_by(&mut search, &Nim::new(150), &Setting::default(), &Params::default()).report;
    assert!(fool.batches.lock().is_empty() && report.nodes > 0);
}

/// Advice that nobody waited for is asked for again.
#[test]
fn a_stop_does_not_wait_for_advice() {
    let (mut search, fool) = evaluated(Fool { stalls: true, ..Fool::default() });
    let setting = Setting { nodes: None, threads: 2, ..Setting::default() };
    let stop = setting.stop.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(50));
            stop.set();
        });
        let start = Instant::now();
        run_by(&mut search, &Nim::new(40), &setting, &advised());
        assert!(start.elapsed() < Duration::from_millis(500));
    });
    assert!(fool.batches.lock().len() > 1);
    let tree = &search.trees.as_ref().unwrap().game;
    assert!(tree.children(tree.root()).iter().all(|child| child.claim_advice()));
}

/// An evaluation of Go for each position: its value, and the policy over those moves.
struct Told(fn(&go::Position, &[go::Move]) -> (f32, Vec<f32>));

impl PolicyEvaluator<go::Position> for Told {
    fn attributes(&self) -> Attributes {
        Attributes { name: "told".into(), batch: 8, lines: 1 }
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
        let said = queries.iter().map(|query| (self.0)(query.position, query.moves));
        let all = said.map(|(value, policy)| Evaluation { value, policy, ..Evaluation::default() });
        *evaluations = all.collect();
        Ok(())
    }
}

/// Black wins, whatever the board, and all moves deserve the same attention.
const PARTISAN: Told = Told(|_, moves| (0.8, vec![1.0 / moves.len() as f32; moves.len()]));

/// Black's only stone on the board stands among White's, and is dead unless the players say otherwise. Where they do not, as by area, a
/// second pass ends the game as the board is.
#[test]
fn what_players_agree_on_is_for_the_judge_to_say() {
    for (rules, threads) in [(go::Rules::JAPANESE, 1), (go::Rules::JAPANESE, 3), (go::Rules::CHINESE, 1)] {
        let mut position = go::Position::new(Size::square(4), rules, 0.5);
        let white = [1, 4, 6, 9].map(|point| (Side::Second, point));
        position.set_up(&[&white[..], &[(Side::First, 15)]].concat()).unwrap();
        position.play(go::Move::PASS);
        let mut search = Mcts::with_evaluator(Arc::new(Share::new(3)), 16, Arc::new(PARTISAN));
        let (params, stop) = (Params::default(), Stop::new());
        let budget = Budget { nodes: Some(600), ..Budget::default() };
        let task = Task { threads, ..Task::new(&position, budget, &params, &stop) };
        let report = search.run(&task, &mut |_| ()).report;
        let pass = report.moves.iter().find(|known| known.mv == go::Move::PASS).unwrap();
        if rules == go::Rules::CHINESE {
            assert!(pass.visits > 300 && pass.winrate == 1.0, "{pass:?}");
        } else {
            assert!(pass.visits > 10 && (pass.winrate - 0.1).abs() < 1e-3, "{pass:?}");
        }
    }
}

/// Values and attention by chance, but always the same for the same position. The shares keep all of their bits when they are noted.
const DEALER: Told = Told(|position, moves| {
    let mut rng = Rng::stream(position.key(), 0);
    // A few moves have most of the attention.
    let share = |number: u32| (1 + number * number / 2) as f32 / 32768.0;
    let policy = moves.iter().map(|_| share(rng.below(16))).collect();
    (2.0 * rng.unit() - 1.0, policy)
});

/// So many batches of searches by the dealer from a position, in a tree, with what each simulation left there.
fn dealt(tree: &Tree<go::Position>, batches: usize, lines: usize) {
    let search = TreeSearch {
        tree,
        goal_trees: &[],
        params: &Params::default(),
        restrictions: &[],
        ownership: false,
        moves_ownership: false,
        drawn_by: 0.0,
        learned: &Learned::default(),
        tallies: &[Mutex::default()],
        profiled: false,
        clock: Watch::new(Budget::default(), None).clock(),
    };
    let mut worker = Worker::new(Evaluated::new(&search, &DEALER, 0), Rng::stream(1, 0));
    for _ in 0..batches {
        worker.iterate(lines, &|| true);
    }
}

/// Moves, visits and values of all nodes that were visited, in the order of a walk.
fn walk(tree: &Tree<go::Position>) -> Vec<(usize, u32, f32)> {
    let (mut found, mut open) = (Vec::new(), vec![tree.root()]);
    while let Some(node) = open.pop() {
        found.push((node.index(), node.visits(), node.stats().value));
        open.extend(tree.children(node).iter().filter(|child| child.visits() > 0));
    }
    found
}

fn go_tree(size: usize, mib: usize, whole: bool) -> Tree<go::Position> {
    let position = go::Position::new(Size::square(size), go::Rules::CHINESE, 7.5);
    let make = if whole { Tree::new_whole } else { Tree::new };
    make(&position, &Room::new(mib, 1), ())
}

/// Moves that have no node until they are chosen are chosen as if they had one, in a fraction of the memory.
#[test]
fn noted_moves_are_chosen_as_if_they_had_nodes() {
    for lines in [1, 8] {
        let trees = [false, true].map(|whole| go_tree(9, 64, whole));
        trees.iter().for_each(|tree| dealt(tree, 4000 / lines, lines));
        let [parts, whole] = trees.each_ref().map(walk);
        assert!(parts.len() > 3000 && parts == whole, "{lines} lines: {} and {} nodes", parts.len(), whole.len());
        // Some nodes have come to the moves that were noted.
        assert!(trees[0].children(trees[0].root()).iter().filter(|child| child.visits() > 0).count() > 20);
        let bytes = trees.map(|tree| tree.bytes());
        assert!(3 * bytes[0] < bytes[1], "{bytes:?}");
    }
}

/// Notes go along when a tree is copied, and a noted move can be the one that is played.
#[test]
fn noted_moves_are_kept() {
    let mut tree = go_tree(9, 4, false);
    dealt(&tree, 3000, 1);
    let children = |tree: &Tree<go::Position>, node: &Node| {
        assert!(tree.complete(node));
        tree.children(node).iter().map(|child| (child.index(), child.stats().prior)).collect::<Vec<_>>()
    };
    let sensible = |tree: &Tree<go::Position>| {
        let mut moves = Vec::new();
        tree.position().sensible_moves(&mut moves);
        moves.len()
    };
    let best = |tree: &Tree<go::Position>| {
        let best = tree.children(tree.root()).iter().max_by_key(|child| child.visits()).unwrap();
        tree.position().move_at(best.index())
    };
    // A twin that nothing is copied in.
    let mut twin = go_tree(9, 256, false);
    dealt(&twin, 3000, 1);
    assert_eq!(walk(&tree), walk(&twin));
    let mv = best(&tree);
    assert!(twin.advance(mv) && tree.advance(mv));
    // There must be time to copy in.
    let bytes = tree.bytes();
    assert!(tree.collect(Some(Duration::ZERO)));
    assert_eq!(tree.bytes(), bytes);
    assert!(tree.collect(None));
    assert!(tree.bytes() < twin.bytes(), "{} {}", tree.bytes(), twin.bytes());
    assert_eq!(walk(&tree), walk(&twin));
    let last = |tree: &Tree<go::Position>| *children(tree, tree.root()).last().unwrap();
    assert_eq!(children(&tree, tree.root()), children(&twin, twin.root()));
    assert_eq!(children(&tree, tree.root()).len(), sensible(&tree));
    let noted = tree.position().move_at(last(&tree).0);
    assert!(tree.advance(noted));
    // And so after pruning, where there is less below.
    dealt(&tree, 3000, 1);
    let visits = tree.root().visits();
    Tree::prune_all(std::iter::once(&mut tree));
    assert_eq!(tree.root().visits(), visits);
    let moves = children(&tree, tree.root());
    assert_eq!(moves.len(), sensible(&tree));
    assert!(moves.windows(2).all(|pair| pair[0].1 >= pair[1].1));
}

/// A full tree does not lose its way: what has no room for its noted moves is searched by those that have a node.
#[test]
fn a_tree_without_room_for_noted_moves_goes_on() {
    let tree = go_tree(19, 1, false);
    dealt(&tree, 3000, 1);
    assert!(tree.wants_pruning());
    assert_eq!(tree.root().visits(), 3000);
    let visits: u32 = tree.children(tree.root()).iter().map(Node::visits).sum();
    // The first simulation gave the root its children.
    assert_eq!(visits, 2999);
}

/// PUCT in its plainest form (Maestrati 2021): `Q + c P sqrt(sum of N) / (1 + N)` with results in -1..=1, where Q is 0 before a visit.
struct PlainPuct {
    visits: u32,
    value: f32,
    prior: f32,
    heap: u64,
    children: Vec<Self>,
}

impl PlainPuct {
    fn leaf(heap: u64, prior: f32) -> Self {
        Self { visits: 0, value: 0.0, prior, heap, children: Vec::new() }
    }

    /// Searches once; returns the result for the side that has just moved.
    fn search(&mut self, first: f32) -> f32 {
        let reward = if self.heap == 0 {
            1.0
        } else if self.children.is_empty() {
            let moves = self.heap.min(3);
            let others = (1.0 - first) / (moves - 1).max(1) as f32;
            let prior = |mv| {
                if moves == 1 {
                    1.0
                } else if mv == 1 {
                    first
                } else {
                    others
                }
            };
            self.children = (1..=moves).map(|mv| Self::leaf(self.heap - mv, prior(mv))).collect();
            0.0
        } else {
            let root = (self.children.iter().map(|child| child.visits).sum::<u32>() as f32).sqrt();
            let value = |child: &Self| {
                let mean = if child.visits == 0 { 0.0 } else { child.value / child.visits as f32 };
                mean + child.prior * root / (1 + child.visits) as f32
            };
            let best = self.children.iter().map(value).fold(f32::MIN, f32::max);
            // Before any visit all are 0: the most likely one is first.
            let most = self.children.iter().map(|child| child.prior).fold(0.0, f32::max);
            let suits = |child: &Self| if root == 0.0 { child.prior == most } else { value(child) == best };
            let chosen = self.children.iter().position(suits).unwrap();
            -self.children[chosen].search(first)
        };
        self.visits += 1;
        self.value += reward;
        reward
    }
}

#[test]
fn unvisited_moves_are_even_in_the_published_form() {
    let params = Params {
        puct_constant: 0.5,
        unvisited_even: 1,
        advice_visits: 0,
        score_weight: 0.0,
        proofs: 0,
        ..Params::default()
    };
    for (heap, first) in [(9, 0.5), (14, 0.45), (11, 0.6)] {
        let (mut search, _) = evaluated(Fool { first, ..Fool::default() });
        let setting = Setting { nodes: Some(150), ..Setting::default() };
        let report = run_by(&mut search, &Nim::new(heap), &setting, &params).report;
        let mut plain = PlainPuct::leaf(heap, 1.0);
        plain.search(first);
        (plain.visits, plain.value) = (0, 0.0);
        (0..150).for_each(|_| _ = plain.search(first));
        for told in report.moves {
            assert_eq!(told.visits, u64::from(plain.children[told.mv as usize - 1].visits), "{heap}, take {}", told.mv);
        }
    }
}

/// With -2 a model is not asked, and playouts value the leaves.
#[test]
fn a_model_may_be_left_out() {
    let (mut search, fool) = evaluated(Fool { advice: 3, ..Fool::default() });
    let params = Params { advice_visits: -2, rave_equivalence: 0.0, uct_constant: 0.7, ..Params::default() };
    assert_eq!(run_by(&mut search, &Nim::new(9), &Setting::default(), &params).mv, 1);
    assert!(fool.batches.lock().is_empty());
}
