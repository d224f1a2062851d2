//! Facts that no condition uses.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use crate::gdl::description::{Description, Expr, Signature, Statement};
use crate::gdl::keyword::Keyword;
use crate::gdl::suggest::{Suggestions, rename};
use crate::kif::{Diagnostic, Fix};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let Some(read) = read(description) else {
        return;
    };
    let mut suggestions = Suggestions::new();
    for (fact, places) in put(description) {
        if !read.contains(&fact) && !description.mentioned.contains(fact.name) {
            findings.push(unread(fact, &places, &read, &mut suggestions));
        }
    }
}

/// The facts that conditions use; `None` if one of them uses any fact.
fn read(description: &Description) -> Option<FxHashSet<Signature<'_>>> {
    let mut read = FxHashSet::default();
    let mut asks_for_any = false;
    for statement in &description.statements {
        statement.each_sentence(|_, sentence| {
            if let (Some(Keyword::True), [fact]) = (keyword(sentence.name()), sentence.args()) {
                match fact.signature() {
                    Some(signature) => drop(read.insert(signature)),
                    None => asks_for_any = true,
                }
            }
        });
    }
    (!asks_for_any).then_some(read)
}

/// A fact in the head of a statement.
type PutFact<'d> = (&'d Statement, &'d Expr);

/// The facts that `init` and `next` derive, each with its places.
fn put(description: &Description) -> IndexMap<Signature<'_>, Vec<PutFact<'_>>> {
    let mut put: IndexMap<_, Vec<_>> = IndexMap::new();
    for statement in &description.statements {
        let head = &statement.head;
        if let (Some(Keyword::Init | Keyword::Next), [fact]) = (keyword(head.name()), head.args())
            && let Some(signature) = fact.signature()
        {
            put.entry(signature).or_default().push((statement, fact));
        }
    }
    put
}

fn keyword(name: Option<&str>) -> Option<Keyword> {
    Keyword::named(name?)
}

fn unread(
    fact: Signature<'_>,
    places: &[PutFact<'_>],
    read: &FxHashSet<Signature<'_>>,
    suggestions: &mut Suggestions,
) -> Diagnostic {
    let message = format!("no condition uses the fact `{fact}`");
    let of_same_arity = read.iter().filter(|asked| asked.arity == fact.arity);
    let mut names: Vec<&str> = of_same_arity.map(|asked| asked.name).collect();
    names.sort_unstable();
    let finding = Diagnostic::warning("unread-fact", places[0].1.span, message);
    match suggestions.nearest(fact.name, names) {
        Some(name) => {
            let words = places.iter().map(|(_, fact)| fact.name_span);
            finding
                .help(format!("did you mean `{name}`?"))
                .fix(rename(fact.name, name, words))
        }
        None => {
            let statements = places.iter().map(|(statement, _)| statement.span);
            let fix = Fix::guess(format!("remove what derives `{fact}`"));
            finding
                .help("remove it, or use it in a condition `(true …)`")
                .fix(fix.replace_each(statements, ""))
        }
    }
}
