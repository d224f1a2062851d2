//! Groups of leaves of which at most one, or exactly one, is true: mutex groups of fluents, and the moves of each role.

use super::super::network::{Leaves, NodeId};

/// Leaves of which at most one is true at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeGroup {
    /// The leaves, ascending.
    pub members: Vec<NodeId>,
    /// Whether one of them always is true.
    pub exactly_one: bool,
}

/// All groups.
#[derive(Debug, Clone, Default)]
pub struct NodeGroups {
    groups: Vec<NodeGroup>,
    /// Per leaf, the numbers of its groups.
    of: Vec<Vec<u32>>,
}

impl NodeGroups {
    /// `groups` over `leaves`.
    pub fn new(leaves: Leaves, groups: Vec<NodeGroup>) -> Self {
        let mut of = vec![Vec::new(); leaves.end() as usize];
        for (number, group) in groups.iter().enumerate() {
            for &member in &group.members {
                of[member as usize].push(number as u32);
            }
        }
        Self { groups, of }
    }

    /// The numbers of a node's groups; none for a gate.
    pub fn of(&self, node: NodeId) -> &[u32] {
        self.of.get(node as usize).map_or(&[], Vec::as_slice)
    }

    /// A group by its number.
    pub fn get(&self, number: u32) -> &NodeGroup {
        &self.groups[number as usize]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.groups.len()
    }
}
