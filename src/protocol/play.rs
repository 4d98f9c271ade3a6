//! Playing and analysing, the same in all games: play, undo, genmove, the streams, SGF output, clocks.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use super::analysis::{self, InfoFormat, View, Writer};
use super::call::{Call, Command, Dialect, MoveOf, expected, rows};
use super::files::write_whole;
use super::record::{self, Reader, Record};
use super::reply::{Answer, Refusal};
use super::sgf::{self, MOST_NODES};
use super::{administration, occupants, vertex};
use crate::game::{Game, Side};
use crate::games::{MOST_LINES, Occupant, Size, Spelled};
use crate::players::Played;
use crate::session::clock::System;
use crate::session::{Asked, Choice, Chosen, SearchOptions};

/// How often live graphics are drawn while the engine thinks.
const GRAPHICS_EVERY: Duration = Duration::from_millis(500);

/// The rows of these commands.
pub fn commands<S: Dialect>() -> Vec<Command<S>> {
    rows![
        "clear_board" "" "Begins a new game; size, rules, komi and time settings stay." clear_board;
        "play" "COLOUR MOVE" "Plays a move; any colour at any time." play;
        "genmove" "COLOUR" "Chooses a move and plays it." |call| genmove(call, Asked::Play);
        "reg_genmove" "COLOUR" "Chooses a move and does not play it." |call| genmove(call, Asked::Only);
        "kata-search" "COLOUR" "As reg_genmove." |call| genmove(call, Asked::Only);
        "kata-search_cancellable" "COLOUR" "As reg_genmove; the next line of input ends it with the answer 'cancelled'."
            |call| cancellable(call, |call| genmove(call, Asked::Only), "cancelled");
        "undo" "" "Takes the last move back." |call| undo(call, 1);
        "gg-undo" "[N]" "Takes the last N moves back." gg_undo;
        "lz-analyze" "[COLOUR] [CENTISECONDS] [KEY VALUE ...]" "Reports on the position until the next line of input."
            |call| analyze(call, InfoFormat::LeelaZero);
        "kata-analyze" "[COLOUR] [CENTISECONDS] [KEY VALUE ...]" "As lz-analyze, in decimal fractions and with more keys."
            |call| analyze(call, InfoFormat::KataGo);
        "lz-genmove_analyze" "[COLOUR] [CENTISECONDS] [KEY VALUE ...]" "As genmove, with reports on the way."
            |call| genmove_analyze(call, InfoFormat::LeelaZero, Asked::Play);
        "kata-genmove_analyze" "[COLOUR] [CENTISECONDS] [KEY VALUE ...]" "As genmove, with reports on the way."
            |call| genmove_analyze(call, InfoFormat::KataGo, Asked::Play);
        "kata-search_analyze" "[COLOUR] [CENTISECONDS] [KEY VALUE ...]" "As kata-genmove_analyze, and does not play the move."
            |call| genmove_analyze(call, InfoFormat::KataGo, Asked::Only);
        "kata-search_analyze_cancellable" "[COLOUR] [CENTISECONDS] [KEY VALUE ...]"
            "As kata-search_analyze; the next line of input ends it with 'play cancelled'."
            |call| cancellable(call, |call| genmove_analyze(call, InfoFormat::KataGo, Asked::Only), "play cancelled");
        "time_settings" "MAIN PERIOD STONES" "Canadian time in seconds; 0 0 after MAIN is absolute, PERIOD without stones no limit."
            time_settings;
        "gogui-interrupt" "" "Says that '# interrupt' ends a search." |_| Ok(String::new());
        "gogui-version" "TEXT" "GoGui introduces itself: points are written its way, live graphics are drawn." gogui_version;
        "gogui-title" "" "A title for the window." |call| Ok(format!("{} {}", call.desk.name, S::KIND));
        "gogui-rules_game_id" "" "The game's name."
            |call| {
                meet_gogui(call);
                Ok(S::KIND.to_string())
            };
        "gogui-rules_side_to_move" "" "Whose turn it is."
            |call| Ok(vertex::word(call.session.core().position().to_move()).to_owned());
        "gogui-rules_board" "" "The board, row by row from the top." rules_board;
        "gogui-play_sequence" "[COLOUR MOVE ...]" "Plays moves, all of them or none." play_sequence;
    ]
}

