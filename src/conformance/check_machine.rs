//! The promises of [`StateMachine`], tested on any implementation.
//!
//! Random walks start in the initial state, and every state on the way is tested:
//!
//! - the same seed gives the same walk, and fresh working memory the same answers as used;
//! - legal moves are free of duplicates, have texts of their own, and lead to states;
//! - the text of a state lists each fact once, in order, and reads back, in whatever order, as an equal state with an
//!   equal hash.
//!
//! What GDL leaves to the author (states without a move, ends without a goal) breaks no promise: it is counted in the
//! [`ConformanceReport`]. For playouts and expansion see [`check_engine`](super::check_engine).

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Fault, Role, StateMachine, random_joint_move};

/// How many successors are tried beside the one walked to, in each state with a choice.
const SIDE_STEPS: usize = 8;

/// What the walks met while every promise was kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConformanceReport {
    /// States looked at, counted once per visit.
    pub states: usize,
    /// Walks that reached a terminal state.
    pub ended: usize,
    /// Walks given up after the greatest number of steps.
    pub cut: usize,
    /// Walks that came to a non-terminal state in which some role has no legal move.
    pub stuck: usize,
    /// Terminal states in which some role has no goal value.
    pub ends_without_goal: usize,
    /// The budget that ran out and ended the check early, if one did.
    pub fault: Option<Fault>,
}

/// A promise that a game broke, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{promise}: {detail}; in the state {}", state.join(" "))]
pub struct Violation {
    /// The promise that was broken.
    pub promise: &'static str,
    /// How it was broken.
    pub detail: String,
    /// The facts of the state it was broken in.
    pub state: Vec<String>,
}

/// Takes `walks` random walks of at most `max_steps` steps, reproducible from `seed`, and tests every promise on them.
///
/// # Errors
/// The first promise found broken.
pub fn check<G: StateMachine>(
    game: &G,
    seed: u64,
    walks: usize,
    max_steps: usize,
) -> Result<ConformanceReport, Violation> {
    let mut check = Check {
        game,
        used: game.scratch(),
        hasher: RandomState::new(),
        report: ConformanceReport::default(),
    };
    for walk in 0..walks {
        check.walk(seed.wrapping_add(walk as u64), max_steps)?;
        check.report.fault = game.fault(&check.used);
        if check.report.fault.is_some() {
            break;
        }
    }
    Ok(check.report)
}

/// Everything a game says about one state.
#[derive(Debug, PartialEq)]
struct Answers<M> {
    terminal: bool,
    legal: Vec<Vec<M>>,
    goals: Vec<Option<u8>>,
}

struct Check<'g, G: StateMachine> {
    game: &'g G,
    used: G::Scratch,
    hasher: RandomState,
    report: ConformanceReport,
}

