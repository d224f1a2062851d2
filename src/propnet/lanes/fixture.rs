//! Circuits for tests, and a plain evaluator to compare with.

use crate::propnet::circuit::{
    ALWAYS, Circuit, Feedback, Gate, Input, Kind, NEVER, SINK, Signal, Slot, Step,
};

/// Collects gates, each in a slot of its own.
pub(super) struct Draft {
    slots: Slot,
    steps: Vec<Step>,
}

impl Draft {
    pub(super) fn new() -> Self {
        Self {
            slots: SINK + 1,
            steps: Vec::new(),
        }
    }

    pub(super) fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    pub(super) fn slots(&mut self, count: usize) -> Vec<Slot> {
        (0..count).map(|_| self.slot()).collect()
    }

    pub(super) fn gate(&mut self, kind: Kind, a: Slot, b: Slot) -> Slot {
        self.any_gate(kind, [a, b, NEVER])
    }

    fn any_gate(&mut self, kind: Kind, operands: [Slot; 3]) -> Slot {
        let out = self.slot();
        let gate = Gate { out, operands };
        match self.steps.last_mut() {
            Some(Step::Run { kind: last, gates }) if *last == kind => gates.push(gate),
            _ => self.steps.push(Step::Run {
                kind,
                gates: vec![gate],
            }),
        }
        out
    }

    pub(super) fn and(&mut self, a: Slot, b: Slot) -> Slot {
        self.gate(Kind::AND, a, b)
    }

    pub(super) fn any(&mut self, of: impl IntoIterator<Item = Slot>) -> Slot {
        of.into_iter().fold(NEVER, |a, b| self.gate(Kind::OR, a, b))
    }

    /// What was collected since the last time.
    pub(super) fn steps(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.steps)
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
pub(super) fn nim(heap: usize, most: usize) -> Circuit {
    let mut draft = Draft::new();
    let size = draft.slots(heap + 1);
    let turn = draft.slots(2);
    let does: Vec<_> = (0..2).map(|_| draft.slots(most)).collect();
    let (mut inputs, mut taken) = (Vec::new(), Vec::new());
    for role in 0..2 {
        for take in 1..=most {
            let enough = draft.any(size[take.min(heap + 1)..].to_vec());
            let legal = draft.and(enough, turn[role]);
            let does = does[role][take - 1];
            inputs.push(Input { legal, does });
        }
        inputs.push(Input {
            legal: turn[1 - role],
            does: SINK,
        });
    }
    let look = draft.steps();
    let goals = (0..2).map(|role| vec![(0, turn[role]), (100, turn[1 - role])]);
    let goals = goals.collect();
    for (one, other) in does[0].iter().zip(&does[1]) {
        taken.push(draft.gate(Kind::OR, *one, *other));
    }
    let mut next = Vec::new();
    for left in 0..=heap {
        let ways: Vec<_> = (1..=most.min(heap - left))
            .map(|take| draft.and(size[left + take], taken[take - 1]))
            .collect();
        next.push(plain(draft.any(ways)));
    }
    next.extend([plain(turn[1]), plain(turn[0])]);
    let step = draft.steps();
    let mut initial = vec![false; heap + 3];
    (initial[heap], initial[heap + 1]) = (true, true);
    Circuit {
        slots: draft.count(),
        bases: size.iter().chain(&turn).copied().collect(),
        initial,
        inputs,
        roles: vec![0..most + 1, most + 1..2 * most + 2],
        terminal: size[0],
        judge: Vec::new(),
        goals,
        leap: [look.clone(), step.clone()].concat(),
        after_leap: next.clone(),
        look,
        step,
        next,
    }
}

/// One player lays the arcs `i → i+1` of a ring of `nodes` in any order, in either of two copies of the ring; the game
/// ends when node `nodes - 1` can be reached from node 0, which a loop works out. The goal is 50.
pub(super) fn ring(nodes: usize) -> Circuit {
    let mut draft = Draft::new();
    let arcs = draft.slots(nodes);
    let lays = draft.slots(nodes);
    let variables = draft.slots(nodes);
    let mut inputs = Vec::new();
    for i in 0..nodes {
        let legal = draft.gate(Kind::NOR, arcs[i], NEVER);
        inputs.push(Input {
            legal,
            does: lays[i],
        });
    }
    let mut look = draft.steps();
    // Visits the nodes in descending order, so that one pass carries news one arc further only.
    let mut feedback = Vec::new();
    for i in (0..nodes).rev() {
        let before = (i + nodes - 1) % nodes;
        let came = draft.and(variables[before], arcs[before]);
        let start = if i == 0 { ALWAYS } else { NEVER };
        let value = draft.gate(Kind::OR, came, start);
        feedback.push(Feedback {
            variable: variables[i],
            value,
        });
    }
    let body = draft.steps();
    look.push(Step::Loop { feedback, body });
    let next: Vec<Signal> = (0..nodes)
        .map(|i| plain(draft.gate(Kind::OR, arcs[i], lays[i])))
        .collect();
    let step = draft.steps();
    Circuit {
        slots: draft.count(),
        bases: arcs,
        initial: vec![false; nodes],
        inputs,
        roles: std::iter::once(0..nodes).collect(),
        terminal: variables[nodes - 1],
        judge: Vec::new(),
        goals: vec![vec![(50, ALWAYS)]],
        leap: [look.clone(), step.clone()].concat(),
        after_leap: next.clone(),
        look,
        step,
        next,
    }
}

/// Moves all slots but the special three up, to where 16 bits do not reach if `by` is large.
pub(super) fn shift(circuit: &mut Circuit, by: Slot) {
    let up = |slot: &mut Slot| *slot += if *slot > SINK { by } else { 0 };
    circuit.slots += by as usize;
    circuit.bases.iter_mut().for_each(up);
    up(&mut circuit.terminal);
    for input in &mut circuit.inputs {
        up(&mut input.legal);
        up(&mut input.does);
    }
    let nexts = circuit.next.iter_mut().chain(&mut circuit.after_leap);
    nexts.for_each(|s| up(&mut s.slot));
    circuit.goals.iter_mut().flatten().for_each(|(_, s)| up(s));
    let codes = [&mut circuit.look, &mut circuit.step, &mut circuit.leap];
    for step in codes.into_iter().flatten() {
        match step {
            Step::Run { gates, .. } => {
                for gate in gates {
                    up(&mut gate.out);
                    gate.operands.iter_mut().for_each(up);
                }
            }
            Step::Loop { .. } => panic!("no test shifts a loop"),
        }
    }
}

/// One state at a time, gate by gate, in the plainest way.
pub(super) struct Naive<'c> {
    pub(super) circuit: &'c Circuit,
    values: Vec<u64>,
}

