//! Moves that rules make legal only where the game is over: nobody ever sees them.

use std::collections::BTreeSet;

use super::explain::{arguments, term_of};
use crate::datalog::EvaluationLimits;
use crate::engine::head_name;
use crate::gdl::{Rule, RuleLiteral, Rules, Term};
use crate::ground::possible_values;

/// So far the rules for `terminal` are followed.
const DEPTH: usize = 3;

/// What each of `bodies` can give in positions in which the game is not over; `facts` are those that can be true. `None` where
/// no single fact ends the game, or it takes too long.
pub(super) fn values_in_play(
    rules: &Rules,
    facts: BTreeSet<String>,
    bodies: &[(Term, &[RuleLiteral])],
    limits: &EvaluationLimits,
) -> Option<Vec<BTreeSet<String>>> {
    let ends = ends_by_a_fact(rules, "terminal", DEPTH);
    let ends: Vec<(Term, &[RuleLiteral])> = ends
        .into_iter()
        .map(|(fact, rule)| (fact, &rule.body[..]))
        .collect();
    if ends.is_empty() {
        return None;
    }
    let ending = possible_values(rules, &ends, limits).ok()?;
    let ending: BTreeSet<&String> = ending.iter().flatten().collect();
    let others = facts.iter().filter(|fact| !ending.contains(fact));
    let others: Vec<Term> = others.map(|fact| term_of(fact)).collect();
    possible_values(&rules.with_facts(others), bodies, limits).ok()
}

/// Facts that end the game whatever else holds: the only condition that changes in a rule for this relation.
fn ends_by_a_fact<'r>(rules: &'r Rules, relation: &str, depth: usize) -> Vec<(Term, &'r Rule)> {
    let mut ends = Vec::new();
    for rule in rules
        .rules()
        .iter()
        .filter(|rule| head_name(&rule.head) == relation)
    {
        let is_fixed = |literal: &&RuleLiteral| match literal {
            RuleLiteral::Holds(sentence) => is_listed(rules, head_name(sentence)),
            RuleLiteral::Fails(_) => false,
            RuleLiteral::Distinct(..) | RuleLiteral::Same(..) => true,
        };
        let changing: Vec<&RuleLiteral> = rule
            .body
            .iter()
            .filter(|literal| !is_fixed(literal))
            .collect();
        match changing[..] {
            [RuleLiteral::Holds(sentence)] if head_name(sentence) == "true" => {
                ends.extend(arguments(sentence).first().map(|fact| (fact.clone(), rule)));
            }
            [RuleLiteral::Holds(Term::Constant(name))] if depth > 0 && rule.body.len() == 1 => {
                ends.extend(ends_by_a_fact(rules, name, depth - 1));
            }
            _ => {}
        }
    }
    ends
}

/// Whether a relation is a list of facts.
fn is_listed(rules: &Rules, name: &str) -> bool {
    let mut of_relation = rules
        .rules()
        .iter()
        .filter(|rule| head_name(&rule.head) == name)
        .peekable();
    of_relation.peek().is_some() && of_relation.all(|rule| rule.body.is_empty())
}
