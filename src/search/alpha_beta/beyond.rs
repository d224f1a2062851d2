//! What is looked at beyond the depth limit: steps in which nobody has a choice, and *noisy* lines, in which what is to be
//! expected jumps from state to state.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::contest::{Contest, Found, Window};
use super::{Node, Worker};
use crate::search::Value;
use crate::search::alpha_beta::look;
use crate::search::ladder::{Pick, Side, Turn};

/// Steps beyond the depth limit where nobody has a choice.
pub(in crate::search) const FORCED_STEPS: u32 = 12;
/// A state is noisy if the step before it changed what is expected by so many thousandths of a goal. In matches at
/// 20 ms a move, a quarter of it cost more than it brought.
pub(in crate::search) const NOISE: u32 = 16_000;
/// Steps beyond it in noisy lines.
pub(in crate::search) const NOISY_STEPS: u32 = 6;

/// What is left of both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reserve {
    forced: u32,
    noisy: u32,
}

impl Reserve {
    pub(super) const FULL: Self = Self {
        forced: FORCED_STEPS,
        noisy: NOISY_STEPS,
    };
}

impl Worker<'_> {
    /// The value of a state at the depth limit that is not known at sight: its expectation, once somebody has a choice again
    /// and all is quiet.
    pub(super) fn beyond(&mut self, node: Node, window: Window, reserve: Reserve) -> Found {
        let seen = node.seen;
        let quiet = Found::cut(Value::estimate(seen.expectation));
        if seen.choices.is_forced() {
            return match reserve.forced {
                0 => quiet,
                _ => self.forced(node, window, reserve),
            };
        }
        let jump = seen.expectation.abs_diff(node.before);
        match (seen.choices.turn(), self.shared.noise) {
            (Turn::Of(side), Some(noise)) if reserve.noisy > 0 && jump >= noise => {
                let least = look(side, seen).saturating_add_unsigned(noise);
                self.noisy(node, (side, least), window, reserve)
            }
            _ => quiet,
        }
    }

    fn further(&mut self, node: Node, window: Window, reserve: Reserve) -> Found {
        self.nodes += 1;
        self.clear_line(node.rung);
        let known = self.known_at_sight(node);
        known.unwrap_or_else(|| self.beyond(node, window, reserve))
    }

    fn forced(&mut self, node: Node, window: Window, reserve: Reserve) -> Found {
        let only = self.only_child(node);
        let next = self.next(node, only);
        let forced = reserve.forced - 1;
        let found = self.further(next, window, Reserve { forced, ..reserve });
        if !window.is_null() {
            self.note(node.rung, Pick::of(Side::Own, 0));
        }
        found
    }

    /// What comes of one pick, made alone.
    fn only(&mut self, node: Node, pick: Pick) -> Node {
        self.expand(node.rung, &[pick]);
        self.next(node, 0)
    }

    /// A noisy state: whoever has the choice either leaves it at what is expected, or goes on with a move after which things
    /// look at least so much better to it.
    fn noisy(
        &mut self,
        node: Node,
        (side, least): (Side, i32),
        window: Window,
        reserve: Reserve,
    ) -> Found {
        let mut contest = Contest::new(side, window);
        contest.add(0, Found::cut(Value::estimate(node.seen.expectation)));
        if contest.is_decided() {
            return contest.found();
        }
        let noisy = reserve.noisy - 1;
        for choice in self.promising(node, side, least) {
            if contest.is_decided() || self.must_end() {
                break;
            }
            let child = match self.is_slow {
                true => self.only(node, Pick::of(side, choice)),
                false => self.next(node, choice as usize),
            };
            if look(side, child.seen) >= least {
                let found = self.further(child, contest.window, Reserve { noisy, ..reserve });
                if contest.add(choice, found) && !window.is_null() {
                    self.note(node.rung, Pick::of(side, choice));
                }
            }
        }
        Found::cut(contest.found().value)
    }

    /// The choices after which things may look so much better, the best first; if the engine is slow, all of them, to be
    /// looked at one by one.
    fn promising(&mut self, node: Node, side: Side, least: i32) -> SmallVec<[u32; 16]> {
        let count = node.seen.choices.of(side);
        if self.is_slow {
            self.ladder.enter(node.rung, node.index);
            return (0..count).collect();
        }
        self.expand_all(node.rung, node.index, side, count);
        let look = |choice| look(side, self.ladder.seen(node.rung + 1, choice as usize));
        let mut choices: SmallVec<[u32; 16]> =
            (0..count).filter(|&choice| look(choice) >= least).collect();
        choices.sort_by_key(|&choice| Reverse(look(choice)));
        choices
    }
}