impl<'c> Naive<'c> {
    /// In `state`, packed, after `look`.
    pub(super) fn new(circuit: &'c Circuit, state: &[u64]) -> Self {
        let mut values = vec![0; circuit.slots];
        values[ALWAYS as usize] = 1;
        for (i, base) in circuit.bases.iter().enumerate() {
            values[*base as usize] = state[i / 64] >> (i % 64) & 1;
        }
        let mut naive = Self { circuit, values };
        naive.run(&circuit.look);
        naive
    }

    fn run(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Run { kind, gates } => {
                    for gate in gates {
                        let operands = gate.operands.map(|slot| self.bit(slot).into());
                        self.values[gate.out as usize] = kind.apply(operands) & 1;
                    }
                }
                Step::Loop { feedback, body } => self.repeat(feedback, body),
            }
        }
    }

    fn repeat(&mut self, feedback: &[Feedback], body: &[Step]) {
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
        self.run(&self.circuit.judge);
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
        self.run(&self.circuit.step);
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

/// How a random circuit is drawn.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) bases: usize,
    /// Moves of each role.
    pub(super) moves: Vec<usize>,
    pub(super) gates: usize,
    /// Where the bits come from.
    pub(super) seed: u64,
}

/// Gates between random earlier slots, read as a game: states and moves make no sense, but everything is defined.
pub(super) fn random(shape: &Shape) -> Circuit {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(shape.seed);
    let mut draft = Draft::new();
    let bases = draft.slots(shape.bases);
    let mut known: Vec<Slot> = bases.iter().copied().chain([NEVER, ALWAYS]).collect();
    let kinds = Kind::OF_TWO;
    let mut grow = |draft: &mut Draft, known: &mut Vec<Slot>| {
        for _ in 0..shape.gates {
            let operands = [(); 3].map(|()| known[rng.random_range(0..known.len())]);
            let [outer, inner] = [(); 2].map(|()| kinds[rng.random_range(0..6)]);
            known.push(match rng.random_range(0..3) {
                2 => draft.gate(outer, operands[0], operands[1]),
                side => draft.any_gate(outer.around(side, inner).sorted().0, operands),
            });
        }
        (
            draft.steps(),
            known[rng.random_range(0..known.len())],
            known.clone(),
        )
    };
    let (look, one, looked) = grow(&mut draft, &mut known);
    let (also, other, _) = grow(&mut draft, &mut known);
    let (mut look, more) = (look, also);
    look.extend(more);
    let (judge, value, judged) = grow(&mut draft, &mut looked.clone());
    let total: usize = shape.moves.iter().sum();
    let does = draft.slots(total);
    known.extend(&does);
    let (step, _, stepped) = grow(&mut draft, &mut known);
    let terminal = draft.and(one, other);
    look.extend(draft.steps());
    let at = |of: &[Slot], i: usize| of[(i * 7919 + shape.seed as usize) % of.len()];
    let inputs = (0..total).map(|i| Input {
        legal: at(&looked, i),
        does: if i % 11 == 10 { SINK } else { does[i] },
    });
    let mut first = 0;
    let roles = shape.moves.iter().map(|&moves| {
        first += moves;
        first - moves..first
    });
    // Gates, moves, and fluents that others take the place of.
    let next = (0..shape.bases).map(|i| Signal {
        slot: match i % 7 {
            3 => does[i % total],
            5 => bases[i / 2],
            _ => stepped[stepped.len() - 1 - i % shape.gates.max(1)],
        },
        negated: i % 3 == 0,
    });
    let next: Vec<Signal> = next.collect();
    Circuit {
        slots: draft.count(),
        initial: (0..shape.bases).map(|i| i % 5 == 1).collect(),
        inputs: inputs.collect(),
        goals: vec![vec![(30, value), (70, at(&judged, 5))]; shape.moves.len()],
        roles: roles.collect(),
        leap: [look.clone(), step.clone()].concat(),
        after_leap: next.clone(),
        next,
        bases,
        look,
        terminal,
        judge,
        step,
    }
}
