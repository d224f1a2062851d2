//! The checks and the translation of rules on small texts.

use proptest::prelude::*;

use crate::gdl::{Rule, RuleLiteral, Rules, load};
use crate::kif::{self, Diagnostic};

/// A complete game, to which tests add sentences.
pub(super) const GAME: &str = "(role r) (init (s 0)) (legal r a) (<= (next (s 1)) (does r a)) (<= terminal (true (s 1))) (goal r 100)\n";

/// The codes of all findings about a small game with `extra` sentences, in order; unused facts are
/// ignored.
pub(super) fn codes(extra: &str) -> Vec<&'static str> {
    let checked = load(&format!("{GAME}{extra}"));
    let codes = checked.diagnostics.iter().map(|finding| finding.code);
    codes.filter(|code| *code != "unread-fact").collect()
}

fn errors(extra: &str) -> Vec<&'static str> {
    let checked = load(&format!("{GAME}{extra}"));
    let errors = checked
        .diagnostics
        .iter()
        .filter(|finding| finding.is_error());
    errors.map(|finding| finding.code).collect()
}

pub(super) fn accepts(extra: &str) -> Rules {
    assert_eq!(errors(extra), [""; 0], "in: {extra}");
    load(&format!("{GAME}{extra}")).rules.unwrap()
}

fn rejects(extra: &str, code: &str) {
    assert!(
        errors(extra).contains(&code),
        "{code} is not among {:?} in: {extra}",
        errors(extra)
    );
}

#[test]
fn a_complete_game_has_no_findings() {
    assert_eq!(codes(""), [""; 0]);
}

#[test]
fn keywords_are_read_in_any_case() {
    let rules = load("(ROLE R) (Init B) (LEGAL R a) (<= (next x) (DOES R a) (NOT (true B))) (<= TERMINAL (true x)) (goal R 50)").rules.unwrap();
    assert_eq!(rules.roles().len(), 1);
    let next = &rules.rules()[3];
    assert!(matches!(next.body[1], RuleLiteral::Fails(_)), "{next:?}");
}

#[test]
fn unsafe_rules_are_rejected() {
    rejects("(<= (p ?x) (q ?y)) (q 1)", "unsafe-head");
    rejects("(<= p (q ?x) (not (q ?y))) (q 1)", "unsafe-negation");
    rejects("(<= p (q ?x) (distinct ?x ?y)) (q 1)", "unsafe-distinct");
    rejects("(<= (p ?x) (or (q ?x) (true (s 0)))) (q 1)", "unsafe-head");
    rejects("(p ?x)", "variable-in-fact");
    rejects("(<= (p ?x))", "variable-in-fact");
}

#[test]
fn safe_rules_in_any_order_are_accepted() {
    accepts("(<= (p ?x) (distinct ?x 2) (not (q 3)) (q ?x)) (q 1)");
    accepts("(<= (p ?x) (or (q ?x) (and (q ?x)))) (q 1)");
    accepts("(<= (p ?x) (q ?x) (not (or (q 2) (distinct ?x 1)))) (q 1)");
    accepts("(<= (p ?f ?m) (true ?f) (does r ?m))");
}

#[test]
fn or_becomes_rules() {
    let before = accepts("").rules().len();
    let rules = accepts("(<= p (or (q 1) (q 2)) (not (or (q 3) (not (q 4))))) (q 1)");
    assert_eq!(rules.rules().len(), before + 3);
    let branches: String = (0..14).map(|n| format!("(or (q {n}) (q 1))")).collect();
    rejects(&format!("(<= p {branches}) (q 1)"), "too-many-branches");
}

#[test]
fn cycles_through_negation_are_rejected() {
    rejects(
        "(<= (p ?x) (q ?x) (not (o ?x))) (<= (o ?x) (p ?x)) (q 1)",
        "negative-circle",
    );
    rejects("(<= p (not p))", "negative-circle");
    accepts("(<= (p ?x) (q ?x) (not (o ?x))) (<= (o ?x) (q ?x)) (q 1)");
}

