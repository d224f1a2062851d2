//! From a network to a straight-line program: which gate when, and where its output is kept.
//!
//! ```text
//! Network ─emit─▶ gates of two operands, over registers ─fuse─▶ of two or three ─arrange─▶ runs of one kind ─allocate─▶ Circuit over slots
//! ```

mod allocate;
mod arrange;
mod emit;
mod fuse;

use super::build::Interface;
#[cfg(doc)]
use super::circuit::NEVER;
use super::circuit::{Circuit, Input, Kind, Signal};
use super::network::Network;

/// A value's name while there are as many as one likes: first come the constants, the sink, the bases and the inputs,
/// which stay where they are, then everything that is computed.
type Register = u32;

/// A gate over registers.
#[derive(Debug, Clone, Copy)]
struct Op {
    kind: Kind,
    out: Register,
    /// The third is [`NEVER`] where there are two.
    operands: [Register; 3],
}

/// A part of a program over registers.
#[derive(Debug, Clone)]
enum Item {
    Op(Op),
    Loop(Loop),
}

/// A fix-point over registers.
#[derive(Debug, Clone)]
struct Loop {
    /// Each variable and where its next value is.
    feedback: Vec<(Register, Register)>,
    body: Vec<Op>,
}

/// The program over registers.
struct Draft {
    /// As many registers have a slot of the same number for good.
    fixed: Register,
    registers: Register,
    look: Vec<Item>,
    judge: Vec<Item>,
    step: Vec<Item>,
    terminal: Register,
    legal: Vec<Register>,
    does: Vec<Register>,
    goals: Vec<Vec<(u8, Register)>>,
    next: Vec<(Register, bool)>,
    leap: Vec<Item>,
    after_leap: Vec<(Register, bool)>,
}

/// The program that computes what `network` does.
pub fn schedule(interface: &Interface, network: &Network) -> Circuit {
    let mut draft = emit::emit(network);
    fuse::fuse(&mut draft);
    let Draft {
        look,
        judge,
        step,
        leap,
        ..
    } = &mut draft;
    for items in [look, judge, step, leap] {
        arrange::arrange(items);
    }
    let slots = allocate::allocate(&draft);
    let slot = |register: Register| slots.of[register as usize];
    let inputs = draft.legal.iter().zip(&draft.does);
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
        look: arrange::runs(&draft.look, slot),
        terminal: slot(draft.terminal),
        judge: arrange::runs(&draft.judge, slot),
        goals: draft.goals.iter().map(values).collect(),
        step: arrange::runs(&draft.step, slot),
        next: signals(&draft.next),
        leap: arrange::runs(&draft.leap, slot),
        after_leap: signals(&draft.after_leap),
    }
}
