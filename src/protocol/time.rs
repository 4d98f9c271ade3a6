//! Clocks in the words of KGS and of KataGo.

use std::time::Duration;

use super::call::{Call, Command, Dialect, expected, rows};
use super::play;
use super::reply::{Answer, Refusal};
use crate::session::clock::System;

/// The time systems that `kata-time_settings` knows.
const KNOWN: &str = "none absolute byoyomi canadian fischer fischer-capped";
/// The systems that `kgs-time_settings` knows.
const KNOWN_TO_KGS: &str = "none absolute byoyomi canadian";

/// The rows of these commands, the same in all games.
pub(super) fn commands<S: Dialect>() -> Vec<Command<S>> {
    rows![
        "kata-time_settings" "SYSTEM [SECONDS ...]" "Sets the clock by one of kata-list_time_settings; a negative limit is none."
            |call| set_time(call, KNOWN);
        "kata-list_time_settings" "" "The time systems that are known." |_| Ok(KNOWN.to_owned());
    ]
}

/// The answer to `kgs-time_settings`.
pub(super) fn kgs_time<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    set_time(call, KNOWN_TO_KGS)
}

fn set_time<S: Dialect>(call: &mut Call<'_, S>, known: &str) -> Answer {
    let what = format!("one of {known}");
    let word = call.arg(0, &what)?.to_ascii_lowercase();
    let system = match known.split(' ').find(|name| *name == word) {
        Some("none") => System::None,
        Some("absolute") => System::Absolute { main: main(call)? },
        Some("byoyomi") => byoyomi(call)?,
        Some("canadian") => canadian(call)?,
        Some("fischer") => fischer(call, None, None)?,
        Some("fischer-capped") => {
            let fullest = cap(call, 3, "most time on the clock, or -1")?;
            let longest = cap(call, 4, "most time for a move, or -1")?;
            fischer(call, fullest, longest)?
        }
        _ => return Err(expected(&what, &word)),
    };
    call.session.core_mut().set_time(system);
    Ok(String::new())
}

fn main<S: Dialect>(call: &Call<'_, S>) -> Result<Duration, Refusal> {
    call.seconds(1, "main time in seconds")
}

/// Stones for a period: none of them is no limit, and none without a period is no period.
fn canadian<S: Dialect>(call: &Call<'_, S>) -> Result<System, Refusal> {
    let (main, period) = (main(call)?, call.seconds(2, "the length of a period in seconds")?);
    Ok(match call.number(3, "stones in a period")? {
        0 if period.is_zero() => System::Absolute { main },
        0 => System::None,
        stones => System::Canadian { main, period, stones: play::count(stones)? },
    })
}

fn byoyomi<S: Dialect>(call: &Call<'_, S>) -> Result<System, Refusal> {
    let (main, period) = (main(call)?, call.seconds(2, "the length of a period in seconds")?);
    Ok(match call.number(3, "a number of periods")? {
        0 => System::Absolute { main },
        periods => System::ByoYomi { main, period, periods: play::count(periods)? },
    })
}

fn fischer<S: Dialect>(
    call: &Call<'_, S>,
    fullest: Option<Duration>,
    longest: Option<Duration>,
) -> Result<System, Refusal> {
    let increment = call.seconds(2, "seconds added by a move")?;
    Ok(System::Fischer { main: main(call)?, increment, fullest, longest })
}

/// A limit that a negative number says there is not.
fn cap<S: Dialect>(call: &Call<'_, S>, number: usize, what: &str) -> Result<Option<Duration>, Refusal> {
    match call.float(number, what)? {
        seconds if seconds < 0.0 => Ok(None),
        _ => call.seconds(number, what).map(Some),
    }
}
