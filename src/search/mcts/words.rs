//! Memory that all threads of a search read and write without a lock: rows of atomic words.
//!
//! Threads see each other's changes late, and in any order. What must not be torn apart shares a word.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

/// So many zeroed rows; `None` if memory is short. The system provides the memory of those that are written to.
pub(super) fn zeroed_rows<T: Zeroable>(rows: usize) -> Option<Box<[T]>> {
    bytemuck::try_zeroed_slice_box(rows).ok()
}

/// The two halves of a word.
#[inline]
pub(super) fn halves(word: &AtomicU64) -> (u32, u32) {
    let word = word.load(Relaxed);
    ((word >> 32) as u32, word as u32)
}

/// Sets the two halves of a word.
#[inline]
pub(super) fn set_halves(word: &AtomicU64, (first, second): (u32, u32)) {
    word.store(u64::from(first) << 32 | u64::from(second), Relaxed);
}

/// The two numbers in a word.
#[inline]
pub(super) fn floats(word: &AtomicU64) -> (f32, f32) {
    let (first, second) = halves(word);
    (f32::from_bits(first), f32::from_bits(second))
}

/// Sets the two numbers in a word.
#[inline]
pub(super) fn set_floats(word: &AtomicU64, (first, second): (f32, f32)) {
    set_halves(word, (first.to_bits(), second.to_bits()));
}

/// Adds to the number that a word is.
#[inline]
pub(super) fn add_float(word: &AtomicU64, value: f64) {
    let add = |sum: u64| (f64::from_bits(sum) + value).to_bits();
    word.update(Relaxed, Relaxed, add);
}

/// Moves the first of the numbers in a word, a mean, towards `value`, the last of so many.
pub(super) fn add_to_mean(word: &AtomicU64, value: f32, count: u32) {
    let add = |word: u64| {
        let mean = f32::from_bits((word >> 32) as u32);
        let mean = mean + (value - mean) / count as f32;
        u64::from(mean.to_bits()) << 32 | u64::from(word as u32)
    };
    word.update(Relaxed, Relaxed, add);
}

/// Visits, in the first half of a word, and evaluations under way, in the second: visits without a value so far (virtual loss).
#[derive(Debug, Clone, Copy)]
pub(super) struct Visits<'t>(pub(super) &'t AtomicU64);

/// A visit, as it counts in the word.
const VISIT: u64 = 1 << 32;

impl Visits<'_> {
    /// How many evaluations there were.
    #[inline]
    pub(super) fn done(self) -> u32 {
        halves(self.0).0
    }

    /// How many are under way.
    #[cfg(test)]
    #[inline]
    pub(super) fn under_way(self) -> u32 {
        halves(self.0).1
    }

    /// How many there were and are.
    #[inline]
    pub(super) fn all(self) -> u32 {
        let (done, under_way) = halves(self.0);
        done.saturating_add(under_way)
    }

    /// An evaluation begins.
    #[inline]
    pub(super) fn begin(self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// An evaluation that was begun is given up.
    #[inline]
    pub(super) fn give_up(self) {
        self.0.fetch_sub(1, Relaxed);
    }

    /// An evaluation that was begun is done. Returns how many there are then.
    #[inline]
    pub(super) fn finish(self) -> u32 {
        match self.done() {
            u32::MAX => {
                self.give_up();
                u32::MAX
            }
            _ => (self.0.fetch_add(VISIT - 1, Relaxed) >> 32) as u32 + 1,
        }
    }

    /// An evaluation is done that was not begun here.
    #[inline]
    pub(super) fn add(self) {
        if self.done() < u32::MAX {
            self.0.fetch_add(VISIT, Relaxed);
        }
    }
}

/// The proved lower and upper bound of a goal, in the two halves of a word. They only become tighter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds<'t>(pub(super) &'t AtomicU64);

impl Bounds<'_> {
    #[inline]
    pub(super) fn get(self) -> (f32, f32) {
        floats(self.0)
    }

    #[inline]
    pub(super) fn lower(self) -> f32 {
        self.get().0
    }

    /// Takes over bounds as far as they are tighter. Returns whether one is.
    #[inline]
    pub(super) fn tighten(self, (lower, upper): (f32, f32)) -> bool {
        let tightened = |word: u64| {
            let (least, most) = (
                f32::from_bits((word >> 32) as u32),
                f32::from_bits(word as u32),
            );
            let (least, most) = match lower > least || upper < most {
                true => (least.max(lower), most.min(upper)),
                false => return None,
            };
            Some(u64::from(least.to_bits()) << 32 | u64::from(most.to_bits()))
        };
        self.0.try_update(Relaxed, Relaxed, tightened).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_and_evaluations_under_way_are_counted_apart() {
        let word = AtomicU64::new(0);
        let visits = Visits(&word);
        let now = || (visits.done(), visits.under_way(), visits.all());
        (0..3).for_each(|_| visits.begin());
        assert_eq!(visits.finish(), 1);
        assert_eq!(now(), (1, 2, 3));
        visits.give_up();
        visits.add();
        assert_eq!(now(), (2, 1, 3));
        set_halves(&word, (u32::MAX, 1));
        visits.add();
        assert_eq!(visits.finish(), u32::MAX);
        assert_eq!(now(), (u32::MAX, 0, u32::MAX));
    }

    #[test]
    fn bounds_only_become_tighter() {
        let word = AtomicU64::new(0);
        set_floats(&word, (0.0, 100.0));
        let bounds = Bounds(&word);
        assert!(bounds.tighten((50.0, 100.0)) && bounds.tighten((25.0, 75.0)));
        assert!(!bounds.tighten((0.0, 100.0)) && !bounds.tighten((50.0, 75.0)));
        assert_eq!(bounds.get(), (50.0, 75.0));
    }

    #[test]
    fn a_mean_is_of_all_values() {
        let word = AtomicU64::new(0);
        set_floats(&word, (0.0, 7.0));
        for (value, count) in [(60.0, 1), (0.0, 2), (30.0, 3)] {
            add_to_mean(&word, value, count);
        }
        assert_eq!(floats(&word), (30.0, 7.0));
    }

    #[test]
    fn threads_add_without_losing_anything() {
        let (sum, visits) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        Visits(&visits).begin();
                        add_float(&sum, 0.5);
                        _ = Visits(&visits).finish();
                    }
                });
            }
        });
        assert_eq!(halves(&visits), (3000, 0));
        assert_eq!(f64::from_bits(sum.into_inner()), 1500.0);
    }
}
