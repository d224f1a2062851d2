//! Circuits for tests, and a reference evaluator to compare with.

use std::ops::Range;

use crate::propnet::circuit::{
    ALWAYS, Circuit, Feedback, Gate, GateKind, Input, NEVER, SINK, Segment, Signal, Slot,
};
use crate::propnet::lanes::{LaneBatch, LaneProgram, Vectors};
use crate::util::Lists;

/// A circuit's programs, with a circuit for searches and without, for all vectors that this processor has, and without any.
pub(super) fn programs(circuit: &Circuit) -> impl Iterator<Item = LaneProgram> {
    let circuits = [circuit.clone(), with_search_circuit(circuit)];
    circuits.into_iter().flat_map(|circuit| {
        let program = move |vectors| LaneProgram::new(&circuit).with_vectors(vectors);
        Vectors::ALL.into_iter().filter_map(program)
    })
}

/// The same circuit, with one for searches in which the gates for legal moves are under a guard that holds, and others, which would make
/// every move legal, under one that does not. A circuit with loops stays as it is.
fn with_search_circuit(circuit: &Circuit) -> Circuit {
    let is_gates = |segment: &Segment| matches!(segment, Segment::Gates { .. });
    if !circuit.legal_code.iter().all(is_gates) {
        return circuit.clone();
    }
    let [holds, fails] = [circuit.slots as Slot, circuit.slots as Slot + 1];
    let fill = |slot: Slot, value| Segment::Fill {
        slots: slot..slot + 1,
        value,
    };
    let is_written = |slot: &Slot| *slot > SINK && !circuit.bases.contains(slot);
    let legal = circuit.inputs.iter().map(|input| input.legal);
    let wrong = legal.filter(is_written).map(|out| Gate {
        out,
        operands: [NEVER; 4],
    });
    let wrong = Segment::Gates {
        kind: GateKind::NOR,
        gates: wrong.collect(),
    };
    let guarded = |guard, body| Segment::Guarded { guard, body };
    let guards = |inputs: &Range<usize>| {
        let words = circuit.inputs[inputs.clone()].chunks(64);
        let is_never = |word: &[Input]| word.iter().all(|input| input.legal == NEVER);
        words
            .map(|word| if is_never(word) { fails } else { holds })
            .collect()
    };
    let marks = circuit.inputs.iter().map(|input| [input.does]);
    let of_search = Circuit {
        slots: circuit.slots + 2,
        legal_code: vec![
            fill(holds, true),
            fill(fails, false),
            guarded(holds, circuit.legal_code.clone()),
            guarded(fails, vec![wrong]),
        ],
        transition_code: Vec::new(),
        next: Vec::new(),
        marks: Lists::from_iter(marks).into(),
        legal_guards: circuit.roles.iter().map(guards).collect(),
        ..circuit.clone()
    };
    Circuit {
        of_search: Some(Box::new(of_search)),
        ..circuit.clone()
    }
}

/// Collects gates, each in a slot of its own.
pub(super) struct CircuitBuilder {
    slots: Slot,
    code: Vec<Segment>,
}

impl CircuitBuilder {
    pub(super) fn new() -> Self {
        Self {
            slots: SINK + 1,
            code: Vec::new(),
        }
    }

    pub(super) fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    pub(super) fn slots(&mut self, count: usize) -> Vec<Slot> {
        (0..count).map(|_| self.slot()).collect()
    }

    pub(super) fn gate(&mut self, kind: GateKind, a: Slot, b: Slot) -> Slot {
        self.any_gate(kind, [a, b, NEVER, NEVER])
    }

    fn any_gate(&mut self, kind: GateKind, operands: [Slot; 4]) -> Slot {
        let out = self.slot();
        let gate = Gate { out, operands };
        match self.code.last_mut() {
            Some(Segment::Gates { kind: last, gates }) if *last == kind => gates.push(gate),
            _ => self.code.push(Segment::Gates {
                kind,
                gates: vec![gate],
            }),
        }
        out
    }

    pub(super) fn and(&mut self, a: Slot, b: Slot) -> Slot {
        self.gate(GateKind::AND, a, b)
    }

    pub(super) fn any(&mut self, of: impl IntoIterator<Item = Slot>) -> Slot {
        of.into_iter()
            .fold(NEVER, |a, b| self.gate(GateKind::OR, a, b))
    }

    /// Takes the code collected since the last call.
    pub(super) fn take_code(&mut self) -> Vec<Segment> {
        std::mem::take(&mut self.code)
    }

