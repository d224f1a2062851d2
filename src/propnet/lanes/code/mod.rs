//! Straight-line code: a circuit's segments packed into streams of slot numbers, and the loops that execute them.

mod gates;

use std::ops::Range;

use pulp::NullaryFnOnce;

use crate::propnet::circuit::{Feedback, Gate, GateKind, NEVER, SINK, Segment, Slot};
use crate::propnet::lanes::code::gates::{run_four, run_three, run_two};
use crate::propnet::lanes::memory::{SlotArray, SlotIndex};

/// Runs code; compiled once per instruction set and dispatched at run time.
pub(super) struct RunCode<'r, P: SlotIndex, const W: usize> {
    pub(super) code: &'r Code<P>,
    pub(super) slots: &'r mut P::Array<W>,
}

impl<P: SlotIndex, const W: usize> NullaryFnOnce for RunCode<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.code.run::<W>(self.slots);
    }
}

/// Segments that run one after the other.
#[derive(Debug)]
pub(super) struct Code<P> {
    segments: Vec<PackedSegment<P>>,
}

#[derive(Debug)]
enum PackedSegment<P> {
    /// Gates of one kind with two operands: output, operands.
    Two { kind: GateKind, gates: Vec<[P; 3]> },
    /// The same with three.
    Three { kind: GateKind, gates: Vec<[P; 4]> },
    /// The same with four.
    Four { kind: GateKind, gates: Vec<[P; 5]> },
    Loop {
        feedback: Vec<[P; 2]>,
        body: Code<P>,
    },
    /// So many of the next segments are left out if the slot is clear in all lanes.
    Guard { slot: P, segments: usize },
    /// See [`Segment::Fill`].
    Fill { slots: Range<Slot>, value: bool },
}

impl<P: SlotIndex> Code<P> {
    pub(super) fn new(code: &[Segment]) -> Self {
        let mut segments = Vec::with_capacity(code.len());
        for segment in code {
            match segment {
                Segment::Gates { kind, gates } => segments.push(match kind.operands() {
                    2 => PackedSegment::Two {
                        kind: *kind,
                        gates: packed(gates),
                    },
                    3 => PackedSegment::Three {
                        kind: *kind,
                        gates: packed(gates),
                    },
                    _ => PackedSegment::Four {
                        kind: *kind,
                        gates: packed(gates),
                    },
                }),
                Segment::Loop { feedback, body } => {
                    let pack = |f: &Feedback| [f.variable, f.value].map(P::pack);
                    segments.push(PackedSegment::Loop {
                        feedback: feedback.iter().map(pack).collect(),
                        body: Self::new(body),
                    });
                }
                Segment::Guarded { guard, body } => {
                    let body = Self::new(body).segments;
                    segments.push(PackedSegment::Guard {
                        slot: P::pack(*guard),
                        segments: body.len(),
                    });
                    segments.extend(body);
                }
                Segment::Fill { slots, value } => segments.push(PackedSegment::Fill {
                    slots: slots.clone(),
                    value: *value,
                }),
            }
        }
        Self { segments }
    }

    /// Runs the code once, for all lanes.
    #[inline(always)]
    pub(super) fn run<const W: usize>(&self, slots: &mut P::Array<W>) {
        let mut at = 0;
        while at < self.segments.len() {
            match &self.segments[at] {
                PackedSegment::Two { kind, gates } => run_two(*kind, gates, slots),
                PackedSegment::Three { kind, gates } => run_three(*kind, gates, slots),
                PackedSegment::Four { kind, gates } => run_four(*kind, gates, slots),
                PackedSegment::Loop { feedback, body } => body.repeat(feedback, slots),
                PackedSegment::Guard { slot, segments } => {
                    if *slots.at(*slot) == [0; W] {
                        at += segments;
                    }
                }
                PackedSegment::Fill { slots: of, value } => {
                    slots.fill(of.clone(), if *value { [!0; W] } else { [0; W] });
                }
            }
            at += 1;
        }
    }

    /// Whether there is nothing to run.
    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// How many gates there are.
    pub(super) fn len(&self) -> usize {
        let gates = self.segments.iter().map(|segment| match segment {
            PackedSegment::Two { gates, .. } => gates.len(),
            PackedSegment::Three { gates, .. } => gates.len(),
            PackedSegment::Four { gates, .. } => gates.len(),
            PackedSegment::Loop { body, .. } => body.len(),
            PackedSegment::Guard { .. } | PackedSegment::Fill { .. } => 0,
        });
        gates.sum()
    }

    /// Tells all gates in order, with their outputs and operands, of which the third is [`NEVER`] where there are two; those of
    /// four operands as two gates, the first of which leaves its output in [`SINK`]. False if that is not all that the code does:
    /// if there are guards, or a loop, whose gates are left out.
    pub(super) fn each_gate(&self, tell: &mut impl FnMut(GateKind, P, [P; 3])) -> bool {
        let mut is_straight = true;
        for segment in &self.segments {
            match segment {
                PackedSegment::Two { kind, gates } => gates
                    .iter()
                    .for_each(|&[out, a, b]| tell(*kind, out, [a, b, P::pack(NEVER)])),
                PackedSegment::Three { kind, gates } => gates
                    .iter()
                    .for_each(|&[out, a, b, c]| tell(*kind, out, [a, b, c])),
                PackedSegment::Four { kind, gates } => {
                    let Some((outer, inner, order)) = kind.split() else {
                        is_straight = false;
                        continue;
                    };
                    for &[out, ref operands @ ..] in gates {
                        let [a, b, c, d] = order.map(|at| operands[at]);
                        let between = P::pack(SINK);
                        tell(inner, between, [a, b, P::pack(NEVER)]);
                        tell(outer, out, [between, c, d]);
                    }
                }
                PackedSegment::Loop { .. }
                | PackedSegment::Guard { .. }
                | PackedSegment::Fill { .. } => is_straight = false,
            }
        }
        is_straight
    }

    /// Iterates to the fixed point. Not inlined into [`Code::run`], as an iteration is long enough for a call.
    fn repeat<const W: usize>(&self, feedback: &[[P; 2]], slots: &mut P::Array<W>) {
        for [variable, _] in feedback {
            *slots.at_mut(*variable) = [0; W];
        }
        loop {
            self.run(slots);
            let mut changed = [0; W];
            for [variable, value] in feedback {
                let value = *slots.at(*value);
                let variable = slots.at_mut(*variable);
                for ((changed, old), new) in changed.iter_mut().zip(variable).zip(value) {
                    *changed |= *old ^ new;
                    *old = new;
                }
            }
            if changed == [0; W] {
                return;
            }
        }
    }
}

/// A gate's output and its operands.
fn packed<P: SlotIndex, const N: usize>(gates: &[Gate]) -> Vec<[P; N]> {
    let slots = |gate: &Gate| {
        let [a, b, c, d] = gate.operands;
        [gate.out, a, b, c, d]
    };
    let packed = |gate: &Gate| {
        let slots = slots(gate);
        std::array::from_fn(|at| P::pack(slots[at]))
    };
    gates.iter().map(packed).collect()
}
