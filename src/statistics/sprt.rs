//! Sequential probability ratio tests: games are played until one of two hypotheses is refuted.

use serde::{Deserialize, Serialize};

use crate::statistics::elo::{NORMALISED_SCALE, score_of_elo};
use crate::statistics::results::{ResultCounts, ScoreProbability, moments};

/// Two differences of strength, one of which is to be refuted, and how often that may go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypotheses {
    /// The difference if the change brings nothing, in points of the scale.
    pub elo0: f64,
    /// The difference if it brings what was hoped for; greater.
    pub elo1: f64,
    /// The probability that `elo1` is accepted where `elo0` is true.
    pub alpha: f64,
    /// The probability that `elo0` is accepted where `elo1` is true.
    pub beta: f64,
    /// What the points mean.
    pub scale: StrengthScale,
}

/// What points of strength mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum StrengthScale {
    /// Elo points, by the mean score alone
    #[default]
    Logistic,
    /// Normalised Elo points, by the mean score and its standard deviation
    Normalised,
}

/// Hypotheses that cannot be tested.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum InvalidHypotheses {
    /// The second difference must be the greater one.
    #[error("elo1 must be greater than elo0, and {elo1} is not greater than {elo0}")]
    NotGreater {
        /// The first difference.
        elo0: f64,
        /// The second one.
        elo1: f64,
    },
    /// A difference is too large.
    #[error("{0} is too large a difference: at most {LARGEST} points either way")]
    TooLarge(f64),
    /// A probability of an error is not one that a test can have.
    #[error("{0} is no probability of an error: it must be above 0 and below 0.5")]
    NoProbability(f64),
}

/// What a test says of the results so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    /// The logarithm of how much more probable the results are under `elo1` than under `elo0`.
    pub llr: f64,
    /// At this or below, `elo0` is accepted.
    pub lower: f64,
    /// At this or above, `elo1` is accepted.
    pub upper: f64,
    /// What follows.
    pub verdict: Verdict,
}

/// Whether more games are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// More games are needed.
    Continue,
    /// `elo0` is accepted.
    Elo0,
    /// `elo1` is accepted.
    Elo1,
}

/// The largest difference that is tested, in points.
const LARGEST: f64 = 200.0;
/// Stands for results that did not occur: a distribution that excludes them would make others impossible, too.
const REGULARISATION: f64 = 1e-3;

impl Hypotheses {
    /// Hypotheses that can be tested.
    ///
    /// # Errors
    /// Says what cannot.
    pub fn checked(self) -> Result<Self, InvalidHypotheses> {
        let Self { elo0, elo1, .. } = self;
        // Ranges do not contain NaN.
        let too_large = [elo0, elo1]
            .into_iter()
            .find(|elo| !(-LARGEST..=LARGEST).contains(elo));
        let no_probability = [self.alpha, self.beta]
            .into_iter()
            .find(|error| !(f64::MIN_POSITIVE..0.5).contains(error));
        match (too_large, no_probability) {
            (Some(elo), _) => Err(InvalidHypotheses::TooLarge(elo)),
            (_, Some(error)) => Err(InvalidHypotheses::NoProbability(error)),
            _ if elo1 <= elo0 => Err(InvalidHypotheses::NotGreater { elo0, elo1 }),
            _ => Ok(self),
        }
    }

    /// Judges results (Wald 1945). Of the distributions with a given strength, the one under which the results are most
    /// probable stands for the hypothesis: a generalised likelihood ratio.
    pub fn test(&self, results: &ResultCounts) -> Sprt {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = self.log_likelihood_ratio(results);
        let verdict = match llr {
            llr if llr <= lower => Verdict::Elo0,
            llr if llr >= upper => Verdict::Elo1,
            _ => Verdict::Continue,
        };
        Sprt {
            llr,
            lower,
            upper,
            verdict,
        }
    }

    fn log_likelihood_ratio(&self, results: &ResultCounts) -> f64 {
        if results.total() == 0 {
            return 0.0;
        }
        let seen = results.distribution(REGULARISATION);
        let likeliest = |elo: f64| match self.scale {
            StrengthScale::Logistic => likeliest_with_mean(&seen, score_of_elo(elo)),
            StrengthScale::Normalised => {
                let deviations = elo / NORMALISED_SCALE * results.deviation_factor();
                likeliest_with_lead(&seen, deviations)
            }
        };
        let (first, second) = (likeliest(self.elo0), likeliest(self.elo1));
        let logarithms =
            seen.iter()
                .zip(first.iter().zip(&second))
                .map(|(seen, (first, second))| {
                    seen.probability * (second.probability / first.probability).ln()
                });
        logarithms.sum::<f64>() * results.total() as f64
    }
}

/// The distribution with this mean under which what was seen is most probable: with a Lagrange multiplier x, the probability
/// of a score s is the one seen divided by 1 + x (s − mean), where x makes the mean come out.
fn likeliest_with_mean(seen: &[ScoreProbability], mean: f64) -> Vec<ScoreProbability> {
    let offsets: Vec<f64> = seen.iter().map(|one| one.score - mean).collect();
    let lowest = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let excess = |x: f64| -> f64 {
        let terms = seen.iter().zip(&offsets);
        terms
            .map(|(one, offset)| one.probability * offset / (1.0 + x * offset))
            .sum()
    };
    let multiplier = zero_of_falling(excess, -1.0 / highest, -1.0 / lowest);
    let probable = seen
        .iter()
        .zip(&offsets)
        .map(|(one, offset)| ScoreProbability {
            probability: one.probability / (1.0 + multiplier * offset),
            ..*one
        });
    probable.collect()
}

/// The distribution whose mean lies so many of its own standard deviations above one half, under which what was seen is most
/// probable (Van den Bergh, *Comments on normalized Elo*, 2020): where the condition is linearised at a distribution, it fixes
/// the mean of other values; its solution takes the place of that distribution until nothing changes.
fn likeliest_with_lead(seen: &[ScoreProbability], deviations: f64) -> Vec<ScoreProbability> {
    const ROUNDS: usize = 50;
    const SAME: f64 = 1e-9;
    let even = 1.0 / seen.len() as f64;
    let mut likeliest: Vec<ScoreProbability> = seen.to_vec();
    for outcome in &mut likeliest {
        outcome.probability = even;
    }
    for _ in 0..ROUNDS {
        let (mean, variance) = moments(&likeliest);
        let deviation = variance.sqrt();
        let linearised = |one: &ScoreProbability| {
            let distance = (one.score - mean) / deviation;
            ScoreProbability {
                score: one.score - 0.5 - deviations * deviation * (1.0 + distance.powi(2)) / 2.0,
                ..*one
            }
        };
        let values: Vec<ScoreProbability> = seen.iter().map(linearised).collect();
        let solution = likeliest_with_mean(&values, 0.0);
        let change = likeliest
            .iter()
            .zip(&solution)
            .map(|(old, new)| (old.probability - new.probability).abs())
            .fold(0.0, f64::max);
        for (old, new) in likeliest.iter_mut().zip(&solution) {
            old.probability = new.probability;
        }
        if change < SAME {
            break;
        }
    }
    likeliest
}

/// Where a function that falls between two poles is zero.
fn zero_of_falling(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const BISECTIONS: usize = 80;
    for _ in 0..BISECTIONS {
        let middle = low.midpoint(high);
        match function(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    low.midpoint(high)
}

#[cfg(test)]
mod tests;
