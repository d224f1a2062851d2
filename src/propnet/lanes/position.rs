//! One state at a time.

use std::sync::Arc;

use pulp::Arch;

use crate::propnet::lanes::code::Run;
use crate::propnet::lanes::memory::{Memory, Place, Slots};
use crate::propnet::lanes::program::{Packed, Program};
use crate::propnet::lanes::width::{Width, either};

/// One state at a time, with as little delay as one pass over the gates takes. What was computed for a state is kept
/// until another state is asked about.
#[derive(Debug)]
pub struct Position {
    width: Width<Lane<u16>, Lane<u32>>,
}

impl Position {
    /// Working memory for a program.
    pub fn new(program: &Program) -> Self {
        let width = program.width.map(Lane::new, Lane::new);
        Self { width }
    }

    /// Whether the game is over in `state`.
    pub fn is_terminal(&mut self, state: &[u64]) -> bool {
        either!(&mut self.width, lane => {
            lane.enter(state);
            lane.is_terminal
        })
    }

    /// Replaces `moves` by what `role` may do in `state`, as numbers of inputs, ascending.
    pub fn legal(&mut self, state: &[u64], role: usize, moves: &mut Vec<u32>) {
        either!(&mut self.width, lane => lane.legal(state, role, moves));
    }

    /// What `role` gets if the game ends in `state`: none unless exactly one value holds.
    pub fn goal(&mut self, state: &[u64], role: usize) -> Option<u8> {
        either!(&mut self.width, lane => {
            lane.judge(state);
            lane.goals[role]
        })
    }

    /// Writes to `next` the state after `state` in which each role makes its move of `joint`, a number of an input.
    pub fn next(&mut self, state: &[u64], joint: &[u32], next: &mut [u64]) {
        either!(&mut self.width, lane => lane.step(state, joint, next));
    }
}

/// What the slots hold at the moment. Each program may overwrite what the ones before it left, except for what the
/// next one reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The outputs of `look`.
    Looked,
    /// The outputs of `judge`; enough of `look` to go on with `step`.
    Judged,
    /// Neither.
    Stale,
}

#[derive(Debug)]
struct Lane<P> {
    program: Arc<Packed<P>>,
    memory: Memory,
    arch: Arch,
    state: Vec<u64>,
    /// The phase that the state is in.
    phase: Option<usize>,
    stage: Stage,
    is_terminal: bool,
    /// Whether `goals` are those of `state`.
    is_judged: bool,
    goals: Vec<Option<u8>>,
}

impl<P: Place> Lane<P> {
    fn new(program: &Arc<Packed<P>>) -> Self {
        let mut lane = Self {
            program: Arc::clone(program),
            memory: Memory::new::<P, 1>(program.slots),
            arch: Arch::new(),
            state: vec![0; program.state_words()],
            phase: None,
            stage: Stage::Stale,
            is_terminal: false,
            is_judged: false,
            goals: vec![None; program.roles.len()],
        };
        lane.look();
        lane
    }

