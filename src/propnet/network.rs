//! A network of And gates with inverters on their wires.
//!
//! One kind of gate is enough: `a or b` is `not (not a and not b)`. Gates are stored once each (structural hashing), their
//! operands in order, so that two signals which are built alike *are* alike, and De Morgan's laws need no pass of their
//! own. Following the and-inverter graphs of circuit synthesis (Kuehlmann and Krohm 1997), with gates of any width.

use std::hash::BuildHasher;
use std::ops::{Not, Range};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// The number of a gate or of something that goes into the network.
pub type NodeId = u32;

/// A node's signal, or its complement.
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

    /// Whose signal it is.
    pub fn node(self) -> NodeId {
        self.0 >> 1
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

/// What goes into a network, in the order of its nodes: node 0 is true, then come the bases, then the inputs (moves
/// made), then the variables of loops, then gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaves {
    /// How many fluents.
    pub bases: usize,
    /// How many moves.
    pub inputs: usize,
    /// How many variables of loops.
    pub variables: usize,
}

/// What a node that is no gate stands for.
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

    /// What a node stands for; `None` for gates and for node 0.
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

/// The gates of a network, operands before users.
#[derive(Debug, Clone)]
pub struct Gates {
    leaves: Leaves,
    /// Per gate, where its operands begin; one more at the end.
    starts: Vec<usize>,
    operands: Vec<Lit>,
    known: HashTable<NodeId>,
    work: Vec<Lit>,
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
        }
    }

    /// What goes in.
    pub fn leaves(&self) -> Leaves {
        self.leaves
    }

    /// The nodes there are, leaves included.
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
        self.operands.extend_from_slice(lits);
        self.starts.push(self.operands.len());
        next
    }
}

fn hash_of(lits: &[Lit]) -> u64 {
    FxBuildHasher.hash_one(lits)
}

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

    /// A network with the same outputs, in which `remake` made every wanted gate anew, operands first.
    ///
    /// `remake` sees the operands as they are in the new network. An And that only one And uses has been merged into it.
    pub fn rebuild(&self, remake: impl FnMut(&mut Gates, &[Operand]) -> Lit) -> Self {
        self.rebuild_from(|_| None, remake)
    }

    /// The same network with some leaves replaced by constants.
    pub fn with_leaves(&self, constant: impl Fn(NodeId) -> Option<Lit>) -> Self {
        self.rebuild_from(constant, conjunction)
    }

    fn rebuild_from(
        &self,
        constant: impl Fn(NodeId) -> Option<Lit>,
        mut remake: impl FnMut(&mut Gates, &[Operand]) -> Lit,
    ) -> Self {
        let uses = self.uses();
        let mut gates = Gates::new(self.gates.leaves());
        let mut made = vec![Lit::FALSE; self.gates.nodes().len()];
        let mut sharing = Sharing::default();
        let mut operands = Vec::new();
        for node in self.gates.nodes() {
            if !self.gates.is_gate(node) {
                made[node as usize] = constant(node).unwrap_or(Lit::new(node, false));
                continue;
            }
            if uses[node as usize] == 0 {
                continue;
            }
            operands.clear();
            for &lit in self.gates.operands(node) {
                let lit = made[lit.node() as usize].negate_if(lit.is_negated());
                merge(&gates, &sharing, lit, &mut operands);
            }
            let lit = remake(&mut gates, &operands);
            sharing.note(lit, uses[node as usize]);
            made[node as usize] = lit;
        }
        self.remade(gates, &uses, |node| made[node as usize])
    }

    /// A network of other gates, in which `made` is what became of each used node; loops that nobody uses are left out.
    pub(super) fn remade(&self, gates: Gates, uses: &[u32], made: impl Fn(NodeId) -> Lit) -> Self {
        let leaves = gates.leaves();
        let is_used = |number: usize| uses[leaves.variable(number).node() as usize] > 0;
        let outputs = self.outputs.renamed(
            |lit| made(lit.node()).negate_if(lit.is_negated()),
            |cycle| cycle.variables.clone().any(is_used),
        );
        Self { gates, outputs }
    }

    /// The same network without what is not wanted, and with every And merged into the only And that uses it.
    pub fn merged(&self) -> Self {
        self.rebuild(conjunction)
    }
}

fn conjunction(gates: &mut Gates, operands: &[Operand]) -> Lit {
    let lits: Vec<Lit> = operands.iter().map(|operand| operand.lit).collect();
    gates.and(&lits)
}

/// An operand of a gate that is made anew.
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    /// The signal in the new network.
    pub lit: Lit,
    /// Whether it is a gate's, and nobody else uses it as far as is known.
    pub is_own: bool,
}

/// How often the gates of a network in the making will be used.
#[derive(Default)]
struct Sharing(Vec<u32>);

impl Sharing {
    fn note(&mut self, lit: Lit, uses: u32) {
        let node = lit.node() as usize;
        if self.0.len() <= node {
            self.0.resize(node + 1, 0);
        }
        self.0[node] += uses;
    }

    fn is_shared(&self, node: NodeId) -> bool {
        self.0.get(node as usize).is_some_and(|&uses| uses > 1)
    }
}

fn merge(gates: &Gates, sharing: &Sharing, lit: Lit, into: &mut Vec<Operand>) {
    let is_own = gates.is_gate(lit.node()) && !sharing.is_shared(lit.node());
    if is_own && !lit.is_negated() {
        for &lit in gates.operands(lit.node()) {
            let is_own = gates.is_gate(lit.node()) && !sharing.is_shared(lit.node());
            into.push(Operand { lit, is_own });
        }
    } else {
        into.push(Operand { lit, is_own });
    }
}
