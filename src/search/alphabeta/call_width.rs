//! How many children the calls of an engine make: as many as it advises, or so many more that a wider call is full.
//!
//! A wider call costs more, by the network, and saves calls, by how many of the children that it makes ahead are needed, by the game. So
//! searches try two widths in turns, and keep the one by which they search more states per second. What a search finds does not depend
//! on it.

use std::sync::PoisonError;
use std::time::Duration;

use super::pvs::Worker;

/// How wide calls are, and what is tried next. Width 0 is what the engine advises; each further one is the next wider call.
#[derive(Debug, Clone)]
pub(in crate::search) struct CallWidth {
    /// The width outside trials, and the one that is used now.
    best: usize,
    now: usize,
    /// Whether the next trial is one of the next wider calls.
    is_upward: bool,
    /// In a trial, the states per second of the intervals with calls of the best width, and with others.
    rates: [Vec<f64>; 2],
    /// In a trial, the intervals since the width changed.
    since: u32,
    /// The intervals before the next trial, of a search and from now on.
    pause: u32,
    left: u32,
}

/// In a trial, the width changes after so many intervals. The first of them does not count: what was made before is still in use.
const TURN: u32 = 4;
/// The intervals of each width that count in a trial: in one that ends early, and in any other one.
const FEWEST: usize = 3;
const MOST: usize = 18;
/// A trial ends early where the other width searches so many times fewer states per second.
const FAR_WORSE: f64 = 0.8;
/// The other width is taken where it searches so many times more states per second.
const BETTER: f64 = 1.05;
/// The intervals before the first trial. After one that changed nothing, there are so many times more before the next.
const FIRST_PAUSE: u32 = 16;
const PAUSE_GROWTH: u32 = 4;

impl Default for CallWidth {
    fn default() -> Self {
        Self {
            best: 0,
            now: 0,
            is_upward: true,
            rates: Default::default(),
            since: 0,
            pause: FIRST_PAUSE,
            left: FIRST_PAUSE,
        }
    }
}

impl CallWidth {
    /// The same at the beginning of a search.
    fn begun(&self) -> Self {
        Self {
            best: self.best,
            now: self.best,
            is_upward: self.is_upward,
            pause: self.pause,
            left: self.pause,
            ..Self::default()
        }
    }

    /// Takes in how many states were searched in the interval that ends now, where so many widths are possible beside the advised one.
    /// Whether a trial has ended.
    fn record(&mut self, states: u64, time: Duration, wider: usize) -> bool {
        let Some(other) = self.other(wider) else {
            return false;
        };
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.since += 1;
        if self.since > 1 {
            let rate = states as f64 / time.as_secs_f64().max(1e-9);
            self.rates[usize::from(self.now != self.best)].push(rate);
        }
        if self.since < TURN {
            return false;
        }
        self.since = 0;
        self.now = if self.now == self.best {
            other
        } else {
            self.best
        };
        let Some(gain) = self.gain() else {
            return false;
        };
        match gain > BETTER {
            true => self.best = other,
            false => {
                self.is_upward = !self.is_upward;
                self.pause = self.pause.saturating_mul(PAUSE_GROWTH);
            }
        }
        *self = self.begun();
        true
    }

    /// The width that is tried beside the best one.
    fn other(&self, wider: usize) -> Option<usize> {
        let up = Some(self.best + 1).filter(|up| *up <= wider);
        let down = self.best.checked_sub(1);
        match self.is_upward {
            true => up.or(down),
            false => down.or(up),
        }
    }

    /// How many times as many states per second the other width searches, once that is known well enough.
    fn gain(&mut self) -> Option<f64> {
        let intervals = self.rates.iter().map(Vec::len).min().unwrap_or(0);
        if intervals < FEWEST {
            return None;
        }
        let [best, other] = self.rates.each_mut().map(|rates| median(rates));
        let gain = other / best;
        (intervals >= MOST || gain < FAR_WORSE).then_some(gain)
    }
}

/// The middle one of some rates: a pause of the whole process in one of the intervals counts for nothing.
fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

