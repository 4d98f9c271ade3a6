//! Making the state of a position: its actions, exact where that is known, and valued by an evaluator where not.

use super::table::{Action, State, StateTable};
use super::variant::Variant;
use crate::eval::{Cancelled, Evaluator, Wanted};
use crate::game::{Game, Side, Verdict};

/// Buffers of one thread for making states.
pub(crate) struct Buffers<G: Game> {
    pub(super) moves: Vec<G::Move>,
    pub(super) verdicts: Vec<Verdict>,
    decisive: Vec<bool>,
    /// Positions after the open actions, and one more.
    children: Vec<G>,
    /// Numbers of the open actions: those whose value only an evaluator can tell.
    open: Vec<usize>,
    /// Indices of their moves.
    indices: Vec<usize>,
    /// Their values, seen by `First`.
    pub(super) values: Vec<f32>,
}

impl<G: Game> Buffers<G> {
    /// Positions after the open actions.
    pub(super) fn open(&self) -> &[G] {
        &self.children[..self.open.len()]
    }

    /// Indices of the moves of the open actions.
    pub(super) fn indices(&self) -> &[usize] {
        &self.indices
    }
}

impl<G: Game> Default for Buffers<G> {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            verdicts: Vec::new(),
            decisive: Vec::new(),
            children: Vec::new(),
            open: Vec::new(),
            indices: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// Knowledge that a new state is made with.
pub(crate) enum Knowledge<'a, G: Game> {
    /// All there is, and only the actions that are needed.
    Inner(&'a StateTable, &'a G::Findings),
    /// All there is, and every action, since people ask about the others too.
    Root(&'a StateTable, &'a G::Findings),
    /// As much as is seen at a glance of each child.
    Glance(&'a StateTable),
    /// None: what is lost anyway is worth a search for the move that is hardest to refute.
    LostRoot,
}

/// Which actions a state needs.
#[derive(Clone, Copy)]
pub(super) enum Needed {
    All,
    /// All that are not needless.
    Useful,
    /// One that wins is enough: those that win for that side.
    Wins(Side),
}

impl Needed {
    pub(super) fn of(side: Side, verdicts: &[Verdict]) -> Self {
        let wins = Self::Wins(side);
        if verdicts.iter().any(|verdict| wins.includes(verdict)) { wins } else { Self::Useful }
    }

    pub(super) fn includes(self, verdict: &Verdict) -> bool {
        match self {
            Self::All => true,
            Self::Useful => *verdict != Verdict::Needless,
            Self::Wins(side) => matches!(verdict, Verdict::Decided(winner, _) if *winner == side),
        }
    }
}

/// A fresh state whose actions are listed, before those are valued that only an evaluator can tell: see [`Buffers`].
pub(crate) struct Draft {
    side: Side,
    actions: Vec<Action>,
    asked: bool,
}

impl Draft {
    /// The state, once the buffers hold the values of the open actions.
    pub(crate) fn complete<G: Game>(mut self, buffers: &Buffers<G>) -> State {
        for (&number, &value) in buffers.open.iter().zip(&buffers.values) {
            let action = &mut self.actions[number];
            *action = Action::valued(action.index, action.child, value);
        }
        State::new(self.side, self.actions, self.asked)
    }
}

/// A fresh state: terminal and proven children with their exact value, those that another line has led to with what was
/// found there, the others by the evaluator.
pub(crate) fn make<G: Game>(
    position: &G,
    variant: Variant,
    knowledge: Knowledge<'_, G>,
    evaluator: &dyn Evaluator<G>,
    buffers: &mut Buffers<G>,
    wanted: Wanted<'_>,
) -> Result<State, Cancelled> {
    let draft = look(position, variant, knowledge, buffers, |child, action| action.ends_with(child, variant.proofs));
    buffers.values.clear();
    if !buffers.open.is_empty() {
        let Buffers { children, open, indices, values, .. } = buffers;
        evaluator.evaluate_children(position, indices, &children[..open.len()], values, wanted)?;
    }
    Ok(draft.complete(buffers))
}

/// Lists the actions of a position, and in the buffers those whose value only an evaluator can tell. `ends` gives an action its
/// exact value if the rules or cheap knowledge of the child tell it, which it says.
pub(crate) fn look<G: Game>(
    position: &G,
    variant: Variant,
    knowledge: Knowledge<'_, G>,
    Buffers { moves, verdicts, decisive, children, open, indices, .. }: &mut Buffers<G>,
    ends: impl Fn(&G, &mut Action) -> bool,
) -> Draft {
    let side = position.to_move();
    position.legal_moves(moves);
    open.clear();
    verdicts.clear();
    verdicts.resize(moves.len(), Verdict::Open);
    let table = match knowledge {
        Knowledge::Inner(table, findings) | Knowledge::Root(table, findings) => {
            position.solved(findings, moves, verdicts);
            Some(table)
        }
        Knowledge::Glance(table) => Some(table),
        Knowledge::LostRoot => None,
    };
    position.decisive(moves, decisive);
    let asked = matches!(knowledge, Knowledge::Inner(..) | Knowledge::Root(..));
    let needed = if matches!(knowledge, Knowledge::Inner(..)) { Needed::of(side, verdicts) } else { Needed::All };
    let mut actions = Vec::with_capacity(verdicts.iter().filter(|v| needed.includes(v)).count());
    let looked_at = moves.iter().zip(verdicts.iter()).zip(decisive.iter());
    for ((&mv, verdict), &decisive) in looked_at.filter(|((_, verdict), _)| needed.includes(verdict)) {
        let used = open.len();
        if used == children.len() {
            children.push(position.clone());
        } else {
            children[used].clone_from(position);
        }
        let child = &mut children[used];
        child.play(mv);
        let mut action = Action::valued(position.index(mv) as u32, child.key(), 0.0);
        let decided = match *verdict {
            Verdict::Decided(winner, length) => {
                action.resolve(Some(winner), length);
                true
            }
            _ => decisive && ends(child, &mut action),
        };
        if decided {
            // Exact.
        } else if let Some(known) = table.and_then(|table| table.get(action.child)) {
            action.take(variant.back(known.side, &known.actions.lock()));
        } else {
            open.push(actions.len());
        }
        actions.push(action);
    }
    indices.clear();
    indices.extend(open.iter().map(|&number| actions[number].index as usize));
    Draft { side, actions, asked }
}
