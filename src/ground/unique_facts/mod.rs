//! Lookups of unique facts: of some facts, at most one holds in every state, such as where a king is.
//!
//! A rule that finds the king and asks about its square,
//!
//! ```text
//! (<= (legal ?role (move ?from ?to)) … (true (cell ?square king)) (not (attacked ?square ?from)))
//! ```
//!
//! has an instance for every move and every square. But the square is the same for all moves. What the rule asks is looked up
//! once, `(<= (lookup ?from) (true (cell ?square king)) (attacked ?square ?from))`, and the rule has the condition `(not (lookup
//! ?from))` instead, beside one that the fact is there at all. The rules of `attacked` are rewritten in the same way, condition by
//! condition.
//!
//! The rewritten rules are equivalent in states with at most one of the facts. That is *assumed* of facts of which exactly one
//! holds at the start. The assumption has to be proved on the rewritten rules, by induction over the plies: until a state
//! breaks it, both sets of rules lead to the same states.
//!
//! Sources: functional dependencies (Armstrong, *Dependency structures of data base relationships*, 1974); unfolding of rules (Tamaki
//! and Sato, *Unfold/fold transformation of logic programs*, 1984).

mod inequalities;
mod literals;

use rustc_hash::{FxHashMap, FxHashSet};

use self::inequalities::unfolded;
use self::literals::{RuleTable, UniqueLiteral};
use super::GroundError;
use super::budget::GroundingBudget;
use super::inline::{inline_rule, pred_of, recursive, renumbered};
use super::irrelevant::inequality_relations;
use super::relaxed_reachability::map_literal;
use super::thresholds::Thresholds;
use crate::datalog::{Atom, Clause, Functor, Literal, Pattern, Pred, Program, TermId};
use crate::gdl::GdlRelations;

/// The rules of a relation of more are not rewritten for a lookup.
const MOST_RULES: usize = 8;
/// Nor are rules in deeper chains of relations.
const MOST_NESTED: usize = 64;
/// The program may have so many times as many rules as before.
const MOST_GROWTH: usize = 3;

/// The facts of a functor that have some arguments in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UniqueFacts {
    functor: Functor,
    /// The arguments in common: their columns and values.
    key: Vec<(usize, TermId)>,
}

impl UniqueFacts {
    /// Whether a fact is one of them.
    pub(super) fn contain(&self, functor: Functor, args: &[TermId]) -> bool {
        let is_same = |(column, value): &(usize, TermId)| args[*column] == *value;
        functor == self.functor && self.key.iter().all(is_same)
    }
}

/// A program in which rules look up unique facts, and the facts that are assumed to be unique; `None` where that would not help.
///
/// # Errors
/// [`GroundError`] if the time limit is exceeded.
pub(super) fn look_up_unique_facts(
    program: &Program,
    relations: &GdlRelations,
    changing: &[bool],
    roots: &[Pred],
    thresholds: &Thresholds,
    budget: &mut GroundingBudget,
) -> Result<Option<(Program, Vec<UniqueFacts>)>, GroundError> {
    let table = RuleTable::new(program, relations, changing);
    let mut lookups = Lookups {
        recursive: recursive(program),
        result: program.without_clauses(),
        known: FxHashMap::default(),
        nested: 0,
        assumed: Vec::new(),
        lookups_from: thresholds.lookups_from,
        most_rules: MOST_GROWTH * program.clauses().len(),
        table: &table,
    };
    for clause in program.clauses() {
        budget.count(clause.body.len(), 0)?;
        lookups.add(clause.clone());
    }
    let is_small = lookups.may_grow();
    let Lookups {
        result, assumed, ..
    } = lookups;
    if assumed.is_empty() || !is_small {
        return Ok(None);
    }
    let inequalities = inequality_relations(program, changing);
    let mut narrow = result.without_clauses();
    for clause in result.clauses() {
        let is_lookup = clause.head.pred.index() >= program.pred_count();
        let clauses = match is_lookup {
            true => unfolded(clause, program, &inequalities, thresholds, budget)?,
            false => vec![clause.clone()],
        };
        clauses.into_iter().for_each(|clause| narrow.add(clause));
    }
    Ok(Some((without_unused(&narrow, roots), assumed)))
}

/// The clauses of the relations that `roots` depend on: lookups may have taken the place of others.
fn without_unused(program: &Program, roots: &[Pred]) -> Program {
    let mut is_used = vec![false; program.pred_count()];
    let mut open = roots.to_vec();
    let mut bodies: Vec<Vec<Pred>> = vec![Vec::new(); program.pred_count()];
    for clause in program.clauses() {
        bodies[clause.head.pred.index()].extend(clause.body.iter().filter_map(pred_of));
    }
    while let Some(pred) = open.pop() {
        if !std::mem::replace(&mut is_used[pred.index()], true) {
            open.extend(std::mem::take(&mut bodies[pred.index()]));
        }
    }
    let mut used = program.without_clauses();
    let clauses = program.clauses().iter();
    for clause in clauses.filter(|clause| is_used[clause.head.pred.index()]) {
        used.add(clause.clone());
    }
    used
}

struct Lookups<'p> {
    table: &'p RuleTable<'p>,
    recursive: FxHashSet<Pred>,
    result: Program,
    /// The relations of lookups, by the number of columns and their bodies: the literal of the unique facts and the one that is
    /// asked of them.
    known: FxHashMap<(usize, Vec<Literal>), Pred>,
    /// How many lookups are being defined, each for the one before it.
    nested: usize,
    /// Clauses with at least this many variables are rewritten.
    lookups_from: usize,
    /// No rules are added to more.
    most_rules: usize,
    assumed: Vec<UniqueFacts>,
}

