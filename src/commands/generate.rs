//! `losange completions` and `losange man`: what an installation puts beside the program.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use super::out::say;

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
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    say!("{}", String::from_utf8(page)?.trim_end());
    Ok(())
}

fn pages(dir: &Path, command: Command) -> anyhow::Result<()> {
    fs::create_dir_all(dir)?;
    Ok(clap_mangen::generate_to(command, dir)?)
}
