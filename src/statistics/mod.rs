//! Statistics of game results: intervals, differences of strength, and tests that end as soon as they can.

mod elo;
mod interval;
mod results;
mod sprt;

pub use elo::{EloDifference, elo_of_score, score_of_elo};
pub use interval::{half_width_95, normal_cdf, wilson};
pub use results::{NoResults, ResultCounts};
pub use sprt::{Hypotheses, InvalidHypotheses, Sprt, StrengthScale, Verdict};
