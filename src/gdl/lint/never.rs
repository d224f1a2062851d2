//! Conditions that can never hold: mostly because of a misspelled word or swapped arguments.

use rustc_hash::FxHashSet;

use crate::gdl::description::{Expr, Signature, Statement};
use crate::gdl::expand::{Alternative, ExprLiteral};
use crate::gdl::lint::domains::{Domains, Tuple, TupleKind, occurrences};
use crate::gdl::suggest;
use crate::kif::Diagnostic;

/// How many words a message lists.
const MOST_LISTED: usize = 8;

/// How many such conditions are reported: where there are more, they have one cause.
const MOST_FINDINGS: usize = 50;

pub(super) fn check<'d>(
    rules: &[(&'d Statement, Vec<Alternative<'d>>)],
    findings: &mut Vec<Diagnostic>,
) {
    let Some(domains) = Domains::of(rules) else {
        return;
    };
    let mut seen = FxHashSet::default();
    let mut lacking = FxHashSet::default();
    let before = findings.len();
    for alternative in rules.iter().flat_map(|(_, alternatives)| alternatives) {
        for literal in alternative {
            if let ExprLiteral::Holds(sentence) | ExprLiteral::Fails(sentence) = *literal {
                findings.extend(lacking_kind(sentence, &domains, &mut lacking));
                findings.extend(strange_words(sentence, &domains, &mut seen));
            }
        }
        findings.extend(hopeless_variables(alternative, &domains));
        if findings.len() > before + MOST_FINDINGS {
            break;
        }
    }
}

/// A fact or move that no rule derives, where it is first used.
fn lacking_kind<'d>(
    sentence: &'d Expr,
    domains: &Domains<'d>,
    seen: &mut FxHashSet<(TupleKind, Option<Signature<'d>>)>,
) -> Option<Diagnostic> {
    let Tuple { kind, term } = Tuple::asked(sentence);
    let (what, source) = match kind {
        TupleKind::Relation => return None, // reported with relations that nothing derives
        TupleKind::Fact => ("state ever holds a fact", "`init` or `next`"),
        TupleKind::Move => ("player ever has a move", "`legal`"),
    };
    let signature = term.signature()?;
    if !domains.lack(Tuple { kind, term }) || !seen.insert((kind, Some(signature))) {
        return None;
    }
    let message = format!("no {what} `{signature}`");
    let help = match suggest::nearest(signature.name, domains.names(kind, signature.arity)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("add a rule for {source}, or remove the condition"),
    };
    Some(Diagnostic::warning("never-holds", term.span, message).help(help))
}

/// A word at a place of a tuple.
type Strange<'d> = (TupleKind, Option<Signature<'d>>, usize, Signature<'d>);

/// Constants that are no possible value of their argument, each at its first place.
fn strange_words<'d>(
    sentence: &'d Expr,
    domains: &Domains<'d>,
    seen: &mut FxHashSet<Strange<'d>>,
) -> Vec<Diagnostic> {
    let tuple = Tuple::asked(sentence);
    let mut findings = Vec::new();
    for (index, arg) in tuple.term.args().iter().enumerate() {
        if let Some(word) = arg.signature()
            && let Some(words) = domains.words(tuple, index)
            && !words.is_empty()
            && !words.contains(&word)
            && seen.insert((tuple.kind, tuple.term.signature(), index, word))
        {
            findings.push(strange_word(tuple, arg, words));
        }
    }
    findings
}

fn strange_word(tuple: Tuple<'_>, arg: &Expr, words: &FxHashSet<Signature<'_>>) -> Diagnostic {
    let what = match tuple.kind {
        TupleKind::Relation => "sentence",
        TupleKind::Fact => "fact",
        TupleKind::Move => "move",
    };
    let name = tuple.term.name().unwrap_or_default();
    let message = format!("no {what} `{name}` ever has `{arg}` here");
    let mut words: Vec<Signature<'_>> = words.iter().copied().collect();
    words.sort_unstable();
    let plain = words
        .iter()
        .filter(|word| word.arity.is_none())
        .map(|word| word.name);
    let meant = arg.name().and_then(|name| suggest::nearest(name, plain));
    let help = match meant {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("the possible values are {}", list(&words)),
    };
    Diagnostic::warning("never-holds", arg.span, message).help(help)
}

fn list(words: &[Signature<'_>]) -> String {
    let mut listed: Vec<String> = words
        .iter()
        .take(MOST_LISTED)
        .map(|word| format!("`{word}`"))
        .collect();
    if words.len() > MOST_LISTED {
        listed.push("and others".to_owned());
    }
    listed.join(", ")
}

/// Variables whose conditions have no common value.
fn hopeless_variables<'d>(
    alternative: &Alternative<'d>,
    domains: &Domains<'d>,
) -> impl Iterator<Item = Diagnostic> {
    occurrences(alternative)
        .into_iter()
        .filter_map(move |(name, places)| {
            let mut known = places.iter().filter_map(|&(tuple, index, arg)| {
                let words = domains.words(tuple, index)?;
                (!words.is_empty()).then_some((tuple, words, arg))
            });
            let (first, words, place) = known.next()?;
            let (second, _, other) = known.find(|(_, others, _)| words.is_disjoint(others))?;
            let message = format!("no value of `?{name}` fits here and in `{}`", first.term);
            let finding = Diagnostic::warning("never-holds", other.span, message)
                .label(place.span, "the values here are different")
                .help(format!(
                    "check the arguments of `{}` and `{}`",
                    first.term, second.term
                ));
            Some(finding)
        })
}
