//! Invariants of small games.

use std::collections::BTreeSet;
use std::time::Duration;

use super::mutex_groups;
use super::reached::ReachedStates;
use super::transition_system::{AtomId, TransitionSystem};
use crate::datalog::{EvaluationLimits, TermId};
use crate::gdl;
use crate::ground::{Ground, GroundingAssumptions, ground_assuming};

const FRAME: &str = "(role r)(goal r 0)(<= terminal (true (done done)))";

fn grounded(text: &str) -> Ground {
    grounded_with(text, GroundingAssumptions::None)
}

fn grounded_with(text: &str, assumptions: GroundingAssumptions) -> Ground {
    let checked = gdl::load(&format!("{FRAME}{text}"));
    let rules = checked
        .rules
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let limits = EvaluationLimits {
        rows: 10_000,
        terms: 10_000,
        time: Duration::from_secs(20),
        ..EvaluationLimits::default()
    };
    ground_assuming(&rules, &limits, assumptions).unwrap()
}

fn texts(ground: &Ground, facts: &[TermId]) -> Vec<String> {
    let mut texts: Vec<String> = facts.iter().map(|&fact| ground.terms.text(fact)).collect();
    texts.sort();
    texts
}

/// The mutex groups of a game: the texts of their facts, sorted.
fn groups(text: &str) -> BTreeSet<Vec<String>> {
    let ground = grounded(text);
    let groups = mutex_groups(&ground);
    let groups = groups.iter();
    groups.map(|group| texts(&ground, &group.facts)).collect()
}

/// The exactly-one groups of a game.
fn exactly_one(text: &str) -> BTreeSet<Vec<String>> {
    let ground = grounded(text);
    let groups = mutex_groups(&ground);
    let groups = groups.iter().filter(|group| group.exactly_one);
    groups.map(|group| texts(&ground, &group.facts)).collect()
}

/// The persistent facts of a game.
fn persistent(text: &str) -> Vec<String> {
    let ground = grounded(text);
    let next = ground.sentences.iter();
    let next = next.filter(|sentence| sentence.pred == ground.relations.next);
    let facts: Vec<TermId> = next.map(|sentence| sentence.args[0]).collect();
    texts(
        &ground,
        &super::persistent(&ground, &mutex_groups(&ground), &facts),
    )
}

fn expected(groups: &[&[&str]]) -> BTreeSet<Vec<String>> {
    let owned = |group: &&[&str]| group.iter().map(|&fact| fact.to_owned()).collect();
    groups.iter().map(owned).collect()
}

#[test]
fn facts_of_one_functor_form_a_group() {
    let found = groups(
        "(init (at 1))(succ 1 2)(succ 2 3)(legal r wait)
         (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))",
    );
    assert_eq!(found, expected(&[&["(at 1)", "(at 2)", "(at 3)"]]));
}

