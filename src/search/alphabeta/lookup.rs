//! Values that need no search: terminal states, repetitions, and transposition table entries.

use super::pvs::{SearchNode, Worker};
use super::stack::{Choices, Pick, Side, ToMove};
use super::tracker::{NodeValue, Window};
use super::transposition::{Bound, Entry};
use crate::search::{MAX_DEPTH, Value};

/// From this depth on, the table is asked for all children before the first is searched.
const ENHANCED_DEPTH: u32 = 2;

/// Whether some role has no legal move in a state that is not terminal.
fn is_stuck(choices: Choices) -> bool {
    let Choices {
        own,
        replies,
        chances,
    } = choices;
    own == 0 || replies == 0 || chances == 0
}

impl Worker<'_> {
    /// The value of a state that needs no search.
    pub(super) fn value_without_search(&self, node: SearchNode) -> Option<NodeValue> {
        let SearchNode {
            ply, index, info, ..
        } = node;
        if info.is_over {
            return Some(NodeValue {
                value: Value::end(info.goal, ply as u32),
                complete: true,
            });
        }
        if is_stuck(info.choices) {
            return Some(NodeValue::incomplete(Value::UNKNOWN));
        }
        let repeated = self.shared.repeated;
        let is_repetition =
            ply > 0 && !repeated.is_empty() && repeated.contains_key(self.stack.key(ply, index));
        is_repetition.then(|| NodeValue::incomplete(self.shared.repetition_value))
    }

    /// The value of a state in which one side can no longer win, if it need not be known better. All states after it are evaluated
    /// within the same bounds, so that no depth gives another answer.
    pub(super) fn beyond_reach(&self, node: SearchNode, window: Window) -> Option<NodeValue> {
        let repeats_as_draw =
            self.shared.repeated.is_empty() || self.shared.repetition_value == Value::UNKNOWN;
        if !window.is_null() || !window.narrows || !repeats_as_draw {
            return None;
        }
        let (least, greatest) = self.stack.reach(node.ply, node.index);
        let is_too_little = greatest <= 50 && window.low >= Value::UNKNOWN;
        let is_too_much = least >= 50 && window.high <= Value::UNKNOWN;
        (is_too_little || is_too_much).then_some(NodeValue {
            value: Value::UNKNOWN,
            complete: true,
        })
    }

    /// The best choice in the first state of a ply, if the table knows it. The states of the next ply are lost.
    pub(super) fn recall(&mut self, ply: usize) -> Option<Pick> {
        let node = SearchNode {
            ply,
            index: 0,
            depth: MAX_DEPTH,
            info: self.stack.info(ply, 0),
            is_cut_node: false,
        };
        let choices = node.info.choices;
        let ToMove::Of(side) = choices.turn() else {
            return None;
        };
        if choices.is_forced() {
            return Some(Pick::of(side, 0));
        }
        let key = self.table_key(ply, 0);
        let mark = self.shared.probe(key)?.best;
        if self.shared.keeps_classes {
            if let Some(parent) = ply.checked_sub(1) {
                self.forget_siblings(parent);
            }
            self.expand_all(node, side);
        }
        let best = self.marked_choice(node, mark, choices.of(side))?;
        Some(Pick::of(side, best))
    }

    /// The key by which a state is found in the table.
    pub(super) fn table_key(&mut self, ply: usize, index: usize) -> u64 {
        match self.shared.keeps_classes {
            true => self.stack.class_key(ply, index),
            false => self.stack.key(ply, index),
        }
    }

    /// How the table tells a choice whose child is on the next ply: by its number; in an entry for a whole class, by the class of the
    /// child.
    fn mark_of(&mut self, node: SearchNode, choice: u32) -> Option<u16> {
        if !self.shared.keeps_classes {
            return u16::try_from(choice).ok();
        }
        if !self.expands_all(node.depth) {
            return None;
        }
        let child = self.child_index(node, choice);
        let key = self.stack.class_key(node.ply + 1, child);
        Some((key >> (u64::BITS - u16::BITS)) as u16)
    }

    /// The one of `count` choices that the table tells by this mark, once the children are on the next ply.
    pub(super) fn marked_choice(
        &mut self,
        node: SearchNode,
        mark: Option<u16>,
        count: u32,
    ) -> Option<u32> {
        let mark = mark?;
        match self.shared.keeps_classes {
            true => (0..count).find(|&choice| self.mark_of(node, choice) == Some(mark)),
            false => Some(u32::from(mark)).filter(|&choice| choice < count),
        }
    }

    /// A choice by which the table shows a cutoff before any child is searched (*enhanced transposition cutoff*, Plaat et al. 1996).
    pub(super) fn known_cutoff(
        &mut self,
        node: SearchNode,
        side: Side,
        window: Window,
    ) -> Option<(u32, NodeValue)> {
        let choices = self.queues[node.ply].choices();
        if node.depth < ENHANCED_DEPTH || !self.expands_all(node.depth) || choices.len() < 2 {
            return None;
        }
        let mut children = std::mem::take(&mut self.table_children);
        children.clear();
        children.extend(choices.map(|choice| (choice, 0)));
        for (choice, key) in &mut children {
            *key = self.table_key(node.ply + 1, self.child_index(node, *choice));
        }
        self.shared.touch(children.iter().map(|(_, key)| *key));
        let known = children.iter().find_map(|&(choice, key)| {
            let entry = self.probe_table(key, node.ply + 1)?;
            let found = self.table_cutoff(entry, node.depth - 1, window)?;
            if !window.causes_cutoff(side, found.value) {
                return None;
            }
            // Ends and repetitions are worth what they are, whatever the table says.
            let child = self.next(node, self.child_index(node, choice));
            let is_searched = self.value_without_search(child).is_none();
            is_searched.then_some((choice, found))
        });
        self.table_children = children;
        known
    }

    pub(super) fn probe_table(&self, key: u64, ply: usize) -> Option<Entry> {
        let entry = self.shared.probe(key)?;
        let value = entry.value.value_from_tt(ply as u32);
        Some(Entry { value, ..entry })
    }

    /// The value that a table entry gives for a search to `depth` in `window`, if it is deep and tight enough.
    pub(super) fn table_cutoff(
        &self,
        entry: Entry,
        depth: u32,
        window: Window,
    ) -> Option<NodeValue> {
        let as_deep = entry.depth == depth
            || entry.depth < depth && entry.complete
            || entry.depth > depth && self.shared.accepts_deeper;
        let is_tight = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= window.high,
            Bound::Upper => entry.value <= window.low,
        };
        (as_deep && is_tight).then_some(NodeValue {
            value: entry.value,
            complete: entry.complete,
        })
    }

    pub(super) fn store_result(
        &mut self,
        (node, key): (SearchNode, u64),
        found: NodeValue,
        best: Option<u32>,
        window: Window,
    ) {
        let NodeValue { value, complete } = found;
        let bound = match () {
            () if value <= window.low => Bound::Upper,
            () if value >= window.high => Bound::Lower,
            () => Bound::Exact,
        };
        let entry = Entry {
            value: value.value_to_tt(node.ply as u32),
            bound,
            depth: node.depth,
            complete,
            best: best.and_then(|best| self.mark_of(node, best)),
        };
        self.shared.store(key, entry);
    }
}
