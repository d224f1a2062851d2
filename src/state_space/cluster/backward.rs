//! Values of the states of all workers, from the ends backwards.

use serde::{Deserialize, Serialize};

use super::worker::ClusterWorker;
use super::worker_graph::{BackwardGraph, WorkerGraph};
use super::worker_states::{WORDS_AT_ONCE, WorkerStates};
use super::{ClusterError, ClusterQuestion, ClusterStage};
use crate::game::{Role, StateMachine};
use crate::state_space::kind::StateKind;
use crate::state_space::retrograde::{Forcing, ForcingSide, StateValues, find_values};
use crate::state_space::solution::value_of;
use crate::state_space::solve::{SolveError, check};
use crate::state_space::table::StateNumber;
use crate::state_space::{Solution, SpaceTotals, ValueCount, ValueTally, canonical};
use crate::symmetry::OrbitScratch;

/// A worker that sends which of its states are forced to those who can come there.
struct ClusterRetrograde<'r, 'w> {
    worker: &'r mut ClusterWorker<'w>,
    graph: BackwardGraph,
    values: StateValues,
    /// For each worker, states of its own that lead to forced ones and were not sent yet.
    letters: Vec<Vec<StateNumber>>,
}

/// What is forced, and how far from the end.
#[derive(Clone, Copy)]
struct BackwardStep {
    goal: u8,
    side: ForcingSide,
    plies: u16,
}

impl Forcing for ClusterRetrograde<'_, '_> {
    type Error = ClusterError;

    fn values(&mut self) -> &mut StateValues {
        &mut self.values
    }

    fn force(
        &mut self,
        goal: u8,
        side: ForcingSide,
        goal_of: &dyn Fn(usize) -> u8,
    ) -> Result<(), ClusterError> {
        let mut level = self.values.begin(goal, &self.graph.kinds, goal_of);
        let mut plies = 0_u16;
        loop {
            let states = self.worker.sum(level.len() as u64)?;
            if states == 0 {
                return Ok(());
            }
            if self.worker.is_first_here() {
                let stage = ClusterStage::Value {
                    goal,
                    plies,
                    states,
                };
                (self.worker.share.on_stage)(stage);
            }
            plies = plies.saturating_add(1);
            level = self.step_back(&level, BackwardStep { goal, side, plies })?;
        }
    }
}

impl ClusterRetrograde<'_, '_> {
    /// The states of this worker that are forced because those of a level are, its own and those of others.
    fn step_back(
        &mut self,
        level: &[StateNumber],
        step: BackwardStep,
    ) -> Result<Vec<StateNumber>, ClusterError> {
        let own = self.worker.worker.index();
        let mut next = Vec::new();
        for some in level.chunks(WORDS_AT_ONCE) {
            self.worker.share.check()?;
            for state in some {
                for (worker, number) in self.graph.moves.before(*state) {
                    self.letters[*worker as usize].push(*number);
                }
            }
            for to in 0..self.letters.len() {
                if to == own || self.letters[to].len() >= WORDS_AT_ONCE {
                    self.send(to, step, &mut next)?;
                }
            }
            self.worker.worker.step();
            self.take_in(step, &mut next)?;
        }
        for to in 0..self.letters.len() {
            self.send(to, step, &mut next)?;
        }
        let share = self.worker.share;
        let ClusterWorker {
            numbers, worker, ..
        } = &mut *self.worker;
        numbers.end(worker, |_| share.check())?;
        self.take_in(step, &mut next)?;
        // What is near in memory is read at nearly the same time.
        next.sort_unstable();
        Ok(next)
    }

    /// Tells a worker that these of its states lead to forced ones.
    fn send(
        &mut self,
        to: usize,
        step: BackwardStep,
        next: &mut Vec<StateNumber>,
    ) -> Result<(), ClusterError> {
        let letter = std::mem::take(&mut self.letters[to]);
        if to == self.worker.worker.index() {
            return reach(&mut self.values, &self.graph.kinds, &letter, step, next);
        }
        if !letter.is_empty() {
            self.worker.numbers.send(to as u64, letter);
        }
        Ok(())
    }

    fn take_in(
        &mut self,
        step: BackwardStep,
        next: &mut Vec<StateNumber>,
    ) -> Result<(), ClusterError> {
        let Self {
            values,
            graph,
            worker,
            ..
        } = self;
        let arrived = worker.numbers.take();
        let mut arrived = arrived.iter();
        arrived.try_for_each(|numbers| reach(values, &graph.kinds, numbers, step, next))
    }
}

/// Notes that these states lead to forced ones; those that are now forced themselves are appended to `next`.
fn reach(
    values: &mut StateValues,
    kinds: &[StateKind],
    states: &[StateNumber],
    step: BackwardStep,
    next: &mut Vec<StateNumber>,
) -> Result<(), ClusterError> {
    for state in states {
        let kind = kinds.get(*state as usize);
        if kind.is_none_or(|kind| *kind == StateKind::NONE || kind.end().is_some()) {
            return Err(ClusterError::Garbled);
        }
        if values.reaches(*state, step.side, false) {
            values.set(*state, step.goal, step.plies);
            next.push(*state);
        }
    }
    Ok(())
}

