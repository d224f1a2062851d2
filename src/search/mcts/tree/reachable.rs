//! What is left of a tree once a move is made: the nodes that can be reached from the new root.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rustc_hash::FxHashMap;

use super::Tree;
use crate::search::mcts::node::{Arm, NO_ENTRY, NO_NODE, UNEXPANDED};

/// What is kept of a tree, as plain words.
#[derive(Default)]
struct KeptRows {
    rows: Vec<[u64; 3]>,
    arms: Vec<[u64; 4]>,
    amafs: Vec<[u64; 2]>,
    notes: Vec<u32>,
    hashes: Vec<u64>,
    joints: FxHashMap<(u32, u64), u32>,
}

impl Tree {
    /// Drops the nodes that are not reachable from the root. Returns the old numbers of the others, in the order of their
    /// new numbers.
    pub(in crate::search::mcts) fn drop_unreachable(&mut self) -> Vec<u32> {
        let (kept, new) = self.reachable();
        let renumbered = |node: u32| new.get(node as usize).copied().unwrap_or(NO_NODE);
        let mut rows = KeptRows::default();
        for &old in &kept {
            self.keep_node(old, &mut rows, renumbered);
        }
        let joints = self.joints.get_mut();
        let joints = joints.unwrap_or_else(PoisonError::into_inner).drain();
        let joints = joints.filter(|((node, _), _)| renumbered(*node) != NO_NODE);
        let joints =
            joints.map(|((node, joint), child)| ((renumbered(node), joint), renumbered(child)));
        rows.joints = joints.collect();
        self.clear();
        self.root = 0;
        self.put_back(rows);
        kept
    }

    /// Copies a node with its arms, or with the notes on its moves.
    fn keep_node(&self, old: u32, kept: &mut KeptRows, renumbered: impl Fn(u32) -> u32) {
        let rows = self.roles + 1;
        let first = kept.rows.len();
        let own = &self.rows[old as usize * rows..][..rows];
        kept.rows.extend(own.iter().map(load));
        let (arms, notes) = match self.is_expanded(old) {
            true => {
                let (all, first) = (self.all_arms(old), kept.arms.len());
                if self.tracks_facts() {
                    kept.amafs.extend(self.amafs[all.clone()].iter().map(load));
                }
                for arm in &self.arms[all] {
                    Arm(arm).set_child(renumbered(Arm(arm).child()));
                    kept.arms.push(load(arm));
                }
                (first as u32, NO_ENTRY)
            }
            false => {
                let (notes, first) = (self.notes(old).unwrap_or_default(), kept.notes.len());
                let place = if notes.is_empty() {
                    NO_ENTRY
                } else {
                    first as u32
                };
                kept.notes.extend(notes);
                (UNEXPANDED, place)
            }
        };
        kept.rows[first][1] = u64::from(arms) << 32 | u64::from(notes);
        kept.hashes.push(self.index().hashes[old as usize]);
    }

    /// Fills an empty tree.
    fn put_back(&mut self, kept: KeptRows) {
        *self.used.nodes.get_mut() = kept.hashes.len();
        *self.used.arms.get_mut() = kept.arms.len();
        *self.used.notes.get_mut() = kept.notes.len();
        *self.used.joints.get_mut() = kept.joints.len();
        self.joints = kept.joints.into();
        store_all(&kept.rows, &self.rows);
        store_all(&kept.arms, &self.arms);
        store_all(&kept.amafs, &self.amafs);
        for (&note, to) in kept.notes.iter().zip(&self.notes) {
            to.store(note, Relaxed);
        }
        let mut index = self.index();
        for (number, hash) in (0..).zip(kept.hashes) {
            index.insert(hash, number);
        }
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

fn load<const N: usize>(row: &[AtomicU64; N]) -> [u64; N] {
    std::array::from_fn(|word| row[word].load(Relaxed))
}

fn store_all<const N: usize>(from: &[[u64; N]], to: &[[AtomicU64; N]]) {
    for (from, to) in from.iter().flatten().zip(to.iter().flatten()) {
        to.store(*from, Relaxed);
    }
}
