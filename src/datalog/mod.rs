//! A bottom-up Datalog reasoner: interned ground terms, relations with indices, strata, semi-naive fix-points.
//!
//! It knows nothing of games. A [`Program`] is a set of clauses over named predicates; [`Engine::new`] orders them into
//! components, derives what never changes, and plans every clause; a [`Memory`] takes the inputs of one situation and
//! derives only what is asked: whole components, or, where a component would be large and few of its rows matter, the
//! rows for the keys that come up.
//!
//! A fix-point is computed semi-naively: after a first pass over all rows, each round lets one literal of each clause
//! see only the rows that were new in the round before, since any derivation not made yet must use one of them.

mod derive;
mod engine;
mod limits;
mod memory;
mod plan;
mod planning;
mod program;
mod query;
mod relation;
mod run;
mod statistics;
mod strata;
mod terms;

#[cfg(test)]
mod random_programs;
#[cfg(test)]
mod tests;

pub use engine::{Engine, EngineError};
pub use limits::{Exhausted, Limits};
pub use memory::Memory;
pub use program::{Atom, Clause, Literal, Pattern, Pred, Program};
pub use query::Query;
pub use strata::{Component, Unstratified, stratify};
pub use terms::{Functor, LocalTerms, SharedTerms, TermId, Terms};
