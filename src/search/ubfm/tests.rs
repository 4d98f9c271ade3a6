use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use super::table::{State, back};
use super::*;
use crate::eval::heuristic::Resistance;
use crate::eval::{Attributes, Cancelled, Wanted};
use crate::game::{Bounded, Side, Verdict};
use crate::games::Size;
use crate::games::hex::{Move, Position};
use crate::rng::mix;
use crate::search::params::Method;
use crate::search::{Budget, Params, Restriction, Stop};

/// Values by hash: knows nothing, so that whatever is found was found by the search. It may claim to value all moves at once.
struct ByHash(u64, bool);

impl Evaluator<Position> for ByHash {
    fn attributes(&self) -> Attributes {
        Attributes { name: "hash".into(), batch: 7, lines: 1 }
    }

    fn values_moves(&self, _: &Position) -> bool {
        self.1
    }

    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, _: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        values.extend(positions.iter().map(|p| self.value(p)));
        Ok(())
    }
}

impl ByHash {
    fn value(&self, position: &Position) -> f32 {
        (mix(position.key() ^ self.0) >> 40) as f32 / 8_400_000.0 - 0.9985
    }
}

struct Setting<'a> {
    nodes: Option<u64>,
    threads: usize,
    restrictions: &'a [Restriction<Move>],
    stop: Stop,
    params: Params,
}

impl Default for Setting<'_> {
    fn default() -> Self {
        Self { nodes: Some(20_000), threads: 1, restrictions: &[], stop: Stop::new(), params: Params::default() }
    }
}

fn run(search: &mut Ubfm<Position>, position: &Position, setting: &Setting<'_>) -> Decision<Move> {
    let task = Task {
        threads: setting.threads,
        seed: 3,
        restrictions: setting.restrictions,
        ..Task::new(position, Budget { nodes: setting.nodes, ..Budget::default() }, &setting.params, &setting.stop)
    };
    search.run(&task, &mut |_| {})
}

fn ubfm(evaluator: impl Evaluator<Position> + 'static) -> Ubfm<Position> {
    Ubfm::new(Arc::new(Share::new(4)), 64, Arc::new(evaluator))
}

fn after(n: usize, moves: &[usize]) -> Position {
    let mut position = Position::new(Size::square(n));
    moves.iter().for_each(|&m| position.play(Move::at(m)));
    position
}

/// The papers' recursion in its plainest form, over a plain map.
struct Plain {
    evaluator: ByHash,
    states: HashMap<u64, Vec<PlainAction>>,
    completion: bool,
    exploration: f32,
    descent: bool,
    /// Whether one of several equal actions was taken, of which a real search takes any.
    tied: Cell<bool>,
    /// Results of before help later, so that each has its own.
    findings: <Position as Game>::Findings,
}

#[derive(Clone, Debug)]
struct PlainAction {
    mv: Move,
    v: f32,
    c: i32,
    n: u32,
}

impl Plain {
    /// Index of the best action by (c, v) for the side to move; among those `open` with the term of exploration.
    fn best(&self, side: Side, actions: &[PlainAction], open: bool) -> usize {
        let sign = side.sign();
        let all: u32 = actions.iter().map(|a| a.n).sum();
        let mut best: Option<usize> = None;
        for (i, a) in actions.iter().enumerate() {
            if open && self.completion && a.c != 0 {
                continue;
            }
            let term = |a: &PlainAction| self.exploration * (((all + 1) as f32).ln() / (a.n + 1) as f32).sqrt();
            let rank = |a: &PlainAction| match open && self.exploration > 0.0 {
                true => (0.0, a.v * sign + term(a)),
                false => (a.c as f32 * sign, a.v * sign),
            };
            if best.is_none_or(|b| rank(a) > rank(&actions[b])) {
                best = Some(i);
            }
        }
        let best = best.unwrap();
        if open {
            let same = |(i, a): (usize, &PlainAction)| {
                i != best
                    && (a.c, a.v) == (actions[best].c, actions[best].v)
                    && (self.exploration == 0.0 || a.n == actions[best].n)
            };
            self.tied.set(self.tied.get() || actions.iter().enumerate().any(same));
        }
        best
    }

