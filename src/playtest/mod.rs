//! What the author of a rule file wants to know before others play it: does it end, does every end have a goal, are facts
//! lost, which rules never apply, is it fair, does it reward skill?
//!
//! A [`Playtest`] plays random games and games between players of different strength, watches facts, moves and turns on the
//! way, and proves what it can on the rules. The [`PlaytestReport`] names the cause of every [`Finding`] with its line, and a
//! step of a game that shows it.
//!
//! ```text
//! proofs ────────────────────────────┐
//! random games ─▶ watches ─▶ checks ─┼─▶ PlaytestReport
//! games of players ─▶ statistics ────┘
//! ```

mod balance;
mod broken_groups;
mod consequences;
mod coverage;
mod depth_matches;
mod ends;
mod explain;
mod facts;
mod faulty_game;
mod games;
mod groups;
mod in_play;
mod loss;
mod next_rules;
mod orders;
mod over_at_start;
mod report;
mod run;
mod start;
mod statistics;
mod stuck;
mod turns;
mod values;
mod vanished;
mod whole_game;

pub use crate::statistics::Bar;
pub use balance::{DepthMatch, ResultBalance, RoleShare};
pub use faulty_game::FaultyGame;
pub use report::{
    Evidence, Finding, FindingSeverity, PlaytestReport, RulePlace, SampleSizes, ShownStep,
};
pub use run::Playtest;
pub use statistics::{Branching, GameStatistics, Lengths, RuleSizes, Turns};
