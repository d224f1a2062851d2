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
    pub(super) states: Vec<S>,
}

impl<S: Clone + Eq + Hash> StateTree<S> {
    /// An empty tree for a search by `searcher` among these roles that takes at most `budget` bytes.
    pub(super) fn new(roles: &[String], searcher: Role, method: LeafMethod, budget: usize) -> Self {
        let named = roles.iter().enumerate();
        let chance = named.map(|(role, name)| role != searcher.0 && is_chance(name));
        Self {
            tree: Tree::new(chance.collect(), method, budget, size_of::<S>()),
            states: Vec::new(),
        }
    }

    /// Makes `state` the root, which `look_at` tells of if it is new. Drops unreachable nodes where memory is scarce.
    pub(super) fn set_root(&mut self, state: &S, look_at: impl FnOnce() -> EvaluatedLeaf<S>) {
        self.tree.root = match self.find(state) {
            Some(node) => node,
            None => {
                self.tree.clear();
                self.states.clear();
                self.add_leaf(look_at()).unwrap_or(NO_NODE)
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
        self.tree
            .find(hash_of(state), |node| self.states[node] == *state)
    }

    fn add(&mut self, state: S, info: &LeafInfo, worth: LeafWorth<'_>) -> u32 {
        let node = self.tree.add(hash_of(&state), info, worth);
        self.states.push(state);
        node
    }

    /// Adds terminal children of a new node; they may prove its value.
    fn add_ends(&mut self, node: u32, ends: Vec<TerminalChild<S>>) {
        self.tree.expand(node);
        for TerminalChild { pick, state, info } in ends {
            let LeafInfo::Terminal(goals) = &info else {
                continue;
            };
            let goals: Vec<f64> = goals.iter().map(|&goal| goal.into()).collect();
            self.tree.record_goals(&goals);
            let end = self.find(&state).unwrap_or_else(|| {
                let worth = LeafWorth {
                    values: &goals,
                    moves: &[],
                    facts: &[],
                };
                self.add(state, &info, worth)
            });
            self.tree.link_end(node, pick, end);
        }
        self.tree.update_bounds(node);
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
    pub(super) fn backpropagate(&mut self, paths: &TreePaths, evaluated: Vec<EvaluatedLeaf<S>>) {
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
                self.tree.backpropagate(paths, path, Some(node), &values);
            } else if let Some(mut leaf) = evaluated.next() {
                if !self.tree.is_evaluated() || matches!(leaf.info, Some(LeafInfo::Terminal(_))) {
                    self.tree.record_goals(&leaf.values);
                }
                self.tree.record(&leaf.values);
                let (values, means) = (leaf.values.clone(), std::mem::take(&mut leaf.fact_means));
                let leaf = match path.end {
                    PathEnd::Node(node) => Some(node),
                    _ => self.node_for(leaf),
                };
                let last = paths.upwards(path, self.tree.roles).next();
                if let (Some(leaf), Some((node, picks)), PathEnd::NewChild) = (leaf, last, path.end)
                {
                    self.tree.link(node, picks, leaf);
                }
                self.tree.backpropagate(paths, path, leaf, &values);
                self.tree.add_fact_means(paths, path, &means);
            }
        }
    }

    /// Takes back the virtual loss of paths that are not going to be evaluated.
    pub(super) fn cancel(&mut self, paths: &TreePaths) {
        for path in paths.iter() {
            self.tree.remove_virtual_loss(paths, path);
        }
    }

    /// The node of an evaluated state; `None` if the state is new and the tree is full.
    fn node_for(&mut self, leaf: EvaluatedLeaf<S>) -> Option<u32> {
        let known = self.find(&leaf.state);
        if known.is_some() || self.tree.is_full() {
            return known;
        }
        self.add_leaf(leaf)
    }

    /// Adds a node for a new state; `None` if nothing is known of it.
    fn add_leaf(&mut self, leaf: EvaluatedLeaf<S>) -> Option<u32> {
        let info = leaf.info?;
        let worth = LeafWorth {
            values: &leaf.values,
            moves: &leaf.children,
            facts: &leaf.facts,
        };
        let node = self.add(leaf.state, &info, worth);
        if !leaf.ends.is_empty() {
            self.add_ends(node, leaf.ends);
        }
        Some(node)
    }
}

fn hash_of(state: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(state)
}
