//! Small rules, grounded.

mod random_games;
mod random_rules;
mod rewriting;
mod unique_facts;

use std::time::{Duration, Instant};

use super::budget::GroundingBudget;
use super::decompose::decompose;
use super::thresholds::Thresholds;
use super::{Ground, GroundError, ground};
use crate::datalog::{DatalogError, EvaluationLimits, Exhausted, Literal};
use crate::gdl;

const FRAME: &str = "(role r)(goal r 0)(<= terminal (true done))";

pub(super) fn limits(rows: usize) -> EvaluationLimits {
    EvaluationLimits {
        rows,
        terms: 100_000,
        time: Duration::from_secs(20),
        ..EvaluationLimits::default()
    }
}

pub(super) fn rules(text: &str) -> gdl::Rules {
    let text = format!("{FRAME}{text}");
    let checked = gdl::load(&text);
    checked
        .rules
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

/// The rules about `about`, one per line, sorted.
fn lines(ground: &Ground, about: &str) -> Vec<String> {
    let text = ground.to_string();
    let mut lines: Vec<String> = text
        .lines()
        .filter(|line| line.contains(about))
        .map(str::to_owned)
        .collect();
    lines.sort();
    lines
}

#[test]
fn static_relations_are_evaluated_away() {
    let game = rules(
        "(init (at 1))(succ 1 2)(succ 2 3)(legal r wait)
         (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (distinct ?y 3))",
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    assert_eq!(lines(&ground, "next"), ["(<= (next (at 2)) (true (at 1)))"]);
}

/// What six players guess, from 0 to 60, is added up by successors: one sum after the other.
#[test]
fn sums_by_successors_are_grounded_along_their_chain() {
    const MOST: usize = 60;
    const PLAYERS: usize = 6;
    let mut text = String::from(
        "(legal r wait) (<= (sum ?x 0 ?x) (number ?x))
         (<= (sum ?x ?y ?z) (succ ?v ?y) (sum ?x ?v ?w) (succ ?w ?z))
         (number 0) (<= (number ?n) (succ ?m ?n)) (<= (next (total ?t)) (total ?t))",
    );
    let mut guessed = String::new();
    let mut sums = String::new();
    for player in 1..=PLAYERS {
        for guess in 0..=MOST {
            text += &format!(
                "(init (guess {player} {guess}))(<= (next (guess {player} {guess})) (true (wait {guess})))"
            );
        }
        guessed += &format!("(true (guess {player} ?g{player}))");
        let before = if player == 2 {
            "?g1".to_owned()
        } else {
            format!("?s{}", player - 1)
        };
        if player > 1 {
            sums += &format!("(sum {before} ?g{player} ?s{player})");
        }
    }
    text += &format!("(<= (total ?s{PLAYERS}) {guessed} {sums})");
    for number in 0..PLAYERS * MOST {
        text += &format!("(succ {number} {})", number + 1);
    }
    text += "(init (wait 0))(<= (next (wait ?n)) (true (wait ?m)) (succ ?m ?n))";
    let ground = ground(&rules(&text), &limits(20_000_000)).unwrap();
    // A rule for each pair of a sum so far and a guess, and some more.
    let pairs: usize = (1..PLAYERS)
        .map(|added| (added * MOST + 1) * (MOST + 1))
        .sum();
    assert!(
        (pairs..pairs + 5_000).contains(&ground.rules.len()),
        "{}",
        ground.rules.len()
    );
    assert_eq!(lines(&ground, "(next (total").len(), PLAYERS * MOST + 1);
}

#[test]
fn relations_of_the_rules_keep_their_names() {
    let game = rules(
        "(role s)(player s)(legal r wait)(<= (legal ?p noop) (player ?p))
         (init (at 1))(<= (next (at 1)) (does s noop))",
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    let legal = lines(&ground, "legal");
    assert_eq!(legal, ["(<= (legal r wait))", "(<= (legal s noop))"]);
}

#[test]
fn the_limit_on_rows_does_not_change_the_result() {
    let facts: String = (0..12)
        .map(|i| format!("(init (a {i}))(init (b {i}))(num {i})"))
        .collect();
    let game = rules(&format!(
        "{facts}(<= (met (f ?x ?y)) (true (a ?x)) (true (b ?y)))
         (<= (apart ?x ?y) (num ?x) (num ?y) (not (met (f ?x ?y))))
         (<= (legal r (go ?x ?y)) (apart ?x ?y))(legal r wait)
         (<= (next (a ?x)) (does r (go ?x ?y)))(<= (next (b ?y)) (does r (go ?x ?y)))"
    ));
    let all = ground(&game, &limits(100_000)).unwrap();
    let mut grounded = 0;
    for rows in (10..2000).step_by(10) {
        if let Ok(ground) = ground(&game, &limits(rows)) {
            assert_eq!(ground.to_string(), all.to_string(), "{rows} rows");
            grounded += 1;
        }
    }
    assert!(grounded > 0);
}

#[test]
fn negation_of_an_unreachable_fact_is_true() {
    let game = rules(
        "(init (at 1))(<= (legal r wait) (not (true (ghost))) (not (true (at 1))))
         (<= (legal r go) (true (at 1)))
         (<= (next (at 2)) (does r go))(<= (next (at 2)) (true (at 2)) (not (true (at 1))))",
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    let legal = lines(&ground, "<= (legal");
    assert_eq!(
        legal,
        [
            "(<= (legal r go) (true (at 1)))",
            "(<= (legal r wait) (not (true (at 1))))"
        ]
    );
    assert!(lines(&ground, "next").contains(&"(<= (next (at 2)) (does r go))".to_owned()));
}

#[test]
fn unrelated_variables_do_not_multiply() {
    let facts: String = (0..30)
        .map(|n| format!("(n {n})(init (p {n}))(init (q {n}))"))
        .collect();
    let game = rules(&format!(
        "{facts}(legal r wait)(<= (next (p ?x)) (true (p ?x)))(<= (next (q ?x)) (true (q ?x)))
         (<= (next done) (true (p ?a)) (true (q ?b)) (n ?c) (true (p ?c)) (true (q ?d)) (distinct ?c ?d))"
    ));
    // Once for each combination this would be 30 to the power of 4.
    let ground = ground(&game, &limits(20_000)).unwrap();
    assert!(ground.rules.len() < 2000, "{} rules", ground.rules.len());
}

/// Twelve squares, of which each is marked or not, and rules that count the marks in numbers up to 60.
fn counting(question: &str) -> gdl::Rules {
    let squares: String = (1..=12)
        .map(|n| format!("(init (blank {n}))(square {n})(after {n} {})", n + 1))
        .collect();
    let numbers: String = (0..60).map(|n| format!("(plus {n} {})", n + 1)).collect();
    rules(&format!(
        "{squares}{numbers}(<= (legal r (mark ?s)) (true (blank ?s)))
         (<= (next (marked ?s)) (does r (mark ?s)))(<= (next (marked ?s)) (true (marked ?s)))
         (<= (next (blank ?s)) (true (blank ?s)) (does r (mark ?t)) (distinct ?s ?t))
         (<= (number ?n) (plus ?n ?m))
         (<= (from 13 ?n ?n) (number ?n))
         (<= (from ?s ?n ?all) (true (marked ?s)) (plus ?n ?m) (after ?s ?t) (from ?t ?m ?all))
         (<= (from ?s ?n ?all) (true (blank ?s)) (after ?s ?t) (from ?t ?n ?all))
         {question}"
    ))
}

#[test]
fn magic_sets_restrict_recursions_to_the_values_queried() {
    // From every number there would be some thousands of rules; from 0 on, no more marks than squares before.
    let asked = counting("(<= (next (sum ?n)) (from 1 0 ?n))");
    let ground = ground(&asked, &limits(20_000)).unwrap();
    let sums = lines(&ground, "<= (next (sum");
    assert_eq!(sums.len(), 13);
    assert!(lines(&ground, "<= (from").len() < 1000, "{ground}");
}

#[test]
fn negated_recursions_are_derived_for_all_values() {
    let ground_of = |question: &str| ground(&counting(question), &limits(1_000_000)).unwrap();
    let denied = "(<= (next odd) (true (blank 2)) (not (from 2 7 9)))";
    let with = ground_of(&format!("{denied}(<= (next (sum ?n)) (from 1 0 ?n))"));
    let alone = ground_of(denied);
    for ground in [&with, &alone] {
        let rules = lines(ground, "(next odd)");
        assert_eq!(
            rules,
            ["(<= (next odd) (true (blank 2)) (not (from 2 7 9)))"]
        );
    }
    assert_eq!(
        lines(&with, "<= (from 2 7 9)"),
        lines(&alone, "<= (from 2 7 9)")
    );
}

#[test]
fn buckets_of_different_arity_get_different_relations() {
    let game = rules(
        "(init (p 1 2))(legal r wait)(n 1)(n 2)
         (<= (next (a ?x)) (true (p ?x ?y)) (true (p ?z ?w)) (n ?z))
         (<= (next (b ?x ?y)) (true (p ?x ?y)) (true (p ?z ?w)) (n ?w))",
    );
    let mut budget = GroundingBudget::new(limits(10_000), Instant::now());
    let program = gdl::translate(&game).0;
    let program = decompose(&program, &Thresholds::default(), &mut budget)
        .unwrap()
        .program;
    for clause in program.clauses() {
        assert_eq!(clause.head.args.len(), program.arity(clause.head.pred));
        for literal in &clause.body {
            if let Literal::Positive(atom) = literal {
                assert_eq!(atom.args.len(), program.arity(atom.pred));
            }
        }
    }
    let ground = ground(&game, &limits(1000)).unwrap();
    assert_eq!(lines(&ground, "(next (b 1 2))").len(), 1);
}

#[test]
fn too_many_rows_are_refused_within_the_limits() {
    let facts: String = (0..40).map(|n| format!("(init (p {n}))")).collect();
    let game = rules(&format!(
        "{facts}(legal r wait)(<= (next (t ?a ?b ?c ?d)) (true (p ?a)) (true (p ?b)) (true (p ?c)) (true (p ?d)))"
    ));
    let error = ground(&game, &limits(50_000)).unwrap_err();
    assert_exhausted(&error, Exhausted::Rows(50_000), "`(next (t …))` in line 1");
}

#[test]
fn terms_that_grow_are_refused_at_once() {
    let game = rules(
        "(init (count zero))(legal r go)(<= (next (count (s ?n))) (true (count ?n)) (does r go))",
    );
    let error = ground(&game, &EvaluationLimits::default()).unwrap_err();
    let place = "`(next (count …))` in line 1, which had derived ";
    assert_exhausted(&error, Exhausted::Depth(super::DEEPEST), place);
}

fn assert_exhausted(error: &GroundError, limit: Exhausted, place: &str) {
    let GroundError::Datalog(DatalogError::Exhausted { why, .. }) = error else {
        panic!("{error}");
    };
    assert_eq!(*why, limit);
    let said = error.to_string();
    assert!(
        said.contains(&format!("; see the rule for {place}")),
        "{said}"
    );
}

#[test]
fn too_many_conditions_are_refused_within_the_limits() {
    let facts: String = (0..30).map(|n| format!("(init (p {n}))")).collect();
    // Few sentences can hold, but `t` in many ways.
    let game = rules(&format!(
        "{facts}(legal r wait)(<= (legal r go) (not t))
         (<= t (true (p ?a)) (true (p ?b)) (distinct ?a ?b))"
    ));
    let error = ground(&game, &limits(500)).unwrap_err();
    assert_eq!(error, GroundError::Conditions(500));
}

#[test]
fn relations_that_no_query_depends_on_are_left_out() {
    let game = rules(
        "(init (at 1))(legal r wait)(<= (next (at 2)) (true (at 1)))
         (<= idle (true (at 1)) (true (at 2)))(<= (idle 1) (not idle))",
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    assert!(lines(&ground, "idle").is_empty());
}

#[test]
fn equivalent_sentences_are_merged() {
    let game = rules(
        "(init (at 1))(init (at 2))(n 1)(n 2)(n 3)(legal r wait)
         (<= (open ?x ?y) (n ?x) (true (at ?y)) (not (true (shut ?y))))
         (<= (next (shut ?y)) (open ?x ?y) (distinct ?x ?y))
         (<= (next (at ?y)) (not (open ?y ?y)) (true (at ?y)))",
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    assert_eq!(lines(&ground, "<= (open").len(), 2, "{ground}");
}

#[test]
fn recursive_sentences_keep_their_rules() {
    let game = rules(
        "(init (edge 1 2))(init (edge 2 1))(init (edge 2 3))(legal r wait)
         (<= (legal r (go ?y)) (reach ?y))
         (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does r (go ?y))))
         (<= (reach ?y) (true (edge 1 ?y)))(<= (reach ?y) (reach ?x) (true (edge ?x ?y)))",
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    let reach = ["1", "2", "3"].map(|n| lines(&ground, &format!("<= (reach {n}")).join(""));
    assert!(
        reach[0].contains("(reach 2)") && reach[1].contains("(reach 1)"),
        "{ground}"
    );
}

#[test]
fn static_facts_are_removed_from_the_rules() {
    let walls = "(init (at 1))(init (wall 2))(n 1)(n 2)(n 3)(legal r wait)
         (<= (legal r (go ?x)) (n ?x) (not (true (wall ?x))))
         (<= (next (at ?x)) (does r (go ?x)))
         (<= (next (wall ?x)) (true (at ?x)) (true (wall ?x)))";
    let static_facts = |rule: &str| {
        let ground = ground(&rules(&format!("{walls}{rule}")), &limits(1000)).unwrap();
        let texts = ground
            .static_facts
            .iter()
            .map(|&fact| ground.terms.text(fact));
        (texts.collect::<Vec<_>>(), ground.to_string())
    };
    let (facts, ground) = static_facts("(<= (next (wall ?x)) (true (wall ?x)))");
    assert_eq!(facts, ["(wall 2)"]);
    assert!(!ground.contains("true (wall"), "{ground}");
    assert!(!ground.contains("go 2"), "{ground}");
    for changing in [
        "",
        "(<= (next (wall 2)) (true (wall 2)))",
        "(<= (next (wall ?x)) (true (wall ?x)))(<= (next (wall ?x)) (does r (go ?x)))",
        "(<= (next (wall ?x)) (true (wall ?x)))(<= (next ?f) (true ?f))",
    ] {
        assert_eq!(static_facts(changing).0, [""; 0], "{changing}");
    }
}
