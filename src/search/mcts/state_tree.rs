//! The tree with the game state of every node.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::leaf_batch::{EvaluatedLeaf, EvaluationRequest, TerminalChild};
use super::node::{LeafInfo, LeafMethod, LeafWorth, NO_NODE};
use super::select::{PathEnd, TreePath, TreePaths};
use super::tree::Tree;
use crate::game::{Role, is_chance};

/// The tree with the game state of every node.
#[derive(Debug)]
pub(super) struct StateTree<S> {
    pub(super) tree: Tree,
    /// By node.
    pub(super) states: boxcar::Vec<S>,
}

impl<S: Clone + Eq + Hash> StateTree<S> {
    /// An empty tree for a search by `searcher` among these roles that takes at most `budget` bytes.
    pub(super) fn new(roles: &[String], searcher: Role, method: LeafMethod, budget: usize) -> Self {
        let named = roles.iter().enumerate();
        let chance = named.map(|(role, name)| role != searcher.0 && is_chance(name));
        Self {
            tree: Tree::new(chance.collect(), method, budget, size_of::<S>()),
            states: boxcar::Vec::new(),
        }
    }

    /// Makes `state` the root, which `look_at` tells of if it is new. Drops unreachable nodes where memory is scarce.
    pub(super) fn set_root(&mut self, state: &S, look_at: impl FnOnce() -> EvaluatedLeaf<S>) {
        self.tree.root = match self.find(state) {
            Some(node) => node,
            None => {
                self.tree.clear();
                self.states = boxcar::Vec::new();
                let mut leaf = look_at();
                let statistics = &self.tree.statistics;
                statistics.record(std::iter::empty(), leaf.goals_of_ends());
                let values = std::mem::take(&mut leaf.values);
                self.node_for(leaf, &values).unwrap_or(NO_NODE)
            }
        };
        if self.tree.is_half_full() {
            self.drop_unreachable();
        }
    }

    /// Drops the nodes that are not reachable from the root.
    pub(super) fn drop_unreachable(&mut self) {
        let kept = self.tree.drop_unreachable().into_iter();
        self.states = kept
            .map(|node| self.states[node as usize].clone())
            .collect();
    }

    /// The state at the root.
    pub(super) fn root(&self) -> &S {
        &self.states[self.tree.root as usize]
    }

    pub(super) fn find(&self, state: &S) -> Option<u32> {
        let is_it = |node: usize| self.states[node] == *state;
        self.tree.index().find(hash_of(state), is_it)
    }

    /// The node of a state, and whether it is a new one. `None` if there is no room for it.
    fn find_or_add(&self, state: S, info: &LeafInfo, worth: LeafWorth<'_>) -> Option<(u32, bool)> {
        let hash = hash_of(&state);
        let mut index = self.tree.index();
        if let Some(known) = index.find(hash, |node| self.states[node] == state) {
            return Some((known, false));
        }
        if self.tree.is_full() && self.tree.nodes() > 0 {
            return None;
        }
        let node = self.tree.add(&mut index, hash, info, worth)?;
        // Under the same number, as nobody else adds one meanwhile.
        self.states.push(state);
        Some((node, true))
    }

    /// The node of an evaluated state; `None` if nothing is known of it, or there is no room.
    fn node_for(&self, leaf: EvaluatedLeaf<S>, values: &[f64]) -> Option<u32> {
        let info = leaf.info?;
        let worth = LeafWorth {
            values,
            moves: &leaf.children,
            facts: &leaf.facts,
        };
        let (node, is_new) = self.find_or_add(leaf.state, &info, worth)?;
        if is_new && !leaf.ends.is_empty() {
            self.add_ends(node, leaf.ends);
        }
        Some(node)
    }

