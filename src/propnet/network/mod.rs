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
        let outputs = self.outputs.each();
        outputs.for_each(|lit| uses[lit.node() as usize] += 1);
        // Gates stand after their operands, so that one pass from the last to the first gate counts all uses outside of loops.
        for node in (self.gates.leaves().end()..self.gates.nodes().end).rev() {
            if uses[node as usize] > 0 {
                for lit in self.gates.operands(node) {
                    uses[lit.node() as usize] += 1;
                }
            }
        }
        self.count_uses_of_loops(&mut uses);
        uses
    }

    /// Adds the uses by the values of live loops, and by what only those need.
    fn count_uses_of_loops(&self, uses: &mut [u32]) {
        let (leaves, cycles) = (self.gates.leaves(), &self.outputs.cycles);
        let variables = cycles.iter().flat_map(|cycle| cycle.variables.clone());
        let nodes = variables.map(|number| leaves.variable(number).node());
        let mut reached: Vec<NodeId> = nodes.filter(|&node| uses[node as usize] > 0).collect();
        let mut is_live = vec![false; cycles.len()];
        while let Some(node) = reached.pop() {
            let values = match self.cycle_of(node) {
                Some(cycle) if !std::mem::replace(&mut is_live[cycle], true) => {
                    &cycles[cycle].values[..]
                }
                Some(_) => &[],
                None => self.gates.operands(node),
            };
            for lit in values {
                let count = &mut uses[lit.node() as usize];
                *count += 1;
                if *count == 1 {
                    reached.push(lit.node());
                }
            }
        }
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
