//! Gate fusion: a gate whose output only one other gate reads is computed as part of that gate, which then has three
//! operands. This saves about a third of the loads and stores.

use super::{GuardedOps, Loop, Op, Register, SMALL, VirtualProgram, VirtualSegment};
use crate::util::map_if;

/// Fuses each gate with one of its operands where possible.
pub(super) fn fuse(program: &mut VirtualProgram) {
    let reads = reads(program);
    let is_large = program.registers > SMALL;
    let VirtualProgram {
        legal_code,
        goal_code,
        transition_code,
        direct_transition_code,
        ..
    } = program;
    let codes = vec![
        legal_code,
        goal_code,
        transition_code,
        direct_transition_code,
    ];
    map_if(is_large, codes, |items| {
        let mut fuser = Fuser::new(&reads);
        let mut fused = Vec::with_capacity(items.len());
        let mut ops = Vec::new();
        for item in items.drain(..) {
            match item {
                VirtualSegment::Op(op) => ops.push(op),
                mut other => {
                    fused.extend(fuser.fused(&mut ops).map(VirtualSegment::Op));
                    if let VirtualSegment::Loop(Loop { body, .. })
                    | VirtualSegment::Guarded(GuardedOps { body, .. }) = &mut other
                    {
                        *body = fuser.fused(body).collect();
                    }
                    fused.push(other);
                }
            }
        }
        fused.extend(fuser.fused(&mut ops).map(VirtualSegment::Op));
        *items = fused;
    });
}

/// How often each register is read.
fn reads(program: &VirtualProgram) -> Vec<u32> {
    let mut reads = vec![0; program.registers as usize];
    let mut read = |register: Register| reads[register as usize] += 1;
    for item in [
        &program.legal_code,
        &program.goal_code,
        &program.transition_code,
        &program.direct_transition_code,
    ]
    .into_iter()
    .flatten()
    {
        let ops = match item {
            VirtualSegment::Op(op) => std::slice::from_ref(op),
            VirtualSegment::Loop(inner) => {
                inner.feedback.iter().for_each(|&(_, value)| read(value));
                &inner.body
            }
            VirtualSegment::Guarded(inner) => &inner.body,
            VirtualSegment::Fill { .. } => &[],
        };
        ops.iter().flat_map(|op| op.operands).for_each(&mut read);
    }
    let signals = program.next.iter().chain(&program.direct_next);
    let goals = program.goals.iter().flatten().map(|(_, register)| register);
    let outputs = signals.map(|(register, _)| register).chain(goals);
    let outputs = outputs.chain(&program.legal).chain([&program.terminal]);
    outputs.copied().for_each(read);
    reads
}

struct Fuser<'r> {
    /// How often each register is read.
    reads: &'r [u32],
    /// Per register, the gate of two operands that computes it, of those that are being fused.
    place_of: Vec<Option<u32>>,
}

impl<'r> Fuser<'r> {
    fn new(reads: &'r [u32]) -> Self {
        Self {
            reads,
            place_of: vec![None; reads.len()],
        }
    }

    /// Fuses some gates, which are in topological order, greedily from the leaves upwards: skipping a possible fusion never
    /// pays later. Gates that were fused into others are left out.
    fn fused<'o>(&mut self, ops: &'o mut Vec<Op>) -> impl Iterator<Item = Op> + use<'o> {
        let mut is_gone = vec![false; ops.len()];
        for at in 0..ops.len() {
            let op = ops[at];
            let place = |side: usize| {
                let operand = op.operands[side] as usize;
                self.place_of[operand].filter(|_| self.reads[operand] == 1)
            };
            let inner = (0..2).find_map(|side| Some((side, place(side)?)));
            match inner {
                Some((side, place)) => {
                    ops[at] = op.around(side, &ops[place as usize]);
                    is_gone[place as usize] = true;
                }
                // Only gates of two operands can be fused into others.
                None => self.place_of[op.out as usize] = Some(at as u32),
            }
        }
        for op in &*ops {
            self.place_of[op.out as usize] = None;
        }
        let ops = ops.drain(..).zip(is_gone);
        ops.filter(|(_, is_gone)| !is_gone).map(|(op, _)| op)
    }
}

impl Op {
    /// This gate with `inner`, which computes its operand on one `side`, fused into it.
    fn around(&self, side: usize, inner: &Self) -> Self {
        let [b, c, _] = inner.operands;
        let operands = [self.operands[1 - side], b, c];
        let (kind, order) = self.kind.around(side, inner.kind).sorted();
        Self {
            kind,
            out: self.out,
            operands: order.map(|old| operands[old]),
        }
    }
}
