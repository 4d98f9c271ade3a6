//! Reports as text, in the grammar of each client, and the arguments of the analysis commands.

use std::fmt::Write;
use std::time::Duration;

use super::call::{Call, Dialect, MoveOf};
use super::reply::Refusal;
use super::vertex::{self, Notation};
use crate::game::Side;
use crate::games::{Size, Spelled, Spelling};
use crate::search::report::Detail;
use crate::search::{MoveReport, Report, Restriction};
use crate::session::SearchOptions;

/// Number of something that a network does not say.
const UNKNOWN: f32 = -1.0;

/// The two families of info lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoFormat {
    /// Whole numbers of ten-thousandths.
    LeelaZero,
    /// Decimal fractions, and more of them.
    KataGo,
}

/// Arguments of an analysis command.
#[derive(Clone, Debug)]
pub struct Request<M> {
    /// Side that views and moves; the side to move where it is not said.
    pub side: Option<Side>,
    /// Interval, fewest and most moves, and what is to be shown beside them.
    pub view: View,
    /// Options of the search.
    pub options: SearchOptions<M>,
}

/// Parts of a report that are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    min_moves: usize,
    max_moves: Option<usize>,
    root_info: bool,
    ownership: bool,
    ownership_stdev: bool,
    proven_winner: bool,
    moves_ownership: bool,
    moves_ownership_stdev: bool,
    pv_visits: bool,
    pv_edge_visits: bool,
    no_result: bool,
}

fn seconds_from_centi(word: &str) -> Option<Duration> {
    let centi: f64 = word.parse().ok()?;
    (0.0..=1e9).contains(&centi).then(|| Duration::from_secs_f64(centi / 100.0).max(Duration::from_millis(1)))
}

/// The keys that analysis commands read, each with the family that alone has it.
const KEYS: [(&str, Option<InfoFormat>); 14] = [
    ("interval", None),
    ("minmoves", None),
    ("maxmoves", None),
    ("avoid", None),
    ("allow", None),
    ("rootInfo", Some(InfoFormat::KataGo)),
    ("ownership", Some(InfoFormat::KataGo)),
    ("ownershipStdev", Some(InfoFormat::KataGo)),
    ("provenWinner", Some(InfoFormat::KataGo)),
    ("movesOwnership", Some(InfoFormat::KataGo)),
    ("movesOwnershipStdev", Some(InfoFormat::KataGo)),
    ("pvVisits", Some(InfoFormat::KataGo)),
    ("pvEdgeVisits", Some(InfoFormat::KataGo)),
    ("noResultValue", Some(InfoFormat::KataGo)),
];

fn unknown_key(key: &str, style: InfoFormat) -> Refusal {
    let known = KEYS.iter().filter(|(_, family)| family.is_none_or(|family| family == style)).map(|&(key, _)| key);
    let known = known.collect::<Vec<_>>().join(", ");
    Refusal::new(format_args!("unknown key '{key}': expected one of {known}"))
}

