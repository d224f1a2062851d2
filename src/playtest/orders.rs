//! Numbers that rules compare, and that their order does not know: `less` of 4 and 6 where its facts end at 5.

use std::collections::{BTreeMap, BTreeSet};

use super::explain::{Explainer, arguments};
use super::facts::{FactId, FactTable};
use super::games::PlayedStep;
use super::report::{Evidence, Finding, FindingSeverity};
use crate::engine::{RuleProbe, head_name};
use crate::gdl::{Rule, RuleLiteral, Rules, Term};

/// Of an order with more pairs it is not looked whether it is one.
const MOST_PAIRS: usize = 5_000;

/// Pairs of numbers, the smaller one first, of which an order holds.
type Pairs = BTreeSet<(i64, i64)>;

/// A rule that compares numbers of two facts of a relation by an order.
#[derive(Debug)]
struct ComparingRule {
    rule: usize,
    order: String,
    pairs: Pairs,
    /// The two facts, and the argument of each that is compared.
    facts: [(Term, usize); 2],
    /// The first step after which two numbers are not compared.
    first: Option<(PlayedStep, [i64; 2])>,
}

/// Watches the numbers that rules compare.
#[derive(Debug, Default)]
pub(super) struct OrderWatch(Vec<ComparingRule>);

impl OrderWatch {
    pub(super) fn new(rules: &Rules, probe: &RuleProbe) -> Self {
        let mut orders: BTreeMap<&str, Option<Pairs>> = BTreeMap::new();
        let mut found = Vec::new();
        for (number, rule) in rules.rules().iter().enumerate() {
            for sentence in rule.body.iter().filter_map(RuleLiteral::sentence) {
                let [Term::Variable(one), Term::Variable(other)] = arguments(sentence) else {
                    continue;
                };
                let name = head_name(sentence);
                let Some((one, other)) = source(rule, one).zip(source(rule, other)) else {
                    continue;
                };
                let is_same = one.1 == other.1 && head_name(&one.0) == head_name(&other.0);
                let order = orders.entry(name).or_insert_with(|| order(probe, name));
                if let Some(pairs) = order.as_ref().filter(|_| is_same) {
                    found.push(ComparingRule {
                        rule: number,
                        order: name.to_owned(),
                        pairs: pairs.clone(),
                        facts: [one, other],
                        first: None,
                    });
                }
            }
        }
        Self(found)
    }

    /// Looks at the facts after a step.
    pub(super) fn see(&mut self, table: &FactTable, step: &PlayedStep, after: &[FactId]) {
        for comparison in self.0.iter_mut().filter(|one| one.first.is_none()) {
            let [ones, others] = &comparison.facts;
            let numbers = |(pattern, place): &(Term, usize)| -> BTreeSet<i64> {
                let fitting = after.iter().filter(|&&fact| fits(pattern, fact, table));
                let words = fitting.map(|&fact| table.text(table.parts(fact).args[*place]));
                words.filter_map(|word| word.parse().ok()).collect()
            };
            let (ones, others) = (numbers(ones), numbers(others));
            let pairs = ones
                .iter()
                .flat_map(|&one| others.iter().map(move |&other| (one, other)));
            let mut pairs = pairs.map(|(one, other)| (one.min(other), one.max(other)));
            let unknown = pairs.find(|pair| pair.0 < pair.1 && !comparison.pairs.contains(pair));
            comparison.first = unknown.map(|(one, other)| (step.clone(), [one, other]));
        }
    }

