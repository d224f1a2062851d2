//! Differential test on random games: the ground rules against the rules, in every state visited.
//!
//! The thresholds are so low that every rewriting of the rules applies wherever it can.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::super::budget::GroundingBudget;
use super::super::decompose::decompose;
use super::super::flatten::flatten_arguments;
use super::super::inline::inline;
use super::super::irrelevant::Representatives;
use super::super::prepare::{Prepared, RulesToGround, relaxed};
use super::super::split_rules::split_rules;
use super::super::thresholds::Thresholds;
use super::super::{Ground, GroundRule, GroundingAssumptions, SentenceId, ground_within};
use super::random_games::games;
use super::{limits, rules};
use crate::datalog::{DatalogEngine, Pred, TermId, WorkingMemory, stratify};
use crate::gdl::{GdlRelations, InputRelations, Rules, translate};

/// Evaluates the rules without any rewriting.
struct Oracle {
    engine: DatalogEngine,
    memory: WorkingMemory,
    relations: GdlRelations,
}

impl Oracle {
    fn new(rules: &Rules) -> Self {
        let (program, relations) = translate(rules);
        let queried = [
            relations.init,
            relations.legal,
            relations.next,
            relations.goal,
            relations.terminal,
        ];
        let engine = DatalogEngine::new(program, &queried, limits(1_000_000)).unwrap();
        Self {
            memory: engine.memory(),
            engine,
            relations,
        }
    }

    fn rows(&mut self, pred: Pred) -> Vec<Vec<TermId>> {
        self.memory.derive(&self.engine, pred);
        match self.engine.static_rows(pred) {
            Some(rows) => rows.map(<[_]>::to_vec).collect(),
            None => self.memory.rows(pred).map(<[_]>::to_vec).collect(),
        }
    }

    fn supply(&mut self, given: &InputRelations, front: &[TermId], subject: TermId) {
        let terms = self.memory.knowing(subject);
        let functor = terms.functor_of(subject);
        let row = [front, terms.args_of(subject)].concat();
        if let Some(&pred) = given.by_functor.get(&functor) {
            self.memory.supply(pred, &row);
        }
    }

    /// Sets the state. Returns its facts as text.
    fn enter(&mut self, state: &[TermId]) -> BTreeSet<String> {
        self.memory.reset(&self.engine, 1);
        let given = self.relations.base.clone();
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
        let done = self.relations.input.clone();
        self.supply(&done, &row[..1], row[1]);
        let mut next: Vec<TermId> = self.rows(self.relations.next).concat();
        next.sort_unstable();
        next
    }

    /// The rows of the queried relations, as text.
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

/// Evaluates ground rules stratum by stratum.
struct GroundOracle<'g> {
    texts: Vec<String>,
    strata: Vec<Vec<&'g GroundRule>>,
}

impl<'g> GroundOracle<'g> {
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

    /// The queried sentences that hold.
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
        let is_queried = |text: &&String| {
            let name = text.trim_start_matches('(');
            names.iter().any(|of| {
                name.strip_prefix(of)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            })
        };
        let held = self.texts.iter().zip(&holds).filter(|(_, holds)| **holds);
        held.map(|(text, _)| text)
            .filter(is_queried)
            .cloned()
            .collect()
    }
}

