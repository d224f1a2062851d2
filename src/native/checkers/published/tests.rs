//! Cures of jitter, earlier versions of EF-3, and logs.

use super::*;
use crate::game::StateMachine;
use crate::native::NativeEngine;
use crate::util::StopFlag;

fn player(evaluation: PublishedEvaluation) -> PublishedPlayer {
    PublishedPlayer {
        evaluation,
        depth: 2,
        ..PublishedPlayer::default()
    }
}

fn play(red: PublishedPlayer, black: PublishedPlayer) -> PublishedGame {
    PublishedPairing { red, black }
        .play(1, &StopFlag::default())
        .unwrap()
}

/// A position, drawn from square 1 on, with `control` to move.
fn position(rows: &str, control: &str) -> CheckersState {
    let engine = NativeEngine::<Checkers>::default();
    let mut facts = vec![format!("(control {control})"), "(turn 1)".to_owned()];
    for (row, letters) in rows.split('/').enumerate() {
        for (column, letter) in letters.chars().enumerate() {
            let file = char::from(b'a' + (2 * column + (row + 1) % 2) as u8);
            let piece = match letter {
                'r' => "red",
                'R' => "red_king",
                'b' => "black",
                'B' => "black_king",
                _ => "blank",
            };
            facts.push(format!("(cell {file} {} {piece})", 8 - row));
        }
    }
    engine.state_from_text(&facts).unwrap()
}

fn value(evaluation: PublishedEvaluation, rows: &str, control: &str) -> i32 {
    evaluation.value(&Checkers::default(), &position(rows, control), 0)
}

#[test]
fn jitter_is_seen_and_cured() {
    let [one, two] = [PublishedEvaluation::One, PublishedEvaluation::Two].map(player);
    let shuttling = play(one, one);
    assert!(shuttling.ends_in_jitter());
    assert!(shuttling.of_player(0).jitter > 30);
    for cure in JitterCure::ALL {
        let cured = |player| PublishedPlayer { cure, ..player };
        let game = play(cured(one), cured(one));
        let expected = matches!(
            cure,
            JitterCure::None | JitterCure::Home | JitterCure::Score
        );
        assert!(expected || !game.ends_in_jitter(), "{cure:?}");
        assert_eq!(
            game.turns,
            play(cured(one), cured(one)).turns_without_time(&game)
        );
    }
    assert!(!play(two, two).ends_in_jitter());
}

impl PublishedGame {
    /// The turns with the times of another game.
    fn turns_without_time(self, other: &Self) -> Vec<PublishedTurn> {
        let times = other.turns.iter().map(|played| played.time);
        let turns = self.turns.into_iter().zip(times);
        turns
            .map(|(played, time)| PublishedTurn { time, ..played })
            .collect()
    }
}

/// A king that has been on its home row is remembered until it is taken, wherever it goes.
#[test]
fn kings_that_have_been_home_are_remembered() {
    let (rules, stop) = (Checkers::default(), StopFlag::default());
    let after = |position: &CheckersState, text: &str| {
        let turns = rules.turns(position);
        turns
            .into_iter()
            .find(|turn| turn.text() == text)
            .unwrap()
            .after
    };
    let mut positions = vec![position("..../R.../.R../..../..../..../..../b...", "red")];
    for text in ["5-1", "29-25", "1-6", "25-21", "10-14", "21-17"] {
        positions.push(after(&positions[positions.len() - 1], text));
    }
    let returned = |ply: usize| {
        let task = SearchTask {
            rules: &rules,
            position: &positions[ply],
            past: &positions[..ply],
            seed: 1,
            stop: &stop,
        };
        cures::returned_kings(&task)
    };
    let squares = |set: u32| seen::numbered(set);
    assert_eq!(squares(returned(0)), 0);
    assert_eq!(squares(returned(2)), 1 << 1);
    assert_eq!(squares(returned(4)), 1 << 6);
    // The other king has moved since, and was never home.
    assert_eq!(squares(returned(6)), 1 << 6);
}

/// A king heads for its home row, and once there away from it.
#[test]
fn kings_are_drawn_home() {
    let on = |square: u32, returned: bool| {
        let bit = crate::native::checkers::board::NUMBERS
            .iter()
            .position(|&number| u32::from(number) == square);
        let king = 1 << bit.unwrap();
        cures::homing(
            PublishedEvaluation::Three,
            king,
            if returned { king } else { 0 },
            true,
        )
    };
    assert!(on(2, false) > on(14, false) && on(14, false) > on(26, false));
    assert!(on(2, true) < on(26, true));
}

/// Values worked out by hand.
#[test]
fn earlier_versions_of_ef3() {
    use PublishedEvaluation::{Three, ThreeV0, ThreeV1, ThreeV2, ThreeWithBonus};
    let apart = "r.../..../..../..../..../..../..../...b";
    assert_eq!(value(ThreeV0, apart, "red"), 1);
    // A piece; moves to 5 and 6, which have the worth of 6 and 7; its square.
    assert_eq!(value(ThreeV1, apart, "red"), 1 + (1 + 1) + 100);
    // The same, less black's square; black has moves to 27 and 28.
    assert_eq!(value(ThreeV2, apart, "red"), 1 + (1 + 1) + 100 - 100);
    assert_eq!(value(ThreeV2, apart, "black"), 1 + 1 + 100);
    // Red can take one man, then two.
    let takes = "..../..../..../.r../.b../..../..../..b.";
    assert_eq!(value(ThreeV2, takes, "red"), i32::MAX / 2);
    let takes_two = "..../..../..../.r../.b../..../.b../...b";
    assert_eq!(value(ThreeV2, takes_two, "red"), i32::MAX - 10);
    assert_eq!(
        value(ThreeV2, "r.../..../..../..../..../..../..../....", "red"),
        i32::MAX - 1000
    );
    let two_ahead = "rr../R.../..../..../..../..../..../...b";
    assert_eq!(
        value(ThreeWithBonus, two_ahead, "red"),
        value(Three, two_ahead, "red") + 40 + 20
    );
}

#[test]
fn logs_are_named_and_worded_as_the_report_has_them() {
    let pairing = sample_run(5).unwrap();
    let game = pairing.play(1, &StopFlag::default()).unwrap();
    assert_eq!(log_name(&pairing, true), "min-3-abs-4-4x2-full.log");
    let (short, full) = (short_log(&pairing, &game), full_log(&pairing, &game));
    assert!(
        short.starts_with("Black moves from 21 to destination (in sequence): dest: 17\nRed moves")
    );
    assert!(short.ends_with("BLACK WINS\nRed: Minimax-Alpha-Beta, Evaluation 3, Depth 4\nBlack: Alpha-Beta-Search, Evaluation 4, Depth 2\n"));
    assert!(full.starts_with("Round 1 Black's Move...\nBlack moves from 21"));
    assert!(
        full.contains(
            "|   | r |   | r |   | r |   | r |\n|___|__1|___|__2|___|__3|___|__4|\n| r |"
        )
    );
    assert!(full.contains("RED player took 1 piece(s)."));
}

#[test]
fn a_stopped_game_has_no_result() {
    let stop = StopFlag::default();
    stop.raise();
    assert_eq!(sample_run(4).unwrap().play(1, &stop), None);
}
