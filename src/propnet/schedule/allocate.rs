//! Register allocation: linear scan (Poletto and Sarkar 1999) of virtual registers to slots.
//!
//! The program is straight-line code, so a live range is an interval, and there are always enough slots: a slot is reused as
//! soon as its value is dead, and none is ever spilled.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Register, VirtualProgram, VirtualSegment};
use crate::propnet::circuit::{SINK, Slot};

/// The slot of every virtual register, and how many slots there are.
pub(super) struct Allocation {
    pub(super) of: Vec<Slot>,
    pub(super) count: usize,
}

/// Allocates slots to the registers of `program`.
pub(super) fn allocate(program: &VirtualProgram) -> Allocation {
    let ranges = LiveRanges::of(program);
    let fixed = |register| {
        if register < program.fixed {
            register
        } else {
            SINK
        }
    };
    let mut of: Vec<Slot> = (0..program.registers).map(fixed).collect();
    let mut count = program.fixed;
    let mut busy: BinaryHeap<Reverse<(usize, Slot)>> = BinaryHeap::new();
    let mut free: Vec<Slot> = Vec::new();
    for &(register, birth) in &ranges.births {
        // A gate may overwrite an operand that it is the last to read.
        while let Some(&Reverse((death, slot))) = busy.peek()
            && death <= birth
        {
            free.push(slot);
            busy.pop();
        }
        let slot = free.pop().unwrap_or_else(|| {
            count += 1;
            count - 1
        });
        of[register as usize] = slot;
        busy.push(Reverse((
            ranges.deaths[register as usize].max(birth + 1),
            slot,
        )));
    }
    Allocation {
        of,
        count: count as usize,
    }
}

/// Live ranges: when registers are written first and read last.
struct LiveRanges {
    /// Registers and when they are written first, in order of time.
    births: Vec<(Register, usize)>,
    /// Per register.
    is_born: Vec<bool>,
    deaths: Vec<usize>,
    now: usize,
}

impl LiveRanges {
    fn of(program: &VirtualProgram) -> Self {
        let mut ranges = Self {
            births: Vec::new(),
            is_born: vec![false; program.registers as usize],
            deaths: vec![0; program.registers as usize],
            now: 0,
        };
        ranges.pass(&program.legal_code);
        ranges.pass(&program.goal_code);
        // The end and the legal moves can be read up to here, whether the goals were computed or not.
        ranges.read(program.legal.iter().chain([&program.terminal]));
        ranges.read(program.goals.iter().flatten().map(|(_, register)| register));
        ranges.pass(&program.transition_code);
        ranges.read(program.next.iter().map(|(register, _)| register));
        ranges.pass(&program.direct_transition_code);
        ranges.read(program.direct_next.iter().map(|(register, _)| register));
        ranges
    }

    fn read<'r>(&mut self, registers: impl IntoIterator<Item = &'r Register>) {
        for &register in registers {
            self.deaths[register as usize] = self.now;
        }
    }

    fn write(&mut self, register: Register) {
        if !std::mem::replace(&mut self.is_born[register as usize], true) {
            self.births.push((register, self.now));
        }
    }

    fn pass(&mut self, items: &[VirtualSegment]) {
        for item in items {
            self.now += 1;
            match item {
                VirtualSegment::Op(op) => {
                    self.read(&op.operands);
                    self.write(op.out);
                }
                VirtualSegment::Guarded(inner) => {
                    for op in &inner.body {
                        self.now += 1;
                        self.read(&op.operands);
                        self.write(op.out);
                    }
                }
                VirtualSegment::Fill { registers, .. } => {
                    registers.iter().for_each(|&register| self.write(register));
                }
                VirtualSegment::Loop(inner) => {
                    inner
                        .feedback
                        .iter()
                        .for_each(|&(variable, _)| self.write(variable));
                    let begin = self.now;
                    for op in &inner.body {
                        self.now += 1;
                        self.read(&op.operands);
                        self.write(op.out);
                    }
                    self.now += 1;
                    self.read(
                        inner
                            .feedback
                            .iter()
                            .flat_map(|(variable, value)| [variable, value]),
                    );
                    // The body runs repeatedly: what it reads from outside must stay alive to its end.
                    let born = self.births.partition_point(|&(_, birth)| birth < begin);
                    let own: rustc_hash::FxHashSet<Register> = self.births[born..]
                        .iter()
                        .map(|&(register, _)| register)
                        .collect();
                    let operands = inner.body.iter().flat_map(|op| &op.operands);
                    let outer: Vec<Register> = operands
                        .filter(|register| !own.contains(register))
                        .copied()
                        .collect();
                    self.read(&outer);
                }
            }
        }
        self.now += 1;
    }
}
