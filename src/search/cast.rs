//! Who plays which part in a search.

use super::ladder::{Choices, Pick};
use crate::game::{Role, is_chance};

/// Which part each role has in the search.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    pub(super) role: Role,
    pub(super) parts: Vec<Part>,
}

/// A part in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Searcher,
    Opponent,
    Chance,
}

impl Cast {
    pub(super) fn new(roles: &[String], role: Role) -> Self {
        let part = |(number, name): (usize, &String)| match number == role.0 {
            true => Part::Searcher,
            false if is_chance(name) => Part::Chance,
            false => Part::Opponent,
        };
        Self {
            role,
            parts: roles.iter().enumerate().map(part).collect(),
        }
    }

    /// How many choices each part has, where so many moves are legal for a role.
    pub(super) fn choices(&self, count: impl Fn(Role) -> usize) -> Choices {
        let mut choices = Choices {
            own: 1,
            replies: 1,
            chances: 1,
        };
        for (role, part) in self.parts.iter().enumerate() {
            let count = u32::try_from(count(Role(role))).unwrap_or(u32::MAX);
            let all = match part {
                Part::Searcher => &mut choices.own,
                Part::Opponent => &mut choices.replies,
                Part::Chance => &mut choices.chances,
            };
            *all = all.saturating_mul(count);
        }
        choices
    }

    /// Appends the moves that `pick` takes from `legal`, role by role: of several roles of one part, the number counts
    /// the moves of the first fastest.
    pub(super) fn joint<M: Copy>(&self, legal: &[Vec<M>], pick: Pick, moves: &mut Vec<M>) {
        let (mut reply, mut chance) = (pick.reply as usize, pick.chance as usize);
        for (part, legal) in self.parts.iter().zip(legal) {
            let number = match part {
                Part::Searcher => pick.own as usize,
                Part::Opponent => digit(&mut reply, legal.len()),
                Part::Chance => digit(&mut chance, legal.len()),
            };
            moves.push(legal[number]);
        }
    }
}

fn digit(number: &mut usize, base: usize) -> usize {
    let digit = *number % base;
    *number /= base;
    digit
}
