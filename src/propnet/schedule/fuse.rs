//! Gates of three operands: what a gate computes for one other gate alone is computed there, and need not be put down in
//! between. A third fewer slots are read and written so.

use rustc_hash::FxHashMap;

use super::{Draft, Item, Op, Register};

/// Lets gates take in one of those that they read, as far as possible.
pub(super) fn fuse(draft: &mut Draft) {
    let reads = reads(draft);
    let Draft {
        look,
        judge,
        step,
        leap,
        ..
    } = draft;
    for items in [look, judge, step, leap] {
        let mut fused = Vec::with_capacity(items.len());
        let mut ops = Vec::new();
        for item in items.drain(..) {
            match item {
                Item::Op(op) => ops.push(op),
                Item::Loop(mut inner) => {
                    fused.extend(fused_ops(&mut ops, &reads).map(Item::Op));
                    inner.body = fused_ops(&mut inner.body, &reads).collect();
                    fused.push(Item::Loop(inner));
                }
            }
        }
        fused.extend(fused_ops(&mut ops, &reads).map(Item::Op));
        *items = fused;
    }
}

/// How often each register is read.
fn reads(draft: &Draft) -> Vec<u32> {
    let mut reads = vec![0; draft.registers as usize];
    let mut read = |register: Register| reads[register as usize] += 1;
    for item in [&draft.look, &draft.judge, &draft.step, &draft.leap]
        .into_iter()
        .flatten()
    {
        let ops = match item {
            Item::Op(op) => std::slice::from_ref(op),
            Item::Loop(inner) => {
                inner.feedback.iter().for_each(|&(_, value)| read(value));
                &inner.body
            }
        };
        ops.iter().flat_map(|op| op.operands).for_each(&mut read);
    }
    let signals = draft.next.iter().chain(&draft.after_leap);
    let goals = draft.goals.iter().flatten().map(|(_, register)| register);
    let outputs = signals.map(|(register, _)| register).chain(goals);
    let outputs = outputs.chain(&draft.legal).chain([&draft.terminal]);
    outputs.copied().for_each(read);
    reads
}

/// The operations, each after those it reads, with as few as can be. One that was taken in is gone; from the leaves
/// upwards, it never pays to leave one for later.
fn fused_ops<'o>(ops: &'o mut Vec<Op>, reads: &[u32]) -> impl Iterator<Item = Op> + 'o {
    let mut place_of: FxHashMap<Register, usize> = FxHashMap::default();
    let mut is_gone = vec![false; ops.len()];
    for at in 0..ops.len() {
        let op = ops[at];
        let place = |side: usize| {
            let operand = op.operands[side];
            let place = place_of.get(&operand).copied();
            place.filter(|_| reads[operand as usize] == 1)
        };
        let inner = (0..2).find_map(|side| Some((side, place(side)?)));
        match inner {
            Some((side, place)) => {
                ops[at] = op.around(side, &ops[place]);
                is_gone[place] = true;
            }
            // Only gates of two operands are taken in.
            None => {
                place_of.insert(op.out, at);
            }
        }
    }
    let ops = ops.drain(..).zip(is_gone);
    ops.filter(|(_, is_gone)| !is_gone).map(|(op, _)| op)
}

impl Op {
    /// This operation, with its operand on one `side` computed on the way.
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