/// Reads the arguments of an analysis command: an optional colour, an optional interval in hundredths of a second, then
/// keys and values in any order.
///
/// # Errors
/// Says which argument is wrong; nothing has been sent then.
pub fn arguments<S: Dialect>(call: &Call<'_, S>, style: InfoFormat) -> Result<Request<MoveOf<S>>, Refusal> {
    let mut words = call.line.args.iter().map(String::as_str).peekable();
    let side = words.peek().and_then(|w| vertex::colour(w).ok());
    if side.is_some() {
        words.next();
    }
    let mut request = Request { side, view: View::default(), options: SearchOptions::default() };
    if let Some(word) = words.peek().filter(|w| w.starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c))) {
        request.options.report_every = Some(seconds_from_centi(word).ok_or_else(|| bad("the interval", word))?);
        words.next();
    }
    while let Some(key) = words.next() {
        if !KEYS.iter().any(|&(known, family)| known == key && family.is_none_or(|family| family == style)) {
            return Err(unknown_key(key, style));
        }
        let mut value = || words.next().ok_or_else(|| Refusal::new(format_args!("'{key}' is missing its value")));
        match (key, style) {
            ("interval", _) => {
                let word = value()?;
                request.options.report_every = Some(seconds_from_centi(word).ok_or_else(|| bad(key, word))?);
            }
            ("minmoves", _) => request.view.min_moves = number(key, value()?)?,
            ("maxmoves", _) => request.view.max_moves = Some(number(key, value()?)?),
            ("avoid" | "allow", _) => {
                let (side, list, depth) = (vertex::colour(value()?)?, value()?, value()?);
                let read = |word| Ok(call.session.core().in_order(side, call.read(word)?));
                let moves = list.split(',').map(read).collect::<Result<Vec<_>, Refusal>>()?;
                let depth = number("the depth", depth)?;
                let allow = key == "allow";
                if depth == 0 {
                    return Err(bad("the depth", "0"));
                }
                if request.options.restrictions.iter().any(|r| r.side == side && (r.allow || allow)) {
                    return Err("one 'allow' for a colour, and no 'avoid' beside it".into());
                }
                request.options.restrictions.push(Restriction::new(side, moves, allow, depth));
            }
            ("rootInfo", InfoFormat::KataGo) => request.view.root_info = truth(key, value()?)?,
            ("ownership", InfoFormat::KataGo) => request.view.ownership = truth(key, value()?)?,
            ("ownershipStdev", InfoFormat::KataGo) => request.view.ownership_stdev = truth(key, value()?)?,
            ("provenWinner", InfoFormat::KataGo) => request.view.proven_winner = truth(key, value()?)?,
            ("movesOwnership", InfoFormat::KataGo) => request.view.moves_ownership = truth(key, value()?)?,
            ("movesOwnershipStdev", InfoFormat::KataGo) => request.view.moves_ownership_stdev = truth(key, value()?)?,
            ("pvVisits", InfoFormat::KataGo) => request.view.pv_visits = truth(key, value()?)?,
            ("pvEdgeVisits", InfoFormat::KataGo) => request.view.pv_edge_visits = truth(key, value()?)?,
            ("noResultValue", InfoFormat::KataGo) => request.view.no_result = truth(key, value()?)?,
            _ => return Err(unknown_key(key, style)),
        }
    }
    request.options.ownership = request.view.ownership || request.view.ownership_stdev;
    request.options.moves_ownership = request.view.moves_ownership || request.view.moves_ownership_stdev;
    Ok(request)
}

fn bad(what: &str, found: &str) -> Refusal {
    Refusal::new(format_args!("{what} cannot be '{found}'"))
}

fn number(key: &str, word: &str) -> Result<usize, Refusal> {
    word.parse().map_err(|_| bad(key, word))
}

fn truth(key: &str, word: &str) -> Result<bool, Refusal> {
    word.to_ascii_lowercase().parse().map_err(|_| bad(key, word))
}

/// Writes moves for a client.
pub struct Writer<S: Dialect> {
    /// How points are written.
    pub notation: Notation,
    /// The board.
    pub size: Size,
    /// Which game's words.
    pub game: std::marker::PhantomData<S>,
}

impl<S: Dialect> Writer<S> {
    /// For the client of that call.
    pub fn of(call: &Call<'_, S>) -> Self {
        Self { notation: call.desk.notation, size: call.size(), game: std::marker::PhantomData }
    }

    fn mv(&self, mv: MoveOf<S>) -> String {
        self.notation.show_move::<S::G>(self.size, mv)
    }

    fn line(&self, moves: &[MoveOf<S>]) -> String {
        moves.iter().map(|&mv| self.mv(mv)).collect::<Vec<_>>().join(" ")
    }

