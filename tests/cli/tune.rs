//! `kolibri tune`.

use std::fs;

use serde_json::json;

use crate::cli::Folder;

/// An annealing of two generations that takes no time.
const SMALL: [&str; 10] = [
    "tune",
    "kolibrat",
    "--population",
    "4",
    "--nodes",
    "10",
    "--plies",
    "20",
    "--step",
    "0.5",
];

fn read(folder: &Folder, file: &str) -> String {
    fs::read_to_string(folder.path().join(file)).unwrap()
}

#[test]
fn an_annealing_goes_on_from_its_log() {
    let folder = Folder::new();
    let run = |options: &[&str]| folder.run(&[&SMALL[..], options].concat());
    let whole = run(&["--log", "whole.log", "--json"]).json();
    assert_eq!(
        [&whole["generations"], &whole["games"], &whole["runs"]],
        [&json!(2), &json!(4), &json!(1)]
    );
    // The log of the first generation alone: where the games of the second begin, it is cut off.
    let log = read(&folder, "whole.log");
    let (first, _) = log.split_once("Game 3").unwrap();
    let folder = folder.with("half.log", first);
    let words = ["tune", "kolibrat", "--resume", "half.log", "--threads", "2"];
    let ended = folder.run(&words);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert_eq!(read(&folder, "half.log"), log);
    let evaluation = whole["evaluation"].as_str().unwrap();
    assert!(ended.out.contains(evaluation), "{}", ended.shown());
    // What comes out is what a player takes.
    let player = format!("minimax:depth=1,evaluation={evaluation}");
    let ended = folder.run(&[
        "match",
        "kolibrat",
        "--engine",
        "native",
        "--player",
        &player,
        "--max-plies",
        "4",
        "--quiet",
    ]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
}

#[test]
fn several_runs_tell_how_much_weights_differ() {
    let report = Folder::new()
        .run(&[&SMALL[..], &["--repeat", "2", "--json"]].concat())
        .json();
    assert_eq!(report["runs"], 2);
    assert_eq!(report["games"], 8);
    let deviations = report["properties"].as_array().unwrap().iter();
    assert!(
        deviations
            .map(|of| of["deviation"].as_f64().unwrap())
            .sum::<f64>()
            > 0.0
    );
}

#[test]
fn parts_of_the_method_are_left_out() {
    let folder = Folder::new();
    let run = |options: &[&str]| folder.run(&[&SMALL[..], options].concat());
    let swapped = run(&["--swap", "--no-cooling", "--log", "swapped.log", "--json"]).json();
    assert_eq!(swapped["games"], 8, "two games of each of two pairs, twice");
    assert_eq!(swapped["plan"]["swap"], true);
    let log = read(&folder, "swapped.log");
    assert!(log.contains("Generation 2, random factor 1.000"), "{log}");
    let timed = run(&["--time", "0.001", "--json"]);
    assert_eq!(timed.status, 2, "SMALL gives states: {}", timed.shown());
    let still = run(&["--amplitude", "0", "--log", "still.log", "--json"]).json();
    assert_eq!(still["games"], 4);
    let log = read(&folder, "still.log");
    let weights = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains('/'));
        let lines = lines.filter(|line| !line.starts_with("Annealing"));
        lines.map(str::to_owned).collect()
    };
    let (first, _) = log.split_once("Game 1").unwrap();
    let all = weights(&log);
    assert!(all.iter().all(|of| weights(first).contains(of)), "{log}");
}

#[test]
fn what_cannot_be_tuned_is_explained() {
    let folder = Folder::new().with("other.log", "(role x)\n");
    for (words, status, said) in [
        (&["--population", "5"][..], 2, "even population"),
        (&["--step", "0"], 2, "a step from 0.0001"),
        (&["--opponent", "1/2"], 2, "eleven whole numbers"),
        (&["--step", "x"], 2, "give a number, such as 0.02"),
        (&["--time", "0"], 2, "0.001"),
        (&["--time", "1", "--nodes", "5"], 2, "--nodes"),
        (&["--resume", "other.log"], 1, "line 1 of the log"),
        (&["--resume", "none.log"], 2, "none.log"),
        (&["--log", "other.log"], 2, "--force"),
    ] {
        let ended = folder.run(&[&["tune", "kolibrat"], words].concat());
        assert_eq!(ended.status, status, "{words:?}: {}", ended.shown());
        assert!(ended.err.contains(said), "{words:?}: {}", ended.err);
    }
    assert_eq!(read(&folder, "other.log"), "(role x)\n");
}
