//! Gates, literals, and the leaves of a network.

use std::hash::Hasher;
use std::ops::{Not, Range};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// The number of a leaf or a gate.
pub type NodeId = u32;

/// A literal: a node's signal, or its complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// Always true.
    pub const TRUE: Self = Self(0);
    /// Never true.
    pub const FALSE: Self = Self(1);

    /// The node's signal, or its complement.
    pub fn new(node: NodeId, negated: bool) -> Self {
        Self(node << 1 | u32::from(negated))
    }

    /// The node.
    pub fn node(self) -> NodeId {
        self.0 >> 1
    }

    /// A distinct number per literal: twice its node's, plus one for the complement.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is the complement.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The complement if `negate`.
    pub fn negate_if(self, negate: bool) -> Self {
        Self(self.0 ^ u32::from(negate))
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The numbers of leaves. Node 0 is the constant true; then come the bases, the inputs (moves made), the variables of loops,
/// and the gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaves {
    /// How many fluents.
    pub bases: usize,
    /// How many moves.
    pub inputs: usize,
    /// How many variables of loops.
    pub variables: usize,
}

/// The meaning of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// A fluent.
    Base(usize),
    /// A move that is made.
    Does(usize),
    /// A variable of a loop.
    Variable(usize),
}

impl Leaves {
    /// The signal of a fluent.
    pub fn base(self, number: usize) -> Lit {
        Lit::new((1 + number) as NodeId, false)
    }

    /// The signal of a move being made.
    pub fn does(self, number: usize) -> Lit {
        Lit::new((1 + self.bases + number) as NodeId, false)
    }

    /// The signal of a variable.
    pub fn variable(self, number: usize) -> Lit {
        Lit::new((1 + self.bases + self.inputs + number) as NodeId, false)
    }

    /// The node of the first gate.
    pub fn end(self) -> NodeId {
        (1 + self.bases + self.inputs + self.variables) as NodeId
    }

    /// The meaning of a node; `None` for gates and for node 0.
    pub fn leaf(self, node: NodeId) -> Option<Leaf> {
        let number = (node as usize).checked_sub(1)?;
        let does = self.bases;
        let variables = does + self.inputs;
        match number {
            _ if number < does => Some(Leaf::Base(number)),
            _ if number < variables => Some(Leaf::Does(number - does)),
            _ if node < self.end() => Some(Leaf::Variable(number - variables)),
            _ => None,
        }
    }
}

/// The gates of a network, in topological order, each stored once (structural hashing).
#[derive(Debug, Clone)]
pub struct Gates {
    leaves: Leaves,
    /// Per gate, where its operands begin; one more at the end.
    starts: Vec<usize>,
    operands: Vec<Lit>,
    known: HashTable<NodeId>,
    work: Vec<Lit>,
    counts: GateCounts,
}

/// How many gates were requested, and how many of them were needed; counted as gates of two operands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GateCounts {
    /// All requested gates.
    pub requested: usize,
    /// Those left after constants, duplicate operands and contradictions were removed.
    pub nontrivial: usize,
    /// Those that did not exist yet.
    pub created: usize,
}

impl Gates {
    /// No gates over `leaves`.
    pub fn new(leaves: Leaves) -> Self {
        Self {
            leaves,
            starts: vec![0],
            operands: Vec::new(),
            known: HashTable::new(),
            work: Vec::new(),
            counts: GateCounts::default(),
        }
    }

    /// No gates over the same leaves, with room for as many as there are here.
    pub fn room_for_as_many(&self) -> Self {
        let mut gates = Self::new(self.leaves);
        gates.starts.reserve(self.starts.len());
        gates.operands.reserve(self.operands.len());
        gates.known = HashTable::with_capacity(self.starts.len());
        gates
    }

    /// The counts of all requests so far.
    pub fn counts(&self) -> GateCounts {
        self.counts
    }

    /// The leaves.
    pub fn leaves(&self) -> Leaves {
        self.leaves
    }

    /// All nodes, leaves included.
    pub fn nodes(&self) -> Range<NodeId> {
        0..self.leaves.end() + (self.starts.len() - 1) as NodeId
    }

    /// The operands of a gate; empty for anything else.
    pub fn operands(&self, node: NodeId) -> &[Lit] {
        match node.checked_sub(self.leaves.end()) {
            Some(gate) => {
                let gate = gate as usize;
                &self.operands[self.starts[gate]..self.starts[gate + 1]]
            }
            None => &[],
        }
    }

    /// Whether a node is a gate.
    pub fn is_gate(&self, node: NodeId) -> bool {
        node >= self.leaves.end()
    }

    /// The conjunction of `lits`: a constant, one of them, or a gate.
    pub fn and(&mut self, lits: &[Lit]) -> Lit {
        self.counts.requested += lits.len().saturating_sub(1);
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.extend(lits.iter().filter(|&&lit| lit != Lit::TRUE));
        work.sort_unstable();
        work.dedup();
        let contradicts =
            work.first() == Some(&Lit::FALSE) || work.windows(2).any(|pair| pair[0] == !pair[1]);
        let lit = match work[..] {
            _ if contradicts => Lit::FALSE,
            [] => Lit::TRUE,
            [lit] => lit,
            _ => Lit::new(self.gate(&work), false),
        };
        self.work = work;
        lit
    }

    /// The disjunction of `lits`.
    pub fn or(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.and(&negated)
    }

    fn gate(&mut self, lits: &[Lit]) -> NodeId {
        self.counts.nontrivial += lits.len() - 1;
        let hash = hash_of(lits);
        let next = self.nodes().end;
        let (leaves, starts, operands) = (self.leaves, &self.starts, &self.operands);
        let of = |node: NodeId| {
            let gate = (node - leaves.end()) as usize;
            &operands[starts[gate]..starts[gate + 1]]
        };
        if let Some(&node) = self.known.find(hash, |&node| of(node) == lits) {
            return node;
        }
        self.known
            .insert_unique(hash, next, |&node| hash_of(of(node)));
        self.counts.created += lits.len() - 1;
        self.operands.extend_from_slice(lits);
        self.starts.push(self.operands.len());
        next
    }
}

fn hash_of(lits: &[Lit]) -> u64 {
    let mut hasher = FxHasher::default();
    for two in lits.chunks(2) {
        let last = two[two.len() - 1];
        hasher.write_u64(u64::from(two[0].0) << 32 | u64::from(last.0));
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_and_known_gates_are_not_created() {
        let leaves = Leaves {
            bases: 3,
            inputs: 0,
            variables: 0,
        };
        let mut gates = Gates::new(leaves);
        let [a, b, c] = [0, 1, 2].map(|number| leaves.base(number));
        assert_eq!(gates.and(&[a, !a, b]), Lit::FALSE);
        assert_eq!(gates.and(&[a, Lit::TRUE]), a);
        assert_eq!(gates.or(&[b, b]), b);
        assert_eq!(gates.or(&[]), Lit::FALSE);
        let both = gates.and(&[a, b, a]);
        assert_eq!(gates.and(&[b, a]), both);
        // De Morgan.
        assert_eq!(gates.or(&[!a, !b]), !both);
        let all = gates.and(&[c, b, a]);
        assert_eq!(gates.operands(all.node()), [a, b, c]);
        let counts = GateCounts {
            requested: 2 + 1 + 1 + 2 + 1 + 1 + 2,
            nontrivial: 1 + 1 + 1 + 2,
            created: 1 + 2,
        };
        assert_eq!(gates.counts(), counts);
    }
}
