//! Differences of strength.

use serde::Serialize;

use crate::statistics::interval::{TWO_SIDED_95, normal_cdf};
use crate::statistics::results::{NoResults, ResultCounts, moments};

/// Elo points of a player who scores ten times what the other one does, per unit of the decimal logarithm (Elo 1978).
pub(super) const SCALE: f64 = 400.0;
/// Normalised Elo points per standard deviation of a game's score; near equal strength without draws, they are Elo points.
pub(super) const NORMALISED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// How much stronger one player is than another, judged by results.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EloDifference {
    /// The games.
    pub games: u64,
    /// The mean score of a game, 0 to 1.
    pub score: f64,
    /// Half the width of the 95 % interval of that.
    pub score_error: f64,
    /// Elo points; `None` if one player scored everything.
    pub elo: Option<f64>,
    /// The ends of the 95 % interval of that; `None` if an end is at infinity.
    pub elo_interval: [Option<f64>; 2],
    /// Normalised Elo points: how many standard deviations of a game's score lie between the score and one half, times 347.4.
    /// They say how many games it takes to show the difference, whatever the share of draws (Van den Bergh, *Comments on
    /// normalized Elo*, 2020). `None` if all results are the same.
    pub normalised_elo: Option<f64>,
    /// Half the width of the 95 % interval of that.
    pub normalised_error: Option<f64>,
    /// The probability that the first player is the stronger one, if nothing was known before: the likelihood of superiority.
    pub superiority: f64,
}

impl EloDifference {
    /// Judges results.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(results: &ResultCounts) -> Result<Self, NoResults> {
        let total = results.total();
        if total == 0 {
            return Err(NoResults);
        }
        let (score, variance) = moments(&results.distribution(0.0));
        let deviation = variance.sqrt();
        let deviation_of_mean = deviation / (total as f64).sqrt();
        let score_error = TWO_SIDED_95 * deviation_of_mean;
        let per_deviation = NORMALISED_SCALE / results.deviation_factor();
        let differs = deviation > 0.0;
        Ok(Self {
            games: results.games(),
            score,
            score_error,
            elo: elo_of_score(score),
            elo_interval: [score - score_error, score + score_error].map(elo_of_score),
            normalised_elo: differs.then(|| (score - 0.5) / deviation * per_deviation),
            normalised_error: differs.then(|| score_error / deviation * per_deviation),
            superiority: superiority(score - 0.5, deviation_of_mean),
        })
    }
}

/// The probability that a lead with this standard deviation is more than luck.
pub(super) fn superiority(lead: f64, deviation: f64) -> f64 {
    match deviation > 0.0 {
        true => normal_cdf(lead / deviation),
        false if lead == 0.0 => 0.5,
        false => f64::from(u8::from(lead > 0.0)),
    }
}

/// The difference in Elo points to which a mean score belongs, 0 to 1; `None` at both ends and beyond.
pub fn elo_of_score(score: f64) -> Option<f64> {
    let is_finite = score > 0.0 && score < 1.0;
    is_finite.then(|| SCALE * (score / (1.0 - score)).log10())
}

/// The mean score that a difference in Elo points makes probable, 0 to 1.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / SCALE))
}
