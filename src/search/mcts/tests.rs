use std::time::Duration;

mod nim;

pub(in crate::search) use self::nim::{Heap, Nim};
use super::node::MOST_RAVE;
use super::strategies::{Pursuit, Strategies};
use super::*;
use crate::game::{Game, Side};
use crate::games::{Size, clobber, go};
use crate::search::{Budget, MoveReport, Params, Restriction, Stop};

pub(super) struct Setting {
    pub(super) nodes: Option<u64>,
    pub(super) threads: usize,
    pub(super) restrictions: Vec<Restriction<u64>>,
    pub(super) stop: Stop,
    pub(super) ownership: bool,
}

impl Default for Setting {
    fn default() -> Self {
        Self { nodes: Some(3000), threads: 1, restrictions: Vec::new(), stop: Stop::new(), ownership: false }
    }
}

pub(super) fn run<const SOLVES: bool>(
    search: &mut Mcts<Heap<SOLVES>>,
    position: &Heap<SOLVES>,
    setting: &Setting,
) -> Decision<u64> {
    // AMAF means nothing in Nim, where a move is good or bad by what is left.
    run_by(search, position, setting, &Params { rave_equivalence: 0.0, uct_constant: 0.7, ..Params::default() })
}

pub(super) fn run_by<const SOLVES: bool>(
    search: &mut Mcts<Heap<SOLVES>>,
    position: &Heap<SOLVES>,
    setting: &Setting,
    params: &Params,
) -> Decision<u64> {
    let task = Task {
        threads: setting.threads,
        seed: 7,
        restrictions: &setting.restrictions,
        ownership: setting.ownership,
        ..Task::new(position, Budget { nodes: setting.nodes, ..Budget::default() }, params, &setting.stop)
    };
    search.run(&task, &mut |_| {})
}

fn mcts() -> Mcts<Nim> {
    Mcts::new(Arc::new(Share::new(4)), 16)
}

#[test]
fn finds_the_winning_move() {
    for heap in [5, 6, 7, 9, 10, 11, 13] {
        for threads in [1, 3] {
            let decision = run(&mut mcts(), &Nim::new(heap), &Setting { threads, ..Setting::default() });
            assert_eq!(decision.mv, heap % 4, "heap {heap}, {threads} threads");
            assert!(decision.report.moves[0].winrate > 0.7);
        }
    }
}

/// The win is found whatever is learned beside the tree: goals that serve and that do not, replies, or moves and points that
/// mean something else each time.
#[test]
fn what_is_learned_beside_the_tree_does_not_mislead() {
    use crate::search::params::Replies;
    let params = Params { rave_equivalence: 0.0, uct_constant: 0.7, reply_share: 0.5, ..Params::default() };
    let goals = Params { strategy_weight: 0.3, ..params.clone() };
    let replies = Replies::ALL.iter().map(|&(replies, _)| Params { replies, ..params.clone() });
    let trees = Params { strategy_trees: 1, ..goals.clone() };
    let history = Params { history_weight: 5.0, ..params.clone() };
    let critical = Params { criticality_weight: 5.0, ..params.clone() };
    for params in replies.chain([goals, trees, history, critical]) {
        for (heap, threads, reply_shared) in [(6, 1, 1), (9, 3, 1), (13, 3, 0)] {
            let params = Params { reply_shared, ..params.clone() };
            let mut search = mcts();
            let mut position = Nim::new(heap);
            // Also on the tree and with the memory of the search before.
            while position.outcome().is_none() {
                // Trees of their own share the simulations.
                let nodes = Some(if params.strategy_trees == 1 { 12_000 } else { 3_000 });
                let setting = Setting { nodes, threads, ..Setting::default() };
                let decision = run_by(&mut search, &position, &setting, &params);
                if !position.heap.is_multiple_of(4) {
                    assert_eq!(decision.mv, position.heap % 4, "{params:?}");
                }
                search.advance(decision.mv);
                position.play(decision.mv);
            }
        }
    }
}

