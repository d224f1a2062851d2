//! Children of several states, made in one call: an engine that makes many at once takes hardly longer for all of them
//! than for those of one.

use super::queue::Queued;
use super::{Node, Worker};
use crate::search::ladder::{Pick, Side, Turn};

/// The children of several states on a rung, made in one call.
#[derive(Debug, Default)]
pub(super) struct Families {
    parents: Vec<(u32, Side)>,
    /// Per state on the rung, where its children begin.
    starts: Vec<Option<u32>>,
    len: u32,
}

impl Families {
    /// So many children are made in one call at most, unless one state has more: those that fit in a word cost the least.
    const MOST: u32 = 64;

    /// Whether there is room for so many more children.
    fn has_room(&self, children: u32) -> bool {
        self.len == 0 || self.len + children <= Self::MOST
    }

    pub(super) fn add(&mut self, index: usize, side: Side, children: u32) {
        if self.starts.len() <= index {
            self.starts.resize(index + 1, None);
        }
        self.parents.push((index as u32, side));
        self.starts[index] = Some(self.len);
        self.len += children;
    }

    /// Where the children of a state begin on the next rung, if they are there.
    pub(super) fn start(&self, index: usize) -> Option<usize> {
        let start = self.starts.get(index).copied().flatten();
        start.map(|start| start as usize)
    }

    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.starts.clear();
        self.len = 0;
    }
}

impl Worker<'_> {
    /// Makes the children of what these choices of a node lead to, unless they are there: those of several states in one
    /// call, as long as they are not too many.
    pub(super) fn prepare(&mut self, node: Node, queue: &[Queued]) {
        let rung = node.rung + 1;
        let start = self.family_start(node).unwrap_or(0);
        let states = queue.iter().map(|queued| start + queued.choice as usize);
        let first = start + queue[0].choice as usize;
        if self.family(rung, first).is_none() || self.start_of(rung, first).is_some() {
            return;
        }
        let mut families = self.take_families(rung);
        for index in states {
            let Some((side, children)) = self.family(rung, index) else {
                continue;
            };
            if !families.has_room(children) {
                break;
            }
            families.add(index, side, children);
        }
        self.make_families(rung, families);
    }

    /// Makes the only child of a state in which nobody has a choice, unless it is there, together with those of all such
    /// states on its rung, as far as they are not too many; says where it is on the next rung.
    pub(super) fn only_child(&mut self, node: Node) -> usize {
        if let Some(start) = self.family_start(node) {
            return start;
        }
        let rung = node.rung;
        let mut families = self.take_families(rung);
        let after = match self.ladder.is_eager() {
            true => node.index + 1..self.ladder.len(rung),
            false => 0..0,
        };
        for index in std::iter::once(node.index).chain(after) {
            let seen = self.ladder.seen(rung, index);
            if !families.has_room(1) {
                break;
            }
            if !seen.is_over && seen.choices.is_forced() {
                families.add(index, Side::Own, 1);
            }
        }
        self.make_families(rung, families);
        0
    }

    /// Room for new families.
    fn take_families(&mut self, rung: usize) -> Families {
        if self.families.len() <= rung {
            self.families.resize_with(rung + 1, Families::default);
        }
        let mut families = std::mem::take(&mut self.families[rung]);
        families.clear();
        families
    }

    fn make_families(&mut self, rung: usize, families: Families) {
        self.ladder.expand_families(rung, &families.parents);
        self.forget(rung);
        self.families[rung] = families;
    }

    /// Replaces the states on the next rung.
    pub(super) fn expand(&mut self, rung: usize, picks: &[Pick]) {
        self.ladder.expand(rung, picks);
        self.forget(rung);
    }

    /// Where the children of a node begin on the next rung, if they were made together with others.
    pub(super) fn family_start(&self, node: Node) -> Option<usize> {
        self.start_of(node.rung, node.index)
    }

    fn start_of(&self, rung: usize, index: usize) -> Option<usize> {
        self.families.get(rung)?.start(index)
    }

    /// The states on the rung above this one are others now, or none that mean anything.
    fn forget(&mut self, rung: usize) {
        self.is_over |= self.ladder.is_cut_short();
        let from = rung.min(self.families.len());
        self.families[from..]
            .iter_mut()
            .take(2)
            .for_each(Families::clear);
    }

    /// Whose children could be made together with others, and how many they are.
    fn family(&self, rung: usize, index: usize) -> Option<(Side, u32)> {
        let seen = self.ladder.seen(rung, index);
        match seen.choices.turn() {
            Turn::Of(side) if !seen.is_over => Some((side, seen.choices.of(side))),
            _ => None,
        }
    }
}