fn clear_board<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    call.session.clear();
    Ok(String::new())
}

fn play<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let side = call.side(0)?;
    let word = call.arg(1, "a move")?.to_owned();
    play_word(call, side, &word)?;
    Ok(String::new())
}

/// No game is longer than one that can be loaded: memory is not for the asking.
pub fn check_length<S: Dialect>(call: &Call<'_, S>) -> Result<(), Refusal> {
    match call.session.core().history().moves().len() {
        MOST_NODES.. => Err(Refusal::new(format_args!("the game has {MOST_NODES} moves, no more can be played"))),
        _ => Ok(()),
    }
}

fn play_word<S: Dialect>(call: &mut Call<'_, S>, side: Side, word: &str) -> Result<(), Refusal> {
    // Some tournament scripts tell the winner of the loser's resignation. It is no move.
    if word.eq_ignore_ascii_case("resign") {
        return Ok(());
    }
    check_length(call)?;
    let notation = call.desk.notation;
    if let Some(done) = call.session.play_other(notation, side, word) {
        return done.map_err(|why| Refusal::new(format_args!("illegal move: {} {word} ({why})", vertex::word(side))));
    }
    let mv = call.session.core().in_order(side, call.read(word)?);
    call.session
        .play(side, mv)
        .map_err(|why| Refusal::new(format_args!("illegal move: {} {} ({why})", vertex::word(side), call.show(mv))))
}

fn play_sequence<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let words = call.line.args.clone();
    if !words.len().is_multiple_of(2) {
        return Err("syntax error: expected colours and moves in turn".into());
    }
    let before = call.session.mark();
    for pair in words.chunks_exact(2) {
        let played = vertex::colour(&pair[0]).and_then(|side| play_word(call, side, &pair[1]));
        if let Err(refusal) = played {
            call.session.return_to(before);
            return Err(refusal);
        }
    }
    Ok(String::new())
}

fn undo<S: Dialect>(call: &mut Call<'_, S>, count: usize) -> Answer {
    if call.session.undo(count) { Ok(String::new()) } else { Err("cannot undo".into()) }
}

fn gg_undo<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let count = if call.count() == 0 { 1 } else { call.number(0, "a number of moves")? };
    undo(call, count)
}

fn genmove<S: Dialect>(call: &mut Call<'_, S>, asked: Asked) -> Answer {
    let side = call.side(0)?;
    choose_quietly(call, side, asked)
}

/// A search that ends with that answer once another line has come.
fn cancellable<S: Dialect>(call: &mut Call<'_, S>, search: fn(&mut Call<'_, S>) -> Answer, cancelled: &str) -> Answer {
    call.session.core_mut().set_cancellable(true);
    let answer = search(call);
    call.session.core_mut().set_cancellable(false);
    let superseded = call.session.core().is_superseded();
    answer.map(|answer| if superseded { cancelled.to_owned() } else { answer })
}

/// Chooses a move without reports, but with GoGui's live graphics where they are wanted.
pub fn choose_quietly<S: Dialect>(call: &mut Call<'_, S>, side: Side, asked: Asked) -> Answer {
    check_length(call)?;
    let writer = Writer::of(call);
    let graphics = call.desk.live_graphics && S::G::POINTS == 1;
    let options = SearchOptions { report_every: graphics.then_some(GRAPHICS_EVERY), ..SearchOptions::default() };
    let out = &mut *call.out;
    let chosen = call.session.choose(side, asked, &options, &mut |report| out.graphics(&writer.gogui(report)));
    if graphics {
        out.graphics("gogui-gfx: CLEAR\n");
    }
    remark_on(call, &chosen);
    Ok(show_choice(call, &chosen))
}

