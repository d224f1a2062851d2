//! Checkers: captures, chains, crowning, ends, and the published numbers of turns.

use super::position::{Position, and, game, lettered, text};
use kolibri::analysis::Perft;
use kolibri::datalog;
use kolibri::engine::Propnet;
use kolibri::game::Engine;
use kolibri::gdl;
use kolibri::native::{Checkers, NativeEngine};
use kolibri::util::Deadline;
use rayon::ThreadPoolBuilder;

const WORDS: &[(&str, &str)] = &[
    ("b", "black"),
    ("B", "black_king"),
    ("r", "red"),
    ("R", "red_king"),
    (".", "blank"),
];

/// A position with black to move in turn 1; light squares are drawn as `-`, pieces with lower-case letters are men.
fn black_to_move(board: &[&str]) -> Position {
    Position::start("checkers").with(&and(
        lettered(board, WORDS),
        &["(control black)", "(turn 1)"],
    ))
}

#[test]
fn whoever_can_jump_must_but_may_choose_the_way() {
    let mut position = black_to_move(&[
        "- . - . - . - .",
        ". - . - . - . -",
        "- . - . - . - .",
        ". - . - r - . -",
        "- . - . - . - .",
        ". - r - r - . -",
        "- . - b - . - .",
        ". - . - . - b -",
    ]);
    assert_eq!(
        position.legal("black"),
        ["(jump d 2 b 4)", "(jump d 2 f 4)"]
    );
    assert_eq!(position.legal("red"), ["noop"]);
    position.play("(jump d 2 b 4)");
    assert!(
        position.holds("(control red)"),
        "the shorter way is complete"
    );
}

#[test]
fn a_chain_is_continued_by_the_same_piece_ply_by_ply() {
    let mut position = black_to_move(&[
        "- . - . - . - .",
        ". - . - . - . -",
        "- . - . - . - .",
        ". - . - . - . -",
        "- . - r - . - .",
        ". - . - . - r -",
        "- r - . - b - .",
        "b - . - . - . -",
    ]);
    assert_eq!(
        position.legal("black"),
        ["(jump a 1 c 3)", "(jump f 2 h 4)"]
    );
    position.play("(jump a 1 c 3)");
    assert!(position.holds("(control black)") && position.holds("(chain c 3)"));
    assert!(position.holds("(cell b 2 blank)"), "captured at once");
    assert_eq!(position.legal("black"), ["(jump c 3 e 5)"]);
    assert_eq!(position.legal("red"), ["noop"]);
    position.play("(jump c 3 e 5)");
    assert!(position.holds("(control red)") && position.holds("(cell e 5 black)"));
    assert!(
        !position
            .facts()
            .iter()
            .any(|fact| fact.starts_with("(chain"))
    );
}

#[test]
fn crowning_ends_the_turn() {
    let mut position = black_to_move(&[
        "- . - . - . - .",
        ". - r - r - . -",
        "- b - . - . - .",
        ". - . - . - . -",
        "- . - . - . - .",
        ". - . - . - . -",
        "- . - . - . - .",
        ". - . - . - . -",
    ]);
    position.play("(jump b 6 d 8)");
    assert!(position.holds("(cell d 8 black_king)") && position.holds("(control red)"));
    position.play("(move e 7 f 6)");
    assert_eq!(position.legal("black").len(), 2, "a king moves backwards");
    position.play("(move d 8 e 7)");
    let steps = ["(move f 6 e 5)", "(move f 6 g 5)"];
    assert_eq!(
        position.legal("red"),
        steps,
        "a man does not jump backwards"
    );
}

#[test]
fn a_king_passes_its_crowning_rank_and_may_return_to_its_start() {
    let mut position = black_to_move(&[
        "- . - . - . - .",
        ". - . - r - r -",
        "- . - . - . - .",
        ". - . - r - R -",
        "- . - . - B - .",
        ". - . - . - . -",
        "- . - . - . - .",
        ". - . - . - . -",
    ]);
    let circle = [
        "(jump f 4 d 6)",
        "(jump d 6 f 8)",
        "(jump f 8 h 6)",
        "(jump h 6 f 4)",
    ];
    position.play_all(&circle);
    assert!(position.holds("(cell f 4 black_king)"));
    assert!(position.ends_with(&[100, 0]), "red has no piece left");
}

#[test]
fn men_step_forward_only() {
    let mut position = black_to_move(&[
        "- . - . - . - .",
        ". - . - . - . -",
        "- . - . - . - .",
        ". - r - . - . -",
        "- . - . - . - .",
        ". - . - b - . -",
        "- . - . - . - .",
        ". - . - . - . -",
    ]);
    assert_eq!(
        position.legal("black"),
        ["(move e 3 d 4)", "(move e 3 f 4)"]
    );
    position.play("(move e 3 f 4)");
    assert_eq!(position.legal("red"), ["(move c 5 b 4)", "(move c 5 d 4)"]);
}

#[test]
fn who_cannot_move_has_lost() {
    let mut blocked = black_to_move(&[
        "- . - . - . - .",
        ". - . - . - . -",
        "- . - . - . - .",
        ". - r - . - . -",
        "- r - . - . - .",
        "b - . - . - . -",
        "- . - . - . - .",
        ". - . - . - . -",
    ]);
    assert!(blocked.ends_with(&[0, 100]));
    let mut bare = black_to_move(&["- . - . - . - .", ". - r - . - . -"]);
    assert!(bare.ends_with(&[0, 100]));
}

/// Red's last turn of eighty: a quiet move draws, one that blocks black wins.
#[test]
fn eighty_turns_a_side_are_a_draw() {
    let board = lettered(
        &[
            "- . - . - . - .",
            ". - . - . - . -",
            "- . - r - . - .",
            ". - . - . - . -",
            "- r - . - . - .",
            "b - . - . - . -",
            "- . - . - . - .",
            ". - . - . - . -",
        ],
        WORDS,
    );
    let last_turn = and(board, &["(control red)", "(turn 80)"]);
    for (red, goals) in [("(move d 6 e 5)", [50, 50]), ("(move d 6 c 5)", [0, 100])] {
        let mut position = Position::start("checkers").with(&last_turn);
        assert!(!position.is_over());
        position.play(red);
        assert!(
            position.holds("(turn 81)") && position.ends_with(&goals),
            "{red}"
        );
    }
}

/// A chain of jumps counts as one turn.
#[test]
fn turns_from_the_start() {
    let rules = gdl::load(text("checkers")).rules.unwrap();
    let on_gates = Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap();
    let known = [7, 49, 302, 1469, 7361, 36768, 179_740, 845_931];
    assert_eq!(turns_of(&on_gates, 8), known);
    assert_eq!(turns_of(&NativeEngine::<Checkers>::default(), 8), known);
    assert_eq!(turns_of(&game(text("checkers")), 5), known[..5]);
}

fn turns_of<G: Engine>(game: &G, depth: u32) -> Vec<u64> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let deadline = &Deadline::default();
    let perft = Perft {
        turns: true,
        deadline,
    };
    let turns = |depth| perft.count(&pool, game, &game.initial(), depth);
    (1..=depth)
        .map(|depth| turns(depth).unwrap().paths)
        .collect()
}
