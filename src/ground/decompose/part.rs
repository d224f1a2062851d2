//! Which part of a clause to split off.

use crate::datalog::{Clause, Literal};
use crate::ground::GroundError;
use crate::ground::budget::Budget;

/// What is to become a relation of its own.
pub(super) struct Part {
    pub(super) literals: Vec<Literal>,
    /// Relations yet to be made that bind further variables.
    pub(super) binders: Vec<Part>,
    /// The variables it shares with what stays.
    pub(super) outer: Vec<usize>,
    /// What stays.
    pub(super) rest: Vec<Literal>,
}

impl Part {
    /// How much it leaves to be done: the less, the better.
    fn cost(&self, head: &[usize]) -> Cost {
        let inside = variables(&self.literals).len();
        let mut remaining = [&variables(&self.rest), &self.outer, head].concat();
        remaining.sort_unstable();
        remaining.dedup();
        Cost::new(self.outer.len(), inside, remaining.len())
    }
}

/// What splitting off a part leaves to be done, in the order in which it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    outer: usize,
    /// Of the part and of what stays, whichever has more variables.
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

    /// Only if both the part and what stays have fewer variables than the clause had.
    fn is_worth_it(self, total: usize) -> bool {
        self.larger < total
    }
}

/// The part around the variable whose elimination leaves the fewest outer variables, if any is worth it; the first of
/// several that are equally good.
pub(super) fn choose(
    clause: &Clause,
    ranges_from: usize,
    budget: &mut Budget,
) -> Result<Option<Part>, GroundError> {
    let mentions = Mentions::new(clause);
    let total = mentions.of_body;
    let inner = (0..clause.variables).filter(|&variable| mentions.is_inner(variable));
    let costs = inner.map(|variable| (mentions.cost(variable), variable));
    let mut candidates: Vec<(Cost, usize)> =
        costs.filter(|(cost, _)| cost.is_worth_it(total)).collect();
    candidates.sort_unstable();
    let mut best: Option<((Cost, usize), Part)> = None;
    for candidate in candidates {
        // What binds a part's variables only adds to its cost.
        if best.as_ref().is_some_and(|(best, _)| *best < candidate) {
            break;
        }
        budget.count(clause.body.len(), 0)?;
        let (_, variable) = candidate;
        let Some(part) = part(clause, &mentions, variable, ranges_from) else {
            continue;
        };
        let key = (part.cost(&mentions.head), variable);
        if best.as_ref().is_none_or(|(best, _)| key < *best) {
            best = Some((key, part));
        }
    }
    Ok(best.map(|(_, part)| part))
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

    /// The cost of the part that is made of the literals that mention a variable, and nothing else.
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

/// The part around a variable that is worth it, with ranges in no clause of fewer variables than `ranges_from`.
fn part(clause: &Clause, mentions: &Mentions, variable: usize, ranges_from: usize) -> Option<Part> {
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
    let part = of_literals(bound, alone.rest.clone(), head);
    if part.cost(head).is_worth_it(total) {
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::datalog::{Atom, Limits, Pattern, Program};

    /// A clause of so many variables, each of which some positive literal has, and more literals at random.
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
    fn no_other_variable_leaves_less_to_be_done() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut program, mut split) = (Program::default(), 0);
        let mut budget = Budget::new(Limits::default(), Instant::now());
        for _ in 0..2000 {
            let clause = random_clause(&mut random, &mut program);
            let mentions = Mentions::new(&clause);
            let worth_it = |variable: &usize| {
                let is_inner = mentions.is_inner(*variable);
                is_inner && mentions.cost(*variable).is_worth_it(mentions.of_body)
            };
            let parts = (0..clause.variables)
                .filter(worth_it)
                .filter_map(|variable| {
                    let part = part(&clause, &mentions, variable, 6)?;
                    Some((part.cost(&mentions.head), part.literals, part.rest))
                });
            let best = parts.min_by_key(|(cost, ..)| *cost);
            let chosen = choose(&clause, 6, &mut budget).unwrap();
            let chosen = chosen.map(|part| (part.cost(&mentions.head), part.literals, part.rest));
            split += usize::from(chosen.is_some());
            assert_eq!(chosen, best, "{clause:?}");
        }
        assert!(split > 500, "{split}");
    }

    #[test]
    fn what_is_told_of_a_part_beforehand_is_so() {
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
