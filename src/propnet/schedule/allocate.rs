//! Slots for registers: a slot is used again as soon as nobody reads what it holds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Draft, Item, Register};
use crate::propnet::circuit::{SINK, Slot};

/// Where every register is kept.
pub(super) struct Slots {
    pub(super) of: Vec<Slot>,
    pub(super) count: usize,
}

/// Places the registers of `draft`.
pub(super) fn allocate(draft: &Draft) -> Slots {
    let lives = Lives::of(draft);
    let fixed = |register| {
        if register < draft.fixed {
            register
        } else {
            SINK
        }
    };
    let mut of: Vec<Slot> = (0..draft.registers).map(fixed).collect();
    let mut count = draft.fixed;
    let mut busy: BinaryHeap<Reverse<(usize, Slot)>> = BinaryHeap::new();
    let mut free: Vec<Slot> = Vec::new();
    for &(register, birth) in &lives.births {
        // What is read for the last time by the gate at hand may be overwritten by it.
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
            lives.deaths[register as usize].max(birth + 1),
            slot,
        )));
    }
    Slots {
        of,
        count: count as usize,
    }
}

/// When registers are written first and read last.
struct Lives {
    /// In the order of time.
    births: Vec<(Register, usize)>,
    /// Per register.
    deaths: Vec<usize>,
    now: usize,
}

impl Lives {
    fn of(draft: &Draft) -> Self {
        let mut lives = Self {
            births: Vec::new(),
            deaths: vec![0; draft.registers as usize],
            now: 0,
        };
        lives.pass(&draft.look);
        lives.pass(&draft.judge);
        // Whether goals were asked for or not: up to here the end and the legal moves can be read.
        lives.read(draft.legal.iter().chain([&draft.terminal]));
        lives.read(draft.goals.iter().flatten().map(|(_, register)| register));
        lives.pass(&draft.step);
        lives.read(draft.next.iter().map(|(register, _)| register));
        lives.pass(&draft.leap);
        lives.read(draft.after_leap.iter().map(|(register, _)| register));
        lives
    }

    fn read<'r>(&mut self, registers: impl IntoIterator<Item = &'r Register>) {
        for &register in registers {
            self.deaths[register as usize] = self.now;
        }
    }

    fn write(&mut self, register: Register) {
        self.births.push((register, self.now));
    }

    fn pass(&mut self, items: &[Item]) {
        for item in items {
            self.now += 1;
            match item {
                Item::Op(op) => {
                    self.read(&op.operands);
                    self.write(op.out);
                }
                Item::Loop(inner) => {
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
                    // The body runs again and again: what it found when it began must be there each time.
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
