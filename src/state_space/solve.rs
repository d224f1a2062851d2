//! Strong solutions: what every state that can be reached is worth, and how long it takes.
//!
//! Retrograde analysis: from the ends backwards, the best one for the role first. A state is worth `goal` if the role can force an
//! end with that goal and no better one, however the others play; or if they can force that it gets no more. Where neither side can
//! force anything, the best that both can do is to go on without end: the state is *endless*. Endless games rank with a goal of 50
//! for games of several roles, and below all goals for a single role.
//!
//! Ströhlein, *Untersuchungen über kombinatorische Spiele* (1970), and Thompson, *Retrograde analysis of certain endgames* (1986), do
//! this for wins and losses; here there are as many classes as the game has goals.

use std::mem;

use rayon::prelude::*;

use super::retrograde::{Forcing, ForcingSide, MOST_MOVES, StateValues, TooManyMoves, find_values};
use super::reverse::{NoReverseGraph, ReverseGraph};
use super::table::StateNumber;
use super::{Solution, SpaceTotals, StateSpace};
use crate::engine::Propnet;
use crate::game::{Role, StateMachine, is_chance};
use crate::util::{Deadline, Expired, SparseCheck};

/// Why a state space is not solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The deadline is due, or the flag was raised.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// Only one role, or two.
    #[error("games of {0} roles have no value that can be forced")]
    TooManyRoles(usize),
    /// `random` plays.
    #[error("a game with chance has no value that can be forced")]
    Chance,
    /// Roles choose at the same time.
    #[error(
        "some states ({0}) let several roles choose at the same time, and have no value that can be forced"
    )]
    Simultaneous(u64),
    /// The rules give no single goal.
    #[error("the rules give `{0}` no single goal in some states in which the game is over ({1})")]
    NoGoal(String, u64),
    /// Rules that leave a role without a move.
    #[error(
        "a role has no legal move in some states in which the game goes on ({0}), and these have no value"
    )]
    Stuck(u64),
    /// The graph was not kept, or has more edges than 32 bits count.
    #[error("the joint moves were not kept, or are too many for that")]
    TooManyEdges,
    /// Chance takes part, or roles choose at the same time, and the game can come back to a state.
    #[error(
        "play can come back to a state; a game with chance, or in which several choose at the same time, is solved only where no state can come back"
    )]
    Cyclic,
    /// An exact value takes too many digits.
    #[error("the exact values have more digits than are of use")]
    TooFine,
    /// A state has more joint moves than are counted.
    #[error("a state has more than {MOST_MOVES} joint moves")]
    TooManyMoves,
    /// One state of each class was enumerated, of a kind of symmetries that does not keep values.
    #[error("more states are needed: symmetries left some out that have other values")]
    Classes,
}

impl StateSpace {
    /// What each state is worth to `role`, the other role playing against it. The space must have kept its graph; its symmetries must
    /// not exchange roles.
    ///
    /// # Errors
    /// [`SolveError`]: what keeps the game from being solved, or the deadline.
    pub fn solve(
        self,
        game: &Propnet,
        role: Role,
        deadline: &Deadline,
    ) -> Result<Solution, SolveError> {
        let Self {
            mut set,
            totals,
            goals,
            graph,
            symmetries,
        } = self;
        check(game, &totals, role)?;
        if symmetries.as_ref().is_some_and(|group| group.swaps_roles()) {
            return Err(SolveError::Classes);
        }
        set.forget_places();
        let mut graph = ReverseGraph::new(graph, set.end(), deadline)?;
        let degrees = mem::take(&mut graph.degrees);
        let values = StateValues::new(degrees, &graph.kinds, role)?;
        let mut retrograde = Retrograde {
            graph: &graph,
            deadline,
            values,
        };
        let is_alone = game.roles().len() == 1;
        find_values(&mut retrograde, &goals, role, is_alone)?;
        let StateValues { values, plies, .. } = retrograde.values;
        let kinds = graph.into_kinds();
        let (codec, codes, order) = set.into_sorted();
        Ok(Solution {
            roles: game.roles().to_vec(),
            role,
            states: totals.states,
            joint_moves: totals.edges,
            symmetries,
            ends: goals,
            codec,
            codes,
            kinds: order.arrange(kinds),
            values: order.arrange(values),
            plies: order.arrange(plies),
        })
    }
}