/// Playouts of a leaf are a visit each, or all of them one with their mean; all-moves-as-first counts each of them.
#[test]
fn a_leaf_of_many_playouts_is_one_visit() {
    let root = |leaf_mean: u32| {
        let params = Params { leaf_playouts: 8, leaf_mean, score_weight: 0.0, uct_constant: 0.7, ..Params::default() };
        let mut search = Mcts::<Heap<false>>::new(Arc::new(Share::new(1)), 16);
        run_by(&mut search, &Heap::new(30), &Setting { nodes: Some(100), ..Setting::default() }, &params);
        let tree = &search.trees.as_ref().unwrap().game;
        let children: Vec<_> = tree.children(tree.root()).iter().map(|child| child.stats()).collect();
        (tree.root().visits(), children)
    };
    let (visits, children) = root(1);
    assert_eq!((visits, children.iter().map(|child| child.visits).sum::<u32>()), (100, 100));
    // Eighths, of which some are no whole results.
    assert!(children.iter().all(|child| (child.value * 8.0).fract().abs() < 1e-3));
    assert!(children.iter().any(|child| child.value.fract().abs() > 0.1));
    assert!(children.iter().map(|child| child.rave_visits).sum::<f32>() > 700.0);
    let (visits, children) = root(0);
    assert_eq!((visits, children.iter().map(|child| child.visits).sum::<u32>()), (800, 800));
    assert!(children.iter().all(|child| child.value.fract().abs() < 1e-3));
}

/// No counter runs over, however long an analysis stands.
#[test]
fn moves_are_no_longer_counted_as_first_where_there_were_many() {
    let mut search = mcts();
    let heap = Nim::new(20);
    let counted = |search: &Mcts<Nim>| {
        let tree = &search.trees.as_ref().unwrap().game;
        tree.children(tree.root()).iter().map(|child| child.stats().rave_visits).sum::<f32>()
    };
    let go_on = |search: &mut Mcts<Nim>| {
        run_by(search, &heap, &Setting { nodes: Some(50), ..Setting::default() }, &Params::default());
    };
    go_on(&mut search);
    let early = counted(&search);
    go_on(&mut search);
    let late = counted(&search);
    assert!(early > 0.0 && late > early, "{early} {late}");
    search.trees.as_ref().unwrap().game.root().set_visits(MOST_RAVE);
    go_on(&mut search);
    assert_eq!(counted(&search), late);
}

/// Moves that are met late begin with what all simulations say of them, in visits as the parameters have them.
#[test]
fn nodes_grow_with_the_history_of_their_moves() {
    let grown = |history_weight, criticality_weight| {
        let params = Params {
            rave_equivalence: 0.0,
            uct_constant: 0.7,
            history_weight,
            criticality_weight,
            ..Params::default()
        };
        let mut search = Mcts::<Heap<false>>::new(Arc::new(Share::new(1)), 16);
        run_by(&mut search, &Heap::new(30), &Setting::default(), &params);
        let tree = &search.trees.as_ref().unwrap().game;
        let mut node = tree.root();
        let best = |node| tree.children(node).iter().max_by_key(|child| child.visits());
        while let Some(child) = best(node).filter(|child| child.is_expanded()) {
            node = child;
        }
        [0, 1].map(|place| tree.children(node).iter().nth(place).unwrap().stats().knowledge_weight)
    };
    // The game's own priors count two, and this game asks for no history.
    assert_eq!((grown(0.0, 0.0), grown(-1.0, 0.0)), ([2.0, 2.0], [2.0, 2.0]));
    assert_eq!(grown(5.0, 0.0), [7.0, 7.0]);
    // The winner owns the point always, where chance would give it half of the time.
    let [critical, other] = grown(0.0, 10.0);
    assert!((6.5..=7.0).contains(&critical) && other == 2.0, "{critical} {other}");
}

