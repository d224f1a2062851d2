//! Lints: warnings about texts that are valid, but probably not what their author meant.
//!
//! Published games should mostly have no warnings. If one name causes the same warning many times, it is reported once.

mod arithmetic;
mod chance;
pub(super) mod domains;
mod facts;
mod lone_words;
mod names;
mod needless;
mod never;
mod players;
mod relations;
mod repeats;
mod start;
mod variables;

#[cfg(test)]
mod tests;

pub(super) use repeats::without_arrow;
pub(super) use variables::is_slip;

use crate::gdl::description::{Description, Statement};
use crate::gdl::expand::Alternative;
use crate::gdl::graph::Dependencies;
use crate::kif::Diagnostic;
use crate::util::{Deadline, Expired};

use domains::Domains;

pub use domains::TupleKind;

/// Every variable that occurs once in its rule, whether that is suspicious or not.
pub(super) fn used_once(description: &Description) -> Vec<Diagnostic> {
    variables::used_once(description)
}

/// All lints for the sentences of a text, unless `deadline` is due before that; `rules` are its rules without `or`, as far
/// as there are any.
pub(super) fn check<'d>(
    description: &'d Description,
    rules: &[(&'d Statement, Vec<Alternative<'d>>)],
    dependencies: &Dependencies<'d>,
    deadline: &Deadline,
    findings: &mut Vec<Diagnostic>,
) -> Result<(), Expired> {
    let lints = [
        names::check,
        relations::check,
        facts::check,
        players::check,
        variables::check,
        arithmetic::check,
        repeats::check,
        needless::check,
        start::check,
        lone_words::check,
    ];
    for lint in lints {
        deadline.check()?;
        lint(description, findings);
    }
    // What a sentence that is left out would derive is not known.
    let is_whole = description.complete && rules.len() == description.statements.len();
    let domains = is_whole.then(|| Domains::of(rules)).flatten();
    deadline.check()?;
    chance::check(description, (dependencies, domains.as_ref()), findings);
    if let Some(domains) = &domains {
        never::check(rules, domains, findings);
    }
    Ok(())
}
