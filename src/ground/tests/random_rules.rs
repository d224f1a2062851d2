//! Random games: what is spelt out of them against their rules, in every state that is met.
//!
//! The thresholds are so low that every rewriting of the rules applies wherever it can.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::super::budget::Budget;
use super::super::cases::split_cases;
use super::super::decompose::decompose;
use super::super::indifferent::Spokesmen;
use super::super::prepare::{Prepared, relaxed};
use super::super::spread::spread;
use super::super::tuning::Tuning;
use super::super::unfold::unfold;
use super::super::{Ground, GroundRule, SentenceId, ground_within};
use super::random_games::games;
use super::{limits, rules};
use crate::datalog::{Engine, Memory, Pred, TermId, stratify};
use crate::gdl::{Given, Rules, Words, translate};

/// The rules as they are, asked without any rewriting.
struct Oracle {
    engine: Engine,
    memory: Memory,
    words: Words,
}

impl Oracle {
    fn new(rules: &Rules) -> Self {
        let (program, words) = translate(rules);
        let asked = [
            words.init,
            words.legal,
            words.next,
            words.goal,
            words.terminal,
        ];
        let engine = Engine::new(program, &asked, limits(1_000_000)).unwrap();
        Self {
            memory: engine.memory(),
            engine,
            words,
        }
    }

    fn rows(&mut self, pred: Pred) -> Vec<Vec<TermId>> {
        self.memory.derive(&self.engine, pred);
        match self.engine.fixed_rows(pred) {
            Some(rows) => rows.map(<[_]>::to_vec).collect(),
            None => self.memory.rows(pred).map(<[_]>::to_vec).collect(),
        }
    }

    fn supply(&mut self, given: &Given, front: &[TermId], subject: TermId) {
        let terms = self.memory.knowing(subject);
        let functor = terms.functor_of(subject);
        let row = [front, terms.args_of(subject)].concat();
        if let Some(&pred) = given.spread.get(&functor) {
            self.memory.supply(pred, &row);
        }
    }

    /// Makes `state` the state; with its facts in text.
    fn enter(&mut self, state: &[TermId]) -> BTreeSet<String> {
        self.memory.reset(&self.engine, 1);
        let given = self.words.given.clone();
        state
            .iter()
            .for_each(|&fact| self.supply(&given, &[], fact));
        state
            .iter()
            .map(|&fact| format!("(true {})", self.memory.knowing(fact).text(fact)))
            .collect()
    }

    fn make(&mut self, row: &[TermId]) -> Vec<TermId> {
        self.memory.reset(&self.engine, 2);
        let done = self.words.done.clone();
        self.supply(&done, &row[..1], row[1]);
        let mut next: Vec<TermId> = self.rows(self.words.next).concat();
        next.sort_unstable();
        next
    }

    /// The rows of the relations that a game is asked for, in text.
    fn text(&mut self, preds: &[(Pred, &str)]) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for &(pred, name) in preds {
            for row in self.rows(pred) {
                let args = row
                    .iter()
                    .map(|&term| format!(" {}", self.memory.knowing(term).text(term)));
                let args: String = args.collect();
                all.insert(if args.is_empty() {
                    name.to_owned()
                } else {
                    format!("({name}{args})")
                });
            }
        }
        all
    }
}

/// Rules without variables, evaluated stratum by stratum.
struct Spelt<'g> {
    texts: Vec<String>,
    strata: Vec<Vec<&'g GroundRule>>,
}

impl<'g> Spelt<'g> {
    fn new(ground: &'g Ground) -> Self {
        let mut of_pred: BTreeMap<Pred, Vec<&GroundRule>> = BTreeMap::new();
        for rule in &ground.rules {
            let pred = ground.sentences[rule.head.0 as usize].pred;
            of_pred.entry(pred).or_default().push(rule);
        }
        let components = stratify(&ground.program).unwrap();
        let rules = |pred: &Pred| of_pred.remove(pred).unwrap_or_default();
        let mut rules = rules;
        Self {
            texts: (0..ground.sentences.len() as u32)
                .map(|id| ground.text(SentenceId(id)))
                .collect(),
            strata: components
                .iter()
                .map(|of| of.preds.iter().flat_map(&mut rules).collect())
                .collect(),
        }
    }

    /// What holds of what a game is asked for.
    fn text(&self, given: &BTreeSet<String>, names: &[&str]) -> BTreeSet<String> {
        let mut holds: Vec<bool> = self.texts.iter().map(|text| given.contains(text)).collect();
        for stratum in &self.strata {
            let mut is_settled = false;
            while !is_settled {
                is_settled = true;
                for rule in stratum {
                    let is_met = rule.holds.iter().all(|id| holds[id.0 as usize])
                        && !rule.fails.iter().any(|id| holds[id.0 as usize]);
                    if is_met && !std::mem::replace(&mut holds[rule.head.0 as usize], true) {
                        is_settled = false;
                    }
                }
            }
        }
        let is_asked = |text: &&String| {
            let name = text.trim_start_matches('(');
            names.iter().any(|of| {
                name.strip_prefix(of)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            })
        };
        let held = self.texts.iter().zip(&holds).filter(|(_, holds)| **holds);
        held.map(|(text, _)| text)
            .filter(is_asked)
            .cloned()
            .collect()
    }
}

