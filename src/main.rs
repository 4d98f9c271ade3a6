//! The program: runs the command line and turns its result into an exit code.

#![deny(unsafe_code)]

mod commands;

use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is::<commands::Told>() {
                eprintln!("losange: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}