/// Draws what the search thinks in GoGui, until the next line of input; the last picture stays.
pub fn live_analysis<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let side = if call.count() > 0 { call.side(0)? } else { call.session.core().position().to_move() };
    let writer = Writer::of(call);
    let shown = call.desk.live_graphics;
    let options = SearchOptions { report_every: Some(GRAPHICS_EVERY), ..SearchOptions::default() };
    let (out, mut last) = (&mut *call.out, String::new());
    call.session.analyze(side, &options, &mut |report| {
        last = writer.picture(report);
        if shown {
            out.graphics(&writer.gogui(report));
        }
    });
    Ok(last.trim_end().to_owned())
}

/// Tells standard error of a choice, where that is asked for.
pub fn remark_on<S: Dialect>(call: &mut Call<'_, S>, chosen: &Chosen<MoveOf<S>>) {
    if !call.desk.remarks {
        return;
    }
    let Some(report) = &chosen.report else { return };
    let played = match chosen.choice {
        Choice::Move(mv) => report.moves.iter().find(|entry| entry.mv == mv),
        Choice::Nothing | Choice::Resign => None,
    };
    if let Some(entry) = played.or(report.moves.first()) {
        call.out.remark(&Writer::of(call).remark(report, entry));
    }
}

/// A choice as the answer to `genmove`.
pub fn show_choice<S: Dialect>(call: &Call<'_, S>, chosen: &Chosen<MoveOf<S>>) -> String {
    match chosen.choice {
        Choice::Move(mv) => call.session.show_chosen(call.desk.notation, mv),
        Choice::Nothing => "pass".to_owned(),
        Choice::Resign => "resign".to_owned(),
    }
}

fn analyze<S: Dialect>(call: &mut Call<'_, S>, style: InfoFormat) -> Answer {
    let request = analysis::arguments(call, style)?;
    let side = request.side.unwrap_or_else(|| call.session.core().position().to_move());
    let writer = Writer::of(call);
    call.begin_stream();
    let out = &mut *call.out;
    call.session.analyze(side, &request.options, &mut |report| send_infos(out, &writer, style, request.view, report));
    Ok(String::new())
}

fn send_infos<S: Dialect>(
    out: &mut dyn super::call::Output,
    writer: &Writer<S>,
    style: InfoFormat,
    view: View,
    report: &crate::search::Report<MoveOf<S>>,
) {
    let text = writer.infos(style, view, report);
    // An empty line would end the answer.
    if !text.is_empty() {
        out.send(&text);
    }
}

fn genmove_analyze<S: Dialect>(call: &mut Call<'_, S>, style: InfoFormat, asked: Asked) -> Answer {
    check_length(call)?;
    let request = analysis::arguments(call, style)?;
    let side = request.side.unwrap_or_else(|| call.session.core().position().to_move());
    let writer = Writer::of(call);
    call.begin_stream();
    let out = &mut *call.out;
    let report = &mut |report: &_| send_infos(out, &writer, style, request.view, report);
    let chosen = call.session.choose(side, asked, &request.options, report);
    if let Some(last) = &chosen.report {
        send_infos(call.out, &writer, style, request.view, last);
    }
    remark_on(call, &chosen);
    Ok(format!("play {}", show_choice(call, &chosen)))
}

fn time_settings<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let main = call.seconds(0, "main time in seconds")?;
    let period = call.seconds(1, "the length of a period in seconds")?;
    let stones = call.number(2, "stones in a period")?;
    let system = match (period.is_zero(), stones) {
        (true, _) if main.is_zero() => System::None,
        (true, _) => System::Absolute { main },
        (false, 0) => System::None,
        (false, stones) => System::Canadian { main, period, stones: count(stones)? },
    };
    call.session.core_mut().set_time(system);
    Ok(String::new())
}

