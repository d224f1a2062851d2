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

use super::kind::StateKind;
use super::reverse::{NoReverseGraph, ReverseGraph};
use super::solution::{ENDLESS, UNSOLVED};
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
        "{0} states let several roles choose at the same time, and have no value that can be forced"
    )]
    Simultaneous(u64),
    /// The rules give no single goal.
    #[error("the rules give `{0}` no single goal in {1} states in which the game is over")]
    NoGoal(String, u64),
    /// Rules that leave a role without a move.
    #[error(
        "a role has no legal move in {0} states in which the game goes on, and these have no value"
    )]
    Stuck(u64),
    /// The graph was not kept, or has more edges than 32 bits count.
    #[error("the joint moves were not kept, or are too many for that")]
    TooManyEdges,
    /// Chance takes part, or roles choose at the same time, and the game can come back to a state.
    #[error(
        "play can come back to a state, and with chance or several who choose at the same time, only games that cannot have values here"
    )]
    Cyclic,
    /// An exact value takes too many digits.
    #[error("the exact values have more digits than are of use")]
    TooFine,
    /// A state has more joint moves than are counted.
    #[error("a state has more than {MOST_MOVES} joint moves")]
    TooManyMoves,
}

impl StateSpace {
    /// What each state is worth to `role`, the other role playing against it. The space must have kept its graph.
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
        } = self;
        check(game, &totals, role)?;
        set.forget_places();
        let mut graph = ReverseGraph::new(graph, set.end(), deadline)?;
        let open = open_moves(&mut graph, role)?;
        let goal_of = |end: usize| goals[end][role.0].unwrap_or(ENDLESS);
        let mut retrograde = Retrograde::new(&graph, open, game.roles().len() == 1, deadline);
        retrograde.run(goals.iter().filter_map(|goals| goals[role.0]), &goal_of)?;
        let Retrograde { values, plies, .. } = retrograde;
        let kinds = graph.into_kinds();
        let (codec, codes, order) = set.into_sorted();
        Ok(Solution {
            roles: game.roles().to_vec(),
            role,
            joint_moves: totals.edges,
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
fn check(game: &Propnet, totals: &SpaceTotals, role: Role) -> Result<(), SolveError> {
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

/// Who forces an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ForcingSide {
    /// The role that is solved for.
    Role,
    /// The other one.
    Other,
}

/// What is known of a state whose predecessors are looked at, in one number, as each look takes a read of memory: flags, and how many
/// joint moves do not yet lead to what the side that waits wants to avoid.
type OpenMoves = u16;

/// The state has a value.
const VALUED: OpenMoves = 1 << 15;
/// The role that is solved for chooses. Where nobody does, there is one joint move, and it is all the same.
const OF_ROLE: OpenMoves = 1 << 14;
const MOST_MOVES: OpenMoves = OF_ROLE - 1;

/// The moves of all states, before any has a value. Takes the degrees from the graph.
fn open_moves(graph: &mut ReverseGraph, role: Role) -> Result<Vec<OpenMoves>, SolveError> {
    let mut open = mem::take(&mut graph.degrees);
    for (open, kind) in open.iter_mut().zip(&graph.kinds) {
        if *open > MOST_MOVES {
            return Err(SolveError::TooManyMoves);
        }
        if kind.role() == Some(role.0) {
            *open |= OF_ROLE;
        }
    }
    Ok(open)
}

struct Retrograde<'g> {
    graph: &'g ReverseGraph,
    /// Whether there is no other role.
    is_alone: bool,
    deadline: &'g Deadline,
    open: Vec<OpenMoves>,
    values: Vec<u8>,
    plies: Vec<u16>,
}

impl<'g> Retrograde<'g> {
    fn new(
        graph: &'g ReverseGraph,
        open: Vec<OpenMoves>,
        is_alone: bool,
        deadline: &'g Deadline,
    ) -> Self {
        Self {
            graph,
            is_alone,
            deadline,
            open,
            values: vec![UNSOLVED; graph.kinds.len()],
            plies: vec![0; graph.kinds.len()],
        }
    }

    /// Finds all values, among these goals.
    fn run(
        &mut self,
        goals: impl Iterator<Item = u8>,
        goal_of: &dyn Fn(usize) -> u8,
    ) -> Result<(), Expired> {
        let mut goals: Vec<u8> = goals.collect();
        goals.sort_unstable();
        goals.dedup();
        let least = if self.is_alone { 0 } else { ENDLESS + 1 };
        for goal in goals.iter().rev().filter(|goal| **goal >= least) {
            self.force(*goal, ForcingSide::Role, goal_of)?;
        }
        for goal in goals.iter().filter(|goal| **goal < least.min(ENDLESS)) {
            self.force(*goal, ForcingSide::Other, goal_of)?;
        }
        if !self.is_alone && goals.contains(&ENDLESS) {
            self.draw(goal_of)?;
        }
        Ok(())
    }

    /// States that end with a goal of 50 because a side can force that it gets no less. Either may.
    fn draw(&mut self, goal_of: &dyn Fn(usize) -> u8) -> Result<(), Expired> {
        let of_role = self.force(ENDLESS, ForcingSide::Role, goal_of)?;
        let plies: Vec<u16> = of_role
            .iter()
            .map(|state| self.plies[*state as usize])
            .collect();
        for state in &of_role {
            self.values[*state as usize] = UNSOLVED;
            self.open[*state as usize] &= !VALUED;
        }
        self.force(ENDLESS, ForcingSide::Other, goal_of)?;
        for (state, plies) in of_role.iter().zip(plies) {
            let place = *state as usize;
            let is_new = self.values[place] == UNSOLVED;
            self.values[place] = ENDLESS;
            self.plies[place] = match is_new {
                true => plies,
                false => self.plies[place].min(plies),
            };
        }
        Ok(())
    }

    /// Gives `goal` to all states without a value from which a side can force an end with that goal, or one that is better for it;
    /// returns them, the nearest to the end first.
    fn force(
        &mut self,
        goal: u8,
        side: ForcingSide,
        goal_of: &dyn Fn(usize) -> u8,
    ) -> Result<Vec<StateNumber>, Expired> {
        let graph = self.graph;
        let is_end = |kind: &StateKind| kind.end().is_some_and(|end| goal_of(end) == goal);
        let ends = graph
            .kinds
            .iter()
            .enumerate()
            .filter(|(_, kind)| is_end(kind));
        let mut found: Vec<StateNumber> = ends.map(|(state, _)| state as StateNumber).collect();
        for state in &found {
            self.values[*state as usize] = goal;
            self.plies[*state as usize] = 0;
        }
        let mut check = SparseCheck::new(self.deadline);
        let (mut next, mut plies) = (0, 0_u16);
        while next < found.len() {
            let level = next..found.len();
            (next, plies) = (level.end, plies.saturating_add(1));
            // What is near in memory is read at nearly the same time.
            found[level.clone()].sort_unstable();
            for place in level {
                let before = graph.predecessors(found[place]);
                check.step(1 + before.len())?;
                for before in before {
                    if self.reaches(before, side) {
                        self.values[before as usize] = goal;
                        self.plies[before as usize] = plies;
                        found.push(before);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether a state that leads to one that `side` can force is now known to be one itself.
    fn reaches(&mut self, state: StateNumber, side: ForcingSide) -> bool {
        let open = &mut self.open[state as usize];
        if *open & VALUED != 0 {
            return false;
        }
        let chooses = (*open & OF_ROLE != 0) == (side == ForcingSide::Role);
        if !chooses {
            *open -= 1;
        }
        let reaches = chooses || *open & MOST_MOVES == 0;
        if reaches {
            *open |= VALUED;
        }
        reaches
    }
}

#[cfg(test)]
mod tests;
