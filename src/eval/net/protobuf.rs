//! As much of the protobuf wire format as describing a model takes. Bounded: every step consumes input or fails.

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// A number of fixed width, the lowest byte first.
    Fixed(&'a [u8]),
}

/// Most fields of a message: tensors of many numbers have them in one field.
const MOST_FIELDS: usize = 1 << 16;

/// The fields of a message in order: number and value, or what is wrong.
pub(super) fn fields(message: &[u8]) -> impl Iterator<Item = Result<(u64, Field<'_>), String>> {
    let mut rest = Some(message);
    let mut count = 0;
    std::iter::from_fn(move || {
        let mut input = rest.take().filter(|rest| !rest.is_empty())?;
        count += 1;
        if count > MOST_FIELDS {
            return Some(Err(format!("a message has more than {MOST_FIELDS} fields")));
        }
        let field = field(&mut input);
        if field.is_ok() {
            rest = Some(input);
        }
        Some(field)
    })
}

fn field<'a>(input: &mut &'a [u8]) -> Result<(u64, Field<'a>), String> {
    let tag = varint(input)?;
    let value = match tag & 7 {
        0 => Field::Number(varint(input)?),
        1 => fixed(input, 8)?,
        2 => {
            let length = varint(input)?;
            let (bytes, rest) = usize::try_from(length)
                .ok()
                .and_then(|length| input.split_at_checked(length))
                .ok_or_else(|| format!("{length} bytes are promised and {} are left", input.len()))?;
            *input = rest;
            Field::Bytes(bytes)
        }
        5 => fixed(input, 4)?,
        other => return Err(format!("a field of type {other}")),
    };
    match tag >> 3 {
        0 => Err("a field without a number".to_owned()),
        number => Ok((number, value)),
    }
}

fn fixed<'a>(input: &mut &'a [u8], width: usize) -> Result<Field<'a>, String> {
    let (number, rest) = input.split_at_checked(width).ok_or("the end in the middle of a number")?;
    *input = rest;
    Ok(Field::Fixed(number))
}

/// A number of variable length.
pub(super) fn varint(input: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = input.split_first().ok_or("the end in the middle of a number")?;
        *input = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("a number of more than 64 bits".to_owned())
}

/// The last sub-message with that number; empty if there is none.
pub(super) fn part(message: &[u8], number: u64) -> Result<&[u8], String> {
    let mut found = &[][..];
    for field in fields(message) {
        if let (n, Field::Bytes(bytes)) = field?
            && n == number
        {
            found = bytes;
        }
    }
    Ok(found)
}

/// The text with that number.
pub(super) fn text(message: &[u8], number: u64) -> Result<String, String> {
    Ok(String::from_utf8_lossy(part(message, number)?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_order() {
        let message = [0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i', 0x1d, 1, 2, 3, 4];
        let read: Result<Vec<_>, _> = fields(&message).collect();
        assert_eq!(
            read.unwrap(),
            [(1, Field::Number(150)), (2, Field::Bytes(b"hi")), (3, Field::Fixed(&[1, 2, 3, 4]))]
        );
    }

    #[test]
    fn what_is_cut_or_means_nothing_is_an_error_and_the_end() {
        for bad in [&[0x08][..], &[0x12, 0x05, 1], &[0x1d, 1], &[0x0b], &[0x02, 0x00], &[0xff; 12]] {
            let read: Vec<_> = fields(bad).collect();
            assert!(read.len() == 1 && read[0].is_err(), "{bad:?}");
        }
    }
}
