//! Plain Datalog questions with known answers, asked of rule files of the collection: the answers become moves.

use kolibri::engine::Reasoner;
use kolibri::game::{Role, StateMachine};
use kolibri::gdl;

use crate::corpus;

/// File, what is asked, the variables of the question, and how many answers there are.
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

/// What makes a file of facts and rules a game in which every answer is a move.
fn as_game(text: &str, question: &str, variables: &str) -> String {
    format!(
        "{text}\n(role asker)(init start)(<= terminal (not (true start)))(goal asker 0)\n\
         (<= (legal asker (answer {variables})) {question})\n"
    )
}

#[test]
fn known_questions_have_their_known_answers() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    for (file, question, variables, count) in QUESTIONS {
        let text =
            std::fs::read_to_string(folder.join(format!("invalid/queries/{file}.kif"))).unwrap();
        let checked = gdl::load(&as_game(&text, question, variables));
        let rules = checked
            .rules
            .unwrap_or_else(|| panic!("{file}: {:?}", checked.diagnostics));
        let game = Reasoner::new(&rules).unwrap();
        let asker = game
            .roles()
            .iter()
            .position(|role| role == "asker")
            .unwrap();
        let mut answers = Vec::new();
        game.legal(
            &mut game.scratch(),
            &game.initial(),
            Role(asker),
            &mut answers,
        );
        assert_eq!(answers.len(), *count, "{file}: {question}");
    }
}
