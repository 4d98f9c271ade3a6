//! A network as an evaluator of positions: the one place where perspective and range of its numbers are changed.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Answers, HumanProfile, ModelError, Network, Output};
use crate::eval::{
    Attributes, Cancelled, Evaluation, Evaluator, Forecast, NoEvaluation, PolicyEvaluator, PolicyQuery, Wanted,
};
use crate::game::{Planes, softmax};

/// Values stay inside (-1, 1): only the rules say who has won.
const CERTAIN: f32 = 0.999;
/// Bound of values that come from chances, whose last digits mean something.
const ALMOST_CERTAIN: f32 = 0.999_999;

/// A network that values positions of a game, and another evaluator where it was not made for the board or fails.
pub struct NetworkEvaluator<G: Planes, Otherwise> {
    network: Arc<Network>,
    otherwise: Otherwise,
    /// Whether it was said that the model failed.
    complained: AtomicBool,
    game: PhantomData<fn(&G)>,
}

impl<G: Planes, Otherwise> NetworkEvaluator<G, Otherwise> {
    /// The network must have been loaded for that game.
    pub fn new(network: Arc<Network>, otherwise: Otherwise) -> Self {
        Self { network, otherwise, complained: AtomicBool::new(false), game: PhantomData }
    }

    /// Whether the network was made for the board of that position, and can be shown how its game is counted.
    pub fn serves(&self, position: &G) -> bool {
        let [rows, columns] = position.board();
        self.network.serves(rows, columns) && self.shown(position).is_some()
    }

    /// The position as the network is to see it: as one of a game that is counted as those that it has learned from.
    fn shown<'a>(&self, position: &'a G) -> Option<Cow<'a, G>> {
        match self.network.model().other_scoring(position.scoring()) {
            None => Some(Cow::Borrowed(position)),
            Some(known) => position.counted_by(known).map(Cow::Owned),
        }
    }

    /// Runs the network, and returns the positions as it has seen them; `None` if it failed. A model that fails in the middle of
    /// a game must not end it: it is said once.
    fn run<'a>(
        &self,
        positions: &[&'a G],
        answers: &mut Answers,
        wanted: Wanted<'_>,
    ) -> Result<Option<Vec<Cow<'a, G>>>, Cancelled> {
        let Some(shown) = positions.iter().map(|position| self.shown(position)).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        match self.network.run(&shown.iter().map(Cow::as_ref).collect::<Vec<_>>(), answers, wanted) {
            Ok(()) => Ok(Some(shown)),
            Err(ModelError::Cancelled { .. }) => Err(Cancelled),
            Err(error) => {
                if !self.complained.swap(true, Ordering::Relaxed) {
                    tracing::error!(%error, "going on without it");
                }
                Ok(None)
            }
        }
    }

    /// The evaluation of a position that the network is shown in that symmetry. `None` if it does not serve the board or failed.
    pub fn look(&self, query: &PolicyQuery<'_, G>, symmetry: usize) -> Option<Evaluation> {
        let shown = self.serves(query.position).then(|| self.shown(query.position))??;
        let mut answers = Answers::default();
        self.network.compute_in(&[shown.as_ref()], Some(symmetry), &mut answers, &|| true).ok()?;
        Some(evaluation(&self.network, &PolicyQuery { position: shown.as_ref(), ..*query }, &answers, (0, symmetry)))
    }
}

/// Numbers of a network for one position.
pub struct Statement<'a, G: Planes> {
    network: &'a Network,
    answers: &'a Answers,
    position: &'a G,
    number: usize,
    symmetry: usize,
}

impl<G: Planes> Statement<'_, G> {
    /// The position as the network was shown it: under another way of counting, where it has learned no other.
    pub fn position(&self) -> &G {
        self.position
    }

    /// Value, score, owners, and the shares of some of the position's moves where the network gives a policy.
    pub fn evaluation(&self, moves: &[G::Move]) -> Evaluation {
        let query = PolicyQuery::new(self.position, moves);
        evaluation(self.network, &query, self.answers, (self.number, self.symmetry))
    }

    /// Result that `First` expects after a move, where the network knows the move and gives values of moves.
    pub fn action_value(&self, mv: G::Move) -> Option<f32> {
        let index = self.position.action_index(mv, self.symmetry)?;
        let value = self.answers.get(self.number, Output::Actions).get(index)?;
        Some(value_of(self.network, *value, self.position))
    }
}

