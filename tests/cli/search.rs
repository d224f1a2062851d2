//! What `kolibri search` says of games whose values can be worked out by hand.

use super::{Ended, Folder};
use serde_json::Value;

/// What is found in a position of a game in tests/values.
fn found(game: &str, more: &[&str]) -> Value {
    let file = format!("{}/tests/values/{game}.kif", env!("CARGO_MANIFEST_DIR"));
    let words = [&["search", &file, "--json", "-q"], more].concat();
    Folder::new().run(&words).json()
}

/// The same without heuristics, at a depth at which all is known.
fn known(game: &str, moves: &[&str]) -> (String, f64) {
    let found = found(
        game,
        &[moves, &["--depth", "12", "--heuristic", "none"]].concat(),
    );
    let best = found["best"].as_str().unwrap().to_owned();
    (best, found["value"].as_f64().unwrap())
}

#[test]
fn chance_is_nobody_to_search_for() {
    let found = found("tossing", &[]);
    assert_eq!(
        (&found["role"], &found["value"]),
        (&"gambler".into(), &51.25.into())
    );
}

#[test]
fn a_mean_counts_to_the_last_digit() {
    assert_eq!(known("gamble", &["take"]), ("safe".to_owned(), 1.0));
    assert_eq!(known("gamble", &["leave"]), ("toss".to_owned(), 70.25));
}

#[test]
fn whoever_comes_back_twice_goes_round_in_circles() {
    let best = |moves: &[&str]| known("round", moves);
    assert_eq!(best(&["go"]), ("back".to_owned(), 40.0));
    assert_eq!(best(&["go", "back", "go"]), ("back".to_owned(), 50.0));
    // Alone, there is nobody to draw with.
    let best = known("walking", &["walk", "walk", "walk"]);
    assert_eq!(best, ("stop".to_owned(), 40.0));
}

#[test]
fn a_step_can_be_taken_back() {
    assert_eq!(known("mistake", &["astray"]), ("back".to_owned(), 100.0));
}

#[test]
fn the_soonest_win_is_taken() {
    let found = found("corridor", &["--depth", "5", "--heuristic", "none"]);
    assert_eq!(
        (&found["best"], &found["steps"]),
        (&"fork".into(), &3.into())
    );
}

#[test]
fn a_line_through_simultaneous_moves_is_that_of_the_best() {
    let found = found("both", &["--depth", "5", "--heuristic", "none"]);
    assert_eq!(
        found["line"][1].as_str().map(|both| &both[..4]),
        Some("good")
    );
}

#[test]
fn lines_go_on_to_the_end() {
    let sum = found("sum", &[]);
    let line = sum["line"].as_array().unwrap();
    assert_eq!((&sum["steps"], line.len()), (&3.into(), 3), "{sum}");
    let words = ["--depth", "3", "--multi", "2", "--heuristic", "none"];
    let both = found("corridor", &words);
    let steps = [0, 1].map(|index| both["moves"][index]["line"].as_array().unwrap().len());
    assert_eq!(steps, [3, 6], "{both}");
    let exact = |found: &Value, index: usize| found["moves"][index]["exact"].clone();
    assert_eq!([exact(&both, 0), exact(&both, 1)], [true, true], "{both}");
    let one = found("corridor", &["--depth", "1", "--heuristic", "none"]);
    assert_eq!(exact(&one, 0), one["exact"], "{one}");
}

#[test]
fn whoever_runs_out_of_time_has_a_line() {
    let found = Folder::new()
        .run(&[
            "search",
            "kolibrat",
            "--time",
            "1",
            "--heuristic",
            "none",
            "--json",
        ])
        .json();
    assert!(found["depth"].as_u64() > Some(3), "{found}");
    assert!(found["line"].as_array().unwrap().len() > 1, "{found}");
}

#[test]
fn where_nobody_chooses_there_is_nothing_to_ask() {
    assert_eq!(found("stuck", &["--depth", "1"])["best"], "go");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/values/stuck.kif");
    let ended = Folder::new().run(&["search", file, "go"]);
    assert!(ended.err.contains("b has no move"), "{}", ended.err);
}

