//! Board, stones and moves of a query.

use serde_json::Value;

use super::fields::{Fault, Fields};
use super::go;
use crate::game::Side;
use crate::games::occupant::{self, Occupant};
use crate::games::{Size, Spelling};
use crate::players::{Played, Setup};
use crate::protocol::occupants;
use crate::protocol::vertex::{self, Notation};

const NO_MOVES: &str = "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]";
const NO_POINTS: &str = "Must be an array of GTP board vertices";

/// A game as far as it was played.
#[derive(Clone, Debug)]
pub(super) struct Course<G: Played> {
    start: G,
    moves: Vec<(Side, G::Move)>,
}

/// Size of the board, one that the game is played on.
fn board<G: Played>(fields: Fields<'_>) -> Result<Size, Fault> {
    let (fewest, most) = (G::BOARDS.fewest, G::BOARDS.most);
    let text = format!("Must provide an integer from {fewest} to {most}");
    let read = |field: &str| {
        let lines = fields.integer(field, fewest as i64, most as i64, &text)?;
        lines.map(|lines| lines as usize).ok_or_else(|| Fault::new(field, &text))
    };
    Ok(Size { width: read("boardXSize")?, height: read("boardYSize")? })
}

/// The point of a word: in the notation of the game, or column and row from the top left corner as `(3,4)`.
fn point_of(notation: Notation, size: Size, word: &str) -> Option<usize> {
    let Some(inner) = word.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return notation.read(size, word);
    };
    let (x, y) = inner.split_once(',')?;
    let (x, y): (usize, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    (x < size.width && y < size.height).then(|| size.index(x, y))
}

/// The move of a word: in the notation of the game, or one of a point as [`point_of`] reads it.
pub(super) fn move_of<G: Played>(notation: Notation, size: Size, word: &str) -> Option<G::Move> {
    if !word.trim().starts_with('(') {
        return notation.read_move::<G>(size, word);
    }
    G::unspell(size, &[point_of(notation, size, word)?].into())
}

/// Moves of a list of words.
pub(super) fn moves<G: Played>(
    notation: Notation,
    size: Size,
    field: &str,
    value: Option<&Value>,
) -> Result<Vec<G::Move>, Fault> {
    let words = value.and_then(Value::as_array).ok_or_else(|| Fault::new(field, NO_POINTS))?;
    let read = |word: &Value| {
        let word = word.as_str().ok_or_else(|| Fault::new(field, NO_POINTS))?;
        move_of::<G>(notation, size, word).ok_or_else(|| no_location(field, word))
    };
    words.iter().map(read).collect()
}

fn no_location(field: &str, word: &str) -> Fault {
    Fault::new(field, format!("Could not parse board location: {word}"))
}

/// Player, or what else stands on a point, and word of each pair of a list.
fn pairs<'a, T>(field: &str, value: &'a Value, read: impl Fn(&str) -> Option<T>) -> Result<Vec<(T, &'a str)>, Fault> {
    let wrong = || Fault::new(field, NO_MOVES);
    let pair = |value: &'a Value| {
        let pair = value.as_array().filter(|pair| pair.len() == 2).ok_or_else(wrong)?;
        let (player, word) = (pair[0].as_str().ok_or_else(wrong)?, pair[1].as_str().ok_or_else(wrong)?);
        let read = read(player).ok_or_else(|| Fault::new(field, format!("Could not parse player: {player}")))?;
        Ok((read, word))
    };
    value.as_array().ok_or_else(wrong)?.iter().map(pair).collect()
}

/// Plays a move for a side; `false`, and nothing is changed, if it is none. Stones on empty points that the rules forbid are put there
/// all the same, where they stand then: records come from servers with other rules.
fn play<G: Played>(position: &mut G, side: Side, mv: G::Move) -> bool {
    if position.to_move() != side {
        position.set_to_move(side);
    }
    let mv = position.in_order(mv);
    if position.objection(mv).is_none() || position.tolerates(mv) {
        position.play(mv);
        return true;
    }
    let points = G::spell(position.size(), mv);
    let Some(&point) = points.points().first() else { return false };
    if position.piece(point).is_some() || position.outcome().is_some() {
        return false;
    }
    let after = position.forced(mv).filter(|after| after.piece(point).is_some());
    after.map(|after| *position = after).is_some()
}

