//! The laws every game must obey, as one check that any engine can be put through.
//!
//! Random walks are taken from the initial state, and in every state on the way the promises of [`StateMachine`] are tested:
//!
//! - the same seed gives the same walk, and fresh working memory the same answers as used;
//! - legal moves are free of duplicates, have texts of their own, and lead to states;
//! - the text of a state lists each fact once, in order, and reads back, in whatever order, as an equal state with an
//!   equal hash.
//!
//! What GDL leaves to the author (states without a move, ends without a goal) breaks no law: it is counted in the
//! [`LawsReport`]. The powers of an engine have laws of their own: [`check_powers`].

mod powers;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Fault, Role, StateMachine, random_joint_move};

pub use powers::check_powers;

/// How many successors are tried beside the one walked to, in each state with a choice.
const SIDE_STEPS: usize = 8;

/// What the walks met, where every law held.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LawsReport {
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

/// A law that a game broke, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {detail}; in the state {}", state.join(" "))]
pub struct Broken {
    /// The law.
    pub law: &'static str,
    /// How it was broken.
    pub detail: String,
    /// The facts of the state it was broken in.
    pub state: Vec<String>,
}

/// Takes `walks` random walks of at most `max_steps` steps, reproducible from `seed`, and tests every law on them.
///
/// # Errors
/// The first law found broken.
pub fn check<G: StateMachine>(
    game: &G,
    seed: u64,
    walks: usize,
    max_steps: usize,
) -> Result<LawsReport, Broken> {
    let mut check = Check {
        game,
        used: game.scratch(),
        hasher: RandomState::new(),
        report: LawsReport::default(),
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
    report: LawsReport,
}

impl<G: StateMachine> Check<'_, G> {
    fn walk(&mut self, seed: u64, max_steps: usize) -> Result<(), Broken> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = self.game.initial();
        self.same_state(
            "the initial state is always the same",
            &state,
            &self.game.initial(),
        )?;
        for _ in 0..max_steps {
            let answers = self.evaluate_batch(&state)?;
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

    fn evaluate_batch(&mut self, state: &G::State) -> Result<Answers<G::Move>, Broken> {
        self.report.states += 1;
        let answers = answers(self.game, &mut self.used, state);
        let fresh = self::answers(self.game, &mut self.game.scratch(), state);
        if self.game.fault(&self.used).is_none() && answers != fresh {
            let detail = format!("used: {answers:?}, fresh: {fresh:?}");
            return Err(self.broken("working memory does not change answers", detail, state));
        }
        self.moves_are_distinct(state, &answers.legal)?;
        self.text_round_trips(state)?;
        Ok(answers)
    }

    fn moves_are_distinct(&self, state: &G::State, legal: &[Vec<G::Move>]) -> Result<(), Broken> {
        for moves in legal {
            let mut texts = HashSet::new();
            let texts_of = moves.iter().map(|&mv| self.game.move_text(mv));
            if let Some(twice) = texts_of
                .into_iter()
                .find(|text| !texts.insert(text.clone()))
            {
                let law = "a role's legal moves, and their texts, are all different";
                return Err(self.broken(law, format!("{twice} appears twice"), state));
            }
        }
        Ok(())
    }

    fn text_round_trips(&self, state: &G::State) -> Result<(), Broken> {
        let law = "the text of a state reads back as the same state";
        let text = self.game.state_text(state);
        if !text.is_sorted_by(|one, next| one < next) {
            let law = "the text of a state lists each fact once, in order";
            return Err(self.broken(law, text.join(" "), state));
        }
        self.reads_back(law, state, &text)?;
        let backwards: Vec<String> = text.into_iter().rev().collect();
        let law = "a state is a set: the order of its facts does not matter";
        self.reads_back(law, state, &backwards)
    }

    fn reads_back(
        &self,
        law: &'static str,
        state: &G::State,
        facts: &[String],
    ) -> Result<(), Broken> {
        let again = self.game.state_from_text(facts);
        let again = again.map_err(|why| self.broken(law, why, state))?;
        self.same_state(law, state, &again)
    }

    /// The state after `joint`, which used and fresh working memory must agree on.
    fn step(&mut self, state: &G::State, joint: &[G::Move]) -> Result<G::State, Broken> {
        let next = self.game.next(&mut self.used, state, joint);
        let fresh = self.game.next(&mut self.game.scratch(), state, joint);
        self.same_state("a joint move leads to one state", &next, &fresh)?;
        self.text_round_trips(&next)?;
        Ok(next)
    }

    fn same_state(
        &self,
        law: &'static str,
        one: &G::State,
        other: &G::State,
    ) -> Result<(), Broken> {
        if one != other {
            let other = self.game.state_text(other).join(" ");
            return Err(self.broken(law, format!("differs from {other}"), one));
        }
        if self.hasher.hash_one(one) != self.hasher.hash_one(other) {
            let law = "equal states have equal hashes";
            return Err(self.broken(law, "two hashes".to_owned(), one));
        }
        Ok(())
    }

    fn broken(&self, law: &'static str, detail: String, state: &G::State) -> Broken {
        let state = self.game.state_text(state);
        Broken { law, detail, state }
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
    use crate::game::fixture::{Hands, Subtraction, Tally};

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

    /// Wraps a game and spoils one of its answers.
    struct Spoilt {
        game: Hands,
        fault: Spoil,
    }

    #[derive(PartialEq)]
    enum Spoil {
        DoubleMove,
        Forgetful,
        Unreadable,
        OrderedFacts,
        Unsorted,
        NoMoves,
    }

    impl StateMachine for Spoilt {
        type State = Tally;
        type Move = usize;
        type Scratch = usize;

        fn roles(&self) -> &[String] {
            self.game.roles()
        }
        fn initial(&self) -> Tally {
            self.game.initial()
        }
        fn scratch(&self) -> usize {
            0
        }
        fn is_terminal(&self, _: &mut usize, state: &Tally) -> bool {
            self.game.is_terminal(&mut (), state)
        }
        fn legal(&self, calls: &mut usize, state: &Tally, role: Role, moves: &mut Vec<usize>) {
            self.game.legal(&mut (), state, role, moves);
            *calls += 1;
            match self.fault {
                Spoil::DoubleMove => moves.push(0),
                Spoil::Forgetful if *calls > 6 => moves.truncate(1),
                Spoil::NoMoves => moves.clear(),
                Spoil::Forgetful | Spoil::Unreadable | Spoil::OrderedFacts | Spoil::Unsorted => {}
            }
        }
        fn next(&self, _: &mut usize, state: &Tally, joint: &[usize]) -> Tally {
            self.game.next(&mut (), state, joint)
        }
        fn goal(&self, _: &mut usize, state: &Tally, role: Role) -> Option<u8> {
            self.game.goal(&mut (), state, role)
        }
        fn move_text(&self, mv: usize) -> String {
            self.game.move_text(mv)
        }
        fn state_text(&self, state: &Tally) -> Vec<String> {
            let mut text = self.game.state_text(state);
            if self.fault == Spoil::Unsorted {
                text.reverse();
            }
            text
        }
        fn state_from_text(&self, facts: &[String]) -> Result<Tally, String> {
            let mut state = self.game.state_from_text(facts)?;
            let refuses = match self.fault {
                Spoil::Unreadable => true,
                Spoil::OrderedFacts => !facts.is_sorted(),
                _ => false,
            };
            state.0 += u32::from(refuses);
            Ok(state)
        }
    }

    fn law_broken(fault: Spoil) -> &'static str {
        let game = Hands::new(5);
        check(&Spoilt { game, fault }, 1, 3, 10).unwrap_err().law
    }

    #[test]
    fn every_law_is_enforced() {
        assert!(law_broken(Spoil::DoubleMove).starts_with("a role's legal moves"));
        assert!(law_broken(Spoil::Forgetful).starts_with("working memory"));
        assert!(law_broken(Spoil::Unreadable).starts_with("the text of a state reads back"));
        assert!(law_broken(Spoil::OrderedFacts).starts_with("a state is a set"));
        assert!(law_broken(Spoil::Unsorted).ends_with("each fact once, in order"));
    }

    #[test]
    fn stuck_states_are_reported() {
        let game = Hands::new(5);
        let fault = Spoil::NoMoves;
        let report = check(&Spoilt { game, fault }, 1, 3, 10).unwrap();
        assert_eq!((report.stuck, report.ended), (3, 0));
    }
}
