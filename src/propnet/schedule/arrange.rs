//! Instruction scheduling: sorts gates into long runs of one kind, so that an executor dispatches once per run.
//!
//! Gates are sorted by depth (list scheduling), then by kind, within windows that keep values close to their use.

use super::{GuardedOps, Loop, Op, Register, VirtualSegment};
use crate::propnet::circuit::{Feedback, Gate, Segment, Slot};

/// How many gates are sorted at a time: few enough that their values are still in the cache when they are used.
const WINDOW: usize = 512;

/// Sorts gates of one kind side by side; each stays after those whose outputs it reads.
pub(super) fn arrange(items: &mut [VirtualSegment], registers: Register) {
    let mut depths = Depths::new(registers);
    let is_op = |item: &VirtualSegment| matches!(item, VirtualSegment::Op(_));
    for chunk in items.chunk_by_mut(|one, other| is_op(one) && is_op(other)) {
        match chunk {
            [VirtualSegment::Loop(Loop { body, .. })]
            | [VirtualSegment::Guarded(GuardedOps { body, .. })] => {
                body.chunks_mut(WINDOW).for_each(|ops| depths.sort(ops));
            }
            [VirtualSegment::Fill { .. }] => {}
            _ => {
                let mut ops: Vec<Op> = chunk.iter().filter_map(op).collect();
                ops.chunks_mut(WINDOW).for_each(|ops| depths.sort(ops));
                for (item, op) in chunk.iter_mut().zip(ops) {
                    *item = VirtualSegment::Op(op);
                }
            }
        }
    }
}

fn op(item: &VirtualSegment) -> Option<Op> {
    match item {
        VirtualSegment::Op(op) => Some(*op),
        _ => None,
    }
}

/// The depth of each register within the window.
struct Depths {
    /// Per register, its depth and one more; 0 for those of other windows.
    of: Vec<u32>,
}

impl Depths {
    fn new(registers: Register) -> Self {
        Self {
            of: vec![0; registers as usize],
        }
    }

    fn sort(&mut self, ops: &mut [Op]) {
        for op in &*ops {
            let below = op
                .operands
                .iter()
                .map(|&register| self.of[register as usize]);
            self.of[op.out as usize] = below.max().unwrap_or(0) + 1;
        }
        // The order of kinds alternates from depth to depth, so that one depth ends with the kind that the next begins with.
        ops.sort_by_key(|op| {
            let depth = self.of[op.out as usize] - 1;
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
        for op in &*ops {
            self.of[op.out as usize] = 0;
        }
    }
}

/// The code over slots.
pub(super) fn segments(
    code: &[VirtualSegment],
    slot: impl Fn(Register) -> Slot + Copy,
) -> Vec<Segment> {
    let mut segments = Vec::new();
    for segment in code {
        match segment {
            VirtualSegment::Op(op) => add(&mut segments, op, slot),
            VirtualSegment::Loop(inner) => {
                let mut body = Vec::new();
                inner.body.iter().for_each(|op| add(&mut body, op, slot));
                let feedback = inner.feedback.iter().map(|&(variable, value)| Feedback {
                    variable: slot(variable),
                    value: slot(value),
                });
                let feedback = feedback.collect();
                segments.push(Segment::Loop { feedback, body });
            }
            VirtualSegment::Guarded(inner) => {
                let mut body = Vec::new();
                inner.body.iter().for_each(|op| add(&mut body, op, slot));
                let guard = slot(inner.guard);
                segments.push(Segment::Guarded { guard, body });
            }
            VirtualSegment::Fill { registers, value } => {
                let mut slots: Vec<Slot> = registers.iter().copied().map(slot).collect();
                slots.sort_unstable();
                let runs = slots.chunk_by(|one, next| one + 1 == *next);
                let fill = |run: &[Slot]| Segment::Fill {
                    slots: run[0]..run[run.len() - 1] + 1,
                    value: *value,
                };
                segments.extend(runs.map(fill));
            }
        }
    }
    segments
}

fn add(segments: &mut Vec<Segment>, op: &Op, slot: impl Fn(Register) -> Slot) {
    let gate = Gate {
        out: slot(op.out),
        operands: op.operands.map(slot),
    };
    match segments.last_mut() {
        Some(Segment::Gates { kind, gates }) if *kind == op.kind => gates.push(gate),
        _ => segments.push(Segment::Gates {
            kind: op.kind,
            gates: vec![gate],
        }),
    }
}
