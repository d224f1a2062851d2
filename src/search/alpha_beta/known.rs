//! What is known of a state without a search: by its looks, or from the table.

use super::contest::{Found, Window};
use super::{Node, Worker};
use crate::search::Value;
use crate::search::ladder::Choices;
use crate::search::table::{Bound, Entry};

/// Whether somebody has no move at all, so that the game neither goes on nor ends.
fn is_stuck(choices: Choices) -> bool {
    let Choices {
        own,
        replies,
        chances,
    } = choices;
    own == 0 || replies == 0 || chances == 0
}

impl Worker<'_> {
    /// Of a state that needs no search.
    pub(super) fn known_at_sight(&self, node: Node) -> Option<Found> {
        let Node {
            rung, index, seen, ..
        } = node;
        if seen.is_over {
            return Some(Found {
                value: Value::end(seen.goal, rung as u32),
                complete: true,
            });
        }
        if is_stuck(seen.choices) {
            return Some(Found::cut(Value::UNKNOWN));
        }
        let past = self.shared.past;
        let stood = rung > 0 && !past.is_empty() && past.contains(&self.ladder.key(rung, index));
        stood.then(|| Found::cut(self.shared.again))
    }

    pub(super) fn recall(&self, key: u64, rung: usize) -> Option<Entry> {
        let entry = self.shared.known(key)?;
        let value = entry.value.told_from_root(rung as u32);
        Some(Entry { value, ..entry })
    }

    /// What an entry says about a state to be searched to `depth`, if that is enough.
    pub(super) fn answer(&self, entry: Entry, depth: u32, window: Window) -> Option<Found> {
        let as_deep = entry.depth == depth
            || entry.depth < depth && entry.complete
            || entry.depth > depth && self.shared.takes_deeper;
        let tells = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= window.high,
            Bound::Upper => entry.value <= window.low,
        };
        (as_deep && tells).then_some(Found {
            value: entry.value,
            complete: entry.complete,
        })
    }

    pub(super) fn remember(
        &self,
        (node, key): (Node, u64),
        found: Found,
        best: Option<u32>,
        window: Window,
    ) {
        let Found { value, complete } = found;
        let bound = match () {
            () if value <= window.low => Bound::Upper,
            () if value >= window.high => Bound::Lower,
            () => Bound::Exact,
        };
        let entry = Entry {
            value: value.told_from_state(node.rung as u32),
            bound,
            depth: node.depth,
            complete,
            best: best.and_then(|best| u16::try_from(best).ok()),
        };
        self.shared.keep(key, entry);
    }
}
