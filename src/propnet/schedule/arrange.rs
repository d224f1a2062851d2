//! Instruction scheduling: sorts gates into long runs of one kind, so that an executor dispatches once per run.
//!
//! Gates are sorted by depth (list scheduling), then by kind, within windows that keep values close to their use. Where that leaves
//! more runs than a processor foresees, windows are longer.

use super::{GuardedOps, Loop, Op, Register, VirtualSegment};
use crate::propnet::circuit::{Feedback, Gate, Segment, Slot};

/// How many gates are sorted at a time: few enough that their values are still in the cache when they are used.
const WINDOW: usize = 512;
/// A processor predicts about so many indirect branches, one for each run. A run that is not predicted takes longer by several gates.
const MOST_RUNS: usize = 1_000;

/// Sorts gates of one kind side by side; each stays after those whose outputs it reads.
pub(super) fn arrange(items: &mut [VirtualSegment], registers: Register) {
    let mut depths = Depths::new(registers);
    for item in &mut *items {
        match item {
            VirtualSegment::Loop(Loop { body, .. })
            | VirtualSegment::Guarded(GuardedOps { body, .. }) => {
                body.chunks_mut(WINDOW).for_each(|ops| depths.sort(ops));
            }
            VirtualSegment::Op(_) | VirtualSegment::Fill { .. } => {}
        }
    }
    let mut window = WINDOW;
    loop {
        let sorted = arrange_always_run(items, window, &mut depths);
        if sorted.runs <= MOST_RUNS || window >= sorted.longest {
            break;
        }
        window *= 4;
    }
}

/// Gates that are run whatever the slots hold, in some order.
#[derive(Default)]
struct SortedGates {
    /// How many runs of one kind there are.
    runs: usize,
    /// How many gates there are at most between loops and gates under guards.
    longest: usize,
}

/// Sorts the gates that are neither under guards nor in loops, so many at a time.
fn arrange_always_run(
    items: &mut [VirtualSegment],
    window: usize,
    depths: &mut Depths,
) -> SortedGates {
    let is_op = |item: &VirtualSegment| matches!(item, VirtualSegment::Op(_));
    let mut sorted = SortedGates::default();
    for chunk in items.chunk_by_mut(|one, other| is_op(one) && is_op(other)) {
        let mut ops: Vec<Op> = chunk.iter().filter_map(op).collect();
        ops.chunks_mut(window).for_each(|ops| depths.sort(ops));
        sorted.runs += ops.chunk_by(|one, next| one.kind == next.kind).count();
        sorted.longest = sorted.longest.max(ops.len());
        for (item, op) in chunk.iter_mut().zip(ops) {
            *item = VirtualSegment::Op(op);
        }
    }
    sorted
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

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::propnet::circuit::{GateKind, NEVER};

    #[test]
    fn gates_stay_after_their_operands_in_runs_that_a_processor_foresees() {
        const LEAVES: Register = 1_000;
        const GATES: Register = 60_000;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut gate = |out: Register| {
            let mut operand = || random.random_range(out.saturating_sub(5_000)..out);
            let operands = [operand(), operand(), NEVER, NEVER];
            let kind = GateKind::OF_TWO[random.random_range(0..6)];
            VirtualSegment::Op(Op {
                kind,
                out,
                operands,
            })
        };
        let registers = LEAVES + GATES;
        let mut items: Vec<VirtualSegment> = (LEAVES..registers).map(&mut gate).collect();
        let runs = |items: &[VirtualSegment]| {
            let kind = |item: &VirtualSegment| op(item).unwrap().kind;
            items.chunk_by(|one, next| kind(one) == kind(next)).count()
        };
        assert!(runs(&items) > 20 * MOST_RUNS);
        arrange(&mut items, registers);
        assert!(runs(&items) <= MOST_RUNS, "{}", runs(&items));
        let mut is_known = vec![false; registers as usize];
        is_known[..LEAVES as usize].fill(true);
        for op in items.iter().filter_map(op) {
            assert!(op.operands.iter().all(|&of| is_known[of as usize]));
            assert!(!std::mem::replace(&mut is_known[op.out as usize], true));
        }
        assert_eq!(items.len(), GATES as usize);
    }
}