/// Compares both in the states that are met first, with all their moves.
pub(super) fn compare(rules: &Rules, ground: &Ground, most: usize) -> Result<(), TestCaseError> {
    let mut oracle = Oracle::new(rules);
    let spelt = Spelt::new(ground);
    let words = oracle.words.clone();
    let now = [
        (words.legal, "legal"),
        (words.goal, "goal"),
        (words.terminal, "terminal"),
    ];
    let mut first: Vec<TermId> = oracle.rows(words.init).concat();
    first.sort_unstable();
    let mut states = vec![first];
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        at += 1;
        let facts = oracle.enter(&state);
        prop_assert_eq!(
            spelt.text(&facts, &["legal", "goal", "terminal"]),
            oracle.text(&now),
            "in {:?}",
            facts
        );
        for row in oracle.rows(words.legal) {
            let next = oracle.make(&row);
            let mut given = facts.clone();
            let mv = oracle.memory.knowing(row[1]).text(row[1]);
            given.insert(format!("(does r {mv})"));
            prop_assert_eq!(
                spelt.text(&given, &["next"]),
                oracle.text(&[(words.next, "next")]),
                "after {} in {:?}",
                mv,
                facts
            );
            if states.len() < most && !states.contains(&next) {
                states.push(next);
            }
        }
    }
    Ok(())
}

fn tunings() -> impl Strategy<Value = Tuning> {
    (
        prop_oneof![Just(1usize), 2usize..4],
        prop_oneof![Just(1usize), 2usize..5],
        prop_oneof![Just(0u64), 10u64..1000, Just(4_000_000)],
        prop_oneof![3 => Just(8_000_000u64), 1 => 0u64..1000],
    )
        .prop_map(
            |(wide, indifferent_from, look_below, look_for_differences)| Tuning {
                wide,
                ranges_from: wide,
                indifferent_from,
                look_below,
                look_for_differences,
            },
        )
}

proptest! {
    #[test]
    fn random_games_are_the_same_without_variables(text in games(), tuning in tunings()) {
        let rules = rules(&text);
        let ground = ground_within(&rules, &limits(1_000_000), &tuning).unwrap();
        compare(&rules, &ground, 8)?;
    }
}

/// Otherwise the property above would say nothing.
#[test]
fn random_games_are_rewritten_in_every_way() {
    let mut runner = TestRunner::deterministic();
    let mut fired: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..200 {
        let rules = rules(&games().new_tree(&mut runner).unwrap().current());
        for (name, has_fired) in rewritten(&rules) {
            *fired.entry(name).or_default() += usize::from(has_fired);
        }
    }
    assert!(fired.values().all(|&count| count >= 10), "{fired:?}");
}

/// Which ways of rewriting change anything.
fn rewritten(rules: &Rules) -> Vec<(&'static str, bool)> {
    let (program, words) = translate(rules);
    let kept = [
        words.next,
        words.legal,
        words.goal,
        words.terminal,
        words.init,
    ];
    let low = Tuning {
        wide: 1,
        ranges_from: 1,
        indifferent_from: 1,
        ..Tuning::default()
    };
    let mut budget = Budget::new(limits(1_000_000), Instant::now());
    let unfolded = unfold(&program, &kept, &low, &mut budget).unwrap();
    let spread = spread(&unfolded, &kept);
    let split = split_cases(&spread, &kept, &low);
    let decomposed = decompose(&split, &low, &mut budget).unwrap();
    vec![
        ("unfolded", unfolded.clauses() != program.clauses()),
        ("spread", spread.clauses() != unfolded.clauses()),
        ("split", split.clauses() != spread.clauses()),
        (
            "decomposed",
            decomposed.program.clauses() != split.clauses(),
        ),
        ("ranges", !decomposed.ranges.is_empty()),
        ("restricted", {
            let (relaxed, _) = relaxed(&decomposed, &words).unwrap();
            !relaxed.restricted.is_empty()
        }),
        ("indifferent", speaks(rules, &low)),
    ]
}

/// Whether any row is replaced by another that means the same.
fn speaks(rules: &Rules, tuning: &Tuning) -> bool {
    let limits = limits(1_000_000);
    let mut budget = Budget::new(limits.clone(), Instant::now());
    let prepared = Prepared::new(rules, &limits, tuning, &mut budget).unwrap();
    let engine = &prepared.engine;
    let terms = engine.terms().lock().clone();
    let values = ["0", "1", "2", "3"].map(|n| {
        terms
            .find(terms.find_functor(n, None).unwrap(), &[])
            .unwrap()
    });
    let preds: Vec<Pred> = prepared.indifferent.keys().copied().collect();
    let mut spokesmen = Spokesmen::new(prepared.indifferent, engine);
    preds.into_iter().any(|pred| {
        let arity = prepared.program.arity(pred) as u32;
        (0..4usize.pow(arity)).any(|number| {
            let place = |column: u32| values[number / 4usize.pow(column) % 4];
            let row: Vec<TermId> = (0..arity).map(place).collect();
            let mut spoken = row.clone();
            spokesmen.speak_for(engine, pred, &mut spoken);
            spoken != row
        })
    })
}
