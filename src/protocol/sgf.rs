//! Smart Game Format, version 4: the main line of one game, or all games with their variations. Text and properties only; what they
//! mean to a game is said in `record`.

mod tree;

use std::fmt::Write;

use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, multispace0};
use nom::multi::fold_many1;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use thiserror::Error;

pub use self::tree::{SgfTree, games};

/// Largest file that is read, in bytes.
pub const LARGEST: usize = 4 * 1024 * 1024;
/// Most nodes of a main line.
pub const MOST_NODES: usize = 20_000;

/// Why a text is no game record.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SgfError {
    /// No `(;` anywhere.
    #[error("it is no SGF file, there is no '(;' in it")]
    NoGame,
    /// Not a property where one must be.
    #[error("there is a syntax error at byte {0}")]
    Syntax(usize),
    /// The text ends within a game.
    #[error("it ends in the middle of the game")]
    Truncated,
    /// More moves than any game has.
    #[error("it has more than {MOST_NODES} moves")]
    TooLong,
}

/// One node: its properties in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfNode(Vec<(String, Vec<String>)>);

impl SgfNode {
    /// All values of a property; none if it is absent.
    pub fn values(&self, key: &str) -> &[String] {
        self.0.iter().find(|(k, _)| k == key).map_or(&[], |(_, values)| values)
    }

    /// The first value of a property.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.values(key).first().map(String::as_str)
    }

    /// The properties in order.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(key, values)| (key.as_str(), values.as_slice()))
    }

    /// Gives a property these values in the place of those that it has; without any it is taken away.
    pub fn set(&mut self, key: &str, values: Vec<String>) {
        match self.0.iter_mut().find(|(other, _)| other == key) {
            _ if values.is_empty() => self.0.retain(|(other, _)| other != key),
            Some((_, old)) => *old = values,
            None => self.0.push((key.to_owned(), values)),
        }
    }

    /// Adds a property as it stands in a file. Values of one that stands there already join those, but for moves, which are one each.
    fn join(&mut self, (key, values): (String, Vec<String>)) {
        let is_move = matches!(key.as_str(), "B" | "W" | "LB" | "LW");
        match self.0.iter_mut().find(|(other, _)| *other == key) {
            Some((_, old)) if !is_move => old.extend(values),
            _ => self.0.push((key, values)),
        }
    }

    /// Appends the node as text.
    fn write(&self, text: &mut String) {
        text.push(';');
        for (key, values) in self.properties() {
            text.push_str(key);
            for value in values {
                let _ = write!(text, "[{}]", escape(value));
            }
        }
    }
}

/// `[...]`, with escapes undone.
fn bracketed(input: &str) -> IResult<&str, String> {
    let piece = |input| -> IResult<&str, String> {
        let mut value = String::new();
        let mut chars = str::char_indices(input).peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                ']' => return Ok((&input[at..], value)),
                // A line break after a backslash is nothing, of one character or of two; any other character stands for itself.
                '\\' => match chars.next() {
                    Some((_, first @ ('\n' | '\r'))) => {
                        _ = chars.next_if(|&(_, second)| matches!(second, '\n' | '\r') && second != first);
                    }
                    Some((_, escaped)) => value.push(escaped),
                    None => break,
                },
                _ => value.push(c),
            }
        }
        // No other reading can help.
        Err(nom::Err::Failure(nom::error::Error::new(&input[input.len()..], nom::error::ErrorKind::Eof)))
    };
    delimited(char('['), piece, char(']')).parse(input)
}

fn property(input: &str) -> IResult<&str, (String, Vec<String>)> {
    // Old files write lower-case letters between, which do not count.
    let key = take_while1(|c: char| c.is_ascii_alphabetic())
        .map(|key: &str| key.chars().filter(char::is_ascii_uppercase).collect::<String>());
    let values = fold_many1(preceded(multispace0, bracketed), Vec::new, |mut values, value| {
        values.push(value);
        values
    });
    (key, values).parse(input)
}

/// The nodes of the main line: at every fork the first branch.
///
/// # Errors
/// [`SgfError`]; the rest of the text after the first game is not looked at.
pub fn main_line(text: &str) -> Result<Vec<SgfNode>, SgfError> {
    let read = tree::first(text, tree::MOST_OF_FILE).ok_or(SgfError::NoGame)?;
    read.map_err(|fault| fault.within(text.len()))?.0.into_main_line()
}

fn space(input: &str) -> &str {
    take_while::<_, _, nom::error::Error<&str>>(char::is_whitespace).parse(input).map_or(input, |(rest, _)| rest)
}

/// A text as property value.
pub fn escape(text: &str) -> String {
    text.chars().flat_map(|c| matches!(c, ']' | '\\').then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(nodes: &[SgfNode]) -> Vec<String> {
        nodes.iter().map(|n| n.properties().map(|(k, v)| format!("{k}{}", v.join("/"))).collect()).collect()
    }

    #[test]
    fn main_line_is_the_first_branch_at_every_fork() {
        let nodes = main_line("junk (;GM[1]SZ[9](;B[aa](;W[bb])(;W[cc];B[dd]))(;B[ee])) trailing (").unwrap();
        assert_eq!(keys(&nodes), ["GM1SZ9", "Baa", "Wbb"]);
    }

    #[test]
    fn escapes_spaces_and_lists() {
        let nodes = main_line("(;C[a\\]b\\\\c]AB[aa] [bb]\n[cc] ; \n B\n[dd])").unwrap();
        assert_eq!(nodes[0].value("C"), Some("a]b\\c"));
        assert_eq!(nodes[0].values("AB"), ["aa", "bb", "cc"]);
        assert_eq!(nodes[1].value("B"), Some("dd"));
        let soft = main_line("(;C[a\\\nb\\\r\nc\\\n\rd\\\n\ne])").unwrap();
        assert_eq!(soft[0].value("C"), Some("abcd\ne"));
        assert_eq!(main_line(&format!("(;C[{}])", escape("]\\["))).unwrap()[0].value("C"), Some("]\\["));
    }

    #[test]
    fn old_long_names() {
        assert_eq!(main_line("(;GaMe[1]SiZe[9])").unwrap()[0].value("SZ"), Some("9"));
    }

    #[test]
    fn what_is_no_game() {
        assert_eq!(main_line(""), Err(SgfError::NoGame));
        assert_eq!(main_line("hello (world)"), Err(SgfError::NoGame));
        assert_eq!(main_line("(;B[aa]"), Err(SgfError::Truncated));
        assert_eq!(main_line("(;B[aa"), Err(SgfError::Truncated));
        assert_eq!(main_line("(;B[aa](;W[bb])"), Err(SgfError::Truncated));
        assert_eq!(main_line("(;B[aa] 12)"), Err(SgfError::Syntax(8)));
        assert_eq!(main_line(&format!("({})", ";".repeat(MOST_NODES + 1))), Err(SgfError::TooLong));
    }

    #[test]
    fn deep_nesting_is_no_trouble() {
        let text = format!("{}{}", "(;".repeat(10_000), ")".repeat(10_000));
        assert_eq!(main_line(&text).unwrap().len(), 10_000);
    }
}
