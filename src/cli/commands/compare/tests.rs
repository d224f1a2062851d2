//! Comparisons of engines that differ.

use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::print::print;
use crate::cli::console::Console;
use crate::drawing::Style;
use crate::game::fixture::Subtraction;
use crate::play::{ComparedEngine, Comparison, ComparisonReport, OneEngine};
use crate::session::Game;
use crate::util::StopFlag;

/// What is found of some engines, each for at most `time` and kind of work.
fn compare(
    engines: &[ComparedEngine],
    time: Duration,
    is_stopped: bool,
) -> Result<ComparisonReport, OneEngine> {
    let pool: ThreadPool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let stop = StopFlag::default();
    if is_stopped {
        stop.raise();
    }
    let comparison = Comparison {
        game: "fixture",
        engines,
        left_out: &[],
        time,
        plies: Some(50),
        games: 4,
        move_time: time,
        seed: 1,
        pool: &pool,
        stop: &stop,
    };
    let (report, ended) = comparison.run(&mut |_, _| {})?;
    assert_eq!(ended.is_err(), is_stopped);
    Ok(report)
}

fn compare_games(games: [&Subtraction; 2], is_stopped: bool) -> (ComparisonReport, String) {
    let [one, other] = games;
    let open = |game: &Subtraction, name| ComparedEngine {
        name,
        game: Game::from_engine(name, game.clone()),
    };
    let engines = [open(one, "one"), open(other, "other")];
    let time = Duration::from_millis(if is_stopped { 0 } else { 10 });
    let report = compare(&engines, time, is_stopped).unwrap();
    let shown = shown(&report);
    (report, shown)
}

/// What is found of two games, and what is shown of it.
fn compared(games: [&Subtraction; 2]) -> (ComparisonReport, String) {
    compare_games(games, false)
}

fn shown(report: &ComparisonReport) -> String {
    let (mut out, mut err): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    let style = Style {
        unicode: false,
        width: 80,
        ..Style::UNCOLOURED
    };
    let mut console = Console::plain(&mut out, &mut err);
    print(report, style, &mut console).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn equal_engines_agree() {
    let (report, shown) = compared([&Subtraction::new(9, 3), &Subtraction::new(9, 3)]);
    assert_eq!(report.agree, Some(true), "{shown}");
    assert!(shown.starts_with("fixture: one, other agree"), "{shown}");
    assert!(
        shown.contains("differential test of one and other: "),
        "{shown}"
    );
    assert!(shown.contains("perft paths/s"), "{shown}");
}

#[test]
fn engines_that_were_not_compared_do_not_agree() {
    let game = Subtraction::new(9, 3);
    let (report, shown) = compare_games([&game, &game], true);
    assert_eq!((report.agree, report.is_complete), (None, false), "{shown}");
    assert!(shown.contains("have not been compared yet"), "{shown}");
}

#[test]
fn a_game_that_is_over_at_once_has_no_ratios() {
    let game = Subtraction::new(0, 3);
    let (report, shown) = compared([&game, &game]);
    assert!(!shown.contains("NaN"), "{shown}");
    assert_eq!(
        report.differential_test[0].states,
        report.differential_test[0].games
    );
}

/// Either engine leads in every second game, and both ways the difference is reported of the right one.
#[test]
fn the_first_difference_is_shown_on_two_boards() {
    let [wide, narrow] = [Subtraction::new(3, 2), Subtraction::new(3, 1)];
    for (games, board) in [([&wide, &narrow], "one"), ([&narrow, &wide], "other")] {
        let (report, shown) = compared(games);
        assert_eq!(report.agree, Some(false), "{shown}");
        assert!(shown.contains("paths of 1 plies: "), "{shown}");
        let expected = format!("\n{board}\nonly here: (take 2)\n");
        assert!(shown.contains(&expected), "{shown}");
        assert_eq!(shown.matches("heap").count(), 2, "{shown}");
        assert!(!shown.contains("perft paths/s"), "{shown}");
    }
}

#[test]
fn one_engine_alone_has_nothing_to_be_compared_with() {
    assert!(compare(&[], Duration::ZERO, false).is_err());
}