/// A number of stones or periods.
pub fn count(number: usize) -> Result<u32, Refusal> {
    u32::try_from(number).ok().filter(|&n| n > 0).ok_or_else(|| expected("a number from 1", &number.to_string()))
}

/// `time_left COLOUR SECONDS [STONES]`.
pub fn set_time_left<S: Dialect>(call: &mut Call<'_, S>, needs_stones: bool) -> Answer {
    let side = call.side(0)?;
    // A clock that has just run out is told so by some servers.
    let time = if call.float(1, "seconds")? < 0.0 { Duration::ZERO } else { call.seconds(1, "seconds")? };
    let stones = if needs_stones || call.count() > 2 { call.number(2, "stones or periods left")? } else { 0 };
    let stones = u32::try_from(stones).map_err(|_| expected("stones or periods left", &stones.to_string()))?;
    call.session.core_mut().set_time_left(side, time, stones);
    Ok(String::new())
}

/// GoGui's process for the rules of a game does not say its version, and writes points the same way.
fn meet_gogui<S: Dialect>(call: &mut Call<'_, S>) {
    call.desk.notation = vertex::Notation::Gtp;
    call.session.meet_gogui();
}

fn gogui_version<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    meet_gogui(call);
    call.desk.live_graphics = true;
    Ok(String::new())
}

fn rules_board<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let position = call.session.core().position();
    let (size, shown) = (call.size(), call.session.gogui_size());
    Ok(super::board::rows(shown, &|i| {
        let (x, y) = shown.xy(i);
        let row = (y + size.height).checked_sub(shown.height).filter(|_| x < size.width);
        let point = row.map(|row| size.index(x, row)).filter(|&point| position.is_cell(point));
        point.map_or('?', |point| super::board::mark(position.owner(point))).to_string()
    }))
}

/// Words of occupants and points in turn, for set-ups, from argument `first`.
pub fn occupants<S: Dialect>(call: &Call<'_, S>, first: usize) -> Result<Vec<(Occupant, usize)>, Refusal> {
    let all = pairs(call, first, occupants::read)?;
    // Where more than one may share a point, the game says what may.
    let shared = S::G::LEVELS > 0 || S::G::BURNS || S::G::TALLEST > 1;
    if shared { Ok(all) } else { each_once(call, all) }
}

/// Refuses a point that is named twice.
pub fn each_once<S: Dialect, T>(call: &Call<'_, S>, all: Vec<(T, usize)>) -> Result<Vec<(T, usize)>, Refusal> {
    let mut seen = HashSet::new();
    match all.iter().find(|(_, point)| !seen.insert(*point)) {
        Some((_, point)) => Err(Refusal::new(format_args!("{} is named twice", call.show_point(*point)))),
        None => Ok(all),
    }
}

/// Changes of points in turn, written as [`occupants`] are; a dot empties a point.
pub fn changes<S: Dialect>(call: &Call<'_, S>, first: usize) -> Result<Vec<(Option<Occupant>, usize)>, Refusal> {
    pairs(call, first, |word| if word == occupants::NOTHING { Some(None) } else { occupants::read(word).map(Some) })
}

