//! Tokens and arrays of numbers of a file of KataGo's, inflated as they are read. Nothing is allocated for numbers before their
//! bytes are there, and a file that inflates to many times its size is refused.

use std::io::BufRead;

use flate2::bufread::MultiGzDecoder;
use thiserror::Error;

use super::net::Net;

/// First bytes of what gzip writes.
pub(super) const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
/// Most bytes of a file after inflation.
const MOST_BYTES: u64 = 1 << 30;
/// Most bytes that a byte of a compressed file may become; weights hardly become smaller by gzip, as text by a factor of 3.
const MOST_INFLATION: u64 = 16;
/// Bytes that each compressed file may inflate to.
const SMALL: u64 = 1 << 20;
/// Bytes that are inflated at a time.
const BUFFER: usize = 1 << 16;
/// Bytes that are taken for numbers at a time, and thereby the memory that is reserved first.
const BLOCK: usize = 1 << 12;
/// Longest token.
const LONGEST_TOKEN: usize = 128;

/// Why a file is no network of KataGo's that can be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(in crate::eval::net) enum ReadError {
    /// Version older or newer than those that are read.
    #[error("its format is KataGo's version {0}; versions {first} to {last} are read", first = Net::VERSIONS.start(), last = Net::VERSIONS.end())]
    Version(u32),
    /// A part of it is damaged or unknown.
    #[error("'{piece}', before byte {offset}: {fault}")]
    Fault {
        /// Name of the layer or block.
        piece: String,
        /// Place in the inflated file.
        offset: u64,
        /// Fault of that place.
        fault: String,
    },
}

