//! What a document holds: every word with its meaning and place, found once for each version of the text. All answers
//! read this.

mod cursor;
mod read;
mod slot;

use std::ops::Range;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::gdl::{Keyword, TupleKind};
use crate::kif::Span;

pub(super) use cursor::{Cursor, OpenTerm, cursor_at};
pub(super) use slot::{WordSlot, keyword};

/// Every word of a text is looked up at every edit.
type FxIndexMap<K, V> = IndexMap<K, V, FxBuildHasher>;
type FxIndexSet<K> = IndexSet<K, FxBuildHasher>;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum WordClass {
    /// A keyword relation or a connective.
    Keyword,
    Relation,
    Function,
    Constant,
    Variable,
}

/// The part of a rule that a word stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RulePart {
    Head,
    Condition,
    /// Below an odd number of `not`s, or in a `distinct`: such a condition binds no variable.
    Negation,
}

/// A word in the text.
#[derive(Debug, Clone)]
pub(super) struct Occurrence {
    pub(super) span: Span,
    pub(super) class: WordClass,
    pub(super) part: RulePart,
    /// Index into the names: keywords are in lower case.
    pub(super) name: u32,
    pub(super) form: u32,
    /// The sentence, fact or move that this word names: index into the tuples.
    pub(super) tuple: Option<u32>,
    /// The tuple that this word, or the list that it begins, is an argument of, and which one.
    pub(super) place: Option<(u32, u32)>,
}

/// A relation, a fact of the state or a move: name and number of arguments, `None` for a bare word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TupleKey {
    pub(super) kind: TupleKind,
    pub(super) name: u32,
    pub(super) arity: Option<u32>,
}

/// What rules are grouped by: what they derive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum RuleGroup {
    Roles,
    Possible,
    Init,
    Legal,
    Next,
    Terminal,
    Goal,
    Other,
}

/// A fact or rule.
#[derive(Debug, Clone)]
pub(super) struct TopForm {
    pub(super) span: Span,
    pub(super) group: RuleGroup,
    /// Whether it begins with `<=`.
    pub(super) is_rule: bool,
    /// What it derives.
    pub(super) head: Span,
    /// The comment on the lines directly above.
    pub(super) comment: Option<Span>,
    /// Its words.
    pub(super) words: Range<usize>,
}

/// The words of a document.
#[derive(Debug, Clone, Default)]
pub(super) struct DocumentIndex {
    /// In the order of the text.
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) forms: Vec<TopForm>,
    /// In the order of the text.
    pub(super) comments: Vec<Span>,
    names: FxIndexSet<String>,
    tuples: FxIndexSet<TupleKey>,
    /// For each argument of each tuple, how often each variable stands there.
    variables: Vec<Vec<FxIndexMap<u32, usize>>>,
    /// Where the words of each meaning stand; variables are looked up in their rule.
    by_meaning: FxIndexMap<(WordClass, u32), Vec<u32>>,
}

impl DocumentIndex {
    /// Reads a text, whatever is wrong with it.
    pub(super) fn new(text: &str) -> Self {
        read::read(text)
    }

    pub(super) fn name(&self, name: u32) -> &str {
        self.names
            .get_index(name as usize)
            .map_or("", String::as_str)
    }

    /// Whether a word is a number.
    pub(super) fn is_number(&self, word: &Occurrence) -> bool {
        let name = self.name(word.name);
        word.class == WordClass::Constant && name.bytes().all(|byte| byte.is_ascii_digit())
    }

    pub(super) fn tuple(&self, tuple: u32) -> Option<&TupleKey> {
        self.tuples.get_index(tuple as usize)
    }

    /// The tuples with their numbers, in the order of the text.
    pub(super) fn tuples(&self) -> impl Iterator<Item = (u32, &TupleKey)> {
        (0..).zip(&self.tuples)
    }

    pub(super) fn find_tuple(
        &self,
        kind: TupleKind,
        name: &str,
        arity: Option<u32>,
    ) -> Option<u32> {
        let name = u32::try_from(self.names.get_index_of(name)?).ok()?;
        let found = self.tuples.get_index_of(&TupleKey { kind, name, arity })?;
        u32::try_from(found).ok()
    }

