//! Which rules end games.

use std::time::Duration;

use super::{RuleProbe, head_name};
use crate::datalog::DatalogError;
use crate::gdl::{RuleLiteral, Rules, Term};
use crate::util::StopFlag;

/// Counts positions in which a game is over by the rules that end it: the rules for `terminal`, and where such a rule does no more than
/// name a relation, the rules for that.
#[derive(Debug)]
pub struct EndRules {
    probe: RuleProbe,
    counts: Vec<EndRuleCount>,
    ends: u64,
}

/// How often a rule ended a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndRuleCount {
    /// Its number in [`Rules::rules`], and those of the rules that come from the same place of the text.
    pub rules: Vec<usize>,
    /// In so many positions it applied; others may have applied as well.
    pub ends: u64,
}

impl EndRules {
    /// Nothing is counted yet; a position may take as long as `time`.
    ///
    /// # Errors
    /// What never changes already passes a limit.
    pub fn new(rules: &Rules, time: Duration, stop: &StopFlag) -> Result<Self, DatalogError> {
        let mut counts: Vec<EndRuleCount> = Vec::new();
        for number in ending(rules, "terminal", &mut Vec::new()) {
            let span = |number: usize| rules.rules()[number].span;
            let same = |count: &&mut EndRuleCount| span(count.rules[0]) == span(number);
            match counts.iter_mut().find(same) {
                Some(count) => count.rules.push(number),
                None => counts.push(EndRuleCount {
                    rules: vec![number],
                    ends: 0,
                }),
            }
        }
        Ok(Self {
            probe: RuleProbe::new(rules, time, stop)?,
            counts,
            ends: 0,
        })
    }

    /// Counts a position that is over, by its facts. One that takes too long is left out.
    pub fn count(&mut self, facts: &[String]) {
        if self.probe.look(facts, &[]).is_err() {
            return;
        }
        let probe = &mut self.probe;
        let mut applies = |count: &EndRuleCount| {
            let mut rules = count.rules.iter();
            rules.try_fold(false, |any, &rule| Ok(any || probe.applies(rule)?))
        };
        let applied: Result<Vec<bool>, super::ProbeExhausted> =
            self.counts.iter().map(&mut applies).collect();
        let Ok(applied) = applied else { return };
        self.ends += 1;
        for (count, applied) in self.counts.iter_mut().zip(applied) {
            count.ends += u64::from(applied);
        }
    }

    /// How often each rule ended a game, in the order of the text.
    pub fn counts(&self) -> &[EndRuleCount] {
        &self.counts
    }

    /// How many positions were counted.
    pub fn ends(&self) -> u64 {
        self.ends
    }
}

/// The rules by which `relation` comes to hold, in the order of the text; those of relations in `above` are not looked into again.
fn ending(rules: &Rules, relation: &str, above: &mut Vec<String>) -> Vec<usize> {
    above.push(relation.to_owned());
    let mut found = Vec::new();
    for number in rules_of(rules, relation) {
        match named_by(&rules.rules()[number].body) {
            Some(name) if !above.iter().any(|one| one == name) && is_derived(rules, name) => {
                found.extend(ending(rules, name, above));
            }
            _ => found.push(number),
        }
    }
    above.pop();
    found.sort_by_key(|&number| (rules.rules()[number].span.start, number));
    found.dedup();
    found
}

fn rules_of<'r>(rules: &'r Rules, relation: &'r str) -> impl Iterator<Item = usize> + 'r {
    let rules = rules.rules().iter().enumerate();
    let of_relation = rules.filter(move |(_, rule)| head_name(&rule.head) == relation);
    of_relation.map(|(number, _)| number)
}

/// The relation that a body names, if it asks for nothing but any fact of it.
fn named_by(body: &[RuleLiteral]) -> Option<&str> {
    const GIVEN: [&str; 3] = ["true", "does", "role"];
    let [RuleLiteral::Holds(sentence)] = body else {
        return None;
    };
    let asks_for_any = match sentence {
        Term::Constant(_) => true,
        Term::Variable(_) => false,
        Term::Compound(_, args) => {
            let variables = args.iter().enumerate().all(|(place, arg)| {
                matches!(arg, Term::Variable(_)) && !args[..place].contains(arg)
            });
            variables && !GIVEN.contains(&head_name(sentence))
        }
    };
    asks_for_any.then(|| head_name(sentence))
}

/// Whether rules with conditions derive a relation.
fn is_derived(rules: &Rules, relation: &str) -> bool {
    rules_of(rules, relation).any(|number| !rules.rules()[number].body.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::load;

    fn counted(rules: &str, positions: &[&[&str]]) -> Vec<u64> {
        let text = format!("(role a) (init (step 1)) (legal a go) (goal a 50) {rules}");
        let rules = load(&text).rules.unwrap();
        let time = Duration::from_secs(5);
        let mut ends = EndRules::new(&rules, time, &StopFlag::default()).unwrap();
        for facts in positions {
            let facts: Vec<String> = facts.iter().map(|&fact| fact.to_owned()).collect();
            ends.count(&facts);
        }
        assert_eq!(ends.ends(), positions.len() as u64);
        ends.counts().iter().map(|count| count.ends).collect()
    }

    #[test]
    fn rules_that_a_rule_only_names_are_counted_in_its_place() {
        let rules = "(<= terminal decided) (<= decided (wins ?p))
            (<= (wins ?p) (true (points ?p)))
            (<= (wins a) (true (step 7)))
            (<= terminal (true (step 9)))";
        let positions: [&[&str]; 4] = [
            &["(points a)"],
            &["(points a)", "(points b)"],
            &["(step 9)"],
            &["(step 7)", "(points a)"],
        ];
        assert_eq!(counted(rules, &positions), [3, 1, 1]);
    }

    #[test]
    fn a_rule_that_asks_for_one_fact_of_a_relation_stands_for_itself() {
        let rules =
            "(<= terminal (line a)) (<= terminal (line b)) (<= (line ?p) (true (three ?p)))";
        assert_eq!(counted(rules, &[&["(three b)"]]), [0, 1]);
    }

    #[test]
    fn parts_of_an_or_are_one_rule() {
        let rules = "(<= terminal (or (true (step 8)) (true (step 9))))";
        assert_eq!(counted(rules, &[&["(step 8)"], &["(step 9)"]]), [2]);
    }
}
