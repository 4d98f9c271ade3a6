//! A reviewed game as JSON lines, and as a table with a graph of the win rate.

use std::fmt::Write;

use serde_json::{Value, json};

use super::values::{Grade, Judgement, ValuedMove, Worth};
use super::{Reviewed, Turn, TurnMove};
use crate::game::Side;
use crate::protocol::vertex::{letter, word};

/// Rows of the graph, and its bars by eighths of a row.
const ROWS: usize = 6;
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Columns beside the graph.
const MARGIN: usize = 8;
/// Candidates of a position in JSON, and moves of a better line in the table.
const CANDIDATES: usize = 5;
const LINE: usize = 6;

/// A number with so many digits behind the point.
fn rounded(value: f32, digits: i32) -> Value {
    let scale = 10_f64.powi(digits);
    json!((f64::from(value) * scale).round() / scale)
}

fn side(side: Option<Side>) -> Value {
    side.map_or(Value::Null, |side| json!(letter(side).to_string()))
}

/// One object for each position that was valued, and one of the whole game. Worth are seen by Black. `name` and `number` tell which
/// game it is: its file, and its place there from 1.
pub fn json_lines(reviewed: &Reviewed, name: &str, number: usize) -> String {
    let judged: Vec<_> = reviewed.judged().collect();
    let mut text = String::new();
    for (turn, values) in reviewed.turns.iter().filter_map(|turn| Some((turn, turn.values.as_ref()?))) {
        let found = judged.iter().find(|(other, ..)| other.node == turn.node);
        let mut line = json!({
            "file": name,
            "game": number,
            "turn": turn.number,
            "toMove": letter(values.to_move).to_string(),
            "winrate": rounded(values.winrate, 4),
            "scoreLead": values.score.map(|score| rounded(score, 2)),
            "visits": values.visits,
            "provenWinner": side(values.proven),
            "moves": values.moves.iter().take(CANDIDATES).map(candidate).collect::<Vec<_>>(),
        });
        if let (Some(played), Some(object)) = (&turn.played, line.as_object_mut()) {
            object.insert("player".to_owned(), json!(letter(played.side).to_string()));
            object.insert("move".to_owned(), json!(played.word));
        }
        if let (Some((_, _, before, judgement)), Some(object)) = (found, line.as_object_mut()) {
            object.insert("grade".to_owned(), json!(judgement.grade.word()));
            object.insert("loss".to_owned(), rounded(judgement.loss, 4));
            object.insert("points".to_owned(), judgement.points.map_or(Value::Null, |points| rounded(points, 2)));
            object.insert("better".to_owned(), json!(better(before, judgement)));
        }
        let _ = writeln!(text, "{line}");
    }
    let summary: Value = Side::BOTH.iter().map(|&side| (letter(side).to_string(), summary(reviewed, side))).collect();
    let kind = reviewed.kind.word();
    let size = [reviewed.size.width, reviewed.size.height];
    let line = json!({"file": name, "game": number, "kind": kind, "size": size, "summary": summary});
    text + &line.to_string() + "\n"
}

fn candidate(candidate: &ValuedMove) -> Value {
    json!({
        "move": candidate.word(),
        "winrate": rounded(candidate.winrate, 4),
        "scoreLead": candidate.score.map(|score| rounded(score, 2)),
        "visits": candidate.visits,
        "prior": rounded(candidate.prior, 4),
        "provenWinner": side(candidate.proven),
        "pv": candidate.line.iter().map(|step| step.word.as_str()).collect::<Vec<_>>(),
    })
}

/// The move that would have been better, where the one that was played lost something.
fn better<'a>(before: &'a Worth, judgement: &Judgement) -> Option<&'a str> {
    before.moves.first().filter(|_| judgement.loss > 0.0).map(ValuedMove::word)
}

/// Numbers of moves by grade, and the mean loss.
fn summary(reviewed: &Reviewed, side: Side) -> Value {
    let (moves, loss) = reviewed.mean_loss(side).unwrap_or_default();
    let count = |grade| graded(reviewed, side, grade);
    json!({
        "moves": moves,
        "loss": rounded(loss, 4),
        "inaccuracies": count(Grade::Inaccuracy),
        "mistakes": count(Grade::Mistake),
        "blunders": count(Grade::Blunder),
    })
}

