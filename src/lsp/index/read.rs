//! Text → index: one walk over the s-expressions.

use super::{
    DocumentIndex, FxIndexMap, Occurrence, RuleGroup, RulePart, TopForm, TupleKey, WordClass,
    WordSlot,
};
use crate::gdl::{Keyword, canonical, connective};
use crate::kif::{Sexpr, SexprKind, Span, parse};
use crate::lsp::index::keyword;
use crate::lsp::positions::number;

pub(super) fn read(text: &str) -> DocumentIndex {
    let mut reader = IndexReader {
        index: DocumentIndex {
            comments: comments(text),
            ..DocumentIndex::default()
        },
    };
    let mut comments = 0;
    for sexpr in &parse(text).sexprs {
        let before = &reader.index.comments[comments..];
        comments += before.partition_point(|comment| comment.end <= sexpr.span.start);
        let comment = comment_above(text, &reader.index.comments[..comments], sexpr.span.start);
        reader.form(sexpr, comment);
    }
    reader.index
}

/// A `;` begins a comment wherever it stands.
fn comments(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(';') {
        let start = from + at;
        let end = text[start..].find(['\n', '\r']);
        from = end.map_or(text.len(), |end| start + end);
        found.push(Span::new(start, from));
    }
    found
}

/// The comment lines that end on the line above `start`.
fn comment_above(text: &str, before: &[Span], start: usize) -> Option<Span> {
    let mut found: Option<Span> = None;
    for comment in before.iter().rev() {
        let next = found.map_or(start, |found| found.start);
        let gap = &text[comment.end..next];
        // Told by its first character, however far the comment is away.
        if !gap.trim_start().is_empty() {
            break;
        }
        let line_start = text[..comment.start].rfind(['\n', '\r']);
        let indent = &text[line_start.map_or(0, |at| at + 1)..comment.start];
        let line_ends = gap.replace("\r\n", "\n").matches(['\n', '\r']).count();
        if line_ends != 1 || !indent.trim_start().is_empty() {
            break;
        }
        let end = found.map_or(comment.end, |found| found.end);
        found = Some(Span::new(comment.start, end));
    }
    found
}

struct IndexReader {
    index: DocumentIndex,
}

/// Where a word or list stands.
#[derive(Clone, Copy)]
struct Surroundings<'t> {
    slot: WordSlot<'t>,
    part: RulePart,
    place: Option<(u32, u32)>,
}

impl IndexReader {
    fn form(&mut self, sexpr: &Sexpr<'_>, comment: Option<Span>) {
        let first = self.index.occurrences.len();
        let is_rule = sexpr.head().and_then(connective) == Some("<=");
        let head = match (sexpr.as_list(), is_rule) {
            (Some([_, head, ..]), true) => head,
            _ => sexpr,
        };
        let whole = Surroundings {
            slot: WordSlot::Form,
            part: RulePart::Head,
            place: None,
        };
        self.visit(sexpr, whole);
        self.index.forms.push(TopForm {
            span: sexpr.span,
            group: group(head),
            is_rule,
            head: head.span,
            comment,
            words: first..self.index.occurrences.len(),
        });
    }

    fn visit<'t>(&mut self, sexpr: &Sexpr<'t>, here: Surroundings<'t>) {
        let items = match &sexpr.kind {
            SexprKind::Atom(word) => {
                self.word(word, sexpr.span, None, here);
                return;
            }
            SexprKind::List(items) => items,
        };
        let Some((first, arguments)) = items.split_first() else {
            return;
        };
        let SexprKind::Atom(name) = first.kind else {
            let slot = WordSlot::Term;
            let inner = Surroundings {
                slot,
                place: None,
                ..here
            };
            items.iter().for_each(|item| self.visit(item, inner));
            return;
        };
        let tuple = self.word(name, first.span, Some(number(arguments.len())), here);
        for (index, argument) in arguments.iter().enumerate() {
            let slot = here.slot.argument(name, index);
            let inner = Surroundings {
                slot,
                part: part(here, name, slot),
                place: tuple.map(|tuple| (tuple, number(index))),
            };
            self.visit(argument, inner);
        }
    }

    /// Notes a word, and gives the tuple that it names.
    fn word(
        &mut self,
        word: &str,
        span: Span,
        arity: Option<u32>,
        here: Surroundings<'_>,
    ) -> Option<u32> {
        let class = class(word, here.slot, arity);
        let spelled = match class {
            WordClass::Keyword => connective(word).or_else(|| canonical(word)).unwrap_or(word),
            _ => word,
        };
        let name = self.intern(spelled);
        let is_connective = class == WordClass::Keyword && keyword(word).is_none();
        let kind = here.slot.tuple_kind().filter(|_| !is_connective);
        let kind = kind.filter(|_| class != WordClass::Variable);
        let tuple = kind.map(|kind| self.tuple(TupleKey { kind, name, arity }));
        let form = number(self.index.forms.len());
        let place = here.place;
        if let (WordClass::Variable, Some((tuple, index))) = (class, place) {
            let counts = &mut self.index.variables[tuple as usize];
            *counts[index as usize].entry(name).or_default() += 1;
        }
        if class != WordClass::Variable {
            let uses = self.index.by_meaning.entry((class, name)).or_default();
            uses.push(number(self.index.occurrences.len()));
        }
        self.index.occurrences.push(Occurrence {
            span,
            class,
            part: here.part,
            name,
            form,
            tuple,
            place,
        });
        tuple
    }

    fn intern(&mut self, word: &str) -> u32 {
        let known = self.index.names.get_index_of(word);
        number(known.unwrap_or_else(|| self.index.names.insert_full(word.to_owned()).0))
    }

    fn tuple(&mut self, key: TupleKey) -> u32 {
        let (index, is_new) = self.index.tuples.insert_full(key);
        if is_new {
            let columns = key.arity.unwrap_or_default() as usize;
            self.index
                .variables
                .push(vec![FxIndexMap::default(); columns]);
        }
        number(index)
    }
}