/// Go asks for history. It is kept as long as the tree is.
#[test]
fn history_goes_with_the_tree() {
    let mut search = Mcts::<go::Position>::new(Arc::new(Share::new(1)), 16);
    let (params, stop) = (Params::default(), Stop::new());
    // How much is known of the best move of the first search, after another one.
    let mut best = None;
    let mut known = |search: &mut Mcts<go::Position>, position: &go::Position, nodes| {
        let task =
            Task { seed: 7, ..Task::new(position, Budget { nodes: Some(nodes), ..Budget::default() }, &params, &stop) };
        let mv = *best.get_or_insert(search.run(&task, &mut |_| ()).mv);
        (mv, search.learned.history.as_ref().unwrap().knows(Side::First, position.index(mv), None).weight)
    };
    let mut position = go::Position::new(Size::square(5), go::Rules::CHINESE, 0.5);
    let (mv, weight) = known(&mut search, &position, 200);
    assert_eq!(weight, 10.0);
    position.play(mv);
    search.advance(mv);
    assert!(known(&mut search, &position, 1).1 > 1.0);
    // Another game begins.
    let elsewhere = go::Position::new(Size::square(5), go::Rules::CHINESE, 0.5);
    assert_eq!(known(&mut search, &elsewhere, 0).1, 0.0);
}

/// The result of a search by playouts on an empty board must not be left to chance.
#[test]
fn large_boards_are_opened_in_the_corners() {
    let (params, stop) = (Params::default(), Stop::new());
    for seed in 1..=2 {
        let mut position = go::Position::new(Size::square(19), go::Rules::CHINESE, 7.5);
        let mut corners = Vec::new();
        for _ in 0..4 {
            let mut search = Mcts::<go::Position>::new(Arc::new(Share::new(1)), 64);
            let budget = Budget { nodes: Some(4000), ..Budget::default() };
            let mv = search.run(&Task { seed, ..Task::new(&position, budget, &params, &stop) }, &mut |_| ()).mv;
            let (x, y) = position.size().xy(mv.point().unwrap());
            assert!([x, y].iter().all(|&line| (2..=3).contains(&line.min(18 - line))), "{x} {y}");
            corners.push((x < 9, y < 9));
            position.play(mv);
        }
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(corners.len(), 4);
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let decide = || run(&mut mcts(), &Nim::new(17), &Setting::default()).report;
    let (a, b) = (decide(), decide());
    assert_eq!(a.moves, b.moves);
    assert_eq!((a.visits, a.nodes, a.winrate), (b.visits, b.nodes, b.winrate));
}

#[test]
fn budgets_are_exact() {
    for threads in [1, 4] {
        let report =
            run(&mut mcts(), &Nim::new(20), &Setting { nodes: Some(500), threads, ..Setting::default() }).report;
        assert_eq!((report.nodes, report.visits), (500, 500));
        assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), report.visits);
    }
}

#[test]
fn a_stop_that_is_already_set_still_gives_a_legal_move() {
    let setting = Setting { nodes: None, ..Setting::default() };
    setting.stop.set();
    let decision = run(&mut mcts(), &Nim::new(9), &setting);
    assert!(Nim::new(9).is_legal(decision.mv));
}

#[test]
fn restrictions_hold_at_the_root_and_below() {
    let avoid = |side, depth| Restriction::new(side, vec![1], false, depth);
    let setting = Setting { restrictions: vec![avoid(Side::First, 1)], ..Setting::default() };
    let decision = run(&mut mcts(), &Nim::new(5), &setting);
    assert_ne!(decision.mv, 1);
    assert!(decision.report.moves.iter().all(|m| m.mv != 1));
    // If White may not take one, Black leaves him a heap from which only that wins.
    let setting = Setting { restrictions: vec![avoid(Side::Second, 2)], ..Setting::default() };
    let decision = run(&mut mcts(), &Nim::new(8), &setting);
    assert_eq!(decision.mv, 3);
    // What is told of the root is what the permitted moves lead to: here the one that loses.
    let two = Restriction::new(Side::First, vec![2], true, 1);
    let report = run(&mut mcts(), &Nim::new(5), &Setting { restrictions: vec![two], ..Setting::default() }).report;
    assert_eq!(report.moves[0].resolution, Some(Side::Second));
    assert_eq!((report.resolution, report.winrate), (Some(Side::Second), 0.0));
    // Restrictions that leave no move are no restrictions.
    let all = Restriction::new(Side::First, vec![], true, 1);
    let decision = run(&mut mcts(), &Nim::new(5), &Setting { restrictions: vec![all], ..Setting::default() });
    assert_eq!(decision.mv, 1);
}

