//! Runs any bytes through the splitter of lines and checks what must always hold. For fuzzing.

use super::input::{RawLine, Splitter};
use crate::protocol::line::LONGEST;

/// Feeds bytes in pieces, whose lengths the first eight bytes give in turn, and checks that lines come out as they do from the
/// whole.
///
/// # Panics
/// If they do not.
pub fn splitter(bytes: &[u8]) {
    let Some((lengths, mut rest)) = bytes.split_first_chunk::<8>() else { return };
    let (text, mut pieces, mut splitter) = (rest, Vec::new(), Splitter::default());
    for &length in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        // Short pieces are likelier, long ones reach over the limit of a line.
        let length = (1 + usize::from(length) * usize::from(length) / 16).min(rest.len());
        splitter.feed(&rest[..length], |piece| pieces.push(piece));
        rest = &rest[length..];
    }
    splitter.finish(|piece| pieces.push(piece));
    let mut lines: Vec<_> = text.split(|&byte| byte == b'\n').collect();
    // Behind the last end of a line there is nothing.
    _ = lines.pop_if(|last| last.is_empty());
    let expected = lines.into_iter().map(|line| match line.len() > LONGEST {
        true => RawLine::TooLong,
        false => RawLine::Line(line.to_vec()),
    });
    assert!(pieces.into_iter().eq(expected));
}