#[test]
fn it_says_why_no_network_runs_a_game() {
    // The network would have a fact for each of the numbers, of which there is no last one.
    let rules = "
        (role r) (init (n zero)) (legal r more) (legal r less)
        (<= (next (n (s ?x))) (true (n ?x)))
        (<= terminal (true (n (s (s zero)))))
        (goal r 100)";
    let folder = Folder::new().with("grow.kif", rules);
    let words = ["search", "grow.kif", "--depth", "2", "--heuristic", "none"];
    let ended = folder.run(&words);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let told = "the reasoner runs this game, far slower than a network, since the rules cannot be made a network: ";
    assert!(ended.err.contains(told), "{}", ended.err);
    assert!(
        ended.err.contains("do they grow without end?"),
        "{}",
        ended.err
    );
    let quiet = folder.run(&[&words[..], &["--quiet"]].concat());
    assert_eq!(quiet.err, "");
    let asked = folder.run(&[&words[..], &["--engine", "reasoner"]].concat());
    assert!(!asked.err.contains("far slower"), "{}", asked.err);
}

/// A folder with a game and its solution in `game.kif` and `x.solution`.
fn solved(rules: &str) -> Folder {
    let folder = Folder::new().with("game.kif", rules);
    let solved = folder.run(&["solve", "game.kif", "--out", "x.solution"]);
    assert_eq!(solved.status, 0, "{}", solved.shown());
    folder
}

const BY_SOLUTION: [&str; 4] = ["search", "game.kif", "--solution", "x.solution"];

#[test]
fn a_solution_tells_what_a_deep_search_finds() {
    let game = kolibri::catalog::SHIPPED.iter();
    let game = game.clone().find(|game| game.name == "tictactoe").unwrap();
    let folder = solved(game.text);
    let moves = ["(mark 2 1)", "(mark 3 3)"];
    let told = folder.run(&[&BY_SOLUTION[..], &moves, &["--json"]].concat());
    let told = told.json();
    let deep = [
        "search", "game.kif", "--depth", "9", "--multi", "9", "--json",
    ];
    let searched = folder.run(&[&deep[..], &moves].concat()).json();
    assert_eq!(told["solution"], "x.solution");
    for field in ["role", "best", "value", "exact", "steps"] {
        assert_eq!(told[field], searched[field], "{field}");
    }
    assert_eq!(
        told["line"].as_array().unwrap().len() as u64,
        told["steps"].as_u64().unwrap()
    );
    let values = |report: &Value| {
        let moves = report["moves"].as_array().unwrap().iter();
        let values = moves.map(|mv| {
            (
                mv["move"].as_str().unwrap().to_owned(),
                mv["value"].clone(),
                mv["exact"].clone(),
            )
        });
        let mut values: Vec<_> = values.collect();
        values.sort_by(|one, other| one.0.cmp(&other.0));
        values
    };
    let (all, found) = (values(&told), values(&searched));
    assert_eq!(all.len(), 7);
    assert_eq!(all, found);
}

#[test]
fn a_solution_tells_that_a_game_never_ends() {
    let folder = Folder::new();
    let words = "generate kolibrat --width 2 --height 4 --pieces 4 --goals 2";
    let words: Vec<&str> = words.split(' ').collect();
    let folder = solved(&folder.run(&words).out);
    let told = folder.run(&BY_SOLUTION);
    assert_eq!(told.status, 0, "{}", told.shown());
    assert!(
        told.out
            .contains("exact value 50, as the game never ends\n"),
        "{}",
        told.out
    );
    assert!(
        told.out.contains("\nby the solution x.solution\n"),
        "{}",
        told.out
    );
}

