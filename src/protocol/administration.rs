//! Commands that every session knows, whatever it plays: who is there, what can be asked, tunables, going away.

use super::call::{Call, Command, Dialect, rows};
use super::reply::{Answer, Refusal};
use crate::players::{Kind, PresetError, levels};
use crate::search::Params;
use crate::search::params::Row;
use crate::session::options::OptionValue;

/// The version of this engine.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The rows of these commands. `protocol_version` comes first, which one client relies on.
pub fn commands<S: Dialect>() -> Vec<Command<S>> {
    rows![
        "protocol_version" "" "The version of the protocol: 2." |_| Ok("2".to_owned());
        "name" "" "The engine's name." |call| Ok(call.desk.name.clone());
        "version" "" "The engine's version." |call| Ok(call.desk.version.clone());
        "known_command" "NAME" "Whether there is such a command: true or false." known_command;
        "list_commands" "" "All commands, one a line." list_commands;
        "help" "[NAME]" "All commands with their arguments, or what one of them does." help;
        "quit" "" "Ends the session." quit;
        "stop" "" "Ends thinking on the opponent's time." stop;
        "cputime" "" "Seconds that search threads have worked in this session." cputime;
        "gomill-cpu_time" "" "As cputime." cputime;
        "losange-game" "NAME" "Goes on with a fresh game, named as on the command line, by the settings of the program's start; other games have models where serve or board was started." game;
        "losange-get" "[NAME]" "The value of a tunable, or all of them." get;
        "losange-set" "[NAME VALUE]" "Sets a tunable; without arguments lists them with their types, for dialogs." set;
        "losange-preset" "[NAME]" "Sets all tunables as a paper has them; without a name lists the presets of the game." preset;
        "losange-option" "[NAME VALUE]" "Sets time per move, playouts, threads, resigning, model or level of this session; without arguments lists them."
            option;
        "level" "[LEVEL]" "Sets the level of play: in Go 30k to 9d or 1 to 39, in other games 1 to 20, or full; without an argument tells it." level;
        "losange-status" "" "How many sessions and searches the process runs." |call| Ok((call.desk.status)());
    ]
}

fn known_command<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let name = call.arg(0, "the name of a command")?;
    Ok(call.table.iter().any(|c| c.name == name).to_string())
}

/// GoGui begins a new game when it meets a program that lists the rules of a game: where it knows the game by itself, they
/// are answered and not listed.
fn is_listed<S: Dialect>(command: &Command<S>) -> bool {
    !(S::KNOWN_TO_GOGUI && command.name.starts_with("gogui-rules_"))
}

fn list_commands<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let listed = call.table.iter().filter(|command| is_listed(command));
    Ok(listed.map(|command| command.name).collect::<Vec<_>>().join("\n"))
}

fn help<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let describe = |c: &Command<S>| format!("{} {}: {}", c.name, c.args, c.doc).replace(" :", ":");
    match call.line.args.first() {
        None => Ok(call.table.iter().map(describe).collect::<Vec<_>>().join("\n")),
        Some(name) => {
            call.table.iter().find(|c| c.name == name).map(describe).ok_or_else(|| Refusal::new("unknown command"))
        }
    }
}

fn quit<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    call.desk.quit = true;
    Ok(String::new())
}

fn stop<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    call.session.core_mut().stop_pondering();
    Ok(String::new())
}

fn cputime<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    Ok(format!("{:.3}", call.session.core().thread_time().as_secs_f64()))
}

fn game<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let words = Kind::words();
    let word = call.arg(0, &words)?;
    let unknown = || Refusal::new(format_args!("'{word}' is no game of this engine: expected one of {words}"));
    call.desk.switch = Some(Kind::of_word(word).ok_or_else(unknown)?);
    Ok(String::new())
}

/// GoGui and HexGui make a dialog of the list.
pub(super) fn option<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    if call.count() == 0 {
        let line = |OptionValue { name, words, value }| match words {
            [] => format!("[string] {name} {value}"),
            words => format!("[list/{}] {name} {value}", words.join("/")),
        };
        return Ok(call.session.core().options().into_iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    let (name, value) = (call.arg(0, "the name of an option")?.to_owned(), call.arg(1, "its value")?.to_owned());
    call.session.core_mut().set_option(&name, &value).map_err(Refusal::new)?;
    Ok(String::new())
}

fn level<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    if call.count() == 0 {
        return Ok(levels::show::<S::G>(call.session.core().settings().params.level));
    }
    let level = levels::read::<S::G>(call.arg(0, "a level")?).map_err(Refusal::new)?;
    call.session.core_mut().set_param("level", &level.to_string()).map_err(Refusal::new)?;
    Ok(String::new())
}

fn get<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    if call.count() > 0 { get_one(call) } else { Ok(list(call)) }
}

fn list<S: Dialect>(call: &Call<'_, S>) -> String {
    lines(&call.session.core().recipe().params(), &call.session.core().settings().params)
}

/// Names and values, one to a line.
fn lines(names: &[&str], params: &Params) -> String {
    let line = |name: &&str| format!("{name} {}", params.get(name).unwrap_or_default());
    names.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn get_one<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let name = call.arg(0, "the name of a tunable")?;
    call.session.core().settings().params.get(name).map_err(Refusal::new)
}

fn set<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    if call.count() > 0 { set_one(call) } else { Ok(fields(call)) }
}

/// Names and values with their types, as the dialogs of GoGui and HexGui want them.
fn fields<S: Dialect>(call: &Call<'_, S>) -> String {
    let (recipe, params) = (call.session.core().recipe(), &call.session.core().settings().params);
    let has = recipe.params();
    let line = |row: &Row| {
        let range = if row.name == "search" { recipe.searches() } else { row.range.to_owned() };
        let kind = match (row.kind, row.range) {
            ("name", _) => format!("list/{}", range.replace(", ", "/")),
            (_, Row::SWITCH) => "bool".to_owned(),
            _ => "string".to_owned(),
        };
        format!("[{kind}] {} {}", row.name, params.get(row.name).unwrap_or_default())
    };
    Params::ROWS.iter().filter(|row| has.contains(&row.name)).map(line).collect::<Vec<_>>().join("\n")
}

fn preset<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    if call.count() == 0 {
        let presets = call.session.core().recipe().presets();
        return Ok(presets.map(|preset| format!("{} {}", preset.name, preset.paper)).collect::<Vec<_>>().join("\n"));
    }
    let name = call.arg(0, "the name of a preset")?.to_owned();
    let set = call.session.core_mut().change_settings(|recipe, settings| {
        // The level is the session's, and none of a paper's.
        settings.params = Params { level: settings.params.level, ..recipe.preset(&name)? };
        Ok::<(), PresetError>(())
    });
    set.map_err(Refusal::new)?;
    Ok(String::new())
}

fn set_one<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let (name, value) = (call.arg(0, "the name of a tunable")?.to_owned(), call.arg(1, "its value")?.to_owned());
    call.session.core_mut().set_param(&name, &value).map_err(Refusal::new)?;
    Ok(String::new())
}
