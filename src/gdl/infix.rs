//! Rules in infix notation, as in Prolog: `legal(W, noop) :- role(W)`.

use crate::kif::{Diagnostic, Sexpr, Span};

/// An error, if the text is written in infix notation: most of its lists begin right behind a word. Nothing else is worth saying then.
pub(super) fn find(sexprs: &[Sexpr<'_>]) -> Option<Diagnostic> {
    let lists = sexprs.iter().filter(|sexpr| sexpr.as_atom().is_none());
    let mut calls = sexprs.windows(2).filter(|pair| is_call(pair));
    let (first, more) = (calls.next()?, calls.count());
    if more == 0 || 2 * (more + 1) < lists.count() {
        return None;
    }
    let span = Span::new(first[0].span.start, first[1].span.end);
    let error = Diagnostic::error(
        "infix-notation",
        span,
        "this is infix notation, as in Prolog",
    );
    Some(error.help(
        "a relation stands behind the parenthesis, variables begin with `?`, and no comma divides anything: `role(white).` is `(role white)`, \
         and `legal(P, noop) :- role(P), ~true(control(P)).` is `(<= (legal ?p noop) (role ?p) (not (true (control ?p))))`",
    ))
}

/// Whether a list follows a word without a space.
fn is_call(pair: &[Sexpr<'_>]) -> bool {
    let is_list = pair[1].as_atom().is_none();
    pair[0].as_atom().is_some() && is_list && pair[0].span.end == pair[1].span.start
}

#[cfg(test)]
mod tests {
    use crate::gdl::load;

    fn codes(text: &str) -> Vec<&'static str> {
        let found = load(text).diagnostics;
        found.iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn infix_notation_is_named_once() {
        let text = "% a game\nrole(white).\ninit(cell(1, b)).\nlegal(W, mark(X)) :- true(cell(X, b)), role(W).\nterminal :- true(cell(1, x)).";
        assert_eq!(codes(text), ["infix-notation"]);
    }

    #[test]
    fn a_slip_is_no_infix_notation() {
        let text = "(role white)(init (step 1)) legal(white noop) (goal white 100) (<= terminal (true (step 1)))(<= (next (step 1)) (true (step 1)))";
        assert!(!codes(text).contains(&"infix-notation"));
    }
}
