//! The JSON of every command: the fields that scripts rely on.

use serde_json::Value;

use crate::cli::{COIN, Ended, Folder};

fn objects(ended: &Ended) -> Vec<Value> {
    let lines = ended.out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn has_fields(object: &Value, fields: &[&str]) {
    for field in fields {
        assert!(
            object.get(field).is_some(),
            "`{field}` is missing in {object}"
        );
    }
}

fn one(words: &[&str], fields: &[&str]) -> Value {
    let folder = Folder::new().with("coin.kif", COIN);
    let ended = folder.run(words);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let mut objects = objects(&ended);
    assert_eq!(objects.len(), 1, "{}", ended.out);
    has_fields(&objects[0], fields);
    objects.remove(0)
}

#[test]
fn check_tells_one_object_per_file() {
    let folder = Folder::new()
        .with("coin.kif", COIN)
        .with("wrong.kif", COIN.replace("(does b ?m))", "(does b ?z))"));
    let ended = folder.run(&["check", "coin.kif", "wrong.kif", "missing.kif", "--json"]);
    assert_eq!(ended.status, 2, "{}", ended.shown());
    let files = objects(&ended);
    assert_eq!(files.len(), 3);
    for file in &files {
        has_fields(file, &["file", "valid", "roles", "diagnostics"]);
        for finding in file["diagnostics"].as_array().unwrap() {
            let fields = ["severity", "code", "message", "line", "column", "help"];
            has_fields(finding, &fields);
        }
    }
    assert_eq!(files[0]["valid"], true);
    assert_eq!(files[0]["roles"], serde_json::json!(["a", "b"]));
    assert_eq!(files[2]["diagnostics"][0]["code"], "no-such-file");
}

#[test]
fn strict_check_lists_each_lone_variable_once() {
    let rule = "(<= (pair ?player) (role ?player) (role ?playr) (role ?z))";
    let folder = Folder::new()
        .with("coin.kif", COIN)
        .with("more.kif", format!("{COIN}\n{rule}"));
    let lone = |words: &[&str]| {
        let object = objects(&folder.run(words)).remove(0);
        let all = object["diagnostics"].as_array().unwrap().clone();
        let lone = all.iter().filter(|one| one["code"] == "lone-variable");
        lone.count()
    };
    assert_eq!(lone(&["check", "more.kif", "--json"]), 1);
    let before = lone(&["check", "coin.kif", "--json", "--strict"]);
    assert_eq!(
        lone(&["check", "more.kif", "--json", "--strict"]),
        before + 2
    );
}

#[test]
fn info() {
    let info = one(
        &["info", "coin.kif", "--json"],
        &[
            "roles",
            "rules",
            "initial_facts",
            "play",
            "startup",
            "engine",
            "reason",
            "network",
        ],
    );
    has_fields(
        &info["rules"],
        &["init", "legal", "next", "goal", "terminal", "other"],
    );
    assert_eq!(info["play"], "simultaneous");
    assert_eq!(info["engine"], "propnet");
    // The start, what both show, and nothing; two roles with two moves each.
    let network = &info["network"];
    let counts = [&network["reachable_facts"], &network["reachable_moves"]];
    assert_eq!(counts, [4, 4]);
    has_fields(network, &["ground_rules", "gates_before", "gates", "slots"]);
    has_fields(
        &network["passes"][0],
        &["name", "gates_before", "gates_after"],
    );
    has_fields(
        &info["startup"],
        &["check", "ground", "network", "self-check"],
    );
    has_fields(&info, &["self_check_states", "self_check_stopped"]);
    assert_eq!(network["left_out"], serde_json::json!([]));
    assert_eq!(info["sample"]["stuck"], 0);
}

/// As soon as the coins are thrown, nobody has a move, though the game is not over.
fn stuck() -> String {
    COIN.replace("terminal (true (shown ?m))", "terminal (true (lost ?m))")
        .replace("(role ?p))", "(role ?p) (true start))")
}

#[test]
fn random_games_are_measured_with_intervals() {
    let words = ["info", "tictactoe", "--games", "400", "--json"];
    let sample = one(&words, &["sample"])["sample"].clone();
    assert_eq!([&sample["games"], &sample["ended"]], [400, 400]);
    let lengths = &sample["lengths"];
    assert_eq!([&lengths["min"], &lengths["max"]], [5, 9]);
    let of = |spread: &Value, field: &str| spread[field].as_f64().unwrap();
    assert!(
        of(lengths, "error") > 0.05 && of(lengths, "error") < 0.3,
        "{lengths}"
    );
    let moves = &sample["joint_moves"];
    assert_eq!([&moves["min"], &moves["max"]], [1, 9]);
    assert_eq!(moves["mean"], sample["mean_joint_moves"]);
    assert_eq!(sample["repeated_turns"], 0);
    // Known of random play: x wins 58.5 % of the games, and o 28.8 %.
    let ends = sample["ends"].as_array().unwrap();
    for (end, (goals, share)) in
        ends.iter()
            .zip([([100, 0], 0.585), ([0, 100], 0.288), ([50, 50], 0.127)])
    {
        assert_eq!(end["goals"], serde_json::json!(goals));
        let [low, high] = [0, 1].map(|side| end["interval"][side].as_f64().unwrap());
        assert!(low < share && share < high, "{end}");
    }
    // Four rules for three in a row, which may be more than one row, and the board that is full.
    let rules = sample["ended_by"].as_array().unwrap();
    assert_eq!(rules.len(), 5, "{sample}");
    assert_eq!(rules[4]["rule"], "(<= terminal (not open))");
    let counts: Vec<u64> = rules
        .iter()
        .map(|of| of["count"].as_u64().unwrap())
        .collect();
    let draws = ends[2]["count"].as_u64().unwrap();
    assert!(counts[4] >= draws, "{sample}");
    let won: u64 = counts[..4].iter().sum();
    assert!((400 - draws..450).contains(&won), "{sample}");
    let score = of(&sample["scores"]["x"], "mean");
    assert!((60.0..70.0).contains(&score), "{score}");
    // Where a role has no move, the other one moves again.
    let small = ["info", "kolibrat", "--games", "20", "--json"];
    let sample = one(&small, &["sample"])["sample"].clone();
    assert!(sample["repeated_turns"].as_u64() > Some(0), "{sample}");
    let two = one(&["info", "coin.kif", "--games", "2", "--json"], &["sample"]);
    assert_eq!(two["sample"]["lengths"]["error"], Value::Null);
}

#[test]
fn games_that_cannot_go_on_are_reported() {
    let folder = Folder::new()
        .with("coin.kif", COIN)
        .with("stuck.kif", stuck());
    let printed = |words: &[&str]| {
        let ended = folder.run(words);
        assert_eq!(ended.status, 0, "{}", ended.shown());
        (ended.out, ended.err)
    };
    let info = |file| printed(&["info", file]).0;
    let (stuck, sound) = ("10 of 10 games got stuck", "stuck");
    assert!(info("stuck.kif").contains(stuck), "{}", info("stuck.kif"));
    assert!(!info("coin.kif").contains(sound), "{}", info("coin.kif"));
    let json = objects(&folder.run(&["info", "stuck.kif", "--json"])).remove(0);
    assert_eq!(
        (&json["sample"]["stuck"], &json["sample"]["ended"]),
        (&10.into(), &0.into())
    );
    let command = "kolibri match stuck.kif --player random --seed 1 --max-plies 1";
    assert_eq!(json["sample"]["faulty_game"]["command"], command);
    let words = ["bench", "stuck.kif", "--playouts", "5"];
    let bench = printed(&words).1;
    assert!(bench.contains(command), "{bench}");
    let sound = printed(&["bench", "coin.kif", "--playouts", "5"]);
    assert!(sound.0.contains("on average in 5 games"), "{}", sound.0);
    assert!(!sound.1.contains("kolibri match"), "{}", sound.1);
    let hint = |file| printed(&["perft", file, "2"]).1;
    assert!(
        hint("stuck.kif").contains("not over"),
        "{}",
        hint("stuck.kif")
    );
    assert_eq!(hint("coin.kif"), "");
}

#[test]
fn info_on_the_reasoner() {
    let words = ["info", "coin.kif", "--engine", "reasoner", "--json"];
    let info = one(&words, &["startup", "network"]);
    assert_eq!(info["engine"], "reasoner");
    assert_eq!(info["network"], Value::Null);
    has_fields(&info["startup"], &["check", "build"]);
}

#[test]
fn a_self_check_can_be_left_out() {
    let startup = |words: &[&str]| one(words, &["startup"])["startup"].clone();
    let words = ["info", "coin.kif", "--json", "--no-self-check"];
    assert_eq!(startup(&words).get("self-check"), None);
    let shipped = ["info", "tictactoe", "--json"];
    assert_eq!(startup(&shipped).get("self-check"), None);
}

#[test]
fn moves() {
    let fields = ["state", "legal", "terminal", "goals"];
    let start = one(&["moves", "coin.kif", "--json"], &fields);
    assert_eq!(start["legal"]["a"], serde_json::json!(["heads", "tails"]));
    let end = one(&["moves", "coin.kif", "tails", "heads", "--json"], &fields);
    assert_eq!(end["terminal"], true);
    assert_eq!(end["goals"], serde_json::json!({"a": 0, "b": 100}));
}

#[test]
fn positions_from_a_file() {
    let folder = Folder::new()
        .with("coin.kif", COIN)
        .with("end.kif", "; an end\n(true (shown  heads))");
    let ended = folder.run(&["moves", "coin.kif", "--state", "end.kif", "--json"]);
    assert_eq!(objects(&ended)[0]["goals"]["a"], 100);
}

#[test]
fn perft() {
    let fields = ["game", "engine", "counts", "seconds", "nodes_per_second"];
    let perft = one(&["perft", "coin.kif", "2", "--json"], &fields);
    assert_eq!(perft["counts"], serde_json::json!([4, 0]));
}

#[test]
fn states() {
    let states = one(
        &["states", "coin.kif", "--json"],
        &[
            "game",
            "states",
            "terminal",
            "edges",
            "games",
            "by_ply",
            "branching",
            "goals",
            "seconds",
            "states_per_second",
            "peak_memory_bytes",
            "bits",
        ],
    );
    assert_eq!(states["states"], states["terminal"].as_u64().unwrap() + 1);
    assert_eq!(states["edges"], 4);
    assert!(states["stopped"].is_null());
}

#[test]
fn loops() {
    let fields = ["can", "can_from", "states", "strategy"];
    let found = one(&["loops", "coin.kif", "--json"], &fields);
    assert_eq!(found["can"], serde_json::json!({"a": false, "b": false}));
}

#[test]
fn solve() {
    let solved = one(
        &["solve", "nim", "--json"],
        &["value", "distance", "moves", "counts", "by_value"],
    );
    // Marienbad is lost for who begins.
    assert_eq!(solved["value"], 0);
    assert_eq!(solved["by_value"].as_array().unwrap().len(), 2);
    let moves = solved["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 16);
    assert!(moves.iter().all(|mv| mv["value"] == 0));
}

#[test]
fn bench() {
    let fields = [
        "game",
        "engine",
        "lanes",
        "threads",
        "seconds",
        "states",
        "playouts",
        "states_per_second",
        "playouts_per_second",
        "mean_length",
        "mean_goals",
        "startup_seconds",
        "peak_memory_bytes",
        "without_goal",
        "faulty_game",
        "seed",
    ];
    let words = [
        "bench",
        "coin.kif",
        "--playouts",
        "40",
        "--seed",
        "3",
        "--json",
    ];
    let bench = one(&words, &fields);
    assert_eq!(bench["playouts"], 40);
    assert_eq!(bench["lanes"], 64, "more would stay empty");
    assert_eq!(bench["mean_length"], 1.0);
    let threads = [&words[..], &["--threads", "3"]].concat();
    let again = one(&threads, &fields);
    assert_eq!(
        again["mean_goals"], bench["mean_goals"],
        "threads change no result"
    );
}

#[test]
fn games() {
    let ended = Folder::new().run(&["games", "--json"]);
    let games = objects(&ended);
    assert!(games.len() >= 10);
    for game in &games {
        has_fields(game, &["name", "title"]);
    }
}

#[test]
fn verify() {
    let record = r#"{"matchId":"coin.1","randomToken":"abcdefghijkl","startTime":1800000000000,
        "gameName":"coin.kif","gameRoleNames":["a","b"],"states":["(start)","((shown heads))"],
        "moves":[["heads","heads"]],"goalValues":[100,0],"isCompleted":true}"#;
    let wrong = record.replace("(shown heads)", "(shown tails)");
    let folder = Folder::new()
        .with("coin.kif", COIN)
        .with("1.json", record)
        .with("2.json", wrong);
    let ended = folder.run(&["verify", ".", "--json"]);
    assert_eq!(ended.status, 1, "{}", ended.shown());
    let lines = objects(&ended);
    assert_eq!(lines.len(), 3);
    for file in &lines[..2] {
        has_fields(file, &["file", "ok", "states", "difference", "seconds"]);
        assert_eq!(file["engine"], "propnet");
    }
    assert_eq!(lines[0]["ok"], true, "{}", ended.shown());
    let difference = &lines[1]["difference"];
    assert_eq!(
        difference["only_recorded"],
        serde_json::json!(["(shown tails)"])
    );
    has_fields(&lines[2], &["passed", "failed", "skipped"]);
    assert_eq!(
        (&lines[2]["passed"], &lines[2]["failed"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn compare_tells_of_all_engines() {
    let words = ["compare", "tictactoe", "--seconds", "0.05", "--json"];
    let fields = [
        "game",
        "engines",
        "agree",
        "perft",
        "differential_test",
        "speeds",
        "ratios",
    ];
    let object = one(&words, &fields);
    let engines = ["native", "propnet", "reasoner"];
    assert_eq!(object["engines"], serde_json::json!(engines));
    assert_eq!(object["agree"], true);
    assert_eq!(object["perft"][1]["paths"][0], 72);
    assert_eq!(object["differential_test"].as_array().unwrap().len(), 2);
    for engine in engines {
        let fields = [
            "startup_seconds",
            "states_per_second",
            "nodes_per_second",
            "perft_depth",
        ];
        has_fields(&object["speeds"][engine], &fields);
    }
    assert_eq!(object["ratios"]["native"]["playouts"], 1.0);
}

/// Whoever plays the first role well wins or loses either way: the same player on two engines gets half of the points.
#[test]
fn at_equal_depth_engines_draw_by_construction() {
    for game in ["kolibrat", "connect-four"] {
        let words = [
            "compare",
            game,
            "--seconds",
            "0.02",
            "--games",
            "6",
            "--move-time",
            "0.001",
            "--json",
        ];
        let object = one(&words, &["match"]);
        let score = &object["match"][0];
        assert_eq!(score["engines"], serde_json::json!(["native", "propnet"]));
        assert_eq!(score["condition"], "3 plies deep");
        assert_eq!(score["score"], 0.5, "{score}");
        let games = ["won", "drawn", "lost"].map(|how| score[how].as_u64().unwrap());
        assert_eq!(
            (games.iter().sum::<u64>(), games[0]),
            (6, games[2]),
            "{score}"
        );
    }
}

#[test]
fn compare_looks_as_long_as_asked() {
    let words = [
        "compare",
        "coin.kif",
        "--seconds",
        "0.01",
        "--plies",
        "300",
        "--json",
    ];
    let object = one(&words, &["left_out"]);
    assert_eq!(
        object["engines"],
        serde_json::json!(["propnet", "reasoner"])
    );
    let walked = &object["differential_test"][0];
    assert!(walked["states"].as_u64().unwrap() >= 300, "{walked}");
    assert!(object["left_out"]["native"].is_string());
}

#[test]
fn elo_and_sprt() {
    let pairs = ["379", "10170", "21828", "10640", "343"];
    let found = one(
        &[&["elo", "--json"], &pairs[..]].concat(),
        &[
            "games",
            "score",
            "score_error",
            "elo",
            "elo_interval",
            "superiority",
        ],
    );
    let about = |value: &Value, figure: f64| (value.as_f64().unwrap() - figure).abs() < 0.005;
    assert!(about(&found["normalised_elo"], 3.05), "{found}");
    assert!(about(&found["normalised_error"], 2.31), "{found}");
    let bounds = ["--elo0", "0", "--elo1", "2", "--scale", "normalised"];
    let found = one(
        &[&["sprt", "--json"], &pairs[..], &bounds].concat(),
        &["llr", "lower", "upper", "verdict"],
    );
    assert!(about(&found["llr"], 2.946) && about(&found["upper"], 2.944));
    assert_eq!(found["verdict"], "elo1");
    let all = one(&["elo", "7", "0", "0", "--json"], &[]);
    assert!(
        all["elo"].is_null() && all["normalised_elo"].is_null(),
        "{all}"
    );
    assert_eq!(all["superiority"], 1.0);
}
