//! A position: a state of a game, as a value.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rayon::ThreadPool;

use super::erased::{AnyState, View};
use super::{Game, IllegalMove, PlayoutRun, UnknownRole};
use crate::analysis::{DepthCount, Perft};
use crate::conformance::{Recorded, ReplayFault};
use crate::game::{Fault, PlayoutOptions, PlayoutTotals, Role, Stopped, is_chance};
use crate::kif::GroundTerm;
use crate::util::{Deadline, natural_order};

/// A state of a game: exactly the set of facts that hold. Cheap to clone, and may be sent to another thread.
///
/// Two positions are equal if they come from the same [`Game`] (or clones of it) and the same facts hold in them. How a
/// position was reached is kept by a [`Session`](super::Session).
#[derive(Clone)]
pub struct Position {
    game: Game,
    state: Arc<dyn AnyState>,
}

impl Position {
    pub(super) fn new(game: Game, state: Arc<dyn AnyState>) -> Self {
        Self { game, state }
    }

    pub(super) fn state(&self) -> &dyn AnyState {
        &*self.state
    }

    fn view(&self) -> &View {
        self.state.view()
    }

    /// The game that this is a position of.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        self.game.roles()
    }

    /// The facts that hold, as KIF terms, sorted. [`Game::position`] reads them back.
    pub fn facts(&self) -> Vec<String> {
        self.state.facts()
    }

    /// Whether the game is over.
    pub fn is_terminal(&self) -> bool {
        self.view().is_terminal
    }

    /// What every role scores here, where the rules say so.
    pub fn goals(&self) -> &[Option<u8>] {
        &self.view().goals
    }

    /// What `role` scores here: `None` where the rules give no value.
    ///
    /// # Errors
    /// [`UnknownRole`].
    pub fn goal(&self, role: &str) -> Result<Option<u8>, UnknownRole> {
        Ok(self.goals()[self.game.role(role)?])
    }

    /// The legal moves of `role` as KIF terms, in natural order (2 before 10); none once the game is over.
    ///
    /// # Errors
    /// [`UnknownRole`].
    pub fn legal(&self, role: &str) -> Result<&[String], UnknownRole> {
        Ok(self.legal_of(self.game.role(role)?))
    }

    /// The same for the role of this number, counted from 0 in the order of [`Position::roles`].
    pub fn legal_of(&self, role: usize) -> &[String] {
        &self.view().legal[role]
    }

    /// The numbers of the roles that have more than one legal move.
    pub fn choosing(&self) -> Vec<usize> {
        let legal = self.view().legal.iter().enumerate();
        let choosing = legal.filter(|(_, moves)| moves.len() > 1);
        choosing.map(|(role, _)| role).collect()
    }

    /// The role that a search is meant for: the only player with a choice; where no role has one, the one in control, or else
    /// the first that is not chance. `None` where several have a choice.
    pub fn role_to_move(&self) -> Option<usize> {
        let roles = self.roles();
        let is_player = |role: &usize| !is_chance(&roles[*role]);
        let choosing: Vec<usize> = self.choosing().into_iter().filter(is_player).collect();
        match choosing[..] {
            [role] => Some(role),
            [] => {
                let first = (0..roles.len()).find(is_player);
                self.control().filter(is_player).or(first)
            }
            _ => None,
        }
    }

    /// The only role with a choice; where no role has one, the only one that does anything, as far as the forms of the moves tell.
    pub(crate) fn control(&self) -> Option<usize> {
        self.state.control().map(|Role(role)| role)
    }

    /// Plays `mv` for the one role that has a choice; roles with a single move are filled in. Where no role has a choice,
    /// `mv` is the move of any role.
    ///
    /// # Errors
    /// [`IllegalMove`]; then nothing has changed.
    pub fn play(&mut self, mv: &str) -> Result<(), IllegalMove> {
        let joint = self.filled_in(mv)?;
        self.play_joint(&joint)
    }

    /// Plays a joint move, one move per role in the order of [`Position::roles`]; spacing does not matter.
    ///
    /// # Errors
    /// [`IllegalMove`]; then nothing has changed.
    pub fn play_joint<S: AsRef<str>>(&mut self, joint: &[S]) -> Result<(), IllegalMove> {
        *self = self.after(joint)?;
        Ok(())
    }

    /// The position after a joint move.
    ///
    /// # Errors
    /// [`IllegalMove`].
    pub fn after<S: AsRef<str>>(&self, joint: &[S]) -> Result<Self, IllegalMove> {
        let places = self.places(joint)?;
        Ok(Self::new(self.game.clone(), self.state.after(&places)))
    }

    /// The joint move in which the role that has a choice plays `mv`.
    pub(super) fn filled_in(&self, mv: &str) -> Result<Vec<String>, IllegalMove> {
        if self.is_terminal() {
            return Err(IllegalMove::Over);
        }
        let (roles, legal) = (self.roles(), &self.view().legal);
        let named = |with: &dyn Fn(&Vec<String>) -> bool| -> Vec<String> {
            let of = roles.iter().zip(legal).filter(|(_, moves)| with(moves));
            of.map(|(role, _)| role.clone()).collect()
        };
        let stuck = named(&Vec::is_empty);
        if !stuck.is_empty() {
            return Err(IllegalMove::Stuck { roles: stuck });
        }
        let role = match self.choosing()[..] {
            [role] => role,
            [] => {
                let may = |role: &usize| self.place(*role, mv).is_some();
                (0..roles.len()).find(may).unwrap_or(0)
            }
            _ => {
                let roles = named(&|moves| moves.len() > 1);
                return Err(IllegalMove::SeveralChoose { roles });
            }
        };
        let mut joint: Vec<String> = legal.iter().map(|moves| moves[0].clone()).collect();
        mv.clone_into(&mut joint[role]);
        Ok(joint)
    }

    /// The moves of a joint move as the rules write them.
    pub(super) fn canonical<S: AsRef<str>>(&self, joint: &[S]) -> Result<Vec<String>, IllegalMove> {
        let places = self.places(joint)?.into_iter().enumerate();
        Ok(places
            .map(|(role, place)| self.legal_of(role)[place].clone())
            .collect())
    }

    fn places<S: AsRef<str>>(&self, joint: &[S]) -> Result<Vec<usize>, IllegalMove> {
        let (given, wanted) = (joint.len(), self.roles().len());
        if given != wanted {
            return Err(IllegalMove::Count { given, wanted });
        }
        if self.is_terminal() {
            return Err(IllegalMove::Over);
        }
        let place = |(role, mv): (usize, &S)| {
            self.place(role, mv.as_ref())
                .ok_or_else(|| IllegalMove::Role {
                    role: self.roles()[role].clone(),
                    mv: mv.as_ref().to_owned(),
                })
        };
        joint.iter().enumerate().map(place).collect()
    }

    /// Where `mv` stands among the legal moves of `role`.
    fn place(&self, role: usize, mv: &str) -> Option<usize> {
        let legal = self.legal_of(role);
        let exact = legal
            .binary_search_by(|known| natural_order(known, mv))
            .ok();
        exact.or_else(|| {
            let term = mv.parse::<GroundTerm>().ok()?.to_string();
            legal.iter().position(|known| *known == term)
        })
    }

    /// The budget of the engine that ran out when this position was looked at, if one did: then the position counts as
    /// terminal, and nothing it says means anything.
    pub fn fault(&self) -> Option<&Fault> {
        self.view().fault.as_ref()
    }

    /// Random games from here: every role picks uniformly among its legal moves.
    pub fn playouts(&self, count: u64) -> PlayoutRun {
        PlayoutRun::new(self.clone(), count)
    }

    /// Random games from here with every option of the engine, and why they ended before the count was reached.
    pub fn playouts_with(
        &self,
        options: PlayoutOptions<'_>,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        self.state.playouts(options)
    }

    /// Replays a record that begins here, and adds to `states` the number of positions that agree: see
    /// [`replay`](crate::conformance::replay).
    ///
    /// # Errors
    /// The first difference, or why it stopped before the end.
    pub fn replay(
        &self,
        record: &[Recorded],
        deadline: &Deadline,
        states: &mut usize,
    ) -> Result<(), ReplayFault> {
        self.state.replay(record, deadline, states)
    }

    /// Counts the paths of `depth` joint moves (or turns) from here with the threads of `pool`: see [`Perft::count`].
    ///
    /// # Errors
    /// Says why it stopped before the count was complete.
    pub fn perft(
        &self,
        perft: &Perft<'_>,
        pool: &ThreadPool,
        depth: u32,
    ) -> Result<DepthCount, Stopped> {
        self.state.perft(perft, pool, depth)
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.state.is_same(&*other.state)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash_into(hasher);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("game", &self.game.name())
            .field("facts", &self.facts())
            .finish()
    }
}

/// The facts, one a line.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts()
            .iter()
            .try_for_each(|fact| writeln!(f, "{fact}"))
    }
}
