//! [`SingleLane`]: evaluates one state at a time.

use std::sync::Arc;

use pulp::Arch;

use crate::propnet::lanes::code::RunCode;
use crate::propnet::lanes::executor::{IndexWidth, either};
use crate::propnet::lanes::marks::Marks;
use crate::propnet::lanes::memory::{LaneMemory, SlotArray, SlotIndex};
use crate::propnet::lanes::program::{LaneProgram, PackedProgram};

/// Evaluates one state at a time, with the latency of one pass over the gates. The values computed for a state are kept until
/// another state is asked for.
#[derive(Debug)]
pub struct SingleLane {
    inner: IndexWidth<LaneState<u16>, LaneState<u32>>,
}

impl SingleLane {
    /// Working memory for a program.
    pub fn new(program: &LaneProgram) -> Self {
        let inner = program.packed.map(LaneState::new, LaneState::new);
        Self { inner }
    }

    /// Whether the game is over in `state`.
    pub fn is_terminal(&mut self, state: &[u64]) -> bool {
        either!(&mut self.inner, lane => {
            lane.enter(state);
            lane.is_terminal
        })
    }

    /// Replaces `moves` by the legal moves of `role` in `state`, as numbers of inputs, ascending.
    pub fn legal(&mut self, state: &[u64], role: usize, moves: &mut Vec<u32>) {
        either!(&mut self.inner, lane => lane.legal(state, role, moves));
    }

    /// The goal of `role` in `state`, if exactly one value holds.
    pub fn goal(&mut self, state: &[u64], role: usize) -> Option<u8> {
        either!(&mut self.inner, lane => {
            lane.compute_goals(state);
            lane.goals[role]
        })
    }

    /// Writes to `next` the successor of `state` by `joint`, which has one move (the number of an input) per role.
    pub fn next(&mut self, state: &[u64], joint: &[u32], next: &mut [u64]) {
        either!(&mut self.inner, lane => lane.next(state, joint, next));
    }
}

/// Which outputs the slots hold. Each part of the code may overwrite what the parts before it computed, except for what the
/// next part reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Computed {
    /// Those of `legal_code`.
    Legal,
    /// Those of `goal_code`, and what `transition_code` reads of those of `legal_code`.
    Goals,
    /// None.
    Nothing,
}

#[derive(Debug)]
struct LaneState<P> {
    program: Arc<PackedProgram<P>>,
    memory: LaneMemory,
    arch: Arch,
    state: Vec<u64>,
    /// Whether anything was computed for `state`.
    is_evaluated: bool,
    /// Whose turn it is in `state`.
    turn: Option<usize>,
    computed: Computed,
    is_terminal: bool,
    /// Whether `goals` are those of `state`.
    has_goals: bool,
    goals: Vec<Option<u8>>,
}

impl<P: SlotIndex> LaneState<P> {
    fn new(program: &Arc<PackedProgram<P>>) -> Self {
        Self {
            program: Arc::clone(program),
            memory: LaneMemory::new::<P, 1>(program.slots),
            arch: program.arch,
            state: vec![0; program.state_words()],
            is_evaluated: false,
            turn: None,
            computed: Computed::Nothing,
            is_terminal: false,
            has_goals: false,
            goals: vec![None; program.roles.len()],
        }
    }

    /// Makes `state` the current one.
    fn enter(&mut self, state: &[u64]) {
        if self.is_evaluated && self.state == state {
            return;
        }
        self.is_evaluated = true;
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
        self.turn = self.program.turn(state);
        self.run_legal();
        self.has_goals = false;
    }

    fn run_legal(&mut self) {
        let circuit = self.program.search_circuit(self.turn);
        let slots = self.memory.slots::<P, 1>();
        self.arch.dispatch(RunCode {
            code: &circuit.legal_code,
            slots,
        });
        self.is_terminal = slots.at(circuit.terminal)[0] & 1 != 0;
        self.computed = Computed::Legal;
    }

    fn legal(&mut self, state: &[u64], role: usize, moves: &mut Vec<u32>) {
        self.enter(state);
        if self.computed != Computed::Legal {
            self.run_legal();
        }
        moves.clear();
        let circuit = self.program.search_circuit(self.turn);
        let slots = self.memory.slots::<P, 1>();
        let of_role = circuit.roles[role].clone();
        for (legal, input) in circuit.legal[of_role.clone()].iter().zip(of_role) {
            if slots.at(*legal)[0] & 1 != 0 {
                moves.push(input as u32);
            }
        }
    }

    fn compute_goals(&mut self, state: &[u64]) {
        self.enter(state);
        if self.has_goals {
            return;
        }
        if self.computed == Computed::Nothing {
            self.run_legal();
        }
        let circuit = self.program.search_circuit(self.turn);
        let slots = self.memory.slots::<P, 1>();
        self.arch.dispatch(RunCode {
            code: &circuit.goal_code,
            slots,
        });
        for (goal, values) in self.goals.iter_mut().zip(&circuit.goals) {
            let mut holding = values.iter().filter(|(_, at)| slots.at(*at)[0] & 1 != 0);
            *goal = match (holding.next(), holding.next()) {
                (Some((value, _)), None) => Some(*value),
                _ => None,
            };
        }
        self.computed = Computed::Goals;
        self.has_goals = true;
    }

    fn next(&mut self, state: &[u64], joint: &[u32], next: &mut [u64]) {
        self.enter(state);
        let circuit = self.program.search_circuit(self.turn);
        if self.computed == Computed::Nothing && !circuit.is_direct_only {
            self.run_legal();
        }
        let circuit = self.program.search_circuit(self.turn);
        let slots = self.memory.slots::<P, 1>();
        let of_moves: &Marks<P> = &circuit.marks;
        let marks = joint.iter().flat_map(|input| of_moves.of(*input));
        marks.clone().for_each(|slot| *slots.at_mut(*slot) = [!0]);
        self.arch.dispatch(RunCode {
            code: circuit.transition(),
            slots,
        });
        for (word, fluents) in next.iter_mut().zip(circuit.next.chunks(64)) {
            *word = 0;
            for (bit, fluent) in fluents.iter().enumerate() {
                *word |= ((slots.at(fluent.slot)[0] ^ fluent.flip) & 1) << bit;
            }
        }
        marks.for_each(|slot| *slots.at_mut(*slot) = [0]);
        self.computed = Computed::Nothing;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::propnet::circuit::Circuit;
    use crate::propnet::lanes::fixture::{self, Naive, RandomCircuit};

    /// Plays the first, the last, the second legal moves, and compares everything with the reference evaluator.
    fn compare(circuit: &Circuit, plies: usize) {
        fixture::programs(circuit).for_each(|program| compare_program(circuit, &program, plies));
    }

    fn compare_program(circuit: &Circuit, program: &LaneProgram, plies: usize) {
        let mut position = SingleLane::new(program);
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
        let mut position = SingleLane::new(&LaneProgram::new(&circuit));
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
    fn a_loop_runs_to_its_fixed_point() {
        compare(&fixture::ring(70), 75);
    }

    #[test]
    fn more_slots_than_16_bits_can_address() {
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
            compare(&fixture::random(&RandomCircuit { bases, moves, gates, seed }), 6);
        }
    }
}
