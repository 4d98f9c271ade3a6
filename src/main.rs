//! The command line: subcommands, options, exit codes. Nothing else.

mod arena;
mod bench;
mod cli;
mod logging;
mod measure;
mod model;
mod out;
mod selfplay;
mod shapes;
mod solve;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("losange: {error:#}");
            ExitCode::FAILURE
        }
    }
}