/// Reader of tokens, which are separated by white space, and of arrays.
pub(super) struct Tokens<'a> {
    source: Box<dyn BufRead + 'a>,
    offset: u64,
    /// Most bytes that may follow.
    left: u64,
    piece: String,
    /// Numbers of all arrays so far.
    pub(super) weights: u64,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let size = bytes.len() as u64;
        let (source, left): (Box<dyn BufRead + 'a>, u64) = if bytes.starts_with(GZIP) {
            let inflated = std::io::BufReader::with_capacity(BUFFER, MultiGzDecoder::new(bytes));
            (Box::new(inflated), size.saturating_mul(MOST_INFLATION).saturating_add(SMALL).min(MOST_BYTES))
        } else {
            (Box::new(bytes), size.min(MOST_BYTES))
        };
        Self { source, offset: 0, left, piece: "the file".to_owned(), weights: 0 }
    }

    /// An error at the present place.
    pub(super) fn fault(&self, fault: impl Into<String>) -> ReadError {
        ReadError::Fault { piece: self.piece.clone(), offset: self.offset, fault: fault.into() }
    }

    /// The bytes that are there now; none at the end.
    fn fill(&mut self) -> Result<&[u8], ReadError> {
        match self.source.fill_buf().map(<[u8]>::len) {
            Err(why) => return Err(self.fault(format!("it cannot be inflated ({why})"))),
            Ok(length) if length as u64 > self.left => {
                return Err(self.fault(format!("more than {} bytes follow, which is too much", self.left)));
            }
            Ok(_) => {}
        }
        self.source.fill_buf().map_err(|why| ReadError::Fault {
            piece: self.piece.clone(),
            offset: self.offset,
            fault: why.to_string(),
        })
    }

    fn consume(&mut self, count: usize) {
        self.source.consume(count);
        self.offset += count as u64;
        self.left -= count as u64;
    }

    /// The byte that is next and no white space; none at the end.
    fn skip_space(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            let buffer = self.fill()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            match buffer.iter().position(|byte| !byte.is_ascii_whitespace()) {
                Some(count) => {
                    let byte = buffer[count];
                    self.consume(count);
                    return Ok(Some(byte));
                }
                None => {
                    let count = buffer.len();
                    self.consume(count);
                }
            }
        }
    }

    /// The next token.
    pub(super) fn token(&mut self) -> Result<String, ReadError> {
        let mut token = Vec::new();
        if self.skip_space()?.is_none() {
            return Err(self.fault("the file ends too early"));
        }
        loop {
            let buffer = self.fill()?;
            let whole = buffer.iter().position(u8::is_ascii_whitespace);
            let count = whole.unwrap_or(buffer.len());
            let end = whole.is_some() || buffer.is_empty();
            let fits = token.len() + count <= LONGEST_TOKEN && buffer[..count].iter().all(u8::is_ascii_graphic);
            if !fits {
                return Err(self.fault(format!("a word of up to {LONGEST_TOKEN} letters was expected")));
            }
            token.extend_from_slice(&buffer[..count]);
            self.consume(count);
            if end {
                return String::from_utf8(token).map_err(|_| self.fault("a word is no text"));
            }
        }
    }

    /// The name of the piece that begins here.
    pub(super) fn name(&mut self) -> Result<String, ReadError> {
        self.piece = self.token()?;
        Ok(self.piece.clone())
    }

    /// A whole number up to `most`.
    pub(super) fn number(&mut self, what: &str, most: u32) -> Result<u32, ReadError> {
        let token = self.token()?;
        let number = token.parse().ok().filter(|number| *number <= most);
        number.ok_or_else(|| self.fault(format!("{what} is '{token}', and a number up to {most} was expected")))
    }

    /// Whether something is so, as 0 or 1.
    pub(super) fn flag(&mut self, what: &str) -> Result<bool, ReadError> {
        Ok(self.number(what, 1)? == 1)
    }

    /// Zeros, in whose place newer files have settings.
    pub(super) fn zeros(&mut self, count: usize) -> Result<(), ReadError> {
        (0..count).try_for_each(|_| self.number("a setting that is not known", 0).map(drop))
    }

    /// A positive number with a fraction.
    pub(super) fn positive(&mut self, what: &str, most: f32) -> Result<f32, ReadError> {
        let token = self.token()?;
        let number = token.parse().ok().filter(|number: &f32| 0.0 < *number && *number <= most);
        number.ok_or_else(|| self.fault(format!("{what} is '{token}', and a positive number was expected")))
    }

    /// An array whose size is the product of some numbers.
    pub(super) fn array(&mut self, sizes: &[usize]) -> Result<Vec<f32>, ReadError> {
        let count = sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
        let first = self.skip_space()?;
        // A number takes four bytes, or as text a digit and white space.
        let (least, is_binary) = if first == Some(b'@') { (4, true) } else { (2, false) };
        let fits = |count: &usize| (*count as u64).checked_mul(least).is_some_and(|bytes| bytes <= self.left + 1);
        let count = count.filter(fits).ok_or_else(|| {
            self.fault(format!("{sizes:?} numbers are promised, and at most {} bytes are left", self.left))
        })?;
        let mut numbers = Vec::new();
        if is_binary {
            self.binary(count, &mut numbers)?;
        } else {
            self.text(count, &mut numbers)?;
        }
        // Some networks are full of numbers that are nothing, and that many processors calculate many times slower.
        numbers.iter_mut().filter(|number| number.is_subnormal()).for_each(|number| *number = 0.0);
        self.weights += count as u64;
        Ok(numbers)
    }

    fn text(&mut self, count: usize, numbers: &mut Vec<f32>) -> Result<(), ReadError> {
        while numbers.len() < count {
            let token = self.token()?;
            let number = token.parse().ok().filter(|number: &f32| number.is_finite());
            let number =
                number.ok_or_else(|| self.fault(format!("weight {} of {count} is '{token}'", numbers.len())))?;
            make_room(numbers, count);
            numbers.push(number);
        }
        Ok(())
    }

    fn binary(&mut self, count: usize, numbers: &mut Vec<f32>) -> Result<(), ReadError> {
        let mut block = [0; BLOCK];
        self.exactly(&mut block[..5])?;
        if &block[..5] != b"@BIN@" {
            return Err(self.fault("an array was expected"));
        }
        while numbers.len() < count {
            let bytes = &mut block[..BLOCK.min(4 * (count - numbers.len()))];
            self.exactly(bytes)?;
            make_room(numbers, count);
            let begin = numbers.len();
            numbers.extend(bytes.as_chunks().0.iter().map(|&number| f32::from_le_bytes(number)));
            if let Some(place) = numbers[begin..].iter().position(|number| !number.is_finite()) {
                return Err(self.fault(format!("weight {} of {count} is {}", begin + place, numbers[begin + place])));
            }
        }
        Ok(())
    }

    /// Takes as many bytes as there is room for.
    fn exactly(&mut self, mut room: &mut [u8]) -> Result<(), ReadError> {
        while !room.is_empty() {
            let buffer = self.fill()?;
            let count = buffer.len().min(room.len());
            let (now, later) = room.split_at_mut(count);
            now.copy_from_slice(&buffer[..count]);
            if count == 0 {
                return Err(self.fault(format!("the file ends {} bytes before the end of an array", later.len())));
            }
            self.consume(count);
            room = later;
        }
        Ok(())
    }

    /// The end of the file, after white space.
    pub(super) fn end(&mut self) -> Result<(), ReadError> {
        match self.skip_space()? {
            None => Ok(()),
            Some(_) => Err(self.fault("the file goes on where the network ends")),
        }
    }
}

/// Room for more numbers: at most as much again as there are already, so that memory follows what is there.
fn make_room(numbers: &mut Vec<f32>, count: usize) {
    if numbers.len() + BLOCK / 4 > numbers.capacity() {
        let more = numbers.len().max(BLOCK / 4).min(count - numbers.len());
        numbers.reserve_exact(more);
    }
}