impl From<NoReverseGraph> for SolveError {
    fn from(why: NoReverseGraph) -> Self {
        match why {
            NoReverseGraph::Expired(why) => Self::Expired(why),
            NoReverseGraph::NoEdges => Self::TooManyEdges,
        }
    }
}

impl From<TooManyMoves> for SolveError {
    fn from(_: TooManyMoves) -> Self {
        Self::TooManyMoves
    }
}

/// Whether values can be forced in a game of these roles, which is known before its states are.
///
/// # Errors
/// [`SolveError::Chance`] or [`SolveError::TooManyRoles`].
pub fn check_roles(roles: &[String]) -> Result<(), SolveError> {
    if roles.iter().any(|role| is_chance(role)) {
        return Err(SolveError::Chance);
    }
    match roles.len() {
        1 | 2 => Ok(()),
        many => Err(SolveError::TooManyRoles(many)),
    }
}

/// Whether values can be forced in the game at all.
pub(super) fn check(game: &Propnet, totals: &SpaceTotals, role: Role) -> Result<(), SolveError> {
    check_roles(game.roles())?;
    if totals.simultaneous > 0 {
        return Err(SolveError::Simultaneous(totals.simultaneous));
    }
    check_ends(game, totals, role)
}

/// Whether every way to play ends with a goal of the role, or goes on.
pub(super) fn check_ends(
    game: &Propnet,
    totals: &SpaceTotals,
    role: Role,
) -> Result<(), SolveError> {
    let without = totals.ends.iter().filter(|end| end.goals[role.0].is_none());
    if totals.stuck > 0 {
        return Err(SolveError::Stuck(totals.stuck));
    }
    match without.map(|end| end.states).sum() {
        0 => Ok(()),
        states => Err(SolveError::NoGoal(game.roles()[role.0].clone(), states)),
    }
}

/// Threads share the work on more states than this, so many at a time.
const SHARED: usize = 1 << 12;

struct Retrograde<'g> {
    graph: &'g ReverseGraph,
    deadline: &'g Deadline,
    values: StateValues,
}

impl Forcing for Retrograde<'_> {
    type Error = Expired;

    fn values(&mut self) -> &mut StateValues {
        &mut self.values
    }

    fn force(
        &mut self,
        goal: u8,
        side: ForcingSide,
        goal_of: &dyn Fn(usize) -> u8,
    ) -> Result<(), Expired> {
        let mut level = self.values.begin(goal, &self.graph.kinds, goal_of);
        let mut plies = 0_u16;
        while !level.is_empty() {
            plies = plies.saturating_add(1);
            level = self.before(&level, side)?;
            // What is near in memory is read at nearly the same time.
            level.par_sort_unstable();
            for state in &level {
                self.values.set(*state, goal, plies);
            }
        }
        Ok(())
    }
}

impl Retrograde<'_> {
    /// The states without a value that lead to some that `side` can force, and that are known by that to be such states, too.
    fn before(
        &self,
        level: &[StateNumber],
        side: ForcingSide,
    ) -> Result<Vec<StateNumber>, Expired> {
        let is_shared = level.len() > SHARED && rayon::current_num_threads() > 1;
        if !is_shared {
            return self.before_some(level, side, false);
        }
        let found = level.par_chunks(SHARED);
        let found = found.map(|some| self.before_some(some, side, true));
        let found: Vec<Vec<StateNumber>> = found.collect::<Result<_, Expired>>()?;
        Ok(found.concat())
    }

    fn before_some(
        &self,
        states: &[StateNumber],
        side: ForcingSide,
        is_shared: bool,
    ) -> Result<Vec<StateNumber>, Expired> {
        let mut found = Vec::new();
        let mut check = SparseCheck::new(self.deadline);
        for state in states {
            let before = self.graph.predecessors(*state);
            check.step(1 + before.len())?;
            found.extend(before.filter(|before| self.values.reaches(*before, side, is_shared)));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
