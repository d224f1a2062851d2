//! Wide relations that are derived in several ways get one relation for each.
//!
//! Whether a square is threatened, if one piece is taken and another moves away, is the same for most pairs of pieces when
//! only one ray is looked at, though all rays together tell most pairs apart.

use rustc_hash::{FxHashMap, FxHashSet};

use super::tuning::Tuning;
use super::unfold::{numbered, recursive};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// A program with the same meaning in which the rules of a wide relation derive relations of their own, if more than
/// their head is to be chosen in them; those that share their largest literal derive the same.
pub(super) fn split_cases(program: &Program, roots: &[Pred], tuning: &Tuning) -> Program {
    let mut splitter = Splitter {
        wide: tuning.wide,
        rules: FxHashMap::default(),
        is_recursive: recursive(program),
        split: program.without_clauses(),
        known: FxHashMap::default(),
    };
    for clause in program.clauses() {
        *splitter.rules.entry(clause.head.pred).or_default() += 1;
    }
    for clause in program.clauses() {
        if !roots.contains(&clause.head.pred) && splitter.is_worth_it(program, clause) {
            splitter.add_case(clause);
        } else {
            splitter.split.add(clause.clone());
        }
    }
    splitter.split
}

struct Splitter {
    wide: usize,
    /// How many rules derive each relation.
    rules: FxHashMap<Pred, usize>,
    is_recursive: FxHashSet<Pred>,
    split: Program,
    /// The cases so far, by their heads and largest literals.
    known: FxHashMap<(Atom, Option<Literal>), Pred>,
}

impl Splitter {
    fn is_worth_it(&self, program: &Program, clause: &Clause) -> bool {
        let pred = clause.head.pred;
        let is_variable = |arg: &Pattern| matches!(arg, Pattern::Var(_));
        program.arity(pred) >= self.wide
            && !self.is_recursive.contains(&pred)
            && clause.head.args.iter().all(is_variable)
            && columns(clause).len() < clause.variables
            && self.rules[&pred] > 1
    }

    fn add_case(&mut self, clause: &Clause) {
        let clause = numbered(clause);
        let args: Vec<Pattern> = columns(&clause).into_iter().map(Pattern::Var).collect();
        let largest = clause.body.iter().max_by_key(|literal| size(literal));
        let number = self.known.len();
        let case = *self
            .known
            .entry((clause.head.clone(), largest.cloned()))
            .or_insert_with(|| self.split.pred(&format!("case {number}"), args.len()));
        let head = Atom { pred: case, args };
        if self.known.len() > number {
            self.split.add(numbered(&Clause {
                head: clause.head.clone(),
                body: vec![Literal::Positive(head.clone())],
                variables: clause.variables,
            }));
        }
        self.split.add(Clause { head, ..clause });
    }
}

/// The variables of a rule's head.
fn columns(clause: &Clause) -> Vec<usize> {
    let mut all = Vec::new();
    let mut see = |variable| all.push(variable);
    clause
        .head
        .args
        .iter()
        .for_each(|arg| arg.each_variable(&mut see));
    all.sort_unstable();
    all.dedup();
    all
}

/// How many columns a literal has.
fn size(literal: &Literal) -> usize {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => atom.args.len(),
        Literal::Distinct(..) | Literal::Same(..) => 0,
    }
}
