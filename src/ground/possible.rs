//! Which conditions can ever hold together.

use std::time::Instant;

use super::budget::GroundingBudget;
use super::prepare::Prepared;
use super::thresholds::Thresholds;
use super::{DEEPEST, GroundError};
use crate::datalog::EvaluationLimits;
use crate::gdl::{RuleLiteral, Rules};

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
    let limits = &EvaluationLimits {
        depth: limits.depth.min(DEEPEST),
        ..limits.clone()
    };
    let mut budget = GroundingBudget::new(limits.clone(), Instant::now());
    let marked = rules.with_marks(bodies);
    let thresholds = Thresholds::default();
    let prepared = Prepared::new(&marked, limits, &thresholds, &mut budget)?;
    let terms = prepared.engine.terms().lock();
    let goals = prepared.engine.static_rows(prepared.relations.goal);
    let mut possible = vec![false; bodies.len()];
    for row in goals.into_iter().flatten() {
        if let Some(number) = Rules::marked(&terms.text(row[0])) {
            possible[number] = true;
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
}
