//! `kolibri match`: whole games, their totals and their records.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use kolibri::play::read_record_text;
use serde_json::Value;

use crate::cli::Folder;

fn kolibri(words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("kolibri").unwrap();
    command
        .args(words)
        .env_remove("KOLIBRI_LOG")
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLUMNS");
    command
}

fn output(words: &[&str]) -> String {
    let done = kolibri(words).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

/// Time is the one thing that differs from run to run.
fn without_time(text: &str) -> String {
    let lines = text.lines().map(
        |line| match (line.find(" plies, "), line.find(" s, seed")) {
            (Some(begin), Some(end)) => {
                format!("{} plies, TIME{}", &line[..begin], &line[end + 2..])
            }
            _ => line.to_owned(),
        },
    );
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_whole_game_of_kolibrat() {
    let text = output(&["match", "kolibrat"]);
    // Weights are those of the states that five seconds are enough for: with some, neither side gets on.
    let ends = [" wins (red ", "given up after 2000 plies"];
    assert!(ends.iter().any(|end| text.contains(end)), "{text}");
    let players = "red minimax:time=0.1,depth=4, black minimax:time=0.1,depth=4";
    assert!(text.starts_with(&format!("kolibrat: {players} (seed 1)")));
    assert!(
        text.matches("┌───┬───┬───┐").count() > 10,
        "a board for each move"
    );
}

/// No rule of kolibrat ends a game in which both go round; all of these games would.
#[test]
fn players_do_not_go_round() {
    for (player, least) in [
        ("minimax:depth=4,training=200000", 4),
        ("mcts:nodes=100,training=200000", 1),
    ] {
        let words = ["match", "kolibrat", "-p", player, "-p", player, "--quiet"];
        let text = output(&[&words[..], &["--games", "4", "--opening", "2"]].concat());
        let ended = text.matches(" wins (red ").count();
        assert!(ended >= least, "{player}: {text}");
    }
}

#[test]
fn tictactoe_board_by_board() {
    let text = output(&[
        "match",
        "tictactoe",
        "-p",
        "minimax:depth=9,heuristic=none",
        "-p",
        "o=first",
    ]);
    insta::assert_snapshot!(without_time(&text));
}

#[test]
fn fixed_depth_and_seed_give_the_same_game() {
    // What five seconds of learning are enough for depends on the machine.
    let player = "minimax:depth=2,training=2000";
    let words = ["match", "tictactoe", "-p", player, "--seed", "5"];
    assert_eq!(without_time(&output(&words)), without_time(&output(&words)));
}

#[test]
fn totals_of_several_games() {
    let words = [
        "match",
        "nim",
        "-p",
        "minimax:depth=3",
        "-p",
        "second=first",
        "--games",
        "2",
        "--swap",
        "--quiet",
    ];
    let text = output(&words);
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("game "))
            .count(),
        2,
        "{text}"
    );
    assert!(text.contains("player 1 minimax:depth=3: ") && text.contains("player 2 first: "));
    assert!(!text.contains('±'), "too few games: {text}");
    assert!(!text.contains("different"), "{text}");
}

#[test]
fn an_opening_is_played_in_every_seating() {
    let words = "match breakthrough -p minimax:depth=1,heuristic=none -p black=random \
                 --games 20 --swap --opening 4 --json";
    let words: Vec<&str> = words.split_whitespace().collect();
    let lines = output(&words);
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let openings: Vec<&[Value]> = lines[..20]
        .iter()
        .map(|game| &game["moves"].as_array().unwrap()[..4])
        .collect();
    for (one, other) in (0..20).step_by(2).map(|first| (first, first + 1)) {
        assert_eq!(openings[one], openings[other]);
        let players = |game: usize| &lines[game]["players"];
        assert_eq!(players(one)["white"], players(other)["black"]);
    }
    assert!(openings[0] != openings[2] && openings[2] != openings[4]);
    assert_eq!(lines[3]["opening"]["seed"], lines[2]["seed"]);
    assert_eq!(lines[3]["opening"]["steps"], 4);
    let totals = &lines[20]["totals"][0];
    assert_eq!(totals["games"], 20);
    // Where all rounds are alike, they do not say how far the points may be off.
    assert_eq!(totals["error"].is_f64(), totals["won"] != 20, "ten rounds");
}

