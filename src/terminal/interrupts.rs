//! What Ctrl-C means while a person plays.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::util::StopFlag;

/// Ctrl-C while the machine thinks makes it move now. A further one, or one while nobody thinks, asks to leave. Clones are the
/// same.
#[derive(Debug, Clone, Default)]
pub struct Interrupts {
    /// Somebody is there who can be asked before the program ends.
    is_playing: StopFlag,
    is_thinking: StopFlag,
    /// A line is read: Ctrl-C at the keyboard is part of it.
    is_reading: StopFlag,
    /// Ends the searches of the players.
    move_now: StopFlag,
    /// Whether that ended what was done last.
    cut_short: StopFlag,
    leave: StopFlag,
    /// Held while the game is written to a file.
    writing: Arc<Mutex<()>>,
}

impl Interrupts {
    /// Takes a press of Ctrl-C; `false` if it is to end the program: nobody plays, a line is read, so that the press does
    /// not come from the keyboard, or the last press has not been answered yet.
    pub fn press(&self) -> bool {
        if !self.is_playing.is_raised() || self.is_reading.is_raised() || self.leave.is_raised() {
            return false;
        }
        match self.is_thinking.is_raised() && !self.move_now.is_raised() {
            true => self.move_now.raise(),
            false => self.leave.raise(),
        }
        true
    }

    /// The flag that ends thinking.
    pub fn move_now(&self) -> &StopFlag {
        &self.move_now
    }

    /// Waits until the game is no longer written to a file, as long as that may take, so that the program can end.
    pub fn wait_for_writing(&self) {
        const PATIENCE: Duration = Duration::from_secs(5);
        const SLICE: Duration = Duration::from_millis(5);
        let begin = Instant::now();
        while matches!(self.writing.try_lock(), Err(TryLockError::WouldBlock)) {
            if begin.elapsed() > PATIENCE {
                return;
            }
            thread::sleep(SLICE);
        }
    }

    /// Does `work`, in which a person plays who can be asked before the program ends.
    pub(super) fn while_playing<R>(&self, work: impl FnOnce() -> R) -> R {
        self.is_playing.raise();
        let done = work();
        self.is_playing.lower();
        done
    }

    /// Does `work`, in which the machine thinks.
    pub(super) fn while_thinking<R>(&self, work: impl FnOnce() -> R) -> R {
        match self.leave.is_raised() {
            true => self.move_now.raise(),
            false => self.move_now.lower(),
        }
        self.is_thinking.raise();
        let done = work();
        self.is_thinking.lower();
        match self.move_now.is_raised() {
            true => self.cut_short.raise(),
            false => self.cut_short.lower(),
        }
        // Pondering begins before the machine thinks again.
        self.move_now.lower();
        done
    }

    /// Does `work`, which reads a line; `None` instead if Ctrl-C asked to leave before.
    pub(super) fn while_reading<R>(&self, work: impl FnOnce() -> R) -> Option<R> {
        self.is_reading.raise();
        let done = (!self.takes_leave()).then(work);
        self.is_reading.lower();
        done
    }

    /// Does `work`, which writes the game to a file.
    pub(super) fn while_writing<R>(&self, work: impl FnOnce() -> R) -> R {
        let _held = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// Whether the thinking that ended last was ended by Ctrl-C.
    pub(super) fn was_cut_short(&self) -> bool {
        self.cut_short.is_raised()
    }

    /// Whether Ctrl-C asked to leave; that is answered with this.
    pub(super) fn takes_leave(&self) -> bool {
        let asked = self.leave.is_raised();
        self.leave.lower();
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_press_moves_and_the_second_leaves() {
        let interrupts = Interrupts::default();
        assert!(!interrupts.press(), "nobody plays");
        interrupts.while_playing(|| {
            let pressed = interrupts
                .while_thinking(|| (interrupts.press(), interrupts.move_now().is_raised()));
            assert_eq!(pressed, (true, true));
            assert!(interrupts.was_cut_short() && !interrupts.takes_leave());
            assert!(!interrupts.move_now().is_raised());
            let pressed = interrupts.while_thinking(|| [(); 3].map(|()| interrupts.press()));
            assert_eq!(pressed, [true, true, false]);
            assert!(interrupts.takes_leave() && !interrupts.takes_leave());
            interrupts.while_thinking(|| ());
            assert!(!interrupts.was_cut_short());
        });
    }

    #[test]
    fn a_press_between_thinking_and_reading_is_answered() {
        let interrupts = Interrupts::default();
        interrupts.while_playing(|| {
            assert!(interrupts.press());
            assert_eq!(interrupts.while_reading(|| "a line"), None);
            assert_eq!(interrupts.while_reading(|| "a line"), Some("a line"));
            let pressed = interrupts.while_reading(|| interrupts.press());
            assert_eq!(pressed, Some(false), "it comes from elsewhere");
            assert!(interrupts.press());
            let is_over = interrupts.while_thinking(|| interrupts.move_now().is_raised());
            assert!(is_over && interrupts.takes_leave());
        });
    }
}