impl<G: StateMachine> Check<'_, G> {
    fn walk(&mut self, seed: u64, max_steps: usize) -> Result<(), Violation> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = self.game.initial();
        self.same_state(
            "the initial state is always the same",
            &state,
            &self.game.initial(),
        )?;
        for _ in 0..max_steps {
            let answers = self.check_state(&state)?;
            if answers.terminal {
                self.report.ended += 1;
                self.report.ends_without_goal += usize::from(answers.goals.contains(&None));
                return Ok(());
            }
            for _ in 0..side_steps(&answers.legal) {
                if let Some(joint) = random_joint_move(&answers.legal, &mut rng) {
                    self.step(&state, &joint)?;
                }
            }
            let Some(joint) = random_joint_move(&answers.legal, &mut rng) else {
                self.report.stuck += 1;
                return Ok(());
            };
            state = self.step(&state, &joint)?;
        }
        self.report.cut += 1;
        Ok(())
    }

    fn check_state(&mut self, state: &G::State) -> Result<Answers<G::Move>, Violation> {
        self.report.states += 1;
        let answers = answers(self.game, &mut self.used, state);
        let fresh = self::answers(self.game, &mut self.game.scratch(), state);
        if self.game.fault(&self.used).is_none() && answers != fresh {
            let detail = format!("used: {answers:?}, fresh: {fresh:?}");
            return Err(self.violation("working memory does not change answers", detail, state));
        }
        self.moves_are_distinct(state, &answers.legal)?;
        self.text_round_trips(state)?;
        Ok(answers)
    }

    fn moves_are_distinct(
        &self,
        state: &G::State,
        legal: &[Vec<G::Move>],
    ) -> Result<(), Violation> {
        for moves in legal {
            let mut texts = HashSet::new();
            let texts_of = moves.iter().map(|&mv| self.game.move_text(mv));
            if let Some(twice) = texts_of
                .into_iter()
                .find(|text| !texts.insert(text.clone()))
            {
                let promise = "a role's legal moves, and their texts, are all different";
                return Err(self.violation(promise, format!("{twice} appears twice"), state));
            }
        }
        Ok(())
    }

    fn text_round_trips(&self, state: &G::State) -> Result<(), Violation> {
        let promise = "the text of a state reads back as the same state";
        let text = self.game.state_text(state);
        if !text.is_sorted_by(|one, next| one < next) {
            let promise = "the text of a state lists each fact once, in order";
            return Err(self.violation(promise, text.join(" "), state));
        }
        self.reads_back(promise, state, &text)?;
        let backwards: Vec<String> = text.into_iter().rev().collect();
        let promise = "a state is a set: the order of its facts does not matter";
        self.reads_back(promise, state, &backwards)
    }

    fn reads_back(
        &self,
        promise: &'static str,
        state: &G::State,
        facts: &[String],
    ) -> Result<(), Violation> {
        let again = self.game.state_from_text(facts);
        let again = again.map_err(|why| self.violation(promise, why.to_string(), state))?;
        self.same_state(promise, state, &again)
    }

    /// The state after `joint`, which used and fresh working memory must agree on.
    fn step(&mut self, state: &G::State, joint: &[G::Move]) -> Result<G::State, Violation> {
        let next = self.game.next(&mut self.used, state, joint);
        let fresh = self.game.next(&mut self.game.scratch(), state, joint);
        self.same_state("a joint move leads to one state", &next, &fresh)?;
        self.text_round_trips(&next)?;
        Ok(next)
    }

    fn same_state(
        &self,
        promise: &'static str,
        one: &G::State,
        other: &G::State,
    ) -> Result<(), Violation> {
        if one != other {
            let other = self.game.state_text(other).join(" ");
            return Err(self.violation(promise, format!("differs from {other}"), one));
        }
        if self.hasher.hash_one(one) != self.hasher.hash_one(other) {
            let promise = "equal states have equal hashes";
            return Err(self.violation(promise, "two hashes".to_owned(), one));
        }
        Ok(())
    }

    fn violation(&self, promise: &'static str, detail: String, state: &G::State) -> Violation {
        let state = self.game.state_text(state);
        Violation {
            promise,
            detail,
            state,
        }
    }
}

fn answers<G: StateMachine>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
) -> Answers<G::Move> {
    let roles = || (0..game.roles().len()).map(Role);
    let mut moves = Vec::new();
    let terminal = game.is_terminal(scratch, state);
    let mut legal_of = |role| {
        game.legal(scratch, state, role, &mut moves);
        moves.clone()
    };
    let legal = if terminal {
        Vec::new()
    } else {
        roles().map(&mut legal_of).collect()
    };
    let goals = roles().map(|role| game.goal(scratch, state, role));
    Answers {
        terminal,
        legal,
        goals: goals.collect(),
    }
}

