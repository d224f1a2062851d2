//! Spans of time as people type them.

use std::time::Duration;

/// The shortest span that anything may take, in seconds.
pub const LEAST_TIME: f64 = 0.001;

/// The longest span that can be asked for, in seconds: eleven days.
const LONGEST: f64 = 1e6;

/// A text that is no span of time in the range that is allowed; its message says what was expected.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{least} to {LONGEST} seconds, such as 0.5, or 250ms, 10min, 1h")]
pub struct InvalidSeconds {
    least: f64,
}

/// Reads a span of at least `least` seconds, such as `2`, `0.25`, `2s`, `250ms`, `10min` or `1h`.
///
/// # Errors
/// Says what was expected.
pub fn read_seconds(text: &str, least: f64) -> Result<Duration, InvalidSeconds> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];
    let named = UNITS
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)));
    let (number, unit) = named.unwrap_or((text, 1.0));
    let seconds = number.parse().ok().map(|number: f64| number * unit);
    let in_range = seconds.filter(|seconds| (least..=LONGEST).contains(seconds));
    in_range
        .map(Duration::from_secs_f64)
        .ok_or(InvalidSeconds { least })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_reported() {
        let read = |text: &str| read_seconds(text, LEAST_TIME).map(|span| span.as_secs_f64());
        assert_eq!(read("250ms"), Ok(0.25));
        assert_eq!(read("2s"), Ok(2.0));
        assert_eq!((read("1.5min"), read("1h")), (Ok(90.0), Ok(3600.0)));
        assert_eq!(read("1000000"), Ok(1e6));
        for text in [
            "", "0", "1e-9", "0.5ms", "1e300", "1000001", "-1", "nan", "inf",
        ] {
            let expected = "0.001 to 1000000 seconds, such as 0.5, or 250ms, 10min, 1h";
            assert_eq!(read(text).unwrap_err().to_string(), expected, "{text}");
        }
        assert_eq!(read_seconds("0", 0.0), Ok(Duration::ZERO));
    }
}
