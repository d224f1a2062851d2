//! Datalog queries with known numbers of answers, on rules of our own and of the collection: each answer is a move.

use kolibri::engine::Reasoner;
use kolibri::game::{Role, StateMachine};
use kolibri::gdl;

use crate::corpus;

/// A family and a road map, with left and right recursion, negation, and compound terms.
const OWN: &str = "
    (parent ada ben) (parent ada cleo) (parent ben dora) (parent cleo emil) (parent dora fay)
    (<= (ancestor ?a ?b) (parent ?a ?b))
    (<= (ancestor ?a ?c) (parent ?a ?b) (ancestor ?b ?c))
    (<= (person ?a) (parent ?a ?b))
    (<= (person ?b) (parent ?a ?b))
    (<= (mother_of ?b) (parent ?a ?b))
    (<= (cousins ?a ?b) (parent ?c ?a) (parent ?d ?b) (distinct ?c ?d) (parent ?e ?c) (parent ?e ?d))
    (<= (childless ?a) (person ?a) (not (has_child ?a)))
    (<= (has_child ?a) (parent ?a ?b))
    (road a b) (road b c) (road c a) (road c d)
    (<= (way ?x ?y) (road ?x ?y))
    (<= (way ?x ?z) (way ?x ?y) (road ?y ?z))
    (<= (trip (from ?x (to ?y))) (way ?x ?y) (not (road ?x ?y)) (distinct ?x ?y))";

/// Queries on these, their variables, and their numbers of answers.
const OWN_QUESTIONS: &[(&str, &str, usize)] = &[
    ("(ancestor ada ?x)", "?x", 5),
    ("(ancestor ?x ?y)", "?x ?y", 9),
    ("(cousins ?x ?y)", "?x ?y", 2),
    ("(childless ?x)", "?x", 2),
    ("(person ?x) (not (mother_of ?x))", "?x", 1),
    ("(way ?x ?x)", "?x", 3),
    ("(way ?x ?y)", "?x ?y", 12),
    ("(trip (from ?x ?end))", "?x ?end", 5),
    ("(or (ancestor ?x fay) (parent ?x emil))", "?x", 4),
];

/// File, query, its variables, and the number of answers.
const QUESTIONS: &[(&str, &str, &str, usize)] = &[
    ("question1", "(engineer ?x)", "?x", 1),
    ("question2", "(married cam ?x)", "?x", 1),
    ("hash_test1", "(base ?x)", "?x", 302),
    ("recurse", "(base ?x)", "?x", 10),
    ("opt1", "(test2 ?x ?y)", "?x ?y", 2),
    // The one who asks is a player too, and has 24 of these as everybody has.
    (
        "mgu_check",
        "(input ?x ?y) (distinct ?x asker)",
        "?x ?y",
        48,
    ),
];

/// Turns a file of facts and rules into a game in which every answer is a move.
fn as_game(text: &str, query: &str, variables: &str) -> String {
    format!(
        "{text}\n(role asker)(init start)(<= terminal (not (true start)))(goal asker 0)\n\
         (<= (legal asker (answer {variables})) {query})\n"
    )
}

/// The number of answers to a query on the facts and rules of a text.
fn answers(text: &str, query: &str, variables: &str) -> usize {
    let checked = gdl::load(&as_game(text, query, variables));
    let rules = checked
        .rules
        .unwrap_or_else(|| panic!("{query}: {:?}", checked.diagnostics));
    let game = Reasoner::new(&rules).unwrap();
    let asker = game.roles().iter().position(|role| role == "asker");
    let mut answers = Vec::new();
    let (mut scratch, state) = (game.scratch(), game.initial());
    game.legal(&mut scratch, &state, Role(asker.unwrap()), &mut answers);
    answers.len()
}

#[test]
fn queries_have_the_known_number_of_answers() {
    for (query, variables, count) in OWN_QUESTIONS {
        assert_eq!(answers(OWN, query, variables), *count, "{query}");
    }
    let Some(folder) = corpus::folder() else {
        return;
    };
    for (file, query, variables, count) in QUESTIONS {
        let file = folder.join(format!("invalid/queries/{file}.kif"));
        let text = std::fs::read_to_string(file).unwrap();
        assert_eq!(answers(&text, query, variables), *count, "{query}");
    }
}
