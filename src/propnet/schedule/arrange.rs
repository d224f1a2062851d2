//! Long runs of gates of one kind, so that whoever runs them decides seldom what to do.

use super::{Item, Op, Register};
use crate::propnet::circuit::{Feedback, Gate, Slot, Step};

/// So many gates are arranged at a time: few enough that what they compute is used while it is near.
const WINDOW: usize = 512;

/// Puts gates of a kind side by side, each still after what it reads.
pub(super) fn arrange(items: &mut [Item]) {
    let mut depths = Depths::default();
    let is_op = |item: &Item| matches!(item, Item::Op(_));
    for chunk in items.chunk_by_mut(|one, other| is_op(one) && is_op(other)) {
        match chunk {
            [Item::Loop(inner)] => inner
                .body
                .chunks_mut(WINDOW)
                .for_each(|ops| depths.sort(ops)),
            _ => {
                let mut ops: Vec<Op> = chunk.iter().filter_map(op).collect();
                ops.chunks_mut(WINDOW).for_each(|ops| depths.sort(ops));
                for (item, op) in chunk.iter_mut().zip(ops) {
                    *item = Item::Op(op);
                }
            }
        }
    }
}

fn op(item: &Item) -> Option<Op> {
    match item {
        Item::Op(op) => Some(*op),
        Item::Loop(_) => None,
    }
}

/// How many gates of the window lie below each register.
#[derive(Default)]
struct Depths(rustc_hash::FxHashMap<Register, u32>);

impl Depths {
    fn sort(&mut self, ops: &mut [Op]) {
        self.0.clear();
        for op in &*ops {
            let below = op.operands.iter();
            let below = below.filter_map(|register| self.0.get(register));
            let depth = below.max().map_or(0, |depth| depth + 1);
            self.0.insert(op.out, depth);
        }
        // Kinds run forwards and backwards by turns, so that one depth ends with the kind that the next begins with.
        ops.sort_by_key(|op| {
            let depth = self.0[&op.out];
            let kind = u32::from(op.kind.table());
            (
                depth,
                if depth.is_multiple_of(2) {
                    kind
                } else {
                    u32::MAX - kind
                },
            )
        });
    }
}

/// The program over slots.
pub(super) fn runs(items: &[Item], slot: impl Fn(Register) -> Slot + Copy) -> Vec<Step> {
    let mut steps = Vec::new();
    for item in items {
        match item {
            Item::Op(op) => add(&mut steps, op, slot),
            Item::Loop(inner) => {
                let mut body = Vec::new();
                inner.body.iter().for_each(|op| add(&mut body, op, slot));
                let feedback = inner.feedback.iter().map(|&(variable, value)| Feedback {
                    variable: slot(variable),
                    value: slot(value),
                });
                let feedback = feedback.collect();
                steps.push(Step::Loop { feedback, body });
            }
        }
    }
    steps
}

fn add(steps: &mut Vec<Step>, op: &Op, slot: impl Fn(Register) -> Slot) {
    let gate = Gate {
        out: slot(op.out),
        operands: op.operands.map(slot),
    };
    match steps.last_mut() {
        Some(Step::Run { kind, gates }) if *kind == op.kind => gates.push(gate),
        _ => steps.push(Step::Run {
            kind: op.kind,
            gates: vec![gate],
        }),
    }
}