impl<G: Planes, Otherwise> NetworkEvaluator<G, Otherwise> {
    /// Lets `reader` see what the network says of positions on boards of one shape, all of which it serves, with their numbers.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn read(&self, positions: &[&G], reader: &mut dyn FnMut(usize, Statement<'_, G>)) -> Result<(), ModelError> {
        let shown: Vec<_> = positions.iter().filter_map(|position| self.shown(position)).collect();
        let shown: Vec<&G> = shown.iter().map(Cow::as_ref).collect();
        let mut answers = Answers::default();
        self.network.run(&shown, &mut answers, &|| true)?;
        for (number, &position) in shown.iter().enumerate() {
            let symmetry = self.network.symmetry(position);
            reader(number, Statement { network: &self.network, answers: &answers, position, number, symmetry });
        }
        Ok(())
    }

    /// The evaluation of a position as such people would judge it, by a network that imitates them, shown in that symmetry. `None`
    /// if it does not serve the board or fails.
    pub fn imitate(&self, query: &PolicyQuery<'_, G>, profile: &HumanProfile, symmetry: usize) -> Option<Evaluation> {
        let shown = self.serves(query.position).then(|| self.shown(query.position))??;
        let mut answers = Answers::default();
        if let Err(error) = self.network.imitate(shown.as_ref(), profile, symmetry, &mut answers) {
            tracing::error!(%error, "no imitation");
            return None;
        }
        Some(evaluation(&self.network, &PolicyQuery { position: shown.as_ref(), ..*query }, &answers, (0, symmetry)))
    }
}

impl Network {
    /// The evaluation of query `number` of those whose answers [`Network::compute`] has given.
    pub fn evaluation<G: Planes>(&self, query: &PolicyQuery<'_, G>, answers: &Answers, number: usize) -> Evaluation {
        evaluation(self, query, answers, (number, self.symmetry(query.position)))
    }
}

/// Reads what a network gave for query `number`, which was shown in that symmetry.
fn evaluation<G: Planes>(
    network: &Network,
    query: &PolicyQuery<'_, G>,
    answers: &Answers,
    (number, symmetry): (usize, usize),
) -> Evaluation {
    let position = query.position;
    let first = |output| answers.get(number, output).first().copied();
    let sign = position.to_move().sign();
    let ownership = answers.get(number, Output::Ownership);
    let end = End::of(position, answers, number);
    let value = match &end {
        Some(end) => (end.value * sign).clamp(-ALMOST_CERTAIN, ALMOST_CERTAIN),
        None => value_of(network, first(Output::Value).unwrap_or(0.0), position),
    };
    let score = end.as_ref().and_then(|end| end.lead).or(first(Output::Score));
    let (policy, elsewhere) = policy(query, answers, number, symmetry);
    Evaluation {
        value,
        policy,
        elsewhere,
        score: score.map(|score| score * sign),
        ownership: (0..ownership.len())
            .map(|point| (ownership[position.point_index(point, symmetry)] * sign).clamp(-1.0, 1.0))
            .collect(),
        forecast: end.and_then(|end| end.forecast).map(|it| Forecast { score: it.score * sign, ..it }),
    }
}

/// A network's number as the result that `First` expects.
fn value_of<G: Planes>(network: &Network, value: f32, mover: &G) -> f32 {
    (network.centred(value) * mover.to_move().sign()).clamp(-CERTAIN, CERTAIN)
}

/// The logarithm of a move's prior, up to a constant, in the policy of a network that sees that symmetry. `None` for moves that networks
/// do not know.
pub(crate) fn logit<G: Planes>(position: &G, policy: &[f32], mv: G::Move, symmetry: usize) -> Option<f32> {
    let (entry, second) = position.policy_entries(mv, symmetry)?;
    Some(policy[entry] + second.map_or(0.0, |second| policy[second]))
}

/// Shares of the moves of a query among them, and the share of what the game does not have among all.
fn policy<G: Planes>(query: &PolicyQuery<'_, G>, answers: &Answers, number: usize, symmetry: usize) -> (Vec<f32>, f32) {
    let (plain, optimistic) = (answers.get(number, Output::Policy), answers.get(number, Output::Optimistic));
    let share = if optimistic.is_empty() { 0.0 } else { query.optimism };
    let mixed = |&mv: &G::Move| {
        let first = logit(query.position, plain, mv, symmetry)?;
        let other = if share > 0.0 { logit(query.position, optimistic, mv, symmetry)? } else { 0.0 };
        Some(first * (1.0 - share) + other * share)
    };
    // Moves that models do not know, such as a swap, deserve what the others do on average.
    let logits: Vec<Option<f32>> = query.moves.iter().map(mixed).collect();
    let (count, sum) = logits.iter().flatten().fold((0, 0.0), |(n, sum), logit| (n + 1, sum + logit));
    let mean = if count > 0 { sum / count as f32 } else { 0.0 };
    let mut policy: Vec<f32> = logits.into_iter().map(|logit| logit.unwrap_or(mean)).collect();
    let elsewhere = match plain.get(query.position.policy_count()..) {
        None | Some([]) => 0.0,
        Some(beyond) => {
            let mut all = [policy.as_slice(), beyond].concat();
            softmax(&mut all);
            all[policy.len()..].iter().sum()
        }
    };
    softmax(&mut policy);
    (policy, elsewhere)
}

/// The end of a game as models with several outcomes see it, for the side to move.
struct End {
    /// Result in -1..=1.
    value: f32,
    lead: Option<f32>,
    forecast: Option<Forecast>,
}

