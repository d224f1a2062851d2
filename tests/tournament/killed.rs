//! Tournaments that are killed and interrupted.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{games, random_plan, run, table};
use crate::cli::Folder;

/// How often the program is killed.
const KILLS: usize = 50;
const TIMEOUT: Duration = Duration::from_secs(120);

fn start(folder: &Folder, words: &str) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
    command
        .current_dir(folder.path())
        .arg("tournament")
        .args(words.split(' '));
    command.env_clear().stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// How many whole lines a log has.
fn lines(folder: &Folder, name: &str) -> usize {
    let bytes = fs::read(folder.path().join(name)).unwrap_or_default();
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Waits until more games are in the log than before, or the program has ended.
fn wait_for_games(child: &mut Child, folder: &Folder, name: &str, before: usize) {
    let begin = Instant::now();
    while lines(folder, name) <= before && child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < TIMEOUT, "no game has ended");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn no_game_is_lost_or_counted_twice() {
    const SOON: u64 = 10_000;
    let folder = Folder::new().with("cup.toml", random_plan(500, ""));
    assert_eq!(run(&folder, "cup.toml --log whole.jsonl").status, 0);
    let whole = folder.path().join("whole.jsonl");
    assert_eq!(games(&whole).len(), 1_000);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut tournament = 0;
    let mut log = String::new();
    for kill in 0..KILLS {
        // Should the games end before the program has been killed often enough, another tournament is killed.
        if kill == 0 || lines(&folder, &log) > 900 {
            tournament += 1;
            log = format!("killed-{tournament}.jsonl");
        }
        let before = lines(&folder, &log);
        let mut child = start(&folder, &format!("cup.toml --quiet --log {log}"));
        wait_for_games(&mut child, &folder, &log, before.max(1));
        thread::sleep(Duration::from_micros(random.random_range(0..SOON)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(lines(&folder, &log) > before, "each time, games are added");
    }
    for number in 1..=tournament {
        let log = format!("killed-{number}.jsonl");
        let ended = run(&folder, &format!("cup.toml --log {log}"));
        assert_eq!(ended.status, 0, "{}", ended.shown());
        let killed = folder.path().join(log);
        assert_eq!(games(&killed), games(&whole));
        assert_eq!(table(&killed), table(&whole));
    }
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status();
    assert!(sent.unwrap().success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_the_table_so_far() {
    let folder = Folder::new().with("cup.toml", random_plan(100_000, ""));
    let mut child = start(&folder, "cup.toml --json");
    wait_for_games(&mut child, &folder, "cup.games.jsonl", 1);
    signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    let (out, err) = (
        String::from_utf8(ended.stdout).unwrap(),
        String::from_utf8(ended.stderr).unwrap(),
    );
    assert_eq!(ended.status.code(), Some(130), "{out}{err}");
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    let played = lines(&folder, "cup.games.jsonl") - 1;
    assert_eq!(told["standings"][0]["games"], played, "{out}");
    assert!(err.contains("the same command goes on"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_signal_asks_for_the_standings() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new().with("cup.toml", random_plan(100_000, ""));
    let mut child = start(&folder, "cup.toml");
    wait_for_games(&mut child, &folder, "cup.games.jsonl", 1);
    signal(&child, "-USR1");
    let mut told = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    assert!(told.any(|line| line.contains(" of 200000 games, ") && line.ends_with(" left")));
    assert!(told.any(|line| line.contains("player") && line.contains("games")));
    signal(&child, "-INT");
    told.for_each(drop);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}
