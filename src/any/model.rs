//! Models of any game, and what they say of states.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::AnyState;
use crate::eval::net::{ModelError, ModelFile, Network, NetworkEvaluator, Options, Output, Statement};
use crate::game::{Game, Outcome};
use crate::games::Size;
use crate::players::models::{game_of, load, shipped};
use crate::players::{Kind, LoadError, Models, Played, Visitor};

/// States that are written down for a model at once: it divides them further by itself.
const AT_ONCE: usize = 1024;

/// A model of one game.
#[derive(Clone, Debug)]
pub struct AnyModel {
    kind: Kind,
    network: Arc<Network>,
}

/// Why states cannot be valued.
#[derive(Debug, Error)]
pub enum ValuationError {
    /// A state is of another game.
    #[error("the model is for {model}, and state {number} is of {state}")]
    Game {
        /// Game of the model.
        model: Kind,
        /// Game of the state.
        state: Kind,
        /// Number of the state in the list.
        number: usize,
    },
    /// States are on different boards.
    #[error("state {number} is on another board than the first one: value them apart")]
    Boards {
        /// Number of the state in the list.
        number: usize,
    },
    /// The model does not know the board.
    #[error("the model does not serve boards of {width}x{height}", width = .0.width, height = .0.height)]
    Board(Size),
    /// The model cannot be run.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Numbers of a model for some states on boards of one size, state after state. All are seen by the side to move, and those of states that
/// are over are the result. What the model does not give is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Valuation {
    /// Number of actions of the board, and of its points.
    pub actions: usize,
    /// Number of points of the board.
    pub points: usize,
    /// Expected result of each state, in -1..=1.
    pub values: Vec<f32>,
    /// Prior of each action, 0 for those that are not legal.
    pub policy: Vec<f32>,
    /// Expected result after each action, in -1..=1; no number for those that are not legal or that the model does not know.
    pub action_values: Vec<f32>,
    /// Expected lead in points.
    pub scores: Vec<f32>,
    /// Expected owner of each point, row by row from the top left, 1 for the side to move, -1 for the other.
    pub ownership: Vec<f32>,
}

impl AnyModel {
    /// Loads a model file or a folder of variants. The game is that of the file, where it says it.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load(path: &Path, kind: Option<Kind>, options: &Options) -> Result<Self, LoadError> {
        let kind = kind.map_or_else(|| game_of(path, None), Ok)?;
        let network = kind.visit(Load(path, options))?;
        Ok(Self { kind, network: Arc::new(network) })
    }

    /// The model of a game that is compiled in, if there is one.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn shipped(kind: Kind, options: &Options) -> Result<Option<Self>, LoadError> {
        let network = kind.visit(Shipped(options)).transpose()?;
        Ok(network.map(|network| Self { kind, network: Arc::new(network) }))
    }

    /// Its game.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The contract of its file.
    pub fn file(&self) -> &ModelFile {
        self.network.model()
    }

    /// Back end that runs it.
    pub fn runtime(&self) -> String {
        self.network.runtime()
    }

    /// Models of a search that has this one alone.
    pub(super) fn alone(&self) -> Models {
        Models::one(Arc::clone(&self.network))
    }

    /// Values states, all on boards of one size.
    ///
    /// # Errors
    /// [`ValuationError`].
    pub fn value(&self, states: &[&AnyState]) -> Result<Valuation, ValuationError> {
        let first = states.first().map(|state| state.size());
        for (number, state) in states.iter().enumerate() {
            if state.kind() != self.kind {
                return Err(ValuationError::Game { model: self.kind, state: state.kind(), number });
            }
            if Some(state.size()) != first {
                return Err(ValuationError::Boards { number });
            }
        }
        self.kind.visit(Value { network: &self.network, states })
    }
}

struct Load<'a>(&'a Path, &'a Options);

impl Visitor for Load<'_> {
    type Output = Result<Network, LoadError>;

    fn visit<G: Played>(self) -> Self::Output {
        load::<G>(self.0, self.1)
    }
}

struct Shipped<'a>(&'a Options);

