//! The commands of games whose moves are points and that have no dialect of their own.
//!
//! A move is written `A1`, `A1-B1` or `A1-B2-C3`: the points that it touches, in the letters of GTP; hyphens may be left out. A pass
//! is a move in games that have it, and nothing at the end of all others.
//! GoGui knows points only: it plays a move point by point, and is answered so.

use super::call::{Call, Command, Dialect, rows};
use super::reply::{Answer, Refusal};
use super::vertex::{self, Notation};
use super::{board, play};
use crate::game::Side;
use crate::games::{Ending, Size};
use crate::players::{Kind, Played};
use crate::session::{PointsSession, Session};

impl<G: Played> Dialect for PointsSession<G> {
    const KIND: Kind = G::KIND;

    /// A point of the move for a client of points, or the whole move.
    fn show_chosen(&self, notation: Notation, mv: G::Move) -> String {
        let size = self.core().position().size();
        let point = self.answer().map(|point| notation.show(size, point));
        point.unwrap_or_else(|| notation.show_move::<G>(size, mv))
    }

    fn play_other(&mut self, notation: Notation, side: Side, word: &str) -> Option<Result<(), String>> {
        let position = self.core().position();
        let size = position.size();
        let passes = word.eq_ignore_ascii_case("pass");
        // At the end passes are told to who could not answer otherwise.
        if passes && position.outcome().is_some() {
            self.pass_at_end();
            return Some(Ok(()));
        }
        if notation.read_move::<G>(size, word).is_some() {
            return None;
        }
        if passes {
            return Some(Err("there is no passing before the end".to_owned()));
        }
        let point = notation.read(size, word)?;
        Some(self.play_point(side, point))
    }

    fn gogui_size(&self) -> Size {
        let size = self.core().position().size();
        Size::square(size.width.max(size.height))
    }

    fn meet_gogui(&mut self) {
        self.answer_by_points();
    }

    fn commands() -> Vec<Command<Self>> {
        rows![
            "boardsize" "WIDTH [HEIGHT]" "Begins a new game on such a board." boardsize;
            "set_position" "[COLOUR POINT ...]" "Begins a game with those pieces and no others, Black to move; other words as of losange-setup."
                set_position;
            "loadsgf" "FILE [NUMBER]" "Loads a game, up to before move NUMBER." |call| play::load_sgf(call, false);
            "printsgf" "[FILE]" "The game as SGF, or writes it to a file." play::print_sgf;
            "showboard" "" "The board for people." showboard;
            "all_legal_moves" "[COLOUR]" "All legal moves." all_legal_moves;
            "final_score" "" "B+ or W+, with the lead in pieces where those count and the winner's territory for Amazons, 0 for a draw; for Solitaire the number of stones left."
                |call| result(call, score);
            "time_left" "COLOUR SECONDS [STONES]" "Sets a clock." |call| play::set_time_left(call, false);
            "gogui-analyze_commands" "" "The analysis menu of GoGui." |_| Ok(
                "param/Engine/losange-option\nparam/Search Parameters/losange-set\nstring/Result/final_score\nhstring/Show Board/showboard".to_owned());
            "gogui-rules_board_size" "" "The size of the board." |call| Ok(play::show_size(call));
            "gogui-rules_board_gfx" "" "The heights of towers and buildings, and the piece in hand." rules_board_gfx;
            "gogui-rules_legal_moves" "" "The points that can be played next: of a piece that can move, of where it can go, of what it can do there."
                rules_legal_moves;
            "gogui-rules_final_result" "" "How the game ended." |call| result(call, told);
        ]
    }
}

type Points<'a, G> = Call<'a, PointsSession<G>>;

/// The answer to `final_score`.
fn score(end: &Ending) -> String {
    match end {
        Ending::One { left } => left.to_string(),
        Ending::Passed | Ending::Two { winner: None, .. } => "0".to_owned(),
        Ending::Two { winner: Some(side), lead: 0, .. } => format!("{}+", vertex::letter(*side)),
        Ending::Two { winner: Some(side), lead, .. } => format!("{}+{lead}", vertex::letter(*side)),
    }
}

/// The end for people.
pub(super) fn told(end: &Ending) -> String {
    match end {
        Ending::One { left: 1 } => "1 stone is left".to_owned(),
        Ending::One { left } => format!("{left} stones are left"),
        Ending::Passed => "both sides have passed".to_owned(),
        Ending::Two { winner: None, detail, .. } => format!("draw{detail}"),
        Ending::Two { winner: Some(side), detail, .. } => format!("{} wins{detail}", vertex::word(*side)),
    }
}

fn boardsize<G: Played>(call: &mut Points<'_, G>) -> Answer {
    let size = play::board_size(call)?;
    // GoGui knows square boards only, and means the one that it was told of.
    let meant = call.session.is_by_points() && size == call.session.gogui_size();
    let size = if meant { call.size() } else { size };
    play::begin_on(call, size)
}

fn set_position<G: Played>(call: &mut Points<'_, G>) -> Answer {
    let occupants = play::occupants(call, 0)?;
    call.session.set_up(&occupants).map_err(Refusal::new)?;
    Ok(String::new())
}

fn showboard<G: Played>(call: &mut Points<'_, G>) -> Answer {
    let position = call.session.core().position();
    let moves = call.session.core().history().moves().len();
    let state = match position.ending() {
        Some(end) => told(&end),
        None if G::PLAYERS == 1 => format!("{moves} moves played"),
        None => format!("{} to move, {moves} moves played", vertex::word(position.to_move())),
    };
    Ok(board::cells(position, &state))
}

fn all_legal_moves<G: Played>(call: &mut Points<'_, G>) -> Answer {
    let mut position = call.session.core().position().clone();
    if call.count() > 0 {
        position.set_to_move(call.side(0)?);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    Ok(moves.into_iter().map(|mv| call.show(mv)).collect::<Vec<_>>().join(" "))
}

fn result<G: Played>(call: &mut Points<'_, G>, told: fn(&Ending) -> String) -> Answer {
    let end = call.session.core().position().ending();
    end.as_ref().map(told).ok_or_else(|| "cannot score: the game is not over".into())
}

fn rules_board_gfx<G: Played>(call: &mut Points<'_, G>) -> Answer {
    let position = call.session.core().position();
    let tall = (0..position.points()).filter_map(|point| Some((point, board::number_on(position, point)?)));
    let labels: String = tall.map(|(point, number)| format!(" {} {number}", call.show_point(point))).collect();
    let clicked: String = call.session.clicked().iter().map(|&point| format!(" {}", call.show_point(point))).collect();
    let lines = [("LABEL", labels), ("SQUARE", clicked)].into_iter().filter(|(_, points)| !points.is_empty());
    Ok(lines.map(|(kind, points)| format!("{kind}{points}")).collect::<Vec<_>>().join("\n"))
}

fn rules_legal_moves<G: Played>(call: &mut Points<'_, G>) -> Answer {
    let (points, words) = call.session.playable();
    let points = points.into_iter().map(|point| call.show_point(point));
    Ok(points.chain(words.into_iter().map(str::to_owned)).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;
