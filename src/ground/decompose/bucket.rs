//! The choice of the variable to eliminate next, and of its bucket.

use crate::datalog::{Clause, Literal};
use crate::ground::GroundError;
use crate::ground::budget::GroundingBudget;

/// The literals that become a relation of their own.
pub(super) struct Bucket {
    pub(super) literals: Vec<Literal>,
    /// Ranges, yet to be created, that bind further variables.
    pub(super) binders: Vec<Bucket>,
    /// The variables it shares with the rest of the clause and the head.
    pub(super) outer: Vec<usize>,
    /// The literals that remain in the clause.
    pub(super) rest: Vec<Literal>,
}

impl Bucket {
    /// The cost of eliminating it: the less, the better.
    fn cost(&self, head: &[usize]) -> Cost {
        let inside = variables(&self.literals).len();
        let mut remaining = [&variables(&self.rest), &self.outer, head].concat();
        remaining.sort_unstable();
        remaining.dedup();
        Cost::new(self.outer.len(), inside, remaining.len())
    }
}

/// The cost of an elimination, compared lexicographically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    outer: usize,
    /// The number of variables of the bucket or of the remaining clause, whichever is larger.
    larger: usize,
    remaining: usize,
}

impl Cost {
    fn new(outer: usize, inside: usize, remaining: usize) -> Self {
        Self {
            outer,
            larger: inside.max(remaining),
            remaining,
        }
    }

    /// Whether both the bucket and the remaining clause have fewer variables than the clause had.
    fn is_worth_it(self, total: usize) -> bool {
        self.larger < total
    }
}

/// The bucket of the variable whose elimination is cheapest, if any is worth it; the first of several that are equally
/// cheap.
pub(super) fn choose(
    clause: &Clause,
    ranges_from: usize,
    budget: &mut GroundingBudget,
) -> Result<Option<Bucket>, GroundError> {
    let mentions = Mentions::new(clause);
    let total = mentions.of_body;
    let inner = (0..clause.variables).filter(|&variable| mentions.is_inner(variable));
    let costs = inner.map(|variable| (mentions.cost(variable), variable));
    let mut candidates: Vec<(Cost, usize)> =
        costs.filter(|(cost, _)| cost.is_worth_it(total)).collect();
    candidates.sort_unstable();
    let mut best: Option<((Cost, usize), Bucket)> = None;
    for candidate in candidates {
        // Literals that bind the variables of a bucket only add to its cost.
        if best.as_ref().is_some_and(|(best, _)| *best < candidate) {
            break;
        }
        budget.count(clause.body.len(), 0)?;
        let (_, variable) = candidate;
        let Some(bucket) = bucket(clause, &mentions, variable, ranges_from) else {
            continue;
        };
        let key = (bucket.cost(&mentions.head), variable);
        if best.as_ref().is_none_or(|(best, _)| key < *best) {
            best = Some((key, bucket));
        }
    }
    Ok(best.map(|(_, bucket)| bucket))
}

/// Which literals of a clause's body mention which variables.
struct Mentions {
    /// The variables of the head, in increasing order.
    head: Vec<usize>,
    /// How many variables there are in the body, and in all.
    of_body: usize,
    in_all: usize,
    /// Per literal its variables, each once; and per variable its literals.
    variables: Vec<Vec<usize>>,
    literals: Vec<Vec<usize>>,
}

impl Mentions {
    fn new(clause: &Clause) -> Self {
        let head = variables(&[Literal::Positive(clause.head.clone())]);
        let body = clause.body.iter();
        let of_literals: Vec<Vec<usize>> = body.map(|one| variables([one])).collect();
        let mut literals = vec![Vec::new(); clause.variables];
        for (number, of_literal) in of_literals.iter().enumerate() {
            for &variable in of_literal {
                literals[variable].push(number);
            }
        }
        let is_used = |of: &&Vec<usize>| !of.is_empty();
        let of_body = literals.iter().filter(is_used).count();
        let of_head_alone = head
            .iter()
            .filter(|&&variable| literals[variable].is_empty());
        Self {
            in_all: of_body + of_head_alone.count(),
            of_body,
            head,
            variables: of_literals,
            literals,
        }
    }

    /// Whether a variable occurs in the body alone.
    fn is_inner(&self, variable: usize) -> bool {
        !self.literals[variable].is_empty() && self.head.binary_search(&variable).is_err()
    }

    /// The cost of the bucket that consists of the literals that mention a variable, and of nothing else.
    fn cost(&self, variable: usize) -> Cost {
        let literals = &self.literals[variable];
        let mut all: Vec<usize> = literals
            .iter()
            .flat_map(|&literal| &self.variables[literal])
            .copied()
            .collect();
        all.sort_unstable();
        let (mut inside, mut outer) = (0, 0);
        for same in all.chunk_by(|one, other| one == other) {
            let is_outer = same.len() < self.literals[same[0]].len() || !self.is_inner(same[0]);
            inside += 1;
            outer += usize::from(is_outer);
        }
        Cost::new(outer, inside, self.in_all - (inside - outer))
    }
}

