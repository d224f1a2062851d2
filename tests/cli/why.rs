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

#[test]
fn one_role_may_be_asked_for() {
    let ended = Folder::new().run(&["moves", "rock-paper-scissors", "--why", "right rock"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(
        ended.out.starts_with("rock is legal for right\n"),
        "{}",
        ended.out
    );
    let text = why(&["--why", "o (mark 2 2)"]);
    assert!(
        text.starts_with("(mark 2 2) is not legal for o\n"),
        "{text}"
    );
}

#[test]
fn chance_is_told_of_only_where_the_move_is_its() {
    let folder = Folder::new().with(
        "dice.kif",
        "(role random) (role a) (init rolling) (legal random (roll 1)) (legal random (roll 2)) (legal random (keep 1))
        (<= (legal a (keep 1)) (not (true rolling))) (<= (legal a noop) (true rolling))
        (<= (next (die ?n)) (does random (roll ?n))) (<= terminal (not (true rolling))) (goal a 50) (goal random 50)",
    );
    let told = |mv: &str| folder.run(&["moves", "dice.kif", "--why", mv]).out;
    assert!(told("(roll 1)").starts_with("(roll 1) is legal for random\n"));
    assert!(!told("(keep 2)").contains("for random"));
    assert!(told("(keep 2)").starts_with("(keep 2) is not legal for a\n"));
}
