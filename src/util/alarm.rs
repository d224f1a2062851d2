//! A flag that raises itself.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{Deadline, StopFlag};

/// A flag that is raised once a deadline is due: for work that looks at a flag alone. Dropping it ends the waiting.
#[derive(Debug)]
pub struct Alarm {
    flag: StopFlag,
    waiter: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How often the flag of the deadline is looked at.
const TICK: Duration = Duration::from_millis(5);

impl Alarm {
    /// An alarm for this deadline.
    pub fn at(deadline: &Deadline) -> Self {
        let flag = StopFlag::default();
        if deadline.is_due() {
            flag.raise();
            return Self { flag, waiter: None };
        }
        let (raised, deadline) = (flag.clone(), deadline.clone());
        let (sender, end) = channel();
        let wait = move || {
            while !deadline.is_due() {
                if end.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
            raised.raise();
        };
        let waiter = Some((sender, thread::spawn(wait)));
        Self { flag, waiter }
    }

    /// The flag.
    pub fn flag(&self) -> &StopFlag {
        &self.flag
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let Some((sender, waiter)) = self.waiter.take() {
            drop(sender);
            // The thread does nothing that can panic.
            let _ = waiter.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn the_flag_is_raised_when_the_deadline_is_due() {
        let stop = StopFlag::default();
        let alarm = Alarm::at(&Deadline::new(Some(Instant::now()), &stop));
        while !alarm.flag().is_raised() {
            thread::yield_now();
        }
        assert!(!stop.is_raised());
    }

    #[test]
    fn an_alarm_without_a_deadline_ends_when_it_is_dropped() {
        let alarm = Alarm::at(&Deadline::default());
        assert!(!alarm.flag().is_raised());
    }
}
