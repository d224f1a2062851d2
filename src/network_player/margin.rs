//! How much of a clock a player keeps in reserve.

use std::time::Duration;

/// How much of a clock is kept in reserve so that no reply is late, as learned from how it went so far.
///
/// It begins with [`Margin::FIRST`]. A move that the server took lets it shrink to what is needed: [`Margin::LEAST`] and
/// several times what the player itself was late. A move that the server replaced lets it double.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    is_fixed: bool,
    time: Duration,
    /// By how much an answer was ready too late at most.
    latest: Duration,
}

impl Margin {
    /// What is kept in reserve at first.
    pub const FIRST: Duration = Duration::from_secs(1);
    /// What is always kept in reserve: the reply has to travel.
    pub const LEAST: Duration = Duration::from_millis(150);
    /// What is kept in reserve at most.
    pub const MOST: Duration = Duration::from_secs(10);
    /// How many times the greatest delay is kept in reserve.
    const SAFETY: u32 = 3;

    /// A margin that is learned.
    pub fn learned() -> Self {
        Self {
            is_fixed: false,
            time: Self::FIRST,
            latest: Duration::ZERO,
        }
    }

    /// A margin that stays as it is.
    pub fn fixed(time: Duration) -> Self {
        Self {
            is_fixed: true,
            time,
            latest: Duration::ZERO,
        }
    }

    /// What is kept in reserve of this clock: some time is always left to think.
    pub fn of(&self, clock: Duration) -> Duration {
        let most = if self.is_fixed { clock } else { clock / 4 };
        self.time.min(most)
    }

    /// The server took the answer, which had been ready `delay` later than it should have been.
    pub fn was_enough(&mut self, delay: Duration) {
        self.latest = self.latest.max(delay);
        if !self.is_fixed {
            let needed = Self::LEAST + self.latest * Self::SAFETY;
            let shrunk = self.time.mul_f64(0.8).max(needed);
            self.time = shrunk.min(Self::MOST);
        }
    }

    /// The server played another move: the answer came too late.
    pub fn was_too_small(&mut self) {
        if !self.is_fixed {
            self.time = (self.time * 2).min(Self::MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_margin_shrinks_to_what_is_needed_and_doubles_when_an_answer_was_late() {
        let mut margin = Margin::learned();
        assert_eq!(margin.of(10 * SECOND), SECOND);
        assert_eq!(margin.of(SECOND), SECOND / 4);
        for _ in 0..20 {
            margin.was_enough(Duration::ZERO);
        }
        assert_eq!(margin.of(10 * SECOND), Margin::LEAST);
        margin.was_too_small();
        assert_eq!(margin.of(10 * SECOND), Margin::LEAST * 2);
        for _ in 0..20 {
            margin.was_enough(SECOND);
        }
        assert_eq!(margin.of(20 * SECOND), 3 * SECOND + Margin::LEAST);
        for _ in 0..20 {
            margin.was_too_small();
        }
        assert_eq!(margin.of(100 * SECOND), Margin::MOST);
    }

    #[test]
    fn a_fixed_margin_stays() {
        let mut margin = Margin::fixed(SECOND);
        margin.was_too_small();
        margin.was_enough(SECOND);
        assert_eq!(margin.of(2 * SECOND), SECOND);
        assert_eq!(margin.of(SECOND / 2), SECOND / 2);
    }
}
