//! Ground terms: facts and moves as engines, players, records and position files exchange them.
//!
//! This is the one reader and the one printer of such text. [`FromStr`] reads a single term, [`read_facts`] and
//! [`read_state`] read the facts of a state, [`read_each`] reads one term per text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::kif::{LineColumn, LineIndex, Sexpr, SexprKind, parse};

/// A term without variables. Printed with single spaces.
///
/// `p` is a constant and `(p)` a compound term without arguments: different terms, as everywhere in this crate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GroundTerm {
    /// A word.
    Constant(String),
    /// `(functor argument …)`.
    Compound(String, Vec<GroundTerm>),
}

/// Why a text holds no ground term, or no facts of a state, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct GroundTermError {
    /// What is wrong.
    pub fault: GroundTermFault,
    /// Where in the text.
    pub place: LineColumn,
}

/// What is wrong with the text of a ground term.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GroundTermFault {
    /// The text is no s-expression.
    #[error("{0}")]
    Syntax(String),
    /// The text is blank.
    #[error("the text is empty")]
    Empty,
    /// More than one term.
    #[error("more text follows after `{0}`")]
    MoreThanOne(String),
    /// A variable.
    #[error("`{0}` is a variable, and there are none in facts and moves")]
    Variable(String),
    /// A list that does not begin with a word.
    #[error("the list `{0}` does not begin with a word, as `(cell 1 1 b)` does")]
    NoFunctor(String),
    /// A rule where a fact is expected.
    #[error("`{0}` is a rule, and a state consists of facts only")]
    Rule(String),
    /// A word where a list of facts is expected.
    #[error("`{0}` is not a list of facts")]
    NotAList(String),
}

/// One of several texts is not a ground term.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a fact: {source}")]
pub struct FactError {
    /// The text.
    pub text: String,
    /// Why it is no ground term.
    pub source: GroundTermError,
}

impl FromStr for GroundTerm {
    type Err = GroundTermError;

    /// Reads exactly one term.
    fn from_str(text: &str) -> Result<Self, GroundTermError> {
        read(text, |sexprs| match sexprs {
            [sexpr] => term(sexpr),
            [] => Err((GroundTermFault::Empty, 0)),
            [first, second, ..] => Err((
                GroundTermFault::MoreThanOne(first.to_string()),
                second.span.start,
            )),
        })
    }
}

