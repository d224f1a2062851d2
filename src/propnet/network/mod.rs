//! And-inverter networks: AND gates of any width, with inverters on their edges.
//!
//! One kind of gate is enough: `a or b` is `not (not a and not b)`. Each gate is stored once (structural hashing), with its
//! operands sorted, so equal expressions are one node (common subexpression elimination), and De Morgan's laws need no pass
//! of their own. These are the and-inverter graphs of logic synthesis (Kuehlmann and Krohm 1997), with gates of any width.

mod gates;
mod rebuild;

use std::ops::Range;

pub use gates::{GateCounts, Gates, Leaf, Leaves, Lit, NodeId};
pub use rebuild::Operand;

/// A loop: variables that depend on each other, with the least fixed point as their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The variables.
    pub variables: Range<usize>,
    /// Per variable, its next value; monotone in the variables.
    pub values: Vec<Lit>,
}

/// The outputs of a network.
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
    /// All output signals, those of loops excepted.
    pub fn each(&self) -> impl Iterator<Item = Lit> {
        let goals = self.goals.iter().flatten().map(|(_, lit)| lit);
        std::iter::once(&self.terminal)
            .chain(&self.legal)
            .chain(goals)
            .chain(&self.next)
            .copied()
    }

    /// The same outputs with signals renamed, without dead loops.
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

/// Gates and outputs.
#[derive(Debug, Clone)]
pub struct Network {
    /// The gates.
    pub gates: Gates,
    /// The outputs.
    pub outputs: Outputs,
}

impl Network {
    /// How often each node is used, by live gates and as an output; 0 for dead nodes.
    ///
    /// The values of a loop are live if one of its variables is.
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

    /// The number of live gates, counted as gates of two operands.
    pub fn size(&self) -> usize {
        let uses = self.uses();
        let wanted = self
            .gates
            .nodes()
            .filter(|&node| uses[node as usize] > 0 && self.gates.is_gate(node));
        wanted.map(|node| self.gates.operands(node).len() - 1).sum()
    }
}
