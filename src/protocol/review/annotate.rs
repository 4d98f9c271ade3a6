//! A reviewed game as SGF: comments, annotations of moves, values, better lines as variations, and the private properties that Sabaki,
//! Lizzie and the engine's own page read.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Reviewed;
use super::values::{Grade, Judgement, LineMove, ValuedMove, Worth};
use crate::game::Side;
use crate::games::Grid;
use crate::players::{Kind, Played, Visitor};
use crate::protocol::sgf::{SgfNode, SgfTree};
use crate::protocol::vertex::{letter, word};

/// First words of comments that are written here, by which they are found again.
const OWN: &str = "Losange: ";
/// First word of the comment of a variation that is added.
const BETTER: &str = "better";
/// Annotations of a move, of which a node has one.
const ANNOTATIONS: [&str; 4] = ["BM", "DO", "TE", "IT"];
/// A property and its value.
type Mark = (&'static str, &'static str);

const BLUNDER: [Mark; 2] = [("BM", "2"), ("HO", "2")];
const MISTAKE: [Mark; 2] = [("BM", "1"), ("HO", "1")];
const INACCURACY: Mark = ("DO", "");
const TESUJI: Mark = ("TE", "1");
const INTERESTING: Mark = ("IT", "");
/// Least lead of the only good move over the next one, and least gain of a move that was not seen before.
const ONLY: f32 = 0.1;
const UNSEEN: f32 = 0.05;
/// Most moves of a variation that is added.
const VARIATION: usize = 10;

/// The game with its variations and what the review says of its main line. `version` is the program's.
pub fn annotated(reviewed: &Reviewed, version: &str) -> String {
    let mut tree = reviewed.tree.clone();
    let judged: Vec<_> = reviewed.judged().collect();
    for turn in &reviewed.turns {
        let Some(values) = &turn.values else { continue };
        for child in tree.children(turn.node).to_vec() {
            if is_own_line(&tree, child) {
                tree.remove(turn.node, child);
            }
        }
        let judgement = judged.iter().find(|(other, ..)| other.node == turn.node);
        let node = tree.node_mut(turn.node);
        let old = own_marks(node);
        let told = judgement.map(|(_, played, before, judgement)| (*before, played.side, judgement));
        comment(node, told, values);
        annotate(node, judgement.map(|(.., judgement)| judgement), old);
        put_values(node, reviewed.kind, turn.node == 0, values, version);
    }
    for pair in reviewed.turns.windows(2) {
        let [before, turn] = pair else { continue };
        let found = judged.iter().find(|(other, ..)| other.node == turn.node);
        let Some((_, played, values, judgement)) = found.filter(|(.., it)| it.loss >= reviewed.least) else { continue };
        let Some(best) = values.moves.first().filter(|best| best.word() != played.word) else { continue };
        let Some(first) = best.line.first() else { continue };
        let is_there = |&child: &usize| tree.node(child).value(first.property) == Some(first.value.as_str());
        if tree.children(before.node).iter().any(is_there) {
            continue;
        }
        let mut at = before.node;
        for (number, LineMove { property, value, .. }) in best.line.iter().take(VARIATION).enumerate() {
            let mut node = SgfNode::default();
            node.set(property, vec![value.clone()]);
            if number == 0 {
                let chance = percent(best.chance(played.side));
                let text = format!(
                    "{OWN}{BETTER}, {chance} for {}; {} lost {}.",
                    word(played.side),
                    played.word,
                    percent(judgement.loss)
                );
                node.set("C", vec![text]);
            }
            at = tree.add(at, node);
        }
    }
    let root = tree.node_mut(0);
    root.set("CA", vec!["UTF-8".to_owned()]);
    // What some programs write is understood by their name.
    if root.value("AP").is_none() {
        root.set("AP", vec![format!("Losange:{version}")]);
    }
    let summary = summary(reviewed);
    if !summary.is_empty() {
        add_comment(root, &summary);
    }
    tree.write()
}

/// Whether a variation is one that an earlier review has added, and nobody has written to since.
fn is_own_line(tree: &SgfTree, first: usize) -> bool {
    let begins =
        |text: &str| text.strip_prefix(OWN).is_some_and(|text| text.starts_with(BETTER) && !text.contains("\n\n"));
    let (mut at, mut comment) = (first, tree.node(first).value("C").is_some_and(begins));
    while comment && let [next] = tree.children(at) {
        (at, comment) = (*next, tree.node(*next).value("C").is_none());
    }
    comment && tree.children(at).is_empty()
}

