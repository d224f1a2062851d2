//! Code generation: gates of any width become trees of gates of two operands, in topological order.
//!
//! An and-inverter network has inverters on its edges; they are absorbed into the kinds of gates (NAND, NOR, AND-NOT …)
//! wherever possible.

use super::{Loop, Op, Register, VirtualProgram, VirtualSegment};
use crate::propnet::circuit::{ALWAYS, GateKind, NEVER, SINK};
use crate::propnet::network::{Lit, Network, NodeId};

/// The register of a base.
pub(super) fn base(number: usize) -> Register {
    SINK + 1 + number as Register
}

/// The program over virtual registers, in post-order of a depth-first search from the outputs.
pub(super) fn emit(network: &Network) -> VirtualProgram {
    let leaves = network.gates.leaves();
    let fixed = base(leaves.bases + leaves.inputs);
    let mut emitter = Emitter::new(network, fixed);
    let outputs = &network.outputs;
    let legal_code: Vec<Lit> = outputs
        .legal
        .iter()
        .copied()
        .chain([outputs.terminal])
        .collect();
    emitter.compute(&legal_code);
    let terminal = emitter.plain(outputs.terminal);
    let legal = outputs
        .legal
        .iter()
        .map(|&lit| emitter.plain(lit))
        .collect();
    let legal_code = emitter.finish();

    let after_legal_code = emitter.kept.clone();
    let goal_code: Vec<Lit> = outputs
        .goals
        .iter()
        .flatten()
        .map(|&(_, lit)| lit)
        .collect();
    emitter.compute(&goal_code);
    let goals = outputs.goals.iter();
    let goals = goals
        .map(|values| {
            values
                .iter()
                .map(|&(value, lit)| (value, emitter.plain(lit)))
                .collect()
        })
        .collect();
    let goal_code = emitter.finish();

    // The goal code does not always run, so the transition code may not use its values.
    emitter.kept = after_legal_code;
    emitter.compute(&outputs.next);
    let next = outputs.next.iter().map(|&lit| emitter.read(lit)).collect();
    let transition_code = emitter.finish();

    let mut alone = Emitter::new(network, emitter.registers);
    alone.compute(&outputs.next);
    let direct_next = outputs.next.iter().map(|&lit| alone.read(lit)).collect();
    let direct_transition_code = alone.finish();
    let uses = network.uses();
    let does = (0..leaves.inputs).map(|input| {
        let is_read = uses[leaves.does(input).node() as usize] > 0;
        if is_read {
            base(leaves.bases + input)
        } else {
            SINK
        }
    });
    VirtualProgram {
        fixed,
        registers: alone.registers,
        legal_code,
        goal_code,
        transition_code,
        terminal,
        legal,
        does: does.collect(),
        goals,
        next,
        direct_transition_code,
        direct_next,
    }
}

/// A vertex of the depth-first search: a gate, or all gates of a loop.
#[derive(Clone, Copy)]
enum Vertex {
    Gate(NodeId),
    Cycle(usize),
}

struct Emitter<'n> {
    network: &'n Network,
    /// Per node, the register that holds it, and whether that holds the complement.
    kept: Vec<Option<(Register, bool)>>,
    /// Per node that is an output before the transition, whether its complement is wanted.
    wanted: Vec<Option<bool>>,
    /// Per node, the loop whose body it belongs to.
    body_of: Vec<Option<usize>>,
    /// Per loop, its gates in order.
    bodies: Vec<Vec<NodeId>>,
    registers: Register,
    items: Vec<VirtualSegment>,
    ops: Vec<Op>,
}

impl<'n> Emitter<'n> {
    fn new(network: &'n Network, fixed: Register) -> Self {
        let nodes = network.gates.nodes().len();
        let leaves = network.gates.leaves();
        let mut kept = vec![None; nodes];
        kept[0] = Some((ALWAYS, false));
        for leaf in 0..leaves.bases + leaves.inputs {
            kept[1 + leaf] = Some((base(leaf), false));
        }
        let mut wanted = vec![None; nodes];
        let outputs = &network.outputs;
        let goals = outputs.goals.iter().flatten().map(|(_, lit)| lit);
        for lit in outputs.legal.iter().chain([&outputs.terminal]).chain(goals) {
            wanted[lit.node() as usize].get_or_insert(lit.is_negated());
        }
        let mut emitter = Self {
            network,
            kept,
            wanted,
            body_of: vec![None; nodes],
            bodies: Vec::new(),
            registers: fixed,
            items: Vec::new(),
            ops: Vec::new(),
        };
        for cycle in 0..outputs.cycles.len() {
            let body = emitter.body(cycle);
            body.iter()
                .for_each(|&node| emitter.body_of[node as usize] = Some(cycle));
            emitter.bodies.push(body);
        }
        emitter
    }

