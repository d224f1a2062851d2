//! The positions of a player tester, as they are shipped: what they are worth is true, and the plan plays them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{games, run};
use crate::cli::Folder;

/// A position with its value for the first role, and the moves that keep it.
struct Position {
    facts: String,
    value: f64,
    good: BTreeSet<String>,
}

fn shipped(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The positions of each game, in the order of the file: `GAME: (FACTS) ; VALUE: MOVES`.
fn positions() -> BTreeMap<String, Vec<Position>> {
    let mut positions: BTreeMap<String, Vec<Position>> = BTreeMap::new();
    let text = shipped("player-tester.txt");
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        let (game, rest) = line.split_once(": ").unwrap();
        let (facts, known) = rest.split_once(" ; ").unwrap();
        let (value, good) = known.split_once(": ").unwrap();
        let position = Position {
            facts: facts[1..facts.len() - 1].to_owned(),
            value: value.parse().unwrap(),
            good: good
                .split_inclusive(')')
                .map(|one| one.trim().to_owned())
                .collect(),
        };
        positions.entry(game.to_owned()).or_default().push(position);
    }
    positions
}

/// A folder with the plan, and the rule files that its comments tell to make.
fn folder() -> Folder {
    let plan = shipped("player-tester.toml");
    let folder = Folder::new()
        .with("player-tester.toml", &plan)
        .with("player-tester.txt", shipped("player-tester.txt"));
    let commands = plan
        .lines()
        .filter_map(|line| line.strip_prefix("#   kolibri "));
    for command in commands.filter(|command| command.starts_with("generate")) {
        let words: Vec<&str> = command.split(' ').collect();
        let ended = folder.run(&words);
        assert_eq!(ended.status, 0, "{}", ended.shown());
    }
    folder
}

#[test]
fn an_exact_search_finds_the_good_moves() {
    let folder = folder();
    let mut count = 0;
    for (game, positions) in positions() {
        let file = format!("{game}.kif");
        let game = match folder.path().join(&file).exists() {
            true => &file,
            false => &game,
        };
        for position in positions {
            fs::write(folder.path().join("facts"), &position.facts).unwrap();
            let words = [
                "--state", "facts", "--depth", "12", "--multi", "20", "--json",
            ];
            let found = folder.run(&[&["search", game], &words[..]].concat()).json();
            assert_eq!(found["value"], position.value, "{game}: {}", position.facts);
            assert_eq!(found["exact"], true);
            let moves = found["moves"].as_array().unwrap();
            let is_good = |one: &&serde_json::Value| {
                one["at_most"] == false && one["value"] == position.value
            };
            let good = moves.iter().filter(is_good);
            let good = good.map(|one| one["move"].as_str().unwrap().to_owned());
            assert_eq!(good.collect::<BTreeSet<_>>(), position.good, "{game}");
            count += 1;
        }
    }
    assert_eq!(count, 9);
}

#[test]
fn the_plan_plays_every_position() {
    let folder = folder();
    let ended = run(&folder, "player-tester.toml --quiet");
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let positions = positions();
    let played = games(&folder.path().join("player-tester.games.jsonl"));
    assert_eq!(played.len(), 20);
    let mut met = BTreeSet::new();
    for game in played {
        let position = &positions[&game.game][game.opening as usize];
        assert_eq!(
            f64::from(game.goals[0].unwrap()),
            position.value,
            "{}",
            position.facts
        );
        let first = &game.moves.as_ref().unwrap()[0][0];
        assert!(position.good.contains(first), "{first}: {}", position.facts);
        met.insert((game.game, game.opening));
    }
    assert_eq!(met.len(), 9);
}
