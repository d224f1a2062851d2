//! Two facts at the start for one place, such as a square that is both blank and taken.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

use crate::gdl::description::{Description, Expr, Signature, Statement};
use crate::gdl::keyword::Keyword;
use crate::gdl::places::{DoubledPlaces, doubled_places};
use crate::kif::{Diagnostic, Fix};

/// A fact that holds at the start, with the sentence that says so.
type InitFact<'d> = (&'d Statement, &'d Expr);

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let roles: FxHashSet<String> = description.roles().map(ToString::to_string).collect();
    for facts in init_facts(description).values() {
        let mut words: IndexSet<String> = IndexSet::new();
        let mut number = |arg: &Expr| words.insert_full(arg.to_string()).0;
        let numbers = facts
            .iter()
            .map(|(_, fact)| fact.args().iter().map(&mut number).collect());
        let numbers: Vec<Vec<usize>> = numbers.collect();
        let numbers: Vec<&[usize]> = numbers.iter().map(Vec::as_slice).collect();
        if let Some(doubled) = doubled_places(&numbers, |word| roles.contains(&words[word])) {
            findings.push(doubled_at_start(&doubled, facts));
        }
    }
}

/// The facts that sentences without conditions give, each once, by relation.
fn init_facts(description: &Description) -> IndexMap<Signature<'_>, Vec<InitFact<'_>>> {
    let mut facts: IndexMap<_, Vec<InitFact<'_>>> = IndexMap::new();
    let mut seen = FxHashSet::default();
    for statement in &description.statements {
        let is_init = statement.head.name() == Some(Keyword::Init.name());
        if let [fact] = statement.head.args()
            && is_init
            && statement.body.is_empty()
            && !fact.is_open()
            && let Some(signature) = fact.signature()
            && seen.insert(fact.to_term())
        {
            facts.entry(signature).or_default().push((statement, fact));
        }
    }
    facts
}

fn doubled_at_start(doubled: &DoubledPlaces, facts: &[InitFact<'_>]) -> Diagnostic {
    let [first, second] = doubled.pairs[0].map(|number| facts[number]);
    let words = doubled.words(|number| {
        let (_, fact) = facts[number];
        let args = fact.args().iter().map(ToString::to_string);
        (fact.name().unwrap_or_default().to_owned(), args.collect())
    });
    let fix = Fix::guess(words.removal).replace_each(
        doubled.pairs.iter().map(|[first, _]| facts[*first].0.span),
        "",
    );
    let (earlier, later) = match first.0.span.start < second.0.span.start {
        true => (first, second),
        false => (second, first),
    };
    Diagnostic::warning("doubled-at-start", later.1.span, words.message)
        .label(earlier.1.span, "the other fact")
        .help(words.help)
        .fix(fix)
}
