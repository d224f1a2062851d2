//! Profile-guided planning: the plans of a reasoner's rules are fitted to sizes measured in a short random game.
//!
//! A walk of a few random plies records how large relations are, those that goals depend on included if the game ends
//! there; every rule is then planned with these sizes. In a second step, the relations that were asked for most by key
//! are derived as a whole instead, one at a time, and the change is kept if replaying the walk takes less work. Work is
//! counted, not timed, so the result is the same on every machine.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::reasoner::{Facts, MoveId, Reasoner, ReasonerScratch};
use crate::datalog::Exhausted;
use crate::game::{Role, StateMachine};

/// How many plies are played at most.
const PLIES: usize = 16;
/// No further ply is played after this much work.
const WORK: u64 = 300_000;
/// The work a walk may take; if it takes more, it is repeated with recursive relations derived by key.
const WALK_BUDGET: u64 = 10_000_000;
/// The work the repeated walk may take, a few seconds; if it takes more, no profile is recorded.
const KEYED_WALK_BUDGET: u64 = 60_000_000;
/// How many relations are tried with derivation as a whole.
const TRIALS: usize = 24;
/// The work all trials may take together.
const TRIAL_BUDGET: u64 = 5_000_000;

/// A state and the joint move made in it; `None` at the end.
type Ply = (Facts, Option<Vec<MoveId>>);

/// A short random game.
#[derive(Default)]
struct ProfileWalk {
    plies: Vec<Ply>,
    /// Whether time ended it.
    is_cut_short: bool,
}

impl Reasoner {
    /// Plans the rules anew with what a random walk measures.
    pub(super) fn plan_by_profile(&mut self) {
        let walk = self.walk(WALK_BUDGET).unwrap_or_else(|| {
            self.engine.derive_recursion_by_key(true);
            self.engine.replan();
            self.walk(KEYED_WALK_BUDGET).unwrap_or_default()
        });
        let plies = walk.plies;
        self.engine.replan();
        let mut scratch = self.scratch();
        let mut best = self
            .replay(&mut scratch, &plies, u64::MAX)
            .unwrap_or(u64::MAX);
        let mut left = TRIAL_BUDGET;
        for component in self
            .engine
            .most_queried(&scratch.memory)
            .into_iter()
            .take(TRIALS)
        {
            self.engine.derive_by_key(component, false);
            self.engine.replan();
            match self.replay(&mut self.scratch(), &plies, best) {
                Some(work) if work < best => best = work,
                Some(_) | None => self.engine.derive_by_key(component, true),
            }
            left = left.saturating_sub(best);
            if left == 0 {
                break;
            }
        }
        self.engine.replan();
        self.settle(!walk.is_cut_short);
    }

