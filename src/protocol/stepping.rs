//! The commands of games whose moves go from one point to another.
//!
//! A move is written `A1-B1`, from and to in the letters of GTP; `A1B1` is read too. GoGui knows points only: it plays a
//! move in two, the point that it comes from and the one that it goes to, and is answered so.

use std::sync::OnceLock;

use nom::Parser;
use nom::character::complete::{alpha1, char, digit1};
use nom::combinator::{all_consuming, opt, recognize};
use nom::{IResult, sequence::separated_pair};

use super::call::{Call, Command, Dialect};
use super::reply::{Answer, Refusal};
use super::vertex::{self, Notation};
use super::{administration, board, play};
use crate::game::{Game, Side};
use crate::games::{Size, Stepping, avalam, clobber};
use crate::players::{Kind, Played};
use crate::session::{Session, SteppingSession};

/// The names of the two points of a move.
fn ends(word: &str) -> IResult<&str, (&str, &str)> {
    let point = || recognize((alpha1, digit1));
    all_consuming(separated_pair(point(), opt(char('-')), point())).parse(word)
}

/// A move as text.
pub fn show<G: Stepping>(notation: Notation, size: Size, mv: G::Move) -> String {
    let (from, to) = G::ends_on(size, mv);
    format!("{}-{}", notation.show(size, from), notation.show(size, to))
}

/// A move from text.
pub fn read<G: Stepping>(notation: Notation, size: Size, word: &str) -> Option<G::Move> {
    let (from, to) = ends(word).ok()?.1;
    G::between_on(size, notation.read(size, from)?, notation.read(size, to)?)
}

fn play_other<G: Played + Stepping>(
    session: &mut SteppingSession<G>,
    notation: Notation,
    side: Side,
    word: &str,
) -> Option<Result<(), String>> {
    let position = session.core().position();
    if word.eq_ignore_ascii_case("pass") {
        let over = position.outcome().is_some();
        return Some(if over { Ok(()) } else { Err("there is no passing before the end".to_owned()) });
    }
    let point = notation.read(position.size(), word)?;
    Some(session.play_point(side, point))
}

/// A chosen move: its first half while the piece is in hand, its second when it was put down for a client of points.
fn show_chosen<G: Played + Stepping>(session: &SteppingSession<G>, notation: Notation, mv: G::Move) -> String {
    let position = session.core().position();
    let ((from, to), size) = (position.ends(mv), position.size());
    if session.has_lifted_for(mv) {
        notation.show(size, from)
    } else if session.is_by_points() {
        notation.show(size, to)
    } else {
        show::<G>(notation, size, mv)
    }
}

macro_rules! dialects {
    ($($game:ty: $final_score:expr;)*) => {
        $(impl Dialect for SteppingSession<$game> {
            const KIND: Kind = <$game as Played>::KIND;
            const MOVES_ARE_POINTS: bool = false;

            fn size(&self) -> Size {
                Stepping::size(self.core().position())
            }

            fn stone(&self, index: usize) -> Option<Side> {
                self.core().position().owner(index)
            }

            fn is_cell(&self, index: usize) -> bool {
                Stepping::is_cell(self.core().position(), index)
            }

            fn show(notation: Notation, size: Size, mv: <$game as Game>::Move) -> String {
                show::<$game>(notation, size, mv)
            }

            fn show_chosen(&self, notation: Notation, mv: <$game as Game>::Move) -> String {
                show_chosen(self, notation, mv)
            }

            fn read(notation: Notation, size: Size, word: &str) -> Option<<$game as Game>::Move> {
                read::<$game>(notation, size, word)
            }

            fn play_other(&mut self, notation: Notation, side: Side, word: &str) -> Option<Result<(), String>> {
                play_other(self, notation, side, word)
            }

            fn try_play(&mut self, side: Side, mv: <$game as Game>::Move) -> Result<(), String> {
                self.play(side, mv)
            }

            fn gogui_size(&self) -> Size {
                let size = Dialect::size(self);
                Size::square(size.width.max(size.height))
            }

            fn meet_gogui(&mut self) {
                self.answer_by_points();
            }

            fn table() -> &'static [Command<Self>] {
                static TABLE: OnceLock<Vec<Command<SteppingSession<$game>>>> = OnceLock::new();
                TABLE.get_or_init(|| {
                    let mut table = administration::commands();
                    table.extend(play::commands());
                    table.extend(commands());
                    table
                })
            }
        }

        impl Scored for $game {
            fn result(&self) -> Option<Scores> {
                let score: fn(&$game) -> Scores = $final_score;
                self.outcome().map(|_| score(self))
            }
        })*
    };
}

