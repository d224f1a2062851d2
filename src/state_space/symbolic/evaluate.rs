//! The outputs of a network as decision diagrams.

use oxidd::BooleanFunction;
use oxidd::util::AllocResult;
use rustc_hash::FxHashMap;

use super::variables::Bdd;
use crate::propnet::Network;
use crate::propnet::network::{Leaf, Lit, NodeId};

/// Makes diagrams of signals. Those that do not depend on moves are made once.
pub(super) struct SignalDiagrams<'n> {
    network: &'n Network,
    truth: Bdd,
    /// Per node that does not depend on moves, what is known.
    of_states: FxHashMap<NodeId, Bdd>,
    /// Whether a node depends on moves.
    moves: Vec<bool>,
}

/// What is known of nodes once the moves are.
pub(super) struct JointMove {
    /// Per node, its value if that depends on no state.
    constant: Vec<Option<bool>>,
    of_move: FxHashMap<NodeId, Bdd>,
}

impl<'n> SignalDiagrams<'n> {
    /// `fluents` are the diagrams of the network's bases.
    pub(super) fn new(network: &'n Network, fluents: &[Bdd], truth: Bdd) -> Self {
        let gates = &network.gates;
        let leaves = gates.leaves();
        let mut moves = vec![false; gates.nodes().len()];
        let mut of_states = FxHashMap::default();
        for node in gates.nodes() {
            let mut operands = gates.operands(node).iter();
            moves[node as usize] = matches!(leaves.leaf(node), Some(Leaf::Does(_)))
                || operands.any(|lit| moves[lit.node() as usize]);
        }
        for (base, diagram) in fluents.iter().enumerate() {
            of_states.insert(leaves.base(base).node(), diagram.clone());
        }
        of_states.insert(Lit::TRUE.node(), truth.clone());
        Self {
            network,
            truth,
            of_states,
            moves,
        }
    }

    /// Of a joint move of these inputs, what is known without a state.
    pub(super) fn joint_move(&self, inputs: &[usize]) -> JointMove {
        let gates = &self.network.gates;
        let mut constant: Vec<Option<bool>> = vec![None; gates.nodes().len()];
        for node in gates.nodes() {
            constant[node as usize] = match gates.leaves().leaf(node) {
                Some(Leaf::Does(input)) => Some(inputs.contains(&input)),
                _ if node == Lit::TRUE.node() => Some(true),
                _ if gates.is_gate(node) => {
                    let of = |lit: &Lit| Some(constant[lit.node() as usize]? != lit.is_negated());
                    let operands = gates.operands(node);
                    match operands.iter().any(|lit| of(lit) == Some(false)) {
                        true => Some(false),
                        false => operands
                            .iter()
                            .all(|lit| of(lit) == Some(true))
                            .then_some(true),
                    }
                }
                _ => None,
            };
        }
        JointMove {
            constant,
            of_move: FxHashMap::default(),
        }
    }

    /// The states in which a signal is true, when the joint move is made.
    pub(super) fn of(&mut self, lit: Lit, joint: &mut JointMove) -> AllocResult<Bdd> {
        self.make(lit.node(), joint)?;
        self.known(lit, joint)
    }

    fn known(&self, lit: Lit, joint: &JointMove) -> AllocResult<Bdd> {
        let node = lit.node();
        let diagram = match joint.constant[node as usize] {
            Some(true) => self.truth.clone(),
            Some(false) => self.truth.not()?,
            None => {
                let own = joint.of_move.get(&node);
                let known = own.or_else(|| self.of_states.get(&node));
                known.unwrap_or(&self.truth).clone()
            }
        };
        match lit.is_negated() {
            true => diagram.not(),
            false => Ok(diagram),
        }
    }

    fn is_known(&self, node: NodeId, joint: &JointMove) -> bool {
        joint.constant[node as usize].is_some()
            || self.of_states.contains_key(&node)
            || joint.of_move.contains_key(&node)
    }

    /// Makes the diagram of a node, and those of all that it depends on, in the order of the gates.
    fn make(&mut self, node: NodeId, joint: &mut JointMove) -> AllocResult<()> {
        let mut wanted = vec![node];
        let mut missing = std::collections::BTreeSet::new();
        while let Some(node) = wanted.pop() {
            if !self.is_known(node, joint) && missing.insert(node) {
                wanted.extend(
                    self.network
                        .gates
                        .operands(node)
                        .iter()
                        .map(|lit| lit.node()),
                );
            }
        }
        for node in missing {
            let mut all = self.truth.clone();
            for lit in self.network.gates.operands(node) {
                all = all.and(&self.known(*lit, joint)?)?;
            }
            match self.moves[node as usize] {
                true => joint.of_move.insert(node, all),
                false => self.of_states.insert(node, all),
            };
        }
        Ok(())
    }
}

/// Signals that are all true exactly where `lit` is.
pub(super) fn conjuncts(network: &Network, lit: Lit) -> Vec<Lit> {
    let mut found = Vec::new();
    let mut left = vec![lit];
    while let Some(lit) = left.pop() {
        match lit.is_negated() || !network.gates.is_gate(lit.node()) {
            true => found.push(lit),
            false => left.extend(network.gates.operands(lit.node())),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The fluents that a signal depends on, by their numbers.
pub(super) fn fluents_of(network: &Network, lit: Lit) -> Vec<usize> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut left = vec![lit.node()];
    let mut fluents = Vec::new();
    while let Some(node) = left.pop() {
        if !seen.insert(node) {
            continue;
        }
        match network.gates.leaves().leaf(node) {
            Some(Leaf::Base(base)) => fluents.push(base),
            _ => left.extend(network.gates.operands(node).iter().map(|lit| lit.node())),
        }
    }
    fluents.sort_unstable();
    fluents
}
