//! The weights of the properties of a position, as text.

use std::fmt;
use std::str::FromStr;

/// How many properties an evaluation weighs.
pub(super) const PROPERTIES: usize = 11;

/// What an evaluation of Kolibrat weighs its eleven properties with, in their order; written `1/2/1/2/1/0/10/2/2/1/1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyWeights(pub [i32; PROPERTIES]);

/// Why a text is no weights of the properties.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PropertyWeightsFault {
    /// Too few, or too many.
    #[error("{PROPERTIES} weights with `/` between them; these are {0}")]
    Count(usize),
    /// One that is no number, or too large.
    #[error(
        "{PROPERTIES} weights with `/` between them, whole numbers from -{most} to {most}; `{0}` is none",
        most = PropertyWeights::MOST
    )]
    Number(String),
}

impl PropertyWeights {
    /// The greatest weight: with it no value of a position overflows.
    pub const MOST: i32 = 100_000;
}

impl FromStr for PropertyWeights {
    type Err = PropertyWeightsFault;

    fn from_str(text: &str) -> Result<Self, PropertyWeightsFault> {
        let weight = |text: &str| {
            let weight = text.trim().parse().ok();
            let weight =
                weight.filter(|weight: &i32| weight.unsigned_abs() <= Self::MOST.unsigned_abs());
            weight.ok_or_else(|| PropertyWeightsFault::Number(text.trim().to_owned()))
        };
        let weights: Vec<i32> = text.split('/').map(weight).collect::<Result<_, _>>()?;
        let fault = |weights: Vec<i32>| PropertyWeightsFault::Count(weights.len());
        weights.try_into().map(Self).map_err(fault)
    }
}

impl fmt::Display for PropertyWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.0.map(|weight| weight.to_string());
        f.write_str(&weights.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_they_are_written() {
        let weights = PropertyWeights([500, 260, 520, 750, 520, 330, 1000, -90, 530, 30, 0]);
        let text = "500/260/520/750/520/330/1000/-90/530/30/0";
        assert_eq!(weights.to_string(), text);
        assert_eq!(text.parse(), Ok(weights));
    }

    #[test]
    fn what_is_wrong_with_weights_is_said() {
        let fault = |text: &str| text.parse::<PropertyWeights>().unwrap_err();
        assert_eq!(fault("1/2/3"), PropertyWeightsFault::Count(3));
        let zeros = ["0"; 10].join("/");
        assert_eq!(
            fault(&format!("{zeros}/0/0")),
            PropertyWeightsFault::Count(12)
        );
        for last in ["x", "", "1.5", "100001", "-100001", "99999999999"] {
            let fault = fault(&format!("{zeros}/{last}"));
            assert_eq!(fault, PropertyWeightsFault::Number(last.to_owned()));
        }
        assert!(
            format!("{zeros}/-100000")
                .parse::<PropertyWeights>()
                .is_ok()
        );
    }
}