/// What the owner of a state that is asked about says of it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct StateAnswer {
    kind: u8,
    value: u8,
    plies: u16,
}

impl ClusterWorker<'_> {
    /// What the states are worth of which all workers have found these totals.
    pub(super) fn solve(
        &mut self,
        question: &ClusterQuestion,
        graph: WorkerGraph,
        totals: &SpaceTotals,
    ) -> Result<(Solution, Vec<ValueCount>), ClusterError> {
        let role = question.role;
        let game = &self.share.game;
        check(game, totals, role)?;
        let ends: Vec<Vec<Option<u8>>> = totals.ends.iter().map(|end| end.goals.clone()).collect();
        let mut graph = graph.into_backward(self.shard.table.end(), &ends)?;
        let degrees = std::mem::take(&mut graph.degrees);
        let values = StateValues::new(degrees, &graph.kinds, role).map_err(SolveError::from)?;
        let peers = self.worker.peers();
        let mut retrograde = ClusterRetrograde {
            worker: self,
            graph,
            values,
            letters: vec![Vec::new(); peers],
        };
        let is_alone = game.roles().len() == 1;
        find_values(&mut retrograde, &ends, role, is_alone)?;
        let ClusterRetrograde {
            worker,
            graph,
            values,
            ..
        } = retrograde;
        let counts = worker.counts(&graph.kinds, &values)?;
        let mut solution = Solution {
            roles: game.roles().to_vec(),
            role,
            states: totals.states,
            symmetries: worker.share.symmetries.clone(),
            joint_moves: totals.edges,
            ends,
            codec: worker.shard.codec.clone(),
            codes: Vec::new(),
            kinds: Vec::new(),
            values: Vec::new(),
            plies: Vec::new(),
        };
        for (code, answer) in worker.answers(question, &graph.kinds, &values)? {
            solution.codes.extend(code);
            solution.kinds.push(StateKind(answer.kind));
            solution.values.push(answer.value);
            solution.plies.push(answer.plies);
        }
        Ok((solution, counts))
    }

    /// How many states of all workers have each value.
    fn counts(
        &mut self,
        kinds: &[StateKind],
        values: &StateValues,
    ) -> Result<Vec<ValueCount>, ClusterError> {
        let roles = self.share.game.roles().len();
        let mut own = ValueTally::new(roles);
        let mut orbits = OrbitScratch::default();
        let states = kinds.iter().zip(&values.values).zip(&values.plies);
        for (state, ((kind, value), plies)) in (0..).zip(states) {
            if *kind != StateKind::NONE {
                let stands_for = self.stands_for(state, &mut orbits);
                let value = value_of(*value, *plies);
                own.note(
                    value,
                    kind.end().is_some(),
                    kind.role().map(Role),
                    stands_for,
                );
            }
        }
        let mut all = ValueTally::new(roles);
        for of_worker in self.tell(&own.into_counts())? {
            of_worker.iter().for_each(|count| all.add(count));
        }
        Ok(all.into_counts())
    }

    /// For how many states one of this worker's stands, itself included.
    fn stands_for(&self, state: StateNumber, orbits: &mut OrbitScratch) -> u64 {
        let Some(group) = &self.share.symmetries else {
            return 1;
        };
        let WorkerStates { codec, table, .. } = &self.shard;
        let mut stands_for = 1;
        table.codes_of(&[state], |code| {
            stands_for = group.orbit(codec.decode(code).words(), orbits);
        });
        stands_for
    }

    /// What the owners say of the states that are asked about, those that can be reached, in ascending order of their codes.
    fn answers(
        &mut self,
        question: &ClusterQuestion,
        kinds: &[StateKind],
        values: &StateValues,
    ) -> Result<Vec<(Vec<u32>, StateAnswer)>, ClusterError> {
        let codec = &self.shard.codec;
        let symmetries = self.share.symmetries.as_deref();
        let asked = question.states.iter();
        let asked = asked.map(|state| canonical(symmetries, state));
        let mut codes: Vec<Vec<u32>> = asked.filter_map(|state| codec.code_of(&state)).collect();
        codes.sort_unstable();
        codes.dedup();
        let table = &self.shard.table;
        let own: Vec<Option<StateAnswer>> = codes
            .iter()
            .map(|code| {
                let place = table.find(code)? as usize;
                Some(StateAnswer {
                    kind: kinds[place].0,
                    value: values.values[place],
                    plies: values.plies[place],
                })
            })
            .collect();
        let told = self.tell(&own)?;
        let answer = |place: usize| told.iter().find_map(|of_worker| *of_worker.get(place)?);
        let codes = codes.into_iter().enumerate();
        Ok(codes
            .filter_map(|(place, code)| Some((code, answer(place)?)))
            .collect())
    }
}
