//! Questions about all states of a game.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::{COIN, Folder};

/// Lamps that the first of some roles switches on and off, until the last one is on.
fn lamps(count: usize, roles: &[&str]) -> String {
    let mut text = format!(
        "(<= (legal a (switch ?l)) (lamp ?l))\n\
         (<= (next (on ?l)) (does a (switch ?l)) (not (true (on ?l))))\n\
         (<= (next (on ?l)) (true (on ?l)) (not (does a (switch ?l))))\n\
         (<= terminal (true (on {count})))\n(<= (goal ?r 50) (role ?r))\n",
    );
    for role in roles {
        text += &format!("(role {role})\n");
    }
    for role in &roles[1..] {
        text += &format!("(legal {role} noop)\n");
    }
    for lamp in 1..=count {
        text += &format!("(lamp {lamp})\n");
    }
    text
}

/// What the program says of the game in `game.kif`; it must end with this status.
fn asked(game: &str, words: &[&str], status: i32) -> String {
    let folder = Folder::new().with("game.kif", game);
    let ended = folder.run(words);
    assert_eq!(ended.status, status, "{}", ended.shown());
    ended.shown()
}

/// With so little memory, no enumeration of such a game ends.
const SOLVE: [&str; 4] = ["solve", "game.kif", "--memory", "1"];

#[test]
fn what_cannot_be_solved_is_told_before_states_are_enumerated() {
    let shown = asked(&lamps(20, &["a", "b", "c"]), &SOLVE, 1);
    assert!(shown.contains("games of 3 roles"), "{shown}");
    assert!(shown.contains("`kolibri search` looks"), "{shown}");
    let quality = ["quality", "game.kif", "--player", "first", "--memory", "1"];
    let shown = asked(&lamps(20, &["a", "random"]), &quality, 1);
    assert!(shown.contains("a game with chance"), "{shown}");
    let words = [&SOLVE[..], &["--by", "score"]].concat();
    let shown = asked(&lamps(20, &["a", "b"]), &words, 2);
    assert!(shown.contains("no state has facts of `score`"), "{shown}");
    assert!(shown.contains("states have facts of on"), "{shown}");
}

#[test]
fn simultaneous_choices_are_told_when_one_is_met() {
    // Memory ends in a later ply.
    let game = lamps(20, &["a", "b"]) + "(legal b other)\n";
    let quality = ["quality", "game.kif", "--player", "first", "--memory", "1"];
    let shown = asked(&game, &quality, 1);
    assert!(
        shown.contains("several roles choose at the same time"),
        "{shown}"
    );
    assert!(!shown.contains("memory"), "{shown}");
}

#[test]
fn more_memory_is_advised_where_it_is_missing() {
    let shown = asked(&lamps(20, &["a", "b"]), &SOLVE, 1);
    assert!(shown.contains("give more with `--memory`"), "{shown}");
    let shown = asked(COIN, &["quality", "game.kif", "--player", "first"], 1);
    assert!(!shown.contains("--memory"), "{shown}");
}

#[test]
fn states_without_a_fact_are_counted_under_a_title() {
    let shown = asked(&lamps(2, &["a"]), &["solve", "game.kif", "--by", "on"], 0);
    assert!(shown.contains("\nno fact of `on`\n"), "{shown}");
    assert!(shown.contains("\n(on 1)\n"), "{shown}");
}

#[test]
fn one_bit_is_not_many() {
    let switch =
        "(role a) (legal a go) (<= (next on) (does a go)) (<= terminal (true on)) (goal a 50)";
    let shown = asked(switch, &["states", "game.kif"], 0);
    assert!(shown.contains(" 1 bit a state"), "{shown}");
}

