//! Inputs that once showed something, read by everything that reads rule files.

use std::fs;
use std::path::Path;

use crate::properties;

#[test]
fn saved_inputs_hold_no_surprise() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs");
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 10);
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        properties::parse(&bytes);
        properties::message(&bytes);
        properties::line(&bytes);
        #[cfg(feature = "serve")]
        properties::browser_request(&bytes);
        properties::format(&bytes);
        properties::check(&bytes);
        properties::roundtrip(&bytes);
    }
}

#[test]
fn shipped_games_survive_being_printed() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    for path in crate::corpus::files_in(&games) {
        properties::roundtrip(&fs::read(path).unwrap());
    }
}
