//! A network as an evaluator of positions: the one place where perspective and range of its numbers are changed.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Answers, ModelError, Network, Output};
use crate::eval::{Attributes, Cancelled, Evaluation, Evaluator, NoEvaluation, PolicyEvaluator, Wanted};
use crate::game::{Planes, softmax};

/// Values stay inside (-1, 1): only the rules say who has won.
const CERTAIN: f32 = 0.999;

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
        self.network.model().serves(rows, columns) && self.shown(position).is_some()
    }

    /// The position as the network is to see it: as one of a game that is counted as those that it has learned from.
    fn shown<'a>(&self, position: &'a G) -> Option<Cow<'a, G>> {
        match self.network.model().other_scoring(position.scoring()) {
            None => Some(Cow::Borrowed(position)),
            Some(known) => position.counted_by(known).map(Cow::Owned),
        }
    }

    /// The model's number as the result that `First` expects.
    fn value(&self, value: f32, mover: &G) -> f32 {
        (self.network.centred(value) * mover.to_move().sign()).clamp(-CERTAIN, CERTAIN)
    }

    /// Runs the network, and returns the positions as it has seen them; `None` if it failed. A model that fails in the middle of
    /// a game must not end it: it is said once.
    fn run<'a>(
        &self,
        positions: impl Iterator<Item = &'a G>,
        answers: &mut Answers,
        wanted: Wanted<'_>,
    ) -> Result<Option<Vec<Cow<'a, G>>>, Cancelled> {
        let Some(shown) = positions.map(|position| self.shown(position)).collect::<Option<Vec<_>>>() else {
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

    fn evaluation(&self, position: &G, moves: &[G::Move], answers: &Answers, number: usize) -> Evaluation {
        let symmetry = self.network.symmetry(position);
        let first = |output| answers.get(number, output).first().copied();
        let policy = answers.get(number, Output::Policy);
        let logit = |&mv: &G::Move| position.action_index(mv, symmetry).map(|index| policy[index]);
        // Moves that models do not know, such as a swap, deserve what the others do on average.
        let (count, sum) = moves.iter().filter_map(logit).fold((0, 0.0), |(n, sum), logit| (n + 1, sum + logit));
        let mean = if count > 0 { sum / count as f32 } else { 0.0 };
        let sign = position.to_move().sign();
        let ownership = answers.get(number, Output::Ownership);
        let mut policy: Vec<f32> = moves.iter().map(|mv| logit(mv).unwrap_or(mean)).collect();
        softmax(&mut policy);
        Evaluation {
            value: self.value(first(Output::Value).unwrap_or(0.0), position),
            policy,
            score: first(Output::Score).map(|score| score * sign),
            ownership: (0..ownership.len())
                .map(|point| (ownership[position.point_index(point, symmetry)] * sign).clamp(-1.0, 1.0))
                .collect(),
        }
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
        let able = self.network.model().gives(Output::Value) && positions.iter().all(|p| self.serves(p));
        if !able {
            return self.otherwise.evaluate(positions, values, wanted);
        }
        values.clear();
        let mut answers = Answers::default();
        for batch in positions.chunks(self.network.attributes().batch) {
            if !wanted() {
                return Err(Cancelled);
            }
            if self.run(batch.iter(), &mut answers, wanted)?.is_none() {
                return self.otherwise.evaluate(positions, values, wanted);
            }
            let numbers = (0..batch.len()).map(|number| answers.get(number, Output::Value)[0]);
            values.extend(numbers.zip(batch).map(|(value, position)| self.value(value, position)));
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
        let Some(shown) = self.run([position].into_iter(), &mut answers, wanted)? else {
            return self.otherwise.evaluate(children, values, wanted);
        };
        let symmetry = self.network.symmetry(shown[0].as_ref());
        let numbers = answers.get(0, Output::Actions);
        values.clear();
        for (&mv, child) in moves.iter().zip(children) {
            match position.action_index(position.move_at(mv), symmetry) {
                Some(index) => values.push(self.value(numbers[index], position)),
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
        queries: &[(&G, &[G::Move])],
        evaluations: &mut Vec<Evaluation>,
        wanted: Wanted<'_>,
    ) -> Result<(), NoEvaluation> {
        evaluations.clear();
        let mut answers = Answers::default();
        // Both colours may see a board in different shapes.
        for queries in queries.chunk_by(|a, b| a.0.shape() == b.0.shape()) {
            let shown = match self.run(queries.iter().map(|query| query.0), &mut answers, wanted) {
                Err(Cancelled) => return Err(NoEvaluation::Cancelled),
                Ok(None) => return Err(NoEvaluation::Failed),
                Ok(Some(shown)) => shown,
            };
            for (number, (position, (_, moves))) in shown.iter().zip(queries).enumerate() {
                evaluations.push(self.evaluation(position, moves, &answers, number));
            }
        }
        Ok(())
    }
}
