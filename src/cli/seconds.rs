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

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = read_seconds(text, LEAST_TIME).map(Self);
        read.map_err(|wanted| format!("give {wanted}"))
    }
}
