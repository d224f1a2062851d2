//! What grounding may cost, and what is said when it costs more.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::datalog::{EngineError, Exhausted, Limits};

/// What grounding may cost where the reasoner can stand in for a network.
pub fn startup_limits(stop: Arc<AtomicBool>) -> Limits {
    Limits {
        rows: 8_000_000,
        terms: 5_000_000,
        time: Duration::from_secs(10),
        stop,
        ..Limits::default()
    }
}

/// Why rules were not grounded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// Not even what may ever hold could be found.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There would be too many rules.
    #[error("without variables, the rules would have more than {0} conditions")]
    Conditions(usize),
    /// It took too long.
    #[error("grounding the rules took longer than {} s", .0.as_secs())]
    Time(Duration),
}

impl From<Exhausted> for GroundError {
    fn from(why: Exhausted) -> Self {
        Self::Engine(EngineError::Exhausted(why))
    }
}

/// What is left to spend on rules without variables.
pub(super) struct Budget {
    limits: Limits,
    started: Instant,
    /// How many conditions may be looked at before the next look at the clock.
    until_look: usize,
}

impl Budget {
    /// What is done between two looks at the clock.
    const LOOK: usize = 1 << 14;

    pub(super) fn new(limits: Limits, started: Instant) -> Self {
        Self {
            limits,
            started,
            until_look: 0,
        }
    }

    /// How much time is left.
    pub(super) fn time_left(&self) -> Duration {
        self.limits.time.saturating_sub(self.started.elapsed())
    }

    /// Counts `more` conditions that were looked at, while `kept` are stored.
    pub(super) fn count(&mut self, more: usize, kept: usize) -> Result<(), GroundError> {
        if kept > self.limits.rows {
            return Err(GroundError::Conditions(self.limits.rows));
        }
        if more <= self.until_look {
            self.until_look -= more;
            return Ok(());
        }
        self.until_look = Self::LOOK;
        if self.limits.is_stopped() {
            return Err(Exhausted::Interrupted.into());
        }
        if self.started.elapsed() > self.limits.time {
            return Err(GroundError::Time(self.limits.time));
        }
        Ok(())
    }
}
