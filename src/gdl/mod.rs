//! The meaning of GDL's words.
//!
//! `Sexpr → Description` ([`Description::read`]) keeps all that parses; [`check`] collects every finding about it and,
//! where none is an error, builds the [`Rules`] that the engines trust. [`translate`] turns those into Datalog.

mod rules;
mod translate;

pub use rules::{Literal, Rule, Rules, Term};
pub use translate::{Given, JOINT_MOVE, STATE, Words, translate};
