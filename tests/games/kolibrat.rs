//! Kolibrat: the white-box tests of its first program, and what those leave out.

use super::kolibrat_cases::{Board, CASES, Expected};
use super::position::{Position, drawn, text};
use kolibri::game::StateMachine;
use kolibri::native::{Kolibrat, NativeEngine};

fn facts(board: &[&str], side: &str, score: [u8; 2]) -> Vec<String> {
    let mut facts = drawn(board, |x, y, content| {
        let content = match content {
            "r" => "red",
            "b" => "black",
            _ => "blank",
        };
        Some(format!("(cell {x} {y} {content})"))
    });
    facts.push(format!("(control {side})"));
    facts.push(format!("(score red {})", score[0]));
    facts.push(format!("(score black {})", score[1]));
    facts
}

fn position(board: Board, side: &str, score: [u8; 2]) -> Position {
    Position::start("kolibrat").with(&facts(&board, side, score))
}

#[track_caller]
fn assert_stands<G: StateMachine>(
    position: &Position<G>,
    board: &[&str],
    side: &str,
    score: [u8; 2],
) {
    let mut expected = facts(board, side, score);
    expected.sort();
    assert_eq!(position.facts(), expected);
}

#[test]
fn the_twenty_white_box_tests() {
    assert_white_box_tests(|| Position::start("kolibrat"));
    assert_white_box_tests(|| Position::start_in(NativeEngine::<Kolibrat>::default()));
}

fn assert_white_box_tests<G: StateMachine>(start: impl Fn() -> Position<G>) {
    for case in CASES {
        let mut position = start().with(&facts(&case.board, case.side, case.score));
        let number = case.number;
        match &case.expected {
            Expected::Accepted(request, board, side, score) => {
                position.play(request);
                assert!(!position.is_over(), "test {number}");
                assert_stands(&position, board, side, *score);
            }
            Expected::Wins(request, score) => {
                position.play(request);
                let goals = if case.side == "red" {
                    [100, 0]
                } else {
                    [0, 100]
                };
                assert!(position.ends_with(&goals), "test {number}");
                assert!(position.holds(&format!("(score red {})", score[0])));
            }
            Expected::Rejected(requests) => {
                for request in *requests {
                    assert!(
                        !position.accepts(case.side, request),
                        "test {number}: {request}"
                    );
                }
            }
            Expected::Legal(moves) => {
                assert_eq!(position.legal(case.side), *moves, "test {number}");
            }
        }
    }
}

#[test]
fn every_test_is_in_the_table() {
    let numbers: std::collections::BTreeSet<u8> = CASES.iter().map(|case| case.number).collect();
    assert!(numbers.into_iter().eq(1..=20));
}

#[test]
fn black_may_not_insert_a_fifth_piece_either() {
    let mut position = position([". . .", "b b b", ". b .", ". . ."], "black", [0, 0]);
    assert_eq!(position.legal_with("black", "insert"), [""; 0]);
    assert_eq!(position.legal_with("black", "move").len(), 4);
}

#[test]
fn a_point_is_never_compulsory() {
    let mut position = position([". r .", ". . .", ". . .", "r . ."], "red", [0, 0]);
    let expected = [
        "(insert 1 0)",
        "(insert 2 0)",
        "(move 0 0 1 1)",
        "(remove 1 3)",
    ];
    assert_eq!(position.legal("red"), expected);
}

#[test]
fn a_piece_on_its_goal_row_blocks_insertion_there() {
    let mut position = position([". r .", ". . .", ". . .", ". . ."], "black", [0, 0]);
    assert_eq!(position.legal("black"), ["(insert 0 3)", "(insert 2 3)"]);
}

#[test]
fn a_jump_captures_nothing_and_stops_before_own_pieces() {
    let board = [". . .", ". b .", ". r .", "r . ."];
    let mut jumper = position(board, "black", [0, 0]);
    jumper.play("(jump 1 2 1 0)");
    assert_stands(
        &jumper,
        &[". . .", ". . .", ". r .", "r b ."],
        "red",
        [0, 0],
    );

    let mut hindered = position([". . .", ". b .", ". r .", ". b ."], "black", [0, 0]);
    assert_eq!(hindered.legal_with("black", "jump"), [""; 0]);
}

#[test]
fn a_taller_board_allows_a_jump_over_three() {
    let taller = text("kolibrat")
        .replace("(up 2 3)", "(up 2 3)\n(up 3 4)")
        .replace("(top 3)", "(top 4)");
    let board = [". . .", ". b .", ". b .", ". b .", ". r ."];
    let mut position = Position::start_of(&taller).with(&facts(&board, "red", [0, 0]));
    assert_eq!(position.legal_with("red", "jump"), ["(jump 1 0 1 4)"]);
    position.play("(jump 1 0 1 4)");
    assert!(position.holds("(cell 1 4 red)") && position.holds("(control black)"));
}

/// Red holds all of black's home row, so that black can do nothing, twice in a row.
#[test]
fn a_forfeited_turn_costs_no_ply() {
    let mut position = position(["r r r", ". . .", ". . .", ". . ."], "red", [0, 0]);
    position.play("(insert 0 0)");
    assert!(position.holds("(control red)"));
    assert_eq!(position.legal("black"), ["noop"]);
    position.play("(move 0 0 1 1)");
    assert!(position.holds("(control red)"));
    position.play("(remove 2 3)");
    let board = ["r r .", ". . .", ". r .", ". . ."];
    assert_stands(&position, &board, "black", [1, 0]);
    assert_eq!(position.legal("black"), ["(insert 2 3)"]);
}

/// Red's fourth piece leaves neither side a move: red, who moved last, has lost although four points ahead.
#[test]
fn who_makes_the_last_move_of_a_blocked_game_loses() {
    for score in [[0, 0], [4, 0], [0, 4]] {
        let mut position = position(["b . b", "b r .", ". b r", ". . r"], "red", score);
        position.play("(insert 0 0)");
        assert!(position.ends_with(&[0, 100]), "{score:?}");
        assert_eq!(position.legal("red"), [""; 0]);
        assert_eq!(position.legal("black"), [""; 0]);
    }
}

#[test]
fn berger_has_no_limit_on_pieces_and_two_kinds_of_jumps() {
    let facts = |board: &[&str], side: &str| {
        let mut facts = drawn(board, |x, y, content| {
            let words = [("r", "red"), ("b", "black"), (".", "blank")];
            let (_, word) = words.iter().find(|(drawn, _)| *drawn == content)?;
            Some(format!("(cell {} {} {word})", 4 - y, x + 1))
        });
        facts.extend(["(score red 80)", "(score black 0)"].map(str::to_owned));
        facts.push(format!("(control {side})"));
        facts
    };
    let start = || Position::start("kolibrat-berger");

    let full = facts(&[". . .", ". r .", "r r r", ". . ."], "red");
    assert_eq!(start().with(&full).legal_with("red", "insert").len(), 3);

    let over_two = facts(&[". . .", "b . .", "b b .", "r r ."], "red");
    let mut position = start().with(&over_two);
    assert_eq!(position.legal_with("red", "jump"), ["(jump 4 2 2 2)"]);
    assert_eq!(
        position.legal_with("red", "doublejump"),
        ["(doublejump 4 1 1 1)"]
    );

    let last_point = facts(&[". r .", ". . .", ". . .", ". . ."], "red");
    let mut position = start().with(&last_point);
    position.play("(remove 1 2)");
    assert!(position.ends_with(&[100, 0]) && position.holds("(score red 100)"));
}
