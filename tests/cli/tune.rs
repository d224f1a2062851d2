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
        (&["--resume", "other.log"], 2, "line 1 of the log"),
        (&["--resume", "none.log"], 2, "none.log"),
        (&["--log", "other.log"], 2, "--force"),
    ] {
        let ended = folder.run(&[&["tune", "kolibrat"], words].concat());
        assert_eq!(ended.status, status, "{words:?}: {}", ended.shown());
        assert!(ended.err.contains(said), "{words:?}: {}", ended.err);
    }
    assert_eq!(read(&folder, "other.log"), "(role x)\n");
}

#[test]
fn features_of_any_game_are_tuned() {
    let folder = Folder::new();
    let tune = |method: &str, options: &[&str]| {
        let words = [
            "tune",
            "breakthrough",
            "--method",
            method,
            "--states",
            "20000",
        ];
        let words = [&words[..], &["--games", "16", "--force"], options].concat();
        folder.run(&words)
    };
    for (method, rounds) in [("regression", 0), ("spsa", 3), ("annealing", 2)] {
        let asked = rounds.to_string();
        let options = ["--rounds", &asked, "--json"];
        let options = if rounds == 0 {
            &options[2..]
        } else {
            &options[..]
        };
        let report = tune(method, options).json();
        assert_eq!(
            [&report["method"], &report["rounds"]],
            [&json!(method), &json!(rounds)]
        );
        assert_eq!(report["score"].is_f64(), rounds > 0, "{report}");
        let weights = report["weights"].as_array().unwrap();
        assert!(
            weights
                .iter()
                .any(|of| of["heuristic"] == "pieces" && of["weight"] != 0.0)
        );
        assert!(weights.iter().all(|of| of["heuristic"] != "tuples"));
        let again = tune(method, options).json();
        assert_eq!(report["weights"], again["weights"]);
        // What comes out is what a player takes.
        let player = "minimax:depth=1,weights=breakthrough.weights";
        let words = [
            "match",
            "breakthrough",
            "--player",
            player,
            "--max-plies",
            "4",
            "--quiet",
        ];
        let ended = folder.run(&words);
        assert_eq!(ended.status, 0, "{}", ended.shown());
    }
    let shown = tune(
        "spsa",
        &[
            "--rounds",
            "2",
            "--heuristic",
            "pieces",
            "--out",
            "p.weights",
        ],
    );
    assert!(shown.out.contains("weights=p.weights"), "{}", shown.shown());
    assert!(!shown.out.contains("mobility"), "{}", shown.shown());
}

#[test]
fn methods_and_games_that_do_not_fit_are_explained() {
    let folder = Folder::new().with("b.weights", "mine");
    for (words, status, said) in [
        (&["tune", "breakthrough"][..], 2, "give `--method spsa`"),
        (
            &["tune", "kolibrat", "--engine", "native"],
            2,
            "`--engine` is for `--method` only",
        ),
        (&["tune", "nim", "--rounds", "3"], 2, "--method"),
        (&["tune", "nim", "--method", "spsa", "--swap"], 2, "--swap"),
        (
            &["tune", "nim", "--method", "spsa", "--heuristic", "tuples"],
            2,
            "`tuples` is no heuristic of features",
        ),
        (
            &["tune", "nim", "--method", "spsa", "--out", "b.weights"],
            2,
            "--force",
        ),
        (
            &["tune", "nim", "--method", "spsa", "--role", "third"],
            2,
            "third",
        ),
    ] {
        let ended = folder.run(words);
        assert_eq!(ended.status, status, "{words:?}: {}", ended.shown());
        assert!(ended.err.contains(said), "{words:?}: {}", ended.err);
    }
    assert_eq!(read(&folder, "b.weights"), "mine");
}
