//! The engines of a game against each other: do they agree, and how fast are they?
//!
//! Paths are counted on each engine, random games are played on two at once and compared fact by fact, and the same
//! searches are made; then random games, counts and searches are timed in turns, and the same player on the native engine
//! and on the next engine play each other.

mod agreement;
mod engines;
mod games;
mod report;
mod searches;
mod speed;

use std::time::{Duration, Instant};

use rayon::ThreadPool;

pub use agreement::{AgreedStates, DepthCounts, EngineDifference};
pub use engines::{ComparedEngine, EngineLeftOut, open_engines};
pub use games::EngineScore;
pub use report::ComparisonReport;
pub use searches::SearchedDepth;
pub use speed::EngineSpeed;

use agreement::{EnginePair, count_paths};
use games::{EngineMatch, SearchBudget};
use speed::SpeedTest;

use crate::engine::EngineKind;
use crate::game::Stopped;
use crate::util::{Deadline, StopFlag};

/// Called with the share of the present stage that is done, from 0 to 1, and what it is.
pub type OnProgress<'p> = dyn FnMut(f64, &str) + 'p;

/// How deep players search in a match at equal depth.
const MATCH_DEPTH: u32 = 3;

/// What is to be compared, and for how long.
pub struct Comparison<'c> {
    /// The name of the game.
    pub game: &'c str,
    /// The engines, the one that others are measured by first.
    pub engines: &'c [ComparedEngine],
    /// The engines that cannot run the game.
    pub left_out: &'c [EngineLeftOut],
    /// How long each engine does each kind of work.
    pub time: Duration,
    /// How many plies of random games are compared at least, for each pair; where there is none, time decides.
    pub plies: Option<u64>,
    /// How many games are played at equal depth, and as many at equal time.
    pub games: u32,
    /// The time for a move in the games at equal time.
    pub move_time: Duration,
    /// The seed of random games and openings.
    pub seed: u64,
    /// The threads that count paths and play random games.
    pub pool: &'c ThreadPool,
    /// Raised from outside to end the comparison.
    pub stop: &'c StopFlag,
}

/// There is nothing to compare.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} has one engine only, so there is nothing to compare")]
pub struct OneEngine {
    /// The name of the game.
    pub game: String,
    /// Why there are no others.
    pub reasons: String,
}

impl Comparison<'_> {
    /// Everything that was found until the end or until something stopped it.
    ///
    /// # Errors
    /// There are fewer than two engines.
    pub fn run(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<(ComparisonReport, Result<(), Stopped>), OneEngine> {
        if self.engines.len() < 2 {
            let reasons = self.left_out.iter();
            let reasons = reasons.map(|one| format!("no {}: {}", one.engine, one.reason));
            return Err(OneEngine {
                game: self.game.to_owned(),
                reasons: reasons.collect::<Vec<_>>().join("; "),
            });
        }
        let mut report = ComparisonReport::new(self);
        let ended = self.fill(&mut report, progress);
        report.is_complete = ended.is_ok();
        report.agree = report.is_compared().then(|| report.agrees());
        Ok((report, ended))
    }

    fn fill(
        &self,
        report: &mut ComparisonReport,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), Stopped> {
        let depths = &mut report.perft;
        count_paths(
            self.engines,
            self.pool,
            (self.time, self.stop),
            depths,
            progress,
        )?;
        self.compare_states(report, progress)?;
        let budget = (self.time, self.stop);
        searches::compare_searches(self.engines, budget, &mut report.search, progress)?;
        if report.agrees() {
            let test = SpeedTest {
                pool: self.pool,
                time: self.time,
                seed: self.seed,
                stop: self.stop,
                depths: &report.perft,
            };
            let speeds = test.all(self.engines, progress)?;
            report.take_speeds(speeds);
            self.play_games(report, progress)?;
        }
        Ok(())
    }

    /// Lets the native engine and the next engine play each other.
    fn play_games(
        &self,
        report: &mut ComparisonReport,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), Stopped> {
        let [native, other, ..] = self.engines else {
            return Ok(());
        };
        let is_for_two = native.session().roles().len() == 2;
        if native.kind() != EngineKind::Native || !is_for_two || self.games == 0 {
            return Ok(());
        }
        let equal_time = SearchBudget::Time(self.move_time);
        for budget in [SearchBudget::Depth(MATCH_DEPTH), equal_time] {
            let games = EngineMatch {
                engines: [native, other],
                budget,
                games: self.games,
                seed: self.seed,
                stop: self.stop,
            };
            report.games.push(games.play(progress)?);
        }
        Ok(())
    }

    /// Plays random games with the first engine and each of the others.
    fn compare_states(
        &self,
        report: &mut ComparisonReport,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), Stopped> {
        let Some((first, others)) = self.engines.split_first() else {
            return Ok(());
        };
        for other in others {
            let by_time = self.plies.is_none();
            let pair = EnginePair {
                engines: [first, other],
                states: self.plies,
                seed: self.seed,
                deadline: &Deadline::new(by_time.then(|| Instant::now() + self.time), self.stop),
            };
            match pair.walk(progress)? {
                Ok(agreed) => {
                    report.differential_test.push(agreed);
                    searches::interrupted(self.stop)?;
                }
                Err(difference) => {
                    report.difference = Some(*difference);
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
