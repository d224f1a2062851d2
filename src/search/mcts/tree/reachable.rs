//! What is left of a tree once a move is made: the nodes that can be reached from the new root.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rustc_hash::FxHashMap;

use super::Tree;
use crate::search::mcts::node::{Arm, NO_ENTRY, NO_NODE, NodeRow, UNEXPANDED};

impl Tree {
    /// Drops the nodes that are not reachable from the root. Returns the old numbers of the others, in the order of their
    /// new numbers.
    pub(in crate::search::mcts) fn drop_unreachable(&mut self) -> Vec<u32> {
        let (kept, new) = self.reachable();
        let mut tree = self.emptied();
        tree.root = 0;
        let renumbered = |node: u32| new.get(node as usize).copied().unwrap_or(NO_NODE);
        for (number, &old) in kept.iter().enumerate() {
            self.copy_node(old, &mut tree, number);
            self.copy_moves(old, &mut tree, (number as u32, &renumbered));
        }
        let joints = self.joints.get_mut();
        let joints = joints.unwrap_or_else(PoisonError::into_inner).drain();
        let joints = joints.filter(|((node, _), _)| renumbered(*node) != NO_NODE);
        let joints =
            joints.map(|((node, joint), child)| ((renumbered(node), joint), renumbered(child)));
        let joints: FxHashMap<_, _> = joints.collect();
        *tree.used.joints.get_mut() = joints.len();
        tree.joints = joints.into();
        *self = tree;
        kept
    }

    /// Copies a node, but for what belongs to its moves.
    fn copy_node(&mut self, old: u32, tree: &mut Self, number: usize) {
        let rows = self.roles + 1;
        let from: &[NodeRow] = &self.rows[old as usize * rows..][..rows];
        for (from, to) in from.iter().zip(&tree.rows[number * rows..][..rows]) {
            copy(from, to);
        }
        *tree.used.nodes.get_mut() = number + 1;
        let hash = self.index().hashes[old as usize];
        tree.index().insert(hash, number as u32);
    }

    /// Copies the arms of a node, or the notes on its moves.
    fn copy_moves(
        &mut self,
        old: u32,
        tree: &mut Self,
        (number, renumbered): (u32, &impl Fn(u32) -> u32),
    ) {
        if !self.is_expanded(old) {
            let notes = self.notes(old).unwrap_or_default();
            let notes = tree.add_notes(&notes);
            tree.node(number)
                .set_moves(UNEXPANDED, notes.unwrap_or(NO_ENTRY));
            return;
        }
        let first = *tree.used.arms.get_mut();
        tree.node(number).set_moves(first as u32, NO_ENTRY);
        let all = self.all_arms(old);
        let to = first..first + all.len();
        if self.tracks_facts() {
            let copied = self.amafs[all.clone()].iter().zip(&tree.amafs[to.clone()]);
            copied.for_each(|(from, to)| copy(from, to));
        }
        for (from, to) in self.arms[all].iter().zip(&tree.arms[to.clone()]) {
            copy(from, to);
            Arm(to).set_child(renumbered(Arm(from).child()));
        }
        *tree.used.arms.get_mut() = to.end;
    }

    /// Where the arms of all roles in an expanded node are.
    fn all_arms(&self, node: u32) -> std::ops::Range<usize> {
        let roles = self.roles_with_arms(node);
        let first = self.range(node, roles.start).start;
        first..self.range(node, roles.end - 1).end
    }

    /// The nodes reachable from the root, breadth first, and the index of each node among them.
    fn reachable(&mut self) -> (Vec<u32>, Vec<u32>) {
        let mut children: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let joints = self.joints.get_mut();
        for (&(node, _), &child) in joints.unwrap_or_else(PoisonError::into_inner).iter() {
            children.entry(node).or_default().push(child);
        }
        let mut kept = vec![self.root];
        let mut new = vec![NO_NODE; self.nodes()];
        new[self.root as usize] = 0;
        let mut next = 0;
        while let Some(&node) = kept.get(next) {
            next += 1;
            let arms = match self.is_expanded(node) {
                true => &self.arms[self.all_arms(node)],
                false => &[],
            };
            let of_joints = children.get(&node).into_iter().flatten().copied();
            for child in arms.iter().map(|arm| Arm(arm).child()).chain(of_joints) {
                if child != NO_NODE && new[child as usize] == NO_NODE {
                    new[child as usize] = kept.len() as u32;
                    kept.push(child);
                }
            }
        }
        (kept, new)
    }
}

fn copy<const N: usize>(from: &[AtomicU64; N], to: &[AtomicU64; N]) {
    for (from, to) in from.iter().zip(to) {
        to.store(from.load(Relaxed), Relaxed);
    }
}
