//! The commands of Hex, as HexGui, benzene's scripts and GoGui send them.

mod hexworld;
mod inside;
mod katahex;
mod mohex;
mod proof;

use super::analysis::Writer;
use super::call::{Call, Command, Dialect, expected, rows};
use super::record::{self, Record};
use super::reply::{Answer, Refusal};
use super::talk::{OwnDialect, talker};
use super::vertex::Notation;
use super::{administration, board, play, vertex};
use crate::game::{Game, Side};
use crate::games::hex::Position;
use crate::players::Kind;
use crate::session::clock::System;
use crate::session::history::History;
use crate::session::{HexSession, SearchOptions, Session};

/// How often HexGui's live graphics are sent.
const GRAPHICS_EVERY: std::time::Duration = std::time::Duration::from_millis(500);

/// The dialect of the game.
pub(super) const DIALECT: OwnDialect =
    OwnDialect::of::<HexSession>(|settings, control| talker(HexSession::new(settings, control)));

impl Dialect for HexSession {
    const KIND: Kind = Kind::Hex;

    /// Forbids the swap, which GoGui has no word for.
    fn meet_gogui(&mut self) {
        self.set_allow_swap(false);
    }

    fn commands() -> Vec<Command<Self>> {
        commands()
    }
}

type Hex<'a> = Call<'a, HexSession>;

fn commands() -> Vec<Command<HexSession>> {
    let own = own_commands();
    own.into_iter().chain(proof::commands()).chain(inside::commands()).chain(katahex::commands()).collect()
}

fn own_commands() -> Vec<Command<HexSession>> {
    rows![
        "boardsize" "WIDTH [HEIGHT]" "Begins a new game on a board of 1 to 32 lines." boardsize;
        "loadsgf" "FILE [NUMBER]" "Loads a game of SGF or a link to HexWorld, up to and including move NUMBER; a link up to its cursor without one."
            |call| play::load_record(call, true, linked);
        "hexworld-load" "LINK" "Loads the game of a link to HexWorld, or of the part of it after '#', up to its cursor." hexworld_load;
        "hexworld-link" "" "A link to HexWorld with the game." |call| Ok(hexworld::write(call.session.core().history()));
        "printsgf" "[FILE]" "The game as SGF, or writes it to a file." play::print_sgf;
        "play-game" "[MOVE ...]" "Begins a new game and plays moves, Black first." play_game;
        "showboard" "" "The board for people." showboard;
        "all_legal_moves" "[COLOUR]" "All legal moves." all_legal_moves;
        "final_score" "" "B+ or W+ once the game is decided." final_score;
        "time_left" "[COLOUR [SECONDS [STONES]]]" "Asks for a clock, or sets it." time_left;
        "param_game" "[KEY VALUE]" "Lists or sets the rules: allow_swap, game_time." param_game;
        "hexgui-analyze_commands" "" "The analysis menu of HexGui." analyze_commands;
        "gogui-analyze_commands" "" "The analysis menu of GoGui." gogui_analyze_commands;
        "gogui-gfx-analyze" "COLOUR" "Draws what the search thinks until '# interrupt', then answers the best move."
            gfx_analyze;
        "losange-analyze" "[COLOUR]" "Draws what the search thinks in GoGui until the next line of input, then answers the last picture."
            play::live_analysis;
        "param_mohex" "[NAME VALUE]" "Sets max_games (iterations of a move's search, with no solver before it), max_time (seconds), max_memory (bytes), num_threads or reuse_subtree (0, 1) in MoHex's words; else as losange-option."
            mohex::param;
        "gogui-rules_board_size" "" "The size of the board." rules_board_size;
        "gogui-rules_legal_moves" "" "All legal moves, in Go letters." rules_legal_moves;
        "gogui-rules_final_result" "" "Who has won." final_result;
    ]
}

fn boardsize(call: &mut Hex<'_>) -> Answer {
    if call.count() == 0 {
        return Err("Must specify board dimensions!".into());
    }
    let size = play::board_size(call)?;
    play::begin_on(call, size)
}

fn play_game(call: &mut Hex<'_>) -> Answer {
    let mut position = Position::new(call.size());
    position.set_swap_allowed(call.session.allow_swap());
    let start = position.clone();
    let mut moves = Vec::new();
    for word in &call.line.args {
        let mv = call.read(word)?;
        let side = position.to_move();
        position.check(side, mv).map_err(|why| Refusal::new(format_args!("illegal move: {word} ({why})")))?;
        position.play(mv);
        moves.push((side, mv));
    }
    call.session.load(start, &moves);
    Ok(String::new())
}

/// Reads a file that holds a link: one line, and no SGF.
fn linked(text: &str, most: Option<usize>) -> Option<Result<Record<Position>, String>> {
    let is_link = !text.contains("(;") && text.trim().lines().count() == 1;
    is_link.then(|| hexworld::read(text, most))
}

/// The game of a link to HexWorld as SGF, the moves ahead of its cursor too; `None` where the text is no link to it.
///
/// # Errors
/// The fault of the link.
pub fn linked_sgf(text: &str) -> Option<Result<String, String>> {
    hexworld::is_link(text).then(|| {
        let Record { start, moves, turn } = hexworld::read(text, Some(usize::MAX))?;
        let mut history = History::new(start);
        moves.into_iter().for_each(|(side, mv)| history.play(side, mv));
        if let Some(side) = turn {
            history.change(|position| position.set_to_move(side));
        }
        Ok(record::write(Kind::Hex, &history, administration::VERSION))
    })
}

