//! The tree together with the states of its nodes.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::descend::{End, Path, Paths};
use super::evaluate::{Errand, Finding, fresh};
use super::node::Fresh;
use super::tree::Tree;
use crate::game::{Engine, Role, is_chance};

/// The tree together with the states of its nodes.
#[derive(Debug)]
pub(super) struct Store<S> {
    pub(super) tree: Tree,
    /// Per node.
    pub(super) states: Vec<S>,
}

impl<S: Clone + Eq + Hash> Store<S> {
    /// Without states, for a search by `searcher` among these roles, with so many bytes of room.
    pub(super) fn new(roles: &[String], searcher: Role, budget: usize) -> Self {
        let named = roles.iter().enumerate();
        let chance = named.map(|(role, name)| role != searcher.0 && is_chance(name));
        Self {
            tree: Tree::new(chance.collect(), budget, size_of::<S>()),
            states: Vec::new(),
        }
    }

    /// Makes `state` the root. Forgets what cannot be come by any more where room is scarce.
    pub(super) fn root_at<G: Engine<State = S>>(
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
                self.add(state.clone(), &fresh(&batch, 0, self.tree.roles))
            }
        };
        if self.tree.is_half_full() {
            self.forget();
        }
    }

    /// Forgets what cannot be come by from the root any more.
    pub(super) fn forget(&mut self) {
        let kept = self.tree.forget().into_iter();
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

    fn add(&mut self, state: S, fresh: &Fresh) -> u32 {
        let node = self.tree.add(hash_of(&state), fresh);
        self.states.push(state);
        node
    }

    /// What is to be found out at the ends of paths, but for those of which all is known.
    pub(super) fn errands(&self, paths: &Paths) -> Vec<Errand<S>> {
        let errand = |path: &Path| {
            let (node, picks) = match path.end {
                End::Known(_) => return None,
                End::At(node) => (node, None),
                End::Beyond => {
                    let (parent, picks) = paths.upwards(path, self.tree.roles).next()?;
                    (parent, Some(picks.to_vec()))
                }
            };
            let state = self.states[node as usize].clone();
            Some(Errand { state, picks })
        };
        paths.iter().filter_map(errand).collect()
    }

    /// Takes over what was found out.
    pub(super) fn learn(&mut self, paths: &Paths, findings: Vec<Finding<S>>) {
        let mut findings = findings.into_iter();
        for path in paths.iter() {
            if let End::Known(node) = path.end {
                let roles = 0..self.tree.roles;
                let values: Vec<f64> = roles.map(|role| self.tree.expected(node, role)).collect();
                self.tree.ascend(paths, path, Some(node), &values);
            } else if let Some(finding) = findings.next() {
                self.tree.note(&finding.values);
                let values = finding.values.clone();
                let leaf = match path.end {
                    End::At(node) => Some(node),
                    _ => self.place(finding),
                };
                let last = paths.upwards(path, self.tree.roles).next();
                if let (Some(leaf), Some((node, picks)), End::Beyond) = (leaf, last, path.end) {
                    self.tree.link(node, picks, leaf);
                }
                self.tree.ascend(paths, path, leaf, &values);
            }
        }
    }

    /// Gives up finding out.
    pub(super) fn give_up(&mut self, paths: &Paths) {
        for path in paths.iter() {
            self.tree.abandon(paths, path);
        }
    }

    /// The node of a state that was met; none if it is new and there is no room.
    fn place(&mut self, finding: Finding<S>) -> Option<u32> {
        let known = self.find(&finding.state);
        if known.is_some() || self.tree.is_full() {
            return known;
        }
        let fresh = finding.fresh?;
        Some(self.add(finding.state, &fresh))
    }
}

fn hash_of(state: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(state)
}
