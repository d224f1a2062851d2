//! Does a record of a game agree with its rules?

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Role, StateMachine, Stopped, legal_of_all};
use crate::util::{Deadline, Expired};

/// What was recorded of one state; what is absent is not compared. Texts are KIF terms with single spaces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Recorded {
    /// The facts that hold, in any order.
    pub state: Option<Vec<String>>,
    /// The legal moves of each role, in any order. Not compared where the game is over.
    pub legal: Option<BTreeMap<String, Vec<String>>>,
    /// Whether the game is over.
    pub terminal: Option<bool>,
    /// What each role scores.
    pub goals: Option<BTreeMap<String, Option<i64>>>,
    /// The joint move made, in role order. The next record is what came of it.
    pub moves: Option<Vec<String>>,
}

/// The first thing in which a record and the rules differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The number of joint moves made before.
    pub ply: usize,
    /// What differs.
    pub what: String,
    /// What is recorded, but does not follow from the rules.
    pub only_recorded: Vec<String>,
    /// What follows from the rules, but is not recorded.
    pub only_derived: Vec<String>,
}

impl Difference {
    /// The difference in a sentence; `recorded` and `derived` are what the two sides are called.
    pub fn report(&self, recorded: &str, derived: &str) -> String {
        let (ply, what) = (self.ply, &self.what);
        let recorded = list(recorded, &self.only_recorded);
        let derived = list(derived, &self.only_derived);
        format!("after {ply} plies {what} differs{recorded}{derived}")
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report("recorded", "derived"))
    }
}

/// The first few of `terms`, which only one side has.
fn list(side: &str, terms: &[String]) -> String {
    const SHOWN: usize = 5;
    if terms.is_empty() {
        return String::new();
    }
    let shown = terms[..terms.len().min(SHOWN)].join(" ");
    match terms.len().saturating_sub(SHOWN) {
        0 => format!("; {side} only: {shown}"),
        more => format!("; {side} only: {shown} and {more} more"),
    }
}

/// Why a replay ended before the end of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayFault {
    /// Record and rules differ.
    Different(Box<Difference>),
    /// Time is up, or the engine gave in.
    Stopped(Stopped),
}

impl From<Stopped> for ReplayFault {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<Expired> for ReplayFault {
    fn from(expired: Expired) -> Self {
        Self::Stopped(expired.into())
    }
}

/// Plays the recorded moves from `start` and compares all that is recorded on the way. Adds the number of
/// states that agree to `states`.
///
/// # Errors
/// The first difference, or why the comparison had to stop.
pub fn replay<G: StateMachine>(
    game: &G,
    start: G::State,
    record: &[Recorded],
    deadline: &Deadline,
    states: &mut usize,
) -> Result<(), ReplayFault> {
    let mut replay = Replay::new(game);
    let mut state = start;
    for recorded in record {
        deadline.check()?;
        let next = replay.follow(&state, recorded)?;
        *states += 1;
        match next {
            Some(next) => state = next,
            None => break,
        }
    }
    Ok(())
}

/// A replay in progress.
#[derive(Debug)]
pub(super) struct Replay<'g, G: StateMachine> {
    game: &'g G,
    scratch: G::Scratch,
    legal: Vec<Vec<G::Move>>,
    ply: usize,
}

impl<'g, G: StateMachine> Replay<'g, G> {
    pub(super) fn new(game: &'g G) -> Self {
        Self {
            game,
            scratch: game.scratch(),
            legal: Vec::new(),
            ply: 0,
        }
    }

    /// Counts plies from here.
    pub(super) fn restart(&mut self) {
        self.ply = 0;
    }

    /// Compares `state` with what is recorded of it, and makes the move that was made.
    pub(super) fn follow(
        &mut self,
        state: &G::State,
        recorded: &Recorded,
    ) -> Result<Option<G::State>, ReplayFault> {
        self.compare(state, recorded)?;
        let moves = recorded.moves.as_ref();
        let next = moves.map(|moves| self.step(state, moves)).transpose()?;
        self.ply += 1;
        Ok(next)
    }

    fn compare(&mut self, state: &G::State, recorded: &Recorded) -> Result<(), ReplayFault> {
        if let Some(facts) = &recorded.state {
            self.sets("the state", facts.clone(), self.game.state_text(state))?;
        }
        let is_terminal = self.game.is_terminal(&mut self.scratch, state);
        self.trust()?;
        // A further move in the record states that the game is not over.
        let goes_on = recorded.moves.as_ref().map(|_| false);
        if let Some(terminal) = recorded.terminal.or(goes_on) {
            self.values("the end of the game", &terminal, &is_terminal)?;
        }
        if !is_terminal {
            legal_of_all(self.game, &mut self.scratch, state, &mut self.legal);
            self.trust()?;
            self.compare_legal(recorded)?;
        }
        if let Some(goals) = &recorded.goals {
            self.compare_goals(state, goals)?;
        }
        Ok(())
    }

    fn compare_legal(&self, recorded: &Recorded) -> Result<(), ReplayFault> {
        let Some(legal) = &recorded.legal else {
            return Ok(());
        };
        for (name, moves) in self.game.roles().iter().zip(&self.legal) {
            let texts = moves.iter().map(|&mv| self.game.move_text(mv)).collect();
            let recorded = legal.get(name).cloned().unwrap_or_default();
            self.sets(&format!("what {name} may do"), recorded, texts)?;
        }
        Ok(())
    }