#[test]
fn a_solution_of_another_game_and_needless_options_are_refused() {
    let folder = solved(
        "(role a) (init on) (legal a go) (legal a stay) (<= (next off) (does a go)) (<= (next on) (does a stay)) \
        (<= terminal (true off)) (goal a 100)",
    );
    let ended = folder.run(&["search", "nim", "--solution", "x.solution"]);
    assert_eq!(ended.status, 2, "{}", ended.shown());
    assert!(ended.err.contains("other rules"), "{}", ended.err);
    let ended = folder.run(&[&BY_SOLUTION[..], &["--depth", "3"]].concat());
    assert_eq!(ended.status, 2, "{}", ended.shown());
    let ended = folder.run(&[&BY_SOLUTION[..], &["go"]].concat());
    assert_eq!(ended.status, 1, "{}", ended.shown());
    assert!(ended.err.contains("the game is over"), "{}", ended.err);
}

/// What a search without a clock tells.
fn measured(game: &str, depth: &str, more: &[&str]) -> Value {
    let words = ["search", game, "--depth", depth, "--json"];
    Folder::new().run(&[&words[..], more].concat()).json()
}

fn numbers(report: &Value, field: &str) -> Vec<u64> {
    let depths = report["depths"].as_array().unwrap().iter();
    depths.map(|of| of[field].as_u64().unwrap()).collect()
}

#[test]
fn without_pruning_the_whole_tree_is_searched() {
    let whole = ["--heuristic", "none", "--no-table", "--no-pruning"];
    let all = measured("tictactoe", "4", &whole);
    assert_eq!(numbers(&all, "depth"), [1, 2, 3, 4]);
    // Nobody wins in four plies: the leaves are the paths.
    assert_eq!(numbers(&all, "leaves"), [9, 72, 504, 3024]);
    assert_eq!(numbers(&all, "nodes"), [9, 81, 585, 3609]);
    assert_eq!(all["nodes"], 9 + 81 + 585 + 3609);
    let pruned = measured("tictactoe", "4", &["--heuristic", "none", "--no-table"]);
    assert_eq!(pruned["value"], all["value"]);
    // Knuth and Moore: one move against all replies, and all moves against one reply.
    let leaves = numbers(&pruned, "leaves")[3];
    assert!((9 * 7 + 8 * 6 - 1..3024 / 4).contains(&leaves), "{leaves}");
}

#[test]
fn parts_of_the_search_change_its_work_and_not_its_value() {
    // An evaluation that is not learned is the same each time.
    let evaluation = ["--engine", "native", "--evaluation", "advanced"];
    let measured = |more: &[&str]| measured("kolibrat", "6", &[&evaluation[..], more].concat());
    let usual = measured(&[]);
    let parts = [
        "--no-table",
        "--no-ordering",
        "--worst-ordering",
        "--no-pruning",
    ];
    for part in parts {
        let without = measured(&[part]);
        assert_eq!(without["value"], usual["value"], "{part}");
        let nodes = without["nodes"].as_u64();
        assert!(nodes > usual["nodes"].as_u64(), "{part}: {nodes:?}");
    }
    let last = &usual["depths"].as_array().unwrap()[5];
    assert!(last["first_move_cutoffs"].as_f64() > Some(0.5), "{last}");
    assert!(last["branching"].as_f64() > Some(0.0), "{last}");
}

#[test]
fn leaves_are_told_beside_the_fewest() {
    let found = measured("tictactoe", "4", &["--heuristic", "none", "--no-table"]);
    assert_eq!(numbers(&found, "fewest_leaves"), [9, 16, 70, 110]);
    assert_eq!(numbers(&found, "leaves"), [9, 16, 70, 110]);
}

