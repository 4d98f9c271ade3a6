//! A session of a game whose moves go from one point to another: whole moves, or point by point for GoGui.

use std::sync::Arc;
use std::time::Instant;

use super::control::{Control, EndsOn};
use super::core::{Asked, Choice, Chosen, Core, OnReport, Session, Wish};
use super::history::History;
use super::settings::Settings;
use crate::game::{Game, Side};
use crate::games::{Size, Stepping};
use crate::players::Played;
use crate::search::Restriction;

/// What was played last, as the client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A move in one.
    Whole,
    /// A piece was picked up.
    Lifted,
    /// It was put down.
    PutDown,
}

/// How moves in two halves stand.
#[derive(Clone, Debug)]
pub struct Hand<G: Game> {
    /// The point of the piece that the side to move has picked up.
    lifted: Option<usize>,
    /// What the engine picked it up for.
    planned: Option<G::Move>,
    /// What was played, half by half.
    parts: Vec<Part>,
}

/// A session of such a game.
pub struct SteppingSession<G: Played> {
    core: Core<G>,
    hand: Hand<G>,
    /// Whether moves are answered point by point.
    by_points: bool,
}

impl<G: Played + Stepping> SteppingSession<G> {
    /// The start on the board of the settings, or on the game's usual one.
    pub fn new(settings: Settings, control: Arc<Control>) -> Self {
        let start = G::first_game(&settings.setup);
        let core = Core::new(settings, control, start);
        Self { core, hand: Hand { lifted: None, planned: None, parts: Vec::new() }, by_points: false }
    }

    /// Begins a game on a board of that size; `false`, and nothing changes, if the game is not played on it.
    pub fn set_size(&mut self, size: Size) -> bool {
        G::start(size).map(|start| self.restart(start)).is_some()
    }

    /// Begins a game with those pieces and no others; `false`, and nothing changes, if there is no such position.
    pub fn set_up(&mut self, pieces: &[(Side, usize)]) -> bool {
        G::set_up(self.core.position().size(), pieces).map(|start| self.restart(start)).is_some()
    }

    fn restart(&mut self, start: G) {
        self.core.restart(start);
        self.put_back();
        self.hand.parts.clear();
    }

    fn put_back(&mut self) {
        self.hand.lifted = None;
        self.hand.planned = None;
    }

    /// From now on moves are answered point by point.
    pub fn answer_by_points(&mut self) {
        self.by_points = true;
    }

    /// The point of the piece that was picked up.
    pub fn lifted(&self) -> Option<usize> {
        self.hand.lifted
    }

    /// The position with that side to move.
    fn seen_by(&self, side: Side) -> G {
        let mut position = self.core.position().clone();
        position.set_to_move(side);
        position
    }

    /// The points that can be played now, by whoever is to move: where pieces can be picked up, or put down.
    pub fn playable(&self) -> Vec<usize> {
        let (position, mut moves) = (self.core.position(), Vec::new());
        position.legal_moves(&mut moves);
        let ends = moves.into_iter().map(|mv| position.ends(mv));
        let mut points: Vec<usize> = match self.hand.lifted {
            None => ends.map(|(from, _)| from).collect(),
            Some(lifted) => ends.filter(|(from, _)| *from == lifted).map(|(_, to)| to).collect(),
        };
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Plays a whole move for `side`, whoever's turn it is.
    ///
    /// # Errors
    /// What is wrong with it, and nothing is changed.
    pub fn play(&mut self, side: Side, mv: G::Move) -> Result<(), String> {
        let position = self.seen_by(side);
        if position.outcome().is_some() {
            return Err("the game is over".to_owned());
        }
        if !position.is_legal(mv) {
            return Err("no such move".to_owned());
        }
        self.put_back();
        self.core.play(side, mv);
        self.hand.parts.push(Part::Whole);
        Ok(())
    }

    /// Picks up the piece on a point, or puts the one in hand down there.
    ///
    /// # Errors
    /// What is wrong with it, and nothing is changed.
    pub fn play_point(&mut self, side: Side, point: usize) -> Result<(), String> {
        let position = self.seen_by(side);
        let Some(from) = self.hand.lifted else {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if !moves.into_iter().any(|mv| position.ends(mv).0 == point) {
                return Err("nothing that can move is there".to_owned());
            }
            self.hand.lifted = Some(point);
            self.hand.parts.push(Part::Lifted);
            return Ok(());
        };
        match position.between(from, point).filter(|&mv| position.is_legal(mv)) {
            Some(mv) => {
                self.put_back();
                self.core.play(side, mv);
                self.hand.parts.push(Part::PutDown);
                Ok(())
            }
            None => Err("the piece in hand cannot go there".to_owned()),
        }
    }

    /// Whether what was chosen last was to pick a piece up.
    pub fn has_lifted_for(&self, mv: G::Move) -> bool {
        self.hand.planned == Some(mv)
    }

    /// Whether moves are answered point by point.
    pub fn is_by_points(&self) -> bool {
        self.by_points
    }

    /// Turns the move that was just played into its first half.
    fn lift_only(&mut self, mv: G::Move) {
        let from = self.core.position().ends(mv).0;
        self.core.undo(1);
        self.hand.lifted = Some(from);
        self.hand.planned = Some(mv);
        self.hand.parts.push(Part::Lifted);
    }
}

impl<G: Played + Stepping> Session for SteppingSession<G> {
    type G = G;
    type Mark = (History<G>, Hand<G>);

