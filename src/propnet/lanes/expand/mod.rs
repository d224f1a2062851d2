//! Transitions from many states in one call: the children of a batch of positions.

mod paths;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::propnet::lanes::batch::LaneBatch;
use crate::propnet::lanes::choose::count::LaneCounts;
use crate::propnet::lanes::executor::{FEW, IndexWidth, MANY, StateLanes, either};
use crate::propnet::lanes::expand::paths::Paths;
use crate::propnet::lanes::marks::Marks;
use crate::propnet::lanes::memory::{SlotArray, SlotIndex};
use crate::propnet::lanes::ops::first_lanes;
use crate::propnet::lanes::packing::{StoreMoves, StoreRows};
use crate::propnet::lanes::pairs::TransitionPairs;
use crate::propnet::lanes::program::{LaneProgram, PackedCircuit, PackedProgram, RowLayout};

/// Evaluates and expands batches of states; holds the working memory for that.
#[derive(Debug)]
pub struct Expander {
    inner: IndexWidth<ExpanderByWidth<u16>, ExpanderByWidth<u32>>,
    pairs: TransitionPairs,
}

impl Expander {
    /// How many states are evaluated together at most; more are evaluated one batch after the other.
    pub const LANES: usize = MANY;
    /// Up to so many take slots of one word.
    pub const FEW_LANES: usize = FEW;
    /// Up to so many take one pass of one of the executors of more lanes.
    pub const WIDTHS: [usize; 2] = [MIDDLE, MANY];

    /// Working memory for a program.
    pub fn new(program: &LaneProgram) -> Self {
        let inner = program
            .packed
            .map(ExpanderByWidth::new, ExpanderByWidth::new);
        let pairs = TransitionPairs::default();
        Self { inner, pairs }
    }

    /// Tries again to count paths without making states, where it could not be done.
    pub fn restart(&mut self) {
        either!(&mut self.inner, expander => expander.restart());
    }

    /// Replaces the contents of `batch` by packed states, evaluated.
    pub fn evaluate_batch<'s>(
        &mut self,
        states: impl IntoIterator<Item = &'s [u64]>,
        batch: &mut LaneBatch,
    ) {
        batch.states.clear();
        let mut len = 0;
        for state in states {
            batch.states.extend_from_slice(state);
            len += 1;
        }
        batch.resize(len);
        either!(&mut self.inner, expander => expander.evaluate_batch(batch));
    }

    /// Replaces the contents of `children` by successor states: child `k` is the successor of state `of[k]` in `parents` by
    /// the `k`-th joint move of `moves`, which holds one input per role for each child. `go_on` is polled now and then; if it
    /// is false, the result is false, and the children that were not made yet are meaningless.
    pub fn expand(
        &mut self,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
        children: &mut LaneBatch,
        go_on: &dyn Fn() -> bool,
    ) -> bool {
        children.states.clear();
        children.resize(of.len());
        either!(&mut self.inner, expander => expander.expand(parents, of, moves, children, go_on))
    }

    /// Replaces the contents of `states` by the packed states of the children that [`Expander::expand`] would make: nothing
    /// else of them is computed.
    pub fn successors(
        &mut self,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
        states: &mut Vec<u64>,
    ) {
        states.clear();
        states.resize(of.len() * parents.state_words, 0);
        either!(&mut self.inner, expander => expander.successors(parents, of, moves, states));
    }
}

/// The lanes of the executor between that of few and that of many.
const MIDDLE: usize = 256;

/// A program with executors of three numbers of lanes. The larger ones are made when they are needed first: many searches never need them, and
/// clearing their memory takes up to a millisecond.
#[derive(Debug)]
struct ExpanderByWidth<P> {
    program: Arc<PackedProgram<P>>,
    few: ExpanderLanes<1, 1>,
    middle: Option<ExpanderLanes<4, 4>>,
    many: Option<ExpanderLanes<8, 4>>,
}

/// Evaluates the same expression for the executor of a program that suits so many states.
macro_rules! executor_for {
    ($self:ident, $states:expr, ($program:ident, $lanes:ident) => $then:expr) => {
        match $states {
            states if states <= FEW => {
                let ($program, $lanes) = (&*$self.program, &mut $self.few);
                $then
            }
            states if states <= MIDDLE => {
                let ($program, $lanes) = $self.middle();
                $then
            }
            _ => {
                let ($program, $lanes) = $self.many();
                $then
            }
        }
    };
}