#[test]
fn red_can_go_on_for_ever_in_fake_logic_and_black_can_not() {
    let folder = Folder::new();
    let ended = folder.run(&["loops", "fakelogic", "--json", "--strategy", "red"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(report["can"], json!({"red": true, "black": false}));
    // 17 places, and one in which either has won.
    assert_eq!(report["states"], 19);
    let states = report["strategy"].as_array().unwrap();
    for state in states {
        let moves = state["moves"].as_array().unwrap();
        let is_red = state["facts"]
            .as_array()
            .unwrap()
            .contains(&json!("(control red)"));
        assert!(
            !moves.is_empty() && (moves.len() == 1 || !is_red),
            "{state}"
        );
        for mv in moves {
            assert!(mv["to"].as_u64().unwrap() < states.len() as u64);
        }
    }
}

#[test]
fn a_strategy_is_told_in_words_and_as_a_graph() {
    let folder = Folder::new();
    let words = [
        "loops",
        "fakelogic",
        "--strategy",
        "red",
        "--dot",
        "red.dot",
    ];
    let ended = folder.run(&words);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(
        ended
            .out
            .contains("red    can     force that the game never ends"),
        "{}",
        ended.out
    );
    assert!(
        ended
            .out
            .contains("\n0  (at 0) (control red)\n    red (go 120) → 1\n"),
        "{}",
        ended.out
    );
    let dot = std::fs::read_to_string(folder.path().join("red.dot")).unwrap();
    assert!(
        dot.starts_with("digraph states {") && dot.contains("label = \"(go 120)\""),
        "{dot}"
    );
    let again = folder.run(&words);
    assert_eq!(again.status, 2, "a file is not replaced: {}", again.shown());
}

#[test]
fn who_can_not_go_on_for_ever_has_no_strategy() {
    let folder = Folder::new();
    let ended = folder.run(&["loops", "fakelogic", "--strategy", "black"]);
    assert_eq!(ended.status, 1, "{}", ended.shown());
    assert!(
        ended.err.contains("`black` has no such strategy"),
        "{}",
        ended.err
    );
    let ended = folder.run(&["loops", "fakelogic", "--strategy", "green"]);
    assert_eq!(ended.status, 2, "{}", ended.shown());
    assert!(
        ended.err.contains("the roles are red, black"),
        "{}",
        ended.err
    );
}

#[test]
fn states_are_counted_in_the_fields_of_the_contract() {
    let folder = Folder::new();
    let ended = folder.run(&["states", "tictactoe", "--json"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(report["games"], "255168");
    assert_eq!(report["infinite"], false);
    assert_eq!(report["by_ply"].as_array().unwrap().len(), 10);
    let branching = &report["branching"];
    assert_eq!([&branching["min"], &branching["max"]], [1, 9]);
    let mean = branching["mean"].as_f64().unwrap();
    assert!((mean - 16_167.0 / 4_520.0).abs() < 1e-9, "{mean}");
    assert_eq!(report["goals"][0], json!({"goals": [100, 0], "count": 626}));
    let counts = report["by_branching"].as_array().unwrap().iter();
    let states: u64 = counts.map(|of| of["states"].as_u64().unwrap()).sum();
    assert_eq!(states, 4_520);
}

#[test]
fn endless_games_are_infinitely_many() {
    let folder = Folder::new();
    let ended = folder.run(&["states", "fakelogic"]);
    assert!(
        ended.out.contains("  games        infinitely many:"),
        "{}",
        ended.shown()
    );
    let ended = folder.run(&["states", "fakelogic", "--json"]);
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(
        [&report["games"], &report["infinite"]],
        [&Value::Null, &json!(true)]
    );
}

#[test]
fn no_more_states_are_enumerated_than_were_asked_for() {
    let shown = asked(
        &lamps(20, &["a"]),
        &["states", "game.kif", "--max-states", "2000"],
        1,
    );
    assert!(
        shown.contains("there are more than 2000 states: this is not all"),
        "{shown}"
    );
    assert!(shown.contains("give more with `--max-states`"), "{shown}");
    let ended = Folder::new().with("game.kif", lamps(20, &["a"]));
    let ended = ended.run(&["states", "game.kif", "--max-states", "2000", "--json"]);
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    assert!(report["found"].as_u64() > Some(2_000), "{report}");
    assert!(
        report["found"].as_u64() > report["states"].as_u64(),
        "{report}"
    );
}

#[test]
fn states_are_drawn() {
    let folder = Folder::new();
    let words = [
        "states",
        "fakelogic",
        "--dot",
        "all.dot",
        "--svg",
        "all.svg",
        "--quiet",
    ];
    let ended = folder.run(&words);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("all.dot").matches(" -> ").count(), 23);
    let svg = read("all.svg");
    assert!(
        svg.starts_with("<svg ") && svg.contains("xmlns=\"http://www.w3.org/2000/svg\""),
        "{svg}"
    );
    assert!(
        svg.contains("States that go on, by their joint moves"),
        "{svg}"
    );
    let ended = folder.run(&["states", "tictactoe", "--dot", "large.dot"]);
    assert_eq!(ended.status, 1, "{}", ended.shown());
    assert!(ended.err.contains("more than 1000 states"), "{}", ended.err);
    let ended = folder.run(&words);
    assert_eq!(ended.status, 2, "files are kept: {}", ended.shown());
}

#[test]
fn tic_tac_toe_has_765_states_but_for_symmetry() {
    let folder = Folder::new();
    let report = folder
        .run(&["states", "tictactoe", "--symmetry", "--json"])
        .json();
    let found = ["classes", "symmetries", "games_of_classes"].map(|field| report[field].clone());
    assert_eq!(found, [json!(765), json!(8), json!("26830")]);
    // All states and games, counted by what each class stands for.
    assert_eq!(
        (&report["states"], &report["games"]),
        (&json!(5_478), &json!("255168"))
    );
    let shown = asked(
        "(role a) (legal a on) terminal (goal a 50)",
        &["states", "game.kif", "--symmetry"],
        0,
    );
    assert!(shown.contains("no symmetries were found"), "{shown}");
}

#[test]
fn every_enumeration_keeps_to_its_time() {
    let folder = Folder::new();
    for words in [
        "states checkers --time 0.5",
        "states connect-four --symmetry --time 0.5",
        "solve checkers --time 0.5",
        "loops checkers --time 0.5",
        "quality checkers --player first --time 0.5",
        "quality tictactoe --player minimax:time=1 --time 1.5",
    ] {
        let begin = Instant::now();
        let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.status, 1, "{words}: {}", ended.shown());
        let told = ended.err.contains("the time is up") && ended.err.contains("`--time`");
        assert!(told, "{words}: {}", ended.shown());
        assert!(begin.elapsed() < Duration::from_secs(20), "{words}");
    }
}

#[test]
fn checkpoints_of_classes_go_on_to_the_same_end() {
    let folder = Folder::new();
    let size = [
        "--width", "3", "--height", "3", "--pieces", "3", "--goals", "2",
    ];
    let written = folder.run(&[&["generate", "kolibrat"], &size[..]].concat());
    let folder = folder.with("small.kif", &written.out);
    for (command, fields) in [
        ("states", &["states", "edges", "classes", "by_ply"][..]),
        ("solve", &["states", "joint_moves", "classes", "counts"]),
        (
            "loops",
            &["states", "joint_moves", "classes", "can", "can_from"],
        ),
    ] {
        let kept = format!("{command}.kept");
        let words = [command, "small.kif", "--symmetry", "--json"];
        let whole = folder.run(&words).json();
        let options = ["--checkpoint", &kept, "--max-states"];
        let cut = folder.run(&[&words[..], &options, &["5000"]].concat());
        assert_ne!(cut.status, 0, "{}", cut.shown());
        let on = folder.run(&[&words[..], &options[..2]].concat());
        assert!(on.err.contains("went on after ply"), "{}", on.shown());
        let on = on.json();
        for field in fields {
            assert!(!whole[field].is_null(), "{command} {field}");
            assert_eq!(on[field], whole[field], "{command} {field}");
        }
        let plain = folder.run(&[command, "small.kif", "--checkpoint", &kept]);
        assert!(plain.err.contains("other symmetries"), "{}", plain.shown());
    }
}

/// A coin, and who guesses it.
const GUESS: &str = "(role random) (role a)
    (init begin)
    (<= (legal random heads) (true begin)) (<= (legal random tails) (true begin))
    (<= (legal a noop) (true begin))
    (<= (legal random noop) (true (fell ?s)))
    (<= (legal a heads) (true (fell ?s))) (<= (legal a tails) (true (fell ?s)))
    (<= (next (fell ?s)) (true begin) (does random ?s))
    (<= (next (said yes)) (true (fell ?s)) (does a ?s))
    (<= (next (said no)) (true (fell ?s)) (does a ?t) (distinct ?s ?t))
    (<= terminal (true (said ?x)))
    (<= (goal random 50) (true (said ?x)))
    (<= (goal a 100) (true (said yes))) (<= (goal a 0) (true (said no)))";

#[test]
fn values_are_for_the_first_role_that_is_not_chance() {
    let folder = Folder::new().with("game.kif", GUESS);
    let report = folder.run(&["solve", "game.kif", "--json"]).json();
    assert_eq!(report["role"], "a", "{report}");
}

#[test]
fn a_position_may_be_given_by_its_facts() {
    let facts = |moves: &[&str]| {
        let words = [&["moves", "tictactoe", "--json"], moves].concat();
        let facts = Folder::new().run(&words).json()["state"].clone();
        let facts = facts.as_array().unwrap().iter();
        let facts: Vec<String> = facts
            .map(|fact| fact.as_str().unwrap().to_owned())
            .collect();
        facts.join("\n")
    };
    let moves = ["(mark 2 2)", "(mark 1 2)"];
    let folder = Folder::new().with("state.kif", facts(&moves));
    let value = |more: &[&str]| {
        let report = folder.run(&[&["solve", "tictactoe", "--json"], more].concat());
        report.json()["value"].clone()
    };
    assert_eq!(value(&["--state", "state.kif"]), value(&moves));
    assert_ne!(value(&moves), value(&[]));
    // What a solution makes needless is refused.
    folder.run(&["solve", "tictactoe", "--out", "t.solution", "-q"]);
    for option in [
        ["--max-states", "3"],
        ["--memory", "1"],
        ["--checkpoint", "z"],
        ["--threads", "2"],
    ] {
        for command in [
            &["solve", "tictactoe"][..],
            &["quality", "tictactoe", "--player", "first"],
        ] {
            let words = [command, &["--solution", "t.solution"], &option].concat();
            assert_eq!(folder.run(&words).status, 2, "{words:?}");
        }
    }
}

/// Killed while it enumerates, while it solves, and while it writes.
#[test]
fn whoever_was_killed_goes_on_to_the_same_end() {
    let folder = Folder::new();
    let size = [
        "--width", "3", "--height", "3", "--pieces", "4", "--goals", "3",
    ];
    let written = folder.run(&[&["generate", "kolibrat"], &size[..]].concat());
    let folder = folder.with("small.kif", &written.out);
    let begin = Instant::now();
    let whole = folder.run(&["solve", "small.kif", "--json"]).json();
    let time = begin.elapsed();
    let words = [
        "solve",
        "small.kif",
        "--checkpoint",
        "kept",
        "--out",
        "small.solution",
        "--json",
    ];
    let mut killed = 0;
    for part in [0.2, 0.4, 0.6, 0.75, 0.85, 0.95] {
        let program = assert_cmd::cargo::cargo_bin("kolibri");
        let mut command = std::process::Command::new(program);
        command.current_dir(folder.path()).args(words);
        command.env_clear().envs(folder.places());
        command.stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::null());
        let mut running = command.spawn().unwrap();
        std::thread::sleep(time.mul_f64(part));
        running.kill().unwrap();
        killed += u32::from(!running.wait().unwrap().success());
        if folder.path().join("small.solution").exists() {
            let read = ["solve", "small.kif", "--solution", "small.solution"];
            let read = folder.run(&[&read[..], &["--json"]].concat()).json();
            assert_eq!(read["value"], whole["value"]);
            std::fs::remove_file(folder.path().join("small.solution")).unwrap();
        }
    }
    assert!(killed > 0, "none of the runs was killed before its end");
    let on = folder.run(&words);
    assert!(on.err.contains("went on after ply"), "{}", on.shown());
    let on = on.json();
    for field in ["value", "states", "joint_moves", "counts", "moves"] {
        assert_eq!(on[field], whole[field], "{field}");
    }
}

#[test]
fn loops_of_classes_are_those_of_all_states() {
    let folder = Folder::new();
    let size = [
        "--width", "2", "--height", "3", "--pieces", "4", "--goals", "2",
    ];
    let written = folder.run(&[&["generate", "kolibrat"], &size[..]].concat());
    let folder = folder.with("small.kif", &written.out);
    let [all, classes] = [&[][..], &["--symmetry"]].map(|options| {
        let words = [&["loops", "small.kif", "--json"], options].concat();
        folder.run(&words).json()
    });
    assert_eq!(all["can_from"], json!({"red": 878, "black": 899}));
    for field in ["states", "joint_moves", "can", "can_from"] {
        assert_eq!(classes[field], all[field], "{field}");
    }
    assert!(classes["classes"].as_u64() < all["states"].as_u64());
}

#[test]
fn kolibrat_counts_once_with_its_mirror_image_and_with_exchanged_roles() {
    let folder = Folder::new();
    let size = [
        "--width", "3", "--height", "3", "--pieces", "2", "--goals", "3",
    ];
    let rules = folder
        .run(&[&["generate", "kolibrat"][..], &size].concat())
        .out;
    let folder = folder.with("small.kif", &rules);
    let report = |options: &[&str]| {
        let words = [&["states", "small.kif", "--json"], options].concat();
        folder.run(&words).json()
    };
    let (all, mirrored) = (report(&[]), report(&["--symmetry"]));
    let swapped = report(&["--symmetry=swap"]);
    assert_eq!(
        (&mirrored["symmetries"], &swapped["symmetries"]),
        (&json!(2), &json!(4))
    );
    assert_eq!(
        (&mirrored["swaps_roles"], &swapped["swaps_roles"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(mirrored["by_ply"], all["by_ply"]);
    let count = |report: &Value, field: &str| report[field].as_u64().unwrap();
    let classes = [&mirrored, &swapped].map(|report| count(report, "classes"));
    assert!(classes[0] < count(&all, "states") * 6 / 10, "{classes:?}");
    assert!(classes[1] < classes[0] * 7 / 10, "{classes:?}");
    assert_eq!(count(&swapped, "states"), classes[1]);
    let shown = folder.run(&["states", "small.kif", "--symmetry=swap"]).out;
    assert!(shown.contains("exchange the roles"), "{shown}");
}

#[test]
fn a_solution_of_one_state_of_each_class_answers_for_all() {
    let folder = Folder::new();
    let solve = |options: &[&str]| {
        let words = [&["solve", "tictactoe", "--json"], options].concat();
        folder.run(&words).json()
    };
    let all = solve(&["--by", "control", "--verify"]);
    let options = [
        "--by",
        "control",
        "--verify",
        "--symmetry",
        "--out",
        "small.solution",
    ];
    let mut classes = solve(&options);
    assert_eq!(classes["classes"], 765);
    for field in [
        "states",
        "joint_moves",
        "value",
        "moves",
        "counts",
        "proofs",
    ] {
        assert_eq!(classes[field], all[field], "{field}");
    }
    let options = ["--solution", "small.solution", "(mark 3 1)", "(mark 3 2)"];
    classes = solve(&options);
    assert_eq!(classes["moves"], solve(&options[2..])["moves"]);
    let words = ["solve", "rock-paper-scissors", "--symmetry"];
    let ended = folder.run(&words);
    assert!(
        ended.err.contains("leave out `--symmetry`"),
        "{}",
        ended.shown()
    );
}

#[test]
fn paths_are_counted_by_class() {
    let folder = Folder::new();
    let counts = |options: &[&str]| {
        let words = [&["perft", "tictactoe", "10", "--json"], options].concat();
        folder.run(&words).json()
    };
    let (all, by_class) = (counts(&[]), counts(&["--symmetry"]));
    assert_eq!(by_class["counts"], all["counts"]);
    assert_eq!(
        by_class["classes"],
        json!([3, 12, 38, 108, 174, 204, 153, 57, 15, 0])
    );
    assert_eq!(
        folder
            .run(&["perft", "nim", "3", "--symmetry", "--turns"])
            .status,
        2
    );
}

#[test]
fn paths_by_class_stay_within_their_memory() {
    let folder = Folder::new();
    let words = "perft connect-four 30 --symmetry --memory 1";
    let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(ended.status, 1, "{}", ended.shown());
    // What was counted until then is printed.
    assert!(ended.out.contains("\n    5"), "{}", ended.shown());
    let told = [
        "the states need more than 1 MiB",
        "give more with `--memory`",
    ];
    for told in told {
        assert!(ended.err.contains(told), "{}", ended.shown());
    }
    let words = [&words.split(' ').collect::<Vec<_>>()[..], &["--json"]].concat();
    let printed: serde_json::Value = serde_json::from_str(&folder.run(&words).out).unwrap();
    assert_eq!(printed["stopped"], "the states need more than 1 MiB");
    let without = folder.run(&["perft", "nim", "2", "--memory", "1"]);
    assert_eq!(without.status, 2, "{}", without.shown());
}

#[test]
fn states_are_kept_on_the_disk() {
    let folder = Folder::new();
    let count = |options: &[&str]| {
        let words = [
            &["states", "kolibrat", "--max-states", "100000", "--json"],
            options,
        ]
        .concat();
        folder.run(&words)
    };
    let ended = count(&["--disk", ".", "--memory", "1", "--threads", "2"]);
    assert_eq!(ended.status, 1, "{}", ended.shown());
    assert!(
        ended.err.contains("more than 100000 states"),
        "{}",
        ended.err
    );
    let report = |options: &[&str]| {
        let words = [&["states", "tictactoe", "--json"], options].concat();
        folder.run(&words).json()
    };
    let (memory, disk) = (report(&[]), report(&["--disk", ".", "--symmetry"]));
    for field in ["states", "edges", "by_ply", "goals", "branching", "choices"] {
        assert_eq!(disk[field], memory[field], "{field}");
    }
    assert_eq!(
        (&disk["classes"], &disk["most_disk_bytes"]),
        (&json!(765), &json!(765 * 4))
    );
    let ended = count(&["--disk", "nowhere"]);
    assert_eq!((ended.status, ended.out.as_str()), (2, ""));
    assert!(
        ended.err.contains("cannot keep states in `nowhere`"),
        "{}",
        ended.err
    );
    assert!(
        ended.err.contains("make room, or name a folder"),
        "{}",
        ended.err
    );
    assert_eq!(count(&["--disk", ".", "--checkpoint", "file"]).status, 2);
    assert_eq!(
        folder.path().read_dir().unwrap().count(),
        0,
        "no file is left"
    );
}

#[test]
fn values_on_average_are_exact_and_moves_are_mixed() {
    let words = ["solve", "rock-paper-scissors", "--json"];
    let solved = Folder::new().run(&words).json();
    assert_eq!(
        (&solved["average"]["exact"], &solved["role"]),
        (&"50".into(), &"left".into())
    );
    let choices = solved["choices"].as_array().unwrap();
    assert_eq!(choices.len(), 2);
    for choice in choices {
        let chances = choice["moves"].as_array().unwrap().iter();
        assert!(
            chances
                .map(|mv| &mv["chance"])
                .all(|chance| chance == "1/3"),
            "{choice}"
        );
    }
    // After a lost round of five, and nothing else.
    let words = ["solve", "rock-paper-scissors", "rock", "paper"];
    let shown = Folder::new().run(&words);
    assert_eq!(shown.status, 0, "{}", shown.shown());
    assert!(shown.out.starts_with("left gets "), "{}", shown.out);
    for option in [
        &["--verify"][..],
        &["--strategy", "left"],
        &["--out", "x"],
        &["--by", "score"],
    ] {
        let ended = Folder::new().run(&[&["solve", "rock-paper-scissors"], option].concat());
        assert_eq!(ended.status, 1, "{}", ended.shown());
        assert!(ended.err.contains("on average"), "{}", ended.err);
    }
}

#[test]
fn chance_without_an_end_has_no_value() {
    let shown = asked(&lamps(2, &["a", "random"]), &["solve", "game.kif"], 1);
    assert!(shown.contains("play can come back to a state"), "{shown}");
}

#[test]
fn a_heuristic_is_checked_against_the_solution() {
    // Fewer steps than the shipped game has, so that it takes a second.
    let game = kolibri::catalog::SHIPPED.iter();
    let game = game
        .clone()
        .find(|game| game.name == "eight-puzzle")
        .unwrap();
    let text = game.text.replace("(most_steps 31)", "(most_steps 20)");
    let folder = Folder::new().with("game.kif", &text);
    let words = [
        "solve",
        "game.kif",
        "--check-heuristic",
        "hamming",
        "--json",
    ];
    let solved = folder.run(&words).json();
    // All counted by a program of another kind, a breadth-first search from the goal.
    assert_eq!(
        (&solved["states"], &solved["distance"]),
        (&120_256.into(), &14.into())
    );
    let heuristic = &solved["heuristic"];
    assert_eq!(
        (&heuristic["admissible"], &heuristic["checked"]),
        (&true.into(), &255.into())
    );
    let near = |field: &str, expected: f64| {
        let told = heuristic[field].as_f64().unwrap();
        assert!((told - expected).abs() < 1e-6, "{heuristic}");
    };
    near("mean_distance", 5.098_039_215);
    near("mean_plies", 8.760_784_313);
    // A goal that names the hole, too, lacks two facts one move before the end.
    let text = text.replace(
        "(true (cell 2 3 8))",
        "(true (cell 2 3 8)) (true (cell 3 3 hole))",
    );
    let folder = Folder::new().with("game.kif", &text);
    let shown = folder.run(&words[..4]);
    assert!(shown.out.contains("not admissible"), "{}", shown.shown());
}

#[test]
fn without_a_limit_the_eight_puzzle_has_half_of_all_orders() {
    let game = kolibri::catalog::SHIPPED.iter();
    let game = game
        .clone()
        .find(|game| game.name == "eight-puzzle")
        .unwrap();
    let text = game
        .text
        .replace("(init (step 0))", "")
        .replace("(base (step 0))", "");
    let folder = Folder::new().with("game.kif", &text);
    let words = [
        "solve",
        "game.kif",
        "--check-heuristic",
        "hamming",
        "--json",
    ];
    let solved = folder.run(&words).json();
    // 9!/2, of which none needs more than 31 moves.
    assert_eq!(solved["states"], 181_440);
    assert_eq!(solved["by_value"][0]["longest"], 31);
    assert_eq!(solved["heuristic"]["admissible"], true);
}

#[cfg(feature = "symbolic")]
#[test]
fn decision_diagrams_count_what_enumeration_counts() {
    let folder = Folder::new();
    let enumerated = folder.run(&["states", "tictactoe", "--json"]).json();
    let counted = folder.run(&["states", "tictactoe", "--symbolic", "--json"]);
    let counted = counted.json();
    assert_eq!(counted["states"], "5478");
    assert_eq!(counted["terminal"], "958");
    let by_ply = enumerated["by_ply"].as_array().unwrap();
    let by_ply: Vec<String> = by_ply.iter().map(Value::to_string).collect();
    assert_eq!(counted["by_ply"], json!(by_ply));
    assert_eq!(counted["stopped"], Value::Null);
    // What the budget allows is more by far.
    let peak = counted["peak_memory_bytes"].as_u64();
    assert!(peak.is_none_or(|peak| peak < 300 << 20), "{peak:?}");
    let shown = folder.run(&["states", "tictactoe", "--symbolic"]).shown();
    let line = "states       5478, of which 958 are over";
    assert!(shown.contains(line), "{shown}");
    let listed = folder.run(&["states", "tictactoe", "--symbolic", "--csv"]);
    assert!(listed.out.contains("\n1,9\n2,72\n"), "{}", listed.shown());
}

#[cfg(feature = "symbolic")]
#[test]
fn a_count_by_decision_diagrams_that_ends_too_soon_says_what_to_give() {
    let symbolic = |option: &str, value: &str| {
        let words = ["states", "connect-four", "--symbolic", option, value];
        let ended = Folder::new().run(&words);
        assert_eq!(ended.status, 1, "{}", ended.shown());
        ended.shown()
    };
    let late = symbolic("--time", "0.2");
    assert!(late.contains("the time is up: this is not all"), "{late}");
    assert!(late.contains("give more with `--time`"), "{late}");
    assert!(late.contains("states       at least "), "{late}");
    let full = symbolic("--memory", "4");
    let why = "the decision diagrams need more than 4 MiB: this is not all";
    assert!(full.contains(why), "{full}");
    assert!(full.contains("give more with `--memory`"), "{full}");
}

#[cfg(all(feature = "symbolic", feature = "cluster"))]
#[test]
fn decision_diagrams_are_for_one_process() {
    let folder = Folder::new().with("hosts.txt", "127.0.0.1:0\n");
    let words = ["states", "nim", "--symbolic", "--hosts", "hosts.txt"];
    let refused = folder.run(&words);
    assert_eq!(refused.status, 2, "{}", refused.shown());
    let shown = refused.shown();
    assert!(shown.contains("cannot be used with"), "{shown}");
}