#[test]
fn facts_that_can_hold_together_are_no_group() {
    let found = groups(
        "(init (at 1))(succ 1 2)(succ 2 3)(legal r wait)(legal r go)
         (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
         (<= (next (at 3)) (true (at 1)) (does r go))",
    );
    assert_eq!(found, expected(&[]));
}

#[test]
fn a_refuted_candidate_is_split() {
    let found = groups(
        "(init (at a 1))(init (at b 1))(succ 1 2)(legal r wait)
         (<= (next (at ?p ?y)) (true (at ?p ?x)) (succ ?x ?y))",
    );
    assert_eq!(
        found,
        expected(&[&["(at a 1)", "(at a 2)"], &["(at b 1)", "(at b 2)"]])
    );
}

#[test]
fn moves_of_one_role_exclude_each_other() {
    let common = "(init (light off))(legal r wait)(legal r push)(legal r pull)
         (<= (next (light on)) (does r push))(<= (next (light off)) (does r pull))";
    let one = groups(&format!(
        "{common}(<= (next (light ?x)) (true (light ?x)) (does r wait))"
    ));
    assert_eq!(one, expected(&[&["(light off)", "(light on)"]]));
    let two = groups(&format!("{common}(<= (next (light ?x)) (true (light ?x)))"));
    assert_eq!(two, expected(&[]));
}

#[test]
fn frame_rules_keep_one_value_per_square() {
    let found = groups(
        "(init (cell 1 b))(init (cell 2 b))(init (cell 3 b))
         (<= (legal r (mark ?x ?v)) (true (cell ?x b)) (true (cell ?y ?v)))(legal r (mark 1 o))
         (<= (marked ?x) (does r (mark ?x ?v)))
         (<= (next (cell ?x ?v)) (does r (mark ?x ?v)))
         (<= (next (cell ?x ?v)) (true (cell ?x ?v)) (not (marked ?x)))",
    );
    let cell = |x: u8| [format!("(cell {x} b)"), format!("(cell {x} o)")].to_vec();
    assert_eq!(found, [1, 2, 3].map(cell).into());
}

#[test]
fn a_move_needs_what_makes_it_legal() {
    let rules = "(init (turn x))(role s)(<= (next (turn y)) (true (turn x)))(<= (next (turn x)) (true (turn y)))
         (<= (next (cell ?v)) (true (cell ?v)))
         (<= (taken) (true (cell ?v)))
         (<= (next (cell p)) (does r put))(<= (next (cell q)) (does s put))(legal r wait)(legal s wait)";
    let in_turn = "(<= (legal r put) (true (turn x)) (not (taken)))(<= (legal s put) (true (turn y)) (not (taken)))";
    let turns: &[&str] = &["(turn x)", "(turn y)"];
    let found = groups(&format!("{rules}{in_turn}"));
    assert_eq!(found, expected(&[&["(cell p)", "(cell q)"], turns]));
    let at_will = "(<= (legal r put) (not (taken)))(<= (legal s put) (not (taken)))";
    assert_eq!(groups(&format!("{rules}{at_will}")), expected(&[turns]));
}

#[test]
fn dropping_a_candidate_drops_the_proofs_that_depend_on_it() {
    // `b` follows `a`; the two values of `a` may meet after two plies.
    let found = groups(
        "(init (a 1))(init (b 1))(init (n 1))(legal r wait)
         (<= (next (b ?x)) (true (a ?x)))
         (<= (next (a ?x)) (true (b ?x)))
         (<= (next (n 2)) (true (n 1)))(<= (next (n 3)) (true (n 2)))
         (<= (next (a 2)) (true (n 2)))",
    );
    assert_eq!(found, expected(&[&["(n 1)", "(n 2)", "(n 3)"]]));
}

#[test]
fn exactly_one_holds_where_the_game_ends_before_none_does() {
    let walk = "(init (at 1))(succ 1 2)(succ 2 3)(legal r wait)
         (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))";
    assert_eq!(exactly_one(walk), expected(&[]));
    let to_the_end = exactly_one(&format!("{walk}(<= terminal (true (at 3)))"));
    assert_eq!(to_the_end, expected(&[&["(at 1)", "(at 2)", "(at 3)"]]));
}

#[test]
fn exactly_one_holds_where_each_move_leaves_one() {
    let light = "(init (light off))(legal r wait)(legal r push)(legal r pull)
         (<= (next (light on)) (does r push))(<= (next (light off)) (does r pull))";
    assert_eq!(groups(light), expected(&[&["(light off)", "(light on)"]]));
    assert_eq!(exactly_one(light), expected(&[]));
    let kept = format!("{light}(<= (next (light ?x)) (true (light ?x)) (does r wait))");
    assert_eq!(
        exactly_one(&kept),
        expected(&[&["(light off)", "(light on)"]])
    );
}