fn pairs<S: Dialect, T>(
    call: &Call<'_, S>,
    first: usize,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<(T, usize)>, Refusal> {
    if !call.count().saturating_sub(first).is_multiple_of(2) {
        return Err("syntax error: expected colours and points in turn".into());
    }
    let pair = |number: usize| {
        let word = &call.line.args[number];
        let occupant = read(word).ok_or_else(|| expected("b, w, b3 for a tower, 2 for levels, or burnt", word))?;
        Ok((occupant, call.point(number + 1)?))
    };
    (first..call.count()).step_by(2).map(pair).collect()
}

/// The size of the board as GoGui wants it.
pub fn show_size<S: Dialect>(call: &Call<'_, S>) -> String {
    call.session.gogui_size().lines(' ')
}

/// Begins a game on a board of that size.
pub fn begin_on<S: Dialect>(call: &mut Call<'_, S>, size: Size) -> Answer {
    if call.session.set_size(size) { Ok(String::new()) } else { Err(unacceptable()) }
}

/// Width and height from one number or two, which may be one word as in KataGo, `13:9`.
pub fn board_size<S: Dialect>(call: &Call<'_, S>) -> Result<Size, Refusal> {
    if let [word] = &call.line.args[..]
        && let Some((width, height)) = word.split_once(':')
    {
        let sides = [width, height].map(|side| side.parse().ok().filter(|side| (1..=MOST_LINES).contains(side)));
        return match sides {
            [Some(width), Some(height)] => Ok(Size { width, height }),
            _ => Err(unacceptable()),
        };
    }
    let width = call.number(0, "a board size").map_err(|e| if call.count() == 0 { e } else { unacceptable() })?;
    let height = if call.count() > 1 { call.number(1, "a board size").map_err(|_| unacceptable())? } else { width };
    let range = 1..=MOST_LINES;
    if range.contains(&width) && range.contains(&height) { Ok(Size { width, height }) } else { Err(unacceptable()) }
}

fn unacceptable() -> Refusal {
    "unacceptable size".into()
}

/// `printsgf [FILE]`.
pub fn print_sgf<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let text = record::write(S::KIND, call.session.core().history(), administration::VERSION);
    match call.line.args.first() {
        None => Ok(text),
        Some(_) if !call.desk.files => Err("files are not written over the network".into()),
        Some(_) if call.line.lossy => Err("cannot write file: its name has letters outside ASCII".into()),
        Some(path) => write_whole(Path::new(path), &(text + "\n"))
            .map(|()| String::new())
            .map_err(|e| Refusal::new(format_args!("cannot write file: {path}: {e}"))),
    }
}

/// `loadsgf FILE [NUMBER]`: the game up to before move NUMBER, or with it if the number is that of the `last` move.
pub fn load_sgf<S: Dialect>(call: &mut Call<'_, S>, last: bool) -> Answer {
    load_record(call, last, |_, _| None)
}

/// Reads a record that is no SGF, up to so many moves; `None` if it is in no form that is known.
pub type OtherRecord<G> = fn(&str, Option<usize>) -> Option<Result<Record<G>, String>>;

/// Loads a record as [`load_sgf`] does, from files of another form too.
pub fn load_record<S: Dialect>(call: &mut Call<'_, S>, last: bool, other: OtherRecord<S::G>) -> Answer {
    let path = call.arg(0, "the name of a file")?;
    if !call.desk.files {
        return Err("cannot load file: files are not read over the network".into());
    }
    if call.line.lossy {
        return Err("cannot load file: its name has letters outside ASCII".into());
    }
    let number = if call.count() > 1 { Some(call.number(1, "the number of a move")?) } else { None };
    let text = record::text(path)?;
    let most = number.map(|number| if last { number } else { number.saturating_sub(1) });
    let read = match other(&text, most) {
        Some(read) => read,
        None => {
            let nodes =
                sgf::main_line(&text).map_err(|why| Refusal::new(format_args!("cannot load file: {path}: {why}")))?;
            Reader { kind: S::KIND, usual: <S::G as Played>::USUAL, current: call.session.core().position() }
                .read(&nodes, most)
        }
    };
    let game = read.map_err(|why| Refusal::new(format_args!("cannot load file: {why}")))?;
    take_over(call, game);
    Ok(String::new())
}

/// Goes on with a game that was read.
pub fn take_over<S: Dialect>(call: &mut Call<'_, S>, game: Record<S::G>) {
    call.session.load(game.start, &game.moves);
    if let Some(side) = game.turn {
        call.session.set_to_move(side);
    }
}
