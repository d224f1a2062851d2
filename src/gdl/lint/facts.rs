//! Facts that no condition uses.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use crate::gdl::description::{Description, Signature};
use crate::gdl::keyword::Keyword;
use crate::gdl::suggest::Suggestions;
use crate::kif::{Diagnostic, Span};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let Some(read) = read(description) else {
        return;
    };
    let mut suggestions = Suggestions::new();
    for (fact, span) in put(description) {
        if !read.contains(&fact) && !description.mentioned.contains(fact.name) {
            findings.push(unread(fact, span, &read, &mut suggestions));
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

/// The facts that `init` and `next` derive, each with its first place.
fn put(description: &Description) -> IndexMap<Signature<'_>, Span> {
    let mut put = IndexMap::new();
    for head in description
        .statements
        .iter()
        .map(|statement| &statement.head)
    {
        if let (Some(Keyword::Init | Keyword::Next), [fact]) = (keyword(head.name()), head.args())
            && let Some(signature) = fact.signature()
        {
            put.entry(signature).or_insert(fact.span);
        }
    }
    put
}

fn keyword(name: Option<&str>) -> Option<Keyword> {
    Keyword::named(name?)
}

fn unread(
    fact: Signature<'_>,
    span: Span,
    read: &FxHashSet<Signature<'_>>,
    suggestions: &mut Suggestions,
) -> Diagnostic {
    let message = format!("no condition uses the fact `{fact}`");
    let of_same_arity = read.iter().filter(|asked| asked.arity == fact.arity);
    let mut names: Vec<&str> = of_same_arity.map(|asked| asked.name).collect();
    names.sort_unstable();
    let help = match suggestions.nearest(fact.name, names) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "remove it, or use it in a condition `(true …)`".to_owned(),
    };
    Diagnostic::warning("unread-fact", span, message).help(help)
}