    /// The moves that are shown: the first and those that were searched, then others as far as wanted.
    fn shown<'r>(&self, report: &'r Report<MoveOf<S>>, view: View) -> Vec<&'r MoveReport<MoveOf<S>>> {
        let (mut shown, others): (Vec<_>, Vec<_>) =
            report.moves.iter().enumerate().partition(|(place, m)| *place == 0 || m.visits > 0);
        let missing = view.min_moves.saturating_sub(shown.len());
        shown.extend(others.into_iter().take(missing));
        shown.truncate(view.max_moves.unwrap_or(usize::MAX).max(1));
        shown.into_iter().map(|(_, m)| m).collect()
    }

    /// One line of infos with its line break; empty when there is nothing to say.
    pub fn infos(&self, style: InfoFormat, view: View, report: &Report<MoveOf<S>>) -> String {
        let mut text = String::new();
        for (order, m) in self.shown(report, view).iter().enumerate() {
            if order > 0 {
                text.push(' ');
            }
            let it = m.full(report.score_stdev);
            let _ = write!(text, "info move {} ", self.mv(m.mv));
            match style {
                InfoFormat::LeelaZero => {
                    let whole = |v: f32| (v * 10_000.0).round() as i32;
                    let (winrate, prior, lcb) = (whole(m.winrate), whole(m.prior), whole(m.lcb));
                    let _ = write!(text, "visits {} winrate {winrate} prior {prior} lcb {lcb}", m.visits);
                }
                InfoFormat::KataGo => text.push_str(&katago_numbers(m, &it, view.no_result)),
            }
            let _ = write!(text, " order {order}{} pv {}", proven(view, m.resolution), self.line(&m.pv));
            write_parts(&mut text, view, m, &it);
        }
        if text.is_empty() {
            return text;
        }
        let it = report.full();
        if view.root_info {
            text.push_str(&root_numbers(report, &it));
            text.push_str(&proven(view, report.resolution));
        }
        write_map(&mut text, "ownership", report.ownership.as_deref().filter(|_| view.ownership));
        write_map(&mut text, "ownershipStdev", it.ownership_stdev.as_deref().filter(|_| view.ownership_stdev));
        text.push('\n');
        text
    }

    /// A line on a move that was chosen, in the form that OGS's bridge reads of KataGo.
    pub fn remark(&self, report: &Report<MoveOf<S>>, chosen: &MoveReport<MoveOf<S>>) -> String {
        format!(
            "MALKOVICH:Visits {} Winrate {:.2}% ScoreLead {:.1} ScoreStdev {:.1} PV {}",
            report.visits,
            100.0 * report.winrate,
            report.score.unwrap_or(0.0),
            report.score_stdev.unwrap_or(0.0),
            self.line(&chosen.pv),
        )
    }

    /// The JSON line that CGOS passes on to its viewers.
    pub fn cgos(&self, report: &Report<MoveOf<S>>) -> String {
        let moves: Vec<String> = self
            .shown(report, View { max_moves: Some(20), ..View::default() })
            .iter()
            .map(|m| {
                format!(
                    r#"{{"move":"{}","winrate":{:.4},"score":{:.2},"prior":{:.4},"visits":{},"pv":"{}"}}"#,
                    self.mv(m.mv),
                    m.winrate,
                    m.score.unwrap_or(0.0),
                    m.prior,
                    m.visits,
                    self.line(&m.pv[1..]),
                )
            })
            .collect();
        let ownership: String = report.ownership.iter().flatten().map(|&v| cgos_owner(v)).collect();
        format!(
            r#"{{"winrate":{:.4},"score":{:.2},"visits":{},"moves":[{}],"ownership":"{ownership}"}}"#,
            report.winrate,
            report.score.unwrap_or(0.0),
            report.visits,
            moves.join(","),
        )
    }

    /// A block of live graphics for HexGui, which reads it from standard output.
    pub fn hexgui(&self, report: &Report<MoveOf<S>>) -> String {
        let mut text = String::from("gogui-gfx: kata\n");
        for (order, m) in self.shown(report, View::default()).iter().enumerate() {
            if order > 0 {
                text.push(' ');
            }
            let _ = write!(
                text,
                "info move {} visits {} winrate {:.4} scoreLead 0.0 order {order}",
                self.mv(m.mv),
                m.visits,
                m.winrate
            );
        }
        text.push_str("\n\n");
        text
    }

    /// A set of live graphics for GoGui, which reads it from standard error.
    pub fn gogui(&self, report: &Report<MoveOf<S>>) -> String {
        format!("gogui-gfx:\n{}\n", self.picture(report))
    }

    /// Graphics for GoGui: the best line, the moves that were looked at most with the result that is expected of them, and
    /// the whole in words.
    pub fn picture(&self, report: &Report<MoveOf<S>>) -> String {
        let shown = self.shown(report, View { max_moves: Some(12), ..View::default() });
        let mut text = String::new();
        if let Some(best) = shown.first() {
            text.push_str("VAR");
            let mut side = report.to_move;
            for &mv in best.pv.iter().take(8) {
                let _ = write!(text, " {} {}", vertex::letter(side).to_ascii_lowercase(), self.mv(mv));
                side = side.opponent();
            }
            text.push('\n');
        }
        text.push_str("INFLUENCE");
        // A pass is drawn nowhere.
        for m in shown.iter().filter(|m| matches!(S::G::spell(self.size, m.mv), Spelling::Points(_))) {
            let _ = write!(text, " {} {:.3}", self.mv(m.mv), (2.0 * m.winrate - 1.0) * report.to_move.sign());
        }
        let _ = write!(
            text,
            "\nTEXT {:.1} % for {}, {} visits\n",
            100.0 * report.winrate,
            vertex::word(report.to_move),
            report.visits
        );
        text
    }
}

/// Numbers of a move before its rank, in the words of KataGo.
fn katago_numbers<M>(m: &MoveReport<M>, it: &Detail, shows_no_result: bool) -> String {
    let no_result = if shows_no_result { format!(" noResultValue {:.6}", it.no_result) } else { String::new() };
    format!(
        "visits {} edgeVisits {} utility {:.6} winrate {:.6} {}{no_result} prior {:.6} lcb {:.6} utilityLcb {:.6} weight {:.1}",
        it.visits,
        m.visits,
        it.utility,
        m.winrate,
        score(m.score, it),
        m.prior,
        m.lcb,
        it.utility_bound,
        it.weight,
    )
}