    /// The gates between the variables of a loop and their next values, operands first.
    fn body(&self, cycle: usize) -> Vec<NodeId> {
        let gates = &self.network.gates;
        let mut cone: Vec<NodeId> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut reached: Vec<NodeId> = self.network.outputs.cycles[cycle]
            .values
            .iter()
            .map(|lit| lit.node())
            .collect();
        while let Some(node) = reached.pop() {
            if gates.is_gate(node) && seen.insert(node) {
                cone.push(node);
                reached.extend(gates.operands(node).iter().map(|lit| lit.node()));
            }
        }
        cone.sort_unstable();
        let mut inside = rustc_hash::FxHashSet::default();
        cone.retain(|&node| {
            let mut operands = gates.operands(node).iter().map(|lit| lit.node());
            let depends = operands.any(|operand| {
                inside.contains(&operand) || self.network.cycle_of(operand) == Some(cycle)
            });
            depends && inside.insert(node)
        });
        cone
    }

    /// Emits all gates that `wanted` depends on.
    fn compute(&mut self, wanted: &[Lit]) {
        for lit in wanted {
            self.walk(lit.node());
        }
    }

    /// Ends a part of the program, and returns it.
    fn finish(&mut self) -> Vec<VirtualSegment> {
        self.flush();
        std::mem::take(&mut self.items)
    }

    fn flush(&mut self) {
        self.items
            .extend(self.ops.drain(..).map(VirtualSegment::Op));
    }

    fn walk(&mut self, node: NodeId) {
        let mut path: Vec<(Vertex, Vec<Vertex>)> = Vec::new();
        let vertex = self.vertex(node);
        path.extend(vertex.map(|vertex| (vertex, self.dependencies(vertex))));
        while let Some((vertex, open)) = path.last_mut() {
            let vertex = *vertex;
            match open.pop() {
                Some(next) => {
                    if !self.is_kept(next) {
                        let below = self.dependencies(next);
                        path.push((next, below));
                    }
                }
                None => {
                    path.pop();
                    if !self.is_kept(vertex) {
                        self.place(vertex);
                    }
                }
            }
        }
    }

    /// The vertex that computes a node, unless it has been emitted.
    fn vertex(&self, node: NodeId) -> Option<Vertex> {
        if self.kept[node as usize].is_some() {
            return None;
        }
        let cycle = self.body_of[node as usize].or_else(|| self.network.cycle_of(node));
        Some(cycle.map_or(Vertex::Gate(node), Vertex::Cycle))
    }

    fn is_kept(&self, vertex: Vertex) -> bool {
        match vertex {
            Vertex::Gate(node) => self.kept[node as usize].is_some(),
            Vertex::Cycle(cycle) => {
                let variables = &self.network.outputs.cycles[cycle].variables;
                let first = self.network.gates.leaves().variable(variables.start);
                self.kept[first.node() as usize].is_some()
            }
        }
    }

    fn dependencies(&self, vertex: Vertex) -> Vec<Vertex> {
        let gates = &self.network.gates;
        let operands = |node: &NodeId| {
            gates
                .operands(*node)
                .iter()
                .filter_map(|lit| self.vertex(lit.node()))
        };
        match vertex {
            Vertex::Gate(node) => operands(&node).collect(),
            Vertex::Cycle(cycle) => {
                let all = self.bodies[cycle].iter().flat_map(operands);
                let values = self.network.outputs.cycles[cycle].values.iter();
                let all = all.chain(values.filter_map(|lit| self.vertex(lit.node())));
                all.filter(|vertex| !matches!(vertex, Vertex::Cycle(same) if *same == cycle))
                    .collect()
            }
        }
    }

