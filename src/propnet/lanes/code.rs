//! Straight-line code: a circuit's steps packed into a stream of slot numbers.

use pulp::NullaryFnOnce;

use crate::propnet::circuit::{Feedback, Gate, Kind, Step};
use crate::propnet::lanes::memory::{Place, Slots, Vector};

/// Code to be run, compiled for the processor at hand.
pub(super) struct Run<'r, P: Place, const W: usize> {
    pub(super) code: &'r Code<P>,
    pub(super) slots: &'r mut P::Slots<W>,
}

impl<P: Place, const W: usize> NullaryFnOnce for Run<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.code.run::<W>(self.slots);
    }
}

/// Steps to be run one after the other.
#[derive(Debug)]
pub(super) struct Code<P> {
    parts: Vec<Part<P>>,
}

#[derive(Debug)]
enum Part<P> {
    /// Gates of one kind with two operands: output, operands.
    Two { kind: Kind, gates: Vec<[P; 3]> },
    /// The same with three.
    Three { kind: Kind, gates: Vec<[P; 4]> },
    Loop {
        feedback: Vec<[P; 2]>,
        body: Code<P>,
    },
}

impl<P: Place> Code<P> {
    pub(super) fn new(steps: &[Step]) -> Self {
        let parts = steps.iter().map(|step| match step {
            Step::Run { kind, gates } if kind.operands() == 2 => Part::Two {
                kind: *kind,
                gates: gates.iter().map(two).collect(),
            },
            Step::Run { kind, gates } => Part::Three {
                kind: *kind,
                gates: gates.iter().map(three).collect(),
            },
            Step::Loop { feedback, body } => {
                let pack = |f: &Feedback| [f.variable, f.value].map(P::pack);
                Part::Loop {
                    feedback: feedback.iter().map(pack).collect(),
                    body: Self::new(body),
                }
            }
        });
        Self {
            parts: parts.collect(),
        }
    }

    /// Runs it once, for all lanes.
    #[inline(always)]
    pub(super) fn run<const W: usize>(&self, slots: &mut P::Slots<W>) {
        for part in &self.parts {
            match part {
                Part::Two { kind, gates } => run_two(*kind, gates, slots),
                Part::Three { kind, gates } => run_three(*kind, gates, slots),
                Part::Loop { feedback, body } => body.repeat(feedback, slots),
            }
        }
    }

    /// Kept out of [`Code::run`], which is compiled into its callers; a loop's pass is long enough for a call.
    fn repeat<const W: usize>(&self, feedback: &[[P; 2]], slots: &mut P::Slots<W>) {
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

fn two<P: Place>(gate: &Gate) -> [P; 3] {
    let [a, b, _] = gate.operands;
    [gate.out, a, b].map(P::pack)
}

fn three<P: Place>(gate: &Gate) -> [P; 4] {
    let [a, b, c] = gate.operands;
    [gate.out, a, b, c].map(P::pack)
}

#[inline(always)]
fn run_two<P: Place, const W: usize>(kind: Kind, gates: &[[P; 3]], slots: &mut P::Slots<W>) {
    match kind {
        Kind::AND => each_two(gates, slots, |a, b| a & b),
        Kind::AND_NOT => each_two(gates, slots, |a, b| a & !b),
        Kind::OR => each_two(gates, slots, |a, b| a | b),
        Kind::OR_NOT => each_two(gates, slots, |a, b| a | !b),
        Kind::NAND => each_two(gates, slots, |a, b| !(a & b)),
        Kind::NOR => each_two(gates, slots, |a, b| !(a | b)),
        _ => unreachable!("gates of two operands are of six kinds"),
    }
}

/// All that becomes of a gate of two operands with another in it, up to their order: see [`Kind::sorted`].
#[inline(always)]
fn run_three<P: Place, const W: usize>(kind: Kind, gates: &[[P; 4]], slots: &mut P::Slots<W>) {
    match kind.table() {
        0x01 => each_three(gates, slots, |a, b, c| !(a | b | c)),
        0x02 => each_three(gates, slots, |a, b, c| a & !(b | c)),
        0x07 => each_three(gates, slots, |a, b, c| !(c | a & b)),
        0x08 => each_three(gates, slots, |a, b, c| a & b & !c),
        0x0b => each_three(gates, slots, |a, b, c| (a | !b) & !c),
        0x0e => each_three(gates, slots, |a, b, c| (a | b) & !c),
        0x1f => each_three(gates, slots, |a, b, c| !(c & (a | b))),
        0x2a => each_three(gates, slots, |a, b, c| a & !(b & c)),
        0x2f => each_three(gates, slots, |a, b, c| a & !b | !c),
        0x7f => each_three(gates, slots, |a, b, c| !(a & b & c)),
        0x80 => each_three(gates, slots, |a, b, c| a & b & c),
        0x8a => each_three(gates, slots, |a, b, c| a & (b | !c)),
        0x8f => each_three(gates, slots, |a, b, c| a & b | !c),
        0xa8 => each_three(gates, slots, |a, b, c| a & (b | c)),
        0xab => each_three(gates, slots, |a, b, c| a | !(b | c)),
        0xae => each_three(gates, slots, |a, b, c| a | b & !c),
        0xbf => each_three(gates, slots, |a, b, c| a | !(b & c)),
        0xea => each_three(gates, slots, |a, b, c| a | b & c),
        0xef => each_three(gates, slots, |a, b, c| a | b | !c),
        0xfe => each_three(gates, slots, |a, b, c| a | b | c),
        _ => unreachable!("a gate in a gate is of twenty kinds"),
    }
}

#[inline(always)]
fn each_two<P: Place, const W: usize>(
    gates: &[[P; 3]],
    slots: &mut P::Slots<W>,
    gate: impl Fn(u64, u64) -> u64,
) {
    for [out, a, b] in gates {
        let (a, b): (Vector<W>, Vector<W>) = (*slots.at(*a), *slots.at(*b));
        let mut value = [0; W];
        for w in 0..W {
            value[w] = gate(a[w], b[w]);
        }
        *slots.at_mut(*out) = value;
    }
}

#[inline(always)]
fn each_three<P: Place, const W: usize>(
    gates: &[[P; 4]],
    slots: &mut P::Slots<W>,
    gate: impl Fn(u64, u64, u64) -> u64,
) {
    for [out, a, b, c] in gates {
        let [a, b, c]: [Vector<W>; 3] = [*slots.at(*a), *slots.at(*b), *slots.at(*c)];
        let mut value = [0; W];
        for w in 0..W {
            value[w] = gate(a[w], b[w], c[w]);
        }
        *slots.at_mut(*out) = value;
    }
}
