//! Spans of time on the command line.

use std::str::FromStr;
use std::time::Duration;

use crate::play::{LEAST_TIME, read_seconds};

/// A span of time that something may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seconds(Duration);

impl Seconds {
    /// The span of time.
    pub(super) fn duration(self) -> Duration {
        self.0
    }
}

/// A greater number of seconds is as good as none to a reader.
const LONGEST_NAMED: u64 = 1_000_000;

/// Reads a clock of a match, at most `most` seconds. The protocols know whole seconds alone.
pub(super) fn clock(most: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        // A number alone may be greater than any span of time that is waited for.
        let plain = text.parse().ok();
        let span = || read_seconds(text, 1.0).ok();
        let whole = || span().filter(|span| span.subsec_nanos() == 0);
        let seconds = plain.or_else(|| whole().map(|span| span.as_secs()));
        let in_range = seconds.filter(|seconds| (1..=most).contains(seconds));
        in_range.ok_or_else(|| match most > LONGEST_NAMED {
            true => "give whole seconds, 1 or more, such as 15, 15s or 1min".to_owned(),
            false => format!("give whole seconds from 1 to {most}, such as 15, 15s or 1min"),
        })
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = read_seconds(text, LEAST_TIME).map(Self);
        read.map_err(|wanted| format!("give {wanted}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_whole_seconds() {
        let read = clock(100);
        for (text, seconds) in [("15", 15), ("15s", 15), ("1min", 60), ("2000ms", 2)] {
            assert_eq!(read(text), Ok(seconds), "{text}");
        }
        for text in ["", "0", "0.5", "1.5", "5 s", "-1", "101", "1h", "nan"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
