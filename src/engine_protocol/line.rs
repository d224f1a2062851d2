//! Lines of a stream, whatever comes.

use std::io::{self, BufRead, Read};

/// How many bytes a line may have.
#[derive(Debug, Clone, Copy)]
pub struct LongestLine(pub u64);

impl LongestLine {
    /// For what a program answers.
    pub const OF_PROGRAM: Self = Self(1 << 20);
    /// For what a host says: rules and positions may be long.
    pub const OF_HOST: Self = Self(1 << 26);
}

/// A line that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProtocolLine {
    /// The line without its end; bytes that are no UTF-8 are replaced.
    Text(String),
    /// A line that is too long; only its beginning is kept.
    TooLong(String),
}

/// The next line; `None` at the end of the stream. What exceeds the longest line is skipped without being kept.
///
/// # Errors
/// The stream cannot be read.
pub fn read_protocol_line(
    input: &mut impl BufRead,
    longest: LongestLine,
) -> io::Result<Option<ProtocolLine>> {
    const BEGINNING: usize = 200;
    let mut bytes = Vec::new();
    // One more for the line feed.
    let mut limited = input.by_ref().take(longest.0.saturating_add(1));
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let is_whole = bytes.last() == Some(&b'\n');
    if is_whole || bytes.len() as u64 <= longest.0 {
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches(['\n', '\r']).to_owned();
        return Ok(Some(ProtocolLine::Text(text)));
    }
    bytes.truncate(BEGINNING);
    input.skip_until(b'\n')?;
    let beginning = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Some(ProtocolLine::TooLong(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_until_the_stream_ends() {
        let mut input = &b"one\r\n\n0123456789\n01234567890\nl\xffst"[..];
        let mut read = || read_protocol_line(&mut input, LongestLine(10)).unwrap();
        let text = |text: &str| Some(ProtocolLine::Text(text.to_owned()));
        assert_eq!(read(), text("one"));
        assert_eq!(read(), text(""));
        assert_eq!(read(), text("0123456789"));
        let long = "01234567890".to_owned();
        assert_eq!(read(), Some(ProtocolLine::TooLong(long)));
        assert_eq!(read(), text("l\u{fffd}st"));
        assert_eq!(read(), None);
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut endless = io::BufReader::new(io::repeat(b'x').take(1 << 22));
        let read = read_protocol_line(&mut endless, LongestLine(1000)).unwrap();
        let Some(ProtocolLine::TooLong(beginning)) = read else {
            panic!("{read:?}")
        };
        assert_eq!(beginning.len(), 200);
        assert_eq!(
            read_protocol_line(&mut endless, LongestLine(1000)).unwrap(),
            None
        );
    }
}
