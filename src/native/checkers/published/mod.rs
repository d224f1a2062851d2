//! The players of a student project, as it was published: evaluations, searches, and the games they play.
//!
//! Source: "Two Player Games: Checkers" by Sabotinov, Torrente and Henderson, with its complete listing. Both searches
//! value positions in which the opponent is to move with the wrong sign; the evaluations have slips of their own, which
//! are noted where they are kept. With them, all games of the report come out move for move and node for node.
//!
//! ```text
//! PublishedPairing ─▶ PublishedPlayer ─▶ Search ─▶ PublishedEvaluation
//!    └─▶ PublishedGame ─▶ log
//! ```

mod cures;
mod ef1;
mod ef2;
mod ef3;
mod ef3_before;
mod game;
mod log;
mod player;
mod search;
mod seen;
mod simulation;
#[cfg(test)]
mod tests;

pub use cures::JitterCure;
pub use game::{PublishedEnding, PublishedGame, PublishedTurn, PublishedTurns, board_rows};
pub use log::{full_log, log_name, short_log};
pub use player::{LeafSign, PublishedAlgorithm, PublishedPlayer, SearchTask};
pub use search::SearchCounts;
pub use simulation::{PublishedPairing, full_simulation, sample_run};

use std::fmt;

use seen::Seen;

use super::{Checkers, CheckersState};
use crate::game::Role;
use crate::native::rules::NativeRules;

/// The evaluations, named as in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PublishedEvaluation {
    /// EF-1, by Torrente: pieces, mobility, back rows.
    One,
    /// EF-2, by Henderson: tables of squares.
    Two,
    /// EF-3, by Sabotinov: tables of squares, and what can be taken.
    Three,
    /// The same with differences of men and kings, which the listing has switched off.
    ThreeWithBonus,
    /// EF-3 at first: everything is the same.
    ThreeV0,
    /// EF-3 in its next version: pieces, tables of squares, and where moves lead.
    ThreeV1,
    /// EF-3 in the version before the last one: captures decide, whatever else there is.
    ThreeV2,
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

    /// The evaluation that the report calls EF-`number`, in its last version.
    pub fn numbered(number: u8) -> Option<Self> {
        [Self::One, Self::Two, Self::Three, Self::Constant]
            .into_iter()
            .find(|evaluation| evaluation.number() == number)
    }

    /// The number by which the report calls it: 1 to 4.
    pub fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Constant => 4,
            _ => 3,
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
            Self::ThreeWithBonus => ef3::value_with_bonus(&seen()),
            Self::ThreeV1 => ef3_before::value_v1(&seen()),
            Self::ThreeV2 => ef3_before::value_v2(&seen()),
            Self::ThreeV0 | Self::Constant => 1,
        }
    }
}

/// As EF-3 is named with its version, EF-1 as `1`.
impl fmt::Display for PublishedEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = match self {
            Self::ThreeWithBonus => "+bonus",
            Self::ThreeV0 => "v0",
            Self::ThreeV1 => "v1",
            Self::ThreeV2 => "v2",
            _ => "",
        };
        write!(f, "{}{version}", self.number())
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
