//! Splitting clauses along their variables, so that unrelated ones never multiply.
//!
//! A clause is instantiated once per combination of its variables. A variable that does not occur in the head only asks
//! whether *some* value fits, and where few literals mention it, that question can be settled by itself: the literals
//! with the variable move to a clause for a new relation over the other variables they mention. Done again and again,
//! with the variable that leaves the smallest relation first, this is bucket elimination (Dechter 1999), which turns a
//! join of many variables into several of few.

mod part;

use rustc_hash::FxHashMap;

use self::part::{Part, choose};
use super::GroundError;
use super::budget::Budget;
use super::relax::map_literal;
use super::tuning::Tuning;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// A program whose clauses have few variables each.
#[derive(Debug)]
pub(super) struct Decomposed {
    /// The program. It has the same meaning as the one it comes from.
    pub(super) program: Program,
    /// Relations that only say for which values a part is wanted at all. Whoever asks for the part knows that they hold,
    /// so that a row more in one of them does no harm.
    pub(super) ranges: Vec<Pred>,
}

/// A program with the same meaning whose clauses have few variables each.
pub(super) fn decompose(
    program: &Program,
    tuning: &Tuning,
    budget: &mut Budget,
) -> Result<Decomposed, GroundError> {
    let mut decomposer = Decomposer {
        ranges_from: tuning.ranges_from,
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

struct Decomposer {
    program: Program,
    /// How many variables a clause has whose parts may get ranges.
    ranges_from: usize,
    /// The relations made so far, by their arity and what derives them: equal parts of different clauses share one.
    known: FxHashMap<(usize, Vec<Literal>), Pred>,
    /// The same for relations that only say for which values a part is wanted.
    ranges: FxHashMap<(usize, Vec<Literal>), Pred>,
}

impl Decomposer {
    fn add(&mut self, mut clause: Clause, budget: &mut Budget) -> Result<(), GroundError> {
        while let Some(mut part) = choose(&clause, self.ranges_from, budget)? {
            for binder in std::mem::take(&mut part.binders) {
                let range = self.relation_of(&binder, Kind::Range);
                part.literals.push(Literal::Positive(range));
            }
            let atom = self.relation_of(&part, Kind::Part);
            clause.body = part.rest;
            if !clause.body.contains(&Literal::Positive(atom.clone())) {
                clause.body.push(Literal::Positive(atom));
            }
        }
        self.program.add(clause);
        Ok(())
    }

    /// The relation of a part's outer variables, made if it is new.
    fn relation_of(&mut self, part: &Part, kind: Kind) -> Atom {
        let mut order = part.outer.clone();
        for literal in &part.literals {
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
        let body: Vec<Literal> = part
            .literals
            .iter()
            .map(|literal| map_literal(literal, &rename))
            .collect();
        let key = (part.outer.len(), body);
        let (known, name) = match kind {
            Kind::Part => (&mut self.known, "part"),
            Kind::Range => (&mut self.ranges, "range"),
        };
        let pred = match known.get(&key) {
            Some(&known) => known,
            None => {
                let name = format!("{name} {}", known.len());
                let pred = self.program.pred(&name, part.outer.len());
                let head = Atom {
                    pred,
                    args: (0..part.outer.len()).map(Pattern::Var).collect(),
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
        Atom {
            pred,
            args: part
                .outer
                .iter()
                .map(|&variable| Pattern::Var(variable))
                .collect(),
        }
    }
}

/// What a new relation is for.
#[derive(Clone, Copy)]
enum Kind {
    /// It takes the place of its literals.
    Part,
    /// It says which values come up.
    Range,
}
