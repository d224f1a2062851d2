//! Gate fusion: a gate whose output only one other gate reads is computed as part of that gate, which then has up to four
//! operands. This saves a third to a half of the loads and stores.

use rustc_hash::FxHashMap;

use super::{GuardedOps, Loop, Op, Register, SMALL, VirtualProgram, VirtualSegment};
use crate::propnet::circuit::{GateKind, NEVER};
use crate::util::map_if;

/// The most operands of a gate.
const MOST_OPERANDS: usize = 4;

/// Fuses gates with their operands where possible.
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
    /// Per register, the gate that computes it, of those that are being fused.
    place_of: Vec<Option<u32>>,
    compositions: FxHashMap<(GateKind, usize, GateKind), Option<Composition>>,
}

/// The kind of a gate with another one in it, and which of the operands are its first, its second, and so on: see
/// [`GateKind::around`] and [`GateKind::sorted`].
type Composition = (GateKind, [usize; MOST_OPERANDS]);

impl<'r> Fuser<'r> {
    fn new(reads: &'r [u32]) -> Self {
        Self {
            reads,
            place_of: vec![None; reads.len()],
            compositions: FxHashMap::default(),
        }
    }

    /// Fuses some gates, which are in topological order, greedily from the leaves upwards. Gates that were fused into others are
    /// left out.
    fn fused<'o>(&mut self, ops: &'o mut Vec<Op>) -> impl Iterator<Item = Op> + use<'o> {
        let mut is_gone = vec![false; ops.len()];
        for at in 0..ops.len() {
            while let Some((place, fused)) = self.with_an_operand(&ops[at], ops) {
                ops[at] = fused;
                is_gone[place] = true;
            }
            self.place_of[ops[at].out as usize] = Some(at as u32);
        }
        for op in &*ops {
            self.place_of[op.out as usize] = None;
        }
        let ops = ops.drain(..).zip(is_gone);
        ops.filter(|(_, is_gone)| !is_gone).map(|(op, _)| op)
    }

    /// A gate with one of its operands fused into it, and the place of that; `None` if no operand can be.
    fn with_an_operand(&mut self, op: &Op, ops: &[Op]) -> Option<(usize, Op)> {
        (0..op.kind.operands()).find_map(|at| {
            let operand = op.operands[at] as usize;
            let place = self.place_of[operand].filter(|_| self.reads[operand] == 1)? as usize;
            let (kind, order) = self.composition(op.kind, at, ops[place].kind)?;
            Some((place, op.around(at, &ops[place], kind, order)))
        })
    }

    /// The kind of a gate that has another one as operand `at`, unless executors do not know it.
    fn composition(&mut self, outer: GateKind, at: usize, inner: GateKind) -> Option<Composition> {
        if outer.operands() + inner.operands() > MOST_OPERANDS + 1 {
            return None;
        }
        let composition = || {
            let (kind, order) = outer.around(at, inner).sorted();
            kind.is_known().then_some((kind, order))
        };
        *(self.compositions)
            .entry((outer, at, inner))
            .or_insert_with(composition)
    }
}

impl Op {
    /// This gate with `inner`, which computes operand `at`, fused into it: a gate of this kind with the operands in this order.
    fn around(
        &self,
        at: usize,
        inner: &Self,
        kind: GateKind,
        order: [usize; MOST_OPERANDS],
    ) -> Self {
        let own = self.operands.iter().take(self.kind.operands());
        let others = own.enumerate().filter(|&(place, _)| place != at);
        let others = others.map(|(_, register)| register);
        let mut all = [NEVER; MOST_OPERANDS];
        for (place, register) in all.iter_mut().zip(others.chain(&inner.operands)) {
            *place = *register;
        }
        Self {
            kind,
            out: self.out,
            operands: order.map(|old| all[old]),
        }
    }
}
