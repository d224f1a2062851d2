//! Enumerations that are killed, and go on.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use super::full::limited;
use crate::cli::Folder;

/// How often the program is killed.
const KILLS: usize = 40;

/// Bytes of a checkpoint that hold more than its header.
const SEVERAL_PLIES: u64 = 20_000;

/// A game of some thousand states, many of them on cycles.
fn folder() -> Folder {
    folder_of("--width 2 --height 3 --pieces 2 --goals 3")
}

/// A folder with Kolibrat of this size.
fn folder_of(size: &str) -> Folder {
    let words = ["generate", "kolibrat"].into_iter().chain(size.split(' '));
    let rules = Folder::new().run(&words.collect::<Vec<_>>()).out;
    Folder::new().with("game.kif", rules)
}

/// A report but for what differs from run to run.
fn report(out: &str) -> Value {
    let mut report: Value = serde_json::from_str(out).unwrap();
    for field in ["seconds", "states_per_second", "peak_memory_bytes", "file"] {
        report.as_object_mut().unwrap().remove(field);
    }
    report
}

#[test]
fn a_solution_is_the_same_after_kills() {
    let folder = folder();
    let begin = Instant::now();
    let whole = folder.run(&["solve", "game.kif", "--json", "--out", "whole"]);
    let all = begin.elapsed();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap_or_default();
    let words = "solve game.kif --checkpoint kept --out killed --json --force";
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut begun, mut complete, mut written) = (0, 0, 0);
    for _ in 0..KILLS {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
        command.current_dir(folder.path()).args(words.split(' '));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        thread::sleep(all.mul_f64(random.random_range(0.2..1.2)));
        child.kill().unwrap();
        child.wait().unwrap();
        let solution = read("killed");
        assert!(solution.is_empty() || solution == read("whole"));
        begun += usize::from(!read("kept").is_empty());
        if !solution.is_empty() {
            written += 1;
            fs::remove_file(folder.path().join("killed")).unwrap();
        }
        // Now and then from the beginning: most kills would find all states.
        if random.random_range(0..3) == 0 && !read("kept").is_empty() {
            complete += 1;
            fs::remove_file(folder.path().join("kept")).unwrap();
        }
    }
    assert!(begun > 5 && complete > 0, "{begun} {complete} {written}");
    let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert_eq!(read("killed"), read("whole"));
    assert_eq!(report(&ended.out), report(&whole.out));
}

#[test]
fn a_solution_is_the_same_after_kills_on_the_way_backwards() {
    // Large enough that the way back from the ends takes longer than it takes to see that it has begun.
    let folder = folder_of("--width 3 --height 3 --pieces 3 --goals 3");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap_or_default();
    let whole = folder.run(&[
        "solve",
        "game.kif",
        "--json",
        "--out",
        "whole",
        "--checkpoint",
        "all",
    ]);
    let all = read("all").len() as u64;
    let kept = || fs::metadata(folder.path().join("kept")).map_or(0, |kept| kept.len());
    let words = "solve game.kif --checkpoint kept --out killed --json";
    let mut in_time = 0;
    for pause in [0, 2, 5, 10, 20, 40] {
        let _ = fs::remove_file(folder.path().join("kept"));
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
        command.current_dir(folder.path()).args(words.split(' '));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // All plies are kept: there is nothing more to do forwards.
        while kept() < all && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        let was_killed = !child.wait().unwrap().success();
        in_time += usize::from(was_killed && read("killed").is_empty() && kept() == all);
        let _ = fs::remove_file(folder.path().join("killed"));
        let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
        assert!(ended.err.contains("went on after ply"), "{}", ended.shown());
        assert_eq!(read("killed"), read("whole"));
        assert_eq!(report(&ended.out), report(&whole.out));
        fs::remove_file(folder.path().join("killed")).unwrap();
    }
    assert!(in_time > 0, "every run had ended before it was killed");
}

#[test]
fn ctrl_c_and_kills_leave_what_states_goes_on_from() {
    // Large enough that no enumeration ends before its signal comes.
    let folder = folder_of("--width 3 --height 4 --pieces 3 --goals 4");
    let whole = folder.run(&["states", "game.kif", "--json"]);
    let words = ["states", "game.kif", "--checkpoint", "kept", "--json"];
    let kept = || fs::metadata(folder.path().join("kept")).map_or(0, |kept| kept.len());
    for signal in ["INT", "TERM", "KILL"] {
        let before = kept();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
        command.current_dir(folder.path()).args(words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // The file begins with a header, which is no ply to go on from.
        while kept() < before + SEVERAL_PLIES && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        let id = child.id().to_string();
        // A program that has ended takes no signal.
        let _ = Command::new("kill").args(["-s", signal, &id]).status();
        child.wait().unwrap();
    }
    let ended = folder.run(&words);
    assert_eq!(report(&ended.out), report(&whole.out));
    assert!(ended.err.contains("went on after ply"), "{}", ended.shown());
}

#[test]
fn a_full_disk_ends_an_enumeration_that_goes_on_later() {
    let folder = folder();
    let whole = folder.run(&["solve", "game.kif", "--json"]);
    let words = "solve game.kif --checkpoint kept --json";
    let ended = limited(&folder, 50, words, "");
    assert_eq!(ended.status, 2, "{}", ended.shown());
    let told = "cannot keep states in `kept`: file too large";
    assert!(ended.err.contains(told), "{}", ended.shown());
    let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(report(&ended.out), report(&whole.out));
    assert!(ended.err.contains("went on after ply"), "{}", ended.shown());
}

#[test]
fn files_that_keep_something_else_are_refused() {
    let folder = folder().with("mine", "my own words");
    let run = |words: &str| {
        let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
        (ended.status, ended.err)
    };
    let (status, told) = run("solve game.kif --checkpoint mine");
    assert_eq!(status, 2);
    assert!(
        told.contains("cannot go on from `mine`: it is not a checkpoint"),
        "{told}"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("mine")).unwrap(),
        "my own words"
    );
    assert_eq!(run("solve tictactoe --checkpoint kept").0, 0);
    let (status, told) = run("solve game.kif --checkpoint kept");
    assert_eq!(status, 2);
    assert!(
        told.contains("it is of other rules, those of `tictactoe`"),
        "{told}"
    );
    let (status, told) = run("states tictactoe --checkpoint kept");
    assert_eq!(status, 2);
    assert!(told.contains("it keeps all joint moves"), "{told}");
    assert_eq!(run("loops tictactoe --checkpoint kept").0, 0);
    let (status, told) = run("states tictactoe --checkpoint none/kept");
    assert_eq!(status, 2);
    assert!(told.contains("cannot keep states in `none/kept`"), "{told}");
}
