//! The page about JSON names every field that the program prints.

use crate::docs::{folder, page};

#[test]
fn every_field_of_the_json_output_is_described() {
    let described = page("docs/reference/json.md").text;
    let folder = folder().with("games.jsonl", crate::standings::log());
    folder.run(&[
        "match", "nim", "--player", "random", "--record", "records", "--quiet",
    ]);
    for command in [
        "check treblecross.kif",
        "info nim",
        "moves nim",
        "perft nim 2",
        "perft nim 2 --symmetry",
        "states nim --symmetry",
        "states nim --disk .",
        "states tictactoe --symbolic",
        "solve nim --by control",
        "solve tictactoe --symmetry",
        "loops fakelogic --strategy red",
        "loops tictactoe --symmetry",
        "quality tictactoe --player first --positions 20",
        "bench nim --playouts 10",
        "playtest nim --games 20 --rounds 1",
        "match nim --player random --games 2 --opening 2",
        "search nim --depth 4 --reuse",
        "search tictactoe --depth 2 --curve 1..2",
        "train tictactoe --states 2000",
        "tune kolibrat --population 4 --nodes 10 --plies 20 --step 0.5",
        "tune nim --method spsa --rounds 2 --games 16 --states 2000",
        "cache",
        "solve rock-paper-scissors",
        "simulate checkers --sample 1",
        "simulate checkers --cures --depth 2",
        "compare nim --seconds 0.01",
        "verify records",
        "standings games.jsonl",
        "games",
    ] {
        let words: Vec<&str> = command.split(' ').chain(["--json"]).collect();
        let ended = folder.run(&words);
        assert_eq!(ended.status, 0, "{}", ended.shown());
        for line in ended.out.lines() {
            for field in fields(&serde_json::from_str(line).unwrap()) {
                let name = format!("`{field}`");
                assert!(described.contains(&name), "{command}: {name}");
            }
        }
    }
}

/// The names of the fields in a value, however deep; those of objects whose fields are roles or engines left out.
fn fields(value: &serde_json::Value) -> Vec<String> {
    const BY_NAME: [&str; 14] = [
        "players",
        "goals",
        "legal",
        "mean_goals",
        "without_goal",
        "startup",
        "ratios",
        "speeds",
        "left_out",
        "can",
        "can_from",
        "by_role",
        "scores",
        "counts",
    ];
    match value {
        serde_json::Value::Array(items) => items.iter().flat_map(fields).collect(),
        serde_json::Value::Object(entries) => {
            let mut names = Vec::new();
            for (name, inner) in entries {
                names.push(name.clone());
                match (inner.as_object(), BY_NAME.contains(&name.as_str())) {
                    (Some(inner), true) => names.extend(inner.values().flat_map(fields)),
                    _ => names.extend(fields(inner)),
                }
            }
            names
        }
        _ => Vec::new(),
    }
}
