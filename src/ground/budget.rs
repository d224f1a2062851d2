//! The limits of grounding, and the errors when they are exceeded.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::datalog::{DatalogError, EvaluationLimits, Exhausted};
use crate::util::StopFlag;

/// The limits at start-up, where the reasoner can be used if grounding fails.
pub fn startup_limits(stop: StopFlag) -> EvaluationLimits {
    EvaluationLimits {
        rows: 8_000_000,
        terms: 5_000_000,
        time: Duration::from_secs(10),
        stop,
        ..EvaluationLimits::default()
    }
}

/// Why rules were not grounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum GroundError {
    /// Relaxed reachability exceeded its limits.
    #[error(transparent)]
    Datalog(#[from] DatalogError),
    /// There would be too many rules.
    #[error("without variables, the rules would have more than {0} conditions")]
    Conditions(usize),
    /// It took too long.
    #[error("grounding the rules took longer than {} s", .0.as_secs_f64())]
    Time(Duration),
    /// Grounding failed because of this with lookups of facts that were assumed to be unique; without lookups, it may succeed.
    #[error("with lookups of unique facts, {0}")]
    WithLookups(Box<Self>),
}

impl GroundError {
    /// Whether more time, or a faster machine, might have helped.
    pub fn is_out_of_time(&self) -> bool {
        match self {
            Self::Time(_) => true,
            Self::Datalog(DatalogError::Exhausted { why, .. }) => {
                matches!(why, Exhausted::Time(_))
            }
            Self::WithLookups(why) => why.is_out_of_time(),
            Self::Datalog(_) | Self::Conditions(_) => false,
        }
    }
}

impl From<Exhausted> for GroundError {
    fn from(why: Exhausted) -> Self {
        Self::Datalog(DatalogError::from(why))
    }
}

/// How much of the time there is for grounding with assumptions: they may turn out to be wrong.
pub(super) fn time_with_assumptions(time: Duration) -> Duration {
    time / 2
}

/// What is left of the limits while rules are instantiated.
pub(super) struct GroundingBudget {
    limits: EvaluationLimits,
    started: Instant,
    /// How many conditions may be counted before the clock is read again.
    until_check: usize,
}

impl GroundingBudget {
    /// How many conditions are counted between two readings of the clock.
    const CHECK_INTERVAL: usize = 1 << 14;

    pub(super) fn new(limits: EvaluationLimits, started: Instant) -> Self {
        Self {
            limits,
            started,
            until_check: 0,
        }
    }

    /// There is only as much time as for grounding with assumptions.
    pub(super) fn assume(&mut self) {
        self.limits.time = time_with_assumptions(self.limits.time);
    }

    /// How much time is left.
    pub(super) fn time_left(&self) -> Duration {
        self.limits.time.saturating_sub(self.started.elapsed())
    }

    /// Counts `more` conditions that were examined, while `kept` are stored.
    pub(super) fn count(&mut self, more: usize, kept: usize) -> Result<(), GroundError> {
        if kept > self.limits.rows {
            return Err(GroundError::Conditions(self.limits.rows));
        }
        if more <= self.until_check {
            self.until_check -= more;
            return Ok(());
        }
        self.until_check = Self::CHECK_INTERVAL;
        if self.limits.is_stopped() {
            return Err(Exhausted::Interrupted.into());
        }
        if self.started.elapsed() > self.limits.time {
            return Err(GroundError::Time(self.limits.time));
        }
        Ok(())
    }
}
