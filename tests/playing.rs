//! `kolibri play`: scripted sessions, sensible and odd.

use std::fs;
use std::process::Output;

use assert_cmd::Command;

fn play(words: &[&str], typed: impl Into<Vec<u8>>) -> Output {
    let mut command = Command::cargo_bin("kolibri").unwrap();
    command
        .arg("play")
        .args(words)
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLUMNS");
    let done = command.write_stdin(typed).assert().success();
    let output = done.get_output().clone();
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn text(words: &[&str], typed: impl Into<Vec<u8>>) -> String {
    String::from_utf8(play(words, typed).stdout).unwrap()
}

const AGAINST_FIRST: [&str; 5] = ["tictactoe", "--player", "first", "--seed", "1"];

#[test]
fn a_game_won() {
    insta::assert_snapshot!(text(
        &AGAINST_FIRST,
        "2 2\n(mark 1 3)\n7\nmoves\n3 1\nmark 1 1\nquit\n"
    ));
}

#[test]
fn commands_and_mistakes() {
    let typed = "help\nfacts\n\nmark\n99\nfly away\nmark 2 2\nundo\nundo\nboard\nq\n";
    insta::assert_snapshot!(text(&AGAINST_FIRST, typed));
}

#[test]
fn the_computer_gives_hints() {
    let told = text(&AGAINST_FIRST, "2 2\n1 3\nhint\nquit\n");
    assert!(told.contains("try (mark 3 1) (exact value 100)"), "{told}");
}

#[test]
fn the_second_role() {
    let words = ["tictactoe", "--role", "o", "-p", "first", "--seed", "1"];
    let typed = text(&words, "2 2\nquit\n");
    assert!(
        typed.starts_with("tictactoe: x first, o you (seed 1)"),
        "{typed}"
    );
    assert!(typed.contains("1. x (mark 1 1)") && typed.contains("2. o (mark 2 2)"));
}

#[test]
fn two_people_and_simultaneous_moves() {
    let typed = text(
        &["rock-paper-scissors", "-p", "human"],
        "rock\np\nscissors\nquit\n",
    );
    assert!(typed.contains("1. left rock, right paper"), "{typed}");
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game of mine.json");
    let name = file.to_str().unwrap();
    let typed = format!("2 2\nsave {name}\n1 2\nload {name}\nload /nowhere\nload\nsave\nquit\n");
    let told = text(&AGAINST_FIRST, typed);
    assert!(
        told.contains("saved to") && told.contains("2 moves played"),
        "{told}"
    );
    assert!(told.contains("cannot read /nowhere"), "{told}");
    let mut verify = Command::cargo_bin("kolibri").unwrap();
    verify.args(["verify", name]).assert().success();
    let told = text(&["nim"], format!("load {name}\nquit\n"));
    assert!(
        told.contains("the record is of another game: its roles are x, o"),
        "{told}"
    );
    fs::write(&file, "{}").unwrap();
    let told = text(&AGAINST_FIRST, format!("load {name}\nmark 2 2\n"));
    assert!(
        told.contains("not a match record") && told.contains("1. x (mark 2 2)"),
        "{told}"
    );
}

#[test]
fn odd_input_is_survived() {
    let huge = "9".repeat(10_000_000);
    let odd: [&[u8]; 8] = [
        b"",
        b"\n\n\n",
        b"\xff\xfe\x00\x01\n",
        b"((((((\n))))\n",
        b"-1\n0\n99999999999999999999999999\n1e9\n",
        b"\x1b[2J\x07\n",
        b"undo\nundo\nsave\nload\n",
        huge.as_bytes(),
    ];
    for typed in odd {
        let told = String::from_utf8(play(&AGAINST_FIRST, typed).stdout).unwrap();
        assert!(
            told.len() < 20_000 && !told.contains(['\u{7}', '\u{1b}']),
            "{told}"
        );
    }
    let told = text(&AGAINST_FIRST, format!("{huge}\nmark 2 2\n"));
    assert!(told.contains("that line is too long") && told.contains("1. x (mark 2 2)"));
}

#[test]
fn every_evening_has_a_seed_of_its_own() {
    let seed = |words: &[&str]| {
        let told = text(words, "quit\n");
        let seed = told.split_once("(seed ").unwrap().1;
        seed.split_once(')').unwrap().0.parse::<u64>().unwrap()
    };
    assert_ne!(seed(&["tictactoe"]), seed(&["tictactoe"]));
    assert_eq!(seed(&["tictactoe", "--seed", "7"]), 7);
}

#[test]
fn nobody_left_to_play() {
    let mut command = Command::cargo_bin("kolibri").unwrap();
    let done = command
        .args(["play", "tictactoe", "-p", "x=first", "-p", "o=first"])
        .assert()
        .code(2);
    assert!(String::from_utf8_lossy(&done.get_output().stderr).contains("--role ROLE"));
}

#[test]
fn a_game_that_goes_round_without_a_choice_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("round.kif");
    fs::write(
        &file,
        "(role r)(init (at 1))(legal r wait)(goal r 0)(<= terminal (true (at 4)))
         (<= (next (at 2)) (true (at 1)))(<= (next (at 3)) (true (at 2)))(<= (next (at 2)) (true (at 3)))",
    )
    .unwrap();
    let told = text(&[file.to_str().unwrap()], "quit\n");
    assert!(
        told.contains("the game stands still: no player can change anything"),
        "{told}"
    );
    assert!(told.contains("3. ") && !told.contains("4. "), "{told}");
}