    fn value(&self, side: Side, actions: &[PlainAction]) -> (f32, i32) {
        let best = &actions[self.best(side, actions, false)];
        let won = best.c as f32 * side.sign() > 0.0;
        let all = actions.iter().all(|a| a.c != 0);
        (best.v, if self.completion && (won || all) { best.c } else { 0 })
    }

    fn iterate(&mut self, s: &Position) -> (f32, i32) {
        let side = s.to_move();
        let known = self.states.contains_key(&s.key());
        if !known {
            let actions = self.expand(s);
            self.states.insert(s.key(), actions);
        }
        let actions = &self.states[&s.key()];
        // Descent goes on where unbounded best-first minimax stops at the first new state.
        if (known || self.descent) && self.value(side, actions).1 == 0 {
            let a = self.best(side, actions, true);
            let (mv, c) = (actions[a].mv, actions[a].c);
            self.states.get_mut(&s.key()).unwrap()[a].n += 1;
            if c == 0 {
                let mut child = s.clone();
                child.play(mv);
                let (v, c) = self.iterate(&child);
                let action = &mut self.states.get_mut(&s.key()).unwrap()[a];
                (action.v, action.c) = (v, c);
            }
        }
        self.value(side, &self.states[&s.key()])
    }

    fn expand(&self, s: &Position) -> Vec<PlainAction> {
        let side = s.to_move();
        let mut moves = Vec::new();
        s.legal_moves(&mut moves);
        let mut verdicts = Vec::new();
        s.solved(&self.findings, &moves, &mut verdicts);
        let wins = |verdict: &Verdict| matches!(verdict, Verdict::Decided(winner, _) if *winner == side);
        let inner = !self.states.is_empty();
        let only_wins = inner && verdicts.iter().any(wins);
        let wanted =
            |verdict: &Verdict| !inner || if only_wins { wins(verdict) } else { *verdict != Verdict::Needless };
        let actions = moves.into_iter().zip(verdicts).filter(|(_, verdict)| wanted(verdict)).map(|(mv, verdict)| {
            let mut child = s.clone();
            child.play(mv);
            let decided = match verdict {
                Verdict::Decided(winner, length) => Some((winner, length)),
                _ => child.proven(),
            };
            match decided {
                Some((winner, _)) => PlainAction { mv, v: winner.sign(), c: winner.sign() as i32, n: 0 },
                None if self.states.contains_key(&child.key()) => {
                    let (v, c) = self.value(child.to_move(), &self.states[&child.key()]);
                    PlainAction { mv, v, c, n: 0 }
                }
                None => PlainAction { mv, v: self.evaluator.value(&child), c: 0, n: 0 },
            }
        });
        actions.collect()
    }
}