    pub(super) fn count(&self) -> usize {
        self.slots as usize
    }
}

pub(super) fn plain(slot: Slot) -> Signal {
    Signal {
        slot,
        negated: false,
    }
}

/// Two players take one to `most` counters in turn from a heap of `heap`; who takes the last one gets 100. The fluents:
/// the heap's size (`0..=heap`), then whose turn it is. Each role's moves: to take 1, 2, …, then to wait.
pub(in crate::propnet) fn nim(heap: usize, most: usize) -> Circuit {
    let mut builder = CircuitBuilder::new();
    let size = builder.slots(heap + 1);
    let turn = builder.slots(2);
    let does: Vec<_> = (0..2).map(|_| builder.slots(most)).collect();
    let (mut inputs, mut taken) = (Vec::new(), Vec::new());
    for role in 0..2 {
        for take in 1..=most {
            let enough = builder.any(size[take.min(heap + 1)..].to_vec());
            let legal = builder.and(enough, turn[role]);
            let does = does[role][take - 1];
            inputs.push(Input { legal, does });
        }
        inputs.push(Input {
            legal: turn[1 - role],
            does: SINK,
        });
    }
    let legal_code = builder.take_code();
    let goals = (0..2).map(|role| vec![(0, turn[role]), (100, turn[1 - role])]);
    let goals = goals.collect();
    for (one, other) in does[0].iter().zip(&does[1]) {
        taken.push(builder.gate(GateKind::OR, *one, *other));
    }
    let mut next = Vec::new();
    for left in 0..=heap {
        let ways: Vec<_> = (1..=most.min(heap - left))
            .map(|take| builder.and(size[left + take], taken[take - 1]))
            .collect();
        next.push(plain(builder.any(ways)));
    }
    next.extend([plain(turn[1]), plain(turn[0])]);
    let transition_code = builder.take_code();
    let mut initial = vec![false; heap + 3];
    (initial[heap], initial[heap + 1]) = (true, true);
    Circuit {
        slots: builder.count(),
        bases: size.iter().chain(&turn).copied().collect(),
        initial,
        inputs,
        roles: vec![0..most + 1, most + 1..2 * most + 2],
        terminal: size[0],
        goal_code: Vec::new(),
        goals,
        direct_transition_code: [legal_code.clone(), transition_code.clone()].concat(),
        direct_next: next.clone(),
        marks: Lists::default().into(),
        legal_guards: Vec::new(),
        of_search: None,
        legal_code,
        transition_code,
        next,
    }
}

/// One player lays the arcs `i → i+1` of a ring of `nodes` in any order, in either of two copies of the ring; the game
/// ends when node `nodes - 1` can be reached from node 0, which a loop works out. The goal is 50.
pub(super) fn ring(nodes: usize) -> Circuit {
    let mut builder = CircuitBuilder::new();
    let arcs = builder.slots(nodes);
    let lays = builder.slots(nodes);
    let variables = builder.slots(nodes);
    let mut inputs = Vec::new();
    for i in 0..nodes {
        let legal = builder.gate(GateKind::NOR, arcs[i], NEVER);
        inputs.push(Input {
            legal,
            does: lays[i],
        });
    }
    let mut legal_code = builder.take_code();
    // The nodes in descending order, so that one pass of the body propagates reachability by one arc only.
    let mut feedback = Vec::new();
    for i in (0..nodes).rev() {
        let before = (i + nodes - 1) % nodes;
        let came = builder.and(variables[before], arcs[before]);
        let start = if i == 0 { ALWAYS } else { NEVER };
        let value = builder.gate(GateKind::OR, came, start);
        feedback.push(Feedback {
            variable: variables[i],
            value,
        });
    }
    let body = builder.take_code();
    legal_code.push(Segment::Loop { feedback, body });
    let next: Vec<Signal> = (0..nodes)
        .map(|i| plain(builder.gate(GateKind::OR, arcs[i], lays[i])))
        .collect();
    let transition_code = builder.take_code();
    Circuit {
        slots: builder.count(),
        bases: arcs,
        initial: vec![false; nodes],
        inputs,
        roles: std::iter::once(0..nodes).collect(),
        terminal: variables[nodes - 1],
        goal_code: Vec::new(),
        goals: vec![vec![(50, ALWAYS)]],
        direct_transition_code: [legal_code.clone(), transition_code.clone()].concat(),
        direct_next: next.clone(),
        marks: Lists::default().into(),
        legal_guards: Vec::new(),
        of_search: None,
        legal_code,
        transition_code,
        next,
    }
}