fn graded(reviewed: &Reviewed, side: Side, grade: Grade) -> usize {
    reviewed.judged().filter(|(_, played, _, judgement)| played.side == side && judgement.grade == grade).count()
}

/// Graph, summary and moves of a game for a terminal of that width: the moves that lost as much as the review asks for, or all.
pub fn table(reviewed: &Reviewed, title: &str, width: usize, all: bool) -> String {
    let moves = reviewed.turns.iter().filter(|turn| turn.played.is_some()).count();
    let size = reviewed.size;
    let mut text = format!("{title}: {}, {}x{}, {moves} moves\n", reviewed.kind, size.width, size.height);
    text += &graph(reviewed, width.saturating_sub(MARGIN).max(1));
    for side in Side::BOTH {
        let Some((count, loss)) = reviewed.mean_loss(side) else { continue };
        let number = |grade| graded(reviewed, side, grade);
        let _ = writeln!(
            text,
            "{} lost {:.1} % a move in {count}; inaccuracies {}, mistakes {}, blunders {}",
            word(side),
            100.0 * loss,
            number(Grade::Inaccuracy),
            number(Grade::Mistake),
            number(Grade::Blunder),
        );
    }
    let rows: Vec<_> = reviewed.judged().filter(|(.., judgement)| all || judgement.loss >= reviewed.least).collect();
    if rows.is_empty() {
        let _ = writeln!(text, "no move lost {:.0} % or more", 100.0 * reviewed.least);
        return text;
    }
    let scored = rows.iter().any(|(.., judgement)| judgement.points.is_some());
    let points = if scored { "  points" } else { "" };
    let _ = writeln!(text, "{:>4} {:5} {:8} {:>8} {:>7}{points}  {:10}  better", "", "", "move", "black", "lost", "");
    for (turn, played, before, judgement) in rows {
        row(&mut text, scored, turn, played, before, &judgement);
    }
    text
}

/// Appends the row of a move.
fn row(text: &mut String, scored: bool, turn: &Turn, played: &TurnMove, before: &Worth, judgement: &Judgement) {
    let rate = turn.values.as_ref().map_or(before.winrate, |values| values.winrate);
    let (Turn { number, .. }, TurnMove { side, word: name }) = (turn, played);
    let (black, lost, player) = (100.0 * rate, 100.0 * judgement.loss, word(*side));
    let _ = write!(text, "{number:>4} {player:5} {name:8} {black:>6.1} % {lost:>5.1} %");
    if scored {
        let points = judgement.points.map_or(String::new(), |points| format!("{:.1}", points.max(0.0)));
        let _ = write!(text, "  {points:>6}");
    }
    let grade = judgement.grade.word();
    let line = before.moves.first().filter(|_| judgement.loss > 0.0).map_or(String::new(), |best| {
        best.line.iter().take(LINE).map(|step| step.word.as_str()).collect::<Vec<_>>().join(" ")
    });
    let _ = writeln!(text, "{}", format!("  {grade:10}  {line}").trim_end());
}

/// Black's win rate over the game, in bars; where there are more positions than columns, a bar is the mean of several.
fn graph(reviewed: &Reviewed, width: usize) -> String {
    let rates: Vec<f32> = reviewed.turns.iter().filter_map(|turn| Some(turn.values.as_ref()?.winrate)).collect();
    let columns = rates.len().min(width);
    let mean = |column: usize| {
        let part = &rates[column * rates.len() / columns..(column + 1) * rates.len() / columns];
        part.iter().sum::<f32>() / part.len() as f32
    };
    let eighths: Vec<usize> = (0..columns).map(|column| (mean(column) * (8 * ROWS) as f32).round() as usize).collect();
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let label = match row {
            _ if row == ROWS - 1 => "100 % ",
            _ if row == ROWS / 2 => " 50 % ",
            0 => "  0 % ",
            _ => "      ",
        };
        let bars: String = eighths.iter().map(|&height| BARS[height.saturating_sub(8 * row).min(8)]).collect();
        let _ = writeln!(text, "{label}|{}", bars.trim_end());
    }
    text
}