    /// Makes `state` the one that is looked at.
    fn enter(&mut self, state: &[u64]) {
        if self.state == state {
            return;
        }
        let slots = self.memory.slots::<P, 1>();
        for (bases, (old, new)) in self
            .program
            .bases
            .chunks(64)
            .zip(self.state.iter_mut().zip(state))
        {
            let mut changed = *old ^ *new;
            *old = *new;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                *slots.at_mut(bases[bit as usize]) = [0_u64.wrapping_sub(*new >> bit & 1)];
                changed &= changed - 1;
            }
        }
        self.phase = self.program.phase(state);
        self.look();
        self.is_judged = false;
    }

    fn look(&mut self) {
        let program = self.program.in_phase(self.phase);
        let slots = self.memory.slots::<P, 1>();
        self.arch.dispatch(Run {
            code: &program.look,
            slots,
        });
        self.is_terminal = slots.at(program.terminal)[0] & 1 != 0;
        self.stage = Stage::Looked;
    }

    fn legal(&mut self, state: &[u64], role: usize, moves: &mut Vec<u32>) {
        self.enter(state);
        if self.stage != Stage::Looked {
            self.look();
        }
        moves.clear();
        let program = self.program.in_phase(self.phase);
        let slots = self.memory.slots::<P, 1>();
        let of_role = program.roles[role].clone();
        for (legal, input) in program.legal[of_role.clone()].iter().zip(of_role) {
            if slots.at(*legal)[0] & 1 != 0 {
                moves.push(input as u32);
            }
        }
    }

    fn judge(&mut self, state: &[u64]) {
        self.enter(state);
        if self.is_judged {
            return;
        }
        if self.stage == Stage::Stale {
            self.look();
        }
        let program = self.program.in_phase(self.phase);
        let slots = self.memory.slots::<P, 1>();
        self.arch.dispatch(Run {
            code: &program.judge,
            slots,
        });
        for (goal, values) in self.goals.iter_mut().zip(&program.goals) {
            let mut holding = values.iter().filter(|(_, at)| slots.at(*at)[0] & 1 != 0);
            *goal = match (holding.next(), holding.next()) {
                (Some((value, _)), None) => Some(*value),
                _ => None,
            };
        }
        self.stage = Stage::Judged;
        self.is_judged = true;
    }

    fn step(&mut self, state: &[u64], joint: &[u32], next: &mut [u64]) {
        self.enter(state);
        if self.stage == Stage::Stale {
            self.look();
        }
        let program = self.program.in_phase(self.phase);
        let slots = self.memory.slots::<P, 1>();
        for input in joint {
            *slots.at_mut(program.does[*input as usize]) = [!0];
        }
        self.arch.dispatch(Run {
            code: &program.step,
            slots,
        });
        for (word, fluents) in next.iter_mut().zip(program.next.chunks(64)) {
            *word = 0;
            for (bit, fluent) in fluents.iter().enumerate() {
                *word |= ((slots.at(fluent.slot)[0] ^ fluent.flip) & 1) << bit;
            }
        }
        for input in joint {
            *slots.at_mut(program.does[*input as usize]) = [0];
        }
        self.stage = Stage::Stale;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::propnet::circuit::Circuit;
    use crate::propnet::lanes::fixture::{self, Naive, Shape};

    /// Plays the first, the last, the second legal moves, and compares everything with the plain evaluator.
    fn compare(circuit: &Circuit, plies: usize) {
        let mut position = Position::new(&Program::new(circuit));
        let mut state = fixture::pack(&circuit.initial);
        for ply in 0..plies {
            let naive = || Naive::new(circuit, &state);
            let roles = 0..circuit.roles.len();
            let mut joint = Vec::new();
            for role in roles.clone() {
                let mut moves = vec![7];
                position.legal(&state, role, &mut moves);
                assert_eq!(moves, naive().legal(role), "ply {ply}");
                joint.extend(moves.get((ply * 5 + role) % moves.len().max(1)));
                assert_eq!(position.goal(&state, role), naive().goal(role), "ply {ply}");
            }
            assert_eq!(position.is_terminal(&state), naive().is_terminal());
            let mut next = vec![!0; state.len()];
            position.next(&state, &joint, &mut next);
            assert_eq!(next, naive().next(&joint), "ply {ply}");
            position.next(&state, &joint, &mut state.clone());
            state = next;
        }
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        let circuit = fixture::nim(9, 3);
        compare(&circuit, 12);
        let mut position = Position::new(&Program::new(&circuit));
        let mut over = [1 << 0 | 1 << 10];
        assert!(position.is_terminal(&over));
        assert_eq!(
            [0, 1].map(|r| position.goal(&over, r)),
            [Some(0), Some(100)]
        );
        over[0] |= 1 << 11;
        assert_eq!(position.goal(&over, 0), None, "two values hold");
    }

    #[test]
    fn a_loop_goes_on_until_nothing_changes() {
        compare(&fixture::ring(70), 75);
    }

    #[test]
    fn more_slots_than_sixteen_bits_tell_apart() {
        let mut circuit = fixture::nim(9, 3);
        fixture::shift(&mut circuit, 70_000);
        compare(&circuit, 12);
    }

    proptest! {
        #[test]
        fn random_circuits(
            bases in 1_usize..140, moves in proptest::collection::vec(1_usize..90, 1..4),
            gates in 1_usize..300, seed: u64,
        ) {
            compare(&fixture::random(&Shape { bases, moves, gates, seed }), 6);
        }
    }
}