/// Adds `by` to all slot numbers but the three special ones, so that they need more than 16 bits if `by` is large.
pub(super) fn shift(circuit: &mut Circuit, by: Slot) {
    let up = |slot: &mut Slot| *slot += if *slot > SINK { by } else { 0 };
    circuit.slots += by as usize;
    circuit.bases.iter_mut().for_each(up);
    up(&mut circuit.terminal);
    for input in &mut circuit.inputs {
        up(&mut input.legal);
        up(&mut input.does);
    }
    let nexts = circuit.next.iter_mut().chain(&mut circuit.direct_next);
    nexts.for_each(|s| up(&mut s.slot));
    circuit.goals.iter_mut().flatten().for_each(|(_, s)| up(s));
    let codes = [
        &mut circuit.legal_code,
        &mut circuit.transition_code,
        &mut circuit.direct_transition_code,
    ];
    for segment in codes.into_iter().flatten() {
        match segment {
            Segment::Gates { gates, .. } => {
                for gate in gates {
                    up(&mut gate.out);
                    gate.operands.iter_mut().for_each(up);
                }
            }
            _ => panic!("no test shifts anything but gates"),
        }
    }
}

/// The reference evaluator: one state at a time, gate by gate.
pub(super) struct Naive<'c> {
    pub(super) circuit: &'c Circuit,
    values: Vec<u64>,
}

impl<'c> Naive<'c> {
    /// In `state`, packed, after `legal_code`.
    pub(super) fn new(circuit: &'c Circuit, state: &[u64]) -> Self {
        let mut values = vec![0; circuit.slots];
        values[ALWAYS as usize] = 1;
        for (i, base) in circuit.bases.iter().enumerate() {
            values[*base as usize] = state[i / 64] >> (i % 64) & 1;
        }
        let mut naive = Self { circuit, values };
        naive.run(&circuit.legal_code);
        naive
    }

    fn run(&mut self, code: &[Segment]) {
        for segment in code {
            match segment {
                Segment::Gates { kind, gates } => {
                    for gate in gates {
                        let operands = gate.operands.map(|slot| self.bit(slot).into());
                        self.values[gate.out as usize] = kind.apply(operands) & 1;
                    }
                }
                Segment::Loop { feedback, body } => self.repeat(feedback, body),
                Segment::Guarded { body, .. } => self.run(body),
                Segment::Fill { slots, value } => {
                    let slots = slots.start as usize..slots.end as usize;
                    self.values[slots].fill((*value).into());
                }
            }
        }
    }

    fn repeat(&mut self, feedback: &[Feedback], body: &[Segment]) {
        for f in feedback {
            self.values[f.variable as usize] = 0;
        }
        loop {
            self.run(body);
            let old: Vec<_> = feedback.iter().map(|f| self.bit(f.variable)).collect();
            let new: Vec<_> = feedback.iter().map(|f| self.bit(f.value)).collect();
            for (f, new) in feedback.iter().zip(&new) {
                self.values[f.variable as usize] = (*new).into();
            }
            if old == new {
                return;
            }
        }
    }

    fn bit(&self, slot: Slot) -> bool {
        self.values[slot as usize] != 0
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.bit(self.circuit.terminal)
    }

    pub(super) fn legal(&self, role: usize) -> Vec<u32> {
        let inputs = self.circuit.roles[role].clone();
        let legal = inputs.filter(|&i| self.bit(self.circuit.inputs[i].legal));
        legal.map(|i| i as u32).collect()
    }

    pub(super) fn goal(mut self, role: usize) -> Option<u8> {
        self.run(&self.circuit.goal_code);
        let values = self.circuit.goals[role].iter();
        let held: Vec<_> = values.filter(|(_, slot)| self.bit(*slot)).collect();
        match held[..] {
            [(value, _)] => Some(*value),
            _ => None,
        }
    }

    pub(super) fn next(mut self, joint: &[u32]) -> Vec<u64> {
        for input in joint {
            self.values[self.circuit.inputs[*input as usize].does as usize] = 1;
        }
        self.run(&self.circuit.transition_code);
        let next = self.circuit.next.iter();
        let bits: Vec<_> = next.map(|s| self.bit(s.slot) != s.negated).collect();
        pack(&bits)
    }
}

/// Bits as a packed state.
pub(super) fn pack(bits: &[bool]) -> Vec<u64> {
    let word = |bits: &[bool]| (0..).zip(bits).map(|(i, &bit)| u64::from(bit) << i).sum();
    bits.chunks(64).map(word).collect()
}

