//! Whose turn it is, in a language in which everybody moves in every step.

use crate::game::{Game, Role};

/// Who is in control of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// One role moves while the others wait.
    One(Role),
    /// Several roles have a choice, or it cannot be told who moves.
    Shared,
}

impl Control {
    /// Reads control off the legal moves of a state, one list per role.
    ///
    /// A role that has a choice is in control, if it is the only one. Where nobody has a choice, a role waits if its
    /// single move is a bare word, such as `noop`: people write moves that do something with their arguments, as
    /// `(jump 3 4 5 6)`. If then exactly one role does not wait, its move was forced, and it is in control.
    pub fn of<G: Game>(game: &G, legal: &[Vec<G::Move>]) -> Self {
        let choosers = single((0..legal.len()).filter(|&role| legal[role].len() > 1));
        match choosers {
            Count::One(role) => Self::One(Role(role)),
            Count::Many => Self::Shared,
            Count::None => {
                let acts = |mv: &G::Move| game.move_text(*mv).starts_with('(');
                let active = (0..legal.len()).filter(|&role| legal[role].iter().any(acts));
                match single(active) {
                    Count::One(role) => Self::One(Role(role)),
                    Count::None | Count::Many => Self::Shared,
                }
            }
        }
    }

    /// Whether a step from a state under this control to one under `next` keeps the same role's turn going.
    pub fn continues(self, next: Self) -> bool {
        matches!((self, next), (Self::One(before), Self::One(after)) if before == after)
    }
}

enum Count {
    None,
    One(usize),
    Many,
}

fn single(mut roles: impl Iterator<Item = usize>) -> Count {
    match (roles.next(), roles.next()) {
        (None, _) => Count::None,
        (Some(role), None) => Count::One(role),
        (Some(_), Some(_)) => Count::Many,
    }
}
