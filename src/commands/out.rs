//! Standard output of the commands that list and measure: a reader that goes away ends them quietly. Those that write a file go on.

use std::fmt;
use std::io::{self, Write};
use std::process;

/// Writes a line. The program ends here if nobody reads any more, with an error if the line cannot be written otherwise.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    if let Err(error) = writeln!(io::stdout().lock(), "{text}") {
        if error.kind() == io::ErrorKind::BrokenPipe {
            process::exit(0);
        }
        eprintln!("losange: standard output: {error}");
        process::exit(1);
    }
}

/// Writes a line of a work that goes on without readers.
pub(crate) fn remark(text: fmt::Arguments<'_>) {
    // A full disk is no reason to throw the work away either.
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Writes a line to standard output, for a command whose work is not the output.
macro_rules! mention {
    ($($text:tt)*) => { $crate::commands::out::remark(format_args!($($text)*)) };
}
pub(crate) use mention;

/// As `println!`, for readers that may go away.
macro_rules! say {
    ($($text:tt)*) => { $crate::commands::out::line(format_args!($($text)*)) };
}
pub(crate) use say;
