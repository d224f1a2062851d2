//! When long work must end before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A flag that ends work; clones share it, so that any thread can raise it.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

/// When work must end: at a time, or soon after a flag is raised, whichever comes first. The default sets no end.
#[derive(Debug, Clone, Default)]
pub struct Deadline {
    /// The time at which it must end.
    pub at: Option<Instant>,
    /// The flag that ends it.
    pub stop: Option<StopFlag>,
}

/// Why a [`Deadline`] is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Expired {
    /// The flag was raised.
    #[error("interrupted")]
    Interrupted,
    /// The time has passed.
    #[error("the time is up")]
    OutOfTime,
}

impl StopFlag {
    /// Ends all work that looks at this flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets work that begins from now on go on.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it has been raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Deadline {
    /// A deadline at a time, if there is one, that `stop` can bring forward.
    pub fn new(at: Option<Instant>, stop: &StopFlag) -> Self {
        Self {
            at,
            stop: Some(stop.clone()),
        }
    }

    /// Whether the flag was raised.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(StopFlag::is_raised)
    }

    /// Whether the work must end.
    pub fn is_due(&self) -> bool {
        self.is_stopped() || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// Whether the work may go on.
    ///
    /// # Errors
    /// Says why it may not.
    pub fn check(&self) -> Result<(), Expired> {
        match self.at {
            _ if self.is_stopped() => Err(Expired::Interrupted),
            Some(at) if Instant::now() >= at => Err(Expired::OutOfTime),
            _ => Ok(()),
        }
    }
}

/// Looks at a [`Deadline`] once in many steps of work, each of which takes less time than a look.
#[derive(Debug)]
pub struct SparseCheck<'d> {
    deadline: &'d Deadline,
    steps: u32,
}

impl<'d> SparseCheck<'d> {
    /// Steps between two looks.
    const STEPS: u32 = 1 << 16;

    /// Looks at `deadline` with the first step.
    pub fn new(deadline: &'d Deadline) -> Self {
        Self { deadline, steps: 0 }
    }

    /// Counts so many steps.
    ///
    /// # Errors
    /// The deadline is due, as far as it was looked at.
    pub fn step(&mut self, steps: usize) -> Result<(), Expired> {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        match self.steps.checked_sub(steps) {
            Some(left) => self.steps = left,
            None => {
                self.deadline.check()?;
                self.steps = Self::STEPS;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_small_steps_see_a_flag_that_is_raised() {
        let stop = StopFlag::default();
        let deadline = Deadline::new(None, &stop);
        let mut check = SparseCheck::new(&deadline);
        assert_eq!(check.step(1), Ok(()));
        stop.raise();
        let due = (0..=SparseCheck::STEPS).find(|_| check.step(1).is_err());
        assert_eq!(due, Some(SparseCheck::STEPS));
        assert_eq!(
            SparseCheck::new(&deadline).step(1),
            Err(Expired::Interrupted)
        );
    }

    #[test]
    fn a_deadline_is_due_once_its_time_passes_or_its_flag_is_raised() {
        let stop = StopFlag::default();
        assert_eq!(Deadline::default().check(), Ok(()));
        assert_eq!(Deadline::new(None, &stop).check(), Ok(()));
        let late = Deadline::new(Some(Instant::now()), &stop);
        assert_eq!(
            (late.is_due(), late.check()),
            (true, Err(Expired::OutOfTime))
        );
        stop.raise();
        assert_eq!(
            (late.is_due(), late.check()),
            (true, Err(Expired::Interrupted))
        );
    }
}
