//! How many children the calls of an engine make: as many as it advises, or so many more that a wider call is full.
//!
//! A wider call costs more, by the network, and saves calls, by how many of the children that it makes ahead are needed, by the game. So
//! searches try two widths in turns, and keep the one with which they search more states per second. Values, lines and numbers of nodes
//! to a depth do not depend on it.
//!
//! Time is measured in the intervals between two readings of the clock, see [`poll`](super::poll).

use std::ops::Range;
use std::time::Duration;

use super::pvs::Worker;

/// How wide calls are, and what is tried next. Widths are numbered: 0 is what the engine advises, each further one the next wider call.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search) struct CallWidth {
    /// The number of the width outside trials.
    best: usize,
    /// The number of the width that is used now.
    now: usize,
    /// Whether the next trial is one of the next wider calls.
    is_upward: bool,
    /// In a trial, the states per second in each turn of the best width, and of the other one.
    rates: [Vec<f64>; 2],
    turn: TrialTurn,
    /// The intervals between two trials.
    pause: u32,
    /// The intervals before the next trial.
    until_trial: u32,
}

/// A part of a trial in which the width stays the same.
#[derive(Debug, Clone, Default, PartialEq)]
struct TrialTurn {
    intervals: u32,
    states: u64,
    time: Duration,
}

/// The intervals of a turn. The first of them does not count: children that were made before are still in use.
const INTERVALS: u32 = 4;
/// The turns of each width in a trial.
const TURNS: usize = 6;
/// Between which gains a trial goes on, after the first turns and after later ones: how many times as many states per second the other
/// width searches.
const UNCLEAR: [Range<f64>; 2] = [0.8..f64::INFINITY, 0.92..1.25];
/// The other width is taken where it searches so many times more states per second.
const BETTER: f64 = 1.05;
/// The intervals before the first trial. After a trial that changed nothing, there are so many times more before the next.
const FIRST_PAUSE: u32 = 32;
const PAUSE_GROWTH: u32 = 8;

impl Default for CallWidth {
    fn default() -> Self {
        Self {
            best: 0,
            now: 0,
            is_upward: true,
            rates: Default::default(),
            turn: TrialTurn::default(),
            pause: FIRST_PAUSE,
            until_trial: FIRST_PAUSE,
        }
    }
}

impl CallWidth {
    /// What the next search begins with. It goes on with a trial, but for the turn that did not end.
    pub(super) fn for_next_search(mut self) -> Self {
        self.now = self.best;
        self.turn = TrialTurn::default();
        self
    }

    /// Takes in how many states were searched in the interval that ends now, where there are so many wider calls.
    fn record(&mut self, states: u64, time: Duration, wider_calls: usize) {
        let Some(other) = self.other(wider_calls) else {
            return;
        };
        if self.until_trial > 0 {
            self.until_trial -= 1;
            return;
        }
        self.turn.add(states, time);
        if self.turn.intervals < INTERVALS {
            return;
        }
        let is_other = self.now != self.best;
        self.rates[usize::from(is_other)].push(self.turn.rate());
        self.turn = TrialTurn::default();
        self.now = if is_other { self.best } else { other };
        if let Some(gain) = self.gain() {
            self.end_trial(other, gain);
        }
    }

    fn end_trial(&mut self, other: usize, gain: f64) {
        if gain > BETTER {
            self.best = other;
        } else {
            self.is_upward = !self.is_upward;
            self.pause = self.pause.saturating_mul(PAUSE_GROWTH);
        }
        self.now = self.best;
        self.rates = Default::default();
        self.until_trial = self.pause;
    }

    /// The width that is tried beside the best one.
    fn other(&self, wider_calls: usize) -> Option<usize> {
        let up = Some(self.best + 1).filter(|up| *up <= wider_calls);
        let down = self.best.checked_sub(1);
        match self.is_upward {
            true => up.or(down),
            false => down.or(up),
        }
    }

    /// How many times as many states per second the other width searches, once that is known well enough.
    fn gain(&self) -> Option<f64> {
        let turns = self.rates.iter().map(Vec::len).min().unwrap_or(0);
        let before = turns.checked_sub(1)?;
        let [best, other] = self.rates.each_ref().map(|rates| median(rates));
        let gain = other / best;
        let is_clear = !UNCLEAR[before.min(1)].contains(&gain);
        (is_clear || turns >= TURNS).then_some(gain)
    }
}

impl TrialTurn {
    fn add(&mut self, states: u64, time: Duration) {
        self.intervals += 1;
        if self.intervals > 1 {
            self.states += states;
            self.time += time;
        }
    }

