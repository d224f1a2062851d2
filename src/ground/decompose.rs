//! Splitting clauses along their variables, so that unrelated ones never multiply.
//!
//! A clause is instantiated once per combination of its variables. A variable that does not occur in the head only asks
//! whether *some* value fits, and where few literals mention it, that question can be settled by itself: the literals
//! with the variable move to a clause for a new relation over the other variables they mention. Done again and again,
//! with the variable that leaves the smallest relation first, this is bucket elimination (Dechter 1999), which turns a
//! join of many variables into several of few.

use rustc_hash::FxHashMap;

use super::relax::map_literal;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// A program with the same meaning whose clauses have few variables each.
pub fn decompose(program: &Program) -> Program {
    let mut decomposer = Decomposer {
        program: program.without_clauses(),
        known: FxHashMap::default(),
    };
    for clause in program.clauses() {
        decomposer.add(clause.clone());
    }
    decomposer.program
}

struct Decomposer {
    program: Program,
    /// The relations made so far, by their arity and what derives them: equal parts of different clauses share one.
    known: FxHashMap<(usize, Vec<Literal>), Pred>,
}

impl Decomposer {
    fn add(&mut self, mut clause: Clause) {
        while let Some(part) = choose(&clause) {
            let atom = self.relation_of(&part);
            clause.body = part.rest;
            clause.body.push(Literal::Positive(atom));
        }
        self.program.add(clause);
    }

    /// The relation of a part's outer variables, made if it is new.
    fn relation_of(&mut self, part: &Part) -> Atom {
        let mut order = part.outer.clone();
        for literal in &part.literals {
            literal.each_variable(&mut |variable| {
                if !order.contains(&variable) {
                    order.push(variable);
                }
            });
        }
        let rename = |variable: usize| {
            order
                .iter()
                .position(|&of| of == variable)
                .unwrap_or(order.len())
        };
        let body: Vec<Literal> = part
            .literals
            .iter()
            .map(|literal| map_literal(literal, &rename))
            .collect();
        let key = (part.outer.len(), body);
        let pred = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let pred = self
                    .program
                    .pred(&format!("part {}", self.known.len()), part.outer.len());
                let head = Atom {
                    pred,
                    args: (0..part.outer.len()).map(Pattern::Var).collect(),
                };
                self.known.insert(key.clone(), pred);
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

/// What is to become a relation of its own.
struct Part {
    literals: Vec<Literal>,
    /// The variables it shares with what stays.
    outer: Vec<usize>,
    /// What stays.
    rest: Vec<Literal>,
}

/// The part around the variable whose elimination leaves the fewest outer variables, if any is worth it.
fn choose(clause: &Clause) -> Option<Part> {
    let head = variables(&[Literal::Positive(clause.head.clone())]);
    let all = variables(&clause.body);
    let candidates = all.iter().filter(|variable| !head.contains(variable));
    candidates
        .filter_map(|&variable| part(clause, variable, &head, all.len()))
        .min_by_key(|part| part.outer.len())
}

fn part(clause: &Clause, variable: usize, head: &[usize], total: usize) -> Option<Part> {
    let mentions =
        |literal: &&Literal| variables(std::slice::from_ref(*literal)).contains(&variable);
    let (mut literals, rest): (Vec<Literal>, Vec<Literal>) = clause
        .body
        .iter()
        .cloned()
        .partition(|literal| mentions(&literal));
    bind(&mut literals, &clause.body)?;
    let stays = [variables(&rest), head.to_vec()].concat();
    let inside = variables(&literals);
    let outer: Vec<usize> = inside
        .iter()
        .copied()
        .filter(|variable| stays.contains(variable))
        .collect();
    // Worth it only if both the part and what stays have fewer variables than the clause had.
    let remaining = {
        let mut remaining = [variables(&rest), outer.clone(), head.to_vec()].concat();
        remaining.sort_unstable();
        remaining.dedup();
        remaining.len()
    };
    let is_safe = outer
        .iter()
        .all(|variable| positive_variables(&literals).contains(variable));
    (inside.len() < total && remaining < total && is_safe).then_some(Part {
        literals,
        outer,
        rest,
    })
}

/// Repeats positive literals of `body` in `literals` until every variable there has one; `None` if none can be found.
fn bind(literals: &mut Vec<Literal>, body: &[Literal]) -> Option<()> {
    loop {
        let bound = positive_variables(literals);
        let Some(open) = variables(literals)
            .into_iter()
            .find(|variable| !bound.contains(variable))
        else {
            return Some(());
        };
        let binder = body
            .iter()
            .find(|literal| positive_variables(std::slice::from_ref(literal)).contains(&open))?;
        literals.push(binder.clone());
    }
}

fn variables(literals: &[Literal]) -> Vec<usize> {
    let mut seen = Vec::new();
    literals
        .iter()
        .for_each(|literal| literal.each_variable(&mut |variable| seen.push(variable)));
    seen.sort_unstable();
    seen.dedup();
    seen
}

fn positive_variables(literals: &[Literal]) -> Vec<usize> {
    let positive: Vec<Literal> = literals
        .iter()
        .filter(|literal| matches!(literal, Literal::Positive(_)))
        .cloned()
        .collect();
    variables(&positive)
}