impl fmt::Display for GroundTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(word) => f.write_str(word),
            Self::Compound(functor, args) => {
                write!(f, "({functor}")?;
                for arg in args {
                    write!(f, " {arg}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Reads one term per text.
///
/// # Errors
/// Names the first text that is no ground term, and what is wrong with it.
pub fn read_each(texts: &[String]) -> Result<Vec<GroundTerm>, FactError> {
    let term = |text: &String| {
        text.parse().map_err(|source| FactError {
            text: text.clone(),
            source,
        })
    };
    texts.iter().map(term).collect()
}

/// Reads the facts of a state as people write them: one after another, or as one list that begins with a list; each
/// fact bare or inside `true` or `init`.
///
/// # Errors
/// Says what is wrong with the text, and where.
pub fn read_facts(text: &str) -> Result<Vec<GroundTerm>, GroundTermError> {
    read(text, |sexprs| match sexprs {
        [list] if list.head().is_none() => list.as_list().map_or_else(|| facts(sexprs), facts),
        _ => facts(sexprs),
    })
}

/// Reads the facts of a state as match records hold them: one list, even if it begins with a word; each fact bare or
/// inside `true` or `init`.
///
/// # Errors
/// Says what is wrong with the text, and where.
pub fn read_state(text: &str) -> Result<Vec<GroundTerm>, GroundTermError> {
    read(text, |sexprs| match sexprs {
        [list] => match list.as_list() {
            Some(items) => facts(items),
            None => Err((GroundTermFault::NotAList(list.to_string()), list.span.start)),
        },
        [] => Err((GroundTermFault::Empty, 0)),
        [first, second, ..] => Err((
            GroundTermFault::MoreThanOne(first.to_string()),
            second.span.start,
        )),
    })
}

/// A fault and the byte offset where it stands.
type Located = (GroundTermFault, usize);

/// Parses `text`, converts the s-expressions, and turns byte offsets into lines and columns.
fn read<T>(
    text: &str,
    convert: impl FnOnce(&[Sexpr<'_>]) -> Result<T, Located>,
) -> Result<T, GroundTermError> {
    let parsed = parse(text);
    let converted = match parsed.diagnostics.first() {
        Some(first) => Err((
            GroundTermFault::Syntax(first.message.clone()),
            first.span.start,
        )),
        None => convert(&parsed.sexprs),
    };
    converted.map_err(|(fault, offset)| GroundTermError {
        fault,
        place: LineIndex::new(text).position(offset),
    })
}

fn facts(sexprs: &[Sexpr<'_>]) -> Result<Vec<GroundTerm>, Located> {
    sexprs.iter().map(fact).collect()
}

/// A fact, or the fact inside `(true …)` or `(init …)`. Keywords of GDL are not case-sensitive.
fn fact(sexpr: &Sexpr<'_>) -> Result<GroundTerm, Located> {
    let is_wrapper =
        |word: &str| word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("init");
    match (sexpr.head(), sexpr.as_list()) {
        (Some("<="), _) => Err((GroundTermFault::Rule(sexpr.to_string()), sexpr.span.start)),
        (Some(word), Some([_, inner])) if is_wrapper(word) => term(inner),
        _ => term(sexpr),
    }
}

/// The term of an s-expression. The parser bounds its depth, hence the recursion.
fn term(sexpr: &Sexpr<'_>) -> Result<GroundTerm, Located> {
    let at = sexpr.span.start;
    match &sexpr.kind {
        SexprKind::Atom(name) if name.starts_with('?') => {
            Err((GroundTermFault::Variable((*name).to_owned()), at))
        }
        SexprKind::Atom(name) => Ok(GroundTerm::Constant((*name).to_owned())),
        SexprKind::List(items) => {
            let functor = sexpr.head().filter(|name| !name.starts_with('?'));
            let no_functor = || (GroundTermFault::NoFunctor(sexpr.to_string()), at);
            let functor = functor.ok_or_else(no_functor)?;
            let args: Result<_, Located> = items[1..].iter().map(term).collect();
            Ok(GroundTerm::Compound(functor.to_owned(), args?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_facts(text: &str, expected: &[&str]) {
        let facts = read_facts(text).unwrap();
        let texts: Vec<String> = facts.iter().map(GroundTerm::to_string).collect();
        assert_eq!(texts, expected, "{text}");
    }

    fn fault<T: fmt::Debug>(result: Result<T, GroundTermError>) -> String {
        let error = result.unwrap_err();
        format!("{}: {error}", error.place)
    }

    #[test]
    fn facts_of_a_state_are_read_in_several_forms() {
        let expected = ["(cell 1 1 b)", "(control x)"];
        check_facts("(cell 1 1 b) (control x)", &expected);
        check_facts("((cell  1 1 b)\n(control x))", &expected);
        check_facts(
            "( ( true ( cell 1 1 b ) ) ( TRUE ( control x ) ) )",
            &expected,
        );
        check_facts("(init (cell 1 1 b)) ; so\n(init (control x))", &expected);
        check_facts("()", &[]);
        check_facts("", &[]);
        check_facts("(control x)", &["(control x)"]);
        check_facts("blown (level 3) (over)", &["blown", "(level 3)", "(over)"]);
    }

    #[test]
    fn the_state_of_a_record_may_begin_with_a_word() {
        let state = read_state("( canSwap ( control x ) )").unwrap();
        assert_eq!(state[0], GroundTerm::Constant("canSwap".to_owned()));
        assert_eq!(state.len(), 2);
        assert_eq!(
            fault(read_state("canSwap")),
            "1:1: `canSwap` is not a list of facts"
        );
        assert_eq!(
            fault(read_state("(a) (b)")),
            "1:5: more text follows after `(a)`"
        );
    }

    #[test]
    fn errors_say_what_is_wrong_and_where() {
        for (text, expected) in [
            (
                "(cell 1\n ?x)",
                "2:2: `?x` is a variable, and there are none in facts and moves",
            ),
            (
                "(a)\n(<= (init (a b)) (c d))",
                "2:1: `(<= (init (a b)) (c d))` is a rule, and a state consists of facts only",
            ),
            (
                "(a) ((b) c)",
                "1:5: the list `((b) c)` does not begin with a word, as `(cell 1 1 b)` does",
            ),
        ] {
            assert_eq!(fault(read_facts(text)), expected);
        }
        assert!(fault(read_facts("(a)\n(cell")).starts_with("2:1: "));
        assert!(fault(read_facts(")")).starts_with("1:1: "));
        assert_eq!(fault(GroundTerm::from_str(" ")), "1:1: the text is empty");
        assert_eq!(
            fault(GroundTerm::from_str("a b")),
            "1:3: more text follows after `a`"
        );
        let texts = ["(a 1)".to_owned(), "?x".to_owned()];
        let error = read_each(&texts).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`?x` is not a fact: `?x` is a variable, and there are none in facts and moves"
        );
    }
}
