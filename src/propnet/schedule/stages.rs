//! Gates under guards, in an order in which few guards are looked at.
//!
//! Gates under the same guard are run together as far as they can be. Each gate has a *stage*: that of the latest gate that it reads,
//! and one more where that is under another guard. Within a stage, the guards may be looked at in any order.

use rustc_hash::FxHashMap;

use super::{GuardedOp, GuardedOps, Op, Register, VirtualSegment};
use crate::propnet::circuit::ALWAYS;

/// The stage of a gate, and its guard.
type StagePlace = (u32, Register);

/// Orders gates, each of which stands after those that it reads. A gate that reads what it writes adds to that.
pub(super) fn staged(ops: Vec<GuardedOp>) -> Vec<VirtualSegment> {
    if ops.iter().all(|op| op.guard == ALWAYS) {
        return ops
            .into_iter()
            .map(|of| VirtualSegment::Op(of.op))
            .collect();
    }
    let registers = ops.iter().map(|of| of.op.out + 1).max().unwrap_or(0);
    let mut stages = StageOrder::new(registers);
    let mut numbers: FxHashMap<StagePlace, usize> = FxHashMap::default();
    let mut groups: Vec<(StagePlace, Vec<Op>)> = Vec::new();
    for GuardedOp { guard, op } in ops {
        let place = (stages.place(&op, guard), guard);
        let number = *numbers.entry(place).or_insert(groups.len());
        if number == groups.len() {
            groups.push((place, Vec::new()));
        }
        groups[number].1.push(op);
    }
    groups.sort_unstable_by_key(|(place, _)| *place);
    let mut segments = Vec::new();
    for ((_, guard), body) in groups {
        match guard {
            ALWAYS => segments.extend(body.into_iter().map(VirtualSegment::Op)),
            _ => segments.push(VirtualSegment::Guarded(GuardedOps { guard, body })),
        }
    }
    segments
}

struct StageOrder {
    /// Per register, where it is written first.
    written: Vec<Option<StagePlace>>,
    /// The last stage in which something is added to a register.
    added: FxHashMap<Register, u32>,
}

impl StageOrder {
    fn new(registers: Register) -> Self {
        Self {
            written: vec![None; registers as usize],
            added: FxHashMap::default(),
        }
    }

    /// The stage of a gate under `guard`; notes it for those that read it.
    fn place(&mut self, op: &Op, guard: Register) -> u32 {
        let ready = op.operands.iter().map(|&operand| {
            let written = self.written.get(operand as usize).copied().flatten();
            let written = written.map_or(0, |(stage, of)| stage + u32::from(of != guard));
            let added = self.added.get(&operand).filter(|_| operand != op.out);
            written.max(added.map_or(0, |stage| stage + 1))
        });
        let stage = ready.max().unwrap_or(0);
        if op.operands.contains(&op.out) {
            let last = self.added.entry(op.out).or_default();
            *last = stage.max(*last);
        } else {
            self.written[op.out as usize] = Some((stage, guard));
        }
        stage
    }
}
