//! Where a word is defined, and where else it stands.

use rustc_hash::FxHashSet;
use tower_lsp_server::ls_types::{DocumentHighlight, DocumentHighlightKind, Location, Position};

use crate::gdl::TupleKind;
use crate::kif::Span;
use crate::lsp::document::RuleDocument;
use crate::lsp::index::{DocumentIndex, Occurrence, RuleGroup, RulePart, WordClass};

/// Where the word at a position is defined: the heads of the rules for a relation, fact or move, the condition that binds a
/// variable, the fact that names a constant.
pub(super) fn definitions(document: &RuleDocument, position: Position) -> Option<Vec<Location>> {
    let index = document.index();
    let word = index.word_at(document.offset(position))?;
    let found = defining_words(index, word);
    Some(locations(document, &found))
}

/// Every use of the word at a position; `with_definitions` tells whether those where it is defined are wanted as well.
pub(super) fn references(
    document: &RuleDocument,
    position: Position,
    with_definitions: bool,
) -> Option<Vec<Location>> {
    let index = document.index();
    let word = index.word_at(document.offset(position))?;
    let mut uses = index.same_meaning(word);
    if !with_definitions {
        let defining = defining_places(index, word);
        uses.retain(|other| !defining.contains(&other.span));
    }
    Some(locations(document, &uses))
}

/// Every use of the word at a position, those that derive or bind it as written.
pub(super) fn highlights(
    document: &RuleDocument,
    position: Position,
) -> Option<Vec<DocumentHighlight>> {
    let index = document.index();
    let word = index.word_at(document.offset(position))?;
    let defining = defining_places(index, word);
    let highlight = |other: &&Occurrence| DocumentHighlight {
        range: document.range(other.span),
        kind: Some(match defining.contains(&other.span) {
            true => DocumentHighlightKind::WRITE,
            false => DocumentHighlightKind::READ,
        }),
    };
    let uses = index.same_meaning(word);
    Some(uses.iter().map(highlight).collect())
}

fn defining_places(index: &DocumentIndex, word: &Occurrence) -> FxHashSet<Span> {
    let words = defining_words(index, word).into_iter();
    words.map(|word| word.span).collect()
}

/// The words that define what `word` means.
pub(super) fn defining_words<'i>(
    index: &'i DocumentIndex,
    word: &Occurrence,
) -> Vec<&'i Occurrence> {
    let uses = index.same_meaning(word);
    let heads = |other: &&Occurrence| other.part == RulePart::Head && other.tuple.is_some();
    let derived: Vec<&Occurrence> = match word.class {
        WordClass::Variable => {
            let binding = uses.iter().find(|other| other.part == RulePart::Condition);
            return binding.or(uses.first()).copied().into_iter().collect();
        }
        WordClass::Keyword | WordClass::Relation => uses.iter().copied().filter(heads).collect(),
        // The word names facts and moves; what its own place asks for is meant first.
        WordClass::Function | WordClass::Constant => {
            let kind = kind(index, word);
            let of_kind = |other: &&Occurrence| heads(other) && kind == self::kind(index, other);
            uses.iter().copied().filter(of_kind).collect()
        }
    };
    if !derived.is_empty() || word.class == WordClass::Keyword {
        return derived;
    }
    let names_role = |other: &&&Occurrence| index.form_of(other).group == RuleGroup::Roles;
    let in_fact = |other: &&&Occurrence| !index.form_of(other).is_rule;
    let found = uses.iter().find(names_role);
    let found = found.or_else(|| uses.iter().find(in_fact));
    found.or(uses.first()).copied().into_iter().collect()
}

/// Whether a word names a fact or a move.
fn kind(index: &DocumentIndex, word: &Occurrence) -> Option<TupleKind> {
    Some(index.tuple(word.tuple?)?.kind)
}

fn locations(document: &RuleDocument, words: &[&Occurrence]) -> Vec<Location> {
    let words = words.iter();
    words
        .map(|word| Location::new(document.uri.clone(), document.range(word.span)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::{GAME, view_at};

    /// The lines, as people count, of the definitions and of the other uses of the word at the first `marked`.
    fn check(marked: &str, definition_lines: &[u32], other_lines: &[u32]) {
        let text = GAME.replacen(&marked.replace('|', ""), marked, 1);
        let (view, position) = view_at(&text);
        let lines = |found: Option<Vec<Location>>| {
            let found = found.unwrap_or_default().into_iter();
            found
                .map(|place| place.range.start.line + 1)
                .collect::<Vec<_>>()
        };
        let document = &view.document;
        assert_eq!(
            lines(definitions(document, position)),
            definition_lines,
            "{marked}"
        );
        assert_eq!(
            lines(references(document, position, false)),
            other_lines,
            "{marked}"
        );
    }

    #[test]
    fn relations_are_defined_by_their_rules() {
        check("(not op|en)", &[35], &[39]);
        check("(af|ter ?q ?p)", &[7, 8], &[22, 32]);
        check("(leg|al", &[17, 20], &[]);
    }

    #[test]
    fn facts_are_defined_by_init_and_next_and_moves_by_legal() {
        check("(true (ce|ll", &[14, 24, 26], &[19, 27, 36, 41, 45]);
        check("(does ?p (ma|rk", &[17], &[25, 28]);
    }

    #[test]
    fn variables_live_in_their_rule() {
        check("(does |?p (mark ?n)", &[25], &[24]);
        check("(distinct ?|m", &[28], &[29]);
    }

    #[test]
    fn constants_are_defined_where_they_are_first_named() {
        check("(control |x", &[3], &[7, 8, 13]);
        check("(cell ?n |b", &[14], &[19, 36]);
    }

    #[test]
    fn there_is_no_word_between_words() {
        let (view, position) = view_at("(a) | (b)");
        assert_eq!(definitions(&view.document, position), None);
    }
}
