//! Variables that occur once and are almost equal to another variable: probably misspelled.
//!
//! GDL has no wildcard, so a variable that occurs once is the usual way to say "anything". It is suspicious only if
//! another variable of the rule differs by a typing error.

use indexmap::IndexMap;

use crate::gdl::description::{Description, Statement};
use crate::gdl::suggest::rename;
use crate::kif::{Diagnostic, Fix, Span};

/// Shorter names differ by one letter on purpose, unless it is the same letter in another case.
const SHORTEST: usize = 4;

/// More variables than this are not compared with each other.
const MOST_VARIABLES: usize = 100;

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    for statement in &description.statements {
        let variables = variables(statement);
        if variables.len() > MOST_VARIABLES {
            continue;
        }
        for (index, (name, (count, span))) in variables.iter().enumerate() {
            // Of two that both occur once, the later one is reported.
            let mut others = variables
                .iter()
                .enumerate()
                .filter(|(other, (_, (count, _)))| *count > 1 || *other < index);
            let similar = others.find(|(_, (other, _))| *count == 1 && is_slip(name, other));
            if let Some((_, (similar, (_, place)))) = similar {
                let message = format!("`?{name}` occurs once, next to `?{similar}`");
                findings.push(
                    Diagnostic::warning("lone-variable", *span, message)
                        .label(*place, "almost the same name")
                        .help(format!("did you mean `?{similar}`? Otherwise give it a name of its own, or begin it with `?_`"))
                        .fix(rename(&format!("?{name}"), &format!("?{similar}"), [*span]))
                        .fix(meant(name, *span, &variables)),
                );
            }
        }
    }
}

/// Reports every variable that occurs once, but for those whose names begin with `_`.
pub(super) fn used_once(description: &Description) -> Vec<Diagnostic> {
    let mut lone = Vec::new();
    for statement in &description.statements {
        let variables = variables(statement);
        let once =
            |(name, (count, _)): &(&&str, &(usize, Span))| *count == 1 && !name.starts_with('_');
        for (name, (_, span)) in variables.iter().filter(once) {
            let message = format!("`?{name}` occurs once in its rule");
            let help = format!(
                "if anything will do in its place, call it `?_{name}`; otherwise correct it"
            );
            lone.push(
                Diagnostic::warning("lone-variable", *span, message)
                    .help(help)
                    .fix(meant(name, *span, &variables)),
            );
        }
    }
    lone
}

/// Says by its name that the variable stands for anything.
fn meant(name: &str, span: Span, variables: &IndexMap<&str, (usize, Span)>) -> Option<Fix> {
    let new = format!("_{name}");
    (!variables.contains_key(new.as_str()))
        .then(|| rename(&format!("?{name}"), &format!("?{new}"), [span]))
}

/// How often each variable of a rule occurs, and where first.
fn variables(statement: &Statement) -> IndexMap<&str, (usize, Span)> {
    let mut variables = IndexMap::new();
    statement.each_expr(|expr| {
        expr.each_variable(&mut |name, span, _| {
            variables.entry(name).or_insert((0, span)).0 += 1;
        });
    });
    variables
}

/// Whether `name` looks like `other` with a slip: another case, or inside a longer word a letter missing, doubled or swapped.
pub(in crate::gdl) fn is_slip(name: &str, other: &str) -> bool {
    if name == other || name.starts_with('_') {
        return false;
    }
    if name.eq_ignore_ascii_case(other) {
        return true;
    }
    if name.len() < SHORTEST || other.len() < SHORTEST {
        return false;
    }
    let (name, other) = (name.as_bytes(), other.as_bytes());
    let same_ends = name[0] == other[0] && name.last() == other.last();
    let letters = |word: &[u8]| word.iter().all(u8::is_ascii_alphabetic);
    same_ends
        && letters(name)
        && letters(other)
        && (lacks_one(name, other) || lacks_one(other, name) || swaps_two(name, other))
}

/// Whether `short` is `long` without one letter.
fn lacks_one(short: &[u8], long: &[u8]) -> bool {
    let at = common_prefix(short, long);
    short.len() + 1 == long.len() && short[at..] == long[at + 1..]
}

fn swaps_two(left: &[u8], right: &[u8]) -> bool {
    let at = common_prefix(left, right);
    left.len() == right.len()
        && at + 1 < left.len()
        && left[at] == right[at + 1]
        && left[at + 1] == right[at]
        && left[at + 2..] == right[at + 2..]
}

fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    left.iter()
        .zip(right)
        .take_while(|(left, right)| left == right)
        .count()
}
