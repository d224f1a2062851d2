//! Compiles a network to a straight-line program: instruction scheduling and register allocation.
//!
//! ```text
//! Network ─emit─▶ gates of two operands, over virtual registers ─fuse─▶ of two or three ─arrange─▶ runs of one kind ─allocate─▶ Circuit over slots
//! ```

mod allocate;
mod arrange;
mod emit;
mod fuse;

use super::build::Interface;
#[cfg(doc)]
use super::circuit::NEVER;
use super::circuit::{Circuit, GateKind, Input, Signal};
use super::network::Network;
use crate::util::map_if;

/// Programs with no more registers are compiled on one thread.
const SMALL: Register = 100_000;

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

/// A part of a program over virtual registers.
#[derive(Debug, Clone)]
enum VirtualSegment {
    Op(Op),
    Loop(Loop),
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
}

/// Compiles `network`.
pub fn schedule(interface: &Interface, network: &Network) -> Circuit {
    let mut program = emit::emit(network);
    fuse::fuse(&mut program);
    let is_large = program.registers > SMALL;
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
    map_if(is_large, codes, |code| arrange::arrange(code));
    let slots = allocate::allocate(&program);
    let slot = |register: Register| slots.of[register as usize];
    let inputs = program.legal.iter().zip(&program.does);
    let values = |values: &Vec<(u8, Register)>| {
        let placed = values
            .iter()
            .map(|&(value, register)| (value, slot(register)));
        placed.collect()
    };
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
    }
}