/// One thread builds exactly the tree of the papers' recursion, for each member of the family: same actions, values,
/// resolutions and counts.
#[test]
fn the_sequential_form_is_the_published_one() {
    // Descent soon has moves of the same value, resolved ones, where any may be chosen: it needs more trees.
    let members = [
        (1, Method::UbfmS, 3),
        (0, Method::UbfmS, 3),
        (1, Method::UbfmUct, 3),
        (0, Method::UbfmUct, 3),
        (1, Method::Descent, 3),
        (0, Method::Descent, 40),
        (1, Method::Ubfm, 3),
        (0, Method::Ubfm, 3),
    ];
    let mut met = [(0, 0); 8];
    let trees =
        members.iter().enumerate().flat_map(|(row, &member)| (0..member.2).map(move |tree| (row, member, tree)));
    for (row, (completion, method, _), tree) in trees {
        let seed = row as u64 * 3 + tree;
        let position = after(9, &[[16, 0], [8, 40], [3, 10]][tree as usize % 3]);
        let params = Params { proof_share: 0.0, completion, search: method, ..Params::default() };
        let mut plain = Plain {
            evaluator: ByHash(seed, false),
            states: HashMap::new(),
            completion: completion > 0,
            exploration: if method == Method::UbfmUct { params.ubfm_uct_constant } else { 0.0 },
            descent: false,
            tied: Cell::new(false),
            findings: Bounded::within(64),
        };
        // The first recursion only makes the root's state.
        plain.iterate(&position);
        plain.descent = method == Method::Descent;
        let mut iterations = 0;
        while iterations < if plain.descent { 6 } else { 60 } {
            let before = plain.states.clone();
            plain.iterate(&position);
            if plain.tied.get() {
                plain.states = before;
                break;
            }
            iterations += 1;
        }
        let mut search = ubfm(ByHash(seed, false));
        let report =
            run(&mut search, &position, &Setting { nodes: Some(iterations), params, ..Setting::default() }).report;
        let mut compared = 0;
        for (&key, actions) in &plain.states {
            let state = search.table.get(key).expect("the same states are expanded");
            for (ours, theirs) in state.actions.lock().iter().zip(actions) {
                assert_eq!(position.move_at(ours.index as usize), theirs.mv);
                assert_eq!(
                    (ours.value, i32::from(ours.resolution.unwrap_or(0)), ours.visits),
                    (theirs.v, theirs.c, theirs.n)
                );
                compared += 1;
            }
        }
        met[row] = (met[row].0 + iterations, met[row].1 + compared);
        // The decision: of best value, or safe.
        let root = &plain.states[&position.key()];
        let safe = root.iter().filter(|a| a.c >= 0).max_by_key(|a| a.n).unwrap().n;
        let played = root.iter().find(|a| a.mv == report.moves[0].mv).unwrap();
        match method {
            Method::Ubfm => assert_eq!(played.mv, root[plain.best(Side::First, root, false)].mv),
            _ => assert_eq!(played.n, safe),
        }
    }
    assert!(met.iter().all(|&(iterations, compared)| iterations >= 5 && compared > 1000), "{met:?}");
}

/// Completeness: whatever the evaluator says, the right winner is proved.
#[test]
fn proves_every_opening_of_small_boards() {
    // Winning first moves, published: 2x2, 3x3, 4x4.
    for (n, winning) in [(2, vec![1, 2]), (3, vec![2, 3, 4, 5, 6]), (4, vec![3, 6, 9, 12])] {
        for opening in 0..n * n {
            let position = after(n, &[opening]);
            let expected = if winning.contains(&opening) { Side::First } else { Side::Second };
            for (threads, late) in [(1, false), (3, false), (1, true), (3, true)] {
                let setting = Setting { nodes: Some(200_000), threads, ..Setting::default() };
                let report = run(&mut ubfm(ByHash(opening as u64, late)), &position, &setting).report;
                assert_eq!(report.resolution, Some(expected), "{n}x{n}, {opening}, {threads} threads, {late}");
            }
        }
    }
}

/// Where all values are equal the search follows one line to its end, if it is asked to, and else any.
#[test]
fn the_longest_line_is_followed_among_equals() {
    struct Even;
    impl Evaluator<Position> for Even {
        fn attributes(&self) -> Attributes {
            Attributes { name: "even".into(), batch: 7, lines: 1 }
        }

        fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, _: Wanted<'_>) -> Result<(), Cancelled> {
            values.clear();
            values.resize(positions.len(), 0.0);
            Ok(())
        }
    }
    let chosen = |deepest_ties: u32| {
        let params = Params { deepest_ties, proofs: 0, proof_share: 0.0, ..Params::default() };
        let setting = Setting { nodes: Some(20), params, ..Setting::default() };
        let report = run(&mut ubfm(Even), &after(7, &[]), &setting).report;
        (report.moves.iter().filter(|told| told.visits > 0).count(), report.moves[0].visits)
    };
    assert_eq!(chosen(1), (1, 20));
    assert!(chosen(0).0 > 10);
}