    /// Adds terminal children of a new node; they may prove its value.
    fn add_ends(&self, node: u32, ends: Vec<TerminalChild<S>>) {
        if !self.tree.make_arms(node) {
            return;
        }
        for end in ends {
            let worth = LeafWorth {
                values: &end.goals,
                moves: &[],
                facts: &[],
            };
            if let Some((child, _)) = self.find_or_add(end.state, &end.info, worth) {
                self.tree.link_end(node, end.pick, child);
            }
        }
        self.tree.update_bounds(node);
    }

    /// Adds the evaluated leaf at the end of a path to the tree.
    fn add_child(
        &self,
        paths: &TreePaths,
        path: &TreePath,
        leaf: EvaluatedLeaf<S>,
        values: &[f64],
    ) -> Option<u32> {
        let child = self.node_for(leaf, values)?;
        let (parent, picks) = paths.upwards(path, self.tree.roles).next()?;
        self.tree.link(parent, picks, child);
        Some(child)
    }

    /// Evaluation requests for the leaves of all paths except those that end in a node whose value is known.
    pub(super) fn requests(&self, paths: &TreePaths) -> Vec<EvaluationRequest<S>> {
        let request = |path: &TreePath| {
            let (node, picks) = match path.end {
                PathEnd::Proved(_) => return None,
                // Another evaluation would give the same.
                PathEnd::Node(_) if self.tree.is_evaluated() => return None,
                PathEnd::Node(node) => (node, None),
                PathEnd::NewChild => {
                    let (parent, picks) = paths.upwards(path, self.tree.roles).next()?;
                    (parent, Some(picks.to_vec()))
                }
            };
            let state = self.states[node as usize].clone();
            Some(EvaluationRequest { state, picks })
        };
        paths.iter().filter_map(request).collect()
    }

    /// Adds the evaluated leaves to the tree and backpropagates their values.
    pub(super) fn backpropagate(&self, paths: &TreePaths, evaluated: Vec<EvaluatedLeaf<S>>) {
        self.record(&evaluated);
        let mut samples = Vec::new();
        let mut evaluated = evaluated.into_iter();
        for path in paths.iter() {
            let known = match path.end {
                PathEnd::Proved(node) => Some(node),
                PathEnd::Node(node) if self.tree.is_evaluated() => Some(node),
                _ => None,
            };
            if let Some(node) = known {
                let roles = 0..self.tree.roles;
                let values: Vec<f64> = roles.map(|role| self.tree.expected(node, role)).collect();
                let leaf = (Some(node), &values[..]);
                self.tree.backpropagate(paths, path, leaf, &mut samples);
            } else if let Some(mut leaf) = evaluated.next() {
                let values = std::mem::take(&mut leaf.values);
                let means = std::mem::take(&mut leaf.fact_means);
                let node = match path.end {
                    PathEnd::Node(node) => Some(node),
                    _ => self.add_child(paths, path, leaf, &values),
                };
                let leaf = (node, &values[..]);
                self.tree.backpropagate(paths, path, leaf, &mut samples);
                self.tree.add_fact_means(paths, path, &means);
            }
        }
        if !samples.is_empty() {
            self.tree.statistics.record_samples(samples.into_iter());
        }
    }

    /// Records what leaves are worth.
    fn record(&self, leaves: &[EvaluatedLeaf<S>]) {
        let are_goals = |leaf: &&EvaluatedLeaf<S>| {
            !self.tree.is_evaluated() || matches!(leaf.info, Some(LeafInfo::Terminal(_)))
        };
        let values = leaves.iter().map(|leaf| &leaf.values[..]);
        let goals = leaves.iter().filter(are_goals).map(|leaf| &leaf.values[..]);
        let of_ends = leaves.iter().flat_map(EvaluatedLeaf::goals_of_ends);
        let statistics = &self.tree.statistics;
        statistics.record(values, goals.chain(of_ends));
    }

    /// Takes back the virtual loss of paths that are not going to be evaluated.
    pub(super) fn cancel(&self, paths: &TreePaths) {
        for path in paths.iter() {
            self.tree.remove_virtual_loss(paths, path);
        }
    }
}
fn hash_of(state: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(state)
}
