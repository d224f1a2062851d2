//! Random game descriptions, mostly valid ones.

use kolibri::gdl;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::properties;

/// A complete game, to which rules are added.
const GAME: &str = "(role r) (init (s 0)) (legal r a) (<= terminal (true (s 1))) (goal r 100)
(<= (next (s ?x)) (does r a) (q ?x)) (q 0) (q 1) (o 0 (f 1))\n";

/// Terms with the variables that [`sentence`] binds.
fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("?x"), Just("?y"), Just("0"), Just("b"), Just("Init")];
    leaf.prop_map(str::to_owned)
        .prop_recursive(2, 6, 2, |term| {
            prop_oneof![
                term.clone().prop_map(|inner| format!("(f {inner})")),
                (term.clone(), term)
                    .prop_map(|(one, other)| format!("(g {one}; a comment\n {other})")),
            ]
        })
}

fn sentence() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("p".to_owned()),
        term().prop_map(|term| format!("(q {term})")),
        (term(), term()).prop_map(|(one, other)| format!("(o {one} {other})")),
        term().prop_map(|term| format!("(true (s {term}))")),
        Just("(TRUE ?x)".to_owned()),
    ]
}

fn condition() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => sentence(),
        1 => (term(), term()).prop_map(|(one, other)| format!("(distinct {one} {other})")),
    ];
    leaf.prop_recursive(3, 8, 3, |condition| {
        prop_oneof![
            condition.clone().prop_map(|inner| format!("(not {inner})")),
            prop::collection::vec(condition, 1..4)
                .prop_map(|branches| format!("(or\n{})", branches.join(" "))),
        ]
    })
}

/// A safe rule: other things may be wrong with it.
fn rule() -> impl Strategy<Value = String> {
    let head = prop_oneof![
        term().prop_map(|term| format!("(h {term})")),
        term().prop_map(|term| format!("(next (s {term}))")),
        Just("(legal r (go ?x))".to_owned()),
        Just("(goal r 0)".to_owned()),
        Just("p".to_owned()),
    ];
    (head, prop::collection::vec(condition(), 0..4))
        .prop_map(|(head, body)| format!("(<= {head} {} (q ?x) (q ?y))\n", body.join(" ")))
}

proptest! {
    #[test]
    fn accepted_descriptions_survive_being_printed(
        rules in prop::collection::vec(rule(), 0..8),
        spoilt in prop::option::weighted(0.1, any::<prop::sample::Index>()),
    ) {
        let mut text = format!("{GAME}{}", rules.concat());
        if let Some(index) = spoilt {
            text.remove(index.index(text.len()));
        }
        properties::check(text.as_bytes());
        properties::format(text.as_bytes());
        properties::roundtrip(text.as_bytes());
    }
}

/// Otherwise the property above would be vacuous.
#[test]
fn most_random_descriptions_are_accepted() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let descriptions = prop::collection::vec(rule(), 0..8);
    let mut accepted = 0;
    for _ in 0..100 {
        let rules = descriptions.new_tree(&mut runner).unwrap().current();
        accepted += usize::from(
            gdl::load(&format!("{GAME}{}", rules.concat()))
                .rules
                .is_some(),
        );
    }
    assert!(accepted > 50, "{accepted} of 100");
}