impl Worker<'_> {
    /// Starts with what other searches found.
    pub(super) fn begin_call_width(&mut self) {
        let known = self.shared.call_width.lock();
        self.call_width = known.unwrap_or_else(PoisonError::into_inner).begun();
    }

    /// Takes in how many states were searched in the interval that ends now.
    pub(super) fn record_call_width(&mut self, states: u64, time: Duration) {
        let wider = self.wider_calls().len();
        if self.call_width.record(states, time, wider) {
            let known = self.shared.call_width.lock();
            *known.unwrap_or_else(PoisonError::into_inner) = self.call_width.clone();
        }
    }

    /// How many children of several states should be made in one call at most, where the first of them has `of_one`.
    pub(super) fn children_at_once(&self, of_one: u32) -> u32 {
        self.widened(self.stack.children_at_once(of_one))
    }

    /// Up to how many children in one call it pays to make some that may turn out not to be needed.
    pub(super) fn likely_children_at_once(&self) -> u32 {
        self.widened(self.stack.likely_children_at_once())
    }

    fn widened(&self, advised: u32) -> u32 {
        let wider = self.call_width.now.checked_sub(1);
        let wider = wider.and_then(|number| self.wider_calls().get(number));
        wider.map_or(advised, |children| advised.max(*children as u32))
    }

    /// How many children fill a call that makes more than the engine advises.
    fn wider_calls(&self) -> &[usize] {
        if !self.stack.is_eager() {
            return &[];
        }
        let advised = self.stack.likely_children_at_once();
        let widths = self.stack.call_widths();
        let narrow = widths.partition_point(|children| *children as u64 <= u64::from(advised));
        &widths[narrow..]
    }
}

#[cfg(test)]
impl CallWidth {
    /// All calls are of this width.
    pub(in crate::search) fn always(width: usize) -> Self {
        Self {
            best: width,
            pause: u32::MAX,
            ..Self::default()
        }
        .begun()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets intervals pass in which each width searches so many states per second, for `count` trials; returns the width after each, and how
    /// many intervals it took to get there.
    fn trials<const WIDTHS: usize>(
        width: &mut CallWidth,
        rates: [u64; WIDTHS],
        count: usize,
    ) -> Vec<(usize, u32)> {
        let mut ended = Vec::new();
        let mut intervals = 0;
        while ended.len() < count {
            intervals += 1;
            // Now and then, another process has the processor.
            let time = if intervals % 7 == 0 { 9000 } else { 1000 };
            if width.record(rates[width.now], Duration::from_millis(time), WIDTHS - 1) {
                ended.push((width.best, intervals));
            }
        }
        ended
    }

    #[test]
    fn the_fastest_width_is_kept() {
        let mut width = CallWidth::default();
        assert_eq!(
            trials(&mut width, [1000, 1300], 2),
            [(1, 16 + 48), (1, 16 + 48 + 16 + 8)]
        );
        assert_eq!(trials(&mut width, [1300, 1000], 1), [(0, 64 + 48)]);
        assert_eq!(trials(&mut width, [1000, 1020], 1), [(0, 64 + 48)]);
    }

    #[test]
    fn the_next_wider_and_the_next_narrower_one_are_tried_by_turns() {
        let mut width = CallWidth::default();
        let found: Vec<usize> = trials(&mut width, [1000, 1300, 1500], 2)
            .into_iter()
            .map(|(width, _)| width)
            .collect();
        assert_eq!(found, [1, 2]);
        let found = trials(&mut width, [1300, 1200, 900], 4);
        let found: Vec<usize> = found.into_iter().map(|(width, _)| width).collect();
        assert_eq!(found, [1, 1, 0, 0]);
    }

    #[test]
    fn a_width_that_is_far_worse_is_tried_for_short() {
        let mut width = CallWidth::default();
        let ended = trials(&mut width, [1000, 500], 2);
        assert_eq!(ended, [(0, 16 + 8), (0, 16 + 8 + 64 + 8)]);
    }

    #[test]
    fn without_wider_calls_nothing_is_tried() {
        let mut width = CallWidth::default();
        for _ in 0..1000 {
            assert!(!width.record(1000, Duration::from_secs(1), 0));
        }
        assert_eq!(width.now, 0);
    }

    #[test]
    fn a_search_begins_with_what_the_last_one_found() {
        let mut width = CallWidth::default();
        trials(&mut width, [1000, 1300], 1);
        // In the middle of a trial.
        for _ in 0..22 {
            width.record(1000, Duration::from_secs(1), 1);
        }
        assert_eq!((width.now, width.left), (0, 0));
        let next = width.begun();
        assert_eq!((next.now, next.pause, next.left), (1, 16, 16));
    }
}
