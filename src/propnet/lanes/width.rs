//! Slot numbers of two sizes, and lanes of two widths: what is small is spared what is large.

use std::sync::Arc;

use pulp::Arch;

use crate::propnet::lanes::code::{Code, Run};
use crate::propnet::lanes::memory::{Memory, Place, Slots, Vector};
use crate::propnet::lanes::ops::{Advancing, Loading, exactly_one, lanes_in};
use crate::propnet::lanes::program::{Advance, Packed};
use crate::propnet::lanes::transpose::Block;

/// The same thing for slot numbers of 16 or of 32 bits.
#[derive(Debug, Clone)]
pub(super) enum Width<N, W> {
    Narrow(N),
    Wide(W),
}

impl<N, W> Width<N, W> {
    /// What `narrow` or `wide` makes of it.
    pub(super) fn map<A, B>(
        &self,
        narrow: impl FnOnce(&N) -> A,
        wide: impl FnOnce(&W) -> B,
    ) -> Width<A, B> {
        match self {
            Self::Narrow(of) => Width::Narrow(narrow(of)),
            Self::Wide(of) => Width::Wide(wide(of)),
        }
    }
}

/// Does the same, whatever the size of slot numbers.
macro_rules! either {
    ($width:expr, $of:ident => $then:expr) => {
        match $width {
            crate::propnet::lanes::width::Width::Narrow($of) => $then,
            crate::propnet::lanes::width::Width::Wide($of) => $then,
        }
    };
}
pub(super) use either;

/// So many lanes the larger of two executors has.
pub(super) const MANY: usize = 512;
/// So many the smaller one.
pub(super) const FEW: usize = 64;

/// A program, and what runs it in few lanes and in many.
#[derive(Debug)]
pub(super) struct FewOrMany<P, F, M> {
    pub(super) program: Arc<Packed<P>>,
    pub(super) few: F,
    pub(super) many: M,
}

/// What runs a program in lanes of one width.
pub(super) trait Executor<P> {
    fn new(program: &Packed<P>) -> Self;
}

impl<P, F: Executor<P>, M: Executor<P>> FewOrMany<P, F, M> {
    pub(super) fn new(program: &Arc<Packed<P>>) -> Self {
        Self {
            program: Arc::clone(program),
            few: F::new(program),
            many: M::new(program),
        }
    }
}

/// Lanes that hold states.
#[derive(Debug)]
pub(super) struct Lanes<const W: usize> {
    pub(super) arch: Arch,
    pub(super) memory: Memory,
    pub(super) block: Box<Block<W>>,
    /// What no lane starts from.
    start: Vec<u64>,
}

impl<const W: usize> Lanes<W> {
    pub(super) fn new<P: Place>(program: &Packed<P>) -> Self {
        Self {
            arch: Arch::new(),
            memory: Memory::new::<P, W>(program.slots),
            block: Box::new([[0; W]; 64]),
            start: vec![0; program.bases.len()],
        }
    }

    pub(super) fn run<P: Place>(&mut self, code: &Code<P>) {
        let slots = self.memory.slots::<P, W>();
        self.arch.dispatch(Run { code, slots });
    }

    /// Puts packed states, of which `of` gives the numbers, into the lanes.
    pub(super) fn load<P: Place>(&mut self, program: &Packed<P>, states: &[u64], of: &[u32]) {
        self.arch.dispatch(Loading {
            bases: &program.bases,
            slots: self.memory.slots::<P, W>(),
            block: &mut self.block,
            states,
            words: program.state_words(),
            of,
        });
    }

    /// Goes on to the next states, in all lanes but those that wait.
    pub(super) fn advance<P: Place>(&mut self, bases: &Advance<P>, waiting: Vector<W>) {
        self.arch.dispatch(Advancing {
            bases,
            start: &self.start,
            slots: self.memory.slots::<P, W>(),
            starting: [0; W],
            waiting,
        });
    }

    /// Judges, and tells the lane, the role and its goal wherever the game has ended and exactly one value holds.
    pub(super) fn judge<P: Place>(
        &mut self,
        program: &Packed<P>,
        ended: Vector<W>,
        mut tell: impl FnMut(usize, usize, u8),
    ) {
        self.run(&program.judge);
        let slots = self.memory.slots::<P, W>();
        for (role, values) in program.goals.iter().enumerate() {
            let single = exactly_one::<P, W>(values, slots);
            for (value, slot) in values {
                let mut holds = *slots.at(*slot);
                for w in 0..W {
                    holds[w] &= single[w] & ended[w];
                }
                lanes_in(holds).for_each(|lane| tell(lane, role, *value));
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
    use crate::propnet::lanes::memory::Slots;
    use crate::propnet::lanes::ops::Choosing;
    use crate::propnet::lanes::program::Program;

    const W: usize = 8;

    /// All that the slots hold after a look, random moves and a step.
    fn after_a_step<P: Place>(
        arch: Arch,
        program: &Packed<P>,
        states: &[u64],
        of: &[u32],
    ) -> Vec<Vector<W>> {
        let mut lanes = Lanes::<W>::new(program);
        lanes.arch = arch;
        lanes.load(program, states, of);
        lanes.run(&program.look);
        let mut generators = vec![Generators::IDLE; W];
        for lane in 0..64 * W {
            generators[lane / 64].set(lane % 64, Generator::new(3, lane as u64));
        }
        let mut chooser = Chooser::<P, 4>::new(&program.legal, &program.does, &program.roles);
        lanes.arch.dispatch(Choosing {
            chooser: &mut chooser,
            slots: lanes.memory.slots::<P, W>(),
            generators: &mut generators,
        });
        lanes.run(&program.step);
        lanes.advance(&program.advance, [0; W]);
        let slots = lanes.memory.slots::<P, W>();
        let all = (0..program.slots).map(|slot| *slots.at(P::pack(slot as u32)));
        all.collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Words one by one, as on a processor of which nothing is known, and the widest vectors there are.
        #[test]
        fn plain_words_are_as_good_as_vectors(
            bases in 1_usize..140, moves in prop::collection::vec(1_usize..90, 1..4),
            gates in 1_usize..200, seed: u64,
        ) {
            let circuit = fixture::random(&fixture::Shape { bases, moves, gates, seed });
            let words = bases.div_ceil(64);
            let states: Vec<u64> = (0..64 * W * words)
                .map(|word| seed.wrapping_add(word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect();
            let of: Vec<u32> = (0..64 * W as u32).collect();
            either!(&Program::new(&circuit).width, program => {
                let [plain, wide] = [Arch::Scalar, Arch::new()]
                    .map(|arch| after_a_step(arch, program, &states, &of));
                prop_assert_eq!(plain, wide);
            });
        }
    }
}