#[test]
fn relations_may_be_stratified_by_value() {
    let rules = accepts(
        "(<= (goal r 0) (not (goal r 100)) (not (goal r 50))) (<= (goal r 50) (not (goal r 100)))",
    );
    let depends = |rule: &&Rule| {
        rule.body
            .iter()
            .any(|literal| matches!(literal, RuleLiteral::Fails(_)))
    };
    assert_eq!(rules.rules().iter().filter(depends).count(), 2);
    let text = format!("{:?}", rules.rules());
    assert!(
        text.contains("goal/100") && text.contains("goal/50"),
        "{text}"
    );
    rejects(
        "(<= (goal r 0) (not (goal r 50))) (<= (goal r 50) (not (goal r 0)))",
        "negative-circle",
    );
    rejects(
        "(<= (goal r 0) (not (goal r ?v))) (<= (goal r 50) (does r ?v))",
        "negative-circle",
    );
}

#[test]
fn recursion_must_not_build_endless_terms() {
    rejects("(p 0) (<= (p (f ?x)) (p ?x))", "endless-recursion");
    rejects(
        "(p 0) (<= (q (f ?x)) (p ?x)) (<= (p ?x) (q ?x))",
        "endless-recursion",
    );
    rejects("(p 0 1) (<= (p (f ?y) ?x) (p ?x ?y))", "endless-recursion");
    accepts("(p 0) (<= (p (f ?x)) (p ?x) (q ?x)) (q 0)");
    accepts("(p (f 0)) (<= (p ?x) (p (f ?x)))");
    accepts(
        "(<= (path ?x ?z) (path ?x ?y) (true (edge ?y ?z))) (<= (path ?x ?y) (true (edge ?x ?y)))",
    );
    accepts("(p 0 0) (q 0) (<= (p ?x (f ?x)) (p ?y ?x) (q ?y))");
}

#[test]
fn init_base_and_input_must_not_depend_on_the_state() {
    rejects("(<= (init (s 2)) (true (s 1)))", "depends-on-state");
    rejects(
        "(<= (base ?x) p (true ?x)) (<= p (does r a))",
        "depends-on-state",
    );
    rejects(
        "(<= (legal r b) p) (<= p (does r a))",
        "legal-depends-on-does",
    );
    assert_eq!(codes("(<= terminal (does r a))"), ["end-depends-on-does"]);
}

#[test]
fn keyword_relations_have_their_place_and_arity() {
    rejects("(<= (true p) (q 1))", "keyword-in-head");
    rejects("(does r a)", "keyword-in-head");
    rejects("(<= p (next q))", "keyword-in-body");
    rejects("(<= (role x) (true (s 0)))", "role-rule");
    rejects("(<= (terminal) (true (s 0)))", "terminal-parentheses");
    rejects("(<= (next a b) (true (s 0)))", "wrong-arity");
    rejects("(<= p (not))", "wrong-arity");
    rejects("(<= p (true))", "wrong-arity");
}

#[test]
fn lists_that_are_no_sentences_are_rejected() {
    rejects("(<=)", "malformed-rule");
    rejects("(terminal <= (true x))", "malformed-rule");
    rejects("()", "empty-list");
    rejects("((f) x)", "nameless-list");
    rejects("(<= p ?x)", "variable-sentence");
    rejects("(not p)", "connective-in-head");
    rejects("(<= p (true (or a b)))", "connective-in-term");
    rejects("(<= p (q 1) (<= r (q 2)))", "nested-rule");
    rejects("(<= p not (q 1))", "lone-connective");
}

#[test]
fn comparisons_are_told_from_rules_among_the_conditions() {
    let help = |rule: &str| {
        let found = load(rule).diagnostics;
        let nested = found.into_iter().find(|one| one.code == "nested-rule");
        nested.unwrap().help.unwrap()
    };
    assert!(help("(<= p (q ?a) (<= ?a 3))").contains("snippet less"));
    assert!(help("(<= p (q 1) (<= (r 1) (q 2)))").contains("close the rule"));
}