impl<P: SlotIndex> ExpanderByWidth<P> {
    fn new(program: &Arc<PackedProgram<P>>) -> Self {
        Self {
            program: Arc::clone(program),
            few: ExpanderLanes::new(program),
            middle: None,
            many: None,
        }
    }

    fn restart(&mut self) {
        if let Some(many) = &mut self.many
            && matches!(many.paths, Paths::Uncounted)
        {
            many.paths = Paths::Untried;
        }
    }

    fn middle(&mut self) -> (&PackedProgram<P>, &mut ExpanderLanes<4, 4>) {
        let (program, lanes) = (&self.program, &mut self.middle);
        let lanes = lanes.get_or_insert_with(|| ExpanderLanes::new(program));
        (program, lanes)
    }

    fn many(&mut self) -> (&PackedProgram<P>, &mut ExpanderLanes<8, 4>) {
        let (program, lanes) = (&self.program, &mut self.many);
        let lanes = lanes.get_or_insert_with(|| ExpanderLanes::new(program));
        (program, lanes)
    }

    fn evaluate_batch(&mut self, batch: &mut LaneBatch) {
        let mut first = 0;
        while first < batch.len {
            first += executor_for!(self, batch.len - first, (program, lanes) => lanes.evaluate_batch(program, batch, first));
        }
    }

    fn successors(&mut self, parents: &LaneBatch, of: &[u32], moves: &[u32], states: &mut [u64]) {
        let (mut of, mut moves, mut states) = (of, moves, states);
        while !of.is_empty() {
            let done = executor_for!(self, of.len(), (program, lanes) => lanes.successors(program, parents, of, moves, states));
            of = &of[done..];
            moves = &moves[done * self.program.roles.len()..];
            states = &mut states[done * parents.state_words..];
        }
    }

    fn expand(
        &mut self,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
        children: &mut LaneBatch,
        go_on: &dyn Fn() -> bool,
    ) -> bool {
        let (mut of, mut moves, mut steps) = (of, moves, 0_usize);
        while !of.is_empty() {
            let first = children.len - of.len();
            if steps > 0 && steps.is_multiple_of(self.program.check_interval) && !go_on() {
                return false;
            }
            steps += 1;
            let done = executor_for!(self, of.len(), (program, lanes) => lanes.expand(program, parents, of, moves, children, first));
            of = &of[done..];
            moves = &moves[done * self.program.roles.len()..];
        }
        true
    }
}

/// Expansion in slots of one width, of which `C` words are counted at a time.
#[derive(Debug)]
struct ExpanderLanes<const W: usize, const C: usize> {
    lanes: StateLanes<W>,
    /// Scratch space for counting.
    choices: Vec<LaneCounts<C>>,
    paths: Paths<W, C>,
}

impl<const W: usize, const C: usize> ExpanderLanes<W, C> {
    const LANES: usize = 64 * W;

    fn new<P: SlotIndex>(program: &PackedProgram<P>) -> Self {
        Self {
            lanes: StateLanes::new(program),
            choices: Vec::new(),
            paths: Paths::Untried,
        }
    }

