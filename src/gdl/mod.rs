//! GDL: syntax tree, static checks, lints, checked rules, and their translation to Datalog.
//!
//! `Sexpr → Description` ([`Description::read`]) keeps everything that parses. [`load`] collects all diagnostics and, if
//! none is an error, builds the [`Rules`] that the engines rely on: safe, stratified and of finite terms, as the GDL
//! specification requires (Love, Hinrichs, Haley, Schkufza and Genesereth 2008). [`translate`] turns them into Datalog.
//!
//! Where the language leaves a choice, `docs/reference/gdl.md` says what is done here; `docs/reference/diagnostics.md` lists
//! the codes of all findings.

mod argument_domains;
mod check;
mod comments;
mod dependence;
mod description;
mod digest;
mod expand;
mod graph;
mod infix;
mod keyword;
mod lint;
mod load;
mod mend;
mod places;
mod print;
mod read;
mod recursion;
mod required;
mod reshape;
mod rules;
mod safety;
mod split;
mod suggest;
mod translate;
mod usage;

#[cfg(test)]
mod tests;

pub use argument_domains::{ArgumentDomains, ArgumentValues};
pub use check::Checked;
pub use description::{Condition, ConditionKind, Description, Expr, ExprKind, Statement};
pub use digest::rules_digest;
pub use keyword::{CONNECTIVES, Keyword, canonical, connective};
pub use lint::TupleKind;
pub use load::{load, load_until, used_once};
pub use mend::{AppliedFix, FixKinds, Mended, mend};
pub use places::{
    DoubledPlaces, DoubledWords, MOST_ARGUMENTS, are_places, argument_choices, doubled_places,
};
pub use rules::{Rule, RuleLiteral, Rules, Term};
pub use translate::{
    GdlRelations, InputRelations, JOINT_MOVE, STATE, intern, locate, locate_growth, translate,
};
