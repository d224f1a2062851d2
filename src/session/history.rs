//! A game in progress: a position, and how it was reached.

use std::time::Duration;

use super::{Found, Game, IllegalMove, InvalidFacts, Position, UnknownRole};
use crate::game::{Fault, Role};
use crate::search::{EvaluationPart, SearchLimits, Searcher};
use crate::util::StopFlag;

/// A game in progress. Roles are numbered from 0 in the order of [`Session::roles`].
#[derive(Debug, Clone)]
pub struct Session {
    /// Positions that were left, with the joint moves that left them.
    past: Vec<(Position, Vec<String>)>,
    present: Position,
    /// Positions that were taken back, the next one last, with the joint moves that lead to them.
    taken_back: Vec<(Position, Vec<String>)>,
}

impl Session {
    /// A session that begins with the initial position of `game`.
    pub fn new(game: &Game) -> Self {
        Self::from(game.initial())
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.present.game()
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.present
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        self.present.roles()
    }

    /// The facts of the present position, sorted.
    pub fn facts(&self) -> Vec<String> {
        self.present.facts()
    }

    /// Whether the game is over.
    pub fn is_terminal(&self) -> bool {
        self.present.is_terminal()
    }

    /// The legal moves of a role in natural order; none once the game is over.
    ///
    /// # Errors
    /// [`UnknownRole`].
    pub fn legal(&self, role: &str) -> Result<&[String], UnknownRole> {
        self.present.legal(role)
    }

    /// The legal moves of the role of this number, as [`Session::legal`] returns them.
    pub fn legal_of(&self, role: usize) -> &[String] {
        self.present.legal_of(role)
    }

    /// What every role scores in the present position, where the rules say so.
    pub fn goals(&self) -> &[Option<u8>] {
        self.present.goals()
    }

    /// The joint moves played so far.
    pub fn history(&self) -> Vec<&[String]> {
        self.past.iter().map(|(_, joint)| &joint[..]).collect()
    }

    /// The positions left so far, the first one first.
    pub fn past(&self) -> impl Iterator<Item = &Position> {
        self.past.iter().map(|(position, _)| position)
    }

    /// The joint moves that were taken back, the next one first, with the positions they lead to.
    pub fn taken_back(&self) -> impl Iterator<Item = (&[String], &Position)> {
        let moves = self.taken_back.iter().rev();
        moves.map(|(position, joint)| (&joint[..], position))
    }

    /// How often the present position has occurred, now included.
    pub fn occurrences(&self) -> usize {
        1 + self.past().filter(|past| **past == self.present).count()
    }

    /// Plays `mv` for the one role that has a choice: see [`Position::play`].
    ///
    /// # Errors
    /// [`IllegalMove`]; then nothing has changed.
    pub fn play(&mut self, mv: &str) -> Result<(), IllegalMove> {
        let joint = self.present.filled_in(mv)?;
        self.play_joint(&joint)
    }

    /// Plays a joint move, one move per role; spacing does not matter.
    ///
    /// # Errors
    /// [`IllegalMove`]; then nothing has changed.
    pub fn play_joint<S: AsRef<str>>(&mut self, joint: &[S]) -> Result<(), IllegalMove> {
        let joint = self.present.canonical(joint)?;
        let next = self.present.after(&joint)?;
        self.advance(next, joint);
        self.taken_back.clear();
        Ok(())
    }

    fn advance(&mut self, next: Position, joint: Vec<String>) {
        let left = std::mem::replace(&mut self.present, next);
        self.past.push((left, joint));
    }

    /// The same moves from the same facts on a game of the same rules, which may run on another engine; `None` where they cannot be
    /// played there.
    pub fn replayed_on(&self, game: &Game) -> Option<Self> {
        let first = self.past().next().unwrap_or(&self.present);
        let mut replayed = Self::from(game.position(&first.facts()).ok()?);
        let mut joints = self.history().into_iter();
        let is_whole = joints.all(|joint| replayed.play_joint(joint).is_ok());
        is_whole.then_some(replayed)
    }

    /// Takes the last joint move back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some((before, joint)) = self.past.pop() else {
            return false;
        };
        let left = std::mem::replace(&mut self.present, before);
        self.taken_back.push((left, joint));
        true
    }

    /// Plays the joint move again that was taken back last; `false` if there is none, or another one was played since.
    pub fn redo(&mut self) -> bool {
        let Some((next, joint)) = self.taken_back.pop() else {
            return false;
        };
        self.advance(next, joint);
        true
    }

    /// Starts again from the position in which exactly `facts` hold.
    ///
    /// # Errors
    /// [`InvalidFacts`]; then nothing has changed.
    pub fn set_up(&mut self, facts: &[String]) -> Result<(), InvalidFacts> {
        *self = Self::from(self.game().position(facts)?);
        Ok(())
    }

    /// What the evaluation of the present position for `role` is made of, in the words of the rules; those parts that weigh most
    /// first, and nothing where no weights are known.
    pub fn explanation(&self, role: usize, searcher: &Searcher) -> Vec<EvaluationPart> {
        self.present.state().explanation(Role(role), searcher)
    }

    /// Lets `searcher` learn what it needs to play `role`, within `time` and until `stop` is raised. What is learned of a
    /// game is learned once for all who play it.
    pub fn prepare(&self, role: usize, searcher: &mut Searcher, time: Duration, stop: &StopFlag) {
        let state = self.present.state();
        state.prepare(Role(role), searcher, time, stop);
    }

    /// What a search finds for `role` in the present position; `None` if the role has no move. `searcher` belongs to one
    /// role of this game. Positions that occurred before count as a repetition.
    pub fn search(
        &self,
        role: usize,
        limits: &SearchLimits<'_>,
        searcher: &mut Searcher,
    ) -> Option<Found> {
        self.search_for(role, limits, searcher, false)
    }

    /// The same, with the lines of all moves as people write them.
    pub fn search_with_lines(
        &self,
        role: usize,
        limits: &SearchLimits<'_>,
        searcher: &mut Searcher,
    ) -> Option<Found> {
        self.search_for(role, limits, searcher, true)
    }

    fn search_for(
        &self,
        role: usize,
        limits: &SearchLimits<'_>,
        searcher: &mut Searcher,
        wants_lines: bool,
    ) -> Option<Found> {
        let mut past = self.past().map(Position::state);
        let state = self.present.state();
        state.search(Role(role), limits, searcher, &mut past, wants_lines)
    }

    /// What each heuristic of `searcher` adds to what `role` expects of the present position, in logits; empty where it
    /// has learned nothing.
    pub fn contributions(&self, role: usize, searcher: &Searcher) -> Vec<(&'static str, f64)> {
        self.present.state().contributions(Role(role), searcher)
    }

    /// The budget of the engine that ran out in the present position, if one did: then the game counts as over.
    pub fn fault(&self) -> Option<&Fault> {
        self.present.fault()
    }
}

impl From<Position> for Session {
    /// A session that begins here, without a past.
    fn from(position: Position) -> Self {
        Self {
            past: Vec::new(),
            present: position,
            taken_back: Vec::new(),
        }
    }
}
