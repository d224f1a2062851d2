//! Programs that are killed while they write: what is there is whole, and what they leave behind goes with the next write.

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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

/// Runs the program again and again, and kills it at a moment at which it writes: soon after `has_begun`. What is typed is typed again
/// and again, so that there is always more to write.
fn kill_often(
    folder: &Folder,
    words: &str,
    typed: &'static str,
    has_begun: impl Fn() -> bool,
    mut check: impl FnMut(),
) {
    const SOON: u64 = 30_000;
    const TIMEOUT: Duration = Duration::from_secs(60);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..KILLS {
        let mut child = program(folder, words).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // A program that was killed reads no more.
        let typing =
            thread::spawn(
                move || {
                    while !typed.is_empty() && input.write_all(typed.as_bytes()).is_ok() {}
                },
            );
        let begin = Instant::now();
        while !has_begun() && child.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < TIMEOUT, "{words} has written nothing");
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(random.random_range(0..SOON)));
        child.kill().unwrap();
        child.wait().unwrap();
        typing.join().unwrap();
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
    const FILES: usize = 40;
    let folder = Folder::new().with("nim.kif", "mine");
    let generated = folder.run(&["generate", "nim"]).out;
    let files: Vec<String> = (0..FILES).map(|n| format!("coin{n}.kif")).collect();
    let reset = || {
        for file in &files {
            fs::write(folder.path().join(file), COIN).unwrap();
        }
    };
    reset();
    let formatted = folder.run(&["fmt", &files[0]]).out;
    let words = format!("fmt --write {}", files.join(" "));
    let has_begun = || text(&folder, &files[0]) != COIN;
    kill_often(&folder, &words, "", has_begun, || {
        for file in &files {
            let now = text(&folder, file);
            assert!(now == COIN || now == formatted, "{now}");
        }
        reset();
    });
    let has_begun = || leftovers(&folder) > 0 || text(&folder, "nim.kif") != "mine";
    kill_often(
        &folder,
        "generate nim --force -o nim.kif",
        "",
        has_begun,
        || {
            let now = text(&folder, "nim.kif");
            assert!(now == "mine" || now == generated, "{now}");
            fs::write(folder.path().join("nim.kif"), "mine").unwrap();
        },
    );
    assert_eq!(folder.run(&["fmt", "--write", &files[0]]).status, 0);
    assert_eq!(leftovers(&folder), 0);
}

#[test]
fn a_saved_game_is_old_or_new() {
    const TYPED: &str = "2 2\nsave --force g\n1 2\nsave --force g\nundo 2\n";
    let folder = Folder::new();
    let words = "play tictactoe --player first";
    let has_begun = || folder.path().join("g").exists();
    kill_often(&folder, words, TYPED, has_begun, || {
        let loaded = kolibri::play::Record::load(&folder.path().join("g"));
        assert!(loaded.is_ok(), "{loaded:?}");
    });
    assert!(leftovers(&folder) <= KILLS);
    let printed = folder.run_with_input(&["play", "tictactoe"], b"save --force g\nquit\n");
    assert!(printed.out.contains("saved to g"), "{}", printed.shown());
    assert_eq!(names(folder.path()), ["g"]);
}

/// All but the move that was being kept is there, and each game goes on.
#[test]
fn a_game_in_progress_is_whole() {
    const TYPED: &str = "2 2\n1 2\nundo 1\n1 3\nundo 1\n";
    let folder = Folder::new();
    let kept = folder.state().join("kolibri/games");
    let games = || -> Vec<String> {
        match kept.exists() {
            true => names(&kept)
                .into_iter()
                .filter(|name| name.ends_with(".json.gz"))
                .collect(),
            false => Vec::new(),
        }
    };
    let has_begun = || !games().is_empty();
    kill_often(
        &folder,
        "play tictactoe --player first",
        TYPED,
        has_begun,
        || {
            for game in games() {
                let record = kolibri::play::Record::load(&kept.join(&game)).unwrap();
                assert!(!record.moves.is_empty(), "{game}");
                fs::remove_file(kept.join(game)).unwrap();
            }
        },
    );
    let ended = folder.run_with_input(&["play", "tictactoe", "-p", "first"], b"2 2\n");
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(names(&kept).iter().all(|name| !name.ends_with(".tmp")));
    let ended = folder.run_with_input(&["play", "--resume"], b"facts\n");
    assert!(ended.out.contains("(cell 2 2 x)"), "{}", ended.shown());
}

#[test]
fn records_are_whole_or_not_there() {
    let folder = Folder::new();
    let words = "match tictactoe -p random --games 1000000 --quiet --record .";
    let before = Cell::new(0);
    // Listed once: between two listings, a file takes its name.
    let is_record = |name: &&String| name.ends_with(".json.gz");
    let count = || names(folder.path()).iter().filter(is_record).count();
    kill_often(
        &folder,
        words,
        "",
        || count() > before.get(),
        || before.set(count()),
    );
    let kept = count();
    let verified = folder.run(&["verify", "."]);
    let all = format!("{kept} passed, 0 failed");
    assert!(
        kept >= KILLS && verified.out.contains(&all),
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
