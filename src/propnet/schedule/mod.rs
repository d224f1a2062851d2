//! Compiles a network to a straight-line program: instruction scheduling and register allocation.
//!
//! ```text
//! Network ─emit─▶ gates of two operands, over virtual registers ─fuse─▶ of two to four ─arrange─▶ runs of one kind ─allocate─▶ Circuit over slots
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
use crate::util::{Lists, join_if, map_if};

use self::guards::Guards;
use self::move_sets::MoveSets;
use super::sampling::FactFrequencies;

/// Programs with no more registers are compiled on one thread.
const SMALL: Register = 100_000;

/// Sets of moves are looked up if that saves so many gates for each set that a move belongs to on average. In searches, up to 64 states
/// are in the lanes, and a mark takes about as long as eight gates.
const GATES_PER_MARK: usize = 512;
/// The same in random games, with 512 states in the lanes.
const GATES_PER_RANDOM_MARK: usize = 3_000;

/// A virtual register. The first ones are the constants, the sink, the bases and the inputs, each of which has the slot of the
/// same number; every computed value has a register of its own.
type Register = u32;

/// A gate over virtual registers.
#[derive(Debug, Clone, Copy)]
struct Op {
    kind: GateKind,
    out: Register,
    /// [`NEVER`] after the last one.
    operands: [Register; 4],
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
        || {
            let with_sets = random_circuit(interface, network, GATES_PER_RANDOM_MARK);
            with_sets.unwrap_or_else(|| schedule(interface, network))
        },
        || search_circuit(interface, network, frequencies),
    );
    // What saves enough in random games does so in searches, which have no direct transition otherwise.
    debug_assert!(circuit.marks.is_empty() || of_search.is_some());
    Circuit {
        of_search: of_search.map(Box::new),
        ..circuit
    }
}

/// A circuit for random games with sets of moves, if these save so many gates for each mark; none for a network with loops.
pub(super) fn random_circuit(
    interface: &Interface,
    network: &Network,
    gates_per_mark: usize,
) -> Option<Circuit> {
    if !network.outputs.cycles.is_empty() {
        return None;
    }
    let emit = |sets| emit::emit_with_sets(network, sets);
    let program = with_sets(interface, network, gates_per_mark, emit)?;
    Some(compiled(interface, program))
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
    let emit = |sets| emit::emit_for_search(network, guards.as_ref(), Some(sets));
    let program = with_sets(interface, network, GATES_PER_MARK, emit)
        .or_else(|| emit::emit_for_search(network, Some(guards.as_ref()?), None))?;
    let circuit = compiled(interface, program);
    Some(Circuit {
        legal_guards: guards.map_or_else(Vec::new, |guards| guards.legal_guards),
        ..circuit
    })
}

/// What is emitted with sets of moves, if these save so many gates for each mark.
fn with_sets<'n>(
    interface: &Interface,
    network: &'n Network,
    gates_per_mark: usize,
    emit: impl FnOnce(MoveSets<'n>) -> Option<VirtualProgram>,
) -> Option<VirtualProgram> {
    let sets = MoveSets::new(interface, network, gates_per_mark)?;
    let gates = sets.gates();
    let program = emit(sets)?;
    let marks: usize = program.marks.iter().map(Vec::len).sum();
    let saves = gates * program.marks.len() >= gates_per_mark * marks;
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
    let list = |registers: &Vec<Register>| registers.iter().copied().map(slot).collect::<Vec<_>>();
    let marks = Lists::from_iter(program.marks.iter().map(list));
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
        marks: marks.into(),
        legal_guards: Vec::new(),
        of_search: None,
    }
}