    /// States per second.
    fn rate(&self) -> f64 {
        self.states as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// The middle one of some rates, of two the greater: a pause of the whole process in one of the turns counts for nothing.
fn median(rates: &[f64]) -> f64 {
    let mut sorted = rates.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

impl Worker<'_> {
    /// Takes in how many states were searched in the interval that ends now.
    pub(super) fn record_call_width(&mut self, states: u64, time: Duration) {
        let wider_calls = self.wider_calls().len();
        self.call_width.record(states, time, wider_calls);
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
        let number = self.call_width.now.checked_sub(1);
        let children = number.and_then(|number| self.wider_calls().get(number));
        children.map_or(advised, |children| advised.max(*children as u32))
    }

    /// How many children fill the calls that make more than the engine advises, ascending.
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
    /// Begins with this width and with a trial.
    pub(in crate::search) fn in_trial(width: usize) -> Self {
        Self {
            best: width,
            now: width,
            until_trial: 0,
            pause: 0,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets intervals pass in which each width searches so many states per second, for `count` trials; returns the width after each, and how
    /// many intervals it took.
    fn trials<const WIDTHS: usize>(
        width: &mut CallWidth,
        rates: [u64; WIDTHS],
        count: usize,
    ) -> Vec<(usize, u32)> {
        let (mut ended, mut intervals, mut passed) = (Vec::new(), 0, 0);
        while ended.len() < count {
            intervals += 1;
            passed += 1;
            // Now and then, another process has the processor.
            let time = if passed % 41 == 0 { 9000 } else { 1000 };
            let was_in_trial = width.until_trial == 0;
            width.record(rates[width.now], Duration::from_millis(time), WIDTHS - 1);
            if was_in_trial && width.until_trial > 0 {
                ended.push((width.best, intervals));
                intervals = 0;
            }
        }
        ended
    }

    /// The intervals of a trial with so many turns of each width.
    const fn of_turns(turns: u32) -> u32 {
        2 * turns * INTERVALS
    }

    #[test]
    fn the_fastest_width_is_kept() {
        let mut width = CallWidth::default();
        let better = trials(&mut width, [1000, 1080], 2);
        assert_eq!(better, [(1, 32 + of_turns(6)), (1, 32 + of_turns(6))]);
        let worse = trials(&mut width, [1080, 1000], 1);
        assert_eq!(worse, [(0, 256 + of_turns(6))]);
        let equal = trials(&mut width, [1000, 1020], 1);
        assert_eq!(equal, [(0, 256 + of_turns(6))]);
    }

    #[test]
    fn the_next_wider_and_the_next_narrower_width_are_tried_alternately() {
        let mut width = CallWidth::default();
        let mut found = |rates: [u64; 3], count| {
            let ended = trials(&mut width, rates, count);
            ended.into_iter().map(|(width, _)| width).collect()
        };
        let wider: Vec<usize> = found([1000, 1300, 1500], 2);
        assert_eq!(wider, [1, 2]);
        let narrower: Vec<usize> = found([1300, 1200, 900], 4);
        assert_eq!(narrower, [1, 1, 0, 0]);
    }

    #[test]
    fn a_width_that_is_clearly_worse_or_better_is_tried_briefly() {
        let mut width = CallWidth::default();
        let worse = trials(&mut width, [1000, 500], 1);
        assert_eq!(worse, [(0, 32 + of_turns(1))]);
        let worse = trials(&mut width, [1000, 900], 1);
        assert_eq!(worse, [(0, 256 + of_turns(2))]);
        let better = trials(&mut width, [1000, 1500], 1);
        assert_eq!(better, [(1, 2048 + of_turns(2))]);
    }

    #[test]
    fn without_wider_calls_nothing_is_tried() {
        let mut width = CallWidth::default();
        for _ in 0..1000 {
            width.record(1000, Duration::from_secs(1), 0);
        }
        assert_eq!(width, CallWidth::default());
    }

    #[test]
    fn a_search_goes_on_with_the_trial_of_the_last_one() {
        let mut width = CallWidth::default();
        // One whole turn, and half of the next.
        for _ in 0..FIRST_PAUSE + INTERVALS + 2 {
            width.record(1000, Duration::from_secs(1), 1);
        }
        let mut next = width.clone().for_next_search();
        assert_eq!((width.now, next.now, next.until_trial), (1, 0, 0));
        assert_eq!(next.rates, width.rates);
        let ended = trials(&mut next, [1000, 1500], 1);
        assert_eq!(ended, [(1, of_turns(2))]);
    }
}