#[test]
fn proves_five_by_five_with_a_real_evaluator() {
    // Winning cells of column a to e on rows 1 to 5.
    for (opening, expected) in
        [(12, Side::First), (0, Side::Second), (4, Side::First), (3, Side::Second), (9, Side::First)]
    {
        let setting = Setting { nodes: Some(100_000), threads: 2, ..Setting::default() };
        let report = run(&mut ubfm(Resistance), &after(5, &[opening]), &setting).report;
        assert_eq!(report.resolution, Some(expected), "{opening}");
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let decide =
        || run(&mut ubfm(Resistance), &after(7, &[24]), &Setting { nodes: Some(100), ..Setting::default() }).report;
    let (a, b) = (decide(), decide());
    assert_eq!(a.moves, b.moves);
    assert_eq!((a.visits, a.nodes), (b.visits, b.nodes));
}

#[test]
fn a_lost_position_still_gets_a_legal_move() {
    let position = after(3, &[4]);
    let decision = run(&mut ubfm(Resistance), &position, &Setting::default());
    assert_eq!(decision.report.resolution, Some(Side::First));
    assert!(position.is_legal(decision.mv));
}

#[test]
fn a_stop_that_is_already_set_still_gives_a_legal_move() {
    let setting = Setting { nodes: None, ..Setting::default() };
    setting.stop.set();
    let position = after(11, &[0]);
    assert!(position.is_legal(run(&mut ubfm(Resistance), &position, &setting).mv));
}

/// The root's own evaluation is not waited for either, and what took its place is forgotten.
#[test]
fn a_stop_does_not_wait_for_the_root() {
    struct Stalls;
    impl Evaluator<Position> for Stalls {
        fn attributes(&self) -> Attributes {
            Attributes { name: "stalls".into(), batch: 1, lines: 1 }
        }

        fn evaluate(&self, _: &[Position], _: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
            while wanted() {
                thread::sleep(Duration::from_millis(1));
            }
            Err(Cancelled)
        }
    }
    let setting = Setting { nodes: None, ..Setting::default() };
    let stop = setting.stop.clone();
    let position = after(7, &[0]);
    let mut search = ubfm(Stalls);
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(30));
            stop.set();
        });
        let start = Instant::now();
        let decision = run(&mut search, &position, &setting);
        assert!(position.is_legal(decision.mv) && start.elapsed() < Duration::from_millis(500));
    });
    assert!(search.table.get(position.key()).is_none() && search.table.bytes() == 0);
}

#[test]
fn restrictions_hold_at_the_root() {
    let only = [Restriction::new(Side::First, vec![Move::at(0), Move::at(5)], true, 1)];
    let setting = Setting { restrictions: &only, nodes: Some(300), ..Setting::default() };
    let report = run(&mut ubfm(Resistance), &after(5, &[]), &setting).report;
    assert_eq!(report.moves.len(), 2);
    assert!(report.moves.iter().all(|m| only[0].moves.contains(&m.mv)));
}

#[test]
fn memory_is_bounded_and_the_search_goes_on() {
    let mut search = Ubfm::new(Arc::new(Share::new(1)), 1, Arc::new(ByHash(1, false)) as Arc<dyn Evaluator<Position>>);
    let position = after(9, &[]);
    let report = run(&mut search, &position, &Setting { nodes: Some(2000), ..Setting::default() }).report;
    assert!(report.memory <= 1 << 20);
    assert_eq!(report.nodes, 2000);
    // Going on, what cannot be reached any more makes room.
    let mut next = position.clone();
    next.play(report.moves[0].mv);
    let report = run(&mut search, &next, &Setting { nodes: Some(1), ..Setting::default() }).report;
    assert!(report.memory < 1 << 20);
}

