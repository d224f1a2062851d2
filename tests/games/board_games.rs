//! Connect four, breakthrough and reversi: what short sequences from the start do not reach.

use super::position::{Position, and, lettered};

const BLANK: &str = ". . . . . . . .";

/// A drawn board with the first letters of colours, and a side to move.
fn position(game: &str, board: &[&str], side: &str) -> Position {
    let words = [
        (".", "blank"),
        ("b", "black"),
        ("r", "red"),
        ("w", "white"),
        ("y", "yellow"),
    ];
    let facts = and(lettered(board, &words), &[&format!("(control {side})")]);
    Position::start(game).with(&facts)
}

fn connect_four(board: &[&str], side: &str) -> Position {
    position("connect-four", board, side)
}

#[test]
fn four_in_a_line_win_in_every_direction() {
    let blank = ". . . . . . .";
    let boards = [
        [blank, blank, blank, blank, "y . y . y . .", "r r r . y . ."],
        [
            blank,
            blank,
            blank,
            ". . . r . . .",
            "y . . r . . .",
            "y . y r . . .",
        ],
        [
            blank,
            blank,
            blank,
            ". . r y . . .",
            ". r y y . . .",
            "r y r y . . .",
        ],
        [
            blank,
            blank,
            blank,
            ". . . y r . .",
            ". . . y y r .",
            ". . . r y y r",
        ],
    ];
    for board in boards {
        let mut position = connect_four(&board, "red");
        assert!(!position.is_over(), "{board:?}");
        position.play("(drop d)");
        assert!(position.ends_with(&[100, 0]), "{board:?}");
    }
}

#[test]
fn a_full_column_takes_no_more_and_a_full_board_is_a_draw() {
    let mut position = connect_four(
        &[
            "r r . r r y y",
            "y y r y y r r",
            "r r y r r y y",
            "y y r y y r r",
            "r r y r r y y",
            "y y r y y r r",
        ],
        "yellow",
    );
    assert_eq!(position.legal("yellow"), ["(drop c)"]);
    position.play("(drop c)");
    assert!(position.holds("(cell c 6 yellow)") && position.ends_with(&[50, 50]));
}

fn breakthrough(board: &[&str], side: &str) -> Position {
    position("breakthrough", board, side)
}

#[test]
fn breakthrough_captures_diagonally_only() {
    let board = [
        BLANK,
        BLANK,
        BLANK,
        ". . b b w . . .",
        ". . . w . . . .",
        BLANK,
        BLANK,
        BLANK,
    ];
    let mut white = breakthrough(&board, "white");
    let expected = [
        "(move d 4 c 5)",
        "(move e 5 d 6)",
        "(move e 5 e 6)",
        "(move e 5 f 6)",
    ];
    assert_eq!(white.legal("white"), expected);
    let mut black = breakthrough(&board, "black");
    let expected = [
        "(move c 5 b 4)",
        "(move c 5 c 4)",
        "(move c 5 d 4)",
        "(move d 5 c 4)",
        "(move d 5 e 4)",
    ];
    assert_eq!(black.legal("black"), expected);
}

#[test]
fn breakthrough_is_won_on_the_last_rank_or_by_taking_everything() {
    let home = [
        BLANK,
        "w . . . . . . .",
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        ". . . . . . . b",
    ];
    // Black on rank 1 has won already; white has not.
    assert!(breakthrough(&home, "white").ends_with(&[0, 100]));

    let race = [
        BLANK,
        "w . . . . . . .",
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        ". . . . . . . b",
        BLANK,
    ];
    let mut position = breakthrough(&race, "white");
    position.play("(move a 7 b 8)");
    assert!(position.ends_with(&[100, 0]));

    let last = [
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        ". . . b . . . .",
        ". . w . . . . .",
        BLANK,
        BLANK,
    ];
    let mut position = breakthrough(&last, "black");
    position.play("(move d 4 c 3)");
    assert!(position.ends_with(&[0, 100]));
}

fn reversi(board: &[&str], side: &str) -> Position {
    position("reversi", board, side)
}

#[test]
fn reversi_turns_all_enclosed_lines_over() {
    let mut position = reversi(
        &[
            ". . . b . . . .",
            "b . . w . . b .",
            ". w . w . w . .",
            ". . w w w . . .",
            "b w w . w w w w",
            ". . w w w . . .",
            ". b . w . w . .",
            ". . . w . . b .",
        ],
        "black",
    );
    position.play("(place d 4)");
    let mut expected = reversi(
        &[
            ". . . b . . . .",
            "b . . b . . b .",
            ". b . b . b . .",
            ". . b b b . . .",
            "b b b b w w w w",
            ". . b w b . . .",
            ". b . w . b . .",
            ". . . w . . b .",
        ],
        "white",
    );
    assert_eq!(position.facts(), expected.facts());
    assert!(!expected.is_over());
}

#[test]
fn reversi_passes_and_ends_when_neither_can_move() {
    let board = [
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        "w b . . . . . .",
    ];
    let mut position = reversi(&board, "black");
    assert_eq!(position.legal("black"), ["noop"]);
    assert!(!position.is_over());
    position.play("noop");
    assert_eq!(position.legal("white"), ["(place c 1)"]);
    position.play("(place c 1)");
    assert!(position.ends_with(&[0, 100]), "black has no disc left");
}

#[test]
fn reversi_counts_discs_at_the_end() {
    let (black, white) = ("b b b b b b b b", "w w w w w w w w");
    let mut board = [black, black, black, black, white, white, white, white];
    assert!(reversi(&board, "black").ends_with(&[50, 50]));
    board[3] = "b b b b b b b w";
    assert!(reversi(&board, "black").ends_with(&[0, 100]));
    board[4] = "b w w w w w b w";
    assert!(reversi(&board, "black").ends_with(&[100, 0]));
}
