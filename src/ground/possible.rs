//! Which conditions can ever hold together.

use std::collections::BTreeSet;
use std::time::Instant;

use super::budget::GroundingBudget;
use super::prepare::{Prepared, RulesToGround};
use super::thresholds::Thresholds;
use super::{DEEPEST, GroundError};
use crate::datalog::EvaluationLimits;
use crate::gdl::{RuleLiteral, Rules, Term};

/// For each of `bodies`, whether its conditions can ever hold together, as far as relaxed reachability shows: `false` is a
/// proof that they never do, `true` proves nothing. Every variable of a body occurs in one of its positive conditions.
///
/// # Errors
/// [`GroundError`] where a limit is exceeded.
pub fn possible_bodies(
    rules: &Rules,
    bodies: &[&[RuleLiteral]],
    limits: &EvaluationLimits,
) -> Result<Vec<bool>, GroundError> {
    let nothing = Term::Constant("0".into());
    let marks: Vec<_> = bodies.iter().map(|&body| (nothing.clone(), body)).collect();
    let values = possible_values(rules, &marks, limits)?;
    Ok(values.iter().map(|values| !values.is_empty()).collect())
}

/// The same, with the values that the term beside each body can have where its conditions hold: what is not among them it
/// never has. Every variable of the term occurs in a positive condition, too.
///
/// # Errors
/// [`GroundError`] where a limit is exceeded.
pub fn possible_values(
    rules: &Rules,
    bodies: &[(Term, &[RuleLiteral])],
    limits: &EvaluationLimits,
) -> Result<Vec<BTreeSet<String>>, GroundError> {
    let limits = &EvaluationLimits {
        depth: limits.depth.min(DEEPEST),
        ..limits.clone()
    };
    let mut budget = GroundingBudget::new(limits.clone(), Instant::now());
    let marked = rules.with_marks(bodies);
    let thresholds = Thresholds::default();
    let marked = RulesToGround::new(&marked);
    let prepared = Prepared::new(marked, limits, &thresholds, &mut budget)?;
    let terms = prepared.engine.terms().lock();
    let goals = prepared.engine.static_rows(prepared.relations.goal);
    let mut possible = vec![BTreeSet::new(); bodies.len()];
    for row in goals.into_iter().flatten() {
        if let Some(number) = Rules::marked(&terms.text(row[0])) {
            possible[number].insert(terms.text(row[1]));
        }
    }
    Ok(possible)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::load;

    #[test]
    fn what_no_state_can_hold_is_proved() {
        let text = "(role a) (succ 1 2) (succ 2 3) (init (step 1)) (legal a go)
            (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
            (<= terminal (true (step 3)))
            (<= terminal (true (step ?x)) (succ 3 ?x))
            (<= terminal (true (step 4)))
            (goal a 50)";
        let rules = load(text).rules.unwrap();
        let bodies: Vec<&[RuleLiteral]> = rules.rules().iter().map(|rule| &rule.body[..]).collect();
        let possible = possible_bodies(&rules, &bodies, &EvaluationLimits::default()).unwrap();
        let impossible: Vec<String> = rules
            .rules()
            .iter()
            .zip(possible)
            .filter(|(_, possible)| !possible)
            .map(|(rule, _)| rule.to_string())
            .collect();
        let expected = [
            "(<= terminal (true (step ?x)) (succ 3 ?x))",
            "(<= terminal (true (step 4)))",
        ];
        assert_eq!(impossible, expected);
    }

    #[test]
    fn the_values_that_a_rule_can_give_are_listed() {
        let text =
            "(role a) (role b) (init (at a 1)) (legal a (go 1)) (legal b (go 2)) (legal b stay)
            (<= (next (at ?p ?x)) (does ?p (go ?x)))
            (<= (goal ?p 100) (true (at ?p 2)))
            (<= terminal (true (at b ?x)))";
        let rules = load(text).rules.unwrap();
        let number = |head: &str| {
            let mut rules = rules.rules().iter();
            rules
                .find(|rule| rule.head.to_string().starts_with(head))
                .unwrap()
        };
        let body = |head: &str| match &number(head).head {
            Term::Compound(_, args) => (args[0].clone(), &number(head).body[..]),
            _ => unreachable!(),
        };
        let marks = [body("(next"), body("(goal")];
        let values = possible_values(&rules, &marks, &EvaluationLimits::default()).unwrap();
        let texts = |number: usize| {
            values[number]
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(0), ["(at a 1)", "(at b 2)"]);
        assert_eq!(texts(1), ["b"]);
    }
}