#[test]
fn every_problem_is_reported_in_one_run() {
    let found = errors("(<= (p ?x) (q ?y)) ( () (?x) ) (<= (true p)) (<= o (not o))");
    assert_eq!(
        found,
        [
            "unsafe-head",
            "nameless-list",
            "nameless-list",
            "keyword-in-head",
            "negative-circle"
        ]
    );
}

#[test]
fn no_text_is_too_long_or_too_deep() {
    let chain: String = (0..20_000)
        .map(|n| format!("(<= p{} p{n}) ", n + 1))
        .collect();
    accepts(&format!("p0 {chain} (<= (next x) p20000)"));
    rejects(
        &format!("(<= p0 (does r a)) {chain} (<= (legal r b) p20000)"),
        "legal-depends-on-does",
    );
    rejects(&format!("(<= p0 (not p20000)) {chain}"), "negative-circle");
    let deep = format!("{}(q 1){}", "(or (not ".repeat(240), "))".repeat(240));
    accepts(&format!("(<= p {deep}) (q 1)"));
    let long: String = (0..20_000).map(|n| format!("(q {n})")).collect();
    let branches: String = (0..13).map(|n| format!("(or (q {n}) (o {n}))")).collect();
    rejects(&format!("(<= p {branches} {long})"), "too-many-branches");
}

#[test]
fn a_text_nested_too_deep_has_no_other_diagnostics() {
    let checked = load(&"(".repeat(1000));
    let codes: Vec<_> = checked.diagnostics.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["too-deep"]);
    assert!(checked.rules.is_none());
}

#[test]
fn long_chains_are_cut_short() {
    let chain: String = (0..100).map(|n| format!("(<= p{} p{n}) ", n + 1)).collect();
    let checked = load(&format!(
        "{GAME}(<= p0 (does r a)) {chain} (<= (legal r b) p100)"
    ));
    let finding = checked
        .diagnostics
        .iter()
        .find(|finding| finding.is_error())
        .unwrap();
    assert_eq!(finding.labels.len(), 12);
}

proptest! {
    #[test]
    fn any_text_gets_rules_or_an_error(
        words in proptest::collection::vec(
            prop_oneof![
                Just("("), Just("("), Just(")"), Just(")"), Just("(<="), Just("(role r)"), Just("(true"), Just("(next"),
                Just("(legal r"), Just("(does ?p"), Just("(goal"), Just("terminal"), Just("(or"), Just("(not"),
                Just("(distinct"), Just("?x"), Just("?y"), Just("p"), Just("(p"), Just("100"), Just("(init")
            ],
            0..60,
        )
    ) {
        let text = format!("{GAME}{}", words.join(" "));
        let checked = load(&text);
        let sound = !checked.diagnostics.iter().any(Diagnostic::is_error);
        prop_assert_eq!(checked.rules.is_some(), sound);
        let places: Vec<_> = checked.diagnostics.iter().map(|finding| finding.span.start).collect();
        let (parentheses, rules) = places.split_at(kif::parse(&text).diagnostics.len());
        prop_assert!(parentheses.is_sorted() && rules.is_sorted());
    }
}

#[test]
fn a_wrong_parenthesis_is_reported_before_what_it_makes_missing() {
    let text = "(role a) (init x) (<= (legal a go) (true x)) (<= (next x) (does a go)) (<= terminal (true y) (goal a 100)";
    let codes: Vec<&str> = load(text)
        .diagnostics
        .iter()
        .map(|found| found.code)
        .collect();
    assert_eq!(codes.first(), Some(&"unclosed-parenthesis"), "{codes:?}");
    assert!(codes.contains(&"missing-goal"), "{codes:?}");
}
