//! The mapping of roles to searcher, opponents and chance.

use super::stack::{Choices, Pick};
use crate::game::{Role, is_chance};

/// What each role is in the search.
#[derive(Debug, Clone)]
pub(in crate::search) struct RoleMapping {
    pub(in crate::search) role: Role,
    pub(in crate::search) kinds: Vec<RoleKind>,
}

/// What a role is in the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum RoleKind {
    Searcher,
    Opponent,
    Chance,
}

impl RoleMapping {
    pub(in crate::search) fn new(roles: &[String], role: Role) -> Self {
        let kind = |(number, name): (usize, &String)| match number == role.0 {
            true => RoleKind::Searcher,
            false if is_chance(name) => RoleKind::Chance,
            false => RoleKind::Opponent,
        };
        Self {
            role,
            kinds: roles.iter().enumerate().map(kind).collect(),
        }
    }

    /// How many choices searcher, opponents and chance have, given the number of legal moves of each role.
    pub(in crate::search) fn choices(&self, count: impl Fn(Role) -> usize) -> Choices {
        let mut choices = Choices {
            own: 1,
            replies: 1,
            chances: 1,
        };
        for (role, kind) in self.kinds.iter().enumerate() {
            let count = u32::try_from(count(Role(role))).unwrap_or(u32::MAX);
            let all = match kind {
                RoleKind::Searcher => &mut choices.own,
                RoleKind::Opponent => &mut choices.replies,
                RoleKind::Chance => &mut choices.chances,
            };
            *all = all.saturating_mul(count);
        }
        choices
    }

    /// The pick that selects the moves of these numbers from `legal`, role by role: see [`RoleMapping::joint`].
    pub(in crate::search) fn pick<M>(&self, legal: &[Vec<M>], numbers: &[usize]) -> Pick {
        let mut pick = Pick {
            own: 0,
            reply: 0,
            chance: 0,
        };
        let (mut replies, mut chances) = (1, 1);
        for ((kind, legal), &number) in self.kinds.iter().zip(legal).zip(numbers) {
            match kind {
                RoleKind::Searcher => pick.own = number as u32,
                RoleKind::Opponent => add_digit(&mut pick.reply, &mut replies, number, legal.len()),
                RoleKind::Chance => add_digit(&mut pick.chance, &mut chances, number, legal.len()),
            }
        }
        pick
    }

    /// Appends the moves that `pick` selects from `legal`, role by role. Of several roles of one kind, the moves of
    /// the first one change fastest.
    pub(in crate::search) fn joint<M: Copy>(
        &self,
        legal: &[Vec<M>],
        pick: Pick,
        moves: &mut Vec<M>,
    ) {
        let (mut reply, mut chance) = (pick.reply as usize, pick.chance as usize);
        for (kind, legal) in self.kinds.iter().zip(legal) {
            let number = match kind {
                RoleKind::Searcher => pick.own as usize,
                RoleKind::Opponent => digit(&mut reply, legal.len()),
                RoleKind::Chance => digit(&mut chance, legal.len()),
            };
            moves.push(legal[number]);
        }
    }
}

fn add_digit(number: &mut u32, place: &mut u32, digit: usize, base: usize) {
    *number = number.wrapping_add(place.wrapping_mul(digit as u32));
    *place = place.wrapping_mul(base as u32);
}

fn digit(number: &mut usize, base: usize) -> usize {
    // The last digit needs no division.
    if *number < base {
        return std::mem::take(number);
    }
    let digit = *number % base;
    *number /= base;
    digit
}