#[test]
fn symmetries_spare_work_and_change_no_value() {
    let none = ["--heuristic", "none"];
    let games = [
        ("tictactoe", "9"),
        ("connect-four", "8"),
        ("breakthrough", "4"),
        ("kolibrat", "9"),
    ];
    for (game, depth) in games {
        let each = measured(game, depth, &none);
        let classes = measured(game, depth, &[&none[..], &["--symmetry"]].concat());
        for field in ["value", "exact", "depth"] {
            assert_eq!(classes[field], each[field], "{game}: {field}");
        }
        let length = |found: &Value| found["line"].as_array().unwrap().len();
        assert_eq!(length(&classes), length(&each), "{game}: {classes}");
        let nodes = [&classes, &each].map(|found| found["nodes"].as_u64().unwrap());
        assert!(nodes[0] < nodes[1], "{game}: {nodes:?}");
    }
    for (more, advice) in [
        (&["--depth", "3"][..], "--heuristic none"),
        (&["--heuristic", "hamming"], "leave out `--symmetry`"),
    ] {
        let refused = Folder::new().run(&[&["search", "tictactoe", "--symmetry"], more].concat());
        assert_eq!(refused.status, 2, "{more:?}");
        assert!(refused.err.contains(advice), "{}", refused.err);
    }
    // No symmetry keeps its heaps.
    let nim = measured("nim", "4", &[&none[..], &["--symmetry"]].concat());
    assert_eq!(nim["nodes"], measured("nim", "4", &none)["nodes"]);
    assert_eq!(nim["symmetries"], 1);
    let reused = measured(
        "tictactoe",
        "7",
        &[&none[..], &["--symmetry", "--reuse"]].concat(),
    );
    let alone = measured("tictactoe", "7", &[&none[..], &["--reuse"]].concat());
    let nodes = |found: &Value| found["reuse"]["nodes_alone"].as_u64().unwrap();
    assert_eq!(reused["symmetries"], 8);
    assert!(nodes(&reused) < nodes(&alone), "{reused} {alone}");
}

#[test]
fn goals_out_of_reach_prune_and_change_no_value() {
    let folder = Folder::new();
    let run = |words: &[&str]| folder.run(words);
    let made = "generate connect-four --width 4 --height 4 --output small.kif";
    run(&made.split(' ').collect::<Vec<_>>());
    // Most lines are blocked.
    let columns = ["a", "b", "b", "a", "c", "d", "d", "c"];
    let moves: Vec<String> = columns.iter().map(|at| format!("(drop {at})")).collect();
    for depth in ["3", "5", "7"] {
        let search = |more: &[&str]| {
            let words = ["search", "small.kif", "--depth", depth, "--json", "--quiet"];
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            run(&[&words[..], more, &moves[..]].concat()).json()
        };
        let (all, pruned) = (search(&["--no-pruning", "--no-table"]), search(&[]));
        assert_eq!(pruned["value"], all["value"], "depth {depth}");
        assert!(pruned["nodes"].as_u64() < all["nodes"].as_u64());
    }
}

#[test]
fn a_proof_takes_what_is_learned_for_its_order_alone() {
    let folder = Folder::new();
    let run = |words: &str| folder.run(&words.split(' ').collect::<Vec<_>>());
    let made = run("generate connect-four --width 5 --height 4 --output small.kif");
    assert_eq!(made.status, 0, "{}", made.shown());
    let search = "search small.kif --time 60 --prove --symmetry --json --quiet";
    let start = run(search).json();
    assert_eq!(
        (&start["value"], &start["exact"]),
        (&50.0.into(), &true.into())
    );
    // Two in a row with room on both sides.
    let moves = ["(drop b)", "(drop b)", "(drop c)", "(drop c)"];
    let words: Vec<&str> = search.split(' ').chain(moves).collect();
    let won = folder.run(&words).json();
    assert_eq!(
        (&won["value"], &won["exact"], &won["steps"]),
        (&100.0.into(), &true.into(), &3.into())
    );
    // Depths are four plies apart; a node has four moves at most.
    let depths = start["depths"].as_array().unwrap();
    let branching = depths
        .iter()
        .filter_map(|depth| depth["branching"].as_f64());
    assert!(
        branching.clone().all(|of_one_ply| of_one_ply < 6.0),
        "{start}"
    );
    let unproved = run("search connect-four --depth 4 --prove --json --quiet").json();
    assert_eq!(
        (&unproved["value"], &unproved["exact"]),
        (&50.0.into(), &false.into())
    );
    let contrary = run("search connect-four --prove --selective");
    assert_eq!(contrary.status, 2, "{}", contrary.shown());
}

/// Kolibrat searched with an evaluation.
fn evaluated(evaluation: &str) -> Ended {
    let words = "search kolibrat --engine native --depth 5 --json -q --evaluation";
    let words: Vec<&str> = words.split(' ').chain([evaluation]).collect();
    Folder::new().run(&words)
}