/// Numbers of the position, in the same words; those of a network alone where there is one.
fn root_numbers<M>(report: &Report<M>, it: &Detail) -> String {
    let mut text = format!(
        " rootInfo visits {} utility {:.6} winrate {:.6} {} weight {:.1}",
        it.visits,
        it.utility,
        report.winrate,
        score(report.score, it),
        it.weight,
    );
    if report.detail.is_some() {
        let [result, score, time] = it.raw.unwrap_or([UNKNOWN; 3]);
        let _ = write!(text, " rawStWrError {result:.6} rawStScoreError {score:.6} rawVarTimeLeft {time:.6}");
    }
    text
}

/// The parts that may stand behind a variation.
fn write_parts<M>(text: &mut String, view: View, m: &MoveReport<M>, it: &Detail) {
    for (key, shown, numbers) in
        [("pvVisits", view.pv_visits, &it.pv_visits), ("pvEdgeVisits", view.pv_edge_visits, &m.pv_visits)]
    {
        if shown {
            let _ = write!(text, " {key}");
            numbers.iter().for_each(|visits| _ = write!(text, " {visits}"));
        }
    }
    write_map(text, "movesOwnership", m.ownership.as_deref().filter(|_| view.moves_ownership));
    write_map(text, "movesOwnershipStdev", it.ownership_stdev.as_deref().filter(|_| view.moves_ownership_stdev));
}

/// A number for each point behind a key, if there are any.
fn write_map(text: &mut String, key: &str, numbers: Option<&[f32]>) {
    let Some(numbers) = numbers else { return };
    let _ = write!(text, " {key}");
    numbers.iter().for_each(|number| _ = write!(text, " {number:.3}"));
}

/// The score keys of the KataGo family; 0 in games without points.
fn score(lead: Option<f32>, it: &Detail) -> String {
    let (lead, Detail { score, score_stdev, .. }) = (lead.unwrap_or(0.0), it);
    format!("scoreMean {lead:.3} scoreStdev {score_stdev:.3} scoreLead {lead:.3} scoreSelfplay {score:.3}")
}

/// The key of a proven winner, where there is one and it was asked for.
fn proven(view: View, winner: Option<Side>) -> String {
    let winner = winner.filter(|_| view.proven_winner);
    winner.map_or_else(String::new, |side| format!(" provenWinner {}", vertex::letter(side)))
}