/// The end of a game: `final_score`, and the same for people.
struct Scores {
    score: String,
    text: String,
}

/// What a finished game is told as.
trait Scored: Stepping {
    /// `None` before the end.
    fn result(&self) -> Option<Scores>;
}

fn won(winner: Option<Side>, more: &str) -> Scores {
    match winner {
        None => Scores { score: "0".to_owned(), text: format!("draw{more}") },
        Some(side) => {
            Scores { score: format!("{}+", vertex::letter(side)), text: format!("{} wins{more}", vertex::word(side)) }
        }
    }
}

dialects! {
    clobber::Position: |position| won(position.outcome().and_then(|outcome| outcome.winner), "");
    clobber::Solitaire: |position| {
        let left = position.stones();
        Scores { score: left.to_string(), text: format!("{left} stones are left") }
    };
    avalam::Position: |position| {
        let [first, second] = Side::BOTH.map(|side| position.points_of(side));
        let fives = Side::BOTH.map(|side| position.fives_of(side));
        let more = format!(", {first} towers to {second}, of five {} to {}", fives[0], fives[1]);
        let end = won(position.outcome().and_then(|outcome| outcome.winner), &more);
        let lead = first.abs_diff(second);
        Scores { score: if lead > 0 { format!("{}{lead}", end.score) } else { end.score }, text: end.text }
    };
}

fn commands<G: Played + Scored>() -> Vec<Command<SteppingSession<G>>>
where
    SteppingSession<G>: Dialect + Session<G = G>,
{
    macro_rules! rows {
        ($($name:literal $args:literal $doc:literal $run:expr;)*) => {
            vec![$(Command { name: $name, args: $args, doc: $doc, run: $run },)*]
        };
    }
    rows![
        "boardsize" "WIDTH [HEIGHT]" "Begins a new game on such a board." boardsize;
        "set_position" "[COLOUR POINT ...]" "Begins a game with those stones and no others, Black to move; not for Avalam."
            set_position;
        "showboard" "" "The board for people." showboard;
        "all_legal_moves" "[COLOUR]" "All legal moves." all_legal_moves;
        "final_score" "" "B+ or W+, with the lead in towers for Avalam, 0 for a draw; for Solitaire the number of stones left."
            |call| result(call, |end| end.score);
        "time_left" "COLOUR SECONDS [STONES]" "Sets a clock." |call| play::set_time_left(call, false);
        "gogui-analyze_commands" "" "The analysis menu of GoGui." |_| Ok(
            "param/Search Parameters/losange-set\nstring/Result/final_score\nhstring/Show Board/showboard".to_owned());
        "gogui-rules_board_size" "" "The size of the board." rules_board_size;
        "gogui-rules_board_gfx" "" "The heights of towers, and the piece in hand." rules_board_gfx;
        "gogui-rules_legal_moves" "" "The points that can be played next: of a piece that can move, then of where it can go."
            rules_legal_moves;
        "gogui-rules_final_result" "" "How the game ended." |call| result(call, |end| end.text);
    ]
}

type Stepped<'a, G> = Call<'a, SteppingSession<G>>;