impl Visitor for Shipped<'_> {
    type Output = Option<Result<Network, LoadError>>;

    fn visit<G: Played>(self) -> Self::Output {
        shipped::<G>(self.0)
    }
}

struct Value<'a> {
    network: &'a Arc<Network>,
    states: &'a [&'a AnyState],
}

impl Visitor for Value<'_> {
    type Output = Result<Valuation, ValuationError>;

    fn visit<G: Played>(self) -> Self::Output {
        // All of them are of this game.
        let positions: Vec<&G> = self.states.iter().filter_map(|state| Some(state.history()?.position())).collect();
        let Some(first) = positions.first() else { return Ok(Valuation::default()) };
        let evaluator = NetworkEvaluator::<G, ()>::new(Arc::clone(self.network), ());
        let mut sheet = Sheet::new(self.network.model(), *first, positions.len());
        let going: Vec<(usize, &G)> = positions
            .iter()
            .enumerate()
            .filter_map(|(number, &position)| match position.outcome() {
                Some(outcome) => {
                    sheet.end(number, position, outcome);
                    None
                }
                None => Some((number, position)),
            })
            .collect();
        for some in going.chunks(AT_ONCE) {
            // Both colours may see a board in different shapes.
            for some in some.chunk_by(|a, b| a.1.shape() == b.1.shape()) {
                let known = some.iter().all(|(_, position)| evaluator.serves(position));
                if !known {
                    return Err(ValuationError::Board(first.size()));
                }
                let shown: Vec<&G> = some.iter().map(|&(_, position)| position).collect();
                evaluator.read(&shown, &mut |number, said| sheet.note(some[number].0, &said))?;
            }
        }
        Ok(sheet.valuation)
    }
}

/// Numbers that are being written down.
struct Sheet<G: Game> {
    valuation: Valuation,
    has_policy: bool,
    has_actions: bool,
    has_values: bool,
    moves: Vec<G::Move>,
}

impl<G: Played> Sheet<G> {
    fn new(file: &ModelFile, board: &G, count: usize) -> Self {
        let (actions, points) = (board.move_count(), board.points());
        let room = |is_given: bool, each: usize, filling: f32| vec![filling; if is_given { count * each } else { 0 }];
        let has_policy = file.gives(Output::Policy);
        let has_actions = file.gives(Output::Actions);
        let valuation = Valuation {
            actions,
            points,
            values: room(true, 1, 0.0),
            policy: room(has_policy, actions, 0.0),
            action_values: room(has_actions, actions, f32::NAN),
            scores: room(file.gives(Output::Score) || file.gives(Output::Scores), 1, 0.0),
            ownership: room(file.gives(Output::Ownership), points, 0.0),
        };
        let has_values = file.gives(Output::Value) || file.gives(Output::Outcomes);
        Self { valuation, has_policy, has_actions, has_values, moves: Vec::new() }
    }

    /// Writes down a result.
    fn end(&mut self, number: usize, position: &G, outcome: Outcome) {
        let sign = position.to_move().sign();
        self.valuation.values[number] = outcome.value * sign;
        if let Some(score) = self.valuation.scores.get_mut(number) {
            *score = outcome.score * sign;
        }
        let owners = position.owners();
        if let Some(row) = self.valuation.ownership.chunks_mut(self.valuation.points).nth(number) {
            row.iter_mut().zip(owners).for_each(|(cell, owner)| *cell = owner * sign);
        }
    }