#[test]
fn exactly_one_holds_where_only_free_squares_are_taken() {
    let board = "(init (cell 1 b))(init (cell 2 b))(init (turn x))(role s)(sign r x)(sign s o)
         (<= (legal ?r (mark ?n)) (sign ?r ?v) (true (turn ?v)) (true (cell ?n b)))
         (<= (legal ?r wait) (role ?r) (sign ?r ?v) (not (true (turn ?v))))
         (<= (next (turn o)) (true (turn x)))(<= (next (turn x)) (true (turn o)))
         (<= (next (cell ?n ?v)) (does ?r (mark ?n)) (sign ?r ?v))
         (<= (next (cell ?n b)) (true (cell ?n b)) (not (taken ?n)))
         (<= (taken ?n) (does ?r (mark ?n)))
         (<= (next (cell ?n ?v)) (true (cell ?n ?v)) (distinct ?v b))";
    let cell = |x: u8| ["b", "o", "x"].map(|v| format!("(cell {x} {v})")).to_vec();
    let turn = ["(turn o)", "(turn x)"].map(str::to_owned).to_vec();
    let all: BTreeSet<Vec<String>> = [cell(1), cell(2), turn].into();
    assert_eq!(exactly_one(board), all);
}

#[test]
fn exactly_one_proofs_fall_with_the_groups_they_depend_on() {
    // `a` follows `b`, which is gone for once after the second step; `c` keeps to itself.
    let found = exactly_one(
        "(init (a 1))(init (b 1))(init (c 1))(init (n 1))(legal r wait)(legal r turn)
         (other 1 2)(other 2 1)
         (<= (next (a ?y)) (true (b ?x)) (does r turn) (other ?x ?y))
         (<= (next (a ?x)) (true (b ?x)) (does r wait))
         (<= (next (b ?x)) (true (b ?x)) (not (true (n 2))))
         (<= (next (b ?x)) (true (a ?x)) (true (n 3)))
         (<= (next (c ?y)) (true (c ?x)) (does r turn) (other ?x ?y))
         (<= (next (c ?x)) (true (c ?x)) (does r wait))
         (<= (next (n 2)) (true (n 1)))(<= (next (n 3)) (true (n 2)))(<= (next (n 3)) (true (n 3)))",
    );
    let kept: &[&[&str]] = &[&["(c 1)", "(c 2)"], &["(n 1)", "(n 2)", "(n 3)"]];
    assert_eq!(found, expected(kept));
}

#[test]
fn marks_are_persistent_where_no_square_is_marked_twice() {
    let board = "(init (cell 1 b))(init (cell 2 b))(legal r wait)
         (<= (marked ?x) (does r (mark ?x ?v)))
         (<= (next (cell ?x ?v)) (does r (mark ?x ?v)))
         (<= (next (cell ?x ?v)) (true (cell ?x ?v)) (not (marked ?x)))
         (sign o)(sign x)";
    let once = "(<= (legal r (mark ?x ?v)) (true (cell ?x b)) (sign ?v))";
    let marks = ["(cell 1 o)", "(cell 1 x)", "(cell 2 o)", "(cell 2 x)"];
    assert_eq!(persistent(&format!("{board}{once}")), marks);
    let again = "(<= (legal r (mark ?x ?v)) (true (cell ?x ?w)) (sign ?v))";
    assert_eq!(persistent(&format!("{board}{again}")), [""; 0]);
}

#[test]
fn facts_that_some_state_removes_are_not_persistent() {
    let found = persistent(
        "(init (a))(init (b))(init (n 1))(legal r wait)(legal r push)
         (<= (next (a)) (true (a)) (not (true (n 2))))
         (<= (next (b)) (true (b)) (not (gone)))
         (<= (gone) (true (gone)))
         (<= (next (c)) (true (c)))
         (<= (next (c)) (does r push))
         (<= (next (d)) (true (c)) (true (d)))
         (<= (next (d)) (does r push))
         (<= (next (n 2)) (true (n 1)))(<= (next (n 1)) (true (n 2)))",
    );
    assert_eq!(found, ["(b)", "(c)"]);
}

