//! Lines of action: moves, passes, connected sides, the limit.

use super::position::{Position, and, lettered};

const WORDS: &[(&str, &str)] = &[("b", "black"), ("w", "white"), (".", "blank")];
const BLANK: &str = ". . . . . . . .";

fn position(board: &[&str], side: &str, turn: u8) -> Position {
    let more = [format!("(control {side})"), format!("(turn {turn})")];
    let more = [&more[0][..], &more[1][..]];
    Position::start("lines-of-action").with(&and(lettered(board, WORDS), &more))
}

/// The destinations of the moves from a square, such as `b 1`.
fn from(position: &mut Position, side: &str, square: &str) -> Vec<String> {
    let start = format!("(move {square} ");
    let moves = position.legal(side).into_iter();
    let ends =
        moves.filter_map(|mv| Some(mv.strip_prefix(&start)?.trim_end_matches(')').to_owned()));
    ends.collect()
}

#[test]
fn the_start() {
    let mut start = Position::start("lines-of-action");
    let moves = start.legal("black");
    assert_eq!(moves.len(), 36);
    let captures = moves.iter().filter(|mv| {
        let words: Vec<&str> = mv.trim_end_matches(')').split(' ').collect();
        start.holds(&format!("(cell {} {} white)", words[3], words[4]))
    });
    assert_eq!(captures.count(), 4);
    assert_eq!(from(&mut start, "black", "b 1"), ["b 3", "d 3", "h 1"]);
}

/// The example of the rules: on row five, black may pass over its own piece and capture, white is hemmed in.
#[test]
fn own_pieces_may_be_jumped_but_not_enemies() {
    let board = [
        BLANK,
        BLANK,
        BLANK,
        "w . . b . b . w",
        BLANK,
        BLANK,
        BLANK,
        BLANK,
    ];
    let along_row_five = |side: &str| {
        let mut moves = position(&board, side, 1).legal(side);
        moves.retain(|mv| mv.ends_with(" 5)"));
        moves
    };
    assert_eq!(
        along_row_five("black"),
        ["(move d 5 h 5)", "(move f 5 b 5)"]
    );
    assert_eq!(along_row_five("white"), [""; 0]);
}

#[test]
fn who_has_no_move_passes() {
    let board = [
        ". . . . . . b w",
        ". . . . . . b b",
        BLANK,
        BLANK,
        BLANK,
        BLANK,
        "b b . . . . . .",
        "w b . . . . . .",
    ];
    let mut blocked = position(&board, "white", 7);
    assert_eq!(blocked.legal("white"), ["noop"]);
    assert!(!blocked.is_over());
    blocked.play("noop");
    assert!(blocked.holds("(control black)") && blocked.holds("(turn 8)"));
    assert!(blocked.legal("black").len() > 1);
}

#[test]
fn the_side_that_hangs_together_wins() {
    let mut board = [
        ". . . . . . . w",
        ". . . b . . . .",
        ". . b . b . . .",
        ". . . b . . . .",
        ". . b . . . . .",
        ". . . b . . . .",
        ". . . . b b . .",
        "w . . . . . . .",
    ];
    assert!(position(&board, "white", 9).ends_with(&[100, 0]));
    board[4] = BLANK;
    assert!(!position(&board, "white", 9).is_over());
}

/// Twelve pieces in a line that doubles back need all the links that the rules count.
#[test]
fn the_longest_chain_is_connected() {
    let board = [
        "w . . . . . . .",
        BLANK,
        "b b b b b b b .",
        ". . . . . . . b",
        ". . . . . b b .",
        ". . . . b . . .",
        ". . . b . . . .",
        ". . . . . . . w",
    ];
    assert!(position(&board, "black", 30).ends_with(&[100, 0]));
}

/// Black captures on a1. Another black piece is near or far, and white keeps one piece or two.
#[test]
fn a_capture_can_connect_either_side_or_both() {
    for (eighth, second, goals) in [
        (BLANK, ". b . . . . . .", [50, 50]),
        (". b . . . . . .", BLANK, [0, 100]),
        (". . . . . . . w", ". b . . . . . .", [100, 0]),
    ] {
        let first = "w . . b . . . w";
        let board = [eighth, BLANK, BLANK, BLANK, BLANK, BLANK, second, first];
        let mut position = position(&board, "black", 20);
        assert!(!position.is_over());
        position.play("(move d 1 a 1)");
        assert!(position.ends_with(&goals), "{board:?}");
    }
}

#[test]
fn a_hundred_turns_a_side_are_a_draw() {
    let start = Position::start("lines-of-action").facts();
    let mut facts: Vec<String> = start
        .into_iter()
        .filter(|fact| fact.starts_with("(cell"))
        .collect();
    facts = and(facts, &["(control white)", "(turn 100)"]);
    let mut position = Position::start("lines-of-action").with(&facts);
    assert!(!position.is_over());
    position.play("(move a 2 c 2)");
    assert!(position.holds("(turn 101)") && position.ends_with(&[50, 50]));
}