fn boardsize<G: Played + Stepping>(call: &mut Stepped<'_, G>) -> Answer
where
    SteppingSession<G>: Dialect,
{
    let size = play::board_size(call, 1)?;
    // GoGui knows square boards only, and means the one that it was told of.
    let meant = call.session.is_by_points() && size == call.session.gogui_size();
    let size = if meant { Dialect::size(call.session) } else { size };
    if call.session.set_size(size) { Ok(String::new()) } else { Err("unacceptable size".into()) }
}

fn set_position<G: Played + Stepping>(call: &mut Stepped<'_, G>) -> Answer
where
    SteppingSession<G>: Dialect,
{
    let pieces = play::stones(call)?;
    if call.session.set_up(&pieces) { Ok(String::new()) } else { Err("there is no such position".into()) }
}

fn showboard<G: Played + Scored>(call: &mut Stepped<'_, G>) -> Answer
where
    SteppingSession<G>: Dialect + Session<G = G>,
{
    let position = call.session.core().position();
    let moves = call.session.core().history().moves().len();
    let state = match position.result() {
        Some(end) => end.text,
        None if G::PLAYERS == 1 => format!("{moves} moves played"),
        None => format!("{} to move, {moves} moves played", vertex::word(position.to_move())),
    };
    let cell = |point: usize| match (position.is_cell(point), position.owner(point), position.height(point)) {
        (false, ..) => "  ".to_owned(),
        (_, owner, 0 | 1) => format!(" {}", board::mark(owner)),
        (_, owner, height) => format!("{height}{}", board::mark(owner)),
    };
    Ok(board::towers(position.size(), cell, &state))
}

fn all_legal_moves<G: Played + Stepping>(call: &mut Stepped<'_, G>) -> Answer
where
    SteppingSession<G>: Dialect + Session<G = G>,
{
    let mut position = call.session.core().position().clone();
    if call.count() > 0 {
        position.set_to_move(call.side(0)?);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    Ok(moves.into_iter().map(|mv| call.show(mv)).collect::<Vec<_>>().join(" "))
}

fn result<G: Played + Scored>(call: &mut Stepped<'_, G>, told: fn(Scores) -> String) -> Answer
where
    SteppingSession<G>: Session<G = G>,
{
    call.session.core().position().result().map(told).ok_or_else(|| Refusal::from("cannot score: the game is not over"))
}

fn rules_board_size<G: Played + Stepping>(call: &mut Stepped<'_, G>) -> Answer
where
    SteppingSession<G>: Dialect,
{
    Ok(play::show_size(call))
}

fn rules_board_gfx<G: Played + Stepping>(call: &mut Stepped<'_, G>) -> Answer
where
    SteppingSession<G>: Dialect + Session<G = G>,
{
    let position = call.session.core().position();
    let tall = (0..position.points()).filter(|&point| position.height(point) > 1);
    let labels: String = tall.map(|point| format!(" {} {}", call.show_point(point), position.height(point))).collect();
    let mut lines = Vec::new();
    if !labels.is_empty() {
        lines.push(format!("LABEL{labels}"));
    }
    lines.extend(call.session.lifted().map(|point| format!("SQUARE {}", call.show_point(point))));
    Ok(lines.join("\n"))
}

fn rules_legal_moves<G: Played + Stepping>(call: &mut Stepped<'_, G>) -> Answer
where
    SteppingSession<G>: Dialect,
{
    let points = call.session.playable().into_iter();
    Ok(points.map(|point| call.show_point(point)).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back() {
        fn check<G: Stepping>(size: Size) {
            let start = G::start(size).unwrap();
            let mut moves = Vec::new();
            start.legal_moves(&mut moves);
            assert!(!moves.is_empty());
            for mv in moves {
                let text = show::<G>(Notation::Gtp, size, mv);
                assert_eq!(read::<G>(Notation::Gtp, size, &text), Some(mv), "{text}");
                let text = text.replace('-', "").to_lowercase();
                assert_eq!(read::<G>(Notation::Gtp, size, &text), Some(mv), "{text}");
            }
        }
        check::<clobber::Position>(Size { width: 6, height: 5 });
        check::<clobber::Solitaire>(Size { width: 16, height: 3 });
        check::<avalam::Position>(Size::square(9));
    }

    #[test]
    fn what_is_no_move() {
        let size = Size { width: 6, height: 5 };
        for word in ["", "A1", "A1-", "A1-A1", "A1-C1", "A1-B2", "A1--A2", "A1-A2-A3", "A1-A9", "Z1-Z2", "pass"] {
            assert_eq!(read::<clobber::Position>(Notation::Gtp, size, word), None, "{word}");
        }
        assert!(read::<clobber::Position>(Notation::Gtp, size, "A1-A2").is_some());
    }
}