#[test]
fn the_tree_below_the_move_played_is_kept() {
    let mut search = mcts();
    let mut position = Nim::new(21);
    let first = run(&mut search, &position, &Setting::default());
    let visits = first.report.moves[0].visits;
    search.advance(first.mv);
    position.play(first.mv);
    let second = run(&mut search, &position, &Setting { nodes: Some(10), ..Setting::default() });
    assert_eq!(second.report.visits, visits + 10);
    assert_eq!(second.report.nodes, 10);
    // Another position than the tree's: it starts afresh.
    let other = run(&mut search, &Nim::new(30), &Setting { nodes: Some(10), ..Setting::default() });
    assert_eq!(other.report.visits, 10);
}

#[test]
fn memory_is_bounded_and_the_search_goes_on() {
    let mut search: Mcts<Nim> = Mcts::new(Arc::new(Share::new(1)), 8);
    let mut position = Nim::new(1000);
    let setting = Setting { nodes: Some(300_000), ..Setting::default() };
    let report = run(&mut search, &position, &setting).report;
    assert_eq!(report.visits, 300_000);
    assert!(report.memory <= 8 << 20, "{}", report.memory);
    // Going on frees what the game has left behind.
    let kept = report.moves[0].visits;
    search.advance(report.moves[0].mv);
    position.play(report.moves[0].mv);
    let report = run(&mut search, &position, &Setting { nodes: Some(1), ..Setting::default() }).report;
    assert_eq!(report.visits, kept + 1);
    assert!(report.memory <= 8 << 20);
}

/// A full tree loses what was least visited, and the search goes on deeper where it matters: no simulation is lost or
/// counted twice, with several threads and through a long search.
#[test]
fn a_full_tree_is_pruned() {
    for threads in [1, 3] {
        let mut search: Mcts<Nim> = Mcts::new(Arc::new(Share::new(4)), 4);
        let position = Nim::new(400);
        let setting = Setting { nodes: Some(200_000), threads, ..Setting::default() };
        let report = run(&mut search, &position, &setting).report;
        assert_eq!((report.visits, report.nodes), (200_000, 200_000));
        assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 200_000);
        assert!(report.memory <= 4 << 20, "{}", report.memory);
        let tree = &search.trees.as_ref().unwrap().game;
        assert!(!tree.wants_pruning());
    }
}

/// Trees of goals share the memory, and going on keeps them.
#[test]
fn trees_of_goals_are_pruned_together() {
    let params = Params { strategy_weight: 0.3, strategy_trees: 1, strategy_exploration: 1.0, ..Params::default() };
    for threads in [1, 3] {
        let mut search: Mcts<Nim> = Mcts::new(Arc::new(Share::new(4)), 4);
        let mut position = Nim::new(400);
        for _ in 0..3 {
            let setting = Setting { nodes: Some(100_000), threads, ..Setting::default() };
            let Decision { mv, report } = run_by(&mut search, &position, &setting, &params);
            assert_eq!((report.nodes, search.trees.as_ref().unwrap().goals.len()), (100_000, 2));
            assert!(report.memory <= 4 << 20, "{}", report.memory);
            let trees = search.trees.as_ref().unwrap();
            let visits: Vec<u32> = trees.iter().map(|tree| tree.root().visits()).collect();
            assert!(visits.iter().all(|&visits| visits > 1_000), "{visits:?}");
            search.advance(mv);
            position.play(mv);
            assert!(search.trees.as_ref().unwrap().goals.iter().all(|tree| tree.position().key() == position.key()));
        }
    }
}

