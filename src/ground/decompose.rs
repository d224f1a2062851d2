//! Splitting clauses along their variables, so that unrelated ones never multiply.
//!
//! A clause is instantiated once per combination of its variables. A variable that does not occur in the head only asks
//! whether *some* value fits, and where few literals mention it, that question can be settled by itself: the literals
//! with the variable move to a clause for a new relation over the other variables they mention. Done again and again,
//! with the variable that leaves the smallest relation first, this is bucket elimination (Dechter 1999), which turns a
//! join of many variables into several of few.

use rustc_hash::FxHashMap;

use super::relax::map_literal;
use super::tuning::Tuning;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// A program whose clauses have few variables each.
#[derive(Debug)]
pub struct Decomposed {
    /// The program. It has the same meaning as the one it comes from.
    pub program: Program,
    /// Relations that only say for which values a part is wanted at all. Whoever asks for the part knows that they hold,
    /// so that a row more in one of them does no harm.
    pub ranges: Vec<Pred>,
}

/// A program with the same meaning whose clauses have few variables each.
pub fn decompose(program: &Program) -> Decomposed {
    decompose_tuned(program, &Tuning::default())
}

/// See [`decompose`].
pub(super) fn decompose_tuned(program: &Program, tuning: &Tuning) -> Decomposed {
    let mut decomposer = Decomposer {
        ranges_from: tuning.ranges_from,
        program: program.without_clauses(),
        known: FxHashMap::default(),
        ranges: FxHashMap::default(),
    };
    for clause in program.clauses() {
        decomposer.add(clause.clone());
    }
    let mut ranges: Vec<Pred> = decomposer.ranges.into_values().collect();
    ranges.sort_unstable();
    Decomposed {
        program: decomposer.program,
        ranges,
    }
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
    fn add(&mut self, mut clause: Clause) {
        while let Some(mut part) = choose(&clause, self.ranges_from) {
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

/// What is to become a relation of its own.
struct Part {
    literals: Vec<Literal>,
    /// Relations yet to be made that bind further variables.
    binders: Vec<Part>,
    /// The variables it shares with what stays.
    outer: Vec<usize>,
    /// What stays.
    rest: Vec<Literal>,
}

impl Part {
    /// How many variables it has.
    fn inside(&self) -> usize {
        variables(&self.literals).len()
    }

    /// How many variables the clause has without it.
    fn remaining(&self, head: &[usize]) -> usize {
        let mut remaining = [&variables(&self.rest), &self.outer, head].concat();
        remaining.sort_unstable();
        remaining.dedup();
        remaining.len()
    }
}

/// The part around the variable whose elimination leaves the fewest outer variables, if any is worth it.
fn choose(clause: &Clause, ranges_from: usize) -> Option<Part> {
    let head = variables(&[Literal::Positive(clause.head.clone())]);
    let all = variables(&clause.body);
    let candidates = all.iter().filter(|variable| !head.contains(variable));
    candidates
        .filter_map(|&variable| part(clause, variable, &head, (all.len(), ranges_from)))
        .min_by_key(|part| {
            let (inside, remaining) = (part.inside(), part.remaining(&head));
            (part.outer.len(), inside.max(remaining), remaining)
        })
}

/// The part around a variable of a clause of so many, if it is worth it, with ranges in none of fewer.
fn part(
    clause: &Clause,
    variable: usize,
    head: &[usize],
    (total, ranges_from): (usize, usize),
) -> Option<Part> {
    let mentions =
        |literal: &&Literal| variables(std::slice::from_ref(*literal)).contains(&variable);
    let (literals, rest): (Vec<Literal>, Vec<Literal>) = clause
        .body
        .iter()
        .cloned()
        .partition(|literal| mentions(&literal));
    // Only if both the part and what stays have fewer variables than the clause had.
    let is_worth_it = |part: &Part| part.inside() < total && part.remaining(head) < total;
    let mut alone = of_literals(literals, rest, head);
    // What binds its variables only adds to those inside.
    if !is_worth_it(&alone) {
        return None;
    }
    let bound = bound_by_literals(&alone.literals, &clause.body)?;
    let part = of_literals(bound, alone.rest.clone(), head);
    if is_worth_it(&part) {
        return Some(part);
    }
    if total < ranges_from {
        return None;
    }
    alone.binders = bound_by_ranges(&alone.literals, &clause.body)?;
    Some(alone)
}

fn of_literals(literals: Vec<Literal>, rest: Vec<Literal>, head: &[usize]) -> Part {
    let stays = [variables(&rest), head.to_vec()].concat();
    let mut outer = variables(&literals);
    outer.retain(|variable| stays.contains(variable));
    Part {
        literals,
        binders: Vec::new(),
        outer,
        rest,
    }
}

/// `literals` and positive ones of `body` repeated until every variable has one; `None` if none can be found.
fn bound_by_literals(literals: &[Literal], body: &[Literal]) -> Option<Vec<Literal>> {
    let mut literals = literals.to_vec();
    while let Some(open) = unbound(&literals).first() {
        literals.push(binder_of(*open, body)?.clone());
    }
    Some(literals)
}

/// The ranges of the variables in `literals` that no positive one has.
fn bound_by_ranges(literals: &[Literal], body: &[Literal]) -> Option<Vec<Part>> {
    let inside = variables(literals);
    let mut open = unbound(literals);
    let mut ranges = Vec::new();
    while !open.is_empty() {
        let bound_by = |literal: &Literal| {
            let bound = positive_variables(std::slice::from_ref(literal));
            open.iter()
                .filter(|variable| bound.contains(variable))
                .count()
        };
        let best = body.iter().rev().max_by_key(|literal| bound_by(literal))?;
        if bound_by(best) == 0 {
            return None;
        }
        let binder = vec![best.clone()];
        let mut outer = variables(&binder);
        outer.retain(|variable| inside.contains(variable));
        open.retain(|variable| !outer.contains(variable));
        ranges.push(Part {
            literals: binder,
            binders: Vec::new(),
            outer,
            rest: Vec::new(),
        });
    }
    Some(ranges)
}

fn unbound(literals: &[Literal]) -> Vec<usize> {
    let bound = positive_variables(literals);
    let mut open = variables(literals);
    open.retain(|variable| !bound.contains(variable));
    open
}

fn binder_of(variable: usize, body: &[Literal]) -> Option<&Literal> {
    body.iter()
        .find(|literal| positive_variables(std::slice::from_ref(literal)).contains(&variable))
}

fn variables<'l>(literals: impl IntoIterator<Item = &'l Literal>) -> Vec<usize> {
    let mut seen = Vec::new();
    for literal in literals {
        literal.each_variable(&mut |variable| seen.push(variable));
    }
    seen.sort_unstable();
    seen.dedup();
    seen
}

fn positive_variables(literals: &[Literal]) -> Vec<usize> {
    let is_positive = |literal: &&Literal| matches!(literal, Literal::Positive(_));
    variables(literals.iter().filter(is_positive))
}
