//! One iteration at the root: the value of every move at one depth.

use super::move_selection::MoveSelection;
use super::pvs::Worker;
use super::stack::Pick;
use super::tracker::{NodeValue, Window};
use crate::search::Value;

/// The searcher's choices at the root, and how many of the best need exact values.
#[derive(Debug)]
pub(in crate::search) struct Root {
    /// The choices in search order; of several equally good ones, the first is the best.
    pub(in crate::search) order: Vec<u32>,
    pub(in crate::search) lines: usize,
    /// Which of several good moves is played.
    pub(in crate::search) selection: MoveSelection,
}

/// The result of an iteration.
#[derive(Debug, Default)]
pub(in crate::search) struct Iteration {
    /// In the order of the root; `None` for moves that were not searched in time.
    pub(in crate::search) root_moves: Vec<Option<RootMove>>,
    /// The place of the best move in that order.
    pub(in crate::search) best: Option<usize>,
    /// Whether every move was searched.
    pub(in crate::search) is_whole: bool,
}

/// The result for one choice.
#[derive(Debug, Clone)]
pub(in crate::search) struct RootMove {
    pub(in crate::search) choice: u32,
    pub(in crate::search) found: NodeValue,
    /// Whether the value is more than an upper bound.
    pub(in crate::search) is_exact: bool,
    pub(in crate::search) line: Vec<Pick>,
}

impl Iteration {
    pub(in crate::search) fn best(&self) -> Option<&RootMove> {
        self.root_moves[self.best?].as_ref()
    }

    /// Whether a deeper search would change nothing.
    pub(in crate::search) fn is_complete(&self) -> bool {
        let complete = |root_move: &RootMove| root_move.found.complete;
        self.is_whole && self.root_moves.iter().flatten().all(complete)
    }
}

impl Root {
    /// Searches every move at `depth`, until the search must end.
    pub(in crate::search) fn iterate(&self, worker: &mut Worker<'_>, depth: u32) -> Iteration {
        let mut iteration = Iteration {
            root_moves: vec![None; self.order.len()],
            ..Iteration::default()
        };
        let mut waiting = Vec::new();
        for place in 0..self.order.len() {
            if place > 0
                && worker.shared.threads > 1
                && worker.shared.is_claimed(self.claim_key(place, depth))
            {
                waiting.push(place);
            } else {
                self.search_move(worker, &mut iteration, place, depth);
            }
        }
        for place in waiting {
            self.search_move(worker, &mut iteration, place, depth);
        }
        iteration.is_whole = !worker.is_over;
        iteration
    }

    fn search_move(
        &self,
        worker: &mut Worker<'_>,
        iteration: &mut Iteration,
        place: usize,
        depth: u32,
    ) {
        if place > 0 && worker.must_end() {
            return;
        }
        let choice = self.order[place];
        let mut window = Window::all(worker.shared.features.pruning);
        let to_beat = self.value_to_beat(iteration, place);
        if let Some(value) = to_beat.filter(|_| window.narrows) {
            window.low = value;
        }
        worker.shared.claim(self.claim_key(place, depth));
        let found = self.value(worker, choice, depth, window, iteration.best.is_some());
        worker.shared.release(self.claim_key(place, depth));
        if worker.is_over {
            return;
        }
        let is_exact = found.value > window.low;
        let root_move = RootMove {
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
        iteration.root_moves[place] = Some(root_move);
        if is_exact || iteration.best.is_none() {
            iteration.best = best_of(&iteration.root_moves);
        }
    }

    /// The value of a choice; every choice after the first is searched with a null window first.
    fn value(
        &self,
        worker: &mut Worker<'_>,
        choice: u32,
        depth: u32,
        window: Window,
        is_scout: bool,
    ) -> NodeValue {
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

    /// The value that the move at `place` must exceed. Where a single line is wanted, a move that stands before the
    /// best one in the order need only equal it, so that the result does not depend on which thread searches which
    /// move first. The same holds for every move where all that may be played are to be known.
    fn value_to_beat(&self, iteration: &Iteration, place: usize) -> Option<Value> {
        let mut values: Vec<Value> = iteration
            .root_moves
            .iter()
            .flatten()
            .filter(|root_move| root_move.is_exact)
            .map(|root_move| root_move.found.value)
            .collect();
        values.sort_unstable_by(|one, other| other.cmp(one));
        let of_line = *values.get(self.lines.max(1) - 1)?;
        let wanted = of_line.min(self.selection.least(*values.first()?));
        let comes_first = iteration.best.is_some_and(|best| place < best);
        Some(if comes_first || self.selection.compares_all() {
            wanted.just_below()
        } else {
            wanted
        })
    }

    /// The key by which threads claim a root move at a depth.
    fn claim_key(&self, place: usize, depth: u32) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        (u64::from(self.order[place]) << 8 | u64::from(depth) | 1 << 63).wrapping_mul(ODD)
    }
}

/// The place of the first best move; exact values rank before bounds.
fn best_of(root_moves: &[Option<RootMove>]) -> Option<usize> {
    let merit = |root_move: &RootMove| (root_move.is_exact, root_move.found.value);
    let places = root_moves.iter().enumerate();
    let known = places.filter_map(|(place, root_move)| Some((place, merit(root_move.as_ref()?))));
    // Of equals, `max_by_key` takes the last.
    known
        .rev()
        .max_by_key(|(_, merit)| *merit)
        .map(|(place, _)| place)
}