    fn place(&mut self, vertex: Vertex) {
        match vertex {
            Vertex::Gate(node) => self.gate(node),
            Vertex::Cycle(cycle) => self.cycle(cycle),
        }
    }

    fn cycle(&mut self, number: usize) {
        self.flush();
        let network = self.network;
        let cycle = &network.outputs.cycles[number];
        let variables: Vec<Register> = cycle.variables.clone().map(|_| self.register()).collect();
        for (variable, &register) in cycle.variables.clone().zip(&variables) {
            let node = network.gates.leaves().variable(variable).node();
            self.kept[node as usize] = Some((register, false));
        }
        for node in std::mem::take(&mut self.bodies[number]) {
            self.gate(node);
            self.bodies[number].push(node);
        }
        let values: Vec<Register> = cycle.values.iter().map(|&lit| self.plain(lit)).collect();
        let body = std::mem::take(&mut self.ops);
        let feedback = variables.into_iter().zip(values).collect();
        self.items
            .push(VirtualSegment::Loop(Loop { feedback, body }));
    }

    /// Emits a gate whose operands have been emitted.
    fn gate(&mut self, node: NodeId) {
        let network = self.network;
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        for &lit in network.gates.operands(node) {
            let (register, negated) = self.read(lit);
            if negated {
                &mut negative
            } else {
                &mut positive
            }
            .push(register);
        }
        // x and y and not z and not w  =  (x and y) and not (z or w)
        let wants_complement = self.wanted[node as usize];
        let (kind, negated, [a, b]) = if negative.is_empty() {
            let is_negated = wants_complement == Some(true);
            let kind = if is_negated {
                GateKind::NAND
            } else {
                GateKind::AND
            };
            (kind, is_negated, self.halves(GateKind::AND, positive))
        } else if positive.is_empty() {
            let is_negated = wants_complement != Some(false);
            let kind = if is_negated {
                GateKind::OR
            } else {
                GateKind::NOR
            };
            (kind, is_negated, self.halves(GateKind::OR, negative))
        } else {
            let a = self.all(GateKind::AND, positive);
            let b = self.all(GateKind::OR, negative);
            match wants_complement {
                Some(true) => (GateKind::OR_NOT, true, [b, a]),
                _ => (GateKind::AND_NOT, false, [a, b]),
            }
        };
        let out = self.op(kind, a, b);
        self.kept[node as usize] = Some((out, negated));
    }

    /// Joins `operands` by gates of `kind`, as a balanced tree.
    fn all(&mut self, kind: GateKind, operands: Vec<Register>) -> Register {
        match operands[..] {
            [one] => one,
            _ => {
                let [a, b] = self.halves(kind, operands);
                self.op(kind, a, b)
            }
        }
    }

    /// The operands of the last gate of such a tree over two or more `operands`; emits the other gates.
    fn halves(&mut self, kind: GateKind, mut operands: Vec<Register>) -> [Register; 2] {
        while operands.len() > 2 {
            let pairs: Vec<[Register; 2]> = operands
                .chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect();
            let odd = operands.chunks_exact(2).remainder().first().copied();
            // With three left, one pair is joined and the odd one stays.
            operands = pairs
                .into_iter()
                .map(|[a, b]| self.op(kind, a, b))
                .chain(odd)
                .collect();
        }
        [operands[0], operands[1]]
    }

    fn op(&mut self, kind: GateKind, a: Register, b: Register) -> Register {
        let out = self.register();
        self.ops.push(Op {
            kind,
            out,
            operands: [a, b, NEVER],
        });
        out
    }

    fn register(&mut self) -> Register {
        self.registers += 1;
        self.registers - 1
    }

    /// The register of a signal, and whether that holds the complement.
    fn read(&self, lit: Lit) -> (Register, bool) {
        let (register, negated) = self.kept[lit.node() as usize].unwrap_or((NEVER, false));
        match (register, negated != lit.is_negated()) {
            (ALWAYS, true) => (NEVER, false),
            read => read,
        }
    }

    /// A register that holds the signal itself; emits an inverter if there is none.
    fn plain(&mut self, lit: Lit) -> Register {
        match self.read(lit) {
            (register, false) => register,
            (register, true) => self.op(GateKind::NOR, register, register),
        }
    }
}
