//! What the README promises: its game can be played, and its commands exist.

use std::fs;
use std::path::Path;

use crate::cli::{Folder, commands};

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The text of the fenced blocks in `language`.
fn blocks(language: &str) -> Vec<String> {
    let readme = readme();
    let opening = format!("```{language}\n");
    let blocks = readme.split(opening.as_str()).skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

fn folder() -> Folder {
    let games = blocks("kif");
    assert_eq!(games.len(), 1, "one complete game");
    Folder::new().with("treblecross.kif", &games[0])
}

#[test]
fn the_game_is_free_of_mistakes() {
    let checked = folder().run(&["check", "treblecross.kif"]);
    assert_eq!(checked.out, "treblecross.kif: valid, roles left right\n");
}

#[test]
fn the_game_counts_as_computed_by_hand() {
    // Seven squares, no line before the third cross; three neighbours among seven: five lines in six orders each.
    let perft = folder().run(&["perft", "treblecross.kif", "4", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&perft.out).unwrap();
    assert_eq!(
        object["counts"],
        serde_json::json!([7, 42, 210, (210 - 30) * 4])
    );
}

#[test]
fn the_commands_work_as_printed() {
    let folder = folder();
    let shown = blocks("sh").concat();
    let mut tried = 0;
    for line in shown
        .lines()
        .filter_map(|line| line.strip_prefix("kolibri "))
    {
        let line = line.split(" #").next().unwrap().trim();
        let words: Vec<String> = split(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if ["play", "verify"].contains(&words[0]) {
            continue;
        }
        let ended = folder.run(&words);
        assert_eq!(ended.status, 0, "{line}\n{}", ended.shown());
        tried += 1;
    }
    assert!(tried >= 5, "{shown}");
}

#[test]
fn the_picture_is_what_the_program_draws() {
    let shown = blocks("text").concat();
    let mut lines = shown.lines();
    let command = lines.next().unwrap().strip_prefix("$ kolibri ").unwrap();
    let words: Vec<&str> = command.split_whitespace().collect();
    let drawn = folder().run(&words).out;
    // How long it takes depends on the machine.
    let untimed = |line: &str| line.split(" moves, ").next().unwrap().to_owned();
    let drawn: Vec<String> = drawn.lines().map(untimed).collect();
    let picture: Vec<String> = lines.skip(1).map(untimed).collect();
    assert_eq!(drawn[drawn.len() - picture.len()..], picture);
}

/// The words of a command line, of which some are in double quotes.
fn split(line: &str) -> Vec<String> {
    let pieces = line.split('"').enumerate();
    pieces
        .flat_map(|(number, piece)| match number % 2 {
            0 => piece.split_whitespace().map(str::to_owned).collect(),
            _ => vec![piece.to_owned()],
        })
        .collect()
}

#[test]
fn every_command_is_in_the_table() {
    let readme = readme();
    for name in commands() {
        assert!(
            readme.contains(&format!("`kolibri {name}")),
            "`{name}` is missing"
        );
    }
}