    /// Numbers that are not compared: one finding for each order.
    pub(super) fn findings(&self, explainer: &mut Explainer<'_>) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        let mut told: BTreeSet<&str> = BTreeSet::new();
        for comparison in &self.0 {
            let Some((step, [low, high])) = &comparison.first else {
                continue;
            };
            if !told.insert(&comparison.order) {
                continue;
            }
            let order = &comparison.order;
            let relation = head_name(&comparison.facts[0].0);
            let (why, help) = comparison.gap(*low, *high);
            let message = format!(
                "`{order}` holds neither of {low} and {high} nor of {high} and {low}, which `{relation}` has after ply {}: {why}",
                step.ply
            );
            let same = self.0.iter().filter(|one| one.order == *order);
            let places = same.map(|one| explainer.place(one.rule, "compares the numbers"));
            let mut places: Vec<_> = places.collect();
            places.dedup_by_key(|place| place.span);
            findings.push(Finding {
                places,
                help: Some(help),
                step: Some(explainer.step(step)),
                ..Finding::new(
                    "not-compared",
                    FindingSeverity::Warning,
                    Evidence::Seen,
                    message,
                )
            });
        }
        findings
    }
}

impl ComparingRule {
    /// Where the order lacks something between these numbers, and how to mend it.
    fn gap(&self, low: i64, high: i64) -> (String, String) {
        let order = &self.order;
        let last = self.pairs.iter().map(|pair| pair.1).max().unwrap_or(low);
        if high > last {
            return (
                format!("the numbers of `{order}` end at {last}"),
                format!(
                    "list the numbers of `{order}` up to {high}, or further if there may be more"
                ),
            );
        }
        let above = self
            .pairs
            .iter()
            .filter(|pair| pair.0 == low)
            .map(|pair| pair.1);
        let below = self
            .pairs
            .iter()
            .filter(|pair| pair.1 == high)
            .map(|pair| pair.0);
        let (from, to) = (above.max().unwrap_or(low), below.min().unwrap_or(high));
        (
            format!("it leads up to {from}, and begins again at {to}"),
            format!("add the fact behind `{order}` that leads from {from} to {to}"),
        )
    }
}

/// The fact that gives a variable its value in a rule, and the argument.
fn source(rule: &Rule, variable: &str) -> Option<(Term, usize)> {
    let facts = rule.body.iter().filter_map(|literal| match literal {
        RuleLiteral::Holds(sentence) if head_name(sentence) == "true" => {
            arguments(sentence).first()
        }
        _ => None,
    });
    let is_variable = |arg: &Term| matches!(arg, Term::Variable(name) if &**name == variable);
    let mut places = facts.filter_map(|fact| {
        let place = arguments(fact).iter().position(is_variable)?;
        Some((fact.clone(), place))
    });
    places.next()
}

/// Whether a fact has the words of a pattern.
fn fits(pattern: &Term, fact: FactId, table: &FactTable) -> bool {
    let parts = table.parts(fact);
    let args = arguments(pattern);
    let mut pairs = args.iter().zip(&parts.args);
    table.text(parts.functor) == head_name(pattern)
        && args.len() == parts.args.len()
        && pairs.all(|(arg, &word)| match arg {
            Term::Constant(wanted) => table.text(word) == &**wanted,
            Term::Variable(_) | Term::Compound(..) => true,
        })
}

/// The pairs of a fixed relation, if it is an order of numbers, and not only their succession.
fn order(probe: &RuleProbe, name: &str) -> Option<Pairs> {
    let rows = probe.fixed_rows(name, 2)?;
    if rows.len() > MOST_PAIRS {
        return None;
    }
    let pair = |row: &Vec<String>| Some((row[0].parse::<i64>().ok()?, row[1].parse::<i64>().ok()?));
    let mut pairs: Vec<(i64, i64)> = rows.iter().map(pair).collect::<Option<_>>()?;
    if pairs.iter().all(|(one, other)| one > other) {
        pairs.iter_mut().for_each(|pair| *pair = (pair.1, pair.0));
    }
    let pairs: Pairs = pairs.into_iter().collect();
    let is_rising = pairs.iter().all(|(one, other)| one < other);
    let mut steps = 0;
    let is_closed = pairs.iter().all(|&(one, other)| {
        let next = pairs.range((other, i64::MIN)..=(other, i64::MAX));
        let mut next = next.inspect(|_| steps += 1);
        next.all(|&(_, last)| pairs.contains(&(one, last)))
    });
    (is_rising && is_closed && steps > 0).then_some(pairs)
}
