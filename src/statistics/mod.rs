//! Statistics of game results: intervals, differences of strength, and tests that end as soon as they can.

mod elo;
mod histogram;
mod interval;
mod linear;
mod ratings;
mod results;
mod sprt;

pub use elo::{EloDifference, elo_of_score, score_of_elo};
pub use histogram::{Bar, histogram};
pub use interval::{LEAST_GROUPS, MeanOfGroups, half_width_95, normal_cdf, wilson};
pub use ratings::{PairResult, RatingPlace, Ratings};
pub use results::{NoResults, ResultCounts};
pub use sprt::{Hypotheses, InvalidHypotheses, Sprt, StrengthScale, Verdict};
