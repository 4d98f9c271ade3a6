//! Values of first moves that were searched for long: the tables that are compiled in, how they are read, written and shown.
//!
//! A table has a line for each first move, or for all that a symmetry makes the same: the move, the chance that the first player wins
//! after it, in 0..=1, and the visits of the search that says so, with tabs between. Lines that begin with `#` tell how it was made.

use std::fmt::Write;

use super::analysis::{InfoFormat, View, Writer};
use super::call::{Call, Command, Dialect, MoveOf, rows};
use super::notation;
use super::reply::{Answer, Refusal};
use super::vertex::Notation;
use crate::game::Side;
use crate::games::{Grid, Size};
use crate::players::{Played, Setup};
use crate::search::{MoveReport, Report};

macro_rules! tables {
    ($($game:literal $lines:literal,)*) => {
        /// Game, lines of the square board, and text of each table.
        const TABLES: &[(&str, usize, &str)] = &[$((
            $game,
            $lines,
            include_str!(concat!("../../models/openings/", $game, "-", $lines, ".tsv")),
        ),)*];
    };
}

tables! {
    "go" 9,
    "go" 13,
    "go" 19,
    "hex" 5,
    "hex" 6,
    "hex" 7,
    "hex" 9,
    "hex" 11,
    "hex" 13,
    "hex" 14,
    "hex" 19,
}

/// Most lines of a list of moves.
const LISTED: usize = 24;

/// First moves that a symmetry makes the same, and what they are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstMove<M> {
    /// All of them, ascending.
    pub moves: Vec<M>,
    /// Chance that `First` wins, in 0..=1.
    pub winrate: f32,
    /// Visits of the search that says so.
    pub visits: u64,
}

/// Sizes of the game's square boards that have a table.
pub fn sizes(game: &str) -> Vec<usize> {
    TABLES.iter().filter(|table| table.0 == game).map(|table| table.1).collect()
}

/// The table of a board that is compiled in, if there is one.
pub fn shipped<G: Played>(start: &G) -> Option<Vec<FirstMove<G::Move>>> {
    let is_of = |lines: usize| Size::square(lines) == start.size();
    let (.., text) = TABLES.iter().find(|table| table.0 == G::KIND.word() && is_of(table.1))?;
    read(start, text).ok()
}

/// The first moves of a game that have points, those together that a symmetry makes the same.
pub fn alike<G: Played>(start: &G) -> Vec<Vec<G::Move>> {
    let mut moves = Vec::new();
    start.legal_moves(&mut moves);
    let mut classes: Vec<(Vec<u32>, Vec<G::Move>)> = Vec::new();
    for mv in moves.into_iter().filter(|&mv| !G::spell(start.size(), mv).points().is_empty()) {
        let mut child = start.clone();
        child.play(mv);
        let seen = |symmetry| {
            let mut planes = Vec::new();
            child.write_planes(symmetry, &mut planes);
            planes.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let Some(least) = (0..child.symmetries()).map(seen).min() else { continue };
        match classes.iter_mut().find(|(planes, _)| *planes == least) {
            Some((_, moves)) => moves.push(mv),
            None => classes.push((least, vec![mv])),
        }
    }
    classes.into_iter().map(|(_, moves)| moves).collect()
}

/// A line of a table.
pub fn row<G: Played>(start: &G, entry: &FirstMove<G::Move>) -> String {
    let name = notation(G::KIND).show_move::<G>(start.size(), entry.moves[0]);
    format!("{name}\t{:.4}\t{}", entry.winrate, entry.visits)
}

/// Reads a table, the best move for `First` first.
///
/// # Errors
/// The line that is none of a table of that board.
pub fn read<G: Played>(start: &G, text: &str) -> Result<Vec<FirstMove<G::Move>>, String> {
    let mut classes = alike(start);
    let mut table = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let entry = entry(start, &mut classes, line);
        table.push(entry.ok_or_else(|| format!("'{line}' is no new first move with a chance and visits"))?);
    }
    table.sort_by(|a, b| b.winrate.total_cmp(&a.winrate));
    Ok(table)
}

/// The entry of a line, whose moves are taken out of `classes`.
fn entry<G: Played>(start: &G, classes: &mut Vec<Vec<G::Move>>, line: &str) -> Option<FirstMove<G::Move>> {
    let mut words = line.split('\t');
    let mv = notation(G::KIND).read_move::<G>(start.size(), words.next()?)?;
    let winrate: f32 = words.next()?.parse().ok().filter(|winrate| (0.0..=1.0).contains(winrate))?;
    let visits = words.next()?.trim().parse().ok()?;
    let place = classes.iter().position(|moves| moves.contains(&mv))?;
    Some(FirstMove { moves: classes.remove(place), winrate, visits })
}

/// A table for people: a board of per cents, or a list where moves have several points.
pub fn drawn<G: Played>(start: &G, table: &[FirstMove<G::Move>]) -> String {
    let (size, notation) = (start.size(), notation(G::KIND));
    if G::POINTS > 1 {
        return listed::<G>(size, notation, table);
    }
    let mut cells = vec![None; size.points()];
    for entry in table {
        for &mv in &entry.moves {
            if let [point] = *G::spell(size, mv).points() {
                cells[point] = Some(entry.winrate);
            }
        }
    }
    let letters: String = (0..size.width).map(|x| format!("{:>4}", notation.column(x))).collect();
    let mut text = format!("   {letters}\n");
    for y in 0..size.height {
        let shift = if G::GRID == Grid::Hexagons { 2 * y } else { 0 };
        let cell = |x| cells[size.index(x, y)].map_or("   .".to_owned(), |share: f32| format!("{:4.0}", 100.0 * share));
        let row = notation.row(size, y);
        let _ = writeln!(text, "{:shift$}{row:3}{}  {row}", "", (0..size.width).map(cell).collect::<String>());
    }
    let shift = if G::GRID == Grid::Hexagons { 2 * size.height } else { 0 };
    text + &format!("{:shift$}   {letters}", "")
}

