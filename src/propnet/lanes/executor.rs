//! What executors share: slot numbers of two sizes, and lanes that hold states, in slots of some width.

use pulp::Arch;

use crate::propnet::lanes::code::{Code, RunCode};
use crate::propnet::lanes::memory::{LaneMemory, SlotArray, SlotIndex, Vector};
use crate::propnet::lanes::ops::{AdvanceState, exactly_one, lanes_in};
use crate::propnet::lanes::packing::LoadStates;
use crate::propnet::lanes::program::{PackedCircuit, PackedProgram, StateUpdate};
use crate::propnet::lanes::transpose::BitBlock;

/// The same thing for slot numbers of 16 or of 32 bits.
#[derive(Debug, Clone)]
pub(super) enum IndexWidth<N, W> {
    Narrow(N),
    Wide(W),
}

impl<N, W> IndexWidth<N, W> {
    /// Maps either variant.
    pub(super) fn map<A, B>(
        &self,
        narrow: impl FnOnce(&N) -> A,
        wide: impl FnOnce(&W) -> B,
    ) -> IndexWidth<A, B> {
        match self {
            Self::Narrow(of) => IndexWidth::Narrow(narrow(of)),
            Self::Wide(of) => IndexWidth::Wide(wide(of)),
        }
    }
}

/// Evaluates the same expression for either size of slot numbers.
macro_rules! either {
    ($width:expr, $of:ident => $then:expr) => {
        match $width {
            crate::propnet::lanes::executor::IndexWidth::Narrow($of) => $then,
            crate::propnet::lanes::executor::IndexWidth::Wide($of) => $then,
        }
    };
}
pub(super) use either;

/// The lanes of the largest executor.
pub(super) const MANY: usize = 512;
/// The lanes of the smallest one: few states are not worth a pass over wide slots.
pub(super) const FEW: usize = 64;

/// Working memory of slots of one width, with operations on all lanes.
#[derive(Debug)]
pub(super) struct StateLanes<const W: usize> {
    pub(super) arch: Arch,
    pub(super) memory: LaneMemory,
    pub(super) block: Box<BitBlock<W>>,
    /// A start state that no lane uses.
    start: Vec<u64>,
}

impl<const W: usize> StateLanes<W> {
    pub(super) fn new<P: SlotIndex>(program: &PackedProgram<P>) -> Self {
        Self {
            arch: program.arch,
            memory: LaneMemory::new::<P, W>(program.slots),
            block: Box::new([[0; W]; 64]),
            start: vec![0; program.bases.len()],
        }
    }

    pub(super) fn run<P: SlotIndex>(&mut self, code: &Code<P>) {
        let slots = self.memory.slots::<P, W>();
        self.arch.dispatch(RunCode { code, slots });
    }

    /// Loads packed states into the lanes: lane `i` gets state `of[i]`.
    pub(super) fn load<P: SlotIndex>(
        &mut self,
        program: &PackedProgram<P>,
        states: &[u64],
        of: &[u32],
    ) {
        self.arch.dispatch(LoadStates {
            bases: &program.bases,
            slots: self.memory.slots::<P, W>(),
            block: &mut self.block,
            states,
            words: program.state_words(),
            of,
        });
    }

    /// Makes the next states the current ones, in all lanes but those that wait.
    pub(super) fn advance<P: SlotIndex>(&mut self, bases: &StateUpdate<P>, waiting: Vector<W>) {
        self.arch.dispatch(AdvanceState {
            bases,
            start: &self.start,
            slots: self.memory.slots::<P, W>(),
            starting: [0; W],
            waiting,
        });
    }

    /// Computes the goals, and reports lane, role and goal wherever the game has ended and exactly one value holds.
    pub(super) fn goals<P: SlotIndex>(
        &mut self,
        circuit: &PackedCircuit<P>,
        ended: Vector<W>,
        mut report: impl FnMut(usize, usize, u8),
    ) {
        self.run(&circuit.goal_code);
        let slots = self.memory.slots::<P, W>();
        for (role, values) in circuit.goals.iter().enumerate() {
            let single = exactly_one::<P, W>(values, slots);
            for (value, slot) in values {
                let mut holds = *slots.at(*slot);
                for w in 0..W {
                    holds[w] &= single[w] & ended[w];
                }
                lanes_in(holds).for_each(|lane| report(lane, role, *value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::propnet::lanes::choose::Chooser;
    use crate::propnet::lanes::fixture;
    use crate::propnet::lanes::generator::{Generator, Generators};
    use crate::propnet::lanes::memory::SlotArray;
    use crate::propnet::lanes::ops::ChooseMoves;
    use crate::propnet::lanes::program::LaneProgram;

    const W: usize = 8;

    /// The contents of all slots after a random ply.
    fn after_a_ply<P: SlotIndex>(
        arch: Arch,
        program: &PackedProgram<P>,
        states: &[u64],
        of: &[u32],
    ) -> Vec<Vector<W>> {
        let mut lanes = StateLanes::<W>::new(program);
        lanes.arch = arch;
        lanes.load(program, states, of);
        let circuit = program.whole();
        lanes.run(&circuit.legal_code);
        let mut generators = vec![Generators::IDLE; W];
        for lane in 0..64 * W {
            generators[lane / 64].set(lane % 64, Generator::new(3, lane as u64));
        }
        let mut chooser = Chooser::<P, 4>::new(circuit);
        lanes.arch.dispatch(ChooseMoves {
            chooser: &mut chooser,
            slots: lanes.memory.slots::<P, W>(),
            generators: &mut generators,
        });
        lanes.run(&circuit.transition_code);
        lanes.advance(&circuit.advance, [0; W]);
        let slots = lanes.memory.slots::<P, W>();
        let all = (0..program.slots).map(|slot| *slots.at(P::pack(slot as u32)));
        all.collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Scalar words against the widest vectors of this processor.
        #[test]
        fn scalar_and_vector_code_agree(
            bases in 1_usize..140, moves in prop::collection::vec(1_usize..90, 1..4),
            gates in 1_usize..200, seed: u64,
        ) {
            let circuit = fixture::random(&fixture::RandomCircuit { bases, moves, gates, seed });
            let words = bases.div_ceil(64);
            let states: Vec<u64> = (0..64 * W * words)
                .map(|word| seed.wrapping_add(word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect();
            let of: Vec<u32> = (0..64 * W as u32).collect();
            either!(&LaneProgram::new(&circuit).packed, program => {
                let [plain, wide] = [Arch::Scalar, Arch::new()]
                    .map(|arch| after_a_ply(arch, program, &states, &of));
                prop_assert_eq!(plain, wide);
            });
        }
    }
}
