//! A fixed sample of the collected traces, replayed by the program. All of them: `kolibri verify` on the collection.

use std::io::Write as _;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

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

fn traces() -> Vec<PathBuf> {
    let Some(folder) = corpus::folder() else {
        return Vec::new();
    };
    let stems = corpus::files_in(&folder.join("kif"))
        .into_iter()
        .enumerate();
    stems
        .map(|(number, file)| {
            (
                number,
                file.file_stem().unwrap().to_str().unwrap().to_owned(),
            )
        })
        .filter(|(number, stem)| number % STEP == 0 || ODD.contains(&stem.as_str()))
        .map(|(_, stem)| folder.join("trace").join(format!("{stem}.json.gz")))
        .collect()
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
    let Some(folder) = corpus::folder() else {
        return;
    };
    let output = Command::cargo_bin("kolibri")
        .unwrap()
        .args(["verify", "--json"])
        .arg(folder.join("probes"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let failed = lines.filter(|line: &Value| line["ok"] == false);
    let stems: Vec<String> = failed
        .map(|line| {
            let file = line["file"].as_str().unwrap();
            let name = file.rsplit('/').next().unwrap();
            name.split('.').next().unwrap().to_owned()
        })
        .collect();
    assert_eq!(stems, PROBES_THAT_DIFFER);
}

#[test]
fn a_sample_of_the_collection_is_replayed() {
    let traces = traces();
    if traces.is_empty() {
        return;
    }
    let output = Command::cargo_bin("kolibri")
        .unwrap()
        .args(["verify", "--json", "--threads", "2"])
        .args([
            "--seconds",
            "5",
            "--perft-seconds",
            "1",
            "--perft-nodes",
            "5000",
        ])
        .args(&traces)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let totals = lines.pop().unwrap();
    let failed: Vec<&Value> = lines.iter().filter(|line| line["ok"] == false).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(output.status.code(), Some(0));
    // Not `eprintln!`, which the test harness swallows where a test passes.
    let (files, states) = (lines.len(), &totals["states"]);
    writeln!(
        std::io::stderr(),
        "replayed {files} traces, {states} states"
    )
    .unwrap();
}
