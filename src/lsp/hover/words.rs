//! What variables, constants and functions mean.

use std::fmt::Write;

use crate::lsp::describe::{argument_values, counted, lines, listed, tuple_form};
use crate::lsp::document::DocumentView;
use crate::lsp::index::{Occurrence, RulePart, WordClass};

/// How many places are listed.
const MOST_PLACES: usize = 12;

/// Where a variable gets its values, and which they may be.
pub(super) fn about_variable(view: &DocumentView, word: &Occurrence) -> String {
    let document = &view.document;
    let index = document.index();
    let mut text = format!("```kif\n{}\n```\nvariable", index.name(word.name));
    let uses = index.same_meaning(word);
    let binding: Vec<&Occurrence> = uses
        .iter()
        .filter(|other| other.part == RulePart::Condition)
        .copied()
        .collect();
    match binding.is_empty() {
        true => text.push_str("\n\nNo condition of the rule binds it."),
        false => _ = write!(text, "\n\nBound in {}.", lines(view, &binding)),
    }
    let values = binding.iter().filter_map(|other| {
        let (tuple, argument) = other.place?;
        let key = index.tuple(tuple)?;
        argument_values(view, key, argument as usize)
    });
    if let Some(values) = values.min_by_key(|values| values.count) {
        write!(text, "\n\nValues: {}.", listed(values)).ok();
    }
    text
}

/// Where a constant or function is used.
pub(super) fn about_term(view: &DocumentView, word: &Occurrence) -> String {
    let index = view.document.index();
    let name = index.name(word.name);
    let uses = index.same_meaning(word);
    let is_role = index.roles().any(|role| role.name == word.name);
    let what = match word.class {
        WordClass::Function => "function",
        _ if is_role => "role",
        _ => "constant",
    };
    let mut places: Vec<(String, usize)> = Vec::new();
    for (tuple, argument) in uses.iter().filter_map(|word| word.place) {
        let place = format!(
            "argument {} of `{}`",
            argument + 1,
            tuple_form(index, tuple)
        );
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, count)) => *count += 1,
            None => places.push((place, 1)),
        }
    }
    places.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more = places.len().saturating_sub(MOST_PLACES);
    let mut text = format!(
        "```kif\n{name}\n```\n{what}\n\n{}:",
        counted(uses.len(), "use")
    );
    for (place, count) in places.iter().take(MOST_PLACES) {
        write!(text, "\n- {place}: {count}").ok();
    }
    if more > 0 {
        write!(text, "\n- {more} other places").ok();
    }
    text
}
