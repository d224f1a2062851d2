//! Straight-line code: a circuit's steps packed into a stream of slot numbers.

use pulp::NullaryFnOnce;

use crate::propnet::circuit::{Feedback, Kind, Step};
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
    /// Gates of one kind: output, operands.
    Run { kind: Kind, gates: Vec<[P; 3]> },
    Loop {
        feedback: Vec<[P; 2]>,
        body: Code<P>,
    },
}

impl<P: Place> Code<P> {
    pub(super) fn new(steps: &[Step]) -> Self {
        let parts = steps.iter().map(|step| match step {
            Step::Run { kind, gates } => Part::Run {
                kind: *kind,
                gates: gates
                    .iter()
                    .map(|gate| [gate.out, gate.a, gate.b].map(P::pack))
                    .collect(),
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
                Part::Run { kind, gates } => run(*kind, gates, slots),
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

#[inline(always)]
fn run<P: Place, const W: usize>(kind: Kind, gates: &[[P; 3]], slots: &mut P::Slots<W>) {
    match kind {
        Kind::And => each(gates, slots, |a, b| a & b),
        Kind::AndNot => each(gates, slots, |a, b| a & !b),
        Kind::Or => each(gates, slots, |a, b| a | b),
        Kind::OrNot => each(gates, slots, |a, b| a | !b),
        Kind::Nand => each(gates, slots, |a, b| !(a & b)),
        Kind::Nor => each(gates, slots, |a, b| !(a | b)),
    }
}

#[inline(always)]
fn each<P: Place, const W: usize>(
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
