//! When long work ends before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::game::Fault;

/// How long work may go on.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'s> {
    /// Raised from outside to end the work.
    pub stop: &'s Arc<AtomicBool>,
    /// When time is up.
    pub deadline: Option<Instant>,
}

/// When what takes long is to be cut short: see [`StateMachine::halt_by`](crate::game::StateMachine::halt_by).
#[derive(Debug, Clone, Default)]
pub struct Halt {
    /// Soon after this.
    pub at: Option<Instant>,
    /// Soon after this is raised.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Halt {
    /// Whether it is time to end.
    pub fn is_due(&self) -> bool {
        let is_raised = |stop: &Arc<AtomicBool>| stop.load(Ordering::Relaxed);
        self.stop.as_ref().is_some_and(is_raised) || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

/// Why work ended before it was done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The flag was raised.
    #[error("interrupted")]
    Interrupted,
    /// The deadline passed.
    #[error("the time is up")]
    OutOfTime,
    /// The engine ran out of a budget.
    #[error("{0}")]
    Fault(#[from] Fault),
    /// A turn went on and on, where turns were to be counted.
    #[error("one role stays in control for {0} plies, so that turns cannot be counted")]
    EndlessTurn(u32),
}

impl Limits<'_> {
    /// When what takes long is to be cut short.
    pub fn halt(&self) -> Halt {
        Halt {
            at: self.deadline,
            stop: Some(Arc::clone(self.stop)),
        }
    }

    /// Whether the work may go on.
    ///
    /// # Errors
    /// Says why it may not.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::OutOfTime),
            _ => Ok(()),
        }
    }
}
