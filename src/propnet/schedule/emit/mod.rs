//! Code generation: gates of any width become trees of gates of two operands, in topological order.
//!
//! An and-inverter network has inverters on its edges; they are absorbed into the kinds of gates (NAND, NOR, AND-NOT …)
//! wherever possible.

mod gate;

use super::guards::Guards;
use super::move_sets::MoveSets;
use super::stages::staged;
use super::{GuardedOp, Loop, Register, VirtualProgram, VirtualSegment};
use crate::propnet::circuit::{ALWAYS, NEVER, SINK};
use crate::propnet::network::{Lit, Network, NodeId};

/// The register of a base.
pub(super) fn base(number: usize) -> Register {
    SINK + 1 + number as Register
}

/// The program over virtual registers, in post-order of a depth-first search from the outputs.
pub(super) fn emit(network: &Network) -> VirtualProgram {
    let mut emitter = Emitter::new(network, None, None, fixed(network));
    let decisions = emitter.decisions();
    // The goal code does not always run, so the transition code may not use its values.
    emitter.kept.clone_from(&decisions.kept);
    let transition = emitter.transition();
    let mut alone = Emitter::new(network, None, None, emitter.registers);
    let direct = alone.transition();
    program(network, decisions, [transition, direct], alone.registers)
}

/// The same with sets of moves in place of moves, and without a direct transition. None, if there are more sets than moves.
pub(super) fn emit_with_sets(network: &Network, sets: MoveSets<'_>) -> Option<VirtualProgram> {
    let mut emitter = Emitter::new(network, None, None, fixed(network));
    let decisions = emitter.decisions();
    emitter.kept.clone_from(&decisions.kept);
    emitter.sets = Some(sets);
    let transition = emitter.transition();
    let marks = emitter.sets.as_ref()?.marks()?;
    let transitions = [transition, Transition::default()];
    let program = program(network, decisions, transitions, emitter.registers);
    Some(VirtualProgram { marks, ..program })
}

/// The same for searches: with gates under guards, with sets of moves in place of moves, and with no other transition than the direct
/// one. None, if there are more sets than moves.
pub(super) fn emit_for_search(
    network: &Network,
    guards: Option<&Guards>,
    sets: Option<MoveSets<'_>>,
) -> Option<VirtualProgram> {
    let mut emitter = Emitter::new(network, guards, None, fixed(network));
    let decisions = emitter.decisions();
    // The transition may not use the values of gates that do not always run.
    let mut alone = Emitter::new(network, None, sets, emitter.registers);
    let direct = alone.transition();
    let marks = match alone.sets {
        Some(sets) => sets.marks()?,
        None => Vec::new(),
    };
    let transitions = [Transition::default(), direct];
    let program = program(network, decisions, transitions, alone.registers);
    Some(VirtualProgram { marks, ..program })
}

/// The registers that have the slot of the same number.
fn fixed(network: &Network) -> Register {
    let leaves = network.gates.leaves();
    base(leaves.bases + leaves.inputs)
}

/// What may be done in a state, and what it is worth.
struct Decisions {
    legal_code: Vec<VirtualSegment>,
    terminal: Register,
    legal: Vec<Register>,
    /// Per node, where it is after `legal_code`.
    kept: Vec<Option<(Register, bool)>>,
    goal_code: Vec<VirtualSegment>,
    goals: Vec<Vec<(u8, Register)>>,
}

/// The signals of the next state, and the code that computes them.
type Transition = (Vec<(Register, bool)>, Vec<VirtualSegment>);

