//! Wrong inputs, tried as a new user would. Each message is a snapshot, so that a change of words is seen.

use crate::cli::{COIN, Folder};

fn assert_reported(name: &str, folder: &Folder, words: &[&str]) {
    let ended = folder.run(words);
    assert!(matches!(ended.status, 1 | 2), "{}", ended.shown());
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d+\.\d s\b", "[time]");
    settings.bind(|| insta::assert_snapshot!(name, ended.shown(), &words.join(" ")));
}

#[test]
fn files_that_are_no_rule_files() {
    let folder = Folder::new()
        .with("game.kif", COIN)
        .with("empty.kif", " \n")
        .with("rules.pdf", b"%PDF-1.7\n\xff\xfe")
        .with("page.html", "<!DOCTYPE html>\n<html></html>")
        .with("latin1.kif", b"(role wei\xdf)")
        .with("nul.kif", b"(role a)\0");
    assert_reported("no_such_file", &folder, &["check", "gmae.kif"]);
    assert_reported("directory", &folder, &["check", "."]);
    assert_reported("empty", &folder, &["check", "empty.kif"]);
    assert_reported("pdf", &folder, &["check", "rules.pdf"]);
    assert_reported("html", &folder, &["check", "page.html"]);
    assert_reported("latin1", &folder, &["check", "latin1.kif"]);
    assert_reported("nul", &folder, &["check", "nul.kif"]);
    assert_reported(
        "pdf_in_another_command",
        &folder,
        &["perft", "rules.pdf", "2"],
    );
}

#[test]
fn files_too_large_to_be_rules() {
    let folder = Folder::new().with("huge.kif", "(".repeat(17 << 20));
    assert_reported("too_large", &folder, &["check", "huge.kif"]);
}

#[test]
fn rules_with_mistakes() {
    let unsafe_rule = COIN.replace(
        "(role ?p))\n(<= (legal ?p tails)",
        "(role ?q))\n(<= (legal ?p tails)",
    );
    let folder = Folder::new()
        .with("unsafe.kif", unsafe_rule)
        .with("unclosed.kif", COIN.replace("(init start)", "(init start"));
    assert_reported("unsafe_rule", &folder, &["check", "unsafe.kif"]);
    assert_reported("unclosed", &folder, &["check", "unclosed.kif"]);
    assert_reported("unplayable", &folder, &["moves", "unsafe.kif"]);
}

#[test]
fn names_of_games() {
    let folder = Folder::new();
    assert_reported("misspelt_game", &folder, &["info", "colibrat"]);
    assert_reported("unknown_game", &folder, &["info", "zzz"]);
}

#[test]
fn games_without_their_ending_or_their_command() {
    let folder = Folder::new().with("trail.kif", COIN);
    assert_reported("a_name_without_its_ending", &folder, &["check", "trail"]);
    assert_reported("a_game_for_a_command", &folder, &["tictactoe"]);
    assert_reported("a_file_for_a_command", &folder, &["trail.kif"]);
}

#[test]
fn rules_that_give_no_result_fail_a_match() {
    let scoreless = COIN.replace("(<= (goal b 0) (not (true (shown nothing))))", "");
    let scoreless = scoreless.replace(
        "(goal b 100) (true (shown nothing))",
        "(goal b 100) (true start)",
    );
    let stuck = COIN.replace(
        "(<= terminal (true (shown ?m)))",
        "(<= terminal (true (shown rain)))",
    );
    let stuck = stuck.replace("(role ?p))", "(role ?p) (true start))");
    let folder = Folder::new()
        .with("scoreless.kif", scoreless)
        .with("stuck.kif", stuck);
    for (file, status) in [("scoreless.kif", 1), ("stuck.kif", 1)] {
        let ended = folder.run(&["match", file, "--player", "first"]);
        assert_eq!(ended.status, status, "{}", ended.shown());
    }
    let given_up = folder.run(&["match", "nim", "--player", "first", "--max-plies", "1"]);
    assert_eq!(given_up.status, 0, "{}", given_up.shown());
}

#[test]
fn players_and_roles_that_are_none() {
    let folder = Folder::new().with("coin.kif", COIN);
    let play = |player: &'static str| ["match", "coin.kif", "--player", player];
    assert_reported("unknown_player", &folder, &play("a=minmax"));
    assert_reported("unknown_role", &folder, &play("c=first"));
    assert_reported(
        "unknown_role_to_play",
        &folder,
        &["play", "coin.kif", "--role", "c"],
    );
}

#[test]
fn files_that_give_players_nothing() {
    let folder = Folder::new().with("coin.kif", COIN);
    let player = |spec: &'static str| ["player", "--listen", "127.0.0.1:0", "--player", spec];
    assert_reported("no_weights", &folder, &player("minimax:weights=none"));
    assert_reported("damaged_weights", &folder, &player("mcts:weights=coin.kif"));
    let engine = ["engine", "--player", "solved:file=coin.kif"];
    assert_reported("damaged_solution", &folder, &engine);
    let verify = ["verify", ".", "--rules", "cion"];
    assert_reported("rules_of_records", &folder, &verify);
}

#[test]
fn folders_that_take_no_records() {
    let folder = Folder::new().with("coin.kif", COIN);
    let record =
        |place: &'static str| ["match", "coin.kif", "--player", "first", "--record", place];
    assert_reported("record_into_a_file", &folder, &record("coin.kif"));
    assert_reported("record_below_a_file", &folder, &record("coin.kif/games"));
}