/// A proof is found that needs ten times as many states as there is room for.
#[test]
fn a_full_table_does_not_end_the_search() {
    let position = after(6, &[1, 15, 19, 26, 7]);
    let params = Params { knowledge: 0, ..Params::default() };
    let proof = |mib: usize, threads: usize| {
        let evaluator = Arc::new(ByHash(1, false)) as Arc<dyn Evaluator<Position>>;
        let mut search = Ubfm::new(Arc::new(Share::new(1)), mib, evaluator);
        let setting = Setting { nodes: Some(200_000), threads, params: params.clone(), ..Setting::default() };
        run(&mut search, &position, &setting).report
    };
    let roomy = proof(64, 1);
    assert!(roomy.memory > 10 << 20);
    for threads in [1, 4] {
        let tight = proof(1, threads);
        // Each thread may add a state at once.
        assert!(tight.memory <= (1 << 20) + threads * 2000);
        assert!(roomy.resolution.is_some() && tight.resolution == roomy.resolution);
    }
}

/// Where one evaluation values all moves, knowledge waits until a state is come through often enough; without it, never.
#[test]
fn knowledge_waits_for_states_that_earn_it() {
    let position = after(9, &[16, 0]);
    let states = |params: Params| {
        let mut search = ubfm(ByHash(5, true));
        run(&mut search, &position, &Setting { nodes: Some(400), params, ..Setting::default() });
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let children = moves.into_iter().map(|mv| {
            let mut child = position.clone();
            child.play(mv);
            child.key()
        });
        children.filter_map(|key| search.table.get(key)).collect::<Vec<_>>()
    };
    let visits = |state: &State| state.reached.load(Ordering::Relaxed);
    let late = states(Params { knowledge_visits: 3, ..Params::default() });
    assert!(late.iter().all(|state| state.asked || visits(state) <= 3));
    assert!(late.iter().any(|state| state.asked) && late.iter().any(|state| !state.asked));
    let asked = |state: &Arc<State>| state.asked;
    assert!(!states(Params { knowledge: 0, ..Params::default() }).iter().any(asked));
    assert!(states(Params { knowledge_visits: 0, ..Params::default() }).iter().all(asked));
}

/// A state below the root leaves needless moves out. When it becomes the root they come back, and what was found of the
/// others stays.
#[test]
fn visits_are_kept_from_move_to_move() {
    let position = after(9, &[16, 0]);
    let mut search = ubfm(ByHash(5, false));
    run(&mut search, &position, &Setting { nodes: Some(400), ..Setting::default() });
    let (mut moves, mut partial) = (Vec::new(), 0);
    position.legal_moves(&mut moves);
    for mv in moves {
        let mut child = position.clone();
        child.play(mv);
        let Some(state) = search.table.get(child.key()) else { continue };
        let (actions, all) = (state.actions.lock().clone(), child.points() - child.stones());
        if actions.len() == all || back(state.side, &actions).resolution.is_some() {
            continue;
        }
        partial += 1;
        let before: u64 = actions.iter().map(|a| u64::from(a.visits)).sum();
        let report = run(&mut search, &child, &Setting { nodes: Some(0), ..Setting::default() }).report;
        assert_eq!(report.moves.len(), all);
        assert_eq!(report.visits, before + 1);
    }
    assert!(partial > 0);
}

#[test]
fn many_threads_agree_with_one_about_proofs() {
    for seed in 0..6 {
        let position = after(4, &[5, 0, 9]);
        let mut winners = [1, 2, 8].map(|threads| {
            let setting = Setting { nodes: Some(100_000), threads, ..Setting::default() };
            run(&mut ubfm(ByHash(seed, false)), &position, &setting).report.resolution
        });
        winners.sort_by_key(|w| w.map(Side::index));
        assert!(winners[0].is_some());
        assert_eq!(winners[0], winners[2]);
    }
}
