//! The rewriting steps before instantiation.

use std::time::Instant;

use super::super::budget::GroundingBudget;
use super::super::flatten::flatten_arguments;
use super::super::inline::inline;
use super::super::thresholds::Thresholds;
use super::super::{Ground, GroundError, GroundingAssumptions, ground, ground_within};
use super::{limits, lines, rules};
use crate::datalog::{EvaluationLimits, Exhausted, Program};
use crate::gdl;
use crate::util::StopFlag;

#[test]
fn irrelevant_arguments_share_a_representative() {
    let squares: String = (1..=9)
        .map(|n| format!("(square {n})(after {n} {})(init (empty {n}))", n + 1))
        .collect();
    let game = rules(&format!(
        "{squares}(<= (legal r (fill ?s)) (square ?s) (not (open 1 9 ?s ?s 1)))
         (<= (next (empty ?s)) (true (empty ?s)) (not (does r (fill ?s))))
         (<= (open ?u ?v ?gone ?not ?any) (after ?u ?v) (square ?gone) (square ?not) (square ?any) (distinct ?u ?not))
         (<= (open ?u ?v ?gone ?not ?any) (after ?u ?w) (true (empty ?w)) (open ?w ?v ?gone ?not ?any))
         (<= (open ?u ?v ?gone ?not ?any) (after ?u ?gone) (open ?gone ?v ?gone ?not ?any))"
    ));
    let ground = ground(&game, &limits(200_000)).unwrap();
    // `?not` distinguishes square 8, `?gone` squares 2 to 8; all other squares share a representative.
    let ends = lines(&ground, "(open 8 9").len();
    assert!(ends <= 4, "{ground}");
    let all = lines(&ground, "<= (open").len();
    assert!(all < 100, "{all} rules: {ground}");
}