#[test]
fn reports_know_the_owner_of_the_end() {
    let setting = Setting { ownership: true, ..Setting::default() };
    // Where proofs do not count: they would end the search at once.
    let mut search = Mcts::<Heap<false>>::new(Arc::new(Share::new(1)), 16);
    let report = run(&mut search, &Heap::new(6), &setting).report;
    let ownership = report.ownership.unwrap();
    assert!(ownership[0] > 0.3, "{ownership:?}");
    assert_eq!(report.moves[0].pv[0], report.moves[0].mv);
}

/// Proofs go up to the root, end the search, and are told apart from values.
#[test]
fn the_end_of_the_game_is_proved() {
    for n in 5..16 {
        let report = run(&mut mcts(), &Nim::new(n), &Setting::default()).report;
        // A multiple of four is lost for the side to move.
        let winner = if n % 4 == 0 { Side::Second } else { Side::First };
        assert_eq!(report.resolution, Some(winner), "{n}");
        assert!(report.nodes < 20_000);
        if winner == Side::First {
            assert_eq!((report.moves[0].mv, report.moves[0].resolution), (n % 4, Some(winner)), "{n}");
            assert_eq!((report.winrate, report.moves[0].winrate), (1.0, 1.0));
        } else {
            assert!(report.moves.iter().all(|m| m.resolution == Some(winner)));
        }
    }
}

#[test]
fn a_running_search_reports_and_stops() {
    let stop = Stop::new();
    let params = Params::default();
    let position = Nim::new(40);
    let task = Task {
        threads: 2,
        report_every: Some(Duration::from_millis(1)),
        ..Task::new(&position, Budget::default(), &params, &stop)
    };
    let mut reports = 0;
    let decision = mcts().run(&task, &mut |report| {
        assert!(report.visits > 0);
        reports += 1;
        if reports == 3 {
            stop.set();
        }
    });
    assert_eq!(reports, 3);
    assert!(position.is_legal(decision.mv));
}

/// A goal that needs no more moves is the game itself: its simulations are the game's, and so is the move that is played.
#[test]
fn goals_that_are_met_share_the_tree_of_the_game() {
    let params = Params { strategy_weight: 0.3, strategy_trees: 1, strategy_exploration: 1.0, ..Params::default() };
    let (mut search, position) = (mcts(), Nim::new(400));
    let strategies = Strategies::new(2, 1);
    let first = Pursuit::new(&strategies, 0, position.key(), Side::First, &params);
    (0..100_000).for_each(|_| first.learn(1.0));
    assert!(strategies.met(0, &position) && !strategies.met(1, &position));
    search.learned.strategies = Some(strategies);
    let setting = Setting { nodes: Some(3_000), ..Setting::default() };
    run_by(&mut search, &position, &setting, &params);
    let trees = search.trees.as_ref().unwrap();
    let visits: Vec<u32> = trees.iter().map(|tree| tree.root().visits()).collect();
    assert!(visits[0] > 1_000 && visits[1] == 0 && visits[2] > 100, "{visits:?}");
}

/// A run on 5×5 that stops early ends only where the favourite cannot be caught up with. Says whether it did.
fn check_early_stop(search: &mut Mcts<go::Position>, params: &Params, restrictions: &[Restriction<go::Move>]) -> bool {
    let (position, stop, time) =
        (go::Position::new(Size::square(5), go::Rules::CHINESE, 0.5), Stop::new(), Duration::from_millis(300));
    let budget = Budget { time: Some(time), nodes: None, early_stop: true };
    let task = Task { restrictions, ..Task::new(&position, budget, params, &stop) };
    let before = search.trees.as_ref().map_or(0, |trees| trees.game.root().visits());
    let report = search.run(&task, &mut |_| {}).report;
    let done = f64::from(search.trees.as_ref().unwrap().game.root().visits() - before);
    let left = done * (time.as_secs_f64() / report.elapsed.as_secs_f64() - 1.0);
    let ahead = (report.moves[0].visits - report.moves[1].visits) as f64;
    assert!(report.elapsed >= time || 1.2 * ahead >= left, "{ahead} ahead, {left} left, {:?}", report.elapsed);
    report.elapsed < time
}

