//! Command lines: from bytes to id, name and arguments, by the order of treatment that GTP 2 prescribes.

use nom::branch::alt;
use nom::bytes::complete::{take_till1, take_until};
use nom::character::complete::{char, digit1, space0, space1};
use nom::combinator::{eof, opt, peek};
use nom::multi::separated_list0;
use nom::sequence::{delimited, terminated};
use nom::{IResult, Parser};

/// Longest line that is read, in bytes, without its end.
pub const LONGEST: usize = 64 * 1024;

/// A command as it was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The controller's number of the command, kept as its digits.
    pub id: Option<String>,
    /// Name of the command, empty if there was only an id.
    pub name: String,
    /// Arguments; one in double quotes may hold spaces.
    pub args: Vec<String>,
    /// All that follows the name, unparsed.
    pub rest: String,
    /// Whether letters outside ASCII were dropped.
    pub lossy: bool,
}

/// The line without its comment. A `#` right after a slash begins none: it stands in an address.
fn without_comment(bytes: &[u8]) -> &[u8] {
    let begins = |at: &usize| bytes[*at] == b'#' && at.checked_sub(1).is_none_or(|before| bytes[before] != b'/');
    &bytes[..(0..bytes.len()).find(begins).unwrap_or(bytes.len())]
}

/// Drops carriage return and other control characters, everything that is not ASCII, and the comment; tabs become spaces.
fn clean(bytes: &[u8]) -> String {
    without_comment(bytes)
        .iter()
        .filter_map(|&b| match b {
            b'\t' => Some(' '),
            b' '..=b'~' => Some(b as char),
            _ => None,
        })
        .collect()
}

/// Whether the line is the signal that cuts a search short. It is never answered.
pub fn is_interrupt(bytes: &[u8]) -> bool {
    bytes.trim_ascii() == b"# interrupt"
}

/// Whether the line ends the session.
pub fn is_quit(bytes: &[u8]) -> bool {
    Line::parse(bytes).is_some_and(|line| line.name == "quit")
}

fn word(input: &str) -> IResult<&str, &str> {
    alt((delimited(char('"'), take_until("\""), char('"')), take_till1(|c| c == ' '))).parse(input)
}

fn id(input: &str) -> IResult<&str, &str> {
    terminated(digit1, alt((peek(space1), eof))).parse(input)
}

fn head(input: &str) -> IResult<&str, (Option<&str>, Option<&str>)> {
    (delimited(space0, opt(id), space0), opt(take_till1(|c| c == ' '))).parse(input)
}

fn args(input: &str) -> IResult<&str, Vec<&str>> {
    delimited(space0, separated_list0(space1, word), space0).parse(input)
}

impl Line {
    /// Reads a line; `None` if nothing is left of it, which is to be answered by nothing.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text = clean(bytes);
        if text.trim().is_empty() {
            return None;
        }
        let (rest, (id, name)) = head(&text).unwrap_or((&text, (None, None)));
        let (_, args) = args(rest).unwrap_or((rest, Vec::new()));
        Some(Self {
            id: id.map(str::to_owned),
            name: name.unwrap_or_default().to_owned(),
            args: args.into_iter().map(str::to_owned).collect(),
            rest: rest.trim().to_owned(),
            lossy: !without_comment(bytes).is_ascii(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> (Option<String>, String, Vec<String>) {
        let line = Line::parse(text.as_bytes()).unwrap();
        (line.id, line.name, line.args)
    }

    #[test]
    fn id_name_and_arguments() {
        assert_eq!(line("play b D4"), (None, "play".into(), vec!["b".into(), "D4".into()]));
        assert_eq!(line(" 12\tgenmove   W \r").0, Some("12".into()));
        assert_eq!(line("12 genmove").1, "genmove");
        assert_eq!(line("12").1, "");
        assert_eq!(line("12genmove"), (None, "12genmove".into(), vec![]));
        assert_eq!(line("name # a comment"), (None, "name".into(), vec![]));
        assert_eq!(line("name a/#b#c").2, ["a/#b"]);
        assert_eq!(line("loadsgf \"my game.sgf\" 12").2, ["my game.sgf", "12"]);
        assert_eq!(line("loadsgf \"open").2, ["\"open"]);
        assert_eq!(Line::parse(b"kata-set-rules {\"ko\": 1}").unwrap().rest, "{\"ko\": 1}");
    }

    #[test]
    fn bytes_that_mean_nothing_are_dropped() {
        assert_eq!(Line::parse("pl\u{e4}\u{1}\u{7f}ay b\0 d4".as_bytes()).unwrap().name, "play");
        for blank in ["", " ", "\r", "\t \r", "# comment", "  # comment", "\u{fc}\u{1}"] {
            assert_eq!(Line::parse(blank.as_bytes()), None, "{blank:?}");
        }
    }

    #[test]
    fn signals() {
        assert!(is_interrupt(b"# interrupt\r"));
        assert!(!is_interrupt(b"# interrupted"));
        assert!(!is_interrupt(b"name # interrupt"));
        assert!(is_quit(b"7 quit # goodbye\r"));
        assert!(!is_quit(b"quit_not"));
        assert!(!is_quit(b"# quit"));
    }
}
