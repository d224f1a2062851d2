use super::*;
use crate::gdl;
use crate::kif::format;

fn snippet(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    Snippet::read(&words).unwrap().to_string()
}

#[test]
fn snippets_make_a_game_without_findings() {
    let mut text = snippet("turns x o") + &snippet("board 3x3") + &snippet("lines 3 of 3x3");
    text += "(<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y b)))
        (<= (changed ?x ?y) (does ?r (mark ?x ?y)))
        (<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
        (<= open (true (cell ?x ?y b)))
        (<= decided (role ?r) (line ?r))
        (<= terminal decided) (<= terminal (not open))
        (<= (goal ?r 100) (role ?r) (line ?r))
        (<= (goal ?r 50) (role ?r) (not decided))
        (<= (goal ?r 0) (role ?r) decided (not (line ?r)))";
    let checked = gdl::load(&text);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    assert_eq!(text.matches("(<= (line ?piece)").count(), 8);
}

#[test]
fn numbers_are_listed() {
    assert!(snippet("counter 0..2").ends_with("(succ 0 1)\n(succ 1 2)\n"));
    let sums = snippet("sum 0..2");
    let facts: Vec<&str> = sums.lines().skip(1).collect();
    assert_eq!(
        facts,
        [
            "(sum 0 0 0)",
            "(sum 0 1 1)",
            "(sum 0 2 2)",
            "(sum 1 0 1)",
            "(sum 1 1 2)",
            "(sum 2 0 2)"
        ]
    );
    let less = snippet("less 1..3");
    assert!(less.contains("\n(succ 1 2)\n(succ 2 3)\n(<= (less ?a ?b)\n    (succ ?a ?b))\n"));
}

#[test]
fn snippets_have_the_layout_of_the_formatter() {
    for (_, example, _) in SNIPPETS {
        let text = snippet(example);
        assert_eq!(format(&text), Ok(text), "{example}");
    }
}

#[test]
fn cells_that_touch_are_listed_both_ways() {
    let facts = |text: &str| snippet(text).matches("\n(adjacent ").count();
    assert_eq!(facts("adjacent 3x2"), 2 * (4 + 3 + 4));
    assert_eq!(facts("adjacent 4 of 3x2"), 2 * (4 + 3));
    assert_eq!(
        snippet("diagonal 3x2").matches("\n(diagonal ").count(),
        2 * 4
    );
    let graph = snippet("graph a-b b-c");
    assert!(graph.contains("\n(edge a b)\n(edge b c)\n(<= (joined ?a ?b)"));
}

#[test]
fn sizes_with_nothing_to_write_are_refused() {
    for text in [
        "counter 9..3",
        "counter 5..5",
        "less 2..1",
        "sum 10..15",
        "sum 3..1",
        "lines 8 of 3x3",
    ] {
        let words: Vec<&str> = text.split(' ').collect();
        let fault = Snippet::read(&words).unwrap_err();
        assert!(matches!(fault, SnippetError::Empty(_)), "{text}: {fault}");
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let fault = |text: &str| {
        let words: Vec<&str> = text.split(' ').collect();
        Snippet::read(&words).unwrap_err()
    };
    assert_eq!(fault("dice 6"), SnippetError::Unknown("dice".to_owned()));
    for text in [
        "counter 5",
        "board 0x3",
        "lines 1 of 3x3",
        "lines 3 5x5",
        "turns (x",
        "turns x x",
        "adjacent 5 of 3x3",
        "graph a-a",
        "graph a-b-c",
        "turns",
    ] {
        assert!(matches!(fault(text), SnippetError::Form { .. }), "{text}");
    }
    assert!(matches!(
        fault("board 99999x99999"),
        SnippetError::TooLong(_)
    ));
}
