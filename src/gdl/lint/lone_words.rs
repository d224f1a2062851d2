//! Words that occur once in a text, and differ from another one, or from a variable, by a slip of the fingers.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::gdl::description::{Description, Expr, Statement};
use crate::gdl::keyword::Keyword;
use crate::gdl::suggest::rename;
use crate::kif::Diagnostic;

/// Shorter words are often alike on purpose, as `a` and `b` or `wk` and `wq` are; longer ones are not typed by hand.
const LEAST_LETTERS: usize = 4;
const MOST_LETTERS: usize = 40;

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for statement in &description.statements {
        statement.each_expr(|expr| match expr.args() {
            // A side of `distinct`, or a sentence without arguments, which nobody takes for a word of a fact.
            [] => count(std::slice::from_ref(expr), &mut counts),
            args => count(args, &mut counts),
        });
    }
    for statement in &description.statements {
        unmarked(statement, &counts, findings);
    }
    let often = counts.iter().filter(|(_, count)| **count > 1);
    let often = OftenUsed::new(often.map(|(word, _)| *word));
    let heads = description
        .statements
        .iter()
        .map(|statement| &statement.head);
    let gives_fact = |head: &&Expr| {
        let keyword = head.name().and_then(Keyword::named);
        matches!(keyword, Some(Keyword::Init | Keyword::Next))
    };
    let facts = heads
        .filter(gives_fact)
        .filter_map(|head| head.args().first());
    for arg in facts.flat_map(Expr::args) {
        let word = arg.name().filter(|_| arg.args().is_empty());
        if let Some(word) = word
            && counts.get(word) == Some(&1)
            && let Some(meant) = often.meant_by(word)
        {
            let message = format!("`{word}` occurs nowhere else, and looks like `{meant}`");
            findings.push(
                Diagnostic::warning("lone-word", arg.span, message)
                    .help(format!("did you mean `{meant}`?"))
                    .fix(rename(word, meant, [arg.name_span])),
            );
        }
    }
}

/// A word that stands nowhere else in the text, where a variable of the same name stands once in the same rule.
fn unmarked(statement: &Statement, counts: &IndexMap<&str, usize>, findings: &mut Vec<Diagnostic>) {
    let mut variables: FxHashMap<&str, usize> = FxHashMap::default();
    let mut lone = Vec::new();
    statement.each_expr(|expr| {
        expr.each_variable(&mut |name, _, _| *variables.entry(name).or_default() += 1);
        lone_constants(expr.args(), counts, &mut lone);
    });
    for (name, word) in lone {
        if variables.get(name) == Some(&1) {
            let meant = format!("?{name}");
            let message = format!("`{name}` occurs nowhere else, and `{meant}` only once here");
            findings.push(
                Diagnostic::warning("no-question-mark", word.span, message)
                    .help(format!("did you mean `{meant}`?"))
                    .fix(rename(name, &meant, [word.name_span])),
            );
        }
    }
}

/// The constants among some terms and within them that stand once in the text, with their names.
fn lone_constants<'d>(
    terms: &'d [Expr],
    counts: &IndexMap<&str, usize>,
    lone: &mut Vec<(&'d str, &'d Expr)>,
) {
    for term in terms {
        match term.name() {
            Some(name) if term.args().is_empty() && counts.get(name) == Some(&1) => {
                lone.push((name, term));
            }
            _ => lone_constants(term.args(), counts, lone),
        }
    }
}

/// How often each constant stands among some terms and within them.
fn count<'d>(terms: &'d [Expr], counts: &mut IndexMap<&'d str, usize>) {
    for term in terms {
        if let Some(name) = term.name() {
            *counts.entry(name).or_default() += 1;
        }
        count(term.args(), counts);
    }
}

/// Words that occur several times, by themselves and without each of their inner letters.
struct OftenUsed<'d> {
    whole: FxHashMap<String, &'d str>,
    shortened: FxHashMap<String, &'d str>,
}

impl<'d> OftenUsed<'d> {
    fn new(words: impl Iterator<Item = &'d str>) -> Self {
        let (mut whole, mut shortened) = (FxHashMap::default(), FxHashMap::default());
        for word in words.filter(|word| is_word(word)) {
            whole.insert(word.to_owned(), word);
            for without in without_inner_letters(word) {
                shortened.entry(without).or_insert(word);
            }
        }
        Self { whole, shortened }
    }

    /// The word of which this one has two neighbouring letters exchanged, or an inner letter too many or too few. Other letters in
    /// its place, or at its ends, are mostly meant: `wking` and `bking`, `start` and `starts`.
    fn meant_by(&self, word: &str) -> Option<&'d str> {
        if !is_word(word) {
            return None;
        }
        let mut slips = exchanged(word).chain(without_inner_letters(word));
        let found = slips.find_map(|slip| self.whole.get(&slip));
        found.or_else(|| self.shortened.get(word)).copied()
    }
}

/// A word with each two neighbouring letters exchanged that differ.
fn exchanged(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    let places = 1..letters.len();
    places.filter_map(move |place| {
        let mut letters = letters.clone();
        letters.swap(place - 1, place);
        (letters[place - 1] != letters[place]).then(|| letters.into_iter().collect())
    })
}

/// A word without each of its letters but the first and the last one.
fn without_inner_letters(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    let inner = 1..letters.len().saturating_sub(1);
    inner.map(move |place| {
        let (before, after) = letters.split_at(place);
        before.iter().chain(&after[1..]).collect()
    })
}

/// Whether a text is a word that people spell, and no number.
fn is_word(text: &str) -> bool {
    (LEAST_LETTERS..=MOST_LETTERS).contains(&text.chars().count())
        && !text.contains(|c: char| c.is_ascii_digit())
}