impl End {
    /// Reads a model's outcomes and scores; `None` if it gives no outcomes.
    fn of<G: Planes>(position: &G, answers: &Answers, number: usize) -> Option<Self> {
        let &[won, lost, void] = answers.get(number, Output::Outcomes) else { return None };
        let mut chances = [won, lost, if position.may_be_void() { void } else { f32::NEG_INFINITY }];
        softmax(&mut chances);
        let [won, lost, void] = chances;
        let value = won - lost;
        let &[score, deviation, lead, time, result_error, score_error] = answers.get(number, Output::Scores) else {
            return Some(Self { value, lead: None, forecast: None });
        };
        let known = |number: f32| (number >= 0.0).then_some(number);
        let errors = known(result_error).zip(known(score_error)).map(|(result, score)| [result, score]);
        // A game without a result has the score 0, in the mean and in the deviation.
        let played = 1.0 - void;
        let deviation = (played * deviation * deviation + played * void * score * score).sqrt();
        let forecast = Forecast { score: score * played, deviation, no_result: void, errors, time_left: known(time) };
        Some(Self { value, lead: Some(lead * (1.0 - void)), forecast: Some(forecast) })
    }
}

impl<G: Planes, E: Evaluator<G>> Evaluator<G> for NetworkEvaluator<G, E> {
    fn attributes(&self) -> Attributes {
        self.network.attributes()
    }

    fn values_moves(&self, position: &G) -> bool {
        self.network.model().gives(Output::Actions) && self.serves(position)
    }

    fn evaluate(&self, positions: &[G], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        let model = self.network.model();
        let able =
            (model.gives(Output::Value) || model.gives(Output::Outcomes)) && positions.iter().all(|p| self.serves(p));
        if !able {
            return self.otherwise.evaluate(positions, values, wanted);
        }
        values.clear();
        let mut answers = Answers::default();
        for batch in positions.chunks(self.network.attributes().batch) {
            if !wanted() {
                return Err(Cancelled);
            }
            if self.run(&batch.iter().collect::<Vec<_>>(), &mut answers, wanted)?.is_none() {
                return self.otherwise.evaluate(positions, values, wanted);
            }
            values.extend(batch.iter().enumerate().map(|(number, position)| {
                match End::of(position, &answers, number) {
                    Some(end) => (end.value * position.to_move().sign()).clamp(-CERTAIN, CERTAIN),
                    None => value_of(&self.network, answers.get(number, Output::Value)[0], position),
                }
            }));
        }
        Ok(())
    }

    fn evaluate_children(
        &self,
        position: &G,
        moves: &[usize],
        children: &[G],
        values: &mut Vec<f32>,
        wanted: Wanted<'_>,
    ) -> Result<(), Cancelled> {
        if !self.values_moves(position) {
            return self.evaluate(children, values, wanted);
        }
        let mut answers = Answers::default();
        let Some(shown) = self.run(&[position], &mut answers, wanted)? else {
            return self.otherwise.evaluate(children, values, wanted);
        };
        let symmetry = self.network.symmetry(shown[0].as_ref());
        let numbers = answers.get(0, Output::Actions);
        values.clear();
        for (&mv, child) in moves.iter().zip(children) {
            match position.action_index(position.move_at(mv), symmetry) {
                Some(index) => values.push(value_of(&self.network, numbers[index], position)),
                // A move that models do not know, such as a swap: by the position that it leads to.
                None => {
                    let mut value = Vec::new();
                    self.otherwise.evaluate(std::slice::from_ref(child), &mut value, wanted)?;
                    values.extend(value);
                }
            }
        }
        Ok(())
    }
}

impl<G: Planes, E: Send + Sync> PolicyEvaluator<G> for NetworkEvaluator<G, E> {
    fn attributes(&self) -> Attributes {
        self.network.attributes()
    }

    fn serves(&self, position: &G) -> bool {
        Self::serves(self, position)
    }

    fn advice(&self) -> u32 {
        self.network.model().advice
    }

    fn evaluate_with_policy(
        &self,
        queries: &[PolicyQuery<'_, G>],
        evaluations: &mut Vec<Evaluation>,
        wanted: Wanted<'_>,
    ) -> Result<(), NoEvaluation> {
        evaluations.clear();
        let mut answers = Answers::default();
        // Both colours may see a board in different shapes.
        for queries in queries.chunk_by(|a, b| a.position.shape() == b.position.shape()) {
            let positions: Vec<&G> = queries.iter().map(|query| query.position).collect();
            let shown = match self.run(&positions, &mut answers, wanted) {
                Err(Cancelled) => return Err(NoEvaluation::Cancelled),
                Ok(None) => return Err(NoEvaluation::Failed),
                Ok(Some(shown)) => shown,
            };
            for (number, (position, query)) in shown.iter().zip(queries).enumerate() {
                let symmetry = self.network.symmetry(position.as_ref());
                let query = PolicyQuery { position: position.as_ref(), ..*query };
                evaluations.push(evaluation(&self.network, &query, &answers, (number, symmetry)));
            }
        }
        Ok(())
    }
}
