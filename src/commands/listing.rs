//! `losange params` and `losange commands`: the tables that the program knows of itself.

use crate::players::{PRESETS, Preset};
use crate::protocol::commands_as_markdown;
use crate::search::Params;

use super::out::say;

/// Prints the parameters of the searches, as a list or as a page of the documentation.
pub(crate) fn params(markdown: bool) -> anyhow::Result<()> {
    if markdown {
        say!("{}", params_as_markdown().trim_end());
        return Ok(());
    }
    for row in Params::ROWS {
        say!("{} = {}   {} in {}\n    {}", row.name, row.default, row.kind, row.range, row.doc);
    }
    Ok(())
}

/// The parameters of the searches as a table in Markdown, for the documentation.
fn params_as_markdown() -> String {
    let mut text = "# Parameters\n\nMade by `losange params --markdown`. A parameter is set with `--set NAME=VALUE` or with the \
                    command `losange-set NAME VALUE`, and read with `losange-get NAME`. The first words of a description name the \
                    search, or the setting, that reads it.\n\n| parameter | default | type | range | meaning |\n\
                    | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let cell = |text: &str| text.replace('|', "\\|");
    for row in Params::ROWS {
        text += &format!("| `{}` | `{}` | {} | {} | {} |\n", row.name, row.default, row.kind, row.range, cell(row.doc));
    }
    text + "\n## Presets\n\nA preset is the search of a paper as it is published, named by `--preset`, in matches by `--preset-first` and \
            `--preset-second`, and by the command `losange-preset NAME`. It sets these parameters, gives all others their defaults, and \
            comes before what `--set` says. The options of `losange selfplay` that it has stand behind them.\n\n\
            | preset | games | paper | sets |\n| --- | --- | --- | --- |\n"
        + &PRESETS.iter().map(preset_as_markdown).collect::<String>()
}

fn preset_as_markdown(preset: &Preset) -> String {
    format!("| `{}` | {} | {} | `{}` |\n", preset.name, preset.game_names(), preset.paper, settings(preset, "` `"))
}

/// Settings of a preset, with such a text between.
fn settings(preset: &Preset, between: &str) -> String {
    let params = preset.params.iter().map(|(name, value)| format!("{name}={value}"));
    let learning = preset.learning.iter().map(|(name, value)| format!("--{name} {value}"));
    params.chain(learning).collect::<Vec<_>>().join(between)
}

/// Prints the presets and what they set.
pub(crate) fn presets() -> anyhow::Result<()> {
    for preset in PRESETS {
        say!("{} ({})\n    {}\n    {}", preset.name, preset.game_names(), preset.paper, settings(preset, " "));
    }
    Ok(())
}

/// Prints the commands of all games.
pub(crate) fn commands() -> anyhow::Result<()> {
    say!("{}", commands_as_markdown().trim_end());
    Ok(())
}
