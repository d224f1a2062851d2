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
const NOISY_STEPS: u32 = 6;

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
    /// The value of a state at the depth limit: its expectation, once somebody has a choice again and all is quiet.
    pub(super) fn beyond(&mut self, node: Node, window: Window, reserve: Reserve) -> Found {
        let Node { rung, seen, .. } = node;
        if seen.is_over {
            return Found {
                value: Value::end(seen.goal, rung as u32),
                complete: true,
            };
        }
        let quiet = Found::cut(Value::estimate(seen.expectation));
        if seen.choices.is_forced() {
            return match reserve.forced {
                0 => quiet,
                _ => self.forced(node, window, reserve),
            };
        }
        let jump = seen.expectation.abs_diff(node.before);
        let is_noisy = self.shared.noise.is_some_and(|noise| jump >= noise);
        match seen.choices.turn() {
            Turn::Of(side) if is_noisy && reserve.noisy > 0 => {
                self.noisy(node, side, window, reserve)
            }
            _ => quiet,
        }
    }

    fn forced(&mut self, node: Node, window: Window, reserve: Reserve) -> Found {
        self.nodes += 1;
        self.ladder.enter(node.rung, node.index);
        self.ladder.expand(node.rung, &[Pick::of(Side::Own, 0)]);
        self.forget(node.rung);
        let next = self.next(node, 0);
        let forced = reserve.forced - 1;
        self.beyond(next, window, Reserve { forced, ..reserve })
    }

    /// A noisy state: whoever has the choice either leaves it at what is expected, or goes on with a move by which it gains
    /// much.
    fn noisy(&mut self, node: Node, side: Side, window: Window, reserve: Reserve) -> Found {
        let mut contest = Contest::new(side, window);
        contest.add(0, Found::cut(Value::estimate(node.seen.expectation)));
        if !contest.is_decided() {
            self.expand_all(node.rung, node.index, side, node.seen.choices.of(side));
            let noisy = reserve.noisy - 1;
            for choice in self.gains(node, side) {
                if contest.is_decided() || self.must_end() {
                    break;
                }
                self.nodes += 1;
                let child = self.next(node, choice as usize);
                let found = self.beyond(child, contest.window, Reserve { noisy, ..reserve });
                contest.add(choice, found);
            }
        }
        Found::cut(contest.found().value)
    }

    /// The choices by which `side` gains much, the best first.
    fn gains(&self, node: Node, side: Side) -> SmallVec<[u32; 16]> {
        let least = look(side, node.seen) + self.shared.noise.unwrap_or(u32::MAX) as i32;
        let choices = 0..node.seen.choices.of(side);
        let looks = choices.map(|choice| {
            (
                look(side, self.ladder.seen(node.rung + 1, choice as usize)),
                choice,
            )
        });
        let mut gains: SmallVec<[_; 16]> = looks.filter(|(looks, _)| *looks >= least).collect();
        gains.sort_by_key(|(looks, _)| Reverse(*looks));
        gains.into_iter().map(|(_, choice)| choice).collect()
    }
}