#[test]
fn a_single_match_without_boards_tells_how_often_a_player_failed() {
    let words = "match tictactoe -p x=remote:127.0.0.1:1 -p o=random --start-clock 1s --play-clock 1 --quiet";
    let ended = Folder::new().run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!((ended.status, &*ended.err), (0, ""), "{}", ended.shown());
    let expected = " errors; the first one: ply 1, x: CE 127.0.0.1:1";
    assert!(ended.out.contains(expected), "{}", ended.out);
}

#[test]
fn openings_suit_chance_records_and_simultaneous_moves() {
    let folder = Folder::new().with("dice.kif", TWO_DICE);
    for game in ["dice.kif", "rock-paper-scissors"] {
        let words = format!("match {game} -p random --games 3 --swap --opening 0 --quiet");
        let ended = folder.run(&words.split_whitespace().collect::<Vec<_>>());
        assert_eq!(ended.status, 0, "{}", ended.shown());
    }
    let words = "match dice.kif -p random --games 3 --swap --opening 1 --record r --quiet";
    let ended = folder.run(&words.split_whitespace().collect::<Vec<_>>());
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let verified = folder.run(&["verify", "r"]);
    assert!(verified.out.contains("3 passed"), "{}", verified.shown());
}

#[test]
fn a_game_that_is_over_from_the_start_is_reported() {
    let over = "(cell 1 1 x) (cell 1 2 x) (cell 1 3 x) (cell 2 1 o) (cell 2 2 o) (cell 2 3 blank)
        (cell 3 1 blank) (cell 3 2 blank) (cell 3 3 blank) (control o)";
    let folder = Folder::new().with("over.txt", over);
    let words = "match tictactoe --state over.txt -p first";
    let words: Vec<&str> = words.split_whitespace().collect();
    let ended = folder.run(&words);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(ended.out.contains("x wins"), "{}", ended.shown());
    let ended = folder.run(&[&words[..], &["--opening", "1"]].concat());
    assert_eq!(ended.status, 2, "{}", ended.shown());
}

#[test]
fn openings_are_shown_as_such_and_must_not_end_the_game() {
    let text = output(&["match", "tictactoe", "-p", "first", "--opening", "2"]);
    let is_opening = |line: &&str| line.ends_with("  opening");
    assert_eq!(text.lines().filter(is_opening).count(), 2, "{text}");
    let ended = kolibri(&["match", "tictactoe", "--opening", "9"])
        .assert()
        .code(2);
    let message = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
    assert!(
        message.contains("no opening of 9 plies was found"),
        "{message}"
    );
    assert!(
        message.contains("draw fewer plies with --opening"),
        "{message}"
    );
    let words = ["match", "tictactoe", "--opening", "18446744073709551615"];
    let ended = kolibri(&words).assert().code(2);
    let message = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
    assert!(
        message.contains("leaves nothing to be played of 2000"),
        "{message}"
    );
}

#[test]
fn json_has_a_line_per_game() {
    let text = output(&[
        "match",
        "rock-paper-scissors",
        "-p",
        "random",
        "--games",
        "10",
        "--json",
    ]);
    let games: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games.len(), 11);
    assert_eq!(games[10]["games"], 10);
    let totals = &games[10]["totals"];
    assert_eq!(totals[0]["player"], "random");
    let [won, lost] = ["won", "lost"].map(|field| totals[0][field].as_u64().unwrap());
    assert_eq!(won, totals[1]["lost"].as_u64().unwrap());
    assert_eq!(won + lost + totals[0]["drawn"].as_u64().unwrap(), 10);
    assert!(totals[0]["points"].is_f64() && totals[0]["error"].is_f64());
    for (number, game) in games[..10].iter().enumerate() {
        assert_eq!(game["game"], "rock-paper-scissors");
        assert_eq!(game["seed"], number + 1);
        assert_eq!(game["plies"], game["moves"].as_array().unwrap().len());
        assert!(game["goals"]["left"].is_u64() && game["players"]["right"] == "random");
        assert_eq!(game["errors"], Value::Array(Vec::new()));
    }
}

/// A die is rolled twice; `me` gets what it shows in the end.
const TWO_DICE: &str = "(role me) (role random) (pip 1 10) (pip 2 20) (init (die 1)) (init (left 2)) (step 2 1) (step 1 0)
    (<= (legal random (roll ?n)) (pip ?n ?v)) (legal me wait) (<= (next (die ?n)) (does random (roll ?n)))
    (<= (next (left ?m)) (true (left ?n)) (step ?n ?m)) (<= terminal (true (left 0)))
    (<= (goal me ?v) (true (die ?n)) (pip ?n ?v))";

