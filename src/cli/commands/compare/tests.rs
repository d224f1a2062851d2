//! Engines that do differ, as shipped ones never should.

use std::time::Duration;

use clap::Parser;

use super::*;
use crate::cli::args;
use crate::game::toy::Subtraction;
use crate::terminal::Style;
use engines::Running;

/// What is found of two games, and what is shown of it.
fn compared(games: [&Subtraction; 2]) -> (bool, String) {
    let [one, other] = games;
    let running = |game, name| Running {
        game,
        name,
        startup: Duration::ZERO,
    };
    let (one, other) = (running(one, "one"), running(other, "other"));
    let words = "kolibri compare toy --plies 50 --seconds 0.01";
    let parsed = args::Args::try_parse_from(words.split(' ')).unwrap();
    let args::Command::Compare(args) = parsed.command else {
        panic!("another command");
    };
    let comparison = Comparison {
        args: &args,
        engines: &[&one, &other],
        stop: &Arc::default(),
    };
    let found = comparison.report("toy", &[], &mut StatusLine::new(true));
    let (report, ended) = found.unwrap();
    assert_eq!(ended, Ok(()));
    let (mut out, mut err): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    let style = Style {
        unicode: false,
        color: false,
        width: 80,
    };
    let mut session = Session::plain(&mut out, &mut err);
    report.show(style, &mut session).unwrap();
    (report.agree, String::from_utf8(out).unwrap())
}

#[test]
fn equal_engines_agree() {
    let (agree, shown) = compared([&Subtraction::new(9, 3), &Subtraction::new(9, 3)]);
    assert!(agree, "{shown}");
    assert!(shown.starts_with("toy: one, other agree"), "{shown}");
    assert!(shown.contains("lock-step of one and other: "), "{shown}");
    assert!(shown.contains("perft paths/s"), "{shown}");
}

/// Either engine leads in every second game, and both ways the difference is told of the right one.
#[test]
fn the_first_difference_is_shown_on_two_boards() {
    let [wide, narrow] = [Subtraction::new(3, 2), Subtraction::new(3, 1)];
    for (games, board) in [([&wide, &narrow], "one"), ([&narrow, &wide], "other")] {
        let (agree, shown) = compared(games);
        assert!(!agree, "{shown}");
        assert!(shown.contains("paths of 1 plies: "), "{shown}");
        let expected = format!("\n{board}\nonly here: (take 2)\n");
        assert!(shown.contains(&expected), "{shown}");
        assert_eq!(shown.matches("heap").count(), 2, "{shown}");
        assert!(!shown.contains("perft paths/s"), "{shown}");
    }
}

#[test]
fn one_engine_alone_has_nobody_to_differ_from() {
    let comparison = |args: &Args| {
        let comparison = Comparison {
            args,
            engines: &[],
            stop: &Arc::default(),
        };
        comparison
            .report("toy", &[], &mut StatusLine::new(true))
            .is_err()
    };
    let parsed = args::Args::try_parse_from(["kolibri", "compare", "toy"]).unwrap();
    assert!(matches!(parsed.command, args::Command::Compare(args) if comparison(&args)));
}