/// All joint moves of the states, 700 at most.
pub(super) fn joint_moves(circuit: &Circuit, batch: &LaneBatch) -> (Vec<u32>, Vec<u32>) {
    let (mut of, mut moves) = (Vec::new(), Vec::new());
    for parent in 0..batch.len() {
        let mut joints = vec![Vec::new()];
        for role in 0..circuit.roles.len() {
            let mut legal = Vec::new();
            batch.legal(parent, role, &mut legal);
            let longer = joints.iter().flat_map(|joint: &Vec<u32>| {
                let with = |mv: &u32| joint.iter().copied().chain([*mv]).collect();
                legal.iter().map(with).collect::<Vec<_>>()
            });
            joints = longer.take(700).collect();
        }
        of.extend(joints.iter().map(|_| parent as u32));
        moves.extend(joints.concat());
    }
    of.truncate(700);
    moves.truncate(700 * circuit.roles.len());
    (of, moves)
}

/// The parameters of a random circuit.
#[derive(Debug, Clone)]
pub(super) struct RandomCircuit {
    pub(super) bases: usize,
    /// Moves of each role.
    pub(super) moves: Vec<usize>,
    pub(super) gates: usize,
    /// The seed.
    pub(super) seed: u64,
}

/// Gates between random earlier slots, read as a game: states and moves make no sense, but everything is defined.
pub(super) fn random(params: &RandomCircuit) -> Circuit {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(params.seed);
    let mut builder = CircuitBuilder::new();
    let bases = builder.slots(params.bases);
    let mut known: Vec<Slot> = bases.iter().copied().chain([NEVER, ALWAYS]).collect();
    let kinds = GateKind::OF_TWO;
    let mut grow = |builder: &mut CircuitBuilder, known: &mut Vec<Slot>| {
        for _ in 0..params.gates {
            let [a, b, c, d] = [(); 4].map(|()| known[rng.random_range(0..known.len())]);
            let [outer, inner] = [(); 2].map(|()| kinds[rng.random_range(0..6)]);
            known.push(match rng.random_range(0..4) {
                2 => builder.gate(outer, a, b),
                3 => {
                    let kind = GateKind::OF_FOUR[rng.random_range(0..GateKind::OF_FOUR.len())];
                    builder.any_gate(kind, [a, b, c, d])
                }
                side => builder.any_gate(outer.around(side, inner).sorted().0, [a, b, c, NEVER]),
            });
        }
        (
            builder.take_code(),
            known[rng.random_range(0..known.len())],
            known.clone(),
        )
    };
    let (legal_code, one, after_legal) = grow(&mut builder, &mut known);
    let (also, other, _) = grow(&mut builder, &mut known);
    let (mut legal_code, more) = (legal_code, also);
    legal_code.extend(more);
    let (goal_code, value, after_goals) = grow(&mut builder, &mut after_legal.clone());
    let total: usize = params.moves.iter().sum();
    let does = builder.slots(total);
    known.extend(&does);
    let (transition_code, _, after_transition) = grow(&mut builder, &mut known);
    let terminal = builder.and(one, other);
    legal_code.extend(builder.take_code());
    let at = |of: &[Slot], i: usize| of[(i * 7919 + params.seed as usize) % of.len()];
    let inputs = (0..total).map(|i| Input {
        legal: at(&after_legal, i),
        does: if i % 11 == 10 { SINK } else { does[i] },
    });
    let mut first = 0;
    let roles = params.moves.iter().map(|&moves| {
        first += moves;
        first - moves..first
    });
    // Gates, moves, and fluents that others take the place of.
    let next = (0..params.bases).map(|i| Signal {
        slot: match i % 7 {
            3 => does[i % total],
            5 => bases[i / 2],
            _ => after_transition[after_transition.len() - 1 - i % params.gates.max(1)],
        },
        negated: i % 3 == 0,
    });
    let next: Vec<Signal> = next.collect();
    Circuit {
        slots: builder.count(),
        initial: (0..params.bases).map(|i| i % 5 == 1).collect(),
        inputs: inputs.collect(),
        goals: vec![vec![(30, value), (70, at(&after_goals, 5))]; params.moves.len()],
        roles: roles.collect(),
        direct_transition_code: [legal_code.clone(), transition_code.clone()].concat(),
        direct_next: next.clone(),
        marks: Lists::default().into(),
        legal_guards: Vec::new(),
        of_search: None,
        next,
        bases,
        legal_code,
        terminal,
        goal_code,
        transition_code,
    }
}
