//! Splitting of the rules of wide relations: each rule derives a relation of its own.
//!
//! Whether a square is threatened if one piece is taken and another moves away is the same for most pairs of pieces as long
//! as only one ray is considered; the union of all rays distinguishes most pairs. With one relation per rule, most rows
//! of each have a common representative (see [`irrelevant`](super::irrelevant)).

use rustc_hash::{FxHashMap, FxHashSet};

use super::inline::{recursive, renumbered};
use super::thresholds::Thresholds;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// An equivalent program in which each rule of a wide relation derives a relation of its own, unless all variables of the
/// rule are in its head. Rules with equal heads and equal largest literals share one.
pub(super) fn split_rules(program: &Program, roots: &[Pred], thresholds: &Thresholds) -> Program {
    let mut splitter = Splitter {
        wide: thresholds.wide,
        rules: FxHashMap::default(),
        is_recursive: recursive(program),
        result: program.without_clauses(),
        known: FxHashMap::default(),
    };
    for clause in program.clauses() {
        *splitter.rules.entry(clause.head.pred).or_default() += 1;
    }
    for clause in program.clauses() {
        if !roots.contains(&clause.head.pred) && splitter.is_worth_it(program, clause) {
            splitter.split(clause);
        } else {
            splitter.result.add(clause.clone());
        }
    }
    splitter.result
}

struct Splitter {
    wide: usize,
    /// How many rules derive each relation.
    rules: FxHashMap<Pred, usize>,
    is_recursive: FxHashSet<Pred>,
    result: Program,
    /// The new relations, by head and largest literal.
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

    fn split(&mut self, clause: &Clause) {
        let clause = renumbered(clause);
        let args: Vec<Pattern> = columns(&clause).into_iter().map(Pattern::Var).collect();
        let largest = clause.body.iter().max_by_key(|literal| size(literal));
        let number = self.known.len();
        let own = *self
            .known
            .entry((clause.head.clone(), largest.cloned()))
            .or_insert_with(|| self.result.pred(&format!("rule {number}"), args.len()));
        let head = Atom { pred: own, args };
        if self.known.len() > number {
            self.result.add(renumbered(&Clause {
                head: clause.head.clone(),
                body: vec![Literal::Positive(head.clone())],
                variables: clause.variables,
            }));
        }
        self.result.add(Clause { head, ..clause });
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
