//! The meaning of GDL's words.
//!
//! `Sexpr → Description` ([`Description::read`]) keeps all that parses; [`check`] collects every finding about it and,
//! where none is an error, builds the [`Rules`] that the engines trust.

mod rules;

pub use rules::{Literal, Rule, Rules, Term};
