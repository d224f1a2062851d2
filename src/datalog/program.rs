//! Programs: predicates, clauses, literals and patterns.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::terms::{Functor, TermId, Terms};

/// The number of a predicate, whose rows are a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Pred(pub(super) u32);

impl Pred {
    /// The number of predicates that were named before this one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A term that may hold variables, numbered from 0 within their clause.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A variable.
    Var(usize),
    /// A term without variables.
    Ground(TermId),
    /// A term with a variable somewhere inside.
    Compound(Functor, Vec<Pattern>),
}

impl Pattern {
    /// Calls `see` with every variable, repetitions included, from left to right.
    pub fn each_variable(&self, see: &mut impl FnMut(usize)) {
        match self {
            Pattern::Var(variable) => see(*variable),
            Pattern::Ground(_) => {}
            Pattern::Compound(_, args) => args.iter().for_each(|arg| arg.each_variable(see)),
        }
    }
}

/// A predicate applied to patterns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The relation.
    pub pred: Pred,
    /// One pattern per column.
    pub args: Vec<Pattern>,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The atom is derived.
    Positive(Atom),
    /// The atom is not derived (negation as failure).
    Negative(Atom),
    /// The terms differ.
    Distinct(Pattern, Pattern),
    /// The terms are the same.
    Same(Pattern, Pattern),
}

impl Literal {
    /// Calls `see` with every variable, repetitions included.
    pub fn each_variable(&self, see: &mut impl FnMut(usize)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.args.iter().for_each(|arg| arg.each_variable(see));
            }
            Literal::Distinct(left, right) | Literal::Same(left, right) => {
                left.each_variable(see);
                right.each_variable(see);
            }
        }
    }
}

/// A rule: the head holds wherever the whole body does. It must be safe: every variable occurs in a positive literal of
/// the body.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Clause {
    /// The derived atom.
    pub head: Atom,
    /// Its conditions.
    pub body: Vec<Literal>,
    /// How many variables there are.
    pub variables: usize,
}

impl Clause {
    /// Calls `see` with every variable, repetitions included, those of the head first.
    pub fn each_variable(&self, see: &mut impl FnMut(usize)) {
        self.head.args.iter().for_each(|arg| arg.each_variable(see));
        self.body
            .iter()
            .for_each(|literal| literal.each_variable(see));
    }
}

/// Clauses over named predicates, some of which are *inputs* (extensional relations), supplied in levels.
///
/// Level 0 is static: it follows from the clauses alone. Inputs of level 1 may be replaced at any time, with everything
/// that depends on them; inputs of level 2 may be replaced without recomputing what depends on level 1 only; and so on.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The terms of the clauses.
    pub terms: Terms,
    names: IndexSet<(String, usize), FxBuildHasher>,
    input_level: Vec<usize>,
    clauses: Vec<Clause>,
}

impl Program {
    /// A copy without clauses.
    pub fn without_clauses(&self) -> Self {
        Self {
            terms: self.terms.clone(),
            names: self.names.clone(),
            input_level: self.input_level.clone(),
            clauses: Vec::new(),
        }
    }

    /// The predicate of that name and number of columns.
    pub fn pred(&mut self, name: &str, arity: usize) -> Pred {
        let (index, new) = self.names.insert_full((name.to_owned(), arity));
        if new {
            self.input_level.push(0);
        }
        Pred(u32::try_from(index).expect("fewer than 2^32 predicates"))
    }

    /// The predicate of that name and number of columns, if there is one.
    pub fn find_pred(&self, name: &str, arity: usize) -> Option<Pred> {
        let index = self.names.get_index_of(&(name.to_owned(), arity))?;
        Some(Pred(u32::try_from(index).ok()?))
    }

    /// How many predicates there are.
    pub fn pred_count(&self) -> usize {
        self.names.len()
    }

    /// All predicates, in the order in which they were named.
    pub fn preds(&self) -> impl Iterator<Item = Pred> + use<> {
        (0..u32::try_from(self.names.len()).expect("fewer than 2^32 predicates")).map(Pred)
    }

    /// The name a predicate was given.
    pub fn name(&self, pred: Pred) -> &str {
        &self.names[pred.index()].0
    }

    /// The number of columns of a predicate.
    pub fn arity(&self, pred: Pred) -> usize {
        self.names[pred.index()].1
    }

    /// A predicate's name and number of columns, as in `cell/3`: no other predicate has the same.
    pub fn label(&self, pred: Pred) -> String {
        format!("{}/{}", self.name(pred), self.arity(pred))
    }

    /// Declares `pred` an input of `level` (1 or more).
    pub fn declare_input(&mut self, pred: Pred, level: usize) {
        self.input_level[pred.index()] = level;
    }

    /// The level of an input, 0 for everything else.
    pub fn input_level(&self, pred: Pred) -> usize {
        self.input_level[pred.index()]
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: Clause) {
        debug_assert_eq!(clause.head.args.len(), self.arity(clause.head.pred));
        self.clauses.push(clause);
    }

    /// All clauses, in the order in which they were added.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
}
