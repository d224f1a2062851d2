//! Shards of a tournament, and what becomes of them.

use std::path::PathBuf;

use super::{games, random_plan, run, table};
use crate::cli::Folder;

const SHARDS: u64 = 8;

fn shared() -> Folder {
    let folder = Folder::new().with("cup.toml", random_plan(25, "[openings]\nplies = 1\n"));
    assert_eq!(
        run(&folder, "cup.toml --log whole.jsonl --shard 1/1").status,
        0
    );
    for shard in 1..=SHARDS {
        let ended = run(&folder, &format!("cup.toml --shard {shard}/{SHARDS}"));
        assert_eq!(ended.status, 0, "{}", ended.shown());
    }
    folder
}

fn log_of(shard: u64) -> String {
    format!("cup.{shard}-of-{SHARDS}.games.jsonl")
}

#[test]
fn shards_make_the_same_table_as_the_whole() {
    let folder = shared();
    let logs: Vec<String> = (1..=SHARDS).rev().map(log_of).collect();
    let merge = |logs: &[String], more: &[&str]| {
        let words = ["merge"].into_iter().chain(logs.iter().map(String::as_str));
        let words: Vec<&str> = words.chain(more.iter().copied()).collect();
        folder.run(&words)
    };
    let merged = merge(&logs, &["--output", "all.jsonl"]);
    assert_eq!(merged.status, 0, "{}", merged.shown());
    let [whole, all]: [PathBuf; 2] =
        ["whole.jsonl", "all.jsonl"].map(|log| folder.path().join(log));
    assert_eq!(games(&all), games(&whole));
    assert_eq!(table(&all), table(&whole));
    // The merged log is that of the whole tournament, which has nothing left to play.
    let again = run(&folder, "cup.toml --log all.jsonl");
    assert!(
        again.err.contains("50 of them played before"),
        "{}",
        again.err
    );

    let missing = merge(&logs[1..], &[]);
    assert_eq!(missing.status, 1);
    let expected = "6 games missing: 8, 16, 24, 32, 40, 48";
    assert!(missing.err.contains(expected), "{}", missing.err);

    let doubled = merge(&[&logs[..], &["whole.jsonl".to_owned()]].concat(), &[]);
    assert_eq!(doubled.status, 0, "{}", doubled.shown());
    assert!(
        doubled
            .err
            .contains("50 games in several logs, counted once: 1, 2, 3"),
        "{}",
        doubled.err
    );
    assert_eq!(doubled.out, merged.out);
}

#[test]
fn logs_that_do_not_fit_are_refused() {
    let folder = Folder::new()
        .with("cup.toml", random_plan(2, ""))
        .with("other.toml", random_plan(3, ""));
    for plan in ["cup.toml", "other.toml"] {
        assert_eq!(run(&folder, plan).status, 0);
    }
    let other = folder.run(&["merge", "cup.games.jsonl", "other.games.jsonl"]);
    assert_eq!(other.status, 2);
    assert!(
        other
            .err
            .contains("are of different tournaments: rounds was 2, and is 3"),
        "{}",
        other.err
    );
    let none = folder.run(&["merge", "cup.toml"]);
    assert_eq!(none.status, 2);
    assert!(
        none.err
            .contains("cup.toml:1:1: not the log of a tournament"),
        "{}",
        none.err
    );
    let text = std::fs::read_to_string(folder.path().join("cup.games.jsonl")).unwrap();
    let changed = text.replacen("\"hash\":\"", "\"hash\":\"0", 1);
    std::fs::write(folder.path().join("changed.jsonl"), changed).unwrap();
    let contradicts = folder.run(&["merge", "cup.games.jsonl", "changed.jsonl"]);
    assert!(
        contradicts.err.contains("has another result in"),
        "{}",
        contradicts.err
    );
}
