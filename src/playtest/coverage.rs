//! Which rules applied, and which never can.

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use crate::datalog::EvaluationLimits;
use crate::engine::{RuleProbe, head_name};
use crate::gdl::{RuleLiteral, Rules};
use crate::ground::possible_bodies;
use crate::session::Position;
use crate::util::StopFlag;

use super::values::ValuesOfRules;

/// The rules that were not seen to apply yet.
#[derive(Debug)]
pub(super) struct Coverage {
    pub(super) open: Vec<usize>,
    /// Those for `legal`: what they give once a game is over is no move.
    of_moves: FxHashSet<usize>,
    pub(super) states: u64,
    spent: Duration,
    is_exhausted: bool,
}

/// Nobody asks for these.
const UNASKED: [&str; 2] = ["base", "input"];

impl Coverage {
    /// All rules with conditions, but those that `never` apply.
    pub(super) fn new(rules: &Rules, never: &[usize]) -> Self {
        let numbered = || rules.rules().iter().enumerate();
        let asked = numbered()
            .filter(|(_, rule)| !rule.body.is_empty() && !UNASKED.contains(&head_name(&rule.head)));
        let open = asked.map(|(number, _)| number);
        let of_moves = numbered().filter(|(_, rule)| head_name(&rule.head) == "legal");
        Self {
            open: open.filter(|number| !never.contains(number)).collect(),
            of_moves: of_moves.map(|(number, _)| number).collect(),
            states: 0,
            spent: Duration::ZERO,
            is_exhausted: false,
        }
    }

    /// Looks which rules apply in a state, and in the step from it that `joint` makes; not if more than `most` was spent.
    pub(super) fn see(
        &mut self,
        probe: &mut RuleProbe,
        position: &Position,
        joint: &[String],
        most: Duration,
    ) {
        if self.open.is_empty() || self.is_exhausted || self.spent > most {
            return;
        }
        let begin = Instant::now();
        if probe.look(&position.facts(), joint).is_ok() {
            self.states += 1;
            let mut exhausted = false;
            let is_over = position.is_terminal();
            self.open.retain(|&rule| match probe.applies(rule) {
                Ok(true) if is_over && self.of_moves.contains(&rule) => true,
                Ok(applies) => !applies,
                Err(_) => {
                    exhausted = true;
                    true
                }
            });
            self.is_exhausted = exhausted;
        }
        self.spent += begin.elapsed();
    }
}

/// What was proved about the rules.
#[derive(Debug)]
pub(super) struct Proofs {
    /// Rules that can never apply, each with the number of a condition that alone never holds, if there is one.
    pub(super) never: Vec<(usize, Option<usize>)>,
    /// The moves, facts and goals that rules can give, where there was time to find them.
    pub(super) values: Option<ValuesOfRules>,
}

/// Finds the rules that can never apply within `time`; `None` if that is too short.
pub(super) fn prove(rules: &Rules, time: Duration, stop: &StopFlag) -> Option<Proofs> {
    let end = Instant::now() + time;
    let limits = || EvaluationLimits {
        time: end.saturating_duration_since(Instant::now()),
        rows: 8_000_000,
        terms: 5_000_000,
        stop: stop.clone(),
        ..EvaluationLimits::default()
    };
    let asked: Vec<usize> = Coverage::new(rules, &[]).open;
    let body = |rule: usize| &rules.rules()[rule].body[..];
    let bodies: Vec<&[RuleLiteral]> = asked.iter().map(|&rule| body(rule)).collect();
    let possible = possible_bodies(rules, &bodies, &limits()).ok()?;
    let never = asked.iter().zip(possible).filter(|(_, possible)| !possible);
    let never: Vec<usize> = never.map(|(&rule, _)| rule).collect();
    let conditions = |rule: usize| {
        let all = body(rule).iter().enumerate();
        all.filter(|(_, literal)| matches!(literal, RuleLiteral::Holds(_)))
    };
    let pairs: Vec<(usize, usize)> = never
        .iter()
        .flat_map(|&rule| conditions(rule).map(move |(number, _)| (rule, number)))
        .collect();
    let alone: Vec<&[RuleLiteral]> = pairs
        .iter()
        .map(|&(rule, number)| std::slice::from_ref(&body(rule)[number]))
        .collect();
    let possible = match pairs.is_empty() {
        true => Some(Vec::new()),
        false => possible_bodies(rules, &alone, &limits()).ok(),
    };
    let hopeless = |rule: usize| {
        let mut alone = pairs.iter().zip(possible.as_ref()?);
        let (pair, _) = alone.find(|((of, _), possible)| *of == rule && !**possible)?;
        Some(pair.1)
    };
    Some(Proofs {
        never: never.iter().map(|&rule| (rule, hopeless(rule))).collect(),
        values: ValuesOfRules::of(rules, &limits()),
    })
}