    fn compare_goals(
        &mut self,
        state: &G::State,
        goals: &BTreeMap<String, Option<i64>>,
    ) -> Result<(), ReplayFault> {
        for (role, name) in self.game.roles().iter().enumerate() {
            let derived = self.game.goal(&mut self.scratch, state, Role(role));
            self.trust()?;
            if let Some(recorded) = goals.get(name) {
                let in_range = recorded.and_then(|goal| u8::try_from(goal).ok());
                let recorded = in_range.filter(|&goal| goal <= 100);
                let what = format!("the goal of {name}");
                self.values(&what, &shown(recorded), &shown(derived))?;
            }
        }
        Ok(())
    }

    fn step(&mut self, state: &G::State, moves: &[String]) -> Result<G::State, ReplayFault> {
        let recorded = moves.len();
        self.values("the number of moves made", &recorded, &self.legal.len())?;
        let mut joint = Vec::with_capacity(recorded);
        for (role, text) in moves.iter().enumerate() {
            let mut legal = self.legal[role].iter();
            match legal.find(|&&mv| self.game.move_text(mv) == *text) {
                Some(&mv) => joint.push(mv),
                None => {
                    let what = format!("what {} may do", self.game.roles()[role]);
                    return Err(self.different(what, vec![text.clone()], Vec::new()));
                }
            }
        }
        let next = self.game.next(&mut self.scratch, state, &joint);
        self.trust()?;
        Ok(next)
    }

    fn sets(
        &self,
        what: &str,
        mut recorded: Vec<String>,
        mut derived: Vec<String>,
    ) -> Result<(), ReplayFault> {
        recorded.sort_unstable();
        derived.sort_unstable();
        if recorded == derived {
            return Ok(());
        }
        let recorded: BTreeSet<String> = recorded.into_iter().collect();
        let derived: BTreeSet<String> = derived.into_iter().collect();
        if recorded == derived {
            return Ok(());
        }
        let only_recorded = recorded.difference(&derived).cloned().collect();
        let only_derived = derived.difference(&recorded).cloned().collect();
        Err(self.different(what.to_owned(), only_recorded, only_derived))
    }

    fn values<T: PartialEq + ToString>(
        &self,
        what: &str,
        recorded: &T,
        derived: &T,
    ) -> Result<(), ReplayFault> {
        if recorded == derived {
            return Ok(());
        }
        let (recorded, derived) = (vec![recorded.to_string()], vec![derived.to_string()]);
        Err(self.different(what.to_owned(), recorded, derived))
    }

    fn different(
        &self,
        what: String,
        only_recorded: Vec<String>,
        only_derived: Vec<String>,
    ) -> ReplayFault {
        ReplayFault::Different(Box::new(Difference {
            ply: self.ply,
            what,
            only_recorded,
            only_derived,
        }))
    }

    fn trust(&self) -> Result<(), ReplayFault> {
        match self.game.fault(&self.scratch) {
            None => Ok(()),
            Some(fault) => Err(Stopped::Fault(fault).into()),
        }
    }
}

fn shown(goal: Option<u8>) -> String {
    goal.map_or_else(|| "undefined".to_owned(), |goal| goal.to_string())
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::game::fixture::Subtraction;

    fn replayed(record: &[Recorded]) -> Result<usize, String> {
        let game = Subtraction::new(2, 2);
        let deadline = &Deadline::default();
        let mut states = 0;
        match replay(&game, game.initial(), record, deadline, &mut states) {
            Ok(()) => Ok(states),
            Err(ReplayFault::Different(difference)) => Err(difference.to_string()),
            Err(ReplayFault::Stopped(stopped)) => Err(stopped.to_string()),
        }
    }

    fn played(first: &str, second: &str) -> Recorded {
        Recorded {
            moves: Some(vec![first.to_owned(), second.to_owned()]),
            ..Recorded::default()
        }
    }

    fn ended(terminal: bool) -> Recorded {
        Recorded {
            terminal: Some(terminal),
            ..Recorded::default()
        }
    }

    #[test]
    fn a_true_record_agrees() {
        assert_eq!(replayed(&[played("(take 2)", "noop"), ended(true)]), Ok(2));
    }

    #[test]
    fn an_illegal_move_is_reported() {
        let report = replayed(&[played("(take 3)", "noop")]);
        let expected = "after 0 plies what first may do differs; recorded only: (take 3)";
        assert_eq!(report, Err(expected.to_owned()));
    }

    #[test]
    fn moves_after_the_end_are_reported() {
        let report = replayed(&[played("(take 2)", "noop"), played("noop", "noop")]);
        let expected =
            "after 1 plies the end of the game differs; recorded only: false; derived only: true";
        assert_eq!(report, Err(expected.to_owned()));
    }

    #[test]
    fn a_wrong_end_is_reported() {
        let report = replayed(&[played("(take 1)", "noop"), ended(true)]);
        let expected =
            "after 1 plies the end of the game differs; recorded only: true; derived only: false";
        assert_eq!(report, Err(expected.to_owned()));
    }
}