/// Annotations that an earlier review may have put beside its comment.
fn own_marks(node: &SgfNode) -> &'static [Mark] {
    let own = |text: &str| text.split("\n\n").find_map(|part| part.strip_prefix(OWN).map(str::to_owned));
    let Some(told) = node.value("C").and_then(own) else { return &[] };
    let is = |grade: Grade| told.starts_with(grade.word());
    match () {
        () if is(Grade::Blunder) => &BLUNDER,
        () if is(Grade::Mistake) => &MISTAKE,
        () if is(Grade::Inaccuracy) => &[INACCURACY],
        () => &[TESUJI, INTERESTING],
    }
}

fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The mean losses of both sides, in a sentence each.
fn summary(reviewed: &Reviewed) -> String {
    let side = |side| {
        let (count, loss) = reviewed.mean_loss(side)?;
        let moves = if count == 1 { "move" } else { "moves" };
        Some(format!("{} lost {} a move in {count} {moves}.", capital(word(side)), percent(loss)))
    };
    Side::BOTH.into_iter().filter_map(side).collect::<Vec<_>>().join(" ")
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Puts what is said of a position and the move to it behind a node's own comment, in the place of what was said before.
fn comment(node: &mut SgfNode, told: Option<(&Worth, Side, &Judgement)>, values: &Worth) {
    let mut text = String::new();
    if let Some((before, _, judgement)) = told {
        text.push_str(judgement.grade.word());
        if judgement.loss > 0.0 {
            let _ = write!(text, ", lost {}", percent(judgement.loss));
            let points = judgement.points.filter(|points| *points >= 0.05);
            let _ = points.map(|points| write!(text, " and {points:.1} points"));
            if let Some(best) = before.moves.first() {
                let _ = write!(text, "; better {}", best.word());
            }
        }
        text += ". ";
    }
    let side = if values.winrate >= 0.5 { Side::First } else { Side::Second };
    let name = capital(word(side));
    let _ = match values.proven {
        Some(winner) => write!(text, "{} wins, which is proved", capital(word(winner))),
        None => write!(text, "{name} wins {}", percent(values.chance(side))),
    };
    if let Some(score) = values.score {
        let leader = if score >= 0.0 { Side::First } else { Side::Second };
        let _ = write!(text, ", {} leads by {:.1}", word(leader), score.abs());
    }
    let _ = write!(text, " ({} visits).", values.visits);
    let old = node.value("C").unwrap_or_default();
    let kept: Vec<&str> = old.split("\n\n").filter(|part| !part.starts_with(OWN) && !part.trim().is_empty()).collect();
    let own = format!("{OWN}{text}");
    let parts: Vec<&str> = kept.into_iter().chain([own.as_str()]).collect();
    let whole = parts.join("\n\n");
    node.set("C", vec![whole]);
}

fn add_comment(node: &mut SgfNode, text: &str) {
    let text = match node.value("C") {
        Some(old) => format!("{old}\n\n{OWN}{text}"),
        None => format!("{OWN}{text}"),
    };
    node.set("C", vec![text]);
}

/// Annotations of a move.
fn marks(judgement: &Judgement) -> &'static [Mark] {
    match judgement.grade {
        Grade::Blunder => &BLUNDER,
        Grade::Mistake => &MISTAKE,
        Grade::Inaccuracy => &[INACCURACY],
        Grade::Best if judgement.lead >= ONLY => &[TESUJI],
        _ if judgement.gain >= UNSEEN => &[INTERESTING],
        _ => &[],
    }
}

/// Puts SGF's annotation of a move, and a hot spot at mistakes, in the place of those of an earlier review. What the record has of its own
/// stays.
fn annotate(node: &mut SgfNode, judgement: Option<&Judgement>, old: &[Mark]) {
    let is_foreign = |node: &SgfNode, key: &str| node.value(key).is_some_and(|value| !old.contains(&(key, value)));
    let annotated = ANNOTATIONS.iter().any(|key| is_foreign(node, key));
    let new = judgement.filter(|_| !annotated).map_or(&[][..], marks);
    for &(key, value) in old {
        if node.value(key) == Some(value) && !new.iter().any(|mark| mark.0 == key) {
            node.set(key, Vec::new());
        }
    }
    for &(key, value) in new {
        if !is_foreign(node, key) {
            node.set(key, vec![value.to_owned()]);
        }
    }
}