fn hexworld_load(call: &mut Hex<'_>) -> Answer {
    let link = call.arg(0, "a link to HexWorld")?;
    let game = hexworld::read(link, None).map_err(|why| Refusal::new(format_args!("cannot load link: {why}")))?;
    play::take_over(call, game);
    Ok(String::new())
}

fn showboard(call: &mut Hex<'_>) -> Answer {
    call.session.board_was_shown();
    let position = call.session.core().position();
    let moves = call.session.core().history().moves();
    let state = match position.winner() {
        Some(side) => format!("{} has won", vertex::word(side)),
        None => format!("{} to move, {} moves played", vertex::word(position.to_move()), moves.len()),
    };
    let last = moves.last().and_then(|(_, mv)| mv.cell()).filter(|&cell| position.stone(cell).is_some());
    Ok(board::hex(call.desk.notation, position.size(), &|i| position.stone(i), last, &[state]))
}

fn all_legal_moves(call: &mut Hex<'_>) -> Answer {
    let position = match call.count() {
        0 => call.session.core().position().clone(),
        _ => call.session.meant_by(call.side(0)?),
    };
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let text: String = moves.into_iter().map(|mv| format!(" {}", call.show(mv))).collect();
    Ok(text + " resign")
}

fn final_score(call: &mut Hex<'_>) -> Answer {
    Ok(match call.session.winner() {
        Some(side) => format!("{}+", vertex::letter(side)),
        None => "cannot score".to_owned(),
    })
}

fn final_result(call: &mut Hex<'_>) -> Answer {
    Ok(call.session.winner().map_or_else(|| "undecided".to_owned(), |side| format!("{} wins", vertex::word(side))))
}

fn time_left(call: &mut Hex<'_>) -> Answer {
    let left = |side| match call.session.core().clock().time_left(side) {
        Some(time) => format!("{:.1}", time.as_secs_f64()),
        None => "0 (no limit)".to_owned(),
    };
    match call.count() {
        0 => Ok(format!("Black: {}, White: {}", left(Side::First), left(Side::Second))),
        1 => Ok(left(call.side(0)?)),
        _ => play::set_time_left(call, false),
    }
}

fn param_game(call: &mut Hex<'_>) -> Answer {
    let is_gogui = call.desk.notation == Notation::Gtp;
    if call.count() == 0 {
        let time = match call.session.core().clock().system() {
            System::Absolute { main } => main.as_secs_f64(),
            _ => 0.0,
        };
        let swap = if is_gogui {
            String::new()
        } else {
            format!("[bool] allow_swap {}\n", u8::from(call.session.allow_swap()))
        };
        return Ok(format!("{swap}[string] game_time {time}"));
    }
    match (call.arg(0, "allow_swap or game_time")?, call.arg(1, "its value")?) {
        ("allow_swap", _) if is_gogui => return Err("GoGui cannot show a swap".into()),
        ("allow_swap", "0") => call.session.set_allow_swap(false),
        ("allow_swap", "1") => call.session.set_allow_swap(true),
        ("allow_swap", other) => return Err(expected("0 or 1", other)),
        ("game_time", _) => {
            let main = call.seconds(1, "seconds")?;
            let system = if main.is_zero() { System::None } else { System::Absolute { main } };
            call.session.core_mut().set_time(system);
        }
        (other, _) => return Err(Refusal::new(format_args!("unknown parameter '{other}'"))),
    }
    Ok(String::new())
}

fn analyze_commands(call: &mut Hex<'_>) -> Answer {
    call.session.meet_hexgui();
    Ok(MENU.to_owned() + inside::MENU)
}

/// HexGui's menu, and a line break before what follows.
const MENU: &str = "string/Solve Position/dfpn-solve-state %m\n\
    plist/Winning Moves/dfpn-solver-find-winning %m\n\
    param/Solver/param_dfpn\n\
    string/Analyze Position/gogui-gfx-analyze %m\n\
    param/Game Rules/param_game\n\
    param/Engine/losange-option\n\
    param/Search Parameters/losange-set\n\
    string/Winner/final_score\n";

fn gogui_analyze_commands(_: &mut Hex<'_>) -> Answer {
    Ok("gfx/Analyze/losange-analyze %m\n\
        param/Engine/losange-option\n\
        param/Game Rules/param_game\n\
        param/Search Parameters/losange-set\n\
        string/Winner/final_score\n\
        hstring/Show Board/showboard"
        .to_owned())
}

fn gfx_analyze(call: &mut Hex<'_>) -> Answer {
    let side = call.side(0)?;
    let writer = Writer::of(call);
    let options = SearchOptions { report_every: Some(GRAPHICS_EVERY), ..SearchOptions::default() };
    let mut best = None;
    let out = &mut *call.out;
    call.session.analyze(side, &options, &mut |report| {
        best = report.moves.first().map(|m| (m.mv, m.winrate));
        // A picture of nothing would be a stray line.
        if !report.moves.is_empty() {
            out.send(&writer.hexgui(report));
        }
    });
    Ok(match (best, call.session.winner()) {
        (Some((mv, winrate)), _) => format!("{} {winrate:.2}", call.show(mv)),
        (None, Some(winner)) => format!("{} has won", vertex::word(winner)),
        (None, None) => String::new(),
    })
}

fn rules_board_size(call: &mut Hex<'_>) -> Answer {
    Ok(format!("{} hex", call.size().lines(' ')))
}

/// GoGui reads points in Go letters whatever the game.
fn rules_legal_moves(call: &mut Hex<'_>) -> Answer {
    let (size, mut moves) = (call.size(), Vec::new());
    call.session.core().position().legal_moves(&mut moves);
    Ok(moves.iter().filter_map(|mv| mv.cell()).map(|i| Notation::Gtp.show(size, i)).collect::<Vec<_>>().join(" "))
}
