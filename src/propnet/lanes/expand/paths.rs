//! Counts paths from the states of a batch without packing those between.

use crate::propnet::lanes::batch::LaneBatch;
use crate::propnet::lanes::executor::{FEW, MANY, either};
use crate::propnet::lanes::expand::{Expander, ExpanderByWidth, ExpanderLanes};
use crate::propnet::lanes::memory::{SlotArray, SlotIndex, Vector};
use crate::propnet::lanes::mobility::CountJointMoves;
use crate::propnet::lanes::ops::first_lanes;
use crate::propnet::lanes::pairs::TransitionPairs;
use crate::propnet::lanes::paths::LanePathCounter;
use crate::propnet::lanes::program::{PackedCircuit, PackedProgram};

/// Paths of more plies are not counted from a batch at once.
const MOST_PLIES: u32 = 5;

/// Whether paths of several plies can be counted without making states, and what does.
#[derive(Debug)]
pub(super) enum Paths<const W: usize, const C: usize> {
    Untried,
    Counted(Box<LanePathCounter<W, C>>),
    Uncounted,
}

impl Expander {
    /// How many paths of `plies` joint moves there are from all states of a batch together, if it can be counted without packing
    /// states; two plies always can.
    pub fn paths(&mut self, batch: &LaneBatch, plies: u32) -> Option<u64> {
        let gates = || either!(&self.inner, expander => expander.program.legal_gates());
        let at_once = (3..=MOST_PLIES).contains(&plies) && batch.is_crowded(plies, gates());
        self.paths_by(batch, plies, at_once)
    }

    /// The same with every joint move made in all lanes `at_once`, or in a lane of its own.
    pub(in crate::propnet::lanes) fn paths_by(
        &mut self,
        batch: &LaneBatch,
        plies: u32,
        at_once: bool,
    ) -> Option<u64> {
        let pairs = &mut self.pairs;
        either!(&mut self.inner, expander => match plies {
            _ if at_once => expander.paths(batch, plies),
            2 | 3 => expander.paths_after_moves(batch, plies - 1, pairs),
            _ => None,
        })
    }
}

impl<P: SlotIndex> ExpanderByWidth<P> {
    /// The number of paths of one or two plies that follow all joint moves of the states of a batch, each made in a lane of its
    /// own.
    fn paths_after_moves(
        &mut self,
        batch: &LaneBatch,
        plies: u32,
        pairs: &mut TransitionPairs,
    ) -> Option<u64> {
        let mut all = 0_u64;
        pairs.restart();
        while pairs.advance(batch, MANY) {
            let TransitionPairs { of, moves, .. } = &*pairs;
            let counted = match (plies, of.len()) {
                (1, 0..=FEW) => (self.few).joint_moves_after(&self.program, batch, of, moves),
                (plies, _) => {
                    let (program, many) = self.many();
                    match plies {
                        2 => many.two_plies_after(program, batch, of, moves)?,
                        _ => many.joint_moves_after(program, batch, of, moves),
                    }
                }
            };
            all = all.saturating_add(counted);
        }
        Some(all)
    }

    fn paths(&mut self, batch: &LaneBatch, plies: u32) -> Option<u64> {
        let (mut first, mut all) = (0, 0_u64);
        let (program, many) = self.many();
        while first < batch.len {
            let (done, counted) = many.paths_of_batch(program, batch, first, plies);
            all = all.saturating_add(counted?);
            first += done;
        }
        Some(all)
    }
}

impl<const W: usize, const C: usize> ExpanderLanes<W, C> {
    /// Makes these transitions; returns the number of paths of two plies after them, if it can be counted.
    fn two_plies_after<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
    ) -> Option<u64> {
        if matches!(self.paths, Paths::Uncounted) {
            return None;
        }
        let turn = self.transition(program, parents, of, moves);
        let lanes = std::array::from_fn(|w| first_lanes(w, of.len()));
        self.paths(program, turn, lanes, 2)
    }

    /// Makes these transitions; returns the number of joint moves after them.
    fn joint_moves_after<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
    ) -> u64 {
        let len = of.len();
        let turn = self.transition(program, parents, of, moves);
        let next = program.search_circuit(turn);
        self.lanes.run(&next.legal_code);
        let ended = *self.lanes.memory.slots::<P, W>().at(next.terminal);
        let goes_on = std::array::from_fn(|w| first_lanes(w, len) & !ended[w]);
        self.joint_moves(next, goes_on)
    }

    /// The number of joint moves in these lanes.
    fn joint_moves<P: SlotIndex>(&mut self, circuit: &PackedCircuit<P>, lanes: Vector<W>) -> u64 {
        self.lanes.arch.dispatch(CountJointMoves::<P, W, C> {
            moves: &circuit.moves,
            slots: self.lanes.memory.slots::<P, W>(),
            lanes,
            choices: &mut self.choices,
        })
    }

    /// The number of paths of two or more plies from these lanes, if it can be counted.
    fn paths<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        turn: Option<usize>,
        lanes: Vector<W>,
        plies: u32,
    ) -> Option<u64> {
        if turn.is_none() != (program.turn_count() == 0) {
            return None;
        }
        if matches!(self.paths, Paths::Untried) {
            let counter = LanePathCounter::new(program).map(Box::new);
            self.paths = counter.map_or(Paths::Uncounted, Paths::Counted);
        }
        let Paths::Counted(counter) = &mut self.paths else {
            return None;
        };
        let counted = counter.count(&mut self.lanes, program, turn, lanes, plies);
        if counted.is_none() {
            self.paths = Paths::Uncounted;
        }
        counted
    }

    /// The number of paths of `plies` plies from the states of a batch from `first` on, all moves in all lanes, if that is
    /// cheaper than to make the states one by one; and of how many states.
    fn paths_of_batch<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        batch: &LaneBatch,
        first: usize,
        plies: u32,
    ) -> (usize, Option<u64>) {
        let len = Self::LANES.min(batch.len - first);
        let of: [u32; MANY] = std::array::from_fn(|i| (first + i) as u32);
        self.lanes.load(program, &batch.states, &of[..len]);
        let turn = program.turn_of_all(|base| self.holds(program.bases[base], len));
        let lanes = std::array::from_fn(|w| first_lanes(w, len));
        (len, self.paths(program, turn, lanes, plies))
    }
}