/// The bucket of a variable, if it is worth it. No clause of fewer variables than `ranges_from` gets ranges.
fn bucket(
    clause: &Clause,
    mentions: &Mentions,
    variable: usize,
    ranges_from: usize,
) -> Option<Bucket> {
    let (head, total) = (&mentions.head[..], mentions.of_body);
    let (mut literals, mut rest) = (Vec::new(), Vec::new());
    for (literal, variables) in clause.body.iter().zip(&mentions.variables) {
        match variables.contains(&variable) {
            true => literals.push(literal.clone()),
            false => rest.push(literal.clone()),
        }
    }
    let mut alone = of_literals(literals, rest, head);
    let bound = bound_by_literals(&alone.literals, &clause.body)?;
    let bucket = of_literals(bound, alone.rest.clone(), head);
    if bucket.cost(head).is_worth_it(total) {
        return Some(bucket);
    }
    if total < ranges_from {
        return None;
    }
    alone.binders = bound_by_ranges(&alone.literals, &clause.body)?;
    Some(alone)
}

fn of_literals(literals: Vec<Literal>, rest: Vec<Literal>, head: &[usize]) -> Bucket {
    let stays = [variables(&rest), head.to_vec()].concat();
    let mut outer = variables(&literals);
    outer.retain(|variable| stays.contains(variable));
    Bucket {
        literals,
        binders: Vec::new(),
        outer,
        rest,
    }
}

/// `literals`, and positive literals of `body` until every variable occurs in one; `None` if there are none.
fn bound_by_literals(literals: &[Literal], body: &[Literal]) -> Option<Vec<Literal>> {
    let mut literals = literals.to_vec();
    while let Some(open) = unbound(&literals).first() {
        literals.push(binder_of(*open, body)?.clone());
    }
    Some(literals)
}

/// The ranges of the variables in `literals` that no positive literal binds.
fn bound_by_ranges(literals: &[Literal], body: &[Literal]) -> Option<Vec<Bucket>> {
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
        ranges.push(Bucket {
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

pub(super) fn variables<'l>(literals: impl IntoIterator<Item = &'l Literal>) -> Vec<usize> {
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::datalog::{Atom, EvaluationLimits, Pattern, Program};

    /// A random clause; each variable occurs in some positive literal.
    fn random_clause(random: &mut Xoshiro256PlusPlus, program: &mut Program) -> Clause {
        let count = random.random_range(2..9);
        let pred = program.pred("p", 2);
        let atom = |one: usize, other: usize| Atom {
            pred,
            args: [one, other].map(Pattern::Var).to_vec(),
        };
        let mut body: Vec<Literal> = (0..count)
            .map(|variable| Literal::Positive(atom(variable, random.random_range(0..count))))
            .collect();
        for _ in 0..random.random_range(0..6) {
            let (one, other) = (random.random_range(0..count), random.random_range(0..count));
            body.push(Literal::Negative(atom(one, other)));
        }
        Clause {
            head: atom(0, random.random_range(0..count)),
            body,
            variables: count,
        }
    }

    #[test]
    fn no_other_variable_is_cheaper_to_eliminate() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut program, mut split) = (Program::default(), 0);
        let mut budget = GroundingBudget::new(EvaluationLimits::default(), Instant::now());
        for _ in 0..2000 {
            let clause = random_clause(&mut random, &mut program);
            let mentions = Mentions::new(&clause);
            let worth_it = |variable: &usize| {
                let is_inner = mentions.is_inner(*variable);
                is_inner && mentions.cost(*variable).is_worth_it(mentions.of_body)
            };
            let buckets = (0..clause.variables)
                .filter(worth_it)
                .filter_map(|variable| {
                    let bucket = bucket(&clause, &mentions, variable, 6)?;
                    Some((bucket.cost(&mentions.head), bucket.literals, bucket.rest))
                });
            let best = buckets.min_by_key(|(cost, ..)| *cost);
            let chosen = choose(&clause, 6, &mut budget).unwrap();
            let chosen =
                chosen.map(|bucket| (bucket.cost(&mentions.head), bucket.literals, bucket.rest));
            split += usize::from(chosen.is_some());
            assert_eq!(chosen, best, "{clause:?}");
        }
        assert!(split > 500, "{split}");
    }

    #[test]
    fn the_estimated_cost_of_a_bucket_is_its_cost() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        let mut program = Program::default();
        for _ in 0..500 {
            let clause = random_clause(&mut random, &mut program);
            let mentions = Mentions::new(&clause);
            for variable in (0..clause.variables).filter(|&of| mentions.is_inner(of)) {
                let mentioned = |literal: &&Literal| variables([*literal]).contains(&variable);
                let (literals, rest) = clause.body.iter().cloned().partition(|of| mentioned(&of));
                let alone = of_literals(literals, rest, &mentions.head);
                assert_eq!(mentions.cost(variable), alone.cost(&mentions.head));
            }
        }
    }
}