#[test]
fn weights_stand_in_place_of_a_published_evaluation() {
    let value = |evaluation: &str| evaluated(evaluation).json()["value"].clone();
    assert_eq!(value("1/2/1/2/1/0/10/2/2/1/1"), value("advanced"));
    let published = value("1/2/1/2/1/0/10/2/2/1/1-as-published");
    assert_eq!(published, value("advanced-as-published"));
    assert_ne!(value("0/0/0/0/0/0/0/0/0/0/9"), value("advanced"));
}

#[test]
fn wrong_weights_are_refused_with_their_reason() {
    for (evaluation, expected) in [
        ("1/2/3", "11 weights with `/` between them; these are 3"),
        ("1/2/1/2/1/0/10/2/2/1/x", "`x` is none"),
        ("advancd", "or eleven weights W1/…/W11 for kolibrat"),
    ] {
        let ended = evaluated(evaluation);
        assert_eq!(ended.status, 2, "{}", ended.shown());
        assert!(ended.shown().contains(expected), "{}", ended.shown());
    }
}

#[test]
fn each_depth_is_compared_with_what_even_growth_would_cost() {
    let whole = ["--heuristic", "none", "--no-table", "--no-pruning"];
    let report = measured("tictactoe", "4", &whole);
    let last = &report["depths"][3];
    // 3609 nodes after 585, and 675 in all depths before.
    let near = |field: &str, expected: f64| {
        let told = last[field].as_f64().unwrap();
        assert!((told - expected).abs() < 1e-9, "{field}: {told}");
    };
    near("branching", 3609.0 / 585.0);
    near("overhead", 675.0 / 3609.0);
    near("overhead_of_one_depth", 585.0 / 3609.0);
    near("overhead_of_all_depths", 585.0 / (3609.0 - 585.0));
    assert_eq!(
        (&report["table_entries"], &report["bytes_per_node"]),
        (&0.into(), &0.0.into())
    );
    let with_table = measured("tictactoe", "4", &["--heuristic", "none"]);
    let (entries, nodes) = (&with_table["table_entries"], &with_table["nodes"]);
    let bytes = 16.0 * entries.as_f64().unwrap() / nodes.as_f64().unwrap();
    assert!(
        bytes > 0.0 && with_table["bytes_per_node"] == bytes,
        "{with_table}"
    );
}

#[test]
fn two_plies_later_the_table_spares_work() {
    let evaluation = ["--engine", "native", "--evaluation", "advanced", "--reuse"];
    let report = measured("kolibrat", "9", &evaluation);
    let reuse = &report["reuse"];
    let number = |field: &str| reuse[field].as_f64().unwrap();
    assert_eq!(number("depth"), 7.0);
    assert!(number("nodes_after") < number("nodes_alone"), "{reuse}");
    let spared = 1.0 - number("nodes_after") / number("nodes_alone");
    assert_eq!(number("spared"), spared);
    let share = number("nodes_alone") / report["nodes"].as_f64().unwrap();
    assert_eq!(number("share_of_tree"), share);
    assert!((0.0..1.0).contains(&share), "{reuse}");
    let branching = report["depths"][8]["branching"].as_f64().unwrap();
    assert!((number("expected_share") - branching.powi(-2)).abs() < 1e-12);
}

