//! The evaluations of a student project, as it was published. Its searches and games are in `tests/games/published`.
//!
//! Source: "Two Player Games: Checkers" by Sabotinov, Torrente and Henderson, with its complete listing. Both searches
//! value positions in which the opponent is to move with the wrong sign; the evaluations have slips of their own, which
//! are noted where they are kept. With them, all games of the report come out move for move and node for node.

mod ef1;
mod ef2;
mod ef3;
mod seen;

use seen::Seen;

use super::{Checkers, CheckersState};
use crate::game::Role;
use crate::native::rules::NativeRules;

/// The evaluations, named as in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishedEvaluation {
    /// EF-1, by Torrente: pieces, mobility, back rows.
    One,
    /// EF-2, by Henderson: tables of squares.
    Two,
    /// EF-3, by Sabotinov: tables of squares, and what can be taken.
    Three,
    /// EF-4: everything is the same, so that the first turn is as good as any.
    Constant,
}

impl PublishedEvaluation {
    /// The names under which the native engine of checkers has them.
    pub const NAMES: &[&str] = &["ef-1", "ef-2", "ef-3"];

    /// The evaluation of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ef-1" => Some(Self::One),
            "ef-2" => Some(Self::Two),
            "ef-3" => Some(Self::Three),
            _ => None,
        }
    }

    /// The value of the position for a role. Each evaluation sees a position from the role in control alone, so that the
    /// values for the two roles do not always add up to zero.
    pub(super) fn worth(self, rules: &Checkers, position: &CheckersState, role: Role) -> i32 {
        let made = u32::from(position.turn - 1);
        match rules.in_control(position) == role.0 {
            true => self.value(rules, position, made),
            false => -self.value(rules, position, made),
        }
    }

    /// The value of the position for the role in control; `made` is the number of turns that the searching player has made.
    pub fn value(self, rules: &Checkers, position: &CheckersState, made: u32) -> i32 {
        let seen = || Seen::new(rules, position);
        match self {
            Self::One => ef1::value(&seen(), made),
            Self::Two => ef2::value(&seen()),
            Self::Three => ef3::value(&seen()),
            Self::Constant => 1,
        }
    }
}

/// Values beyond these are equal to the searches' own bounds.
fn clamped(value: i32) -> i32 {
    match value {
        ..=-8_000_000 => -7_999_999,
        9_000_000.. => 7_999_999,
        _ => value,
    }
}