/// A die is rolled; `me` gets what it shows. Nothing is said of what chance gets.
const DICE: &str = "(role me) (role random) (pip 1 10) (pip 2 20) (init rolling)
    (<= (legal random (roll ?n)) (pip ?n ?v) (true rolling)) (legal me wait)
    (<= (next (die ?n)) (does random (roll ?n))) (<= terminal (true (die ?n)))
    (<= (goal me ?v) (true (die ?n)) (pip ?n ?v))";

#[test]
fn chance_needs_no_goal() {
    let folder = Folder::new().with("dice.kif", DICE);
    let words = [
        "match", "dice.kif", "--quiet", "--games", "20", "--record", ".",
    ];
    let ended = folder.run(&words);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(ended.out.contains("of 100 points"), "{}", ended.out);
    assert!(ended.out.contains("player 1 minimax"), "{}", ended.out);
    assert!(ended.out.contains(" points a game"), "{}", ended.out);
    assert!(!ended.out.contains("player 2"), "{}", ended.out);
    assert!(ended.out.contains("20 games, 2 of them different\n"));
    let verified = folder.run(&["verify", "."]);
    assert_eq!(verified.status, 0, "{}", verified.shown());
    assert!(verified.out.contains("20 passed"), "{}", verified.out);
    for path in records_in(folder.path())
        .iter()
        .filter(|path| path.extension().unwrap() == "gz")
    {
        let record: Value = serde_json::from_str(&read_record_text(path).unwrap()).unwrap();
        assert!(record["goalValues"][0].is_u64(), "{record}");
    }
}

#[test]
fn games_without_a_result_are_counted() {
    let words = [
        "match",
        "tictactoe",
        "-p",
        "first",
        "--max-plies",
        "2",
        "--games",
        "4",
    ];
    let text = output(&[&words[..], &["--quiet"]].concat());
    assert!(text.contains("4 games without a result\n"), "{text}");
    assert!(text.contains("4 games, all of them the same\n"), "{text}");
    assert!(!text.contains("points a game"), "{text}");
    let text = output(&[&words[..], &["--json"]].concat());
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    assert_eq!(lines[0]["goals"]["x"], Value::Null, "given up");
    let totals = &lines[4];
    assert_eq!(totals["without_result"], 4, "{totals}");
    assert_eq!(totals["different"], 1, "{totals}");
    assert_eq!(totals["totals"][0]["points"], Value::Null, "{totals}");
}

fn records_in(folder: &std::path::Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect()
}

#[test]
fn records_are_written_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("new");
    let place = inside.to_str().unwrap();
    for game in ["tictactoe", "connect-four", "rock-paper-scissors"] {
        output(&[
            "match", game, "-p", "random", "--record", place, "--games", "2", "--quiet",
        ]);
    }
    let records = records_in(&inside);
    assert_eq!(records.len(), 6);
    for path in &records {
        let record: Value = serde_json::from_str(&read_record_text(path).unwrap()).unwrap();
        assert_eq!(record["isCompleted"], true);
        let states = record["states"].as_array().unwrap().len();
        assert_eq!(record["moves"].as_array().unwrap().len() + 1, states);
        assert_eq!(record["stateTimes"].as_array().unwrap().len(), states);
        assert_eq!(record["errors"].as_array().unwrap().len(), states);
        kolibri(&["verify", path.to_str().unwrap()])
            .assert()
            .success();
    }
}

/// Games in which a trial match on a busy machine ends as on a quiet one.
#[test]
fn auto_takes_the_player_that_suits_the_game() {
    let takes = |game: &str| {
        let player = "auto:time=0.001,heuristic=none";
        let words = ["match", game, "--player", player, "--max-plies", "1", "-v"];
        let done = kolibri(&words).assert().success();
        let log = String::from_utf8(done.get_output().stderr.clone()).unwrap();
        let taken = log.lines().find_map(|line| line.split_once("auto takes "));
        taken.unwrap_or_else(|| panic!("{log}")).1.to_owned()
    };
    for game in ["nim", "tictactoe"] {
        let taken = takes(game);
        assert!(taken.starts_with("minimax: minimax has "), "{taken}");
        assert!(taken.ends_with(" ms a move"), "{taken}");
    }
    // No trial: minimax would compute a worst case.
    assert_eq!(takes("rock-paper-scissors"), "mcts");
}

