//! Games and positions as JSON, for a program that shows a board and knows no rules; and positions set up on it.

use serde_json::{Value, json};

use super::call::{Call, Command, Dialect, rows};
use super::openings;
use super::play;
use super::points::told;
use super::reply::{Answer, Refusal};
use super::vertex::{Notation, letter};
use crate::game::{Game, Side};
use crate::games::{Spelled, occupant};
use crate::players::{Kind, Played, Visitor, levels};

/// The rows of these commands.
pub(super) fn commands<S: Dialect>() -> Vec<Command<S>> {
    rows![
        "losange-games" "" "All games and their boards, as JSON." |_| Ok(games());
        "losange-state" "" "The position as JSON: board, side to move, legal moves, the end." |call| Ok(state(call));
        "losange-setup" "COLOUR [WORD POINT ...]" "Begins a game with those occupants of points and no others, COLOUR to move: b or w, b3 for a tower of Avalam, 2 for levels of Santorini, burnt for a square of Amazons."
            setup;
        "losange-edit" "COLOUR [WORD POINT ...]" "Begins a game at the position with those occupants changed, COLOUR to move; a dot empties a point, other words as of losange-setup."
            edit;
    ]
}

/// Description of a game.
struct Describe;

impl Visitor for Describe {
    type Output = Value;

    fn visit<G: Played>(self) -> Value {
        let letters = match Notation::on(G::GRID) {
            Notation::Gtp => "gtp",
            Notation::Htp => "htp",
        };
        json!({
            "word": G::KIND.word(),
            "name": G::KIND.name(),
            "players": G::PLAYERS,
            "draws": G::DRAWS,
            "boards": [G::BOARDS.fewest, G::BOARDS.most],
            "usual": [G::USUAL.width, G::USUAL.height],
            "grid": G::GRID.word(),
            "letters": letters,
            "points": G::POINTS,
            "sgf": G::SGF,
            "tallest": G::TALLEST,
            "levels": G::LEVELS,
            "burns": G::BURNS,
            "openings": openings::sizes(G::KIND.word()),
            "play_levels": levels::names::<G>(),
        })
    }
}

/// All games and their boards, as JSON.
pub(crate) fn games() -> String {
    Value::from_iter(Kind::ALL.iter().map(|kind| kind.visit(Describe))).to_string()
}

/// Mark of a point: of a piece, of an empty cell, of none.
fn mark<G: Spelled>(position: &G, point: usize) -> char {
    match position.owner(point) {
        Some(side) => letter(side),
        None if position.is_cell(point) => '.',
        None => '?',
    }
}

fn state<S: Dialect>(call: &Call<'_, S>) -> String {
    let position = call.session.core().position();
    let (size, points) = (call.size(), call.size().points());
    let mut moves = Vec::new();
    if position.outcome().is_none() {
        position.legal_moves(&mut moves);
    }
    let end = call.session.ending().map(|(end, outcome)| {
        json!({
            "winner": outcome.and_then(|outcome| outcome.winner).map(|side| letter(side).to_string()),
            "score": outcome.map_or(0.0, |outcome| outcome.score),
            "text": told(&end),
        })
    });
    let heights: Vec<usize> = (0..points).map(|point| position.height(point)).collect();
    let levels: Vec<usize> = (0..points).map(|point| position.levels(point)).collect();
    json!({
        "game": S::KIND.word(),
        "size": [size.width, size.height],
        "turn": letter(position.to_move()).to_string(),
        "moves": call.session.core().history().moves().len(),
        "board": (0..points).map(|point| mark(position, point)).collect::<String>(),
        "heights": heights.iter().any(|&height| height > 1).then_some(heights),
        "levels": levels.iter().any(|&level| level > 0).then_some(levels),
        "legal": moves.into_iter().map(|mv| call.show(mv)).collect::<Vec<_>>(),
        "end": end,
    })
    .to_string()
}

fn setup<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let side = call.side(0)?;
    let occupants = play::occupants(call, 1)?;
    call.session.set_up(&occupants).map_err(Refusal::new)?;
    turn(call, side);
    Ok(String::new())
}

fn edit<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let side = call.side(0)?;
    let changes = play::changes(call, 1)?;
    let now = call.session.core().position();
    let mut occupants = now.occupants();
    changes.iter().for_each(|&(occupant, point)| occupant::put(&mut occupants, occupant, point));
    let position = now.with_occupants(&occupants).map_err(Refusal::new)?;
    call.session.restart(position);
    turn(call, side);
    Ok(String::new())
}

/// Gives the turn to a side, in games for two.
fn turn<S: Dialect>(call: &mut Call<'_, S>, side: Side) {
    if side != call.session.core().position().to_move() && <S::G as Game>::PLAYERS > 1 {
        call.session.set_to_move(side);
    }
}
