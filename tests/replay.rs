//! What is recorded of our own rule files, and a fixed sample of the collected traces, replayed by the program. All of
//! the latter: `kolibri verify` on the collection.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::slice;

use assert_cmd::Command;
use serde_json::{Value, json};

use crate::corpus;

/// Every eighth trace, and those that once found a mistake or show an odd corner of the language.
const STEP: usize = 8;
const ODD: [&str; 8] = [
    "bender__games_Tetris",
    "bender__mobility",
    "ggp__beatMania_v1",
    "ggp__blockerSerial",
    "ggp__pentago",
    "ggp__wargame03",
    "libgdl__fire_sheep",
    "libgdl__joint_connect_four",
];

/// The sample; empty where there is no collection.
fn collected() -> Vec<PathBuf> {
    let Some(folder) = corpus::folder() else {
        return Vec::new();
    };
    let files = corpus::files_in(&folder.join("kif"));
    let stems = files.iter().map(|file| corpus::stem(file)).enumerate();
    stems
        .filter(|(number, stem)| number % STEP == 0 || ODD.contains(&stem.as_str()))
        .map(|(_, stem)| folder.join("trace").join(format!("{stem}.json.gz")))
        .collect()
}

/// What the program says of each record at these paths, and its totals.
fn verify(options: &[&str], paths: &[PathBuf]) -> (Vec<Value>, Value) {
    let output = Command::cargo_bin("kolibri")
        .unwrap()
        .args(["verify", "--json", "--threads", "2"])
        .args(options)
        .args(paths)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut lines: Vec<Value> = lines.collect();
    let totals = lines.pop().unwrap();
    let code = i32::from(totals["failed"] != 0);
    assert_eq!(output.status.code(), Some(code), "{totals}");
    (lines, totals)
}

/// The name of a record: its file's without `.json` or `.json.gz`.
fn name(line: &Value) -> String {
    let file = Path::new(line["file"].as_str().unwrap());
    let name = file.file_name().unwrap().to_str().unwrap();
    name.split(".json").next().unwrap().to_owned()
}

/// The names of the records of which the program says this.
fn names(lines: &[Value], ok: &Value) -> Vec<String> {
    let lines = lines.iter().filter(|line| line["ok"] == *ok);
    lines.map(name).collect()
}

/// Every state, set of legal moves, end, goal and number of paths that is recorded, on either engine.
#[test]
fn our_own_rule_files_are_replayed_on_both_engines() {
    let own = corpus::own();
    let files = corpus::files_in(&own.join("kif"));
    for (engine, not_run) in [("reasoner", &[][..]), ("propnet", &[corpus::NOT_GROUND])] {
        let (lines, totals) = verify(&["--engine", engine], slice::from_ref(&own));
        let recorded: Vec<String> = lines.iter().map(name).collect();
        let stems: Vec<String> = files.iter().map(|file| corpus::stem(file)).collect();
        assert_eq!(recorded, stems, "one trace for each rule file");
        assert_eq!(names(&lines, &json!(false)), [""; 0], "{lines:#?}");
        assert_eq!(names(&lines, &Value::Null), not_run, "{engine}");
        let without_paths = lines.iter().filter(|line| line["ok"] == true);
        let mut without_paths = without_paths.filter(|line| line["perft_depth"].is_null());
        assert_eq!(without_paths.next(), None);
        assert!(totals["states"].as_u64() > Some(400), "{totals}");
    }
}

/// Where the recorder and Kolibri part by intent: see `docs/reference/gdl.md`.
const PROBES_THAT_DIFFER: [&str; 4] = [
    // What stands behind a surplus parenthesis is not ignored: the file is refused.
    "extra_close_paren",
    // `(not (or a b))` means what logic says; the recorder offers moves that it rules out.
    "not_or",
    // A player named twice counts once.
    "role_duplicate",
    // `(terminal)` would never end the game: it is refused.
    "terminal_paren",
];

#[test]
fn probes_agree_or_differ_by_intent() {
    let mut paths = vec![corpus::own()];
    paths.extend(corpus::folder().map(|folder| folder.join("probes")));
    let (lines, _) = verify(&[], &paths);
    let expected: &[&str] = match paths.len() {
        1 => &[],
        _ => &PROBES_THAT_DIFFER,
    };
    assert_eq!(names(&lines, &json!(false)), expected);
}

#[test]
fn a_sample_of_the_collection_is_replayed() {
    let mut paths = vec![corpus::own()];
    paths.extend(collected());
    let budgets = "--seconds 5 --perft-seconds 1 --perft-nodes 5000";
    let budgets: Vec<&str> = budgets.split(' ').collect();
    let (lines, totals) = verify(&budgets, &paths);
    assert_eq!(names(&lines, &json!(false)), [""; 0], "{lines:#?}");
    // Not `eprintln!`, which the test harness swallows where a test passes.
    let (files, states) = (lines.len(), &totals["states"]);
    let mut out = std::io::stderr();
    writeln!(out, "replayed {files} traces, {states} states").unwrap();
}
