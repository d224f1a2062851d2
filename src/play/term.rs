//! KIF terms, as facts and moves are exchanged.

use std::fmt;

use crate::kif::{Sexpr, SexprKind, parse};

/// A ground term: a word, or words and terms in parentheses. Printed with single spaces.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A word.
    Word(String),
    /// What stands between parentheses.
    List(Vec<Term>),
}

/// Why a text holds no facts or no term.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TermError(String);

impl From<&Sexpr<'_>> for Term {
    fn from(sexpr: &Sexpr<'_>) -> Self {
        match &sexpr.kind {
            SexprKind::Atom(word) => Self::Word((*word).to_owned()),
            SexprKind::List(items) => Self::List(items.iter().map(Self::from).collect()),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = match self {
            Self::Word(word) => return f.write_str(word),
            Self::List(items) => items,
        };
        f.write_str("(")?;
        for (place, item) in items.iter().enumerate() {
            let space = if place > 0 { " " } else { "" };
            write!(f, "{space}{item}")?;
        }
        f.write_str(")")
    }
}

/// Reads exactly one term.
///
/// # Errors
/// Says what is wrong with the text.
pub fn read_term(text: &str) -> Result<Term, TermError> {
    match &read_all(text)?[..] {
        [term] => Ok(term.clone()),
        [] => Err(TermError("nothing but blanks".to_owned())),
        [first, ..] => Err(TermError(format!("more follows after {first}"))),
    }
}

/// Reads the facts of a state: terms one after another, or one list that begins with a list, each fact bare or inside
/// `true` or `init`.
///
/// # Errors
/// Says what is wrong with the text.
pub fn read_facts(text: &str) -> Result<Vec<Term>, TermError> {
    let terms = read_all(text)?;
    let facts = match &terms[..] {
        [Term::List(items)] if items.first().is_none_or(is_list) => items.clone(),
        _ => terms,
    };
    facts.into_iter().map(bare).collect()
}

/// Reads a state as match records hold it: one list of facts, each bare or inside `true`.
///
/// # Errors
/// Says what is wrong with the text.
pub fn read_state(text: &str) -> Result<Vec<Term>, TermError> {
    match read_term(text)? {
        Term::List(facts) => facts.into_iter().map(bare).collect(),
        Term::Word(word) => Err(TermError(format!("{word} is no list of facts"))),
    }
}

fn is_list(term: &Term) -> bool {
    matches!(term, Term::List(_))
}

/// The fact inside `(true …)` or `(init …)`.
fn bare(fact: Term) -> Result<Term, TermError> {
    let Term::List(items) = &fact else {
        return Ok(fact);
    };
    match &items[..] {
        [Term::Word(word), inner] if word == "true" || word == "init" => Ok(inner.clone()),
        [Term::Word(word), ..] if word == "<=" => Err(TermError(format!(
            "{fact} is a rule: a state is given by facts alone"
        ))),
        _ => Ok(fact),
    }
}

fn read_all(text: &str) -> Result<Vec<Term>, TermError> {
    let parsed = parse(text);
    if let Some(fault) = parsed.diagnostics.first() {
        return Err(TermError(fault.message.clone()));
    }
    let terms: Vec<Term> = parsed.sexprs.iter().map(Term::from).collect();
    match terms.iter().find_map(variable) {
        Some(word) => Err(TermError(format!("the variable {word} stands for no fact"))),
        None => Ok(terms),
    }
}

fn variable(term: &Term) -> Option<&str> {
    match term {
        Term::Word(word) => word.starts_with('?').then_some(word),
        Term::List(items) => items.iter().find_map(variable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Vec<String> {
        let facts = read_facts(text).unwrap();
        facts.iter().map(Term::to_string).collect()
    }

    #[test]
    fn facts_come_in_several_guises() {
        let expected = ["(cell 1 1 b)", "(control x)"];
        assert_eq!(facts("(cell 1 1 b) (control x)"), expected);
        assert_eq!(facts("((cell  1 1 b)\n(control x))"), expected);
        assert_eq!(
            facts("( ( true ( cell 1 1 b ) ) ( true ( control x ) ) )"),
            expected
        );
        assert_eq!(
            facts("(init (cell 1 1 b)) ; so\n(init (control x))"),
            expected
        );
        assert_eq!(facts("()"), [""; 0]);
        assert_eq!(facts(""), [""; 0]);
        assert_eq!(facts("(control x)"), ["(control x)"]);
        assert_eq!(facts("blown (level 3)"), ["blown", "(level 3)"]);
    }

    #[test]
    fn a_state_may_begin_with_a_word() {
        let state = read_state("( canSwap ( control x ) )").unwrap();
        assert_eq!(state[0], Term::Word("canSwap".to_owned()));
        assert_eq!(state.len(), 2);
        assert!(read_state("canSwap").is_err() && read_state("(a) (b)").is_err());
    }

    #[test]
    fn what_is_no_fact_is_refused() {
        for text in ["(cell", "(cell ?x 1)", "(<= (init (a b)) (c d))", ")"] {
            assert!(read_facts(text).is_err(), "{text}");
        }
        assert!(read_term("a b").is_err() && read_term(" ").is_err());
    }
}
