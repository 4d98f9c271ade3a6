//! `losange describe`: a game as programs need it that train or show it and know no rules.
//!
//! With `--json` one object:
//!
//! | key | value |
//! | --- | --- |
//! | `word`, `name` | the game in commands, and for people |
//! | `players`, `draws` | 1 or 2; whether a game can end without a winner |
//! | `boards` | `[fewest, most]` lines of a side, rectangles included |
//! | `usual` | `[columns, rows]` of a new game |
//! | `size` | `[columns, rows]` of the board that the rest is about: `--size`, or the usual one |
//! | `model` | what a model says of itself in its metadata: `game`, `encoding`, and `scoring` or null |
//! | `shape` | `[planes, rows, columns]` of the input, with a border around the board where the encoding has one |
//! | `board` | `[rows, columns]` of the board in it, as the side to move sees it |
//! | `outputs` | for each output that a model may have the number of its values: `value`, `score`, `actions`, `policy`, `ownership` |
//! | `actions` | for each number of `actions` and `policy` the cells of `board`, row by row, that its move touches, in order; none for a move without points, such as a pass, and for one that would leave the board |
//! | `moves` | for each move index of the game the points, row by row from the top left, that it touches |
//! | `symmetries` | the symmetries of the board, of which the first changes nothing: `planes`, `points` and `actions` tell for each number of a plane with its border, of `ownership` and of `policy` where the symmetry puts it |
//!
//! Cells and points differ where the side to move sees the board turned; `actions` is as the first player sees it, before any move.

use crate::games::Size;
use crate::players::{Kind, Played, Setup, Visitor};
use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};

use super::options::{kind, size};
use super::out::say;

/// Game to describe.
#[derive(Debug, Args)]
pub(crate) struct Describe {
    /// The game.
    #[arg(value_parser = kind())]
    game: Kind,
    /// Board, such as 9 or 6x5; the usual one where it is not said.
    #[arg(long, value_parser = size)]
    size: Option<Size>,
    /// For programs: all of it, as one object of JSON.
    #[arg(long)]
    json: bool,
}

/// Prints the description.
pub(crate) fn run(options: &Describe) -> anyhow::Result<()> {
    let game = options.game.visit(Description(options.size))?;
    if options.json {
        say!("{game}");
        return Ok(());
    }
    let list = |key: &str| game[key].as_array().map_or(0, Vec::len);
    say!("{} ({}) is played on {}", options.game, options.game.word(), options.game.boards());
    say!("board        {}", game["size"]);
    say!("players      {}", game["players"]);
    say!("moves        {}", list("moves"));
    say!("encoding     {}, {} planes, rows, columns", game["model"]["encoding"], game["shape"]);
    say!("outputs      {}", game["outputs"]);
    say!("symmetries   {}", list("symmetries"));
    Ok(())
}

/// The description of a game on that board, or on the usual one.
struct Description(Option<Size>);

impl Visitor for Description {
    type Output = anyhow::Result<Value>;

    fn visit<G: Played>(self) -> Self::Output {
        let start = G::new_game(&Setup { size: self.0, ..Setup::default() })?;
        let size = start.size();
        let count = start.action_count();
        let (mut moves, mut actions) = (vec![Vec::new(); start.move_count()], vec![Vec::new(); count]);
        for (index, points) in moves.iter_mut().enumerate() {
            let mv = start.move_at(index);
            // Words have none, and neither has a step that would leave the board.
            let spelling = G::spell(size, mv);
            *points = G::unspell(size, &spelling).map_or(Vec::new(), |_| spelling.points().to_vec());
            if let Some(action) = start.action_index(mv, 0) {
                actions[action] = points.iter().map(|&point| start.point_index(point, 0)).collect();
            }
        }
        let policy = if start.policy_count() == count { None } else { Some(policy(&start)) };
        let symmetries =
            (0..start.symmetries()).map(|number| symmetry(&start, number)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(json!({
            "word": G::KIND.word(),
            "name": G::KIND.name(),
            "players": G::PLAYERS,
            "draws": G::DRAWS,
            "boards": [G::BOARDS.fewest, G::BOARDS.most],
            "usual": [G::USUAL.width, G::USUAL.height],
            "size": [size.width, size.height],
            "model": { "game": G::NAME, "encoding": G::ENCODING, "scoring": start.scoring() },
            "shape": start.shape(),
            "board": start.board(),
            "outputs": { "value": 1, "score": 1, "actions": count, "policy": start.policy_count(), "ownership": start.points() },
            "actions": actions,
            "policy": policy,
            "moves": moves,
            "symmetries": symmetries,
        }))
    }
}

/// Entries of a policy whose sum is each action's, in games whose actions have none of their own.
fn policy<G: Played>(start: &G) -> Vec<[usize; 2]> {
    let mut entries = vec![[0; 2]; start.action_count()];
    for mv in (0..start.move_count()).map(|index| start.move_at(index)) {
        if let (Some(action), Some((first, Some(second)))) = (start.action_index(mv, 0), start.policy_entries(mv, 0)) {
            entries[action] = [first, second];
        }
    }
    entries
}

/// Where a symmetry puts the numbers of planes, of points and of actions.
fn symmetry<G: Played>(start: &G, number: usize) -> anyhow::Result<Value> {
    let mut points = vec![0; start.points()];
    for point in 0..start.points() {
        points[start.point_index(point, 0)] = start.point_index(point, number);
    }
    let mut actions: Vec<usize> = (0..start.action_count()).collect();
    for mv in (0..start.move_count()).map(|index| start.move_at(index)) {
        if let (Some(from), Some(to)) = (start.action_index(mv, 0), start.action_index(mv, number)) {
            actions[from] = to;
        }
    }
    let planes = with_border(start.board(), start.shape(), &points)
        .with_context(|| format!("symmetry {number} of {} is none of a rectangle", G::KIND))?;
    Ok(json!({ "planes": planes, "points": points, "actions": actions }))
}

/// A cell after a symmetry of a rectangle: columns reversed (1), rows reversed (2), rows and columns exchanged (4).
fn turned([rows, columns]: [usize; 2], cell: usize, symmetry: usize) -> usize {
    let (row, column) = (cell / columns, cell % columns);
    let column = if symmetry & 1 == 0 { column } else { columns - 1 - column };
    let row = if symmetry & 2 == 0 { row } else { rows - 1 - row };
    if symmetry & 4 == 0 { row * columns + column } else { column * rows + row }
}

/// Where a symmetry that does so with the points of the board puts the cells of a plane, which may have a border around it.
fn with_border(board: [usize; 2], shape: [usize; 3], points: &[usize]) -> anyhow::Result<Vec<usize>> {
    let [_, rows, columns] = shape;
    if board == [rows, columns] {
        return Ok(points.to_vec());
    }
    let same = |symmetry: &usize| (0..points.len()).all(|cell| turned(board, cell, *symmetry) == points[cell]);
    let Some(symmetry) = (0..8).find(same) else { bail!("the points are not turned or reflected") };
    Ok((0..rows * columns).map(|cell| turned([rows, columns], cell, symmetry)).collect())
}
