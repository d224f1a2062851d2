//! The outline of a document and its foldable parts: rules by what they derive.

use indexmap::IndexMap;
use tower_lsp_server::ls_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind};

use crate::kif::Span;
use crate::lsp::describe::counted;
use crate::lsp::document::RuleDocument;
use crate::lsp::index::{RuleGroup, TopForm};
use crate::lsp::positions::number;

/// How many characters of a head an outline shows.
const LONGEST_NAME: usize = 60;

/// The facts and rules, in groups by what they derive, each group in the order of the text.
pub(super) fn document_symbols(document: &RuleDocument) -> Vec<DocumentSymbol> {
    let mut groups: IndexMap<RuleGroup, Vec<&TopForm>> = IndexMap::new();
    for form in &document.index().forms {
        groups.entry(form.group).or_default().push(form);
    }
    groups.sort_unstable_keys();
    groups
        .into_iter()
        .map(|(group, forms)| group_symbol(document, group, &forms))
        .collect()
}

/// A group stands at its first rule: its rules need not stand together.
fn group_symbol(document: &RuleDocument, group: RuleGroup, forms: &[&TopForm]) -> DocumentSymbol {
    let children = match group {
        RuleGroup::Other => relation_symbols(document, forms),
        _ => forms
            .iter()
            .map(|form| rule_symbol(document, form))
            .collect(),
    };
    symbol(Outlined {
        document,
        name: group_title(group).to_owned(),
        detail: forms_counted(forms),
        kind: SymbolKind::NAMESPACE,
        span: cover(forms),
        place: forms[0].head,
        children,
    })
}

/// Other relations: one symbol each, with its rules.
fn relation_symbols(document: &RuleDocument, forms: &[&TopForm]) -> Vec<DocumentSymbol> {
    let index = document.index();
    let mut relations: IndexMap<&str, Vec<&TopForm>> = IndexMap::new();
    for form in forms {
        let words = index.words_of(form).iter();
        let mut head =
            words.filter(|word| word.tuple.is_some() && word.span.start >= form.head.start);
        let name = head.next().map_or("", |word| index.name(word.name));
        relations.entry(name).or_default().push(form);
    }
    let symbols = relations.into_iter().map(|(name, forms)| {
        let children = match forms.len() {
            1 => Vec::new(),
            _ => forms
                .iter()
                .map(|form| rule_symbol(document, form))
                .collect(),
        };
        symbol(Outlined {
            document,
            name: if name.is_empty() { "()" } else { name }.to_owned(),
            detail: forms_counted(&forms),
            kind: SymbolKind::CLASS,
            span: cover(&forms),
            place: forms[0].head,
            children,
        })
    });
    symbols.collect()
}

fn rule_symbol(document: &RuleDocument, form: &TopForm) -> DocumentSymbol {
    let head: Vec<&str> = document.slice(form.head).split_whitespace().collect();
    let mut name = head.join(" ");
    if let Some((end, _)) = name.char_indices().nth(LONGEST_NAME) {
        name.truncate(end);
        name.push('…');
    }
    symbol(Outlined {
        document,
        name,
        detail: String::new(),
        kind: match (form.group, form.is_rule) {
            (RuleGroup::Roles, _) => SymbolKind::ENUM_MEMBER,
            (_, true) => SymbolKind::FUNCTION,
            (_, false) => SymbolKind::CONSTANT,
        },
        span: form.span,
        place: form.head,
        children: Vec::new(),
    })
}

struct Outlined<'d> {
    document: &'d RuleDocument,
    name: String,
    detail: String,
    kind: SymbolKind,
    span: Span,
    place: Span,
    children: Vec<DocumentSymbol>,
}

fn symbol(outlined: Outlined<'_>) -> DocumentSymbol {
    let Outlined { document, .. } = outlined;
    // The field is deprecated, but the type has no default.
    #[allow(deprecated)]
    DocumentSymbol {
        name: outlined.name,
        detail: Some(outlined.detail).filter(|detail| !detail.is_empty()),
        kind: outlined.kind,
        tags: None,
        deprecated: None,
        range: document.range(outlined.span),
        selection_range: document.range(outlined.place),
        children: (!outlined.children.is_empty()).then_some(outlined.children),
    }
}

fn cover(forms: &[&TopForm]) -> Span {
    let start = forms.iter().map(|form| form.span.start).min();
    let end = forms.iter().map(|form| form.span.end).max();
    Span::new(start.unwrap_or_default(), end.unwrap_or_default())
}

fn forms_counted(forms: &[&TopForm]) -> String {
    let rules = forms.iter().filter(|form| form.is_rule).count();
    match (rules, forms.len() - rules) {
        (0, facts) => counted(facts, "fact"),
        (rules, 0) => counted(rules, "rule"),
        (rules, facts) => format!("{}, {}", counted(rules, "rule"), counted(facts, "fact")),
    }
}

