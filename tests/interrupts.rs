//! Ctrl-C: what was found until then is printed, and the exit status is 130.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use crate::cli::Folder;

/// What the program wrote to standard output and standard error, interrupted after so many lines of output, by two
/// signals where one press was meant, as `timeout` does it. Standard input is never closed.
fn interrupted(words: &[&str], lines: usize) -> (String, String) {
    let mut child = Command::new(cargo_bin("kolibri"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _input = child.stdin.take();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut out = String::new();
    for _ in 0..lines {
        reader.read_line(&mut out).unwrap();
    }
    let id = child.id().to_string();
    let twice = "kill -INT $0; kill -INT $0";
    let killed = Command::new("sh").args(["-c", twice, &id]).status();
    assert!(killed.unwrap().success());
    reader.read_to_string(&mut out).unwrap();
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{out}{err}");
    (out, err)
}

/// The same, interrupted once the game is ready and the work polls the flag, as the log says; what was written to standard
/// output.
fn interrupted_at_work(words: &[&str]) -> String {
    let mut child = Command::new(cargo_bin("kolibri"))
        .args(words)
        .arg("-vv")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let log = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut log = log.map(Result::unwrap);
    let mut awaited = vec![": engine ", "from now on, Ctrl-C"];
    while !awaited.is_empty() {
        let line = log
            .next()
            .expect("the program works until it is interrupted");
        awaited.retain(|words| !line.contains(words));
    }
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.unwrap().success());
    log.for_each(drop);
    let ended = child.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{out}");
    out
}

#[test]
fn a_measurement_says_that_it_was_interrupted() {
    let words = ["bench", "checkers", "--seconds", "3000"];
    let out = interrupted_at_work(&words);
    assert!(
        out.contains("\n  interrupted: this is what was found until then\n"),
        "{out}"
    );
    let out = interrupted_at_work(&[&words[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["interrupted"], true, "{out}");
}

#[test]
fn a_search_tells_its_move_and_leaves_out_what_takes_a_while() {
    let out = interrupted_at_work(&["search", "checkers", "--time", "3000", "--json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["interrupted"], true, "{out}");
    assert!(report["best"].is_string(), "{out}");
    assert!(report["table_entries"].is_null(), "{out}");
}

#[test]
fn what_a_player_was_asked_until_then_is_told() {
    let folder = Folder::new();
    let solved = folder.run(&["solve", "tictactoe", "--out", "x.solution"]);
    assert_eq!(solved.status, 0, "{}", solved.shown());
    let file = folder.path().join("x.solution").display().to_string();
    let player = "minimax:time=3000";
    let words = [
        "quality",
        "tictactoe",
        "--player",
        player,
        "--solution",
        &file,
        "--json",
    ];
    let out = interrupted_at_work(&words);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["interrupted"], true, "{out}");
}

const SERIES: [&str; 6] = [
    "match", "checkers", "--player", "random", "--games", "1000000",
];

#[test]
fn a_series_tells_the_totals_of_the_games_that_ended() {
    let words = [&SERIES[..], &["--quiet"]].concat();
    let (out, _) = interrupted(&words, 2);
    let ended = out.lines().filter(|line| line.starts_with("game "));
    let ended = ended
        .filter(|line| !line.contains(": stopped after "))
        .count();
    let last = format!("stopped after {ended} of 1000000 games");
    assert_eq!(out.lines().last(), Some(last.as_str()), "{out}");
    assert!(ended >= 2 && out.contains("player 1 random: "), "{out}");
}

#[test]
fn a_series_as_json_ends_in_totals_too() {
    let (out, _) = interrupted(&[&SERIES[..], &["--json"]].concat(), 2);
    let lines = out.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let (totals, games) = lines.split_last().unwrap();
    let (stopped, ended): (Vec<_>, Vec<_>) =
        games.iter().partition(|game| game["end"] == "stopped");
    assert_eq!(totals["games"], ended.len(), "{totals}");
    for game in stopped {
        assert_eq!(game["goals"]["red"], Value::Null, "{game}");
    }
}

#[test]
fn a_game_is_left_while_the_machine_thinks() {
    let machine = [
        "play",
        "checkers",
        "--role",
        "black",
        "--player",
        "red=minimax:time=60",
    ];
    let (out, err) = interrupted(&machine, 3);
    assert!(out.starts_with("checkers: "), "{out}");
    assert_eq!(err, "error: interrupted\n");
}

#[test]
fn a_game_is_left_while_a_person_thinks() {
    let (_, err) = interrupted(&["play", "tictactoe"], 3);
    assert_eq!(err, "error: interrupted\n");
}

#[test]
fn learning_that_has_not_begun_is_interrupted_like_all_work() {
    let folder = Folder::new();
    let out = folder.path().join("r.weights");
    let words = ["train", "reversi", "--time", "10min", "--threads", "1"];
    interrupted_at_work(&[&words[..], &["--out", out.to_str().unwrap()]].concat());
}
