//! Streams, colour and exit status: what scripts rely on.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::cli::{COIN, Folder, commands};

#[test]
fn help_is_an_answer_and_not_an_error() {
    for words in [
        &["--help"][..],
        &["perft", "--help"],
        &["help", "check"],
        &["--version"],
    ] {
        let ended = Folder::new().run(words);
        assert_eq!(ended.status, 0, "{}", ended.shown());
        assert!(
            ended.err.is_empty() && !ended.out.is_empty(),
            "{}",
            ended.shown()
        );
    }
}

#[test]
fn every_command_shows_an_example() {
    for name in commands().iter().filter(|name| *name != "games") {
        let help = Folder::new().run(&[name, "--help"]).out;
        assert!(
            help.contains("Examples:\n  kolibri "),
            "`{name}` shows no example"
        );
    }
}

#[test]
fn colour_is_for_those_who_want_it() {
    let folder = Folder::new().with("coin.kif", COIN);
    let painted = |words: &[&str]| folder.run(words).out.contains('\u{1b}');
    assert!(!painted(&["check", "coin.kif"]), "a pipe gets no colour");
    assert!(painted(&["check", "coin.kif", "--color", "always"]));
    assert!(!painted(&["check", "coin.kif", "--color", "never"]));
}

#[test]
fn rules_come_from_standard_input_too() {
    let ended = Folder::new().run_with_input(&["perft", "-", "2"], COIN.as_bytes());
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(
        ended.out.contains("1                    4"),
        "{}",
        ended.out
    );
}

#[test]
fn a_reader_who_has_enough_is_no_error() {
    let program = assert_cmd::cargo::cargo_bin("kolibri");
    let mut child = Command::new(program)
        .args(["show", "lines-of-action"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!first.is_empty());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn formatting_checks_prints_and_writes() {
    let folder = Folder::new().with("coin.kif", COIN);
    let checked = folder.run(&["fmt", "coin.kif", "--check"]);
    assert_eq!(
        (checked.status, checked.out.as_str()),
        (1, "coin.kif: 24 lines differ\n")
    );
    let printed = folder.run(&["fmt", "coin.kif"]).out;
    assert_eq!(
        folder.run_with_input(&["fmt", "-"], COIN.as_bytes()).out,
        printed
    );
    let written = folder.run(&["fmt", "coin.kif", "--write"]);
    assert_eq!((written.status, written.out.as_str()), (0, ""));
    let file = std::fs::read_to_string(folder.path().join("coin.kif")).unwrap();
    assert_eq!(file, printed);
    assert_eq!(folder.run(&["fmt", "coin.kif", "--check"]).status, 0);
}

#[test]
fn one_thing_is_counted_as_one() {
    let folder = Folder::new().with("coin.kif", COIN);
    let ended = folder.run(&["info", "coin.kif"]);
    assert!(
        ended.out.contains("  positions  1 fact at the start"),
        "{}",
        ended.shown()
    );
}

#[test]
fn rules_without_end_are_named_with_their_line() {
    let growing = "(role r) (init (count zero)) (legal r go) (goal r 0)
        (<= (next (count (s ?n))) (true (count ?n)) (does r go))
        (<= terminal (true (count never)))";
    let folder = Folder::new().with("growing.kif", growing);
    let ended = folder.run(&["info", "growing.kif"]);
    let place = "see the rule for `(next (count …))` in line 2";
    assert!(ended.out.contains(place), "{}", ended.shown());
}

#[test]
fn threads_count_the_same_paths() {
    let folder = Folder::new();
    let count = |threads: &str| {
        let words = ["perft", "kolibrat", "5", "--threads", threads, "--json"];
        let object: serde_json::Value = serde_json::from_str(&folder.run(&words).out).unwrap();
        object["counts"].clone()
    };
    assert_eq!(count("1"), serde_json::json!([3, 9, 30, 100, 404]));
    assert_eq!(count("2"), count("1"));
}

#[test]
fn turns_are_counted_when_control_passes() {
    let words = ["perft", "checkers", "4", "--turns", "--json"];
    let object: serde_json::Value = serde_json::from_str(&Folder::new().run(&words).out).unwrap();
    assert_eq!(object["counts"], serde_json::json!([7, 49, 302, 1469]));
}
