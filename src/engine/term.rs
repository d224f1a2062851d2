//! Facts in text.

use crate::datalog::{TermId, Terms};
use crate::kif::{Sexpr, SexprKind, parse};

/// The term that `text` is, stored if it is new.
pub(super) fn read_term(terms: &mut Terms, text: &str) -> Result<TermId, String> {
    let parsed = parse(text);
    match (&parsed.diagnostics[..], &parsed.sexprs[..]) {
        ([], [sexpr]) => intern(terms, sexpr),
        ([first, ..], _) => Err(format!("`{text}` is not a fact: {}", first.message)),
        _ => Err(format!("`{text}` is not one fact, such as `(cell 1 1 b)`")),
    }
}

fn intern(terms: &mut Terms, sexpr: &Sexpr) -> Result<TermId, String> {
    match &sexpr.kind {
        SexprKind::Atom(name) if name.starts_with('?') => {
            Err(format!("`{name}` is a variable, and facts have none"))
        }
        SexprKind::Atom(name) => Ok(terms.word(name)),
        SexprKind::List(items) => {
            let [
                Sexpr {
                    kind: SexprKind::Atom(name),
                    ..
                },
                args @ ..,
            ] = &items[..]
            else {
                return Err("a term begins with a word, as in `(cell 1 1 b)`".to_owned());
            };
            let args: Result<Vec<TermId>, String> =
                args.iter().map(|arg| intern(terms, arg)).collect();
            let args = args?;
            let functor = terms.functor(name, Some(args.len()));
            Ok(terms.intern(functor, &args))
        }
    }
}