/// A move that cannot be chosen does not lead: a run stops early for the sake of a clear favourite, and not where that is forbidden.
#[test]
fn a_forbidden_favourite_decides_nothing() {
    let position = go::Position::new(Size::square(5), go::Rules::CHINESE, 0.5);
    let mut search = Mcts::new(Arc::new(Share::new(1)), 16);
    let (params, stop) = (Params::default(), Stop::new());
    let nodes = Budget { nodes: Some(20_000), ..Budget::default() };
    let favourite = search.run(&Task::new(&position, nodes, &params, &stop), &mut |_| {}).mv;
    assert!(check_early_stop(&mut search, &params, &[]), "a clear favourite ends a run");
    let avoid = Restriction::new(Side::First, vec![favourite], false, 1);
    check_early_stop(&mut search, &params, &[avoid]);
}

/// Many playouts from each leaf are as many visits that rivals may yet have.
#[test]
fn visits_to_come_are_counted_by_playouts() {
    for leaf_mean in [0, 1] {
        let params = Params { leaf_playouts: 50, leaf_mean, ..Params::default() };
        check_early_stop(&mut Mcts::new(Arc::new(Share::new(1)), 16), &params, &[]);
    }
}

/// A player alone is the one whom the root's mean is for, wherever the tree came from.
#[test]
fn one_player_has_one_view() {
    let mut position = clobber::Solitaire::new(Size { width: 4, height: 4 });
    let (mut search, params, stop) = (Mcts::new(Arc::new(Share::new(1)), 16), Params::default(), Stop::new());
    for _ in 0..3 {
        let nodes = Budget { nodes: Some(2_000), ..Budget::default() };
        let decision = search.run(&Task::new(&position, nodes, &params, &stop), &mut |_| {});
        let report = decision.report;
        let (best, worst) = report
            .moves
            .iter()
            .filter(|m| m.visits > 0)
            .fold((0.0f32, 1.0f32), |(best, worst), m| (best.max(m.winrate), worst.min(m.winrate)));
        assert!((worst - 0.01..=best + 0.01).contains(&report.winrate), "{} {worst} {best}", report.winrate);
        search.advance(decision.mv);
        position.play(decision.mv);
    }
}

/// A tree that is full, and moves too short to make room in it: each is searched all the same. A plain search with an empty tree,
/// beside it and for as long, says how much that is on this machine.
#[test]
fn no_tree_is_too_full_to_search() {
    let plain = Params::default();
    for strategy_trees in [0, 1] {
        let params = Params { strategy_weight: 0.3 * strategy_trees as f32, strategy_trees, ..Params::default() };
        let mut position = go::Position::new(Size::square(19), go::Rules::CHINESE, 7.5);
        let mut search = Mcts::new(Arc::new(Share::new(1)), 16);
        let (stop, mut nodes, mut empty) = (Stop::new(), 0, 0);
        for number in 0..80 {
            // It fills up, and then more than a move's time would go by in copying.
            let time = Duration::from_millis(if number < 30 { 40 } else { 10 });
            let budget = Budget { time: Some(time), ..Budget::default() };
            let decision = search.run(&Task::new(&position, budget, &params, &stop), &mut |_| {});
            assert!(decision.report.moves.len() > 100, "move {number}");
            assert!(position.is_legal(decision.mv) && decision.mv != go::Move::PASS);
            if number >= 30 {
                nodes += decision.report.nodes;
                let task = Task::new(&position, budget, &plain, &stop);
                empty += Mcts::new(Arc::new(Share::new(1)), 16).run(&task, &mut |_| {}).report.nodes;
            }
            search.advance(decision.mv);
            position.play(decision.mv);
        }
        assert!(empty > 0 && 10 * nodes > empty, "{nodes} in fifty short moves, {empty} by empty trees");
    }
}

