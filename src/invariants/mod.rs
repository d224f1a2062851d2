//! Facts that exclude each other: one piece on a square, one player in control, one number on the counter.
//!
//! A set of facts is a *group* if at most one of them holds in every state that can be reached. Candidates are the facts
//! of one functor that agree in some arguments, as in `(cell 1 2 ?)`, as the invariants of planning tasks are found
//! (Helmert 2009). The rest is a proof by induction: all candidates are assumed of a state, and of each it is shown that
//! the state's successors have at most one of its facts. What cannot be shown is taken apart or dropped, and whatever
//! rested on it is shown again, until nothing is dropped: then all of the assumptions hold together. Of which groups one
//! fact always holds is shown afterwards.
//!
//! Rules are not pruned by this: of no rule of seventeen games, chess-like ones and checkers among them, do the conditions
//! hold two facts of one group. What groups are good for shows in gates, which put several rules together.

mod body;
mod candidates;
mod clash;
mod exactly_one;
mod needs;
mod separate;
mod stay;
mod tally;
mod world;

#[cfg(test)]
mod tests;

use self::candidates::Candidates;
use self::separate::Prover;
pub use self::stay::persistent;
use self::world::{Atom, World};
use crate::datalog::{TermId, Terms};
use crate::ground::Ground;

/// Facts that exclude each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutexGroup {
    /// The facts `f` of `(true f)`; at most one of them holds in every state that can be reached.
    pub facts: Vec<TermId>,
    /// Whether exactly one holds in each of them, as far as that can be shown.
    pub exactly_one: bool,
}

/// The mutex groups of a game, as far as they can be proved with little effort: a second or two at most.
pub fn mutex_groups(ground: &Ground) -> Vec<MutexGroup> {
    let world = World::new(ground);
    let mut induction = Induction::new(&world, &ground.terms);
    induction.run();
    induction.groups()
}

/// The proof, as far as it has got.
struct Induction<'w> {
    prover: Prover<'w>,
    terms: &'w Terms,
    /// For each candidate, those that its proof rests on; `None` as long as there is none.
    rests_on: Vec<Option<Vec<u32>>>,
    /// How many steps the proofs may still take together.
    left: u64,
}

impl<'w> Induction<'w> {
    /// How many steps all proofs may take together: a second at most, and mostly milliseconds.
    const STEPS: u64 = 12_000_000;
    /// How many a single proof may take.
    const STEPS_FOR_ONE: u64 = 1_000_000;

    fn new(world: &'w World<'w>, terms: &'w Terms) -> Self {
        let candidates = Candidates::new(world, terms);
        Self {
            prover: Prover::new(world, candidates),
            terms,
            rests_on: Vec::new(),
            left: Self::STEPS,
        }
    }

    fn run(&mut self) {
        let mut open: Vec<usize> = (0..self.candidate_count()).collect();
        while let Some(number) = open.pop() {
            self.rests_on.resize(self.candidate_count(), None);
            let is_alive = self.prover.candidates.all[number].alive;
            if !is_alive || self.rests_on[number].is_some() {
                continue;
            }
            let allowed = self.left.min(Self::STEPS_FOR_ONE);
            let (rests_on, left) = self.prover.separate(number, allowed);
            self.left -= allowed - left;
            match rests_on {
                Some(rests_on) => self.rests_on[number] = Some(rests_on),
                None => open.extend(self.give_up(number)),
            }
        }
    }

    fn candidate_count(&self) -> usize {
        self.prover.candidates.all.len()
    }

    /// Drops a candidate. Answers those that are to be looked at: its parts, and those whose proofs rested on it.
    fn give_up(&mut self, number: usize) -> Vec<usize> {
        let first_new = self.candidate_count();
        self.prover.give_up(number);
        if self.left > 0 {
            let Prover {
                candidates, world, ..
            } = &mut self.prover;
            candidates.split(number, world, self.terms);
        }
        let rests = |used: &Option<Vec<u32>>| {
            let used = used.as_ref()?;
            used.binary_search(&(number as u32)).ok()
        };
        let mut open: Vec<usize> = (0..self.rests_on.len())
            .filter(|&other| rests(&self.rests_on[other]).is_some())
            .collect();
        for &other in &open {
            self.rests_on[other] = None;
        }
        open.extend(first_new..self.candidate_count());
        open
    }

    fn groups(&self) -> Vec<MutexGroup> {
        let Prover {
            candidates, world, ..
        } = &self.prover;
        let alive = candidates.all.iter().filter(|candidate| candidate.alive);
        let groups: Vec<&[Atom]> = alive.map(|candidate| &candidate.facts[..]).collect();
        let always_one = exactly_one::always_one(world, &groups);
        let term = |&fact: &Atom| world.facts[fact as usize];
        let group = |(facts, exactly_one): (&&[Atom], bool)| MutexGroup {
            facts: facts.iter().map(term).collect(),
            exactly_one,
        };
        groups.iter().zip(always_one).map(group).collect()
    }
}