/// One character for -1..=1: `A` = -1, `f` = 0, `+` = +1.
fn cgos_owner(value: f32) -> char {
    const LETTERS: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
    let index = ((value + 1.0) / 2.0).clamp(0.0, 1.0) * 62.0;
    LETTERS[index.round() as usize] as char
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::Move as Go;
    use crate::session::GoSession;

    fn report() -> Report<Go> {
        let entry = |point, visits, winrate| MoveReport {
            lcb: winrate - 0.01,
            prior: 0.25,
            score: Some(1.5),
            pv: vec![Go::at(point), Go::PASS],
            pv_visits: vec![visits, visits / 2],
            ..MoveReport::plain(Go::at(point), visits, winrate)
        };
        let moves = vec![entry(0, 100, 0.51234), entry(3, 20, 1.0), entry(1, 0, 0.5)];
        let plain = Report::plain(Side::First, 120, Duration::ZERO, 0.5, moves);
        Report { score: Some(1.0), score_stdev: Some(4.0), ownership: Some(vec![-1.0, 0.0, 1.0, 0.5]), ..plain }
    }

    fn writer() -> Writer<GoSession> {
        Writer { notation: Notation::Gtp, size: Size::square(2), game: std::marker::PhantomData }
    }

    #[test]
    fn leela_zero_lines_are_whole_numbers() {
        assert_eq!(
            writer().infos(InfoFormat::LeelaZero, View::default(), &report()),
            "info move A2 visits 100 winrate 5123 prior 2500 lcb 5023 order 0 pv A2 pass \
             info move B1 visits 20 winrate 10000 prior 2500 lcb 9900 order 1 pv B1 pass\n"
        );
    }

    #[test]
    fn a_first_move_without_visits_hides_none_that_was_searched() {
        let mut report = report();
        report.moves.rotate_right(1);
        let shown = |min_moves| {
            let view = View { min_moves, ..View::default() };
            writer().shown(&report, view).iter().map(|mv| mv.visits).collect::<Vec<_>>()
        };
        assert_eq!((shown(0), shown(3)), (vec![0, 100, 20], vec![0, 100, 20]));
        report.moves.rotate_left(1);
        let least = View { min_moves: 3, ..View::default() };
        assert_eq!(writer().shown(&report, least).iter().map(|mv| mv.visits).collect::<Vec<_>>(), [100, 20, 0]);
        assert_eq!(writer().shown(&report, View::default()).len(), 2);
    }

    #[test]
    fn katago_lines_have_decimal_points_and_end_with_the_variation_unless_more_is_asked_for() {
        let text = writer().infos(InfoFormat::KataGo, View { max_moves: Some(1), ..View::default() }, &report());
        assert_eq!(
            text,
            "info move A2 visits 100 edgeVisits 100 utility 0.024680 winrate 0.512340 scoreMean 1.500 scoreStdev 4.000 \
             scoreLead 1.500 scoreSelfplay 1.500 prior 0.250000 lcb 0.502340 utilityLcb 0.004680 weight 100.0 order 0 \
             pv A2 pass\n"
        );
        let view = View { ownership: true, ownership_stdev: true, root_info: true, ..View::default() };
        let text = writer().infos(InfoFormat::KataGo, view, &report());
        assert!(text.contains(" winrate 1.000000 ") && !text.contains("provenWinner"));
        assert!(text.contains(" rootInfo visits 120 "));
        assert!(text.ends_with(" ownership -1.000 0.000 1.000 0.500 ownershipStdev 0.000 1.000 0.000 0.866\n"));
    }

    #[test]
    fn proven_winners_are_told_where_they_are_asked_for() {
        let mut proven = report();
        (proven.resolution, proven.moves[1].resolution) = (Some(Side::First), Some(Side::Second));
        let view = View { proven_winner: true, root_info: true, ..View::default() };
        let text = writer().infos(InfoFormat::KataGo, view, &proven);
        assert!(text.contains(" order 0 pv A2 ") && text.contains(" order 1 provenWinner W pv B1 "));
        assert!(text.ends_with(" weight 120.0 provenWinner B\n"));
    }

    #[test]
    fn what_a_search_knows_besides_is_told_in_katagos_keys() {
        let mut report = report();
        let detail = Detail {
            visits: 130,
            weight: 90.5,
            utility: 0.1,
            utility_bound: 0.05,
            score: -2.0,
            score_stdev: 9.0,
            no_result: 0.25,
            pv_visits: vec![130, 60],
            ownership_stdev: Some(vec![0.1, 0.2, 0.3, 0.4]),
            raw: Some([0.25, 1.5, 30.0]),
        };
        report.moves[0].ownership = Some(vec![0.5; 4]);
        report.moves[0].detail = Some(detail.clone());
        report.detail = Some(detail);
        let view = View {
            max_moves: Some(1),
            root_info: true,
            ownership_stdev: true,
            moves_ownership: true,
            moves_ownership_stdev: true,
            pv_visits: true,
            pv_edge_visits: true,
            no_result: true,
            ..View::default()
        };
        assert_eq!(
            writer().infos(InfoFormat::KataGo, view, &report),
            "info move A2 visits 130 edgeVisits 100 utility 0.100000 winrate 0.512340 scoreMean 1.500 scoreStdev 9.000 \
             scoreLead 1.500 scoreSelfplay -2.000 noResultValue 0.250000 prior 0.250000 lcb 0.502340 utilityLcb 0.050000 \
             weight 90.5 order 0 pv A2 pass pvVisits 130 60 pvEdgeVisits 100 50 movesOwnership 0.500 0.500 0.500 0.500 \
             movesOwnershipStdev 0.100 0.200 0.300 0.400 rootInfo visits 130 utility 0.100000 winrate 0.500000 \
             scoreMean 1.000 scoreStdev 9.000 scoreLead 1.000 scoreSelfplay -2.000 weight 90.5 rawStWrError 0.250000 \
             rawStScoreError 1.500000 rawVarTimeLeft 30.000000 ownershipStdev 0.100 0.200 0.300 0.400\n"
        );
    }

    #[test]
    fn cgos_letters_and_json() {
        let text = writer().cgos(&report());
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["moves"][0]["pv"], "pass");
        assert_eq!(value["ownership"], "Af+v");
        assert_eq!(value["moves"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn nothing_to_say_is_said_by_nothing() {
        let empty = Report { moves: Vec::new(), ..report() };
        assert_eq!(writer().infos(InfoFormat::KataGo, View::default(), &empty), "");
    }
}