    /// Evaluates the states from `first` on; returns how many.
    fn evaluate_batch<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        batch: &mut LaneBatch,
        first: usize,
    ) -> usize {
        let len = Self::LANES.min(batch.len - first);
        let of: [u32; MANY] = std::array::from_fn(|i| (first + i) as u32);
        self.lanes.load(program, &batch.states, &of[..len]);
        let turn = program.turn_of_all(|base| self.holds(program.bases[base], len));
        let circuit = program.search_circuit(turn);
        self.lanes.run(&circuit.legal_code);
        self.record(circuit, batch, first, len);
        len
    }

    /// Makes the first of these transitions, for the children from `first` on; returns how many.
    fn expand<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
        children: &mut LaneBatch,
        first: usize,
    ) -> usize {
        let len = Self::LANES.min(of.len());
        let turn = self.transition(program, parents, &of[..len], moves);
        let next = program.search_circuit(turn);
        let states = &mut children.states[first * children.state_words..];
        self.store((&program.bases, &program.base_rows), states, len);
        self.lanes.run(&next.legal_code);
        self.record(next, children, first, len);
        len
    }

    /// Makes the first of these transitions, and packs the states after them; returns how many.
    fn successors<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
        states: &mut [u64],
    ) -> usize {
        let len = Self::LANES.min(of.len());
        self.transition(program, parents, &of[..len], moves);
        self.store((&program.bases, &program.base_rows), states, len);
        len
    }

    /// Makes transitions from these states, one in each lane; returns the next turn.
    fn transition<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
    ) -> Option<usize> {
        self.lanes.load(program, &parents.states, of);
        let turn = program.turn_of_all(|base| self.holds(program.bases[base], of.len()));
        let now = program.search_circuit(turn);
        self.mark(now, moves, of.len());
        self.lanes.run(&now.direct_transition_code);
        self.lanes.advance(&now.direct_advance, [0; W]);
        // Not earlier: a fluent's next value may be read from the slot of a move.
        self.unmark(now, moves, of.len());
        program.turn_after(turn)
    }

    /// Writes the slots `from` in the first `len` lanes to the first of these rows. All bits of the rows must be clear before.
    fn store<P: SlotIndex>(
        &mut self,
        (from, layout): (&[P], &RowLayout<P>),
        rows: &mut [u64],
        len: usize,
    ) {
        self.lanes.arch.dispatch(StoreRows {
            from,
            layout,
            slots: self.lanes.memory.slots::<P, W>(),
            block: &mut self.lanes.block,
            rows: &mut rows[..len * layout.len],
            lanes: len,
        });
    }

    /// Whether a slot is set in all of the first `len` lanes or in none of them; `None` if in some.
    fn holds<P: SlotIndex>(&mut self, slot: P, len: usize) -> Option<bool> {
        let slot = self.lanes.memory.slots::<P, W>().at(slot);
        let (mut all, mut none) = (true, true);
        for w in 0..W {
            let lanes = first_lanes(w, len);
            all &= slot[w] & lanes == lanes;
            none &= slot[w] & lanes == 0;
        }
        (all || none).then_some(all)
    }

    /// Marks the joint moves of the first `len` lanes.
    fn mark<P: SlotIndex>(&mut self, circuit: &PackedCircuit<P>, moves: &[u32], len: usize) {
        let slots = self.lanes.memory.slots::<P, W>();
        let marks: &Marks<P> = &circuit.marks;
        let roles = circuit.roles.len();
        for (w, moves) in moves[..len * roles].chunks(64 * roles.max(1)).enumerate() {
            for role in 0..roles {
                let input = |lane: usize| moves[lane * roles + role];
                let (mut lane, lanes) = (0, moves.len() / roles);
                while lane < lanes {
                    let (first, marked) = (lane, input(lane));
                    // A waiting role makes the same move in many lanes.
                    while lane < lanes && input(lane) == marked {
                        lane += 1;
                    }
                    let run = (!0 >> (64 - (lane - first))) << first;
                    for slot in marks.of(marked) {
                        slots.at_mut(*slot)[w] |= run;
                    }
                }
            }
        }
    }

    /// Clears the marks of the first `len` lanes.
    fn unmark<P: SlotIndex>(&mut self, circuit: &PackedCircuit<P>, moves: &[u32], len: usize) {
        let slots = self.lanes.memory.slots::<P, W>();
        let marks: &Marks<P> = &circuit.marks;
        let moves = &moves[..len * circuit.roles.len()];
        if moves.len() < marks.all.len() {
            for slot in moves.iter().flat_map(|input| marks.of(*input)) {
                *slots.at_mut(*slot) = [0; W];
            }
        } else {
            for slot in &marks.all {
                *slots.at_mut(*slot) = [0; W];
            }
        }
    }

    /// Records legal moves, ends and goals in `batch`.
    fn record<P: SlotIndex>(
        &mut self,
        circuit: &PackedCircuit<P>,
        batch: &mut LaneBatch,
        first: usize,
        len: usize,
    ) {
        batch.legal.begin_pass(first..first + len);
        self.lanes.arch.dispatch(StoreMoves {
            circuit,
            slots: self.lanes.memory.slots::<P, W>(),
            block: &mut self.lanes.block,
            moves: &mut batch.legal,
            lanes: len,
        });
        let mut ended = *self.lanes.memory.slots::<P, W>().at(circuit.terminal);
        for w in 0..W {
            ended[w] &= first_lanes(w, len);
        }
        for lane in 0..len {
            batch.is_terminal[first + lane] = ended[lane / 64] >> (lane % 64) & 1 != 0;
        }
        if ended != [0; W] {
            let roles = circuit.roles.len();
            let goals = &mut batch.goals[first * roles..];
            let report = |lane, role, value| goals[lane * roles + role] = value;
            self.lanes.goals(circuit, ended, report);
        }
    }
}
