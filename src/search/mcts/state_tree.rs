//! The tree with the game state of every node.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::leaf_batch::{EvaluatedLeaf, EvaluationRequest, state_info};
use super::node::LeafInfo;
use super::select::{PathEnd, TreePath, TreePaths};
use super::tree::Tree;
use crate::game::{Engine, Role, is_chance};

/// The tree with the game state of every node.
#[derive(Debug)]
pub(super) struct StateTree<S> {
    pub(super) tree: Tree,
    /// By node.
    pub(super) states: Vec<S>,
}

impl<S: Clone + Eq + Hash> StateTree<S> {
    /// An empty tree for a search by `searcher` among these roles that takes at most `budget` bytes.
    pub(super) fn new(roles: &[String], searcher: Role, budget: usize) -> Self {
        let named = roles.iter().enumerate();
        let chance = named.map(|(role, name)| role != searcher.0 && is_chance(name));
        Self {
            tree: Tree::new(chance.collect(), budget, size_of::<S>()),
            states: Vec::new(),
        }
    }

    /// Makes `state` the root. Drops unreachable nodes where memory is scarce.
    pub(super) fn set_root<G: Engine<State = S>>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        state: &S,
    ) {
        self.tree.root = match self.find(state) {
            Some(node) => node,
            None => {
                self.tree.clear();
                self.states.clear();
                let mut batch = game.batch();
                game.evaluate_batch(scratch, std::slice::from_ref(state), &mut batch);
                self.add(state.clone(), &state_info(&batch, 0, self.tree.roles))
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

    fn add(&mut self, state: S, info: &LeafInfo) -> u32 {
        let node = self.tree.add(hash_of(&state), info);
        self.states.push(state);
        node
    }

    /// Evaluation requests for the leaves of all paths except those that end in a proved node.
    pub(super) fn requests(&self, paths: &TreePaths) -> Vec<EvaluationRequest<S>> {
        let request = |path: &TreePath| {
            let (node, picks) = match path.end {
                PathEnd::Proved(_) => return None,
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
            if let PathEnd::Proved(node) = path.end {
                let roles = 0..self.tree.roles;
                let values: Vec<f64> = roles.map(|role| self.tree.expected(node, role)).collect();
                self.tree.backpropagate(paths, path, Some(node), &values);
            } else if let Some(leaf) = evaluated.next() {
                self.tree.record(&leaf.values);
                let values = leaf.values.clone();
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
        let info = leaf.info?;
        Some(self.add(leaf.state, &info))
    }
}

fn hash_of(state: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(state)
}