/// How many joint moves to try beside the one walked along: none where there is only one.
fn side_steps<M>(legal: &[Vec<M>]) -> usize {
    let choice = legal.iter().any(|moves| moves.len() > 1);
    if choice { SIDE_STEPS } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::InvalidFacts;
    use crate::game::fixture::{Hands, HandsState, Subtraction};

    #[test]
    fn well_behaved_games_pass() {
        let report = check(&Subtraction::new(20, 3), 7, 10, 100).unwrap();
        assert_eq!((report.ended, report.cut, report.stuck), (10, 0, 0));
        assert_eq!(report.ends_without_goal, 0);
        let report = check(&Hands::new(4), 7, 5, 2).unwrap();
        assert_eq!((report.ended, report.cut, report.states), (0, 5, 10));
    }

    #[test]
    fn a_seed_gives_the_same_walks() {
        let report = || check(&Subtraction::new(50, 3), 3, 4, 30).unwrap();
        assert_eq!(report(), report());
    }

    /// A game with one wrong answer.
    struct FaultyMachine {
        game: Hands,
        fault: MachineFault,
    }

    #[derive(PartialEq)]
    enum MachineFault {
        DoubleMove,
        Forgetful,
        Unreadable,
        OrderedFacts,
        Unsorted,
        NoMoves,
    }

    impl StateMachine for FaultyMachine {
        type State = HandsState;
        type Move = usize;
        type Scratch = usize;

        fn roles(&self) -> &[String] {
            self.game.roles()
        }
        fn initial(&self) -> HandsState {
            self.game.initial()
        }
        fn scratch(&self) -> usize {
            0
        }
        fn is_terminal(&self, _: &mut usize, state: &HandsState) -> bool {
            self.game.is_terminal(&mut (), state)
        }
        fn legal(&self, calls: &mut usize, state: &HandsState, role: Role, moves: &mut Vec<usize>) {
            self.game.legal(&mut (), state, role, moves);
            *calls += 1;
            match self.fault {
                MachineFault::DoubleMove => moves.push(0),
                MachineFault::Forgetful if *calls > 6 => moves.truncate(1),
                MachineFault::NoMoves => moves.clear(),
                MachineFault::Forgetful
                | MachineFault::Unreadable
                | MachineFault::OrderedFacts
                | MachineFault::Unsorted => {}
            }
        }
        fn next(&self, _: &mut usize, state: &HandsState, joint: &[usize]) -> HandsState {
            self.game.next(&mut (), state, joint)
        }
        fn goal(&self, _: &mut usize, state: &HandsState, role: Role) -> Option<u8> {
            self.game.goal(&mut (), state, role)
        }
        fn move_text(&self, mv: usize) -> String {
            self.game.move_text(mv)
        }
        fn state_text(&self, state: &HandsState) -> Vec<String> {
            let mut text = self.game.state_text(state);
            if self.fault == MachineFault::Unsorted {
                text.reverse();
            }
            text
        }
        fn state_from_text(&self, facts: &[String]) -> Result<HandsState, InvalidFacts> {
            let mut state = self.game.state_from_text(facts)?;
            let refuses = match self.fault {
                MachineFault::Unreadable => true,
                MachineFault::OrderedFacts => !facts.is_sorted(),
                _ => false,
            };
            state.0 += u32::from(refuses);
            Ok(state)
        }
    }

    fn promise_broken(fault: MachineFault) -> &'static str {
        let game = Hands::new(5);
        check(&FaultyMachine { game, fault }, 1, 3, 10)
            .unwrap_err()
            .promise
    }

    #[test]
    fn every_promise_is_tested() {
        assert!(promise_broken(MachineFault::DoubleMove).starts_with("a role's legal moves"));
        assert!(promise_broken(MachineFault::Forgetful).starts_with("working memory"));
        assert!(
            promise_broken(MachineFault::Unreadable).starts_with("the text of a state reads back")
        );
        assert!(promise_broken(MachineFault::OrderedFacts).starts_with("a state is a set"));
        assert!(promise_broken(MachineFault::Unsorted).ends_with("each fact once, in order"));
    }

    #[test]
    fn stuck_states_are_reported() {
        let game = Hands::new(5);
        let fault = MachineFault::NoMoves;
        let report = check(&FaultyMachine { game, fault }, 1, 3, 10).unwrap();
        assert_eq!((report.stuck, report.ended), (3, 0));
    }
}
