//! Checked rules: what the engines are built from.

use std::sync::Arc;

use crate::kif::Span;

/// A GDL term. A sentence is a term that is not a variable.
///
/// `p` is `Constant("p")`, `(p)` is `Compound("p", [])`: different terms and different sentences, as in the reference
/// implementation. GDL keywords are lower-cased, everything else keeps its spelling.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// `?x`, named without the question mark.
    Variable(Arc<str>),
    /// A word.
    Constant(Arc<str>),
    /// `(f t1 … tn)`, n may be 0.
    Compound(Arc<str>, Vec<Term>),
}

/// A condition in the body of a [`Rule`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RuleLiteral {
    /// The sentence holds.
    Holds(Term),
    /// The sentence cannot be derived (negation as failure).
    Fails(Term),
    /// The two terms differ.
    Distinct(Term, Term),
    /// The two terms are the same (`(not (distinct a b))`).
    Same(Term, Term),
}

/// `head` holds if all of `body` does. A fact is a rule with an empty body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The sentence derived.
    pub head: Term,
    /// Conditions, in the author's order: without `or`, and with `not` only directly before a sentence.
    pub body: Vec<RuleLiteral>,
    /// The whole rule in the text (rules that come from one `or` share it).
    pub span: Span,
}

/// Rules in which all of GDL's well-formedness conditions hold: only the checker builds them.
///
/// Every rule is safe (each variable occurs in a positive literal of the body), negation is stratified, keyword
/// relations are used with their arity and only where they may be, and terms grow over time only.
#[derive(Debug, Clone)]
pub struct Rules {
    pub(super) roles: Vec<Term>,
    pub(super) rules: Vec<Rule>,
    /// The lines of the rules, if they were read from a text.
    pub(super) lines: Vec<usize>,
}

impl RuleLiteral {
    /// The sentence that must or must not hold; a comparison has none.
    pub fn sentence(&self) -> Option<&Term> {
        match self {
            Self::Holds(sentence) | Self::Fails(sentence) => Some(sentence),
            Self::Distinct(..) | Self::Same(..) => None,
        }
    }
}

impl Rules {
    /// The players, in the order of their `(role …)` facts.
    pub fn roles(&self) -> &[Term] {
        &self.roles
    }

    /// Every rule and fact, in the author's order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The same rules, and for each of `bodies` a goal of nobody that holds where the body does, and whose value is the term
    /// beside the body: see [`Rules::marked`].
    #[must_use]
    pub fn with_marks(&self, bodies: &[(Term, &[RuleLiteral])]) -> Self {
        let mark = |(number, (value, body)): (usize, &(Term, &[RuleLiteral]))| Rule {
            head: Term::Compound(
                "goal".into(),
                vec![
                    Term::Constant(format!("{MARK}{number}").into()),
                    value.clone(),
                ],
            ),
            body: body.to_vec(),
            span: Span::default(),
        };
        let mut marked = self.clone();
        marked.rules.extend(bodies.iter().enumerate().map(mark));
        marked
    }

    /// The same rules, with nothing but these facts, any of which may hold at the start.
    #[must_use]
    pub fn with_facts(&self, facts: Vec<Term>) -> Self {
        let is_of_facts = |rule: &Rule| match &rule.head {
            Term::Compound(name, _) => matches!(&**name, "init" | "next"),
            Term::Variable(_) | Term::Constant(_) => false,
        };
        let init = |fact: Term| Rule {
            head: Term::Compound("init".into(), vec![fact]),
            body: Vec::new(),
            span: Span::default(),
        };
        let mut rules = self.clone();
        rules.rules.retain(|rule| !is_of_facts(rule));
        rules.rules.extend(facts.into_iter().map(init));
        rules.lines.clear();
        rules
    }

    /// The number of the body whose mark is the goal of this role.
    pub fn marked(role: &str) -> Option<usize> {
        role.strip_prefix(MARK)?.parse().ok()
    }
}

/// What the names of marks begin with: no word of a rule file holds a space.
const MARK: &str = "body ";
