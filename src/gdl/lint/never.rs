//! Conditions that can never hold: mostly because of a misspelled word or swapped arguments.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::description::{Expr, Signature, Statement};
use crate::gdl::expand::{Alternative, ExprLiteral};
use crate::gdl::lint::domains::{Domains, Tuple, TupleKind, occurrences};
use crate::gdl::suggest::{self, rename};
use crate::kif::{Diagnostic, Edit, Fix, Span};
use crate::util::natural_order;

/// How many words a message lists.
const MOST_LISTED: usize = 8;

/// How many such conditions are reported: where there are more, they have one cause.
const MOST_FINDINGS: usize = 50;

pub(super) fn check<'d>(
    rules: &[(&'d Statement, Vec<Alternative<'d>>)],
    domains: &Domains<'d>,
    findings: &mut Vec<Diagnostic>,
) {
    let mut seen = FxHashMap::default();
    let mut lacking = FxHashMap::default();
    let before = findings.len();
    for alternative in rules.iter().flat_map(|(_, alternatives)| alternatives) {
        for literal in alternative {
            if let ExprLiteral::Holds(sentence) | ExprLiteral::Fails(sentence) = *literal {
                lacking_kind(sentence, domains, &mut lacking, findings);
                strange_words(sentence, domains, &mut seen, findings);
            }
        }
        findings.extend(hopeless_variables(alternative, domains));
        if findings.len() > before + MOST_FINDINGS {
            // Not every place of what is misspelled is known.
            findings[before..]
                .iter_mut()
                .for_each(|finding| finding.fixes.clear());
            break;
        }
    }
}

/// The misspelling is here, too.
fn also_at(finding: &mut Diagnostic, place: Span) {
    for fix in &mut finding.fixes {
        let text = fix.edits[0].text.clone();
        fix.edits.push(Edit { span: place, text });
    }
}

/// A fact or move that no rule derives, where it is first used.
fn lacking_kind<'d>(
    sentence: &'d Expr,
    domains: &Domains<'d>,
    seen: &mut FxHashMap<(TupleKind, Signature<'d>), usize>,
    findings: &mut Vec<Diagnostic>,
) {
    let Tuple { kind, term } = Tuple::asked(sentence);
    let (what, source) = match kind {
        TupleKind::Relation => return, // reported with relations that nothing derives
        TupleKind::Fact => ("state ever holds a fact", "`init` or `next`"),
        TupleKind::Move => ("player ever has a move", "`legal`"),
    };
    let Some(signature) = term.signature() else {
        return;
    };
    if !domains.lack(Tuple { kind, term }) {
        return;
    }
    if let Some(known) = seen.get(&(kind, signature)) {
        return also_at(&mut findings[*known], term.name_span);
    }
    seen.insert((kind, signature), findings.len());
    let finding = Diagnostic::warning("never-holds", term.span, format!("no {what} `{signature}`"));
    let names = domains.names(kind, signature.arity);
    findings.push(match suggest::nearest(signature.name, names) {
        Some(name) => finding.help(format!("did you mean `{name}`?")).fix(rename(
            signature.name,
            name,
            [term.name_span],
        )),
        None => finding.help(format!("add a rule for {source}, or remove the condition")),
    });
}

/// A word at a place of a tuple.
type Strange<'d> = (TupleKind, Option<Signature<'d>>, usize, Signature<'d>);

/// Constants that are no possible value of their argument, each at its first place.
fn strange_words<'d>(
    sentence: &'d Expr,
    domains: &Domains<'d>,
    seen: &mut FxHashMap<Strange<'d>, usize>,
    findings: &mut Vec<Diagnostic>,
) {
    let tuple = Tuple::asked(sentence);
    for (index, arg) in tuple.term.args().iter().enumerate() {
        if let Some(word) = arg.signature()
            && let Some(words) = domains.words(tuple, index)
            && !words.is_empty()
            && !words.contains(&word)
        {
            let place = (tuple.kind, tuple.term.signature(), index, word);
            match seen.get(&place) {
                Some(known) => also_at(&mut findings[*known], arg.name_span),
                None => {
                    seen.insert(place, findings.len());
                    findings.push(strange_word(tuple, arg, words));
                }
            }
        }
    }
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
    words.sort_by(|one, other| {
        natural_order(one.name, other.name).then(one.arity.cmp(&other.arity))
    });
    let plain = words
        .iter()
        .filter(|word| word.arity.is_none())
        .map(|word| word.name);
    let meant = arg.name().and_then(|name| suggest::nearest(name, plain));
    let finding = Diagnostic::warning("never-holds", arg.span, message);
    match meant {
        _ if arg.name() == Some("_") => finding
            .help("`_` is a word like any other: for any value write a variable, such as `?_any`"),
        Some(word) => finding
            .help(format!("did you mean `{word}`?"))
            .fix(rename_whole(arg, word)),
        None => finding.help(format!("the possible values are {}", list(&words))),
    }
}

/// The suggestion is a plain word.
fn rename_whole(arg: &Expr, word: &str) -> Option<Fix> {
    arg.args()
        .is_empty()
        .then(|| rename(arg.name().unwrap_or_default(), word, [arg.span]))
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