/// The best and the worst moves as a list.
fn listed<G: Played>(size: Size, notation: Notation, table: &[FirstMove<G::Move>]) -> String {
    let line = |entry: &FirstMove<G::Move>| {
        let others = entry.moves.len() - 1;
        let same = if others > 0 { format!(", and {others} that a symmetry makes the same") } else { String::new() };
        let name = notation.show_move::<G>(size, entry.moves[0]);
        format!("{name:12} {:5.1} %  {:9} visits{same}", 100.0 * entry.winrate, entry.visits)
    };
    let lines: Vec<String> = table.iter().map(line).collect();
    if lines.len() <= LISTED {
        return lines.join("\n");
    }
    let (best, worst) = (&lines[..LISTED / 2], &lines[lines.len() - LISTED / 2..]);
    format!("{}\n... {} more ...\n{}", best.join("\n"), lines.len() - LISTED, worst.join("\n"))
}

/// The rows of this command.
pub(super) fn commands<S: Dialect>() -> Vec<Command<S>> {
    rows![
        "losange-openings" "" "Values of the first moves on an empty board of this size, seen by Black, from the table that is compiled in: a line as of kata-analyze."
            openings;
    ]
}

fn openings<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let start = S::G::new_game(&Setup { size: Some(call.size()), ..Setup::default() }).map_err(Refusal::new)?;
    let Some(table) = shipped(&start) else {
        return Err(Refusal::new(format_args!(
            "no table of first moves for this board: {} has {}",
            S::KIND,
            match sizes(S::KIND.word()).as_slice() {
                [] => "none".to_owned(),
                sizes => format!("them for {sizes:?}"),
            }
        )));
    };
    let report = report::<S>(&table);
    let line = Writer::of(call).infos(InfoFormat::KataGo, View::default(), &report);
    Ok(line.trim_end().to_owned())
}

/// A table as the report of a search.
fn report<S: Dialect>(table: &[FirstMove<MoveOf<S>>]) -> Report<MoveOf<S>> {
    let one = |entry: &FirstMove<MoveOf<S>>, mv| MoveReport {
        prior: 0.0,
        pv_visits: vec![entry.visits],
        ..MoveReport::plain(mv, entry.visits.max(1), entry.winrate)
    };
    let moves: Vec<_> = table.iter().flat_map(|entry| entry.moves.iter().map(|&mv| one(entry, mv))).collect();
    let winrate = table.first().map_or(0.5, |best| best.winrate);
    let plain = Report::plain(Side::First, 0, std::time::Duration::ZERO, winrate, moves);
    Report { visits: table.iter().map(|entry| entry.visits).sum(), ..plain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{go, hex, othello};

    fn start<G: Played>(lines: usize) -> G {
        G::on(Size::square(lines))
    }

    #[test]
    fn symmetries_make_first_moves_the_same() {
        let counts = |classes: Vec<usize>| (classes.len(), classes.iter().sum::<usize>());
        let of = |moves: Vec<Vec<hex::Move>>| counts(moves.iter().map(Vec::len).collect());
        assert_eq!(of(alike(&start::<hex::Position>(3))), (5, 9));
        assert_eq!(of(alike(&start::<hex::Position>(4))), (8, 16));
        assert_eq!(alike(&start::<go::Position>(9)).len(), 15);
        assert_eq!(alike(&start::<othello::Position>(8)).len(), 1);
    }

    #[test]
    fn tables_are_read_as_they_were_written() {
        let board = start::<hex::Position>(3);
        let classes = alike(&board);
        let entries: Vec<_> = (0u8..)
            .zip(classes)
            .map(|(n, moves)| FirstMove { moves, winrate: 0.5 - f32::from(n) / 16.0, visits: 7 })
            .collect();
        let text: String = entries.iter().map(|entry| row(&board, entry) + "\n").collect();
        assert_eq!(read(&board, &format!("# a table\n{text}")).unwrap(), entries);
        assert!(drawn(&board, &entries).contains("  1  50  44  38  1\n"), "{}", drawn(&board, &entries));
        for wrong in ["a1", "a1\tx\t1", "a1\t1.5\t1", "a1\t0.5\t-1", "d1\t0.5\t1", "a1\t0.5\t1\nc3\t0.5\t1"] {
            assert!(read(&board, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn all_tables_are_whole() {
        struct Check(usize, &'static str);
        impl crate::players::Visitor for Check {
            type Output = ();

            fn visit<G: Played>(self) {
                let board = start::<G>(self.0);
                let table = read(&board, self.1).unwrap();
                assert_eq!(table.len(), alike(&board).len(), "{} on {}", G::KIND, self.0);
                assert_eq!(shipped(&board), Some(table));
            }
        }
        for &(game, lines, text) in TABLES {
            crate::players::Kind::of_word(game).unwrap().visit(Check(lines, text));
        }
    }
}
