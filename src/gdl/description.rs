//! The syntax tree of a rule file, with the place of every word: the stage between s-expressions and checked rules.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::gdl::rules::Term;
use crate::kif::Span;

/// A rule file as written: nothing is checked yet beyond the shape of its sentences.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// Rules and facts, in the author's order.
    pub statements: Vec<Statement>,
    /// Names that occur in sentences that could not be read, so that they are not reported as undefined or missing.
    pub(super) mentioned: FxHashSet<Arc<str>>,
    /// Whether every sentence of the text is in `statements`.
    pub(super) complete: bool,
}

/// A rule or a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The sentence that holds if the conditions do.
    pub head: Expr,
    /// The conditions, in the author's order.
    pub body: Vec<Condition>,
    /// Whether it is written with `<=`, even if no condition follows.
    pub arrow: bool,
    /// Where it stands.
    pub span: Span,
}

/// A condition of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What must hold.
    pub kind: ConditionKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms a condition takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionKind {
    /// A sentence holds.
    Holds(Expr),
    /// A condition does not hold.
    Not(Box<Condition>),
    /// At least one of the conditions holds.
    Or(Vec<Condition>),
    /// Two terms differ.
    Distinct(Expr, Expr),
}

/// A term or a sentence, with its place.
///
/// Keywords are lower-cased, everything else keeps its spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
    /// Where its name stands: behind the parenthesis of a compound.
    pub name_span: Span,
}

/// The shapes of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprKind {
    /// `?x`, named without the question mark.
    Variable(Arc<str>),
    /// A word.
    Constant(Arc<str>),
    /// `(f t1 … tn)`, n may be 0.
    Compound(Arc<str>, Vec<Expr>),
}

/// The signature of a relation or function: its name and its number of arguments, `None` for a bare word.
///
/// `p`, `(p)` and `(p a)` have three different signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Signature<'d> {
    pub(super) name: &'d str,
    pub(super) arity: Option<usize>,
}

impl Description {
    /// The players, each once, in the order in which they are first named.
    pub fn roles(&self) -> impl Iterator<Item = &Expr> {
        let mut seen = FxHashSet::default();
        self.statements
            .iter()
            .filter(|statement| statement.is_role())
            .flat_map(|statement| statement.head.args())
            .filter(move |role| seen.insert(role.to_term()))
    }
}

impl Expr {
    /// The term without its place.
    pub fn to_term(&self) -> Term {
        match &self.kind {
            ExprKind::Variable(name) => Term::Variable(Arc::clone(name)),
            ExprKind::Constant(name) => Term::Constant(Arc::clone(name)),
            ExprKind::Compound(name, args) => {
                Term::Compound(Arc::clone(name), args.iter().map(Self::to_term).collect())
            }
        }
    }

    /// Whether it is a variable.
    pub(super) fn is_variable(&self) -> bool {
        matches!(self.kind, ExprKind::Variable(_))
    }

    /// Whether it is the variable `?name`.
    pub(super) fn is_variable_named(&self, name: &str) -> bool {
        matches!(&self.kind, ExprKind::Variable(variable) if **variable == *name)
    }

    /// Whether it contains a variable.
    pub(super) fn is_open(&self) -> bool {
        let mut open = false;
        self.each_variable(&mut |_, _, _| open = true);
        open
    }

    /// Name and arity; variables have none.
    pub(super) fn signature(&self) -> Option<Signature<'_>> {
        let (name, arity) = match &self.kind {
            ExprKind::Variable(_) => return None,
            ExprKind::Constant(name) => (name, None),
            ExprKind::Compound(name, args) => (name, Some(args.len())),
        };
        Some(Signature { name, arity })
    }

    /// The name of a constant or compound.
    pub(super) fn name(&self) -> Option<&str> {
        self.signature().map(|signature| signature.name)
    }

    /// The arguments of a compound; none otherwise.
    pub(super) fn args(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Compound(_, args) => args,
            ExprKind::Variable(_) | ExprKind::Constant(_) => &[],
        }
    }

    /// Calls `see` for every variable in the term, with its name, its place and how many functions it is nested in.
    pub(super) fn each_variable<'d>(&'d self, see: &mut impl FnMut(&'d str, Span, usize)) {
        self.each_variable_below(0, see);
    }

    fn each_variable_below<'d>(&'d self, depth: usize, see: &mut impl FnMut(&'d str, Span, usize)) {
        match &self.kind {
            ExprKind::Variable(name) => see(name, self.span, depth),
            ExprKind::Constant(_) => {}
            ExprKind::Compound(_, args) => {
                for arg in args {
                    arg.each_variable_below(depth + 1, see);
                }
            }
        }
    }
}

impl Condition {
    /// Calls `see` for every sentence in the condition; the flag tells whether it must hold (not under an odd number of `not`s).
    pub(super) fn each_sentence<'d>(&'d self, see: &mut impl FnMut(bool, &'d Expr)) {
        self.each_sentence_under(true, see);
    }

    fn each_sentence_under<'d>(&'d self, positive: bool, see: &mut impl FnMut(bool, &'d Expr)) {
        match &self.kind {
            ConditionKind::Holds(sentence) => see(positive, sentence),
            ConditionKind::Not(inner) => inner.each_sentence_under(!positive, see),
            ConditionKind::Or(branches) => {
                for branch in branches {
                    branch.each_sentence_under(positive, see);
                }
            }
            ConditionKind::Distinct(..) => {}
        }
    }

    /// Calls `see` for every sentence and every side of a `distinct` in the condition.
    pub(super) fn each_expr<'d>(&'d self, see: &mut impl FnMut(&'d Expr)) {
        match &self.kind {
            ConditionKind::Holds(sentence) => see(sentence),
            ConditionKind::Not(inner) => inner.each_expr(see),
            ConditionKind::Or(branches) => branches.iter().for_each(|branch| branch.each_expr(see)),
            ConditionKind::Distinct(left, right) => {
                see(left);
                see(right);
            }
        }
    }
}

impl Statement {
    /// Whether it names a player: a fact `(role …)`.
    pub(super) fn is_role(&self) -> bool {
        self.head.name() == Some("role") && !self.arrow
    }

    /// Calls `see` for every sentence in the body; the flag tells whether it must hold.
    pub(super) fn each_sentence<'d>(&'d self, mut see: impl FnMut(bool, &'d Expr)) {
        for condition in &self.body {
            condition.each_sentence(&mut see);
        }
    }

    /// Calls `see` for the head, every sentence of the body and every side of a `distinct`.
    pub(super) fn each_expr<'d>(&'d self, mut see: impl FnMut(&'d Expr)) {
        see(&self.head);
        for condition in &self.body {
            condition.each_expr(&mut see);
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Variable(name) => write!(f, "?{name}"),
            ExprKind::Constant(name) => write!(f, "{name}"),
            ExprKind::Compound(name, args) => {
                write!(f, "({name}")?;
                args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
                write!(f, ")")
            }
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ConditionKind::Holds(sentence) => write!(f, "{sentence}"),
            ConditionKind::Not(inner) => write!(f, "(not {inner})"),
            ConditionKind::Or(branches) => {
                write!(f, "(or")?;
                branches
                    .iter()
                    .try_for_each(|branch| write!(f, " {branch}"))?;
                write!(f, ")")
            }
            ConditionKind::Distinct(left, right) => write!(f, "(distinct {left} {right})"),
        }
    }
}

impl Display for Signature<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.arity {
            None => write!(f, "{}", self.name),
            Some(arity) => write!(f, "({}{})", self.name, " _".repeat(arity)),
        }
    }
}