    /// The word at an offset: one that ends there counts too.
    pub(super) fn word_at(&self, offset: usize) -> Option<&Occurrence> {
        let next = self
            .occurrences
            .partition_point(|word| word.span.start <= offset);
        let word = self.occurrences.get(next.checked_sub(1)?)?;
        (offset <= word.span.end).then_some(word)
    }

    pub(super) fn form_of(&self, word: &Occurrence) -> &TopForm {
        &self.forms[word.form as usize]
    }

    /// The words of a form.
    pub(super) fn words_of(&self, form: &TopForm) -> &[Occurrence] {
        &self.occurrences[form.words.clone()]
    }

    /// The form that holds an offset, or ends there.
    pub(super) fn form_at(&self, offset: usize) -> Option<&TopForm> {
        let next = self.forms.partition_point(|form| form.span.start <= offset);
        let form = self.forms.get(next.checked_sub(1)?)?;
        (offset <= form.span.end).then_some(form)
    }

    /// Every word with the meaning of this one, itself included: a variable means something in its rule only.
    pub(super) fn same_meaning(&self, word: &Occurrence) -> Vec<&Occurrence> {
        if word.class == WordClass::Variable {
            let words = self.words_of(self.form_of(word)).iter();
            return words
                .filter(|other| other.class == word.class && other.name == word.name)
                .collect();
        }
        self.meaning((word.class, word.name))
    }

    fn meaning(&self, meaning: (WordClass, u32)) -> Vec<&Occurrence> {
        let found = self.by_meaning.get(&meaning).map_or(&[][..], Vec::as_slice);
        let found = found.iter();
        found
            .map(|index| &self.occurrences[*index as usize])
            .collect()
    }

    /// Every use of a name in a class.
    pub(super) fn uses(&self, class: WordClass, name: &str) -> Vec<&Occurrence> {
        let name = self.names.get_index_of(name);
        let name = name.and_then(|name| u32::try_from(name).ok());
        name.map_or_else(Vec::new, |name| self.meaning((class, name)))
    }

    /// The names of a class with the number of their uses, in the order of the text.
    pub(super) fn names_of(&self, class: WordClass) -> impl Iterator<Item = (&str, usize)> {
        self.by_meaning
            .iter()
            .filter(move |((other, _), _)| *other == class)
            .map(|((_, name), uses)| (self.name(*name), uses.len()))
    }

    /// The names of the players, each once.
    pub(super) fn roles(&self) -> impl Iterator<Item = &Occurrence> {
        let roles = self.find_tuple(TupleKind::Relation, Keyword::Role.name(), Some(1));
        let forms = self.forms.iter();
        let forms = forms.filter(|form| form.group == RuleGroup::Roles && !form.is_rule);
        let mut seen = IndexSet::new();
        forms
            .flat_map(|form| self.words_of(form))
            .filter(move |word| {
                word.place.is_some_and(|(tuple, _)| Some(tuple) == roles) && seen.insert(word.name)
            })
    }

    /// The names of the arguments of a tuple: those that the language gives, or the variables that most often stand
    /// there, each once; `None` where no variable does.
    pub(super) fn argument_names(&self, tuple: u32) -> Vec<Option<String>> {
        let Some(key) = self.tuple(tuple) else {
            return Vec::new();
        };
        let keyword = keyword(self.name(key.name)).filter(|_| key.kind == TupleKind::Relation);
        if let Some(keyword) = keyword {
            let words = keyword.form().split(['<', '>']).skip(1).step_by(2);
            return words.map(|word| Some(word.to_owned())).collect();
        }
        let mut taken: Vec<&str> = Vec::new();
        let mut names = Vec::new();
        for counts in &self.variables[tuple as usize] {
            let free = counts
                .iter()
                .map(|(name, count)| (self.name(*name), count))
                .filter(|(name, _)| !taken.contains(name));
            // Of several that are equally common the first.
            let best = free.rev().max_by_key(|(_, count)| **count);
            taken.extend(best.map(|(name, _)| name));
            names.push(best.map(|(name, _)| name.trim_start_matches('?').to_owned()));
        }
        names
    }
}
