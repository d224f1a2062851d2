//! `moves --why`: which rule makes a move legal, and what keeps others from it.

use crate::cli::Folder;

fn why(words: &[&str]) -> String {
    let ended = Folder::new().run(&[&["moves", "tictactoe"], words].concat());
    assert_eq!(ended.status, 0, "{}", ended.err);
    ended.out
}

#[test]
fn a_condition_that_fails_is_told_with_what_holds_instead() {
    let text = why(&["(mark 2 2)", "--why", "(mark 2 2)"]);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines[0], "(mark 2 2) is not legal for o");
    assert!(
        lines[1].ends_with(
            "(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y blank)))"
        )
    );
    assert_eq!(lines[2], "holds  (true (control o))");
    assert_eq!(
        lines[3],
        "fails  (true (cell 2 2 blank)), but there is (true (cell 2 2 x))"
    );
    assert_eq!(lines.len(), 4, "{text}");
}

#[test]
fn the_rule_of_a_legal_move_is_told() {
    let text = why(&["--why", "(mark 2 2)"]);
    assert!(text.starts_with("(mark 2 2) is legal for x\n"), "{text}");
    assert!(text.contains("holds  (true (cell 2 2 blank))"), "{text}");
    assert!(!text.contains("fails"), "{text}");
}

#[test]
fn a_move_that_no_rule_has_is_told() {
    let text = why(&["--why", "(mark 2)"]);
    assert!(
        text.contains("no rule for `legal` has such a move"),
        "{text}"
    );
    let ended = Folder::new().run(&["moves", "tictactoe", "--why", "(mark"]);
    assert_eq!(ended.status, 2);
}