/// Compares both in the first states, with all their moves; in those alone for which it holds what the ground rules assume.
pub(super) fn compare(rules: &Rules, ground: &Ground, most: usize) -> Result<(), TestCaseError> {
    let mut oracle = Oracle::new(rules);
    let grounded = GroundOracle::new(ground);
    let relations = oracle.relations.clone();
    let now = [
        (relations.legal, "legal"),
        (relations.goal, "goal"),
        (relations.terminal, "terminal"),
    ];
    let mut first: Vec<TermId> = oracle.rows(relations.init).concat();
    first.sort_unstable();
    let text = |fact: &TermId| format!("(true {})", ground.terms.text(*fact));
    let assumed = ground.assumed.iter();
    let assumed: Vec<BTreeSet<String>> = assumed
        .map(|facts| facts.iter().map(text).collect())
        .collect();
    let mut states = vec![first];
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        at += 1;
        let facts = oracle.enter(&state);
        if assumed
            .iter()
            .any(|unique| unique.intersection(&facts).count() > 1)
        {
            continue;
        }
        prop_assert_eq!(
            grounded.text(&facts, &["legal", "goal", "terminal"]),
            oracle.text(&now),
            "in {:?}",
            facts
        );
        for row in oracle.rows(relations.legal) {
            let next = oracle.make(&row);
            let mut given = facts.clone();
            let mv = oracle.memory.knowing(row[1]).text(row[1]);
            given.insert(format!("(does r {mv})"));
            prop_assert_eq!(
                grounded.text(&given, &["next"]),
                oracle.text(&[(relations.next, "next")]),
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

fn thresholds() -> impl Strategy<Value = Thresholds> {
    (
        prop_oneof![Just(1usize), 2usize..4],
        prop_oneof![Just(1usize), 2usize..5],
        prop_oneof![Just(0u64), Just(8_000_000)],
        prop_oneof![Just(0u64), 10u64..1000, Just(4_000_000)],
        prop_oneof![3 => Just(8_000_000u64), 1 => 0u64..1000],
    )
        .prop_map(
            |(wide, irrelevant_from, recursion_rows, sizing_rows, distinguishing_rows)| {
                Thresholds {
                    wide,
                    ranges_from: wide,
                    lookups_from: wide,
                    irrelevant_from,
                    recursion_rows,
                    sizing_rows,
                    distinguishing_rows,
                }
            },
        )
}

proptest! {
    #[test]
    fn ground_rules_agree_with_the_rules_of_random_games(text in games(), thresholds in thresholds()) {
        let rules = rules(&text);
        let limits = limits(1_000_000);
        for assumptions in [GroundingAssumptions::None, GroundingAssumptions::UniqueFacts] {
            let ground = ground_within(&rules, &limits, &thresholds, assumptions).unwrap();
            compare(&rules, &ground, 8)?;
        }
    }
}

/// Every rewriting step changes some random game; otherwise the property above would be vacuous.
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

/// Which rewriting steps change the program.
fn rewritten(rules: &Rules) -> Vec<(&'static str, bool)> {
    let (program, relations) = translate(rules);
    let kept = [
        relations.next,
        relations.legal,
        relations.goal,
        relations.terminal,
        relations.init,
    ];
    let low = Thresholds {
        wide: 1,
        ranges_from: 1,
        lookups_from: 1,
        irrelevant_from: 1,
        ..Thresholds::default()
    };
    let mut budget = GroundingBudget::new(limits(1_000_000), Instant::now());
    let unfolded = inline(&program, &kept, &low, &mut budget).unwrap();
    let spread = flatten_arguments(&unfolded, &kept);
    let split = split_rules(&spread, &kept, &low);
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
            let (relaxed, _) = relaxed(&decomposed, &relations).unwrap();
            !relaxed.restricted.is_empty()
        }),
        ("irrelevant", replaces_rows(rules, &low)),
        ("looked up", {
            let limits = limits(1_000_000);
            let ground = ground_within(rules, &limits, &low, GroundingAssumptions::UniqueFacts);
            !ground.unwrap().assumed.is_empty()
        }),
    ]
}

/// Whether any row is replaced by a representative.
fn replaces_rows(rules: &Rules, thresholds: &Thresholds) -> bool {
    let limits = limits(1_000_000);
    let mut budget = GroundingBudget::new(limits.clone(), Instant::now());
    let rules = RulesToGround::new(rules);
    let prepared = Prepared::new(rules, &limits, thresholds, &mut budget).unwrap();
    let engine = &prepared.engine;
    let terms = engine.terms().lock().clone();
    let values = ["0", "1", "2", "3"].map(|n| {
        terms
            .find(terms.find_functor(n, None).unwrap(), &[])
            .unwrap()
    });
    let preds: Vec<Pred> = prepared.irrelevant.keys().copied().collect();
    let mut representatives = Representatives::new(prepared.irrelevant, engine);
    preds.into_iter().any(|pred| {
        let arity = prepared.program.arity(pred) as u32;
        (0..4usize.pow(arity)).any(|number| {
            let place = |column: u32| values[number / 4usize.pow(column) % 4];
            let row: Vec<TermId> = (0..arity).map(place).collect();
            let mut spoken = row.clone();
            representatives.replace(engine, pred, &mut spoken);
            spoken != row
        })
    })
}
