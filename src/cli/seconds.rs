//! Spans of time as people type them.

use std::str::FromStr;
use std::time::Duration;

/// A positive number of seconds that a clock can count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seconds(f64);

impl Seconds {
    /// The span of time.
    pub(super) fn duration(self) -> Duration {
        Duration::from_secs_f64(self.0)
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(seconds) if (0.001..1e9).contains(&seconds) => Ok(Self(seconds)),
            _ => Err("give a number of seconds above 0, such as 5 or 0.5".to_owned()),
        }
    }
}