#[test]
fn moves_that_may_not_be_made() {
    let folder = Folder::new().with("coin.kif", COIN);
    let moves = ["moves", "coin.kif"];
    let play = |more: &[&'static str]| [&moves[..], more].concat();
    assert_reported("illegal_move", &folder, &play(&["edge", "heads"]));
    assert_reported("half_a_joint_move", &folder, &play(&["heads"]));
    assert_reported(
        "move_after_the_end",
        &folder,
        &play(&["heads", "heads", "tails"]),
    );
}

#[test]
fn arguments_that_are_no_moves() {
    let folder = Folder::new();
    let mark = |name, more: &[&str]| {
        assert_reported(name, &folder, &[&["moves", "tictactoe"], more].concat())
    };
    mark("moves_in_one_argument", &["(mark 2 2) (mark 1 1)"]);
    mark("a_move_without_quotes", &["mark", "2", "2"]);
    mark("an_open_move", &["(mark 2 2"]);
    mark("a_move_closed_twice", &["(mark 2 2))"]);
    let ended = folder.run(&["moves", "tictactoe", &"(".repeat(100_000)]);
    assert!(ended.err.contains("more than 512 deep"), "{}", ended.err);
    assert!(ended.status == 2 && ended.err.len() < 400, "{}", ended.err);
}

#[test]
fn positions_that_cannot_be_read() {
    let folder = Folder::new()
        .with("coin.kif", COIN)
        .with("blank.kif", "")
        .with("open.kif", "(shown heads");
    assert_reported(
        "no_such_state",
        &folder,
        &["moves", "coin.kif", "--state", "nothing.kif"],
    );
    assert_reported(
        "unclosed_state",
        &folder,
        &["moves", "coin.kif", "--state", "open.kif"],
    );
    assert_reported(
        "no_state_of_that_name",
        &folder,
        &["moves", "coin.kif", "--state", "nothing"],
    );
    assert_reported(
        "empty_state",
        &folder,
        &["moves", "coin.kif", "--state", "blank.kif"],
    );
    assert_reported(
        "a_folder_as_state",
        &folder,
        &["moves", "coin.kif", "--state", "."],
    );
}

#[test]
fn shipped_games_are_no_files_to_change() {
    let folder = Folder::new();
    assert_reported("change_a_shipped_game", &folder, &["fmt", "nim", "--write"]);
    let copied = folder.run(&["fmt", "nim"]);
    assert!(copied.status == 0 && copied.out.starts_with("; Nim"));
}

#[test]
fn words_that_make_no_command() {
    let folder = Folder::new().with("coin.kif", COIN);
    assert_reported("unknown_command", &folder, &["chekc", "coin.kif"]);
    assert_reported("no_depth", &folder, &["perft", "coin.kif"]);
    assert_reported(
        "depth_is_no_number",
        &folder,
        &["perft", "coin.kif", "deep"],
    );
    assert_reported(
        "no_threads",
        &folder,
        &["perft", "coin.kif", "2", "--threads", "0"],
    );
    assert_reported(
        "too_many_threads",
        &folder,
        &["bench", "coin.kif", "--threads", "65535"],
    );
    assert_reported(
        "fewer_than_no_games",
        &folder,
        &["match", "coin.kif", "--games", "-1"],
    );
    assert_reported(
        "endless_seconds",
        &folder,
        &["bench", "coin.kif", "--seconds", "inf"],
    );
    assert_reported(
        "no_native_engine",
        &folder,
        &["perft", "coin.kif", "2", "--engine", "native"],
    );
    assert_reported("graph_of_rules", &folder, &["show", "coin.kif", "--dot"]);
}

#[test]
fn records_that_are_none() {
    let folder = Folder::new()
        .with("coin.kif", COIN)
        .with("empty.json", "")
        .with("torn.json", "{\"matchId\":")
        .with("other.json", "{\"name\": \"kolibri\"}");
    assert_reported("nothing_to_verify", &folder, &["verify", "nowhere"]);
    assert_reported("rules_are_no_record", &folder, &["verify", "coin.kif"]);
    assert_reported("empty_record", &folder, &["verify", "empty.json"]);
    assert_reported("empty_folder", &folder, &["verify", ".", "--only", "x*"]);
    let ended = folder.run(&["verify", "torn.json", "other.json", "--json"]);
    assert_eq!(
        (ended.status, ended.out.lines().count()),
        (1, 3),
        "{}",
        ended.shown()
    );
}

#[test]
fn sizes_that_no_game_has() {
    let folder = Folder::new();
    assert_reported(
        "too_low_a_board",
        &folder,
        &["generate", "kolibrat", "--height", "1"],
    );
    assert_reported(
        "an_odd_board",
        &folder,
        &["generate", "checkers", "--width", "7"],
    );
    assert_reported(
        "no_such_parameter",
        &folder,
        &["generate", "nim", "--width", "3"],
    );
    assert_reported("no_sizes", &folder, &["generate", "reversi"]);
    assert_reported(
        "nowhere_to_write",
        &folder,
        &["generate", "nim", "-o", "no/nim.kif"],
    );
}

#[test]
fn results_that_are_none() {
    let folder = Folder::new();
    assert_reported("four_counts", &folder, &["elo", "1", "2", "3", "4"]);
    assert_reported("no_games", &folder, &["elo", "0", "0", "0"]);
    let bounds = ["sprt", "1", "2", "3", "--elo0", "5", "--elo1", "-5"];
    assert_reported("bounds_exchanged", &folder, &bounds);
}