#[test]
fn compound_arguments_are_flattened() {
    let game = rules(
        "(init (at 1))(n 1)(n 2)(n 3)
         (<= (can (go ?x ?y)) (true (at ?x)) (n ?y) (distinct ?x ?y))
         (<= (legal r (go ?x ?y)) (can (go ?x ?y)))
         (<= (next (at ?y)) (does r (go ?x ?y)))",
    );
    let (program, relations) = gdl::translate(&game);
    let flattened = flatten_arguments(&program, &[relations.legal, relations.next, relations.init]);
    assert!(flattened.find_pred("can/1 flattened", 2).is_some());
    let can = program.find_pred("can", 1).unwrap();
    assert!(
        flattened
            .clauses()
            .iter()
            .all(|clause| clause.head.pred != can)
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    assert_eq!(
        lines(&ground, "(legal r (go 1 2))"),
        ["(<= (legal r (go 1 2)) (true (at 1)))"]
    );
}

/// Grounds with the sizes of relations unknown, so that their rows are derived by key.
fn grounded_by_key(game: &gdl::Rules) -> Ground {
    let thresholds = Thresholds {
        sizing_rows: 0,
        ..Thresholds::default()
    };
    ground_within(game, &limits(1000), &thresholds, GroundingAssumptions::None).unwrap()
}

#[test]
fn negated_sentences_may_have_terms_that_do_not_exist_yet() {
    let game = rules(
        "(init (a 1))(n 1)(n 2)(<= (next (a ?x)) (true (a ?x)) (does r wait))(legal r wait)
         (<= (some ?t) (met ?t))(<= (met (f ?x ?y)) (true (a ?x)) (n ?y))
         (<= (legal r (go ?x)) (n ?x) (not (met (f ?x ?x))))",
    );
    assert_eq!(
        lines(&grounded_by_key(&game), "(legal r (go"),
        [
            "(<= (legal r (go 1)) (not (true (a 1))))",
            "(<= (legal r (go 2)))"
        ]
    );
}

#[test]
fn copied_sentences_may_have_terms_that_do_not_exist_yet() {
    let game = rules(
        "(init (a 1))(n 1)(n 2)(<= (next (a ?x)) (true (a ?x)) (does r wait))(legal r wait)
         (<= (some ?t) (met ?t))(<= (met (f ?x ?y)) (true (a ?x)) (n ?y))
         (<= (meet ?x ?y) (met (f ?x ?y)))
         (<= (legal r (go ?x)) (n ?x) (not (meet ?x ?x)))",
    );
    assert_eq!(
        lines(&grounded_by_key(&game), "(legal r (go"),
        [
            "(<= (legal r (go 1)) (not (true (a 1))))",
            "(<= (legal r (go 2)))"
        ]
    );
}

#[test]
fn a_sentence_with_a_static_rule_is_true_whatever_its_other_rules_say() {
    let game = rules(
        "on (init (at 1))(<= (next (at 1)) (true (at 1)) (does r wait))(legal r wait)
         (<= won on)(<= won (true (at 1)))(<= (legal r go) won)",
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    assert_eq!(lines(&ground, "(legal r go"), ["(<= (legal r go))"]);
}

#[test]
fn values_that_fail_two_conditions_are_distinguished() {
    let game = rules(
        "(init (on 1))(init (on 2))(<= (next (on ?x)) (true (on ?x)) (does r wait))(legal r wait)(n 0)(n 1)(n 2)
         (<= (one a a a a ?x) (n ?x) (true (on 1)) (distinct ?x 0))
         (<= (two a a a a ?x) (n ?x) (true (on 2)) (distinct ?x 0))
         (<= (both a a a a ?x) (one a a a a ?x) (two a a a a ?x))
         (<= (legal r (go ?x)) (n ?x) (not (both a a a a ?x)))",
    );
    let ground = ground(&game, &limits(100_000)).unwrap();
    let legal = lines(&ground, "(<= (legal r (go");
    assert_eq!(legal[0], "(<= (legal r (go 0)))");
    assert!(
        legal[1].starts_with("(<= (legal r (go 1)) (not "),
        "{ground}"
    );
    assert_ne!(legal[2], "(<= (legal r (go 2)))", "{ground}");
}

/// Compares the ground rules with the rules, in the first states of the game.
fn is_grounded_correctly(text: &str) {
    let game = rules(text);
    let ground = ground(&game, &limits(100_000)).unwrap();
    super::random_rules::compare(&game, &ground, 8).unwrap();
}

#[test]
fn a_constant_of_another_domain_is_distinguished() {
    is_grounded_correctly(
        "(init (on 1))(init (on 2))(m 1)(m 2)(m 3)(m 4)(m 5)(n 1)(n 2)(n 3)(k 4)(k 5)
         (<= (next (on ?x)) (true (on ?x)) (not (does r (off ?x))))(<= (legal r (off ?x)) (true (on ?x)))
         (<= (q a a a ?y ?x) (true (on 1)) (n ?y) (m ?x) (distinct ?x ?y))
         (<= (q a a a ?y ?x) (true (on 2)) (k ?y) (m ?x) (distinct ?x ?y))
         (<= (p a a a a ?x) (q a a a 5 ?x))
         (<= (legal r (go ?x)) (m ?x) (not (p a a a a ?x)))",
    );
}

#[test]
fn rows_restricted_by_magic_sets_are_no_representatives() {
    is_grounded_correctly(
        "(init (on 1))(init (on 2))(init (on 3))(m 1)(m 2)(m 7)(pair 1 1)(pair 2 7)(succ 1 2)(succ 2 3)
         (<= (next (on ?x)) (true (on ?x)) (not (does r (off ?x))))(<= (legal r (off ?x)) (true (on ?x)))
         (<= (p 1 c c ?x ?z) (true (on 1)) (m ?x) (m ?z))
         (<= (p 1 c c ?x 7) (true (on 3)) (m ?x))
         (<= (p ?n c c ?x ?z) (succ ?k ?n) (true (on 2)) (p ?k c c ?x ?z))
         (<= (legal r (go ?x ?z)) (pair ?x ?z) (p 3 c c ?x ?z))",
    );
}

#[test]
fn relations_of_one_name_are_flattened_separately() {
    let game = rules(
        "(init (a 1))(init (b 2))(<= (next (a ?x)) (true (a ?x)) (does r wait))(<= (next (b ?x)) (true (b ?x)) (does r wait))
         (<= (can (go ?x ?y)) (true (a ?x)) (true (b ?y)))
         (<= (can (from ?x) ?y) (true (b ?x)) (true (a ?y)))
         (<= (legal r (go ?x ?y)) (can (go ?x ?y)))(<= (legal r wait) (can (from 2) 1))",
    );
    let ground = ground(&game, &limits(1000)).unwrap();
    let legal = lines(&ground, "(<= (legal r (go");
    assert_eq!(legal.len(), 1, "{ground}");
    assert!(legal[0].starts_with("(<= (legal r (go 1 2))"), "{ground}");
}

fn inlined(text: &str, wide: usize) -> (Program, Program) {
    let (program, relations) = gdl::translate(&rules(text));
    let thresholds = Thresholds {
        wide,
        ..Thresholds::default()
    };
    let mut budget = GroundingBudget::new(limits(1000), Instant::now());
    let kept = [
        relations.legal,
        relations.next,
        relations.goal,
        relations.terminal,
    ];
    let inlined = inline(&program, &kept, &thresholds, &mut budget).unwrap();
    (program, inlined)
}

/// Rules that gather `a` under as many names as there are levels, `ways` rules each.
fn tower(levels: usize, ways: usize) -> String {
    let floor = |level: usize| {
        let below = if level == 0 {
            "both".to_owned()
        } else {
            format!("p{}", level - 1)
        };
        let rule = |way| format!("(<= (p{level} ?x ?y) ({below} ?x ?y) (n {way} ?x))");
        (0..ways).map(rule).collect::<String>()
    };
    let floors: String = (0..levels).map(floor).collect();
    format!(
        "(init (a 1))(<= (next (a ?x)) (true (a ?x)) (does r wait))(n 1 1)(legal r wait)
         (<= (both ?x ?y) (true (a ?x)) (true (a ?y)))
         {floors}(<= (legal r (go ?x)) (p{} ?x ?y))",
        levels - 1
    )
}

#[test]
fn wide_relations_are_inlined_where_columns_are_projected_out() {
    let (before, after) = inlined(&tower(1, 3), 2);
    // Three rules for moves in place of one, and none for what they gathered.
    assert_eq!(after.clauses().len(), before.clauses().len() - 1);
    let gathers = after.find_pred("p0", 2).unwrap();
    assert!(after.clauses().iter().all(|of| of.head.pred != gathers));
    assert_eq!(inlined(&tower(1, 3), 3).1.clauses(), before.clauses());
}

#[test]
fn relations_of_many_rules_are_not_inlined() {
    let (before, after) = inlined(&tower(1, 9), 2);
    assert_eq!(after.clauses(), before.clauses());
}

#[test]
fn inlining_bounds_the_number_of_rules() {
    for levels in [2, 5, 20, 60] {
        for ways in 1..=8 {
            let (before, after) = inlined(&tower(levels, ways), 2);
            let most = 4 * before.clauses().len() + 32;
            assert!(
                after.clauses().len() <= most,
                "{levels} levels, {ways} ways"
            );
        }
    }
}

#[test]
fn inlining_can_be_interrupted() {
    let stop = StopFlag::default();
    stop.raise();
    let limits = EvaluationLimits {
        stop,
        ..limits(1000)
    };
    let (program, _) = gdl::translate(&rules(&tower(3, 2)));
    let thresholds = Thresholds {
        wide: 2,
        ..Thresholds::default()
    };
    let mut budget = GroundingBudget::new(limits, Instant::now());
    let stopped = inline(&program, &[], &thresholds, &mut budget).unwrap_err();
    assert_eq!(stopped, GroundError::from(Exhausted::Interrupted));
}