fn program(
    network: &Network,
    decisions: Decisions,
    [transition, direct]: [Transition; 2],
    registers: Register,
) -> VirtualProgram {
    let leaves = network.gates.leaves();
    let uses = network.uses();
    let does = (0..leaves.inputs).map(|input| {
        let is_read = uses[leaves.does(input).node() as usize] > 0;
        if is_read {
            base(leaves.bases + input)
        } else {
            SINK
        }
    });
    let Decisions {
        legal_code,
        terminal,
        legal,
        goal_code,
        goals,
        ..
    } = decisions;
    let (next, transition_code) = transition;
    let (direct_next, direct_transition_code) = direct;
    VirtualProgram {
        fixed: fixed(network),
        registers,
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
        marks: Vec::new(),
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
    ops: Vec<GuardedOp>,
    guards: Option<&'n Guards>,
    sets: Option<MoveSets<'n>>,
    /// The guard of the gates that are emitted; [`ALWAYS`] without one.
    guard: Register,
    /// Registers that hold false, and those that hold true, unless they are written under a guard.
    preset: [Vec<Register>; 2],
}

impl<'n> Emitter<'n> {
    fn new(
        network: &'n Network,
        guards: Option<&'n Guards>,
        sets: Option<MoveSets<'n>>,
        fixed: Register,
    ) -> Self {
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
            guards,
            sets,
            guard: ALWAYS,
            preset: Default::default(),
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

    /// Emits what computes the end, the legal moves and the goals.
    fn decisions(&mut self) -> Decisions {
        let outputs = &self.network.outputs;
        self.compute(outputs.legal.iter().chain([&outputs.terminal]));
        let terminal = self.plain(outputs.terminal);
        let legal = outputs.legal.iter().map(|&lit| self.plain(lit)).collect();
        let legal_code = self.finish();
        let kept = self.kept.clone();
        self.compute(outputs.goals.iter().flatten().map(|(_, lit)| lit));
        let mut goals = Vec::with_capacity(outputs.goals.len());
        for of_role in &outputs.goals {
            let values = of_role.iter().map(|&(value, lit)| (value, self.plain(lit)));
            goals.push(values.collect());
        }
        Decisions {
            legal_code,
            terminal,
            legal,
            kept,
            goal_code: self.finish(),
            goals,
        }
    }

    /// Emits what computes the next state.
    fn transition(&mut self) -> Transition {
        let next = &self.network.outputs.next;
        self.compute(next);
        for lit in next {
            if self.role(lit.node()).is_some() {
                let (register, negated) = self.set(&[*lit]);
                self.kept[lit.node() as usize] = Some((register, negated != lit.is_negated()));
            }
        }
        let next = next.iter().map(|&lit| self.read(lit)).collect();
        (next, self.finish())
    }

    /// Emits all gates that `wanted` depends on.
    fn compute<'l>(&mut self, wanted: impl IntoIterator<Item = &'l Lit>) {
        for lit in wanted {
            self.walk(lit.node());
        }
    }

    /// The role whose moves alone a node is over, where those are sets.
    fn role(&self, node: NodeId) -> Option<usize> {
        self.sets.as_ref()?.role(node)
    }

    /// The register of a conjunction over the moves of one role, and whether it holds the complement.
    fn set(&mut self, lits: &[Lit]) -> (Register, bool) {
        match &mut self.sets {
            Some(sets) => sets.register(lits),
            None => (NEVER, false),
        }
    }

    /// Ends a part of the program, and returns it.
    fn finish(&mut self) -> Vec<VirtualSegment> {
        self.flush();
        std::mem::take(&mut self.items)
    }

    fn flush(&mut self) {
        let preset = self.preset.each_mut().map(std::mem::take);
        for (registers, value) in preset.into_iter().zip([false, true]) {
            if !registers.is_empty() {
                self.items.push(VirtualSegment::Fill { registers, value });
            }
        }
        self.items.extend(staged(std::mem::take(&mut self.ops)));
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
        if self.kept[node as usize].is_some() || self.role(node).is_some() {
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
            Vertex::Gate(node) => {
                let mut below = Vec::new();
                for lit in gates.operands(node) {
                    // Disjuncts are emitted where they are added.
                    match self.placement(lit.node()).is_disjunct() {
                        true => below.extend(operands(&lit.node())),
                        false => below.extend(self.vertex(lit.node())),
                    }
                }
                below
            }
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
        let body = std::mem::take(&mut self.ops).into_iter();
        let body = body.map(|of| of.op).collect();
        let feedback = variables.into_iter().zip(values).collect();
        self.items
            .push(VirtualSegment::Loop(Loop { feedback, body }));
    }
}
