//! Code with a value of its own for every gate, so that it can be worked through with functions instead of bits.

use rustc_hash::FxHashMap;

use crate::propnet::circuit::{ALWAYS, GateKind, NEVER};
use crate::propnet::lanes::code::Code;
use crate::propnet::lanes::memory::SlotIndex;
use crate::propnet::lanes::paths::logic::{GateLiteral, Logic};
use crate::propnet::lanes::program::{PackedCircuit, StateUpdate};

/// The number of a value: the constants, then the fluents, then the moves made, then what gates compute, in order.
pub(super) type TraceValue = u32;

/// The code, and what it computes.
#[derive(Debug)]
pub(super) struct Trace {
    leaves: usize,
    gates: Vec<(GateKind, [TraceValue; 3])>,
    /// Per value the gates that read it: the places in `readers` from this one's to the next one's.
    first_reader: Vec<u32>,
    readers: Vec<u32>,
    /// Values, and whether their complements are meant.
    pub(super) outputs: Vec<(TraceValue, bool)>,
}

/// The value of a fluent.
pub(super) fn fluent(number: usize) -> TraceValue {
    2 + number as TraceValue
}

impl Trace {
    /// What may be done in a state: whether the game is over, then the moves.
    pub(super) fn of_legality<P: SlotIndex>(circuit: &PackedCircuit<P>) -> Option<Self> {
        let (leaves, values, gates) = traced(circuit, &circuit.legal_code)?;
        let outputs = std::iter::once(&circuit.terminal).chain(&circuit.legal);
        let value = |slot: &P| (values.get(slot).copied().unwrap_or_default(), false);
        Some(Self::new(leaves, gates, outputs.map(value).collect()))
    }

    /// The fluents of the next state; `None`, too, for circuits with sets of moves, which have no direct transition.
    pub(super) fn of_transition<P: SlotIndex>(circuit: &PackedCircuit<P>) -> Option<Self> {
        if circuit.direct_advance.next.len() < circuit.bases.len() {
            return None;
        }
        let (leaves, mut values, gates) = traced(circuit, &circuit.direct_transition_code)?;
        let StateUpdate { saved, next } = &circuit.direct_advance;
        for [from, to] in saved {
            let saved = values.get(from).copied().unwrap_or_default();
            values.insert(*to, saved);
        }
        let outputs = next.iter().map(|(_, next)| {
            let value = values.get(&next.slot).copied().unwrap_or_default();
            (value, next.flip != 0)
        });
        let outputs = outputs.collect();
        Some(Self::new(leaves, gates, outputs))
    }

    fn new(
        leaves: usize,
        gates: Vec<(GateKind, [TraceValue; 3])>,
        outputs: Vec<(TraceValue, bool)>,
    ) -> Self {
        let mut first_reader = vec![0; leaves + gates.len() + 1];
        for operand in gates.iter().flat_map(|(_, operands)| operands) {
            first_reader[*operand as usize + 1] += 1;
        }
        for value in 1..first_reader.len() {
            first_reader[value] += first_reader[value - 1];
        }
        let mut free = first_reader.clone();
        let mut readers = vec![0; 3 * gates.len()];
        for (gate, (_, operands)) in (0..).zip(&gates) {
            for operand in operands {
                let place = &mut free[*operand as usize];
                readers[*place as usize] = gate;
                *place += 1;
            }
        }
        Self {
            leaves,
            gates,
            first_reader,
            readers,
            outputs,
        }
    }

    /// What all values are if the leaves are these functions.
    pub(super) fn evaluate(
        &self,
        logic: &mut Logic,
        leaf: impl Fn(TraceValue) -> GateLiteral,
    ) -> Vec<GateLiteral> {
        let mut values: Vec<GateLiteral> = (0..self.leaves as TraceValue).map(leaf).collect();
        for (kind, operands) in &self.gates {
            let operands = operands.map(|operand| values[operand as usize]);
            values.push(logic.gate(*kind, operands));
        }
        values
    }

    /// Evaluates anew what depends on leaves that are not what they were.
    pub(super) fn update(&self, logic: &mut Logic, values: &mut Update) {
        let Update { now, changed, due } = values;
        due.resize(self.gates.len().div_ceil(64), 0);
        let mark = |due: &mut [u64], value: TraceValue| {
            let [from, to] = [value, value + 1].map(|at| self.first_reader[at as usize] as usize);
            for gate in &self.readers[from..to] {
                due[*gate as usize / 64] |= 1 << (gate % 64);
            }
        };
        changed.drain(..).for_each(|value| mark(due, value));
        for word in 0..due.len() {
            while due[word] != 0 {
                let gate = 64 * word + due[word].trailing_zeros() as usize;
                due[word] &= due[word] - 1;
                let (kind, operands) = self.gates[gate];
                let value = self.leaves + gate;
                let output = logic.gate(kind, operands.map(|operand| now[operand as usize]));
                if output != now[value] {
                    now[value] = output;
                    mark(due, value as TraceValue);
                }
            }
        }
    }

    /// An output, where values are these.
    pub(super) fn output(&self, number: usize, values: &[GateLiteral]) -> GateLiteral {
        let (value, negated) = self.outputs[number];
        values[value as usize].negated_if(negated)
    }
}

/// Values of which some leaves change.
#[derive(Debug, Default)]
pub(super) struct Update {
    pub(super) now: Vec<GateLiteral>,
    changed: Vec<TraceValue>,
    /// A bit per gate that is to be evaluated.
    due: Vec<u64>,
}

impl Update {
    /// Begins with these values.
    pub(super) fn begin(&mut self, values: &[GateLiteral]) {
        self.now.clear();
        self.now.extend_from_slice(values);
        self.changed.clear();
    }

    /// Changes a leaf.
    pub(super) fn change(&mut self, leaf: TraceValue, to: GateLiteral) {
        self.now[leaf as usize] = to;
        self.changed.push(leaf);
    }
}

/// How many leaves there are, the value that each slot holds after the code, and the gates; `None` if there are loops.
#[expect(clippy::type_complexity, reason = "the parts of a trace, once")]
fn traced<P: SlotIndex>(
    circuit: &PackedCircuit<P>,
    code: &Code<P>,
) -> Option<(
    usize,
    FxHashMap<P, TraceValue>,
    Vec<(GateKind, [TraceValue; 3])>,
)> {
    let constants = [NEVER, ALWAYS].map(P::pack);
    let leaves = constants.iter().chain(&circuit.bases).chain(&circuit.does);
    let mut values: FxHashMap<P, TraceValue> = leaves.copied().zip(0..).collect();
    let leaves = 2 + circuit.bases.len() + circuit.does.len();
    let mut gates = Vec::new();
    let is_straight = code.each_gate(&mut |kind, out, operands| {
        let operands = operands.map(|slot| values.get(&slot).copied().unwrap_or_default());
        values.insert(out, (leaves + gates.len()) as TraceValue);
        gates.push((kind, operands));
    });
    is_straight.then_some((leaves, values, gates))
}