    /// Writes down what a model says of a position.
    fn note(&mut self, number: usize, said: &Statement<'_, G>) {
        let position = said.position();
        let sign = position.to_move().sign();
        let each = self.valuation.actions;
        position.legal_moves(&mut self.moves);
        let asked: &[G::Move] = if self.has_policy { &self.moves } else { &[] };
        let evaluation = said.evaluation(asked);
        let mut value = evaluation.value * sign;
        for (&mv, prior) in self.moves.iter().zip(&evaluation.policy) {
            self.valuation.policy[number * each + position.index(mv)] = *prior;
        }
        if self.has_actions {
            let mut best = f32::NEG_INFINITY;
            for &mv in &self.moves {
                if let Some(after) = said.action_value(mv) {
                    best = best.max(after * sign);
                    self.valuation.action_values[number * each + position.index(mv)] = after * sign;
                }
            }
            if !self.has_values && best.is_finite() {
                value = best;
            }
        }
        self.valuation.values[number] = value;
        if let (Some(place), Some(score)) = (self.valuation.scores.get_mut(number), evaluation.score) {
            *place = score * sign;
        }
        if let Some(row) = self.valuation.ownership.chunks_mut(self.valuation.points).nth(number) {
            row.iter_mut().zip(evaluation.ownership).for_each(|(cell, owner)| *cell = owner * sign);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Begin;
    use super::*;

    fn states(kind: Kind, moves: &[&str]) -> Vec<AnyState> {
        let mut states = vec![AnyState::new(kind, &Begin::default()).unwrap()];
        for name in moves {
            let mut next = states.last().unwrap().clone();
            let action = next.named(name).unwrap();
            next.play(action).unwrap();
            states.push(next);
        }
        states
    }

    #[test]
    fn values_are_those_of_each_state_alone() {
        for (kind, moves) in [(Kind::Go, ["D4", "Q16", "pass"]), (Kind::Hex, ["f6", "e7", "a1"])] {
            let model = AnyModel::shipped(kind, &Options::default()).unwrap().unwrap();
            let states = states(kind, &moves);
            let all = model.value(&states.iter().collect::<Vec<_>>()).unwrap();
            assert_eq!(all.values.len(), 4);
            for (number, state) in states.iter().enumerate() {
                let one = model.value(&[state]).unwrap();
                let row = |numbers: &[f32], each: usize| numbers.chunks(each).nth(number).map(<[f32]>::to_vec);
                let near =
                    |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a == b || (a - b).abs() < 1e-4 || a.is_nan());
                assert!((all.values[number] - one.values[0]).abs() < 1e-4, "{kind}");
                for (all, one, each) in [
                    (&all.policy, &one.policy, one.actions),
                    (&all.action_values, &one.action_values, one.actions),
                    (&all.ownership, &one.ownership, one.points),
                ] {
                    let row = row(all, each).unwrap_or_default();
                    assert!(row.len() == one.len() && near(&row, one), "{kind}");
                }
                let legal = state.legal_actions();
                let known = one.action_values.iter().filter(|value| !value.is_nan()).count();
                assert!(one.action_values.is_empty() || known == legal.len(), "{kind}");
                let sum: f32 = legal.iter().filter_map(|&action| one.policy.get(action)).sum();
                assert!(one.policy.is_empty() || (sum - 1.0).abs() < 1e-3, "{kind} {sum}");
            }
        }
    }

    #[test]
    fn the_end_is_worth_its_result() {
        let model = AnyModel::shipped(Kind::Go, &Options::default()).unwrap().unwrap();
        let end = states(Kind::Go, &["pass", "pass"]).pop().unwrap();
        let valuation = model.value(&[&end]).unwrap();
        // White has the komi, and it would be Black's turn.
        assert_eq!((valuation.values, valuation.scores), (vec![-1.0], vec![-7.5]));
        assert!(valuation.policy.iter().all(|&prior| prior == 0.0));
    }

    #[test]
    fn states_that_do_not_fit_are_refused() {
        let model = AnyModel::shipped(Kind::Hex, &Options::default()).unwrap().unwrap();
        let on = |kind, lines| {
            let setup = crate::players::Setup { size: Some(Size::square(lines)), ..crate::players::Setup::default() };
            AnyState::new(kind, &Begin { setup, swap: false }).unwrap()
        };
        assert!(matches!(model.value(&[&on(Kind::Go, 9)]), Err(ValuationError::Game { .. })));
        let pair = [&on(Kind::Hex, 7), &on(Kind::Hex, 9)];
        assert!(matches!(model.value(&pair), Err(ValuationError::Boards { number: 1 })));
        assert!(matches!(model.value(&[&on(Kind::Hex, 2)]), Err(ValuationError::Board(_))));
        assert_eq!(model.value(&[]).unwrap(), Valuation::default());
    }
}
