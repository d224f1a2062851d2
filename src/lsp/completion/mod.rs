//! Words that fit at the cursor.

mod offer;

use indexmap::IndexSet;
use tower_lsp_server::ls_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionTextEdit, Documentation,
    InsertTextFormat, MarkupContent, MarkupKind, Position, TextEdit,
};

use crate::gdl::{Keyword, TupleKind};
use crate::kif::is_of_word;
use crate::lsp::completion::offer::Offer;
use crate::lsp::describe::{argument_labels, argument_values, kind_name, tuple_form};
use crate::lsp::document::DocumentView;
use crate::lsp::index::{Cursor, WordClass, WordSlot, cursor_at};
use crate::lsp::keywords::{KeywordHelp, keyword_help, keywords};

/// How many values of an argument are offered. Of more, those that hold what is typed are, and the editor asks again
/// after the next letter.
const MOST_VALUES: usize = 200;

/// What may be written at a position, the likeliest first; `None` in comments. `with_snippets` tells whether the editor
/// fills in arguments one by one.
pub(super) fn completion(
    view: &DocumentView,
    position: Position,
    with_snippets: bool,
) -> Option<CompletionList> {
    let document = &view.document;
    let offset = document.offset(position);
    let cursor = cursor_at(&document.text, document.index(), offset)?;
    let has_arguments = cursor.begins_list && has_arguments(&document.text[offset..]);
    let mut offers = Offers {
        view,
        cursor: &cursor,
        with_arguments: with_snippets && !has_arguments,
        list: CompletionList::default(),
    };
    offers.collect();
    Some(offers.list)
}

/// Whether arguments stand behind the cursor, and the rest of its word, in the same line.
fn has_arguments(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    let rest = line.trim_start_matches(is_of_word).trim_start();
    !(rest.is_empty() || rest.starts_with([')', ';']))
}

struct Offers<'v> {
    view: &'v DocumentView,
    cursor: &'v Cursor<'v>,
    with_arguments: bool,
    list: CompletionList,
}

