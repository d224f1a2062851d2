//! One iteration at the root: what every move is worth at a depth.

use super::Value;
use super::alpha_beta::{Found, Window, Worker};
use super::ladder::Pick;

/// The searcher's choices in the state to be searched, and how many of the best are wanted exactly.
#[derive(Debug)]
pub(super) struct Root {
    /// The choices in the order they are looked at; where several are equally good, the first one is played.
    pub(super) order: Vec<u32>,
    pub(super) lines: usize,
}

/// What an iteration found out.
#[derive(Debug, Default)]
pub(super) struct Iteration {
    /// In the order of the root; `None` where time ran out before.
    pub(super) judged: Vec<Option<Sentence>>,
    /// Where the best move stands in that order.
    pub(super) best: Option<usize>,
    /// Whether every move was judged.
    pub(super) is_whole: bool,
}

/// What was found out about a choice.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) choice: u32,
    pub(super) found: Found,
    /// Whether the value is no mere upper bound.
    pub(super) is_exact: bool,
    pub(super) line: Vec<Pick>,
}

impl Iteration {
    pub(super) fn best(&self) -> Option<&Sentence> {
        self.judged[self.best?].as_ref()
    }

    /// Whether looking deeper changes nothing.
    pub(super) fn is_complete(&self) -> bool {
        let complete = |sentence: &Sentence| sentence.found.complete;
        self.is_whole && self.judged.iter().flatten().all(complete)
    }

    /// This one, or where it was broken off before it came to anything as good, `bound`: the same depth searched with a
    /// window that its best move exceeds.
    pub(super) fn or_at_least(self, bound: Option<Self>) -> Self {
        let value = |iteration: &Self| iteration.best().map(|best| best.found.value);
        match bound {
            Some(bound) if !self.is_whole && value(&self) < value(&bound) => Self {
                is_whole: false,
                ..bound
            },
            _ => self,
        }
    }
}

impl Root {
    /// Judges every move at `depth`, unless the search must end before that. Values outside `window` are bounds.
    pub(super) fn iterate(&self, worker: &mut Worker<'_>, depth: u32, window: Window) -> Iteration {
        let mut iteration = Iteration {
            judged: vec![None; self.order.len()],
            ..Iteration::default()
        };
        let mut waiting = Vec::new();
        for place in 0..self.order.len() {
            if place > 0
                && worker.shared.threads > 1
                && worker.shared.is_taken(self.sign(place, depth))
            {
                waiting.push(place);
            } else {
                self.judge(worker, &mut iteration, place, depth, window);
            }
        }
        for place in waiting {
            self.judge(worker, &mut iteration, place, depth, window);
        }
        iteration.is_whole = !worker.is_over;
        iteration
    }

    fn judge(
        &self,
        worker: &mut Worker<'_>,
        iteration: &mut Iteration,
        place: usize,
        depth: u32,
        window: Window,
    ) {
        if place > 0 && worker.must_end() {
            return;
        }
        let choice = self.order[place];
        let low = self
            .to_beat(iteration, place)
            .unwrap_or(window.low)
            .max(window.low);
        // Beyond a value that is already too high to be true, the window opens: nothing could be told apart in it.
        let high = match low.just_above() >= window.high {
            true => Value::HIGHEST,
            false => window.high,
        };
        let window = Window { low, high };
        worker.shared.take(self.sign(place, depth));
        let found = self.value(worker, choice, depth, window, iteration.best.is_some());
        worker.shared.release(self.sign(place, depth));
        if worker.is_over {
            return;
        }
        let is_exact = found.value > low;
        let sentence = Sentence {
            choice,
            found,
            is_exact,
            line: match is_exact {
                true => worker.lines[0].clone(),
                false => vec![Pick {
                    own: choice,
                    reply: 0,
                    chance: 0,
                }],
            },
        };
        iteration.judged[place] = Some(sentence);
        if is_exact || iteration.best.is_none() {
            iteration.best = best_of(&iteration.judged);
        }
    }

    /// The value of a choice; it is asked first whether it is good enough to be of interest, unless it is the first.
    fn value(
        &self,
        worker: &mut Worker<'_>,
        choice: u32,
        depth: u32,
        window: Window,
        is_scout: bool,
    ) -> Found {
        if is_scout && worker.shared.features.null_windows {
            let narrow = Window {
                high: window.low.just_above(),
                ..window
            };
            let found = worker.value_of_own(choice, depth, narrow);
            if found.value <= window.low || worker.is_over {
                return found;
            }
        }
        worker.value_of_own(choice, depth, window)
    }

    /// What the move at `place` has to exceed to be of interest. Where one move is wanted, one that comes before the best
    /// so far in the order has only to be as good, so that it does not matter which thread looks at which first.
    fn to_beat(&self, iteration: &Iteration, place: usize) -> Option<Value> {
        let mut values: Vec<Value> = iteration
            .judged
            .iter()
            .flatten()
            .filter(|sentence| sentence.is_exact)
            .map(|sentence| sentence.found.value)
            .collect();
        values.sort_unstable_by(|one, other| other.cmp(one));
        let wanted = *values.get(self.lines.max(1) - 1)?;
        let comes_first = iteration.best.is_some_and(|best| place < best);
        Some(if comes_first {
            wanted.just_below()
        } else {
            wanted
        })
    }

    /// Stands for a move among the states that threads are busy with.
    fn sign(&self, place: usize, depth: u32) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        (u64::from(self.order[place]) << 8 | u64::from(depth) | 1 << 63).wrapping_mul(ODD)
    }
}

/// The first of the best; exact values before bounds.
fn best_of(judged: &[Option<Sentence>]) -> Option<usize> {
    let merit = |sentence: &Sentence| (sentence.is_exact, sentence.found.value);
    let places = judged.iter().enumerate();
    let known = places.filter_map(|(place, sentence)| Some((place, merit(sentence.as_ref()?))));
    // Of equals, `max_by_key` takes the last.
    known
        .rev()
        .max_by_key(|(_, merit)| *merit)
        .map(|(place, _)| place)
}