/// Puts the values of a position, where other programs look for them.
fn put_values(node: &mut SgfNode, kind: Kind, is_root: bool, values: &Worth, version: &str) {
    // By SGF the value is the score where a game has one; elsewhere it is the expected result in -1..=1.
    let worth = values.score.unwrap_or(2.0 * values.winrate - 1.0);
    node.set("V", vec![format!("{worth:.2}")]);
    node.set("SBKV", vec![format!("{:.2}", 100.0 * values.winrate)]);
    node.set("LOSANGE", vec![as_json(values).to_string()]);
    if kind.visit(IsOfLines) && !values.moves.is_empty() {
        node.set(if is_root { "LZOP" } else { "LZ" }, vec![for_lizzie(values, version)]);
    }
}

/// Whether a game stands on lines, the only board that Lizzie has.
struct IsOfLines;

impl Visitor for IsOfLines {
    type Output = bool;

    fn visit<G: Played>(self) -> bool {
        G::GRID == Grid::Lines
    }
}

/// Values as Lizzie keeps them: program, win rate of whoever has moved, visits; and then candidates seen by the side to move.
fn for_lizzie(values: &Worth, version: &str) -> String {
    let moved = 100.0 * (1.0 - values.chance(values.to_move));
    let candidate = |candidate: &ValuedMove| {
        let line: Vec<&str> = candidate.line.iter().map(|step| step.word.as_str()).collect();
        let rate = (1e4 * candidate.chance(values.to_move)).round();
        format!("move {} visits {} winrate {rate} pv {}", candidate.word(), candidate.visits, line.join(" "))
    };
    let moves: Vec<String> = values.moves.iter().map(candidate).collect();
    format!("{version} {moved:.1} {}\n{}", values.visits, moves.join(" info "))
}

/// A number with so many digits behind the point.
fn rounded(value: f32, digits: i32) -> Value {
    let scale = 10_f64.powi(digits);
    json!((f64::from(value) * scale).round() / scale)
}

/// Values as the page in the browser keeps them, seen by Black.
fn as_json(values: &Worth) -> Value {
    let proven = |side: Option<Side>| side.map(|side| letter(side).to_string());
    let candidate = |candidate: &ValuedMove| {
        let line: Vec<&str> = candidate.line.iter().map(|step| step.word.as_str()).collect();
        json!({
            "move": candidate.word(),
            "winrate": rounded(candidate.winrate, 4),
            "score": rounded(candidate.score.unwrap_or(0.0), 2),
            "visits": candidate.visits,
            "proven": proven(candidate.proven),
            "pv": line,
        })
    };
    json!({
        "winrate": rounded(values.winrate, 4),
        "score": rounded(values.score.unwrap_or(0.0), 2),
        "visits": values.visits,
        "proven": proven(values.proven),
        "moves": values.moves.iter().map(candidate).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::sgf::games;
    use super::*;

    /// A second review finds what the first one has put, and nothing else.
    #[test]
    fn marks_and_lines_of_an_earlier_review_are_its_own() {
        let text = "(;GM[1]\
            (;B[aa]C[Losange: blunder, lost 40.0 %.]BM[2]HO[2])\
            (;B[ab]C[first\n\nLosange: good, lost 1.0 %.]TE[2]IT[])\
            (;B[ac]C[mine]BM[2])\
            (;B[ad]C[Losange: better, 60.0 % for black; D6 lost 2.0 %.];W[bb];B[cc])\
            (;B[ae]C[Losange: better, 60.0 % for black; D6 lost 2.0 %.];W[bb]C[why?])\
            (;B[ba]C[Losange: better, 60.0 % for black; D6 lost 2.0 %.](;W[bb])(;W[cc])))";
        let mut tree = games(text).unwrap().remove(0);
        let children = tree.children(0).to_vec();
        let own: Vec<bool> = children.iter().map(|&child| is_own_line(&tree, child)).collect();
        assert_eq!(own, [false, false, false, true, false, false]);
        for &child in &children {
            let node = tree.node_mut(child);
            annotate(node, None, own_marks(node));
        }
        let has = |place: usize, key: &str| tree.node(children[place]).value(key).is_some();
        assert!(!has(0, "BM") && !has(0, "HO") && has(1, "TE") && !has(1, "IT") && has(2, "BM"));
    }
}