fn group_title(group: RuleGroup) -> &'static str {
    match group {
        RuleGroup::Roles => "roles",
        RuleGroup::Possible => "possible facts and moves",
        RuleGroup::Init => "initial state",
        RuleGroup::Legal => "legal moves",
        RuleGroup::Next => "next state",
        RuleGroup::Terminal => "terminal",
        RuleGroup::Goal => "goals",
        RuleGroup::Other => "other relations",
    }
}

/// Rules and comments of several lines, and neighbours that derive the same.
pub(super) fn folding_ranges(document: &RuleDocument) -> Vec<FoldingRange> {
    let index = document.index();
    let positions = document.positions();
    let line_of = |offset: usize| number(positions.line(offset));
    let mut found = Vec::new();
    for form in &index.forms {
        found.push((line_of(form.span.start), line_of(form.span.end), None));
    }
    let comments = index.comments.chunk_by(|one, next| {
        line_of(one.start) + 1 == line_of(next.start)
            && document.text[one.end..next.start].trim().is_empty()
    });
    for block in comments {
        let lines = (
            line_of(block[0].start),
            line_of(block[block.len() - 1].start),
        );
        found.push((lines.0, lines.1, Some(FoldingRangeKind::Comment)));
    }
    for group in index.forms.chunk_by(|one, next| one.group == next.group) {
        if group.len() > 1 {
            let lines = (
                line_of(group[0].span.start),
                line_of(group[group.len() - 1].span.end),
            );
            found.push((lines.0, lines.1, Some(FoldingRangeKind::Region)));
        }
    }
    found.retain(|(first, last, _)| first < last);
    found.sort_by_key(|(first, last, _)| (*first, std::cmp::Reverse(*last)));
    let ranges = found
        .into_iter()
        .map(|(start_line, end_line, kind)| FoldingRange {
            start_line,
            end_line,
            kind,
            ..FoldingRange::default()
        });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::lsp::fixture::{GAME, view};

    fn outline(symbols: &[DocumentSymbol], depth: usize, text: &mut String) {
        for symbol in symbols {
            let line = symbol.selection_range.start.line + 1;
            let detail = symbol.detail.as_deref().unwrap_or_default();
            let indent = " ".repeat(2 * depth);
            writeln!(text, "{indent}{} [{line}] {detail}", symbol.name).unwrap();
            outline(
                symbol.children.as_deref().unwrap_or_default(),
                depth + 1,
                text,
            );
        }
    }

    #[test]
    fn the_outline_groups_rules_by_what_they_derive() {
        let mut text = String::new();
        outline(&document_symbols(&view(GAME).document), 0, &mut text);
        insta::assert_snapshot!(text, @r#"
        roles [3] 2 facts
          (role x) [3] 
          (role o) [4] 
        initial state [13] 1 rule, 1 fact
          (init (control x)) [13] 
          (init (cell ?n b)) [14] 
        legal moves [17] 2 rules
          (legal ?p (mark ?n)) [17] 
          (legal ?p noop) [20] 
        next state [24] 3 rules
          (next (cell ?n ?p)) [24] 
          (next (cell ?n ?v)) [26] 
          (next (control ?p)) [30] 
        terminal [38] 1 rule
          terminal [38] 
        goals [40] 2 rules
          (goal ?p 100) [40] 
          (goal ?p 0) [43] 
        other relations [7] 1 rule, 5 facts
          after [7] 2 facts
            (after x o) [7] 
            (after o x) [8] 
          square [9] 3 facts
            (square 1) [9] 
            (square 2) [10] 
            (square 3) [11] 
          open [35] 1 rule
        "#);
    }

    #[test]
    fn a_text_with_faults_has_an_outline() {
        let symbols = document_symbols(&view("(<= (a ?x)\n(() b\n?x (()) (<=)\n(role ž").document);
        let mut text = String::new();
        outline(&symbols, 0, &mut text);
        insta::assert_snapshot!(text, @r#"
        roles [4] 1 fact
          (role ž [4] 
        other relations [1] 2 rules, 3 facts
          a [1] 1 rule
          () [2] 1 rule, 3 facts
            (() b [2] 
            ?x [3] 
            (()) [3] 
            (<=) [3]
        "#);
    }

    #[test]
    fn selections_lie_in_their_ranges() {
        for symbol in document_symbols(&view(GAME).document) {
            assert!(symbol.range.start <= symbol.selection_range.start);
            assert!(symbol.selection_range.end <= symbol.range.end);
        }
    }

    #[test]
    fn rules_comments_and_groups_fold() {
        let text = "; a\n; b\n\n(role x)\n(role y)\n(<= (p ?x)\n    (q ?x)) ; c\n; d\n(r)";
        let ranges = folding_ranges(&view(text).document);
        let lines: Vec<(u32, u32)> = ranges
            .iter()
            .map(|range| (range.start_line, range.end_line))
            .collect();
        assert_eq!(lines, [(0, 1), (3, 4), (5, 8), (5, 6), (6, 7)]);
    }
}
