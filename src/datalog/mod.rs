//! A Datalog engine: bottom-up, semi-naive, with stratified negation and compound terms, and derivation by key.
//!
//! It knows nothing of games. A [`Program`] is a set of clauses over named predicates. [`DatalogEngine::new`] orders them
//! into the strongly connected components of their dependency graph, derives the static relations, and plans the join
//! order of every clause. A [`WorkingMemory`] takes the input relations and derives only what is queried: whole
//! components, or, where a component would be large and few of its rows matter, the rows for the keys that are looked up
//! (adornments and subgoals, as in magic sets and tabling).
//!
//! A fixpoint is computed semi-naively: after a first pass over all rows, each round restricts one literal of each clause
//! to the *delta*, the rows that were new in the round before, since any new derivation must use one of them.
//!
//! Sources: Abiteboul, Hull and Vianu, *Foundations of Databases* (1995), chapters 12, 13 and 15; Chen and Warren, *Tabled
//! evaluation with delaying for general logic programs* (1996).

mod engine;
mod error;
mod evaluate;
mod limits;
mod plan;
mod planning;
mod profile;
mod program;
mod query;
mod relation;
mod run;
mod statistics;
mod strata;
mod terms;
mod working_memory;

#[cfg(test)]
mod random_programs;
#[cfg(test)]
mod tests;

pub use engine::DatalogEngine;
pub use error::{DatalogError, Growth};
pub use limits::{EvaluationLimits, Exhausted};
pub(crate) use profile::PlanProfile;
pub use program::{Atom, Clause, Literal, Pattern, Pred, Program};
pub use query::Query;
pub use strata::{DependencyComponent, Unstratified, stratify};
pub use terms::{Functor, LocalTerms, SharedTerms, TermId, Terms};
pub use working_memory::WorkingMemory;
