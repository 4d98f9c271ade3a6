//! Answers: `=` or `?`, the id glued to it, a space, the text, and an empty line that stands nowhere else.

use std::fmt::Display;

/// Why a command is refused: the text after `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    /// Refused with that text.
    pub fn new(text: impl Display) -> Self {
        Self(text.to_string())
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Answer of a command.
pub type Answer = Result<String, Refusal>;

/// The head of an answer. The space before the text is there also when the text begins on the next line: GoGui cuts an
/// answer at its first space.
pub fn head(good: bool, id: Option<&str>) -> String {
    format!("{}{} ", if good { '=' } else { '?' }, id.unwrap_or_default())
}

/// A whole answer. A line break at the beginning of `text` stays, empty lines within it and at its end do not.
pub fn format(id: Option<&str>, answer: &Answer) -> String {
    let (good, text) = match answer {
        Ok(text) => (true, text),
        Err(Refusal(text)) => (false, text),
    };
    let mut out = head(good, id);
    let mut lines = text.lines();
    out.push_str(&ascii(lines.next().unwrap_or_default()));
    for line in lines.filter(|line| !line.trim().is_empty()) {
        out.push('\n');
        out.push_str(&ascii(line));
    }
    out.push_str("\n\n");
    out
}

/// Clients read bytes as characters.
fn ascii(line: &str) -> String {
    line.chars().filter(|c| !c.is_control()).map(|c| if c.is_ascii() { c } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_end_with_the_only_empty_line() {
        assert_eq!(format(None, &Ok(String::new())), "= \n\n");
        assert_eq!(format(Some("12"), &Ok("D4".into())), "=12 D4\n\n");
        assert_eq!(format(Some("3"), &Err("illegal move".into())), "?3 illegal move\n\n");
        assert_eq!(format(None, &Ok("\na\n\n \nb\r\n\n".into())), "= \na\nb\n\n");
        assert_eq!(format(None, &Ok("\u{e9}\u{7}".into())), "= ?\n\n");
    }
}
