//! A session of any game and the commands of its dialect.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::call::{Call, Command, Desk, Dialect, Output};
use super::line::Line;
use super::reply::{Refusal, format};
use super::vertex::Notation;
use super::{administration, katago, openings, play, state, time};
use crate::players::Kind;
use crate::session::{Control, Settings};

/// A session of any game in its dialect.
pub(super) trait Talk: Send {
    /// How points are written at first.
    fn notation(&self) -> Notation;

    /// Executes and answers a line, the `number`th that the control was told of.
    fn execute(&mut self, desk: &mut Desk, line: &Line, number: u64, out: &mut dyn Output);

    /// Thinks on the opponent's time if that was asked for, until the next line of input.
    fn idle(&mut self);

    /// Wall time of the session's searches so far.
    fn search_time(&self) -> Duration;
}

/// A session and the commands of its game.
struct Talker<S: Dialect> {
    session: S,
    table: Vec<Command<S>>,
}

/// All commands of a game.
pub(super) fn table<S: Dialect>() -> Vec<Command<S>> {
    let mut table = administration::commands();
    table.extend(katago::commands());
    table.extend(play::commands());
    table.extend(time::commands());
    table.extend(state::commands());
    table.extend(openings::commands());
    table.extend(S::commands());
    table
}

/// A session with the commands of its game.
pub(super) fn talker<S: Dialect>(session: S) -> Box<dyn Talk> {
    Box::new(Talker { session, table: table() })
}

/// A dialect with commands that are for one game.
pub(super) struct OwnDialect {
    pub(super) kind: Kind,
    pub(super) notation: Notation,
    /// Begins a session.
    pub(super) begin: fn(Settings, Arc<Control>) -> Box<dyn Talk>,
    /// Its commands, as rows of a table in Markdown.
    pub(super) rows: fn() -> Vec<String>,
}

impl OwnDialect {
    /// The dialect of a session, which is begun by that function.
    pub(super) const fn of<S: Dialect>(begin: fn(Settings, Arc<Control>) -> Box<dyn Talk>) -> Self {
        Self { kind: S::KIND, notation: S::NOTATION, begin, rows: rows::<S> }
    }
}

/// The commands of a dialect as rows of a table in Markdown: name, arguments, effect.
pub(super) fn rows<S: Dialect>() -> Vec<String> {
    let cell = |text: &str| text.replace('|', "\\|");
    let row = |c: &Command<S>| format!("| `{}` | {} | {} |\n", c.name, cell(c.args), cell(c.doc));
    table::<S>().iter().map(row).collect()
}

impl<S: Dialect> Talk for Talker<S> {
    fn notation(&self) -> Notation {
        S::NOTATION
    }

    fn execute(&mut self, desk: &mut Desk, line: &Line, number: u64, out: &mut dyn Output) {
        self.session.core_mut().begin_line(number);
        let mut call = Call { session: &mut self.session, desk, table: &self.table, line, out, streaming: false };
        let command = call.table.iter().find(|c| c.name == line.name);
        let answer = match command {
            None if line.name.is_empty() => Err(Refusal::new("syntax error: there is no command")),
            None => Err(Refusal::new(format_args!("unknown command: {}", shortened(&line.name)))),
            Some(command) => match catch_unwind(AssertUnwindSafe(|| (command.run)(&mut call))) {
                Ok(answer) => answer,
                Err(_) => {
                    tracing::error!(
                        command = line.name,
                        "a fault inside the engine; the session goes on from its last position"
                    );
                    call.session.recover();
                    Err(Refusal::new("internal error"))
                }
            },
        };
        if call.streaming {
            // The head has gone out before; what remains is the last line, and the empty one.
            let text = match &answer {
                Ok(text) | Err(Refusal(text)) => text,
            };
            let last = if text.is_empty() { String::new() } else { format!("{text}\n") };
            call.out.send(&(last + "\n"));
        } else {
            call.out.send(&format(line.id.as_deref(), &answer));
        }
    }

    fn idle(&mut self) {
        if catch_unwind(AssertUnwindSafe(|| self.session.ponder())).is_err() {
            tracing::error!("a fault while thinking on the opponent's time; the session goes on");
            self.session.recover();
        }
    }

    fn search_time(&self) -> Duration {
        self.session.core().search_time()
    }
}

/// A word from outside, short enough to be repeated.
fn shortened(word: &str) -> &str {
    &word[..word.len().min(80)]
}