/// Two roles, of whom the one who waits moves next.
const WHO_WAITS_MOVES_NEXT: &str =
    "(role s)(goal s 0)(init (control r))(init (cell 1 b))(init (cell 2 b))
     (<= (legal ?r (mark ?x)) (true (control ?r)) (true (cell ?x b)))
     (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
     (<= (next (control ?r)) (does ?r wait))
     (<= (next (cell ?x ?r)) (does ?r (mark ?x)))
     (<= (next (cell ?x ?c)) (true (cell ?x ?c)) (does ?r (mark ?y)) (distinct ?x ?y))";

#[test]
fn a_proof_may_need_that_one_fact_of_a_group_holds() {
    let found = exactly_one(WHO_WAITS_MOVES_NEXT);
    let cell = |x: u32| ["b", "r", "s"].map(|content| format!("(cell {x} {content})"));
    let control = ["(control r)", "(control s)"].map(str::to_owned);
    let all = [control.to_vec(), cell(1).to_vec(), cell(2).to_vec()];
    assert_eq!(found, BTreeSet::from(all));
}

#[test]
fn what_depends_on_one_fact_of_a_group_falls_with_it() {
    // Who sleeps is not in control next; then nobody is, and both may wait.
    let text = "(<= (legal ?r sleep) (role ?r) (not (true (control ?r))))";
    let found = groups(&format!("{WHO_WAITS_MOVES_NEXT} {text}"));
    assert!(!found.contains(&vec!["(control r)".to_owned(), "(control s)".to_owned()]));
}

#[test]
fn random_games_reach_what_rules_allow() {
    let ground = grounded(
        "(init (at a)) (init (seen a)) (legal r stay) (legal r go)
         (<= (next (at b)) (true (at a))) (<= (next (at a)) (true (at b)))
         (<= (reach ?x) (true (at ?x))) (<= (reach c) (reach b)) (<= (reach b) (reach c))
         (<= (next (seen ?x)) (reach ?x) (does r go))
         (<= (next (moved ?m)) (does r ?m)) (<= (next (stayed ?m)) (does r ?m))",
    );
    let system = TransitionSystem::new(&ground);
    let reached = ReachedStates::sample(&system);
    let facts = |wanted: [&str; 2]| {
        let text = |fact: &&str| {
            let mut facts = system.facts.iter();
            let place = facts.position(|&of| ground.terms.text(of) == **fact);
            place.unwrap() as AtomId
        };
        wanted.iter().map(text).collect::<Vec<AtomId>>()
    };
    assert!(!reached.have_two_of(&facts(["(at a)", "(at b)"])));
    assert!(!reached.have_two_of(&facts(["(moved stay)", "(moved go)"])));
    assert!(!reached.have_two_of(&facts(["(seen a)", "(seen b)"])));
    assert!(reached.have_two_of(&facts(["(moved go)", "(stayed go)"])));
    // A loop of rules holds if it is entered.
    assert!(reached.have_two_of(&facts(["(seen b)", "(seen c)"])));
}

/// A king walks on a line, and the rules look up where it is. `leave` tells which cells keep what is on them after a step.
fn looked_up(leave: &str) -> Ground {
    let text = format!(
        "(cell 1)(cell 2)(cell 3)(cell 4)(init (at 2 king))(init (at 1 rock))(init (at 4 rock))
         (<= (seen ?x ?y ?z) (true (at ?x rock)) (cell ?y) (cell ?z) (distinct ?x ?y))
         (<= (legal r (go ?a ?b ?c)) (cell ?a) (cell ?b) (cell ?c) (true (at ?k king)) (not (seen ?k ?a ?b))
             (true (at ?a ?kind)) (true (at ?b ?other)))
         (<= (next (at ?c king)) (does r (go ?a ?b ?c)))
         (<= (next (at ?x ?what)) (true (at ?x ?what)) (does r (go ?a ?b ?c)) {leave})"
    );
    let ground = grounded_with(&text, GroundingAssumptions::UniqueFacts);
    assert_eq!(ground.assumed.len(), 1);
    assert_eq!(ground.assumed[0].len(), 4);
    ground
}

#[test]
fn what_rules_rest_on_is_proved() {
    let ground = looked_up("(distinct ?what king)");
    let kings = texts(&ground, &ground.assumed[0]);
    let groups = mutex_groups(&ground);
    let mut groups = groups.iter().map(|group| texts(&ground, &group.facts));
    assert!(groups.any(|group| group == kings));
}

#[test]
fn nothing_is_proved_by_rules_that_rest_on_what_is_not() {
    // The king stays where it was, too.
    assert!(mutex_groups(&looked_up("(distinct ?x ?c)")).is_empty());
}