fn class(word: &str, slot: WordSlot<'_>, arity: Option<u32>) -> WordClass {
    if word.starts_with('?') {
        return WordClass::Variable;
    }
    if slot.is_sentence() {
        let is_keyword = keyword(word).is_some() || connective(word).is_some();
        return if is_keyword {
            WordClass::Keyword
        } else {
            WordClass::Relation
        };
    }
    match arity {
        Some(_) => WordClass::Function,
        None => WordClass::Constant,
    }
}

/// The part of the rule that an argument of a list stands in.
fn part(list: Surroundings<'_>, name: &str, slot: WordSlot<'_>) -> RulePart {
    let joins = list.slot.is_sentence().then(|| connective(name)).flatten();
    match (joins, list.part) {
        (Some("<="), _) if slot == WordSlot::Head => RulePart::Head,
        (Some("<="), _) => RulePart::Condition,
        (Some("not"), RulePart::Negation) => RulePart::Condition,
        (Some("not" | "distinct"), _) => RulePart::Negation,
        (_, part) => part,
    }
}

fn group(head: &Sexpr<'_>) -> RuleGroup {
    let name = head.head().or(head.as_atom()).unwrap_or_default();
    match keyword(name) {
        Some(Keyword::Role) => RuleGroup::Roles,
        Some(Keyword::Base | Keyword::Input) => RuleGroup::Possible,
        Some(Keyword::Init) => RuleGroup::Init,
        Some(Keyword::Legal) => RuleGroup::Legal,
        Some(Keyword::Next) => RuleGroup::Next,
        Some(Keyword::Terminal) => RuleGroup::Terminal,
        Some(Keyword::Goal) => RuleGroup::Goal,
        Some(Keyword::True | Keyword::Does) | None => RuleGroup::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::TupleKind;

    fn described(text: &str) -> Vec<String> {
        let index = DocumentIndex::new(text);
        let words = index.occurrences.iter();
        words
            .map(|word| {
                let place = word.place.map(|(tuple, argument)| {
                    let key = index.tuple(tuple).unwrap();
                    format!(" {:?} {} {argument}", key.kind, index.name(key.name))
                });
                format!(
                    "{} {:?} {:?}{}",
                    &text[word.span.start..word.span.end],
                    word.class,
                    word.part,
                    place.unwrap_or_default()
                )
            })
            .collect()
    }

    #[test]
    fn every_word_has_a_class_and_a_place() {
        insta::assert_snapshot!(described(
            "(ROLE x) (<= (next (cell ?m b)) (does ?p (mark ?m)) (not (true over)) (distinct ?m (f 1)) tie)"
        ).join("\n"), @r#"
        ROLE Keyword Head
        x Constant Head Relation role 0
        <= Keyword Head
        next Keyword Head
        cell Function Head Relation next 0
        ?m Variable Head Fact cell 0
        b Constant Head Fact cell 1
        does Keyword Condition
        ?p Variable Condition Relation does 0
        mark Function Condition Relation does 1
        ?m Variable Condition Move mark 0
        not Keyword Condition
        true Keyword Negation
        over Constant Negation Relation true 0
        distinct Keyword Condition
        ?m Variable Negation
        f Function Negation
        1 Constant Negation
        tie Relation Condition
        "#);
    }

    #[test]
    fn a_text_with_faults_is_read_as_far_as_possible() {
        insta::assert_snapshot!(described("(<= (p ?x) (true (cell ?x\n(role x)) ()((a) b) (<=) (not").join("\n"), @r#"
        <= Keyword Head
        p Relation Head
        ?x Variable Head Relation p 0
        true Keyword Condition
        cell Function Condition Relation true 0
        ?x Variable Condition Fact cell 0
        role Function Condition Fact cell 1
        x Constant Condition
        a Function Condition
        b Constant Condition
        <= Function Condition Relation true 3
        not Function Condition Relation true 4
        "#);
    }

    #[test]
    fn comments_belong_to_the_form_below() {
        let text = "; title\n\n; one\r\n; two\r\n(a) ; behind\n(b)\n  ; of c\n(c)";
        let index = DocumentIndex::new(text);
        let comments = index.forms.iter().map(|form| form.comment);
        let comments: Vec<_> = comments
            .map(|comment| comment.map(|span| &text[span.start..span.end]))
            .collect();
        assert_eq!(comments, [Some("; one\r\n; two"), None, Some("; of c")]);
    }

    #[test]
    fn arguments_are_named_by_their_commonest_variables() {
        let text = "(<= (p ?a ?a) (q ?a)) (<= (p ?x ?y) (q ?x) (q ?y)) (<= (p ?x 1) (q ?x)) (r 1)";
        let index = DocumentIndex::new(text);
        let names = |kind, name, arity| {
            let tuple = index.find_tuple(kind, name, Some(arity)).unwrap();
            let names = index.argument_names(tuple).into_iter();
            names
                .map(Option::unwrap_or_default)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(names(TupleKind::Relation, "p", 2), "x a");
        assert_eq!(names(TupleKind::Relation, "q", 1), "x");
        assert_eq!(names(TupleKind::Relation, "r", 1), "");
        let index = DocumentIndex::new("(<= (legal ?p noop) (role ?p))");
        let legal = index.find_tuple(TupleKind::Relation, "legal", Some(2));
        let names = index.argument_names(legal.unwrap());
        assert_eq!(names, [Some("player".to_owned()), Some("move".to_owned())]);
    }
}
