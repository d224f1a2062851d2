//! Whether a role can keep a game from ever ending, however the others play.
//!
//! A safety game: from the ends backwards, the states are removed from which the others can force an end, whoever gains by it. In each
//! state that remains, the role has a move after which only such states can follow. All others together are one opponent. The set that
//! is removed is the *attractor* of the ends (Thomas, *On the synthesis of strategies in infinite games*, 1995).
//!
//! Where several roles choose at once, nobody knows what the others do: the role can stay among these states if one of its moves
//! does so against all of theirs. A state in which the game goes on, but a role has no legal move, counts as an end.

use std::sync::Arc;

use super::announced::announced;
use super::graph::GraphPart;
use super::kind::StateKind;
use super::reverse::{NoReverseGraph, ReverseGraph};
use super::set::StateSet;
use super::table::StateNumber;
use super::{SpaceTotals, StateSpace, canonical};
use crate::engine::{Bits, Propnet};
use crate::game::{Role, StateMachine, is_chance};
use crate::symmetry::{OrbitScratch, SymmetryGroup};
use crate::util::{Deadline, Expired, SparseCheck};

/// Why it is not known who can keep a game from ending.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoopError {
    /// The deadline is due, or the flag was raised.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// `random` plays.
    #[error("what a role can force is not answered for games with chance")]
    Chance,
    /// The graph was not kept, or has more edges than 32 bits count.
    #[error("the joint moves were not kept, or are too many for that")]
    TooManyEdges,
    /// One state of each class was enumerated, of a kind of symmetries that does not keep who can do what.
    #[error(
        "more states are needed: symmetries left some out in which other roles can do the same"
    )]
    RolesExchanged,
}

impl From<NoReverseGraph> for LoopError {
    fn from(why: NoReverseGraph) -> Self {
        match why {
            NoReverseGraph::Expired(why) => Self::Expired(why),
            NoReverseGraph::NoEdges => Self::TooManyEdges,
        }
    }
}

/// From which states of a game each role can keep it from ever ending.
#[derive(Debug)]
pub struct Loops {
    set: StateSet,
    totals: SpaceTotals,
    /// Of states that these make of each other, one is in the set.
    symmetries: Option<Arc<SymmetryGroup>>,
    /// Per role and number, whether it can.
    can: Vec<Vec<bool>>,
}

impl StateSpace {
    /// Finds out from which states each role can keep the game from ever ending. The space must have kept its graph.
    ///
    /// # Errors
    /// [`LoopError`]: what keeps this from being known, or the deadline.
    pub fn loops(self, game: &Propnet, deadline: &Deadline) -> Result<Loops, LoopError> {
        check_no_chance(game.roles())?;
        let Self {
            mut set,
            totals,
            graph,
            symmetries,
            ..
        } = self;
        if symmetries.as_ref().is_some_and(|group| group.swaps_roles()) {
            return Err(LoopError::RolesExchanged);
        }
        set.forget_places();
        let roles = game.roles().len();
        let can = endless_states(graph, set.end(), roles, totals.simultaneous > 0, deadline)?;
        Ok(Loops {
            set,
            totals,
            symmetries,
            can,
        })
    }
}

/// Whether it can be known who keeps a game of these roles from ending.
///
/// # Errors
/// [`LoopError::Chance`].
pub fn check_no_chance(roles: &[String]) -> Result<(), LoopError> {
    match roles.iter().any(|role| is_chance(role)) {
        true => Err(LoopError::Chance),
        false => Ok(()),
    }
}

/// Per role and number below `end`, whether the role can keep the game from ending there.
fn endless_states(
    parts: Vec<GraphPart>,
    end: usize,
    roles: usize,
    is_simultaneous: bool,
    deadline: &Deadline,
) -> Result<Vec<Vec<bool>>, NoReverseGraph> {
    let roles = (0..roles).map(Role);
    if !is_simultaneous {
        let graph = ReverseGraph::new(parts, end, deadline)?;
        let can = roles.map(|role| safe_states(&graph, role, deadline));
        return Ok(can.collect::<Result<_, Expired>>()?);
    }
    roles
        .map(|role| {
            let (parts, all) = announced(&parts, role, end)?;
            let graph = ReverseGraph::new(parts, all, deadline)?;
            let mut can = safe_states(&graph, role, deadline)?;
            can.truncate(end);
            Ok(can)
        })
        .collect()
}

/// Which states are not in the attractor of the ends, against `role`.
fn safe_states(
    graph: &ReverseGraph,
    role: Role,
    deadline: &Deadline,
) -> Result<Vec<bool>, Expired> {
    let is_end = |kind: StateKind| kind.end().is_some() || kind == StateKind::STUCK;
    let kinds = graph.kinds.iter().enumerate();
    let ends = kinds.filter(|(_, kind)| is_end(**kind));
    let mut removed: Vec<StateNumber> = ends.map(|(state, _)| state as StateNumber).collect();
    let is_left = |kind: &StateKind| *kind != StateKind::NONE && !is_end(*kind);
    let mut safe: Vec<bool> = graph.kinds.iter().map(is_left).collect();
    let mut good_moves = graph.degrees.clone();
    let mut check = SparseCheck::new(deadline);
    while let Some(state) = removed.pop() {
        let before = graph.predecessors(state);
        check.step(1 + before.len())?;
        for before in before {
            let place = before as usize;
            if graph.kinds[place].role() == Some(role.0) {
                good_moves[place] -= 1;
                if good_moves[place] > 0 {
                    continue;
                }
            }
            if safe[place] {
                safe[place] = false;
                removed.push(before);
            }
        }
    }
    Ok(safe)
}

impl Loops {
    /// What is known of the states.
    pub fn totals(&self) -> &SpaceTotals {
        &self.totals
    }

    /// Whether `role` can keep the game from ever ending once it is in `state`; false if that cannot be reached.
    pub fn can(&self, role: Role, state: &Bits) -> bool {
        let state = canonical(self.symmetries.as_deref(), state);
        let number = self.set.number_of(&state);
        number.is_some_and(|number| self.can[role.0][number as usize])
    }

    /// From how many states `role` can keep the game from ever ending.
    pub fn count(&self, role: Role) -> u64 {
        let can = &self.can[role.0];
        let Some(group) = &self.symmetries else {
            return can.iter().filter(|can| **can).count() as u64;
        };
        let (mut count, mut orbits) = (0, OrbitScratch::default());
        self.set.each(|number, state| {
            if can[number as usize] {
                count += group.orbit(state.words(), &mut orbits);
            }
        });
        count
    }

    /// How many states were enumerated, each of which may stand for others.
    pub fn classes(&self) -> u64 {
        self.set.count()
    }
}

#[cfg(test)]
mod tests;
