//! Rule decomposition by bucket elimination (Dechter 1999), so that unrelated variables never multiply.
//!
//! A clause has one instance per combination of its variables. A variable that does not occur in the head is existential,
//! and where few literals mention it, it can be eliminated first: the literals that mention it (its bucket) move to a
//! clause of a new relation over the other variables they mention. The variable that leaves the smallest relation is
//! eliminated first (the min-width order), and the steps together are a tree decomposition of the rule (Bichler, Morak and
//! Woltran 2016): a join of many variables becomes several joins of few.

mod bucket;

use rustc_hash::FxHashMap;

use self::bucket::{Bucket, choose, variables};
use super::GroundError;
use super::budget::GroundingBudget;
use super::relaxed_reachability::map_literal;
use super::thresholds::Thresholds;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// A program whose clauses have few variables each.
#[derive(Debug)]
pub(super) struct Decomposed {
    /// The program, equivalent to the original one.
    pub(super) program: Program,
    /// Relations that only bound the variables of a bucket. The rule that uses the bucket implies them, so additional
    /// rows in one of them are harmless.
    pub(super) ranges: Vec<Pred>,
}

/// An equivalent program whose clauses have few variables each.
pub(super) fn decompose(
    program: &Program,
    thresholds: &Thresholds,
    budget: &mut GroundingBudget,
) -> Result<Decomposed, GroundError> {
    let mut decomposer = Decomposer {
        ranges_from: thresholds.ranges_from,
        program: program.without_clauses(),
        known: FxHashMap::default(),
        ranges: FxHashMap::default(),
    };
    for clause in program.clauses() {
        decomposer.add(clause.clone(), budget)?;
    }
    let mut ranges: Vec<Pred> = decomposer.ranges.into_values().collect();
    ranges.sort_unstable();
    Ok(Decomposed {
        program: decomposer.program,
        ranges,
    })
}

/// The most variables that are instantiated together once a clause is decomposed.
pub(super) fn width(
    clause: &Clause,
    thresholds: &Thresholds,
    budget: &mut GroundingBudget,
) -> Result<usize, GroundError> {
    let (mut clause, mut width) = (clause.clone(), 0);
    while let Some(bucket) = choose(&clause, thresholds.ranges_from, budget)? {
        width = width.max(variables(&bucket.literals).len());
        clause.body = bucket.rest;
        // Any relation of these variables.
        let part = over(clause.head.pred, &bucket.outer);
        clause.body.push(Literal::Positive(part));
    }
    Ok(width.max(variables(&clause.body).len()))
}

struct Decomposer {
    program: Program,
    /// Clauses with at least this many variables may get ranges.
    ranges_from: usize,
    /// The relations of buckets, by arity and body: equal buckets of different clauses share one.
    known: FxHashMap<(usize, Vec<Literal>), Pred>,
    /// The same for ranges.
    ranges: FxHashMap<(usize, Vec<Literal>), Pred>,
}

impl Decomposer {
    fn add(&mut self, mut clause: Clause, budget: &mut GroundingBudget) -> Result<(), GroundError> {
        while let Some(mut bucket) = choose(&clause, self.ranges_from, budget)? {
            for binder in std::mem::take(&mut bucket.binders) {
                let range = self.relation_of(&binder, AuxiliaryRelation::Range);
                bucket.literals.push(Literal::Positive(range));
            }
            let atom = self.relation_of(&bucket, AuxiliaryRelation::Bucket);
            clause.body = bucket.rest;
            if !clause.body.contains(&Literal::Positive(atom.clone())) {
                clause.body.push(Literal::Positive(atom));
            }
        }
        self.program.add(clause);
        Ok(())
    }

    /// The atom over a bucket's outer variables; its relation is created if it is new.
    fn relation_of(&mut self, bucket: &Bucket, kind: AuxiliaryRelation) -> Atom {
        let mut order = bucket.outer.clone();
        for literal in &bucket.literals {
            literal.each_variable(&mut |variable| {
                if !order.contains(&variable) {
                    order.push(variable);
                }
            });
        }
        let rename = |variable: usize| {
            let place = order.iter().position(|&of| of == variable);
            Pattern::Var(place.unwrap_or(order.len()))
        };
        let body: Vec<Literal> = bucket
            .literals
            .iter()
            .map(|literal| map_literal(literal, &rename))
            .collect();
        let key = (bucket.outer.len(), body);
        let (known, name) = match kind {
            AuxiliaryRelation::Bucket => (&mut self.known, "part"),
            AuxiliaryRelation::Range => (&mut self.ranges, "range"),
        };
        let pred = match known.get(&key) {
            Some(&known) => known,
            None => {
                let name = format!("{name} {}", known.len());
                let pred = self.program.pred(&name, bucket.outer.len());
                let head = Atom {
                    pred,
                    args: (0..bucket.outer.len()).map(Pattern::Var).collect(),
                };
                known.insert(key.clone(), pred);
                self.program.add(Clause {
                    head,
                    body: key.1,
                    variables: order.len(),
                });
                pred
            }
        };
        over(pred, &bucket.outer)
    }
}

/// A relation of these variables.
fn over(pred: Pred, variables: &[usize]) -> Atom {
    let args = variables.iter().map(|&variable| Pattern::Var(variable));
    Atom {
        pred,
        args: args.collect(),
    }
}

/// The purpose of a new relation.
#[derive(Clone, Copy)]
enum AuxiliaryRelation {
    /// It replaces the literals of a bucket.
    Bucket,
    /// It bounds the values of variables.
    Range,
}
