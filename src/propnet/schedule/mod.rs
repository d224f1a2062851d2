//! Compiles a network to a straight-line program: instruction scheduling and register allocation.
//!
//! ```text
//! Network ─emit─▶ gates of two operands, over virtual registers ─fuse─▶ of two or three ─arrange─▶ runs of one kind ─allocate─▶ Circuit over slots
//! ```

mod allocate;
mod arrange;
mod emit;
mod fuse;
mod guards;
mod move_sets;
mod stages;

#[cfg(test)]
mod tests;

use super::build::Interface;
#[cfg(doc)]
use super::circuit::NEVER;
use super::circuit::{Circuit, GateKind, Input, Signal};
use super::network::Network;
use crate::util::{join_if, map_if};

use self::guards::Guards;
use self::move_sets::MoveSets;
use super::sampling::FactFrequencies;

/// Programs with no more registers are compiled on one thread.
const SMALL: Register = 100_000;

/// Sets of moves are looked up if that saves so many gates for each set that a move belongs to on average: up to 64 states are in the
/// lanes, and a mark takes about as long as eight gates.
const GATES_PER_MARK: usize = 512;

/// A virtual register. The first ones are the constants, the sink, the bases and the inputs, each of which has the slot of the
/// same number; every computed value has a register of its own.
type Register = u32;

/// A gate over virtual registers.
#[derive(Debug, Clone, Copy)]
struct Op {
    kind: GateKind,
    out: Register,
    /// The third is [`NEVER`] where there are two.
    operands: [Register; 3],
}

/// A gate, and the register that must be set in some lane if it is to be run; [`ALWAYS`](super::circuit::ALWAYS) for any lanes.
#[derive(Debug, Clone, Copy)]
struct GuardedOp {
    guard: Register,
    op: Op,
}

/// A part of a program over virtual registers.
#[derive(Debug, Clone)]
enum VirtualSegment {
    Op(Op),
    Loop(Loop),
    Guarded(GuardedOps),
    /// Registers that get a value before gates under guards write them.
    Fill {
        registers: Vec<Register>,
        value: bool,
    },
}

/// Gates that are run if a register is set in some lane.
#[derive(Debug, Clone)]
struct GuardedOps {
    guard: Register,
    body: Vec<Op>,
}

/// A least fixed point over virtual registers.
#[derive(Debug, Clone)]
struct Loop {
    /// Each variable, and the register of its next value.
    feedback: Vec<(Register, Register)>,
    body: Vec<Op>,
}

/// The program over virtual registers; the fields are those of [`Circuit`].
struct VirtualProgram {
    /// How many registers have the slot of the same number.
    fixed: Register,
    registers: Register,
    legal_code: Vec<VirtualSegment>,
    goal_code: Vec<VirtualSegment>,
    transition_code: Vec<VirtualSegment>,
    terminal: Register,
    legal: Vec<Register>,
    does: Vec<Register>,
    goals: Vec<Vec<(u8, Register)>>,
    next: Vec<(Register, bool)>,
    direct_transition_code: Vec<VirtualSegment>,
    direct_next: Vec<(Register, bool)>,
    marks: Vec<Vec<Register>>,
}

/// Compiles `network`.
pub fn schedule(interface: &Interface, network: &Network) -> Circuit {
    compiled(interface, emit::emit(network))
}

/// Compiles `network`, and once more for searches (see [`Circuit::of_search`]) where that is worth it, given how often facts hold.
pub fn schedule_for_search(
    interface: &Interface,
    network: &Network,
    frequencies: &FactFrequencies,
) -> Circuit {
    let (circuit, of_search) = join_if(
        network.size() > SMALL as usize,
        || schedule(interface, network),
        || search_circuit(interface, network, frequencies),
    );
    Circuit {
        of_search: of_search.map(Box::new),
        ..circuit
    }
}

/// A circuit with guards, or sets of moves, or both; none for a network with loops.
fn search_circuit(
    interface: &Interface,
    network: &Network,
    frequencies: &FactFrequencies,
) -> Option<Circuit> {
    if !network.outputs.cycles.is_empty() {
        return None;
    }
    let guards = Guards::new(interface, network, frequencies);
    let program = with_sets(interface, network, guards.as_ref())
        .or_else(|| emit::emit_for_search(network, Some(guards.as_ref()?), None))?;
    let circuit = compiled(interface, program);
    Some(Circuit {
        legal_guards: guards.map_or_else(Vec::new, |guards| guards.legal_guards),
        ..circuit
    })
}

/// A program with sets of moves, if these save enough.
fn with_sets(
    interface: &Interface,
    network: &Network,
    guards: Option<&Guards>,
) -> Option<VirtualProgram> {
    let sets = MoveSets::new(interface, network, GATES_PER_MARK)?;
    let gates = sets.gates();
    let program = emit::emit_for_search(network, guards, Some(sets))?;
    let marks: usize = program.marks.iter().map(Vec::len).sum();
    let saves = gates * program.marks.len() >= GATES_PER_MARK * marks;
    saves.then_some(program)
}

fn compiled(interface: &Interface, mut program: VirtualProgram) -> Circuit {
    fuse::fuse(&mut program);
    let registers = program.registers;
    let is_large = registers > SMALL;
    let VirtualProgram {
        legal_code,
        goal_code,
        transition_code,
        direct_transition_code,
        ..
    } = &mut program;
    let codes = vec![
        legal_code,
        goal_code,
        transition_code,
        direct_transition_code,
    ];
    map_if(is_large, codes, |code| arrange::arrange(code, registers));
    let slots = allocate::allocate(&program);
    let slot = |register: Register| slots.of[register as usize];
    let inputs = program.legal.iter().zip(&program.does);
    let values = |values: &Vec<(u8, Register)>| {
        let placed = values
            .iter()
            .map(|&(value, register)| (value, slot(register)));
        placed.collect()
    };
    let list = |registers: &Vec<Register>| registers.iter().copied().map(slot).collect();
    let signal = |&(register, negated): &(Register, bool)| Signal {
        slot: slot(register),
        negated,
    };
    let signals = |outputs: &[(Register, bool)]| outputs.iter().map(signal).collect();
    Circuit {
        slots: slots.count,
        bases: (0..interface.fluents.len())
            .map(|base| slot(emit::base(base)))
            .collect(),
        initial: interface.initial.clone(),
        inputs: inputs
            .map(|(&legal, &does)| Input {
                legal: slot(legal),
                does: slot(does),
            })
            .collect(),
        roles: interface.roles.clone(),
        legal_code: arrange::segments(&program.legal_code, slot),
        terminal: slot(program.terminal),
        goal_code: arrange::segments(&program.goal_code, slot),
        goals: program.goals.iter().map(values).collect(),
        transition_code: arrange::segments(&program.transition_code, slot),
        next: signals(&program.next),
        direct_transition_code: arrange::segments(&program.direct_transition_code, slot),
        direct_next: signals(&program.direct_next),
        marks: program.marks.iter().map(list).collect(),
        legal_guards: Vec::new(),
        of_search: None,
    }
}