    fn core(&self) -> &Core<G> {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core<G> {
        &mut self.core
    }

    fn choose(
        &mut self,
        side: Side,
        asked: Asked,
        wish: &Wish<G::Move>,
        on_report: OnReport<'_, G::Move>,
    ) -> Chosen<G::Move> {
        let start = Instant::now();
        let position = self.seen_by(side);
        if position.outcome().is_some() {
            return Chosen { choice: Choice::Nothing, report: None };
        }
        if let Some(mv) = self.hand.planned.filter(|&mv| asked != Asked::Only && position.is_legal(mv)) {
            self.put_back();
            self.core.play(side, mv);
            self.hand.parts.push(Part::PutDown);
            return Chosen { choice: Choice::Move(mv), report: None };
        }
        let mut wish = wish.clone();
        if let Some(lifted) = self.hand.lifted {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves.retain(|&mv| position.ends(mv).0 == lifted);
            wish.restrictions = vec![Restriction { side, moves, allow: true, depth: 1 }];
        }
        let budget = self.core.budget(side, position.moves_left());
        let decision = self.core.think(&position, budget, EndsOn::Interrupt, &wish, on_report);
        let chosen = self.core.answer(side, asked, decision.mv, decision.report, true, start.elapsed());
        if let (Choice::Move(mv), false) = (chosen.choice, asked == Asked::Only) {
            match (self.hand.lifted, self.by_points) {
                (Some(_), _) => {
                    self.put_back();
                    self.hand.parts.push(Part::PutDown);
                }
                (None, true) => self.lift_only(mv),
                (None, false) => self.hand.parts.push(Part::Whole),
            }
        }
        chosen
    }

    fn undo(&mut self, count: usize) -> bool {
        if count > self.hand.parts.len() {
            return false;
        }
        for _ in 0..count {
            match self.hand.parts.pop() {
                Some(Part::Lifted) => self.put_back(),
                Some(Part::PutDown) => {
                    let last = self.core.history().moves().last().map(|&(_, mv)| mv);
                    self.core.undo(1);
                    self.hand.lifted = last.map(|mv| self.core.position().ends(mv).0);
                }
                _ => {
                    self.core.undo(1);
                }
            }
        }
        true
    }

    fn mark(&self) -> Self::Mark {
        (self.core.history().clone(), self.hand.clone())
    }

    fn return_to(&mut self, (history, hand): Self::Mark) {
        self.core.replace(history);
        self.hand = hand;
    }

    fn clear(&mut self) {
        let size = self.core.position().size();
        self.set_size(size);
    }

    fn recover(&mut self) {
        self.core.recover();
        self.put_back();
        self.hand.parts = vec![Part::Whole; self.core.history().moves().len()];
    }

    fn analyze(&mut self, side: Side, wish: &Wish<G::Move>, on_report: OnReport<'_, G::Move>) {
        let position = self.seen_by(side);
        if position.outcome().is_none() {
            self.core.think(&position, Default::default(), EndsOn::NextLine, wish, on_report);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{avalam, clobber};
    use crate::search::Share;

    fn session<G: Played + Stepping>(size: Option<Size>) -> SteppingSession<G> {
        let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
        settings.playouts = Some(50);
        settings.memory = 16;
        settings.setup.size = size;
        SteppingSession::new(settings, Arc::new(Control::new()))
    }

    fn choose<G: Played + Stepping>(session: &mut SteppingSession<G>, side: Side) -> Choice<G::Move> {
        session.choose(side, Asked::Play, &Wish::default(), &mut |_| ()).choice
    }

    fn game_to_its_end<G: Played + Stepping>(by_points: bool) {
        let mut session = session::<G>(None);
        if by_points {
            session.answer_by_points();
        }
        let mut parts = 0;
        loop {
            let side = session.core.position().to_move();
            if choose(&mut session, side) == Choice::Nothing {
                break;
            }
            parts += 1;
            assert!(session.lifted().is_none() || by_points);
        }
        assert!(session.core.position().outcome().is_some() && parts == session.hand.parts.len());
        assert_eq!(parts, session.core.history().moves().len() * if by_points { 2 } else { 1 });
        // All of it can be taken back, half by half.
        let start = G::usual().key();
        assert!(!session.undo(parts + 1) && session.undo(parts) && session.core.position().key() == start);
    }

    #[test]
    fn games_are_played_to_their_end_whole_and_by_points() {
        for by_points in [false, true] {
            game_to_its_end::<clobber::Position>(by_points);
            game_to_its_end::<clobber::Solitaire>(by_points);
            game_to_its_end::<avalam::Position>(by_points);
        }
    }

    #[test]
    fn a_piece_is_picked_up_and_put_down() {
        let mut session = session::<clobber::Position>(Some(Size { width: 3, height: 1 }));
        assert_eq!(session.playable(), [0, 2]);
        assert!(session.play_point(Side::First, 1).is_err());
        session.play_point(Side::First, 0).unwrap();
        assert_eq!((session.playable(), session.lifted()), (vec![1], Some(0)));
        assert!(session.play_point(Side::First, 2).is_err());
        session.play_point(Side::First, 1).unwrap();
        assert_eq!(session.core.position().owner(1), Some(Side::First));
        // Undo goes back by halves.
        assert!(session.undo(1) && session.lifted() == Some(0));
        assert!(session.undo(1) && session.lifted().is_none() && !session.undo(1));
        // What the user has picked up, the engine puts down.
        session.play_point(Side::First, 2).unwrap();
        let mv = session.core.position().between(2, 1).unwrap();
        assert_eq!(choose(&mut session, Side::First), Choice::Move(mv));
        assert_eq!(choose(&mut session, Side::Second), Choice::Nothing);
    }
}
