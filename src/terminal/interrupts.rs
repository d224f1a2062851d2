//! What Ctrl-C means while a person plays.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use std::{mem, thread};

use crate::util::StopFlag;

/// Ctrl-C while the machine thinks makes it move now. A further one, or one while nobody thinks, asks to leave. Clones are the
/// same.
#[derive(Debug, Clone, Default)]
pub struct Interrupts {
    state: Arc<Mutex<State>>,
    /// Ends the searches of the players.
    move_now: StopFlag,
    /// Held while the game is written to a file.
    writing: Arc<Mutex<()>>,
}

#[derive(Debug, Default)]
struct State {
    /// Somebody is there who can be asked before the program ends.
    is_playing: bool,
    doing: Doing,
    /// Whether Ctrl-C ended the thinking that ended last.
    was_cut_short: bool,
    /// Ctrl-C asked to leave, and was not answered yet.
    asks_to_leave: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Doing {
    #[default]
    Other,
    Thinking,
    Reading,
}

impl Interrupts {
    /// Takes a press of Ctrl-C; `false` if it is to end the program: nobody plays, or the last press has not been answered
    /// yet. While a line is read, Ctrl-C is part of it: a press that is told here came before, and the prompt answers it.
    pub fn press(&self) -> bool {
        let mut state = self.state();
        if !state.is_playing || state.asks_to_leave {
            return false;
        }
        match state.doing {
            Doing::Thinking if !self.move_now.is_raised() => self.move_now.raise(),
            Doing::Thinking | Doing::Other => state.asks_to_leave = true,
            Doing::Reading => {}
        }
        true
    }

    /// Lets the machine that thinks, if one does, move now. However often it is said, nobody is asked to leave.
    pub fn hurry(&self) {
        if self.state().doing == Doing::Thinking {
            self.move_now.raise();
        }
    }

    /// The flag that ends thinking.
    pub fn move_now(&self) -> &StopFlag {
        &self.move_now
    }

    /// Waits until the game is no longer written to a file, as long as that may take, so that the program can end.
    pub fn wait_for_writing(&self) {
        const TIMEOUT: Duration = Duration::from_secs(5);
        const SLICE: Duration = Duration::from_millis(5);
        let begin = Instant::now();
        while matches!(self.writing.try_lock(), Err(TryLockError::WouldBlock)) {
            if begin.elapsed() > TIMEOUT {
                return;
            }
            thread::sleep(SLICE);
        }
    }

    /// Does `work`, in which a person plays who can be asked before the program ends.
    pub(super) fn while_playing<R>(&self, work: impl FnOnce() -> R) -> R {
        self.state().is_playing = true;
        let done = work();
        self.state().is_playing = false;
        done
    }

    /// Does `work`, in which the machine thinks.
    pub(super) fn while_thinking<R>(&self, work: impl FnOnce() -> R) -> R {
        {
            let mut state = self.state();
            match state.asks_to_leave {
                true => self.move_now.raise(),
                false => self.move_now.lower(),
            }
            state.doing = Doing::Thinking;
        }
        let done = work();
        let mut state = self.state();
        state.doing = Doing::Other;
        state.was_cut_short = self.move_now.is_raised();
        // Pondering begins before the machine thinks again.
        self.move_now.lower();
        done
    }

    /// Does `work`, which shows a prompt and reads a line; the prompt answers what was pressed before.
    pub(super) fn while_reading<R>(&self, work: impl FnOnce() -> R) -> R {
        {
            let mut state = self.state();
            state.asks_to_leave = false;
            state.doing = Doing::Reading;
        }
        let done = work();
        self.state().doing = Doing::Other;
        done
    }

    /// Does `work`, which writes the game to a file.
    pub(super) fn while_writing<R>(&self, work: impl FnOnce() -> R) -> R {
        let _held = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// Whether the thinking that ended last was ended by Ctrl-C.
    pub(super) fn was_cut_short(&self) -> bool {
        self.state().was_cut_short
    }

    /// Whether Ctrl-C asked to leave; that is answered with this.
    pub(super) fn takes_leave(&self) -> bool {
        mem::take(&mut self.state().asks_to_leave)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn a_press_before_a_prompt_is_answered_by_it() {
        let interrupts = Interrupts::default();
        interrupts.while_playing(|| {
            assert!(interrupts.press());
            let pressed = interrupts.while_reading(|| interrupts.press());
            assert!(pressed && !interrupts.takes_leave());
            assert!(interrupts.press());
            let is_over = interrupts.while_thinking(|| interrupts.move_now().is_raised());
            assert!(is_over && interrupts.takes_leave());
        });
    }
}
