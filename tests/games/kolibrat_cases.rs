//! The twenty white-box tests of Lindberg's program for Kolibrat, as a table.

/// What must become of a request, or which moves must be legal.
pub(super) enum Expected {
    /// The move is legal. It leads to this board, side to move and score.
    Accepted(&'static str, Board, Side, [u8; 2]),
    /// Winning ends the game at once with this score.
    Wins(&'static str, [u8; 2]),
    /// None of these is legal.
    Rejected(&'static [&'static str]),
    /// Exactly these are legal, in the order of their texts.
    Legal(&'static [&'static str]),
}

/// Rows from the top (y = 3) to the bottom (y = 0).
pub(super) type Board = [&'static str; 4];

/// The name of a role.
pub(super) type Side = &'static str;

/// One test.
pub(super) struct Case {
    pub(super) number: u8,
    pub(super) board: Board,
    pub(super) side: Side,
    /// Points of red and black.
    pub(super) score: [u8; 2],
    pub(super) expected: Expected,
}

use Expected::{Accepted, Legal, Rejected, Wins};

const EMPTY: Board = [". . .", ". . .", ". . .", ". . ."];
const RED: Side = "red";
const BLACK: Side = "black";

const fn case(number: u8, board: Board, side: Side, expected: Expected) -> Case {
    let score = [0, 0];
    Case {
        number,
        board,
        side,
        score,
        expected,
    }
}

/// Where the original forces a piece count without pieces (test 3), four real pieces stand elsewhere.
pub(super) const CASES: &[Case] = &[
    case(
        1,
        EMPTY,
        RED,
        Accepted(
            "(insert 1 0)",
            [". . .", ". . .", ". . .", ". r ."],
            BLACK,
            [0, 0],
        ),
    ),
    case(
        2,
        EMPTY,
        BLACK,
        Accepted(
            "(insert 1 3)",
            [". b .", ". . .", ". . .", ". . ."],
            RED,
            [0, 0],
        ),
    ),
    case(
        3,
        [". . .", ". r .", "r r r", ". . ."],
        RED,
        Rejected(&["(insert 1 0)", "(insert 0 0)", "(insert 2 0)"]),
    ),
    case(4, EMPTY, RED, Rejected(&["(insert 2 2)", "(remove 2 2)"])),
    case(
        5,
        [". r .", ". . .", ". . .", ". . ."],
        RED,
        Accepted("(remove 1 3)", EMPTY, BLACK, [1, 0]),
    ),
    case(
        6,
        [". . .", ". . .", ". . .", ". b ."],
        BLACK,
        Accepted("(remove 1 0)", EMPTY, RED, [0, 1]),
    ),
    case(
        7,
        [". . .", ". . .", ". . .", ". b ."],
        RED,
        Rejected(&["(insert 1 0)", "(remove 1 0)"]),
    ),
    Case {
        number: 8,
        board: [". r .", ". . .", ". . .", ". . ."],
        side: RED,
        score: [4, 0],
        expected: Wins("(remove 1 3)", [5, 0]),
    },
    // Test 9 asks both sides for a move after the win of test 8.
    Case {
        number: 9,
        board: [". . b", ". . .", ". . .", "r . ."],
        side: RED,
        score: [5, 0],
        expected: Rejected(&["(move 0 0 1 1)"]),
    },
    Case {
        number: 9,
        board: [". . b", ". . .", ". . .", "r . ."],
        side: BLACK,
        score: [5, 0],
        expected: Rejected(&["(move 2 3 1 2)"]),
    },
    case(
        10,
        [". . b", ". . .", ". . .", "r . ."],
        RED,
        Rejected(&["(move 0 0 -1 1)"]),
    ),
    case(
        10,
        [". . b", ". . .", ". . .", "r . ."],
        BLACK,
        Rejected(&["(move 2 3 1 4)", "(move 2 3 3 2)"]),
    ),
    case(
        11,
        [". b .", ". b .", ". b .", ". r ."],
        RED,
        Legal(&[
            "(attack 1 0 1 1)",
            "(insert 0 0)",
            "(insert 2 0)",
            "(move 1 0 0 1)",
            "(move 1 0 2 1)",
        ]),
    ),
    case(
        12,
        [". . .", ". . b", ". . b", ". . r"],
        RED,
        Legal(&[
            "(attack 2 0 2 1)",
            "(insert 0 0)",
            "(insert 1 0)",
            "(jump 2 0 2 3)",
            "(move 2 0 1 1)",
        ]),
    ),
    case(
        13,
        [". . .", ". . .", ". b .", "r r r"],
        RED,
        Legal(&[
            "(attack 1 0 1 1)",
            "(jump 1 0 1 2)",
            "(move 1 0 0 1)",
            "(move 1 0 2 1)",
        ]),
    ),
    case(
        14,
        [". b .", ". r .", "r r r", ". . ."],
        RED,
        Legal(&[
            "(attack 1 2 1 3)",
            "(move 1 1 0 2)",
            "(move 1 1 2 2)",
            "(move 1 2 0 3)",
            "(move 1 2 2 3)",
        ]),
    ),
    case(
        15,
        ["b . .", "b . .", "r . .", "r r ."],
        RED,
        Legal(&[
            "(attack 0 1 0 2)",
            "(insert 2 0)",
            "(move 0 0 1 1)",
            "(move 0 1 1 2)",
            "(move 1 0 2 1)",
        ]),
    ),
    case(
        16,
        [". b .", ". r .", ". r .", ". r ."],
        BLACK,
        Legal(&[
            "(attack 1 3 1 2)",
            "(insert 0 3)",
            "(insert 2 3)",
            "(move 1 3 0 2)",
            "(move 1 3 2 2)",
        ]),
    ),
    case(
        17,
        ["b . .", "r . .", "r . .", ". . ."],
        BLACK,
        Legal(&[
            "(attack 0 3 0 2)",
            "(insert 1 3)",
            "(insert 2 3)",
            "(jump 0 3 0 0)",
            "(move 0 3 1 2)",
        ]),
    ),
    case(
        18,
        ["b b b", ". r .", ". . .", ". . ."],
        BLACK,
        Legal(&[
            "(attack 1 3 1 2)",
            "(jump 1 3 1 1)",
            "(move 1 3 0 2)",
            "(move 1 3 2 2)",
        ]),
    ),
    case(
        19,
        [". . .", "b b b", ". b .", ". r ."],
        BLACK,
        Legal(&[
            "(attack 1 1 1 0)",
            "(move 1 1 0 0)",
            "(move 1 1 2 0)",
            "(move 1 2 0 1)",
            "(move 1 2 2 1)",
        ]),
    ),
    case(
        20,
        ["b b .", "b . .", "r . .", "r . ."],
        BLACK,
        Legal(&[
            "(attack 0 2 0 1)",
            "(insert 2 3)",
            "(move 0 2 1 1)",
            "(move 0 3 1 2)",
            "(move 1 3 2 2)",
        ]),
    ),
];