#[test]
fn a_curve_has_the_same_values_on_any_number_of_threads() {
    let folder = Folder::new();
    let words = "search tictactoe --heuristic none --depth 6 --curve 1..2 --svg curve.svg --json";
    let words: Vec<&str> = words.split(' ').collect();
    let report = folder.run(&words).json();
    let positions = report["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 3);
    let plies = positions
        .iter()
        .map(|of| of["moves"].as_array().unwrap().len());
    assert_eq!(plies.collect::<Vec<_>>(), [0, 2, 4]);
    for curve in positions
        .iter()
        .map(|of| &of["curve"])
        .chain([&report["curve"]])
    {
        let points = curve.as_array().unwrap();
        assert_eq!([&points[0]["threads"], &points[1]["threads"]], [1, 2]);
        assert_eq!(
            (&points[0]["speedup"], &points[0]["efficiency"]),
            (&1.0.into(), &1.0.into())
        );
        assert_eq!(points[0]["value"], points[1]["value"]);
        assert!(
            points.iter().all(|point| point["agrees"] == true),
            "{curve}"
        );
    }
    let nodes = |curve: &Value| curve[0]["nodes"].as_u64().unwrap();
    let sum: u64 = positions.iter().map(|of| nodes(&of["curve"])).sum();
    assert_eq!(nodes(&report["curve"]), sum);
    let picture = std::fs::read_to_string(folder.path().join("curve.svg")).unwrap();
    for part in [
        "<svg",
        "Speed-up by threads",
        "Efficiency by threads",
        "class=\"ideal\"",
    ] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    let again = folder.run(&words);
    assert!(again.status == 2 || again.status == 1, "{}", again.shown());
    assert!(again.err.contains("--force"), "{}", again.err);
    let without_depth = folder.run(&["search", "tictactoe", "--curve", "1..2"]);
    assert_eq!(without_depth.status, 2, "{}", without_depth.shown());
}

#[test]
fn the_distance_to_the_goal_finds_a_shortest_way() {
    let way = ["search", "eight-puzzle", "--heuristic", "hamming", "--json"];
    let found = Folder::new().run(&way).json();
    assert_eq!(
        (&found["value"], &found["exact"]),
        (&100.0.into(), &true.into())
    );
    assert_eq!((&found["steps"], &found["depth"]), (&14.into(), &14.into()));
    let line = found["line"].as_array().unwrap();
    assert_eq!(line.len(), 14);
    // The first bound is what the distance says of the start.
    assert_eq!(found["depths"][0]["depth"], 5);
    let blind = measured("eight-puzzle", "14", &["--heuristic", "none"]);
    assert_eq!(blind["steps"], 14);
    let fewer = found["nodes"].as_u64().unwrap() * 5;
    assert!(fewer < blind["nodes"].as_u64().unwrap(), "{found} {blind}");
    let end: Vec<&str> = line.iter().map(|mv| mv.as_str().unwrap()).collect();
    let shown = Folder::new().run(&[&["moves", "eight-puzzle"][..], &end].concat());
    assert!(shown.out.contains("100"), "{}", shown.shown());
}

#[test]
fn a_goal_out_of_reach_and_games_of_two_are_told() {
    let folder = Folder::new();
    let swapped = kolibri::catalog::SHIPPED.iter();
    let swapped = swapped
        .clone()
        .find(|game| game.name == "eight-puzzle")
        .unwrap();
    // With two tiles exchanged, no way leads to the goal; fewer steps, so that this is soon known.
    let text = swapped
        .text
        .replace("(init (cell 1 1 8))", "(init (cell 1 1 1))")
        .replace("(init (cell 2 1 1))", "(init (cell 2 1 8))")
        .replace("(most_steps 31)", "(most_steps 12)");
    let folder = folder.with("game.kif", &text);
    let short = [
        "search",
        "eight-puzzle",
        "--heuristic",
        "hamming",
        "--depth",
        "5",
    ];
    let ended = folder.run(&short);
    assert_eq!((ended.status, ended.out.as_str()), (1, ""));
    assert!(
        ended
            .err
            .contains("no way to an end with a goal of 100 was found in 5 plies"),
        "{}",
        ended.shown()
    );
    let words = ["search", "game.kif", "--heuristic", "hamming"];
    let ended = folder.run(&words);
    assert_eq!(ended.status, 1, "{}", ended.shown());
    assert!(
        ended.err.contains("no end with a goal of 100"),
        "{}",
        ended.err
    );
    for words in [
        &["search", "nim", "--heuristic", "hamming"][..],
        &[
            "search",
            "game.kif",
            "--heuristic",
            "hamming",
            "--threads",
            "2",
        ],
    ] {
        let ended = folder.run(words);
        assert_eq!(ended.status, 2, "{}", ended.shown());
    }
}