impl<G: Played> Course<G> {
    /// Reads size, rules, stones and moves, but does not play these yet.
    pub(super) fn read(fields: Fields<'_>, notation: Notation, mut setup: Setup) -> Result<Self, Fault> {
        let size = board::<G>(fields)?;
        setup.size = Some(size);
        let stones = Self::stones(fields, notation, size)?;
        let list = fields
            .get("moves")
            .ok_or_else(|| Fault::new("moves", "Must specify an array of [player,location] pairs"))?;
        let read = |(side, word)| {
            let mv = move_of::<G>(notation, size, word).ok_or_else(|| no_location("moves", word))?;
            Ok((side, mv))
        };
        let moves: Vec<_> =
            pairs("moves", list, |word| vertex::colour(word).ok())?.into_iter().map(read).collect::<Result<_, _>>()?;
        let first = fields.side("initialPlayer")?.or(moves.first().map(|(side, _)| *side));
        if go::has_rules(G::KIND) {
            go::read(fields, &mut setup)?;
        }
        let mut start = G::new_game(&setup).map_err(|error| Fault::new("boardXSize", error.to_string()))?;
        start = Self::with_rules(start, fields, &stones)?;
        if !stones.is_empty() {
            start = start.with_occupants(&stones).map_err(|why| Fault::new("initialStones", why))?;
        }
        if let Some(side) = first {
            start.set_to_move(side);
        }
        Ok(Self { start, moves })
    }

    /// Stones of the start and what else stands there, of two on one point the later one.
    fn stones(fields: Fields<'_>, notation: Notation, size: Size) -> Result<Vec<(Occupant, usize)>, Fault> {
        const FIELD: &str = "initialStones";
        let mut stones = Vec::new();
        let list = fields.get(FIELD).map(|list| pairs(FIELD, list, occupants::read)).transpose()?;
        for (occupant, word) in list.unwrap_or_default() {
            let point = point_of(notation, size, word).ok_or_else(|| no_location(FIELD, word))?;
            occupant::put(&mut stones, Some(occupant), point);
        }
        Ok(stones)
    }

    /// Rules of other games than Go: with or without a swap, where there is one. Handicap of Go.
    fn with_rules(start: G, fields: Fields<'_>, stones: &[(Occupant, usize)]) -> Result<G, Fault> {
        if go::has_rules(G::KIND) {
            let handicap = go::handicap(&occupant::pieces(stones)).to_string();
            let property = |name: &str| (name == "HA").then_some(handicap.as_str());
            return start.with_properties(&property).map_err(|why| Fault::new("initialStones", why));
        }
        let Some(rules) = fields.get("rules") else { return Ok(start) };
        let swaps = G::unspell(start.size(), &Spelling::SWAP).is_some();
        match rules.as_str().map(str::to_ascii_lowercase).as_deref() {
            Some("standard") => Ok(start),
            Some(Spelling::SWAP_RULE) if swaps => {
                start.with_properties(&|_| Some(Spelling::SWAP_RULE)).map_err(|why| Fault::new("rules", why))
            }
            _ => Err(Fault::new("rules", format!("Could not parse rules: {}", super::fields::text_of(rules)))),
        }
    }

