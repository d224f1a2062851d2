//! Tic-tac-toe, nim, rock-paper-scissors, Fake Logic and the eight-puzzle.

use super::position::Position;

#[test]
fn tictactoe_is_won_by_a_line() {
    let mut game = Position::start("tictactoe");
    game.play_all(&["(mark 1 1)", "(mark 2 1)", "(mark 2 2)", "(mark 3 1)"]);
    assert!(!game.is_over() && game.legal("o") == ["noop"]);
    game.play("(mark 3 3)");
    assert!(game.ends_with(&[100, 0]));
}

#[test]
fn nim_is_lost_by_the_last_stick() {
    let mut game = Position::start("nim");
    game.play_all(&["(take d 7)", "(take c 5)", "(take b 3)"]);
    assert_eq!(game.legal("second"), ["(take a 1)"]);
    assert_eq!(game.legal("first"), ["noop"]);
    game.play("(take a 1)");
    assert!(game.ends_with(&[100, 0]));
}

#[test]
fn a_heap_gives_what_it_has() {
    let mut game = Position::start("nim");
    game.play("(take c 4)");
    let from_c: Vec<_> = game
        .legal("second")
        .into_iter()
        .filter(|mv| mv.contains(" c "))
        .collect();
    assert_eq!(from_c, ["(take c 1)"]);
}

#[test]
fn rock_paper_scissors_is_simultaneous() {
    let mut game = Position::start("rock-paper-scissors");
    let signs = ["paper", "rock", "scissors"];
    assert_eq!(game.legal("left"), signs);
    assert_eq!(game.legal("right"), signs);
    for signs in [
        ["rock", "scissors"],
        ["paper", "rock"],
        ["scissors", "scissors"],
    ] {
        game.play_jointly(&signs);
    }
    assert!(game.holds("(score left 2)") && game.holds("(score right 0)"));
    game.play_jointly(&["scissors", "rock"]);
    assert!(game.holds("(round 5)") && !game.is_over());
    game.play_jointly(&["scissors", "scissors"]);
    assert!(game.ends_with(&[100, 0]), "ahead after five rounds");
}

#[test]
fn three_rounds_win_the_match_early() {
    let mut game = Position::start("rock-paper-scissors");
    for _ in 0..3 {
        assert!(!game.is_over());
        game.play_jointly(&["rock", "paper"]);
    }
    assert!(game.ends_with(&[0, 100]));
}

#[test]
fn red_may_stay_at_one_place_of_fake_logic_only() {
    let mut game = Position::start("fakelogic");
    game.play_all(&["(go 120)", "(go 121)", "(go 122)", "(go 103)"]);
    game.play_all(&["(go 107)", "(go 108)", "(go 109)", "(go 110)"]);
    for _ in 0..3 {
        assert_eq!(game.legal("red"), ["(go 110)", "(go 111)"]);
        assert_eq!(game.legal("black"), ["noop"]);
        game.play("(go 110)");
    }
    game.play_all(&["(go 111)", "(go 121)", "(go 122)", "(go 103)"]);
    assert_eq!(game.legal("red"), ["(go 104)", "(go 107)"]);
    game.play_all(&["(go 104)", "(go 105)", "(go 106)", "(go black_won)"]);
    assert!(game.ends_with(&[0, 100]));
}

#[test]
fn fake_logic_is_won_by_red_at_place_101() {
    let mut game = Position::start("fakelogic");
    game.play_all(&["(go 100)", "(go 101)"]);
    assert_eq!(game.legal("red"), ["(go 102)", "(go 200)", "(go red_won)"]);
    game.play("(go red_won)");
    assert!(game.ends_with(&[100, 0]));
}

#[test]
fn tiles_slide_into_the_hole_until_they_are_in_order() {
    let mut game = Position::start("eight-puzzle");
    let beside = ["(slide 1 2)", "(slide 2 1)", "(slide 2 3)", "(slide 3 2)"];
    assert_eq!(game.legal("player"), beside);
    game.play("(slide 2 1)");
    assert!(game.holds("(cell 2 2 1)") && game.holds("(cell 2 1 hole)") && game.holds("(step 1)"));
    assert_eq!(
        game.legal("player"),
        ["(slide 1 1)", "(slide 2 2)", "(slide 3 1)"]
    );
    // To and fro, until the game is over.
    for ply in 1..31 {
        assert!(!game.is_over());
        game.play(if ply % 2 == 1 {
            "(slide 2 2)"
        } else {
            "(slide 2 1)"
        });
    }
    assert!(game.ends_with(&[0]));
}
