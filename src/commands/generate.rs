//! `losange completions` and `losange man`: what an installation puts beside the program.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use super::out::say;
use crate::protocol::files::write_whole;

/// Heading of a page's examples.
const EXAMPLES: &str = "\n.SH EXTRA\n";

/// Print a script that completes the command line in a shell.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

/// Print the manual page, or write the pages of all subcommands.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Folder for losange.1, losange-go.1 and so on; it is made if it is not there.
    dir: Option<PathBuf>,
}

/// Prints the script for a shell.
pub(crate) fn completions(options: &Completions, mut command: Command) -> anyhow::Result<()> {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    say!("{}", String::from_utf8(script)?.trim_end());
    Ok(())
}

/// Prints the page of the program, or writes all pages into a folder.
pub(crate) fn man(options: &Man, command: Command) -> anyhow::Result<()> {
    if let Some(dir) = &options.dir {
        return pages(dir, command).with_context(|| format!("the pages cannot be written to {}", dir.display()));
    }
    say!("{}", page(&clap_mangen::Man::new(command))?.trim_end());
    Ok(())
}

/// A page, whose examples keep their lines.
fn page(man: &clap_mangen::Man) -> anyhow::Result<String> {
    let mut page = Vec::new();
    man.render(&mut page)?;
    let page = String::from_utf8(page)?;
    let Some((before, examples)) = page.split_once(EXAMPLES) else { return Ok(page) };
    let (examples, after) = examples.split_at(examples.find("\n.SH").map_or(examples.len(), |end| end + 1));
    Ok(format!("{before}{EXAMPLES}.nf\n{}\n.fi\n{after}", examples.trim_end()))
}

/// Writes the pages of a command and of all below it, without those that are for none but the program.
fn pages(dir: &Path, command: Command) -> anyhow::Result<()> {
    fs::create_dir_all(dir)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write_pages(dir, command)
}

fn write_pages(dir: &Path, command: Command) -> anyhow::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(dir, below.clone())?;
    }
    let man = clap_mangen::Man::new(command);
    let text = page(&man)?;
    Ok(write_whole(&dir.join(man.get_filename()), text)?)
}
