//! Engines that do differ, as shipped ones never should.

use std::time::Duration;

use clap::Parser;

use super::*;
use crate::cli::command_line::CommandLine;
use crate::cli::commands::Command;
use crate::game::fixture::Subtraction;
use crate::terminal::Style;
use engines::Running;

/// What is found of two games, and what is shown of it.
fn compared(games: [&Subtraction; 2]) -> (Report, String) {
    let [one, other] = games;
    let running = |game, name| Running {
        game,
        name,
        startup: Duration::ZERO,
    };
    let (one, other) = (running(one, "one"), running(other, "other"));
    let words = "kolibri compare fixture --plies 50 --seconds 0.01";
    let parsed = CommandLine::try_parse_from(words.split(' ')).unwrap();
    let Command::Compare(args) = parsed.command else {
        panic!("another command");
    };
    let comparison = Comparison {
        args: &args,
        engines: &[&one, &other],
        stop: &Arc::default(),
    };
    let found = comparison.report("fixture", &[], &mut StatusLine::new(true));
    let (report, ended) = found.unwrap();
    assert_eq!(ended, Ok(()));
    let shown = shown(&report);
    (report, shown)
}

fn shown(report: &Report) -> String {
    let (mut out, mut err): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    let style = Style {
        unicode: false,
        color: false,
        width: 80,
    };
    let mut console = Console::plain(&mut out, &mut err);
    report.show(style, &mut console).unwrap();
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
fn who_was_not_compared_does_not_agree() {
    let report = Report::new("fixture", &[], &[], 1);
    let shown = shown(&report);
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

#[test]
fn a_game_of_which_nothing_was_seen_does_not_count() {
    let one = Running {
        game: &Subtraction::new(9, 3),
        name: "one",
        startup: Duration::ZERO,
    };
    let pair = Pair {
        engines: [&one, &one],
        states: None,
        seed: 1,
        limits: Limits {
            stop: &Arc::default(),
            deadline: Some(Instant::now()),
        },
    };
    let walked = pair.walk(&mut StatusLine::new(true)).unwrap().unwrap();
    assert_eq!((walked.states, walked.games), (0, 0));
}

/// Either engine leads in every second game, and both ways the difference is told of the right one.
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
fn one_engine_alone_has_nobody_to_differ_from() {
    let comparison = |args: &CompareArgs| {
        let comparison = Comparison {
            args,
            engines: &[],
            stop: &Arc::default(),
        };
        comparison
            .report("fixture", &[], &mut StatusLine::new(true))
            .is_err()
    };
    let parsed = CommandLine::try_parse_from(["kolibri", "compare", "fixture"]).unwrap();
    assert!(matches!(parsed.command, Command::Compare(args) if comparison(&args)));
}