impl Offers<'_> {
    fn collect(&mut self) {
        match self.cursor.slot {
            WordSlot::Form => {
                self.keywords(&[Keyword::True, Keyword::Does], &["not", "or", "distinct"])
            }
            WordSlot::Head => {
                self.keywords(
                    &[Keyword::True, Keyword::Does],
                    &["<=", "not", "or", "distinct"],
                );
                self.tuples(TupleKind::Relation);
            }
            WordSlot::Condition => {
                self.tuples(TupleKind::Relation);
                self.keywords(
                    &[Keyword::Init, Keyword::Next, Keyword::Base, Keyword::Input],
                    &["<="],
                );
            }
            WordSlot::Fact => self.tuples_and_variables(TupleKind::Fact),
            WordSlot::Move => self.tuples_and_variables(TupleKind::Move),
            WordSlot::Role => self.arguments(None),
            WordSlot::Score => {
                ["100", "50", "0"]
                    .into_iter()
                    .for_each(|score| self.word(score, CompletionItemKind::VALUE, "goal value"));
                self.variables();
            }
            WordSlot::Argument(kind, name, argument) => {
                self.arguments(Some((kind, name, argument)))
            }
            WordSlot::Term => self.arguments(None),
        }
    }

    fn tuples_and_variables(&mut self, kind: TupleKind) {
        self.tuples(kind);
        self.variables();
    }

    /// What fits an argument: the variables of the rule, and the values that are known to stand there or, if none are, the
    /// players and the other constants.
    fn arguments(&mut self, argument: Option<(TupleKind, &str, usize)>) {
        if self.cursor.begins_list {
            return self.functions();
        }
        self.variables();
        let values = argument.map_or_else(Vec::new, |place| self.values(place));
        if !values.is_empty() {
            for value in self.most(values) {
                self.word(&value, CompletionItemKind::VALUE, "value of this argument");
            }
            return;
        }
        let index = self.view.document.index();
        let roles: IndexSet<&str> = index.roles().map(|role| index.name(role.name)).collect();
        for role in &roles {
            self.word(role, CompletionItemKind::ENUM_MEMBER, "role");
        }
        if self.cursor.slot == WordSlot::Role {
            return;
        }
        let constants = index.names_of(WordClass::Constant).map(|(name, _)| name);
        let others = constants.filter(|name| !roles.contains(name) && *name != self.typed());
        for constant in self.most(others.map(str::to_owned).collect()) {
            self.word(&constant, CompletionItemKind::VALUE, "constant");
        }
    }

    /// The values of an argument, as the checker knows them, or else those that the text has there and the players.
    fn values(&self, (kind, name, argument): (TupleKind, &str, usize)) -> Vec<String> {
        let index = self.view.document.index();
        let mut values = IndexSet::new();
        let mut is_open = false;
        for (tuple, key) in index.tuples() {
            if key.kind != kind || index.name(key.name) != name {
                continue;
            }
            let has_argument = key.arity.is_some_and(|arity| arity as usize > argument);
            match argument_values(self.view, key, argument) {
                Some(known) => {
                    let words = known.listed.iter().filter(|value| !value.starts_with('('));
                    values.extend(words.cloned());
                }
                None => is_open |= has_argument,
            }
            let stands_here = |place: Option<(u32, u32)>| {
                place.is_some_and(|(of, at)| of == tuple && at as usize == argument)
            };
            let constants = index.occurrences.iter().filter(|word| {
                word.class == WordClass::Constant
                    && stands_here(word.place)
                    && word.span.start != self.cursor.word.start
            });
            values.extend(constants.map(|word| index.name(word.name).to_owned()));
        }
        if is_open && !values.is_empty() {
            values.extend(index.roles().map(|role| index.name(role.name).to_owned()));
        }
        values.into_iter().collect()
    }

    /// As many of these words as are offered at once.
    fn most(&mut self, mut words: Vec<String>) -> Vec<String> {
        if words.len() > MOST_VALUES {
            self.list.is_incomplete = true;
            let typed = self.typed().to_lowercase();
            words.retain(|word| word.to_lowercase().contains(&typed));
            words.truncate(MOST_VALUES);
        }
        words
    }

    fn variables(&mut self) {
        if self.cursor.begins_list {
            return;
        }
        let index = self.view.document.index();
        let Some(form) = index.form_at(self.cursor.word.start) else {
            return;
        };
        let words = index.words_of(form).iter();
        let names: IndexSet<u32> = words
            .filter(|word| word.class == WordClass::Variable)
            .filter(|word| word.span.start != self.cursor.word.start)
            .map(|word| word.name)
            .collect();
        for name in names {
            self.word(
                index.name(name),
                CompletionItemKind::VARIABLE,
                "variable of this rule",
            );
        }
    }

    fn functions(&mut self) {
        let index = self.view.document.index();
        for (name, _) in index.names_of(WordClass::Function) {
            if name != self.typed() {
                self.word(name, CompletionItemKind::FUNCTION, "function");
            }
        }
    }

    /// The relations, facts or moves of the text.
    fn tuples(&mut self, kind: TupleKind) {
        let index = self.view.document.index();
        let here = index.word_at(self.cursor.word.end);
        for (tuple, key) in index.tuples() {
            let name = index.name(key.name);
            let class = match (kind, key.arity) {
                (TupleKind::Relation, _) => WordClass::Relation,
                (_, Some(_)) => WordClass::Function,
                (_, None) => WordClass::Constant,
            };
            // The word that is being typed is no word of its own yet.
            let is_typed = here.is_some_and(|word| word.tuple == Some(tuple))
                && index.uses(class, name).len() == 1;
            let is_variable = name.starts_with('?');
            let is_keyword = kind == TupleKind::Relation && keyword_help(name).is_some();
            if key.kind != kind || is_typed || is_variable || is_keyword {
                continue;
            }
            let arguments = key.arity.map(|_| argument_labels(index, tuple));
            self.list(Offer {
                name,
                arguments,
                kind: match kind {
                    TupleKind::Relation => CompletionItemKind::CLASS,
                    TupleKind::Fact => CompletionItemKind::FIELD,
                    TupleKind::Move => CompletionItemKind::METHOD,
                },
                detail: tuple_form(index, tuple),
                documentation: kind_name(kind).to_owned(),
            });
        }
    }

    /// The words of the language, but for some.
    fn keywords(&mut self, relations: &[Keyword], connectives: &[&str]) {
        let is_left_out = |name: &str| {
            relations.iter().any(|keyword| keyword.name() == name) || connectives.contains(&name)
        };
        for KeywordHelp {
            name,
            form,
            meaning,
        } in keywords()
        {
            if is_left_out(name) {
                continue;
            }
            let arguments = form.split(['<', '>']).skip(1).step_by(2);
            let arguments: Vec<String> = match name {
                "<=" => vec!["head".to_owned(), "condition".to_owned()],
                _ => arguments.map(str::to_owned).collect(),
            };
            self.list(Offer {
                name,
                arguments: form.starts_with('(').then_some(arguments),
                kind: CompletionItemKind::KEYWORD,
                detail: form.to_owned(),
                documentation: meaning.to_owned(),
            });
        }
    }

    fn typed(&self) -> &str {
        self.view.document.slice(self.cursor.word)
    }

    fn word(&mut self, name: &str, kind: CompletionItemKind, detail: &str) {
        self.list(Offer {
            name,
            arguments: None,
            kind,
            detail: detail.to_owned(),
            documentation: String::new(),
        });
    }

    /// Offers a word or a list. Behind a parenthesis only lists fit, and the parenthesis is there already.
    fn list(&mut self, offer: Offer<'_>) {
        if self.cursor.begins_list && offer.arguments.is_none() {
            let is_function = offer.kind == CompletionItemKind::FUNCTION;
            if !is_function {
                return;
            }
        }
        let is_snippet = self.with_arguments && offer.arguments.is_some();
        let text = offer.text(self.cursor.begins_list, is_snippet);
        let documentation = MarkupContent {
            kind: MarkupKind::Markdown,
            value: offer.documentation,
        };
        self.list.items.push(CompletionItem {
            label: offer.name.to_owned(),
            kind: Some(offer.kind),
            detail: Some(offer.detail),
            documentation: (!documentation.value.is_empty())
                .then_some(Documentation::MarkupContent(documentation)),
            sort_text: Some(format!("{:05}", self.list.items.len())),
            filter_text: Some(offer.name.to_owned()),
            insert_text_format: is_snippet.then_some(InsertTextFormat::SNIPPET),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: self.view.document.range(self.cursor.word),
                new_text: text,
            })),
            ..CompletionItem::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::{GAME, view_at};

    fn offered(marked: &str, with_snippets: bool) -> Vec<String> {
        let (view, position) = view_at(&format!("{GAME}{marked}"));
        let found = completion(&view, position, with_snippets).unwrap_or_default();
        found
            .items
            .into_iter()
            .map(|item| match item.text_edit {
                Some(CompletionTextEdit::Edit(edit)) => edit.new_text,
                _ => item.label,
            })
            .collect()
    }

    fn check(marked: &str, expected: &[&str]) {
        assert_eq!(offered(marked, false), expected, "{marked}");
    }

    #[test]
    fn arguments_have_the_values_of_their_domain() {
        check(
            "(<= (line ?n)\n    (true (cell ?n |",
            &["?n", "b", "o", "x"],
        );
        check("(<= (line ?n)\n    (true (cell |", &["?n", "1", "2", "3"]);
        check("(init (control |))", &["o", "x"]);
    }

    #[test]
    fn roles_and_goal_values() {
        check("(<= (legal |", &["x", "o"]);
        check("(goal x |)", &["100", "50", "0"]);
    }

    #[test]
    fn facts_and_moves_are_offered_where_they_fit() {
        check("(<= terminal (true (|", &["control", "cell"]);
        check("(<= terminal (true |", &["(control)", "(cell)"]);
        check("(<= (next done) (does ?p |", &["(mark)", "noop", "?p"]);
        assert_eq!(
            offered("(<= terminal (true (|", true),
            ["control ${1:?p}", "cell ${1:?n} ${2:?p}"]
        );
    }

    #[test]
    fn conditions_are_relations_and_keywords() {
        let found = offered("(<= terminal\n    (|", true);
        assert_eq!(found[..2], ["after ${1:?q} ${2:?p}", "square ${1:?n}"]);
        assert!(found.contains(&"true ${1:fact}".to_owned()), "{found:?}");
        assert!(found.contains(&"distinct ${1:term} ${2:term}".to_owned()));
        assert!(!found.contains(&"init ${1:fact}".to_owned()));
        let found = offered("(<= terminal\n    o|", true);
        assert!(found.contains(&"open".to_owned()), "{found:?}");
    }

    #[test]
    fn a_new_form_begins_with_a_keyword() {
        let found = offered("(|", true);
        assert!(
            found.contains(&"<= ${1:head} ${2:condition}".to_owned()),
            "{found:?}"
        );
        assert!(!found.iter().any(|text| text.starts_with("true")));
    }

    #[test]
    fn arguments_that_stand_there_already_are_kept() {
        check_snippets("(<= terminal (af| x ?p))", "after");
        check_snippets("(<= terminal (af|ter x ?p))", "after");
        check_snippets("(<= terminal (af|))", "after ${1:?q} ${2:?p}");
        check_snippets("(<= terminal (af| ; why\n", "after ${1:?q} ${2:?p}");
    }

    fn check_snippets(marked: &str, expected: &str) {
        let found = offered(marked, true);
        assert!(found.contains(&expected.to_owned()), "{marked}: {found:?}");
    }

    #[test]
    fn of_many_values_those_that_hold_what_is_typed_are_offered() {
        let values: String = (0..500).map(|number| format!("(big v{number})")).collect();
        let asked = |typed: &str| {
            let (view, position) = view_at(&format!("{values}(<= terminal (big {typed}|))"));
            let found = completion(&view, position, false).unwrap();
            assert!(found.is_incomplete);
            found.items.len()
        };
        assert_eq!(asked(""), MOST_VALUES);
        assert_eq!(asked("V49"), 11);
    }

    #[test]
    fn nothing_is_offered_in_a_comment() {
        check("; some (|", &[]);
    }
}
