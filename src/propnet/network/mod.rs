//! A network of And gates with inverters on their wires.
//!
//! One kind of gate is enough: `a or b` is `not (not a and not b)`. Gates are stored once each (structural hashing), their
//! operands in order, so that two signals which are built alike *are* alike, and De Morgan's laws need no pass of their
//! own. Following the and-inverter graphs of circuit synthesis (Kuehlmann and Krohm 1997), with gates of any width.

mod gates;
mod rebuild;

use std::ops::Range;

pub use gates::{GateCounts, Gates, Leaf, Leaves, Lit, NodeId};
pub use rebuild::Operand;

/// Variables that depend on each other, and the signals they take: a least fix-point from all of them false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The variables.
    pub variables: Range<usize>,
    /// Per variable, its next value; monotone in the variables.
    pub values: Vec<Lit>,
}

/// What comes out of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outputs {
    /// Whether the game is over.
    pub terminal: Lit,
    /// Per input, whether the move is legal.
    pub legal: Vec<Lit>,
    /// Per role, each goal value and whether it holds; ascending.
    pub goals: Vec<Vec<(u8, Lit)>>,
    /// Per base, whether the fluent holds next.
    pub next: Vec<Lit>,
    /// The loops.
    pub cycles: Vec<Cycle>,
}

impl Outputs {
    /// Every signal that is wanted, what loops compute apart.
    pub fn each(&self) -> impl Iterator<Item = Lit> {
        let goals = self.goals.iter().flatten().map(|(_, lit)| lit);
        std::iter::once(&self.terminal)
            .chain(&self.legal)
            .chain(goals)
            .chain(&self.next)
            .copied()
    }

    /// The same signals under their numbers in another network, without the loops that `is_live` denies.
    fn renamed(&self, name: impl Fn(Lit) -> Lit, is_live: impl Fn(&Cycle) -> bool) -> Self {
        let all = |lits: &[Lit]| lits.iter().map(|&lit| name(lit)).collect();
        let values = |values: &Vec<(u8, Lit)>| {
            let named = values.iter().map(|&(value, lit)| (value, name(lit)));
            named.collect()
        };
        let cycles = self.cycles.iter().filter(|cycle| is_live(cycle));
        Self {
            terminal: name(self.terminal),
            legal: all(&self.legal),
            goals: self.goals.iter().map(values).collect(),
            next: all(&self.next),
            cycles: cycles
                .map(|cycle| Cycle {
                    variables: cycle.variables.clone(),
                    values: all(&cycle.values),
                })
                .collect(),
        }
    }
}

/// Gates, and which signals are wanted.
#[derive(Debug, Clone)]
pub struct Network {
    /// The gates.
    pub gates: Gates,
    /// What is wanted.
    pub outputs: Outputs,
}

impl Network {
    /// How often each node is used, by wanted gates and as an output; nothing that is not wanted is used.
    ///
    /// What a loop computes is wanted where one of its variables is.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.gates.nodes().len()];
        let mut reached: Vec<NodeId> = Vec::new();
        let mut use_one = |lit: Lit, reached: &mut Vec<NodeId>| {
            let count = &mut uses[lit.node() as usize];
            *count += 1;
            if *count == 1 {
                reached.push(lit.node());
            }
        };
        self.outputs
            .each()
            .for_each(|lit| use_one(lit, &mut reached));
        let mut is_live = vec![false; self.outputs.cycles.len()];
        while let Some(node) = reached.pop() {
            for &lit in self.gates.operands(node) {
                use_one(lit, &mut reached);
            }
            if let Some(cycle) = self.cycle_of(node)
                && !is_live[cycle]
            {
                is_live[cycle] = true;
                let values = &self.outputs.cycles[cycle].values;
                values.iter().for_each(|&lit| use_one(lit, &mut reached));
            }
        }
        uses
    }

    /// The loop whose variable a node is.
    pub fn cycle_of(&self, node: NodeId) -> Option<usize> {
        let Some(Leaf::Variable(number)) = self.gates.leaves().leaf(node) else {
            return None;
        };
        let cycles = &self.outputs.cycles;
        let cycle = cycles.partition_point(|cycle| cycle.variables.end <= number);
        (cycles.get(cycle)?.variables.contains(&number)).then_some(cycle)
    }

    /// How many gates of two operands it takes.
    pub fn size(&self) -> usize {
        let uses = self.uses();
        let wanted = self
            .gates
            .nodes()
            .filter(|&node| uses[node as usize] > 0 && self.gates.is_gate(node));
        wanted.map(|node| self.gates.operands(node).len() - 1).sum()
    }
}
