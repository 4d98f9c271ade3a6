//! `param_mohex` in MoHex's words: how much a search may do.

use std::time::Duration;

use crate::protocol::administration;
use crate::protocol::call::{Call, expected};
use crate::protocol::reply::{Answer, Refusal};
use crate::session::{HexSession, Session};

type Hex<'a> = Call<'a, HexSession>;

/// Longest time for a move, in seconds.
const LONGEST: f64 = 1e7;

/// `param_mohex [NAME VALUE]`: names of MoHex's, and those of `losange-option`.
pub(super) fn param(call: &mut Hex<'_>) -> Answer {
    let name = call.line.args.first().map_or("", String::as_str);
    match name {
        "max_games" => {
            let wanted = "a number of games from 1";
            let games = call.number(1, wanted)? as u64;
            if games == 0 {
                return Err(expected(wanted, "0"));
            }
            // A level is no level where a solver plays the end: it would have half of the time.
            change(call, |settings| {
                settings.playouts = Some(games);
                settings.params.solver_share = 0.0;
            });
        }
        "max_time" => {
            let wanted = "a number of seconds from 0";
            let seconds = call.float(1, wanted)?;
            if !(0.0..=LONGEST).contains(&seconds) {
                return Err(expected(wanted, call.arg(1, wanted)?));
            }
            change(call, |settings| settings.most_time = Some(Duration::from_secs_f64(seconds)));
        }
        "max_memory" => {
            let bytes = call.number(1, "a number of bytes")?;
            call.session.limit_memory(bytes);
        }
        "num_threads" => {
            let threads = call.arg(1, "a number of threads")?.to_owned();
            call.session.core_mut().set_option("threads", &threads).map_err(Refusal::new)?;
        }
        "reuse_subtree" => match call.arg(1, "0 or 1")? {
            "0" => call.session.set_reuse(false),
            "1" => call.session.set_reuse(true),
            other => return Err(expected("0 or 1", other)),
        },
        _ => return administration::option(call),
    }
    Ok(String::new())
}

fn change(call: &mut Hex<'_>, change: impl FnOnce(&mut crate::session::Settings)) {
    let done: Result<(), std::convert::Infallible> = call.session.core_mut().change_settings(|_, settings| {
        change(settings);
        Ok(())
    });
    let Ok(()) = done;
}
