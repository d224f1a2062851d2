//! Warnings: texts that can be used, but hardly say what their author meant.
//!
//! A warning must earn its place: published games should mostly have none. Where one name causes the same doubt many
//! times, it is named once.

mod names;
mod players;
mod relations;
mod repeats;
mod variables;

use crate::gdl::description::Description;
use crate::kif::Diagnostic;

/// Everything doubtful about the sentences of a text.
pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    names::check(description, findings);
    relations::check(description, findings);
    players::check(description, findings);
    variables::check(description, findings);
    repeats::check(description, findings);
}
