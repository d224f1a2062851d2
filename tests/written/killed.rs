//! Programs that are killed while they write: what is there is whole, and what they leave behind goes with the next write.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::full::names;
use crate::cli::{COIN, Folder};

/// How often each kind of work is killed.
const KILLS: usize = 25;

fn program(folder: &Folder, words: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
    command.current_dir(folder.path()).args(words.split(' '));
    command.env("XDG_STATE_HOME", folder.state());
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    command.stderr(Stdio::null());
    command
}

/// Runs the program again and again, and kills it at a moment drawn from the time that it takes.
fn kill_often(folder: &Folder, words: &str, typed: &str, mut check: impl FnMut()) {
    let run = || {
        let mut child = program(folder, words).spawn().unwrap();
        // A program that was killed reads no more.
        let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
        child
    };
    let begin = Instant::now();
    run().wait().unwrap();
    let whole = begin.elapsed();
    check();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..KILLS {
        let mut child = run();
        thread::sleep(whole.mul_f64(random.random_range(0.0..1.0)));
        child.kill().unwrap();
        child.wait().unwrap();
        check();
    }
}

/// What killed programs left in a folder.
fn leftovers(folder: &Folder) -> usize {
    let names = names(folder.path());
    let is_leftover = |name: &&String| name.starts_with(".kolibri-") && name.ends_with(".tmp");
    names.iter().filter(is_leftover).count()
}

fn text(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap_or_default()
}

#[test]
fn rules_are_old_or_new() {
    let folder = Folder::new().with("coin.kif", COIN).with("nim.kif", "mine");
    let formatted = folder.run(&["fmt", "coin.kif"]).out;
    let generated = folder.run(&["generate", "nim"]).out;
    kill_often(&folder, "fmt --write coin.kif", "", || {
        let now = text(&folder, "coin.kif");
        assert!(now == COIN || now == formatted, "{now}");
        fs::write(folder.path().join("coin.kif"), COIN).unwrap();
    });
    kill_often(&folder, "generate nim --force -o nim.kif", "", || {
        let now = text(&folder, "nim.kif");
        assert!(now == "mine" || now == generated, "{now}");
        fs::write(folder.path().join("nim.kif"), "mine").unwrap();
    });
    assert_eq!(folder.run(&["fmt", "--write", "coin.kif"]).status, 0);
    assert_eq!(names(folder.path()), ["coin.kif", "nim.kif"]);
}

#[test]
fn a_saved_game_is_old_or_new() {
    let folder = Folder::new();
    let moves = "2 2\nsave g\n1 2\nsave g\n3 1\nsave g\nquit\n";
    let words = "play tictactoe --player first";
    kill_often(
        &folder,
        words,
        &moves.replace("save", "save --force"),
        || {
            let loaded = kolibri::play::Record::load(&folder.path().join("g"));
            assert!(loaded.is_ok(), "{loaded:?}");
        },
    );
    assert!(leftovers(&folder) <= KILLS);
    let printed = folder.run_with_input(&["play", "tictactoe"], b"save --force g\nquit\n");
    assert!(printed.out.contains("saved to g"), "{}", printed.shown());
    assert_eq!(names(folder.path()), ["g"]);
}

#[test]
fn records_are_whole_or_not_there() {
    let folder = Folder::new();
    let words = "match tictactoe -p random --games 30 --quiet --record .";
    kill_often(&folder, words, "", || {});
    let kept = names(folder.path()).len() - leftovers(&folder);
    let verified = folder.run(&["verify", "."]);
    let all = format!("{kept} passed, 0 failed");
    assert!(
        kept >= 30 && verified.out.contains(&all),
        "{}",
        verified.out
    );
    let words = ["match", "tictactoe", "-p", "random", "--record", "."];
    assert_eq!(folder.run(&words).status, 0);
    assert_eq!(
        (names(folder.path()).len(), leftovers(&folder)),
        (kept + 1, 0)
    );
}