#[test]
fn the_ply_limit_is_reported() {
    let text = output(&[
        "match",
        "tictactoe",
        "-p",
        "first",
        "--max-plies",
        "2",
        "--quiet",
    ]);
    assert!(
        text.starts_with("given up after 2 plies, the limit"),
        "{text}"
    );
}

#[test]
fn a_match_may_begin_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("end.kif");
    let cells =
        "(cell 1 1 x) (cell 1 2 x) (cell 1 3 blank) (cell 2 1 o) (cell 2 2 o) (cell 2 3 blank)
        (cell 3 1 blank) (cell 3 2 blank) (cell 3 3 blank) (control x)";
    fs::write(&file, cells).unwrap();
    let state = file.to_str().unwrap();
    let text = output(&[
        "match",
        "tictactoe",
        "-p",
        "minimax:depth=9",
        "--state",
        state,
        "--quiet",
    ]);
    assert!(
        text.starts_with("x wins (x 100, o 0) after 1 ply,"),
        "{text}"
    );
}

#[test]
fn a_match_may_begin_where_a_saved_game_stands() {
    let folder = Folder::new();
    let play = ["play", "tictactoe", "-p", "first", "--seed", "1"];
    folder.run_with_input(&play, b"2 2\nsave g\n");
    let words = "match g -p random --record r --record-format json --color never";
    let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(ended.out.contains("\n1. x (mark"), "{}", ended.shown());
    let drawn: Vec<&str> = ended
        .out
        .lines()
        .filter(|line| line.contains(" │ "))
        .collect();
    assert!(
        drawn[0].starts_with("1 │ o │") && drawn[1].starts_with("2 │ · │ x │"),
        "{}",
        ended.shown()
    );
    let path = &records_in(&folder.path().join("r"))[0];
    let record: Value = serde_json::from_str(&read_record_text(path).unwrap()).unwrap();
    let first = record["states"][0].as_str().unwrap();
    assert!(
        first.contains("(cell 2 2 x)") && first.contains("(cell 1 1 o)"),
        "{first}"
    );
    let (states, moves) = (&record["states"], &record["moves"]);
    let length = |list: &Value| list.as_array().unwrap().len();
    assert_eq!(length(states), length(moves) + 1);
    let ended = folder.run(&[
        "match",
        "g",
        "--ply",
        "1",
        "-p",
        "first",
        "--max-plies",
        "1",
    ]);
    assert!(ended.out.contains("1. o (mark 1 1)"), "{}", ended.shown());
}

#[test]
fn records_stay_in_their_folder() {
    let folder = Folder::new();
    let play = ["play", "tictactoe", "-p", "first", "--seed", "1"];
    folder.run_with_input(&play, b"2 2\nsave g\n");
    let record = fs::read_to_string(folder.path().join("g")).unwrap();
    let away = folder.path().join("away");
    // Rules of its own: those of a shipped game would give the match its name.
    let record = record.replace("\"x-rulesheet\":\"", "\"x-rulesheet\":\";\\n");
    for name in ["../up", "sub/x", away.to_str().unwrap(), &"n".repeat(245)] {
        let named = format!("\"gameName\":\"{name}\"");
        let renamed = record.replace("\"gameName\":\"tictactoe\"", &named);
        assert_ne!(renamed, record);
        fs::write(folder.path().join("e.json"), renamed).unwrap();
        let words = "match e.json -p random --games 2 --quiet --record r";
        let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.status, 0, "{name}: {}", ended.shown());
    }
    assert_eq!(records_in(&folder.path().join("r")).len(), 8);
    assert_eq!(records_in(folder.path()).len(), 3, "g, e.json and r");
}

#[cfg(target_os = "linux")]
#[test]
fn a_hint_that_nobody_can_read_ends_no_series() {
    let folder = Folder::new();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
    command.current_dir(folder.path()).stderr(full);
    command.args("match tictactoe -p random --record r --games 5 --json".split(' '));
    let done = command.output().unwrap();
    let lines = String::from_utf8(done.stdout).unwrap().lines().count();
    assert_eq!((done.status.code(), lines), (Some(0), 6));
    assert_eq!(records_in(&folder.path().join("r")).len(), 5);
}

#[test]
fn a_game_that_stands_still_is_given_up() {
    let rules = "(role a) (init on) (legal a wait) (<= (next on) (true on))
        (<= terminal (not (true on))) (goal a 0)";
    let done = kolibri(&["match", "-"])
        .write_stdin(rules)
        .assert()
        .success();
    let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(
        text.contains("1. a wait") && !text.contains("2. a wait"),
        "{text}"
    );
    assert!(text.contains("the game stands still"), "{text}");
}