    /// Plays at random, and has the engine record the sizes of relations. `None` if that takes more work than `budget`.
    fn walk(&mut self, budget: u64) -> Option<ProfileWalk> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
        let mut scratch = self.scratch();
        scratch.memory.limit_work(budget);
        let mut state = self.initial();
        let mut plies = Vec::new();
        while plies.len() < PLIES
            && scratch.memory.work() < WORK
            && scratch.memory.exhausted().is_none()
        {
            let joint = self.random_joint_move(&mut scratch, &state, &mut random);
            let next = joint
                .as_ref()
                .map(|joint| self.next(&mut scratch, &state, joint));
            if next.is_none() {
                self.ask_goals(&mut scratch, &state);
            }
            if scratch.memory.gave_up() {
                return None;
            }
            self.engine.observe(&scratch.memory);
            plies.push((state, joint));
            let Some(next) = next else { break };
            state = next;
        }
        let ended_by = scratch.memory.exhausted();
        Some(ProfileWalk {
            plies,
            is_cut_short: ended_by.is_some_and(Exhausted::depends_on_time),
        })
    }

    /// Queries terminal, legal (for one role: the rules derive all roles together) and next again for each state of a
    /// walk, and goal for the last. Returns the work that took; `None` if it is more than `limit`.
    fn replay(&self, scratch: &mut ReasonerScratch, plies: &[Ply], limit: u64) -> Option<u64> {
        scratch.memory.limit_work(limit);
        let mut moves = Vec::new();
        for (state, joint) in plies {
            self.is_terminal(scratch, state);
            self.legal(scratch, state, Role(0), &mut moves);
            match joint {
                Some(joint) => _ = self.next(scratch, state, joint),
                None => self.ask_goals(scratch, state),
            }
            if scratch.memory.gave_up() {
                return None;
            }
        }
        Some(scratch.memory.work())
    }

    fn ask_goals(&self, scratch: &mut ReasonerScratch, state: &Facts) {
        for role in 0..self.roles().len() {
            self.goal(scratch, state, Role(role));
        }
    }

    fn random_joint_move(
        &self,
        scratch: &mut ReasonerScratch,
        state: &Facts,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Vec<MoveId>> {
        if self.is_terminal(scratch, state) {
            return None;
        }
        let mut moves = Vec::new();
        let choose = |role| {
            self.legal(scratch, state, Role(role), &mut moves);
            (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
        };
        (0..self.roles().len()).map(choose).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datalog::EvaluationLimits;
    use crate::gdl::{Rules, load};

    /// Three players guess numbers from 0 to `most`; who guesses most below the sum of all loses.
    fn rules_of_guesses(most: usize) -> Rules {
        let mut text = "(role a) (role b) (role c) (init open)
            (<= (legal ?p (guess ?n)) (role ?p) (true open) (at_most ?n MOST))
            (<= (next (guessed ?p ?n)) (does ?p (guess ?n)))
            (<= (total ?t) (true (guessed a ?a)) (true (guessed b ?b)) (true (guessed c ?c))
                (sum ?a ?b ?s) (sum ?s ?c ?t))
            (<= (distance ?p ?d) (true (guessed ?p ?n)) (total ?t) (sum ?n ?d ?t))
            (<= (beaten ?p) (distance ?p ?d) (distance ?q ?e) (less ?e ?d))
            (<= (goal ?p 0) (beaten ?p))
            (<= (goal ?p 100) (role ?p) (not (beaten ?p)))
            (<= terminal (not (true open)))
            (<= (sum ?x 0 ?x) (number ?x))
            (<= (sum ?x ?y ?z) (succ ?v ?y) (sum ?x ?v ?w) (succ ?w ?z))
            (<= (less ?x ?y) (at_most ?x ?y) (distinct ?x ?y))
            (<= (at_most ?x ?x) (number ?x))
            (<= (at_most ?x ?y) (succ ?v ?y) (at_most ?x ?v))
            (number 0)
            (<= (number ?n) (succ ?m ?n))"
            .replace("MOST", &most.to_string());
        for number in 0..3 * most {
            text += &format!("(succ {number} {})", number + 1);
        }
        load(&text).rules.unwrap()
    }

    fn guesses(most: usize) -> Reasoner {
        Reasoner::new(&rules_of_guesses(most)).unwrap()
    }

    /// The moves at the start, and the goals after each of them.
    fn outcomes(reasoner: &Reasoner) -> Vec<(String, Option<u8>)> {
        let (mut scratch, mut moves) = (reasoner.scratch(), Vec::new());
        let start = reasoner.initial();
        reasoner.legal(&mut scratch, &start, Role(0), &mut moves);
        let outcome = |&mv: &MoveId| {
            let joint = vec![mv; reasoner.roles().len()];
            let end = reasoner.next(&mut scratch, &start, &joint);
            (
                reasoner.move_text(mv),
                reasoner.goal(&mut scratch, &end, Role(0)),
            )
        };
        moves.iter().map(outcome).collect()
    }

    #[test]
    fn a_profile_gives_another_reasoner_of_the_rules_the_same_plans() {
        let rules = rules_of_guesses(30);
        let first = Reasoner::new(&rules).unwrap();
        let kept = postcard::to_stdvec(&first.profile().unwrap()).unwrap();
        let second = |rules| {
            let profile = postcard::from_bytes(&kept).unwrap();
            Reasoner::with_profile(rules, EvaluationLimits::default(), profile).unwrap()
        };
        let same = second(&rules);
        let same = same.unwrap();
        assert_eq!(same.profile(), first.profile());
        assert_eq!(same.engine.static_size(), first.engine.static_size());
        assert_ne!(
            Reasoner::unprofiled(&rules, EvaluationLimits::default())
                .unwrap()
                .profile(),
            first.profile()
        );
        // In the same order.
        assert_eq!(outcomes(&same), outcomes(&first));
        // That of other rules is not taken.
        let other = load(
            "(role r) (legal r go) (<= terminal (true done)) (goal r 100) (<= (next done) (does r go))",
        );
        assert!(second(&other.rules.unwrap()).is_none());
    }

    #[test]
    fn what_was_derived_at_the_start_is_so_again() {
        // The walk passes its budget, so that recursive relations are derived by key; `less` was derived before.
        let numbers: String = (0..250).map(|n| format!("(succ {n} {})", n + 1)).collect();
        let text = format!(
            "(role r) {numbers} (init (count 0)) (legal r go) (goal r 100)
             (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))
             (<= (reached ?x ?y) (true (count ?c)) (succ ?x ?y))
             (<= (reached ?x ?z) (reached ?x ?y) (reached ?y ?z))
             (<= (next (count ?d)) (does r go) (true (count ?c)) (succ ?c ?d) (reached ?c ?d) (less ?c ?d))
             (<= terminal (true (count 200)))"
        );
        let rules = load(&text).rules.unwrap();
        let first = Reasoner::new(&rules).unwrap();
        let limits = EvaluationLimits::default();
        let second = Reasoner::with_profile(&rules, limits, first.profile().unwrap());
        let second = second.unwrap().unwrap();
        assert_eq!(second.profile(), first.profile());
        assert_eq!(second.engine.static_size(), first.engine.static_size());
    }

    #[test]
    fn relations_known_to_be_large_are_not_derived_as_wholes() {
        let numbers: String = (0..100).map(|n| format!("(number {n})")).collect();
        let text = format!(
            "(role r) {numbers} (init start) (<= (legal r (pair ?x ?y)) (number ?x) (number ?y) (distinct ?x ?y))
             (<= (far ?a ?b ?c ?d) (number ?a) (number ?b) (number ?c) (number ?d) (distinct ?a ?c))
             (<= (next (seen ?x ?y)) (does r (pair ?x ?y)))
             (<= terminal (true (seen ?x ?y)) (far ?x ?y ?y ?x)) (goal r 100)"
        );
        let rules = load(&text).rules.unwrap();
        let profile = Reasoner::new(&rules).unwrap().profile().unwrap();
        // Its attempt to derive them would fail.
        let limits = EvaluationLimits {
            rows: 300_000,
            static_rows: [u64::MAX; 2],
            ..EvaluationLimits::default()
        };
        assert!(Reasoner::unprofiled(&rules, limits.clone()).is_err());
        let known = Reasoner::with_profile(&rules, limits, profile);
        assert!(known.unwrap().is_some());
    }

    #[test]
    fn goals_are_planned_with_sizes_measured_at_the_end() {
        let reasoner = guesses(60);
        let mut scratch = reasoner.scratch();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let start = reasoner.initial();
        let games = 50;
        let mut work = 0;
        for _ in 0..games {
            let joint = reasoner.random_joint_move(&mut scratch, &start, &mut random);
            let end = reasoner.next(&mut scratch, &start, &joint.unwrap());
            let before = scratch.memory.work();
            reasoner.ask_goals(&mut scratch, &end);
            work += scratch.memory.work() - before;
        }
        assert!(work < games * 200, "{} rows examined a game", work / games);
    }
}
