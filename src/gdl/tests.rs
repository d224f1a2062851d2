//! One small text per promise.

use crate::gdl::{Literal, Rule, Rules, load};

/// A game that everything needed is in, so that a test can add what it is about.
const GAME: &str = "(role r) (init (s 0)) (legal r a) (<= (next (s 1)) (does r a)) (<= terminal (true (s 1))) (goal r 100)\n";

/// The codes of all findings about a small game with `extra` sentences, in order.
fn codes(extra: &str) -> Vec<&'static str> {
    let checked = load(&format!("{GAME}{extra}"));
    checked
        .diagnostics
        .iter()
        .map(|finding| finding.code)
        .collect()
}

fn errors(extra: &str) -> Vec<&'static str> {
    let checked = load(&format!("{GAME}{extra}"));
    let errors = checked
        .diagnostics
        .iter()
        .filter(|finding| finding.is_error());
    errors.map(|finding| finding.code).collect()
}

fn accepts(extra: &str) -> Rules {
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
    assert!(matches!(next.body[1], Literal::Fails(_)), "{next:?}");
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
fn negation_in_a_circle_is_rejected() {
    rejects(
        "(<= (p ?x) (q ?x) (not (o ?x))) (<= (o ?x) (p ?x)) (q 1)",
        "negative-circle",
    );
    rejects("(<= p (not p))", "negative-circle");
    accepts("(<= (p ?x) (q ?x) (not (o ?x))) (<= (o ?x) (q ?x)) (q 1)");
}

#[test]
fn a_relation_may_depend_on_the_absence_of_another_value() {
    let rules = accepts(
        "(<= (goal r 0) (not (goal r 100)) (not (goal r 50))) (<= (goal r 50) (not (goal r 100)))",
    );
    let depends = |rule: &&Rule| {
        rule.body
            .iter()
            .any(|literal| matches!(literal, Literal::Fails(_)))
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
fn recursion_must_not_build_terms_without_end() {
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
fn what_comes_before_the_state_may_not_depend_on_it() {
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
fn what_is_no_sentence_is_rejected() {
    rejects("(<=)", "malformed-rule");
    rejects("()", "empty-list");
    rejects("((f) x)", "nameless-list");
    rejects("(<= p ?x)", "variable-sentence");
    rejects("(not p)", "connective-in-head");
    rejects("(<= p (true (or a b)))", "connective-in-term");
    rejects("(<= p (q 1) (<= r (q 2)))", "nested-rule");
    rejects("(<= p not (q 1))", "lone-connective");
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

/// The only finding about a game with `extra` has this code and mentions `words` in its message or help.
fn warns(extra: &str, code: &str, words: &str) {
    let checked = load(&format!("{GAME}{extra}"));
    let found: Vec<_> = checked
        .diagnostics
        .iter()
        .filter(|finding| finding.code == code)
        .collect();
    let [finding] = found.as_slice() else {
        panic!("{code} is not once among {:?}", checked.diagnostics);
    };
    let text = format!("{} {:?}", finding.message, finding.help);
    assert!(text.contains(words), "{text}");
    assert!(!finding.is_error());
}

fn is_quiet(extra: &str) {
    assert_eq!(codes(extra), [""; 0], "in: {extra}");
}

#[test]
fn names_that_differ_in_case_are_pointed_out() {
    warns(
        "(<= (next x) (true Open)) (<= (next open) (true open))",
        "case-differs",
        "`Open` and `open`",
    );
    is_quiet("(<= (next x) (TRUE open)) (<= (next open) (true open))");
}

#[test]
fn relations_are_defined_and_used() {
    warns(
        "(<= (next x) (opne 1)) (open 1)",
        "undefined-relation",
        "did you mean `open`",
    );
    warns(
        "(<= (next x) (opne 1)) (open 1)",
        "unused-relation",
        "did you mean `opne`",
    );
    warns(
        "(<= (next x) (and (true x) (true y)))",
        "undefined-relation",
        "no `and`",
    );
    warns(
        "(<= (next x) (open 1 2)) (open 1) (<= (next x) (open 1))",
        "undefined-relation",
        "`(open _)`",
    );
    warns("(legel r b)", "unused-relation", "did you mean `legal`");
    warns("(p 1)", "unused-relation", "nothing uses `(p _)`");
    is_quiet("(<= (p ?x) (q ?x)) (q 1) (<= (next ?x) (p ?x))");
}

#[test]
fn shapes_of_names_are_consistent() {
    warns(
        "(<= (next x) (p)) (<= p (true x))",
        "needless-parentheses",
        "different",
    );
    warns(
        "(<= (next (f)) (true x))",
        "needless-parentheses",
        "write `f`",
    );
    warns(
        "(<= (next x) (p 1) (p 1 2)) (p 1) (p 1 2)",
        "arity-differs",
        "relation `p`",
    );
    warns(
        "(<= (next (f 1)) (true (f 1 2)))",
        "arity-differs",
        "function `f`",
    );
    is_quiet("(<= (next (cell cell)) (cell 1)) (cell 1)");
}

#[test]
fn players_are_known_and_taken_care_of() {
    warns("(role r)", "duplicate-role", "`r`");
    assert_eq!(
        accepts("(role r) (<= (legal ?p b) (role ?p))")
            .roles()
            .len(),
        1
    );
    warns(
        "(<= (next x) (does rr a))",
        "unknown-role",
        "the players are `r`",
    );
    warns(
        "(role white) (legal whtie a) (<= (legal ?p b) (role ?p)) (goal white 1)",
        "unknown-role",
        "`white`",
    );
    warns("(role s) (legal s a)", "no-goal", "`s`");
    warns("(role s) (goal s 1)", "no-legal", "(legal s noop)");
    warns("(<= (goal r 101) (true x))", "odd-score", "`101`");
    warns("(<= (goal r high) (true x))", "odd-score", "`high`");
    is_quiet("(<= (goal r 050) (true x)) (<= (goal r ?v) (true (v ?v)))");
}

#[test]
fn misspelt_variables_are_pointed_out() {
    warns(
        "(<= (next x) (true (f ?player)) (true (g ?playr)))",
        "lone-variable",
        "did you mean `?player`",
    );
    warns(
        "(<= (next x) (true (f ?player)) (true (g ?Player)))",
        "lone-variable",
        "`?Player`",
    );
    is_quiet(
        "(<= (next x) (true (f ?row1)) (true (g ?row2)) (true (h ?any)) (true (k ?xOld ?yOld)))",
    );
}

#[test]
fn repeated_and_contradictory_rules_are_pointed_out() {
    warns(
        "(<= (next x) (true y) (true z)) (<= (next x) (true z) (true y))",
        "duplicate-rule",
        "rule",
    );
    warns("(init x) (init x)", "duplicate-rule", "fact");
    warns("(<= (next x))", "empty-body", "write `(next x)`");
    warns(
        "(<= (next x) (true ?x) (distinct ?x ?x))",
        "never-holds",
        "distinct from itself",
    );
    warns(
        "(<= (next x) (true ?x) (not (true ?x)))",
        "never-holds",
        "cannot hold and fail",
    );
}

#[test]
fn odd_uses_of_keywords_are_pointed_out() {
    warns(
        "(<= (legal r ?m) (input r ?m)) (input r a)",
        "base-in-body",
        "`input`",
    );
    warns("(<= (next (true x)) (true x))", "keyword-in-term", "`true`");
    warns("(<= (next (<= x)) (true x))", "keyword-in-term", "`<=`");
    is_quiet(
        "(<= (next true) (true (base input)))"
            .replace("(base input)", "base")
            .as_str(),
    );
}

#[test]
fn what_could_not_be_read_is_not_called_missing() {
    assert_eq!(
        codes("(<= (next x) (p 1) ()) (<= (next x) (q 1)) (<= (q 1) ())"),
        ["empty-list", "empty-list"]
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

#[test]
fn words_that_never_stand_where_they_are_asked_for_are_pointed_out() {
    let board = "(init (cell 1 blank)) (<= (next (cell ?n x)) (true (cell ?n blank)) (does r a))";
    warns(
        &format!("{board} (<= (next y) (true (cell 1 blnk)))"),
        "never-holds",
        "did you mean `blank`",
    );
    warns(
        &format!("{board} (<= (next y) (not (true (cell x blank))) (true (cell 1 x)))"),
        "never-holds",
        "may stand `1`",
    );
    warns(
        "(<= (legal r (go ?n)) (true (s ?n))) (<= (next y) (does r (go 7)))",
        "never-holds",
        "no move `go`",
    );
    warns(
        "(small 1) (big 2) (<= (next y) (small ?n) (big ?n))",
        "never-holds",
        "no value of `?n`",
    );
    is_quiet(&format!(
        "{board} (<= (next y) (true (cell ?n ?c)) (distinct ?c x) (not (true (cell 1 x))))"
    ));
    is_quiet("(<= (next ?f) (true ?f) (not (true (s 0)))) (<= (next y) (true (s 1)))");
    is_quiet("(<= (next ?m) (does r ?m)) (<= (next y) (true (s 7)))");
}