impl<'p> Lookups<'p> {
    /// Whether more rules may be added.
    fn may_grow(&self) -> bool {
        self.result.clauses().len() <= self.most_rules
    }

    /// Adds a rule, or what it becomes, while rules may be added.
    fn add(&mut self, clause: Clause) {
        let mut open = vec![clause];
        while let Some(clause) = open.pop().filter(|_| self.may_grow()) {
            let is_large = clause.variables >= self.lookups_from;
            let Some(cases) = is_large.then(|| self.table.cases(&clause)).flatten() else {
                self.result.add(clause);
                continue;
            };
            for (literal, facts, variables) in cases {
                if !self.assumed.contains(&facts) {
                    self.assumed.push(facts);
                }
                // There may be unique facts of other kinds.
                open.push(self.looked_up(&literal, &variables));
            }
        }
    }

    /// A rule in which what is asked of unique facts, by these variables of their literal, is looked up.
    fn looked_up(&mut self, literal: &UniqueLiteral, variables: &[usize]) -> Clause {
        let UniqueLiteral { clause, place } = literal;
        let unique = &clause.body[*place];
        let (mut body, mut is_found) = (Vec::new(), false);
        for (number, literal) in clause.body.iter().enumerate() {
            match literal {
                _ if number == *place => {}
                Literal::Positive(atom) if mentions(literal, variables) => {
                    is_found = true;
                    body.push(Literal::Positive(self.lookup(
                        unique,
                        Some(atom),
                        variables,
                    )));
                }
                Literal::Negative(atom) if mentions(literal, variables) => {
                    body.push(Literal::Negative(self.lookup(
                        unique,
                        Some(atom),
                        variables,
                    )));
                }
                _ => body.push(literal.clone()),
            }
        }
        if !is_found {
            body.push(Literal::Positive(self.lookup(unique, None, variables)));
        }
        renumbered(&Clause {
            body,
            ..clause.clone()
        })
    }

    /// The lookup of what is asked of unique facts, or of whether there is one. Its relation is defined if it is new.
    fn lookup(&mut self, unique: &Literal, asked: Option<&Atom>, variables: &[usize]) -> Atom {
        let asked = asked.cloned().map(Literal::Positive);
        let body: Vec<Literal> = std::iter::once(unique.clone()).chain(asked).collect();
        let mut order: Vec<usize> = Vec::new();
        let mut see = |variable| {
            if !order.contains(&variable) {
                order.push(variable);
            }
        };
        body.iter()
            .for_each(|literal| literal.each_variable(&mut see));
        // The variables of the head come first.
        order.sort_by_key(|variable| variables.contains(variable));
        let rename = |variable: usize| {
            let place = order.iter().position(|&of| of == variable);
            Pattern::Var(place.unwrap_or(order.len()))
        };
        let body = body.iter().map(|of| map_literal(of, &rename)).collect();
        let columns = order.len() - variables.len();
        let pred = self.relation_of(body, columns, order.len());
        let args = order[..columns].iter().copied().map(Pattern::Var);
        Atom {
            pred,
            args: args.collect(),
        }
    }

    /// The relation of the first `columns` of a body's variables.
    fn relation_of(&mut self, body: Vec<Literal>, columns: usize, variables: usize) -> Pred {
        let key = (columns, body);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let pred = self
            .result
            .pred(&format!("lookup {}", self.known.len()), columns);
        self.known.insert(key.clone(), pred);
        let args = (0..columns).map(Pattern::Var).collect();
        self.nested += 1;
        self.define(&Clause {
            head: Atom { pred, args },
            body: key.1,
            variables,
        });
        self.nested -= 1;
        pred
    }

    /// Adds the rule of a lookup, whose body is the literal of the unique facts and the one asked of them; or the rules that
    /// derive what is asked, with lookups in their place.
    fn define(&mut self, lookup: &Clause) {
        let Some(rules) = self.rules_to_rewrite(lookup) else {
            return self.result.add(lookup.clone());
        };
        let literal = |clause| UniqueLiteral { clause, place: 0 };
        let columns = literal(lookup.clone()).columns_within();
        for rule in rules {
            let Some(clause) = inline_rule(lookup, 1, rule) else {
                continue;
            };
            let literal = literal(clause);
            let clause = match literal.variables_in(&columns) {
                Some(variables) => self.looked_up(&literal, &variables),
                None => literal.clause,
            };
            self.result.add(clause);
        }
    }

    /// The rules of what a lookup asks, if they are to be rewritten.
    fn rules_to_rewrite(&self, lookup: &Clause) -> Option<&'p [&'p Clause]> {
        let Some(Literal::Positive(asked)) = lookup.body.get(1) else {
            return None;
        };
        let rules = self.table.rules_of(asked.pred);
        let are_plain = |atom: &Atom| {
            !atom
                .args
                .iter()
                .any(|arg| matches!(arg, Pattern::Compound(..)))
        };
        let are_rewritten = self.may_grow()
            && self.nested <= MOST_NESTED
            && self.table.is_derived(asked.pred)
            && !self.recursive.contains(&asked.pred)
            && (1..=MOST_RULES).contains(&rules.len())
            && are_plain(asked)
            && rules.iter().all(|rule| are_plain(&rule.head));
        are_rewritten.then_some(rules)
    }
}

/// Whether a literal mentions one of these variables.
fn mentions(literal: &Literal, variables: &[usize]) -> bool {
    let mut any = false;
    literal.each_variable(&mut |variable| any |= variables.contains(&variable));
    any
}
