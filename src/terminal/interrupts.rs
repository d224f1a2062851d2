//! What Ctrl-C means while the machine thinks.

use crate::util::StopFlag;

/// Ctrl-C while the machine thinks: the first one makes it move now, the second one ends the game. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Interrupts {
    is_thinking: StopFlag,
    /// Ends the searches of the players.
    move_now: StopFlag,
    leave: StopFlag,
}

impl Interrupts {
    /// Whether the machine thinks.
    pub fn is_thinking(&self) -> bool {
        self.is_thinking.is_raised()
    }

    /// Takes a press of Ctrl-C; `false` if nobody thinks, or it is the third one.
    pub fn press(&self) -> bool {
        if !self.is_thinking.is_raised() || self.leave.is_raised() {
            return false;
        }
        match self.move_now.is_raised() {
            true => self.leave.raise(),
            false => self.move_now.raise(),
        }
        true
    }

    /// The flag that ends thinking.
    pub fn move_now(&self) -> &StopFlag {
        &self.move_now
    }

    /// Does `work`, in which the machine thinks.
    pub(super) fn while_thinking<R>(&self, work: impl FnOnce() -> R) -> R {
        self.move_now.lower();
        self.leave.lower();
        self.is_thinking.raise();
        let done = work();
        self.is_thinking.lower();
        // Pondering begins before the machine thinks again.
        self.move_now.lower();
        done
    }

    /// Whether Ctrl-C was pressed twice when the machine thought last.
    pub(super) fn asked_to_leave(&self) -> bool {
        self.leave.is_raised()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_press_moves_and_the_second_leaves() {
        let interrupts = Interrupts::default();
        assert!(!interrupts.press(), "nobody thinks");
        let pressed = interrupts.while_thinking(|| {
            let first = interrupts.press();
            (
                first,
                interrupts.move_now().is_raised(),
                interrupts.asked_to_leave(),
            )
        });
        assert_eq!(pressed, (true, true, false));
        assert!(!interrupts.move_now().is_raised());
        let pressed = interrupts.while_thinking(|| [(); 3].map(|()| interrupts.press()));
        assert_eq!(pressed, [true, true, false]);
        assert!(interrupts.asked_to_leave());
        interrupts.while_thinking(|| ());
        assert!(!interrupts.asked_to_leave());
    }
}