#[test]
fn progress_names_the_player_where_several_think() {
    let text = output(&["match", "rock-paper-scissors", "-p", "minimax:depth=1"]);
    assert!(
        text.contains("  left: depth 1, ") && text.contains("  right: depth 1, "),
        "{text}"
    );
}

#[test]
fn wrong_players_are_explained() {
    for (words, said) in [
        (["-p", "minmax"], "did you mean `minimax`?"),
        (["-p", "z=first"], "the roles are x, o"),
        (["-p", "x=first:seed=1"], "`first` takes no options"),
        (["-p", "minimax:depth=0"], "write depth=1 to 200 plies"),
        (["-p", "human"], "kolibri play"),
        (
            ["--record", "/dev/null/x"],
            "cannot write records to /dev/null/x",
        ),
        (["--record", "/dev/null"], "it is a file, not a folder"),
        (["-px=first", "-px=random"], "`x` has two players"),
        (["-pminimax,depth=2", "-q"], "write `minimax:depth=2`"),
    ] {
        let mut command = kolibri(&["match", "tictactoe"]);
        let done = command.args(words).assert().code(2);
        let message = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
        assert!(message.contains(said), "{words:?}: {message}");
    }
}

#[test]
fn players_without_a_role_take_the_roles_in_order() {
    let players = |specs: &[&str]| {
        let mut command = kolibri(&["match", "tictactoe", "--json", "--seed", "1"]);
        specs.iter().for_each(|spec| {
            command.args(["--player", spec]);
        });
        command.output().unwrap()
    };
    let told = |specs: &[&str]| {
        let report: serde_json::Value = serde_json::from_slice(&players(specs).stdout).unwrap();
        report["players"].clone()
    };
    let expected = serde_json::json!({"x": "first", "o": "random"});
    assert_eq!(told(&["first", "random"]), expected);
    assert_eq!(told(&["random", "x=first"]), expected);
    let too_many = players(&["first", "first", "first"]);
    let said = String::from_utf8_lossy(&too_many.stderr);
    assert_eq!(too_many.status.code(), Some(2), "{said}");
    assert!(said.contains("one for each of x, o"), "{said}");
}

#[test]
fn all_players_named_have_something_to_play() {
    let random = ["-p", "x=random", "-p", "o=random"];
    let one_too_many = [
        &["match", "tictactoe"],
        &random[..],
        &["-p", "minimax:depth=1"],
    ]
    .concat();
    for (words, said) in [
        (
            &one_too_many[..],
            "no role is left for `minimax:depth=1` to play",
        ),
        (
            &["play", "tictactoe", "-r", "o", "-p", "o=random"],
            "`o` is your role",
        ),
        (
            &["play", "tictactoe", "-p", "x=first", "-p", "random"],
            "no role is left for `random`",
        ),
    ] {
        let done = kolibri(words).assert().code(2);
        let message = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
        assert!(message.contains(said), "{words:?}: {message}");
    }
    output(&[&["match", "tictactoe", "-q"], &random[..]].concat());
}

#[test]
fn ascii_boards_are_ascii() {
    let text = output(&["match", "tictactoe", "-p", "first", "--ascii"]);
    assert!(text.is_ascii(), "{text}");
    let done = kolibri(&["match", "tictactoe", "-p", "first"])
        .env("LC_ALL", "C")
        .assert()
        .success();
    assert!(done.get_output().stdout.is_ascii());
}

#[test]
fn with_swap_each_game_says_which_player_is_which_role() {
    let words = "match nim -p random -p random --games 2 --quiet";
    let words: Vec<&str> = words.split(' ').collect();
    let text = output(&[&words[..], &["--swap"]].concat());
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].ends_with("; player 1 is first; player 2 is second"),
        "{text}"
    );
    assert!(
        lines[1].ends_with("; player 2 is first; player 1 is second"),
        "{text}"
    );
    assert!(!output(&words).contains(" is first"));
}

#[cfg(feature = "serve")]
#[test]
fn rules_with_errors_are_not_served() {
    let folder = Folder::new().with("broken.kif", "(role a)\n(<= terminal (true x)");
    let ended = folder.run(&["serve", "broken.kif", "--listen", "127.0.0.1:0"]);
    assert_eq!((ended.status, &*ended.out), (1, ""), "{}", ended.err);
    assert!(
        ended.err.contains("this parenthesis is never closed"),
        "{}",
        ended.err
    );
}
