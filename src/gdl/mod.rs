//! The meaning of GDL's words.
//!
//! `Sexpr → Description` ([`Description::read`]) keeps all that parses; [`check`] collects every finding about it and,
//! where none is an error, builds the [`Rules`] that the engines trust. [`translate`] turns those into Datalog.
//!
//! Where the language leaves a choice, `docs/reference/gdl.md` says what is done here; `docs/reference/diagnostics.md` lists
//! the codes of all findings.

mod check;
mod dependence;
mod description;
mod expand;
mod graph;
mod keyword;
mod lint;
mod load;
mod print;
mod read;
mod recursion;
mod required;
mod rules;
mod safety;
mod split;
mod suggest;
mod translate;
mod usage;

#[cfg(test)]
mod tests;

pub use check::{Checked, check};
pub use description::{Condition, ConditionKind, Description, Expr, ExprKind, Statement};
pub use load::{load, used_once};
pub use rules::{Literal, Rule, Rules, Term};
pub use translate::{GdlRelations, InputRelations, JOINT_MOVE, STATE, intern, translate};
