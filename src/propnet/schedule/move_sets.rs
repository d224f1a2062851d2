//! Sets of moves: what depends on a role's move alone is looked up, not computed.
//!
//! A role makes one move in each lane. So a gate over nothing but the moves of one role tells whether the move made is one of a set,
//! as in *a piece comes to d4*. In games with many moves, most of the gates of a transition form such sets; where few states are in the
//! lanes, it takes less to set a bit for each set that the move of a lane belongs to.

use std::collections::hash_map::Entry;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::guards::cone;
use super::{Register, emit};
use crate::propnet::build::Interface;
use crate::propnet::circuit::NEVER;
use crate::propnet::network::{Leaf, Lit, Network, NodeId};

/// The role of a gate over the moves of more than one role, or over facts.
const NO_ROLE: u32 = u32::MAX;
/// All sets together list at most so many moves.
const MOST_MEMBERS: usize = 30_000_000;

/// Moves of a role, ascending, or all others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RoleMoves {
    members: Vec<u32>,
    is_complement: bool,
}

/// The sets that a transition needs, each in the register of a move: there are no more sets than moves.
#[derive(Debug)]
pub(super) struct MoveSets<'n> {
    network: &'n Network,
    /// Per role, its moves.
    moves: Vec<Range<usize>>,
    /// Per node, the role over whose moves alone it is.
    roles: Vec<u32>,
    /// Whether the next state depends on a node.
    is_live: Vec<bool>,
    /// The sets of the moves and gates that are over the moves of one role.
    sets: FxHashMap<NodeId, RoleMoves>,
    registers: FxHashMap<Vec<u32>, Register>,
}

impl<'n> MoveSets<'n> {
    /// Sets for a network in which they stand for at least so many gates; none if they list too many moves.
    pub(super) fn new(
        interface: &Interface,
        network: &'n Network,
        fewest_gates: usize,
    ) -> Option<Self> {
        let next = network.outputs.next.iter().map(|lit| lit.node());
        let mut sets = Self {
            network,
            moves: interface.roles.clone(),
            roles: roles(interface, network),
            is_live: cone(network, next),
            sets: FxHashMap::default(),
            registers: FxHashMap::default(),
        };
        (sets.gates() >= fewest_gates && sets.find()).then_some(sets)
    }

    /// How many gates of two operands the sets stand for.
    pub(super) fn gates(&self) -> usize {
        let saved = |node: NodeId| {
            let operands = self.network.gates.operands(node).iter();
            let moves = operands.filter(|lit| self.role(lit.node()).is_some());
            moves.count().saturating_sub(1)
        };
        self.live_nodes().map(saved).sum()
    }

    /// The role over whose moves alone a node is.
    pub(super) fn role(&self, node: NodeId) -> Option<usize> {
        let role = self.roles[node as usize];
        (role != NO_ROLE).then_some(role as usize)
    }

    /// The register of a conjunction over the moves of one role, and whether it holds the complement.
    pub(super) fn register(&mut self, lits: &[Lit]) -> (Register, bool) {
        let set = self.conjunction(lits);
        if set.members.is_empty() {
            return (NEVER, set.is_complement);
        }
        let next = emit::base(self.network.gates.leaves().bases + self.registers.len());
        let register = match self.registers.entry(set.members) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => *place.insert(next),
        };
        (register, set.is_complement)
    }

    /// Per move, the registers of the sets that it belongs to; `None` if there are more sets than moves.
    pub(super) fn marks(&self) -> Option<Vec<Vec<Register>>> {
        let inputs = self.network.gates.leaves().inputs;
        let mut marks = vec![Vec::new(); inputs];
        for (members, &register) in &self.registers {
            let members = members.iter();
            members.for_each(|&input| marks[input as usize].push(register));
        }
        let lists = marks.iter_mut();
        lists.for_each(|registers| registers.sort_unstable());
        (self.registers.len() <= inputs).then_some(marks)
    }

    fn live_nodes(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.network.gates.nodes();
        nodes.filter(|node| self.is_live[*node as usize])
    }

    /// Finds the sets of all nodes that are over the moves of one role, operands first; false if they list too many moves.
    fn find(&mut self) -> bool {
        let mut members = 0;
        let nodes = self.live_nodes().filter(|&node| self.role(node).is_some());
        for node in nodes.collect::<Vec<NodeId>>() {
            let set = match self.network.gates.leaves().leaf(node) {
                Some(Leaf::Does(input)) => RoleMoves {
                    members: vec![input as u32],
                    is_complement: false,
                },
                _ => self.conjunction(self.network.gates.operands(node)),
            };
            members += set.members.len();
            if members > MOST_MEMBERS {
                return false;
            }
            self.sets.insert(node, set);
        }
        true
    }

    /// The conjunction of signals over the moves of one role, whose sets are found.
    fn conjunction(&self, lits: &[Lit]) -> RoleMoves {
        let all = lits.iter().filter_map(|lit| {
            let set = self.sets.get(&lit.node())?;
            Some((&set.members, set.is_complement != lit.is_negated()))
        });
        let all: Vec<(&Vec<u32>, bool)> = all.collect();
        let listed = all.iter().filter(|(_, is_complement)| !is_complement);
        let smallest = listed.min_by_key(|(members, _)| members.len());
        let Some((smallest, _)) = smallest else {
            let members = all.iter().flat_map(|(members, _)| *members);
            let mut members: Vec<u32> = members.copied().collect();
            members.sort_unstable();
            members.dedup();
            return self.shortened(lits, members, true);
        };
        let is_in = |input: &u32| {
            let mut all = all.iter();
            all.all(|(members, is_complement)| {
                members.binary_search(input).is_ok() != *is_complement
            })
        };
        let members = smallest.iter().copied().filter(is_in).collect();
        self.shortened(lits, members, false)
    }

    /// A set of moves of the role of `lits`, with at most half of them listed.
    fn shortened(&self, lits: &[Lit], members: Vec<u32>, is_complement: bool) -> RoleMoves {
        let role = lits.first().and_then(|lit| self.role(lit.node()));
        let all = role.map_or(0..0, |role| self.moves[role].clone());
        if members.len() <= all.len() / 2 {
            return RoleMoves {
                members,
                is_complement,
            };
        }
        let others = all.map(|input| input as u32);
        let others = others.filter(|input| members.binary_search(input).is_err());
        RoleMoves {
            members: others.collect(),
            is_complement: !is_complement,
        }
    }
}

/// Per node, the role over whose moves alone it is.
fn roles(interface: &Interface, network: &Network) -> Vec<u32> {
    let gates = &network.gates;
    let mut roles = vec![NO_ROLE; gates.nodes().len()];
    for (role, inputs) in (0..).zip(&interface.roles) {
        for input in inputs.clone() {
            roles[gates.leaves().does(input).node() as usize] = role;
        }
    }
    for node in gates.leaves().end()..gates.nodes().end {
        let operands = gates.operands(node).iter();
        let mut of_operands = operands.map(|lit| roles[lit.node() as usize]);
        let first = of_operands.next().unwrap_or(NO_ROLE);
        roles[node as usize] = if of_operands.all(|role| role == first) {
            first
        } else {
            NO_ROLE
        };
    }
    roles
}
