//! Presets against the algorithms of the papers, each written down in its plainest form.

use std::collections::HashMap;
use std::sync::Arc;

use super::*;
use crate::eval::Evaluator;
use crate::eval::heuristic::Resistance;
use crate::game::{Game, MonteCarlo, PlayoutPolicy, Side};
use crate::games::Size;
use crate::games::hex::{Move, Position};
use crate::players::{Models, Resources, Visitor};
use crate::rng::Rng;
use crate::search::{Budget, Report, Share, Stop, Task};

struct Set(&'static Preset);

impl Visitor for Set {
    type Output = Result<Params, PresetError>;

    fn visit<G: Played>(self) -> Self::Output {
        G::recipe().preset(self.0.name)
    }
}

/// Each game takes the presets that are for it, as they are written, and refuses the others by name.
#[test]
fn games_take_their_presets_and_no_others() {
    for preset in PRESETS {
        for kind in Kind::ALL {
            let set = kind.visit(Set(preset));
            if !preset.games.contains(kind) {
                let told = set.unwrap_err().to_string();
                assert!(told.contains(&preset.game_names()) && told.contains(kind.name()), "{told}");
                continue;
            }
            let params = set.unwrap();
            assert_ne!(params.get("search").as_deref(), Ok("usual"), "the solver would be before it");
            for (name, value) in preset.params {
                let text = params.get(name).unwrap();
                let same = text == *value || text.parse::<f32>().ok() == value.parse::<f32>().ok();
                assert!(same, "{} {name}: {text}", preset.name);
            }
        }
    }
    assert!(Preset::of_name("ubfm").unwrap_err().to_string().contains("ubfm-2019, ubfm_s-2019"));
}

fn after(lines: usize, moves: &[usize]) -> Position {
    let mut position = Position::new(Size::square(lines));
    moves.iter().for_each(|&mv| position.play(Move::at(mv)));
    position
}

const SEED: u64 = 5;

/// The report of a preset's search, as the program makes it.
fn search(name: &str, position: &Position, nodes: u64) -> Report<Move> {
    let recipe = Position::recipe();
    let (params, stop) = (recipe.preset(name).unwrap(), Stop::new());
    let resources = Resources { share: Arc::new(Share::new(1)), memory: 64, models: Models::default() };
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let task = Task { seed: SEED, ..Task::new(position, budget, &params, &stop) };
    recipe.searcher(&resources).run(&task, &mut |_| ()).report
}

/// An action of the papers: `v(s,a)`, `c(s,a)`, `n(s,a)`.
#[derive(Clone, Debug)]
struct Action {
    mv: Move,
    v: f32,
    c: i32,
    n: u32,
}

/// Unbounded best-first minimax and descent (Cohen-Solal 2019, algorithm 1 and 3.3), by the rules alone.
#[derive(Default)]
struct Plain {
    table: HashMap<u64, Vec<Action>>,
    completion: bool,
    descent: bool,
    /// The constant `c` beside values in 0..=1, where UCT's term is added.
    constant: Option<f32>,
    /// Whether one of several equal actions was taken, of which the program takes any.
    tied: bool,
}

impl Plain {
    /// Orders actions for the side to move: the term of exploration decides, or the pair `(c, v)`.
    fn rank(&self, side: Side, actions: &[Action], a: &Action) -> (f32, f32) {
        let sign = side.sign();
        match self.constant {
            Some(c) => {
                let visits = actions.iter().map(|a| a.n).sum::<u32>() + 1;
                (0.0, a.v * sign + 2.0 * c * ((visits as f32).ln() / (a.n + 1) as f32).sqrt())
            }
            None if self.completion => (a.c as f32 * sign, a.v * sign),
            None => (0.0, a.v * sign),
        }
    }

    /// The best action to follow: an unresolved one, with completion.
    fn best(&mut self, side: Side, actions: &[Action]) -> usize {
        let open = |a: &&Action| !self.completion || a.c == 0;
        let ranks = || actions.iter().filter(open).map(|a| self.rank(side, actions, a));
        let most = ranks().fold((-9.0, -9.0), |a, b| if b > a { b } else { a });
        let ties = ranks().filter(|&rank| rank == most).count();
        let best = actions.iter().position(|a| open(&a) && self.rank(side, actions, a) == most).unwrap();
        self.tied |= ties > 1;
        best
    }

    /// Value and resolution of a state.
    fn backed(&self, side: Side, actions: &[Action]) -> (f32, i32) {
        let sign = side.sign();
        let key = |a: &Action| if self.completion { (a.c as f32 * sign, a.v * sign) } else { (0.0, a.v * sign) };
        let best = actions.iter().fold(&actions[0], |best, a| if key(a) > key(best) { a } else { best });
        let resolved = best.c as f32 * sign > 0.0 || actions.iter().all(|a| a.c != 0);
        (best.v, if self.completion && resolved { best.c } else { 0 })
    }

    fn iterate(&mut self, s: &Position) -> (f32, i32) {
        if let Some(winner) = s.winner() {
            return (winner.sign(), winner.sign() as i32);
        }
        let side = s.to_move();
        let known = self.table.contains_key(&s.key());
        if !known {
            let actions = self.expand(s);
            self.table.insert(s.key(), actions);
        }
        let actions = self.table[&s.key()].clone();
        if (known || self.descent) && self.backed(side, &actions).1 == 0 {
            let number = self.best(side, &actions);
            let mut child = s.clone();
            child.play(actions[number].mv);
            let (v, c) = self.iterate(&child);
            let action = &mut self.table.get_mut(&s.key()).unwrap()[number];
            *action = Action { mv: action.mv, v, c, n: action.n + 1 };
        }
        self.backed(side, &self.table[&s.key()])
    }

    /// All actions, valued in one batch: exact ones by the rules, known ones by the table.
    fn expand(&self, s: &Position) -> Vec<Action> {
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        s.legal_moves(&mut moves);
        let child = |mv: Move| {
            let mut child = s.clone();
            child.play(mv);
            child
        };
        let known = |child: &Position| match (child.winner(), self.table.get(&child.key())) {
            (Some(winner), _) => Some((winner.sign(), winner.sign() as i32)),
            (None, Some(actions)) => Some(self.backed(child.to_move(), actions)),
            (None, None) => None,
        };
        let open: Vec<Position> = moves.iter().map(|&mv| child(mv)).filter(|child| known(child).is_none()).collect();
        Resistance.evaluate(&open, &mut values, &|| true).unwrap();
        let mut values = values.into_iter();
        let action = |&mv: &Move| {
            let (v, c) = known(&child(mv)).unwrap_or_else(|| (values.next().unwrap(), 0));
            Action { mv, v, c, n: 0 }
        };
        moves.iter().map(action).collect()
    }
}

/// Each preset of best-first minimax builds the tree of the paper's recursion, as far as no choice is left to chance, and decides
/// as published.
#[test]
fn best_first_minimax_is_the_published_one() {
    type Row = (&'static str, fn() -> Plain);
    let rows: [Row; 6] = [
        ("ubfm-2019", || Plain { completion: true, ..Plain::default() }),
        ("ubfm_s-2019", || Plain { completion: true, ..Plain::default() }),
        ("ubfm_s-uncompleted-2019", Plain::default),
        ("ubfm_uct-2019", || Plain { completion: true, constant: Some(std::f32::consts::SQRT_2), ..Plain::default() }),
        ("descent-2019", || Plain { completion: true, descent: true, ..Plain::default() }),
        ("descent-2020", || Plain { completion: true, descent: true, ..Plain::default() }),
    ];
    for (name, plain) in rows {
        let mut compared = 0;
        for opening in [[1, 14, 7], [4, 9, 2], [3, 5, 11], [2, 13, 8], [8, 6, 1], [12, 10, 3]] {
            let position = after(4, &opening);
            let mut plain = plain();
            // The program makes the root before it counts iterations.
            let root = plain.expand(&position);
            plain.table.insert(position.key(), root);
            let (mut iterations, mut before) = (0, plain.table.clone());
            while iterations < 40 && plain.backed(position.to_move(), &plain.table[&position.key()]).1 == 0 {
                plain.iterate(&position);
                if plain.tied {
                    break;
                }
                (iterations, before) = (iterations + 1, plain.table.clone());
            }
            let actions = &before[&position.key()];
            let report = search(name, &position, iterations);
            let side = position.to_move();
            for told in &report.moves {
                let action = actions.iter().find(|action| action.mv == told.mv).unwrap();
                let winner = [Some(Side::Second), None, Some(Side::First)][(action.c + 1) as usize];
                assert_eq!((told.visits, told.resolution), (u64::from(action.n), winner), "{name} {opening:?}");
                assert_eq!(told.mean, (0.5 + 0.5 * action.v * side.sign()).clamp(0.0, 1.0), "{name} {opening:?}");
            }
            compared += iterations;
            let played = actions.iter().find(|action| action.mv == report.moves[0].mv).unwrap();
            let won = actions.iter().any(|action| action.c as f32 * side.sign() > 0.0);
            let most = |by: &dyn Fn(&Action) -> f32| actions.iter().map(by).fold(f32::MIN, f32::max);
            match name {
                _ if won => assert!(played.c as f32 * side.sign() > 0.0),
                "ubfm-2019" => assert_eq!(played.v * side.sign(), most(&|a| a.v * side.sign())),
                _ => assert_eq!(played.n as f32, most(&|a| a.n as f32)),
            }
        }
        // Descents soon come to moves of the same value.
        assert!(compared >= if name.starts_with("descent") { 12 } else { 20 }, "{name}: {compared}");
    }
}

/// Value of a position for its side to move by minimax to a depth (Cohen-Solal 2019, 2.1).
fn minimax(s: &Position, depth: u32) -> f32 {
    let sign = s.to_move().sign();
    let values = Plain::default().expand(s).into_iter().map(|action| {
        let mut child = s.clone();
        child.play(action.mv);
        if depth == 1 || action.c != 0 { action.v * sign } else { -minimax(&child, depth - 1) }
    });
    values.fold(f32::MIN, f32::max)
}

#[test]
fn alpha_beta_is_minimax_to_its_depth() {
    for opening in [[1, 14], [4, 9], [3, 5]] {
        let position = after(4, &opening);
        let report = search("alphabeta-2019", &position, 10_000);
        let best = &report.moves[0];
        assert_eq!(best.mean, (0.5 + 0.5 * minimax(&position, 2)).clamp(0.0, 1.0));
        let mut child = position.clone();
        child.play(best.mv);
        assert_eq!(best.mean, (0.5 - 0.5 * minimax(&child, 1)).clamp(0.0, 1.0));
    }
}

/// A node of UCT: results and visits by the move that leads to it, seen by its side, and those as all-moves-as-first.
#[derive(Clone, Debug, Default)]
struct Node {
    mv: Option<Move>,
    won: f32,
    visits: u32,
    won_as_first: f32,
    visits_as_first: u32,
    /// Empty in a leaf.
    children: Vec<Self>,
}

/// The constants of the standard program (Cazenave and Saffidine 2009, table 1); C is beside results of -1 and 1.
const K: f32 = 16_000.0;
const C: f32 = 0.3;

impl Node {
    /// `mu + C sqrt(log n / s)`, with results in 0..=1 and so half of C.
    fn uct(&self, parent: u32) -> f32 {
        self.won / self.visits as f32 + C / 2.0 * ((parent as f32).ln() / self.visits as f32).sqrt()
    }

    /// `beta * AMAF + (1 - beta) * UCT`, `beta = sqrt(k / (3 s + k))`.
    fn value(&self, parent: u32) -> f32 {
        if self.visits_as_first == 0 {
            return self.uct(parent);
        }
        let beta = (K / (3.0 * self.visits as f32 + K)).sqrt();
        beta * (self.won_as_first / self.visits_as_first as f32) + (1.0 - beta) * self.uct(parent)
    }
}

/// The number of the best value: of several any, drawn as the program draws.
fn any_best(values: impl Iterator<Item = f32>, rng: &mut Rng) -> usize {
    let (mut best, mut equal) = ((f32::NEG_INFINITY, 0), 0);
    for (number, value) in values.enumerate().filter(|(_, value)| !value.is_nan()) {
        if value < best.0 {
            continue;
        }
        equal = if value > best.0 { 1 } else { equal + 1 };
        if equal == 1 || rng.below(equal) == 0 {
            best = (value, number);
        }
    }
    best.1
}

/// One descent (algorithms 2 to 4), its playout and all-moves-as-first (2.4).
fn descent(root: &mut Node, start: &Position, policy: &mut impl PlayoutPolicy<Position>, rng: &mut Rng) {
    let (mut position, mut path, mut line) = (start.clone(), Vec::new(), Vec::new());
    let mut node = &mut *root;
    loop {
        // A leaf that is reached for the second time has its children.
        if node.children.is_empty() && (node.visits > 0 || path.is_empty()) {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            node.children = moves.into_iter().map(|mv| Node { mv: Some(mv), ..Node::default() }).collect();
        }
        if node.children.is_empty() {
            break;
        }
        let visits = node.visits.max(1);
        let value = |child: &Node| if child.visits == 0 { f32::INFINITY } else { child.value(visits) };
        let number = any_best(node.children.iter().map(value), rng);
        let mv = node.children[number].mv.unwrap();
        line.push((position.to_move(), mv));
        position.play(mv);
        path.push(number);
        node = &mut node.children[number];
        if position.winner().is_some() {
            break;
        }
    }
    let side = position.to_move();
    let mut trace = Vec::new();
    let winner = policy.run(&position, rng, &mut trace).outcome.winner.unwrap();
    line.extend(trace.into_iter().zip([side, side.opponent()].into_iter().cycle()).map(|(mv, side)| (side, mv)));
    let mut node = root;
    for depth in 0..=path.len() {
        // The root is of the side that is not to move.
        let mover = if depth == 0 { start.to_move().opponent() } else { line[depth - 1].0 };
        node.visits += 1;
        node.won += f32::from(winner == mover);
        if depth < line.len() {
            let side = line[depth].0;
            for child in &mut node.children {
                if line[depth..].contains(&(side, child.mv.unwrap())) {
                    child.visits_as_first += 1;
                    child.won_as_first += f32::from(winner == side);
                }
            }
        }
        if depth < path.len() {
            node = &mut node.children[path[depth]];
        }
    }
}

#[test]
fn yopt_is_the_published_one() {
    for (opening, descents) in [([1, 14], 300), ([4, 9], 120)] {
        let position = after(4, &opening);
        let (mut root, mut rng) = (Node::default(), Rng::stream(SEED, 0));
        let mut policy = position.playout_policy(3);
        for _ in 0..descents {
            descent(&mut root, &position, &mut policy, &mut rng);
        }
        let report = search("yopt", &position, descents);
        for child in &root.children {
            let told = report.moves.iter().find(|told| Some(told.mv) == child.mv).unwrap();
            assert_eq!(told.visits, u64::from(child.visits), "{:?}", child.mv);
        }
        assert!(root.children.iter().all(|child| child.visits > 0) && report.moves.len() == root.children.len());
        // The move of the best UCT value is played.
        let best = root.children.iter().map(|child| child.uct(root.visits)).fold(f32::MIN, f32::max);
        let played = root.children.iter().find(|child| child.mv == Some(report.moves[0].mv)).unwrap();
        assert_eq!(played.uct(root.visits), best);
    }
}
