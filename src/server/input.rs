//! Bytes into lines, with a limit on their length.

use crate::protocol::line::LONGEST;

/// A line of input before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawLine {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line that is longer than allowed. It is dropped up to its end.
    TooLong,
}

/// Collects bytes until a line is complete.
#[derive(Debug, Default)]
pub struct Splitter {
    buffer: Vec<u8>,
    /// Within a line that is too long.
    dropping: bool,
}

impl Splitter {
    /// Takes bytes and calls `found` for what they complete.
    pub fn feed(&mut self, mut bytes: &[u8], mut found: impl FnMut(RawLine)) {
        while !bytes.is_empty() {
            let end = bytes.iter().position(|&b| b == b'\n');
            let (line, rest) = end.map_or((bytes, &[][..]), |at| (&bytes[..at], &bytes[at + 1..]));
            if !self.dropping {
                if self.buffer.len() + line.len() > LONGEST {
                    self.buffer = Vec::new();
                    self.dropping = true;
                    found(RawLine::TooLong);
                } else {
                    self.buffer.extend_from_slice(line);
                }
            }
            if end.is_some() {
                if !self.dropping {
                    found(RawLine::Line(std::mem::take(&mut self.buffer)));
                }
                self.dropping = false;
            }
            bytes = rest;
        }
    }

    /// The input has ended: a last line without its end counts too.
    pub fn finish(&mut self, found: impl FnOnce(RawLine)) {
        if !self.buffer.is_empty() {
            found(RawLine::Line(std::mem::take(&mut self.buffer)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(chunks: &[&[u8]]) -> Vec<RawLine> {
        let (mut splitter, mut pieces) = (Splitter::default(), Vec::new());
        for chunk in chunks {
            splitter.feed(chunk, |piece| pieces.push(piece));
        }
        splitter.finish(|piece| pieces.push(piece));
        pieces
    }

    fn line(text: &str) -> RawLine {
        RawLine::Line(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_put_together_from_any_pieces() {
        assert_eq!(
            split(&[b"na", b"me\nver", b"sion\n", b"\n", b"quit"]),
            [line("name"), line("version"), line(""), line("quit")]
        );
    }

    #[test]
    fn a_long_line_is_told_once_and_what_follows_is_read() {
        let long = vec![b'x'; LONGEST];
        assert_eq!(split(&[&long, b"\nname\n"]), [RawLine::Line(long.clone()), line("name")]);
        assert_eq!(split(&[&long, b"x", &long, b"y\nname\n"]), [RawLine::TooLong, line("name")]);
    }
}
