//! Words about tuples and their arguments that several answers share.

use crate::gdl::{ArgumentValues, TupleKind};
use crate::lsp::document::DocumentView;
use crate::lsp::index::{DocumentIndex, Occurrence, TupleKey};

/// How many values of an argument are listed.
const MOST_VALUES: usize = 8;

/// How many lines are listed.
const MOST_LINES: usize = 12;

/// What a tuple is called.
pub(super) fn kind_name(kind: TupleKind) -> &'static str {
    match kind {
        TupleKind::Relation => "relation",
        TupleKind::Fact => "fact of the state",
        TupleKind::Move => "move",
    }
}

/// A tuple as it is written, with names for its arguments: `(cell ?x ?y ?v)`.
pub(super) fn tuple_form(index: &DocumentIndex, tuple: u32) -> String {
    let Some(key) = index.tuple(tuple) else {
        return String::new();
    };
    let name = index.name(key.name);
    if key.arity.is_none() {
        return name.to_owned();
    }
    let arguments = argument_labels(index, tuple);
    let arguments = arguments.iter().map(|argument| format!(" {argument}"));
    format!("({name}{})", arguments.collect::<String>())
}

/// The names of the arguments as variables; `_` for one that has none.
pub(super) fn argument_labels(index: &DocumentIndex, tuple: u32) -> Vec<String> {
    let names = index.argument_names(tuple).into_iter();
    names
        .map(|name| name.map_or_else(|| "_".to_owned(), |name| format!("?{name}")))
        .collect()
}

/// The values that an argument may have.
pub(super) fn argument_values<'v>(
    view: &'v DocumentView,
    key: &TupleKey,
    argument: usize,
) -> Option<&'v ArgumentValues> {
    let name = view.document.index().name(key.name);
    let domains = view.knowledge.domains.as_ref()?;
    domains.values(key.kind, name, key.arity? as usize, argument)
}

/// Values as a list, the first of them only where there are many.
pub(super) fn listed(values: &ArgumentValues) -> String {
    let first: Vec<String> = values
        .listed
        .iter()
        .take(MOST_VALUES)
        .map(|value| format!("`{value}`"))
        .collect();
    let shown = first.join(", ");
    match values.count.saturating_sub(first.len()) {
        0 if first.is_empty() => "no value".to_owned(),
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The lines of words, each once.
pub(super) fn lines(view: &DocumentView, words: &[&Occurrence]) -> String {
    let mut lines: Vec<usize> = words
        .iter()
        .map(|word| view.document.line_number(word.span.start))
        .collect();
    lines.dedup();
    let shown: Vec<String> = lines
        .iter()
        .take(MOST_LINES)
        .map(ToString::to_string)
        .collect();
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    let more = match lines.len().saturating_sub(MOST_LINES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{noun} {}{more}", shown.join(", "))
}

/// A number of things.
pub(super) fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}