/// Noise and a high temperature at the root spread visits over its moves.
#[test]
fn a_wide_root_looks_at_more_moves() {
    let position = go::Position::new(Size::square(7), go::Rules::CHINESE, 7.5);
    let most = |wide_root_noise, root_temperature| {
        let (params, stop) = (Params { wide_root_noise, root_temperature, ..Params::default() }, Stop::new());
        let budget = Budget { nodes: Some(600), ..Budget::default() };
        let report = Mcts::new(Arc::new(Share::new(1)), 16)
            .run(&Task::new(&position, budget, &params, &stop), &mut |_| {})
            .report;
        report.moves.iter().map(|mv| mv.visits).max().unwrap_or_default()
    };
    let (usual, noisy, hot) = (most(0.0, 1.0), most(1.0, 1.0), most(0.0, 5.0));
    assert!(2 * noisy < usual && hot < usual, "{usual} {noisy} {hot}");
}

/// Replies are learned where the game has it so, unless the parameters say otherwise.
#[test]
fn replies_are_the_games_affair() {
    use crate::search::params::Replies;
    for (size, replies, learns) in
        [(9, Replies::Usual, true), (13, Replies::Usual, false), (9, Replies::None, false), (13, Replies::Lgrf, true)]
    {
        let position = go::Position::new(Size::square(size), go::Rules::CHINESE, 7.5);
        let mut search = Mcts::new(Arc::new(Share::new(1)), 16);
        let (params, stop) = (Params { replies, ..Params::default() }, Stop::new());
        let budget = Budget { nodes: Some(50), ..Budget::default() };
        search.run(&Task::new(&position, budget, &params, &stop), &mut |_| {});
        assert_eq!(search.learned.replies(0).is_some(), learns, "{size} {replies}");
    }
}

/// Moves that were hardly looked at are not shown as better than the best one, at any time of an analysis.
#[test]
fn few_playouts_win_no_move() {
    let (params, stop) = (Params::default(), Stop::new());
    for (lines, reports) in [(13, 40), (19, 20)] {
        let position = go::Position::new(Size::square(lines), go::Rules::CHINESE, 7.5);
        for seed in 0..3 {
            let mut search = Mcts::new(Arc::new(Share::new(1)), 64);
            for number in 0..reports {
                let budget = Budget { nodes: Some(50), ..Budget::default() };
                let task = Task { seed: 1000 * seed + number, ..Task::new(&position, budget, &params, &stop) };
                let moves = search.run(&task, &mut |_| {}).report.moves;
                let shown: Vec<_> = moves.iter().filter(|m| m.visits > 0).collect();
                let highest =
                    |of: fn(&MoveReport<go::Move>) -> f32| shown.iter().map(|m| of(m)).fold(f32::MIN, f32::max);
                let (best, text) = (shown[0], format!("{lines} lines, seed {seed}, report {number}"));
                assert!(shown.len() >= 10, "{text}: {} moves", shown.len());
                assert!(highest(|m| m.winrate) - best.winrate <= 0.1, "{text}: {}", highest(|m| m.winrate));
                assert!(highest(|m| m.lcb) - best.lcb <= 0.1, "{text}: {}", highest(|m| m.lcb));
                // A playout is worth as much as the board.
                let lead = |m: &MoveReport<go::Move>| m.score.unwrap_or(f32::MAX);
                assert!(highest(lead) - lead(best) <= 0.1 * (lines * lines) as f32, "{text}: {}", highest(lead));
            }
        }
    }
}
