//! Which role is in control: in GDL, every role moves in every ply.

use crate::game::{Expansion, PositionBatch, Role, StateMachine};

/// Who is in control of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// One role moves while the others wait.
    One(Role),
    /// Several roles have a choice, or the moves do not show whose turn it is.
    Shared,
}

impl Control {
    /// Reads control off the legal moves of a state, one list per role.
    ///
    /// A role that has a choice is in control, if it is the only one. Where no role has a choice, a role waits if its
    /// single move is a bare word, such as `noop`: people write moves that do something with their arguments, as
    /// `(jump 3 4 5 6)`. If then exactly one role does not wait, its move was forced, and it is in control.
    pub fn of<G: StateMachine>(game: &G, legal: &[Vec<G::Move>]) -> Self {
        let acts = |role: usize| legal[role].iter().any(|&mv| acts(game, mv));
        Self::read(legal.len(), |role| legal[role].len(), acts)
    }

    /// The same for a state in a batch, that is not over.
    pub(super) fn within<G: Expansion>(game: &G, batch: &G::Batch, index: usize) -> Self {
        let count = |role| batch.legal_count(index, Role(role));
        let mut legal = Vec::new();
        let acts = |role| {
            batch.legal(index, Role(role), &mut legal);
            legal.iter().any(|&mv| acts(game, mv))
        };
        Self::read(game.roles().len(), count, acts)
    }

    /// Reads control off the number of moves each role has, and off whether it acts by its single one.
    fn read(
        roles: usize,
        count: impl Fn(usize) -> usize,
        mut acts: impl FnMut(usize) -> bool,
    ) -> Self {
        match single((0..roles).filter(|&role| count(role) > 1)) {
            Count::One(role) => Self::One(Role(role)),
            Count::Many => Self::Shared,
            Count::None => {
                let active = (0..roles).filter(|&role| acts(role));
                match single(active) {
                    Count::One(role) => Self::One(Role(role)),
                    Count::None | Count::Many => Self::Shared,
                }
            }
        }
    }

    /// Whether a ply from a state under this control to one under `next` keeps the same role's turn going.
    pub fn continues(self, next: Self) -> bool {
        matches!((self, next), (Self::One(before), Self::One(after)) if before == after)
    }
}

fn acts<G: StateMachine>(game: &G, mv: G::Move) -> bool {
    game.move_text(mv).starts_with('(')
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