    /// Number of moves.
    pub(super) fn length(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn size(&self) -> Size {
        self.start.size()
    }

    /// Plays all moves.
    ///
    /// # Errors
    /// The first that cannot be played.
    pub(super) fn check(&self, notation: Notation) -> Result<(), Fault> {
        let mut position = self.start.clone();
        for (number, &(side, mv)) in self.moves.iter().enumerate() {
            if !play(&mut position, side, mv) {
                let word = notation.show_move::<G>(self.size(), mv);
                return Err(Fault::new("moves", format!("Illegal move {number}: {word}")));
            }
        }
        Ok(())
    }

    /// The position after so many moves.
    pub(super) fn after(&self, count: usize) -> G {
        let mut position = self.start.clone();
        self.moves.iter().take(count).for_each(|&(side, mv)| _ = play(&mut position, side, mv));
        position
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::game::Game;
    use crate::games::{Spelled, amazons, avalam, clobber, go as go_game, hex, santorini};

    fn read<G: Played>(notation: Notation, value: &Value) -> Result<Course<G>, Fault> {
        let course = Course::<G>::read(Fields(value.as_object().unwrap()), notation, Setup::default())?;
        course.check(notation).map(|()| course)
    }

    fn go_record(value: &Value) -> Result<Course<go_game::Position>, Fault> {
        let mut query = json!({"boardXSize": 5, "boardYSize": 4, "rules": "chinese", "moves": []});
        query.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
        read(Notation::Gtp, &query)
    }

    #[test]
    fn points_are_named_by_letters_or_numbers() {
        let course =
            go_record(&json!({"moves": [["b", "(0,0)"], ["W", "A3"], ["white", "(4, 3)"], ["B", "pass"]]})).unwrap();
        let position = course.after(course.length());
        assert_eq!(
            (position.stone(0), position.stone(5), position.stone(19)),
            (Some(Side::First), Some(Side::Second), Some(Side::Second))
        );
        assert_eq!(
            (position.to_move(), course.after(1).to_move(), course.after(0).stones(Side::First)),
            (Side::Second, Side::Second, 0)
        );
        for word in ["Z5", "A5", "(5,0)", "(0,4)", "(1)", "(-1,0)", ""] {
            let fault = go_record(&json!({"moves": [["b", word]]})).unwrap_err();
            assert_eq!(fault, Fault::new("moves", format!("Could not parse board location: {word}")));
        }
    }

    #[test]
    fn illegal_moves_are_named() {
        let fault = go_record(&json!({"moves": [["b", "A1"], ["w", "(0,3)"]]})).unwrap_err();
        assert_eq!(fault, Fault::new("moves", "Illegal move 1: A1"));
        assert_eq!(go_record(&json!({"moves": [["x", "A1"]]})).unwrap_err().text, "Could not parse player: x");
        for moves in [json!({}), json!(["b"]), json!([["b"]]), json!([[1, "A1"]]), json!([["b", "A1", "A2"]])] {
            assert_eq!(go_record(&json!({ "moves": moves })).unwrap_err(), Fault::new("moves", NO_MOVES));
        }
        // Taking back in a ko at once is against the rules, but servers have others; so has a stone that takes nothing.
        let ko = json!({"initialStones": [["b", "B4"], ["b", "A3"], ["b", "B2"], ["w", "C4"], ["w", "D3"], ["w", "C2"], ["w", "B3"]],
                        "moves": [["b", "C3"], ["w", "B3"], ["b", "C3"]]});
        assert_eq!(go_record(&ko).unwrap().after(3).lost(Side::Second), 2);
    }

    #[test]
    fn stones_and_players_of_the_start() {
        let stones = json!({"initialStones": [["b", "A1"], ["b", "C2"], ["w", "A1"], ["b", "A1"]]});
        let start = go_record(&stones).unwrap().after(0);
        assert_eq!((start.handicap(), start.to_move(), start.stones(Side::First)), (2, Side::Second, 2));
        let player =
            |stones: Value, player: Value| go_record(&json!({"initialStones": stones, "initialPlayer": player}));
        assert_eq!(player(json!([["b", "A1"], ["b", "A2"]]), json!("b")).unwrap().after(0).to_move(), Side::First);
        assert_eq!(player(json!([["b", "A1"]]), json!("w")).unwrap().after(0).handicap(), 0);
        assert_eq!(player(json!([]), json!(1)).unwrap_err(), Fault::new("initialPlayer", "Must be \"b\" or \"w\""));
        assert_eq!(
            player(json!([["b", "pass"]]), json!("b")).unwrap_err().text,
            "Could not parse board location: pass"
        );
    }

    #[test]
    fn pieces_that_move_stand_on_points() {
        let stones = json!([["b", "A1"], ["w", "(1,2)"]]);
        let query = json!({"boardXSize": 3, "boardYSize": 3, "initialStones": stones, "moves": [["b", "A1-B1"]]});
        let course = read::<clobber::Position>(Notation::Gtp, &query).unwrap();
        let side = |number: usize, point: usize| Spelled::piece(&course.after(number), point).map(|piece| piece.side);
        assert_eq!([side(0, 6), side(0, 7), side(1, 7)], [Some(Side::First), Some(Side::Second), Some(Side::First)]);
    }

    #[test]
    fn towers_buildings_and_burnt_squares_stand_on_points() {
        let query = |size: usize, stones: Value| json!({"boardXSize": size, "boardYSize": size, "initialStones": stones, "moves": []});
        let stones = json!([["B", "A1"], ["b", "B1"], ["W", "A3"], ["w", "B3"], ["1", "A1"], ["2", "A1"], ["4", "C2"]]);
        let course = read::<santorini::Position>(Notation::Gtp, &query(3, stones)).unwrap();
        assert_eq!([6, 5, 0].map(|point| course.after(0).levels(point)), [2, 4, 0]);
        // Workers are put down in any order.
        let mut placing = query(3, json!([]));
        placing["moves"] = json!([["b", "A1-C3"], ["w", "B1-B3"]]);
        let placed = read::<santorini::Position>(Notation::Gtp, &placing).unwrap().after(2);
        assert_eq!([6, 2, 7, 1].map(|point| Spelled::piece(&placed, point).is_some()), [true; 4]);
        let stones = json!([["b", "A1"], ["w", "D4"], ["burnt", "(1,1)"], ["burnt", "D4"], ["w", "D3"]]);
        let course = read::<amazons::Position>(Notation::Gtp, &query(4, stones)).unwrap();
        assert_eq!([3, 5, 7].map(|point| course.after(0).is_cell(point)), [false, false, true]);
        let course = read::<avalam::Position>(Notation::Gtp, &query(9, json!([["W4", "C9"], ["B", "D9"]]))).unwrap();
        assert_eq!([2, 3].map(|point| course.after(0).height(point)), [4, 1]);
        let wrong = |stones| read::<avalam::Position>(Notation::Gtp, &query(9, stones)).unwrap_err();
        assert_eq!(wrong(json!([["burnt", "C9"]])), Fault::new("initialStones", "this game has no burnt squares"));
        assert_eq!(wrong(json!([["x", "C9"]])).text, "Could not parse player: x");
    }

    #[test]
    fn other_games_have_boards_and_rules_of_their_own() {
        let query = |size: i64, rules: Value, moves: Value| {
            let mut query = json!({"boardXSize": size, "boardYSize": size, "moves": moves});
            query.as_object_mut().unwrap().extend(rules.as_object().unwrap().clone());
            read::<hex::Position>(Notation::Htp, &query)
        };
        let swap = json!([["b", "a2"], ["w", "swap-pieces"]]);
        let swapped = query(3, json!({"rules": "swap"}), swap.clone()).unwrap().after(2);
        assert_eq!(Spelled::piece(&swapped, 1).map(|piece| piece.side), Some(Side::Second));
        assert_eq!(query(3, json!({}), swap).unwrap_err().text, "Illegal move 1: swap-pieces");
        // Records may go on behind the win.
        let won = json!([["b", "a1"], ["b", "a2"], ["b", "a3"], ["w", "b1"]]);
        assert_eq!(query(3, json!({}), won).unwrap().after(4).stones(), 4);
        assert_eq!(
            query(3, json!({"rules": "chinese"}), json!([])).unwrap_err().text,
            "Could not parse rules: chinese"
        );
        assert_eq!(
            query(33, json!({}), json!([])).unwrap_err(),
            Fault::new("boardXSize", "Must provide an integer from 1 to 32")
        );
        assert!(query(1, json!({}), json!([["b", "a1"]])).is_ok());
    }
}
