//! The program. All of it is in the library, so that what is compiled for each game is compiled once.

#![deny(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    losange::main()
}
