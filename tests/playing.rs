//! `kolibri play`: scripted sessions, sensible and odd.

use std::fs;
use std::process::Output;

use assert_cmd::Command;

use crate::cli::{COIN, Folder};

fn play(words: &[&str], typed: impl Into<Vec<u8>>) -> Output {
    let mut command = Command::cargo_bin("kolibri").unwrap();
    let state = tempfile::tempdir().unwrap();
    command
        .arg("play")
        .args(words)
        .env("XDG_STATE_HOME", state.path())
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLUMNS");
    let done = command.write_stdin(typed).assert().success();
    let output = done.get_output().clone();
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn text(words: &[&str], typed: impl Into<Vec<u8>>) -> String {
    String::from_utf8(play(words, typed).stdout).unwrap()
}

const AGAINST_FIRST: [&str; 5] = ["tictactoe", "--player", "first", "--seed", "1"];

#[test]
fn a_game_won() {
    insta::assert_snapshot!(text(
        &AGAINST_FIRST,
        "2 2\n(mark 1 3)\n1\nmoves\n7\nmark 1 1\nquit\n"
    ));
}

#[test]
fn commands_and_mistakes() {
    let typed = "help\nfacts\n\nmark\n99\nfly away\nmark 2 2\nundo\nundo\nboard\nq\n";
    insta::assert_snapshot!(text(&AGAINST_FIRST, typed));
}

#[test]
fn the_computer_gives_hints() {
    let printed = text(&AGAINST_FIRST, "2 2\n1 3\nhint\nquit\n");
    assert!(
        printed.contains("try (mark 3 1) (exact value 100)"),
        "{printed}"
    );
}

/// The last of the moves that were shown with their numbers of the ply.
fn last_ply(printed: &str) -> usize {
    let mut plies = printed.lines().filter_map(|line| {
        let line = line.rsplit("> ").next().unwrap();
        line.split_once(". ")?.0.parse().ok()
    });
    plies.next_back().unwrap_or(0)
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let printed = text(&AGAINST_FIRST, "2 2\n3 3\nundo 2\nredo\nquit\n");
    assert!(printed.contains("taken back 4 moves"), "{printed}");
    assert!(printed.contains("played 2 moves again"), "{printed}");
    let printed = text(&AGAINST_FIRST, "2 2\nundo\n2 1\nredo\nundo 9\nundo\nquit\n");
    assert!(
        printed.contains("there is nothing to play again"),
        "{printed}"
    );
    assert!(
        printed.contains("there is nothing to take back"),
        "{printed}"
    );
    let second = ["tictactoe", "--role", "o", "-p", "first", "--seed", "1"];
    let printed = text(&second, "undo\n2 2\nundo 9\nundo\nredo 9\n3 3\nquit\n");
    assert_eq!(
        printed.matches("nothing to take back").count(),
        2,
        "{printed}"
    );
    assert!(printed.contains("played 2 moves again"), "{printed}");
    assert!(printed.contains("4. o (mark 3 3)"), "{printed}");
    for typed in ["undo x", "redo -1", "undo 0"] {
        let printed = text(&AGAINST_FIRST, format!("{typed}\nquit\n"));
        assert!(printed.contains("takes a number from 1"), "{printed}");
    }
    let printed = text(&AGAINST_FIRST, "2 2\n3 3\nrestart\nredo 2\n1 3\nquit\n");
    assert!(
        printed.contains("back at the start") && last_ply(&printed) == 6,
        "{printed}"
    );
}

#[test]
fn lines_that_were_left_are_kept_as_variations() {
    let typed = "variations\n2 2\nundo\n2 1\nv\nv 1\nv\nply 1\nply 99\nv 7\nv x\nquit\n";
    let printed = text(&AGAINST_FIRST, typed);
    for told in [
        "nothing else was played in this game",
        " 1 after ply 0: (mark 2 2) (mark 1 1)",
        "variation 1: another line from ply 0 on",
        " 1 after ply 0: (mark 2 1) (mark 1 1)",
        "the position after ply 1",
        "the last ply is 2",
        "there is 1 variation: `variations` lists what there is",
        "takes a number",
    ] {
        assert!(printed.contains(told), "no {told} in\n{printed}");
    }
    // What was played again after it was taken back is no other line.
    let printed = text(&AGAINST_FIRST, "2 2\n3 3\nundo 2\n2 2\nredo\nv\nquit\n");
    assert!(printed.contains("nothing else was played"), "{printed}");
    assert_eq!(last_ply(&printed), 2, "{printed}");
}

#[test]
fn the_line_that_is_shown_is_no_variation() {
    let printed = text(&AGAINST_FIRST, "2 2\nundo\n3 3\nundo\n2 2\nv\nquit\n");
    assert!(
        printed.contains(" 1 after ply 0: (mark 3 3) (mark 1 1)"),
        "{printed}"
    );
    assert_eq!(printed.matches("after ply").count(), 1, "{printed}");
}

#[test]
fn the_parts_of_the_static_evaluation_are_told() {
    let printed = text(&AGAINST_FIRST, "why\nwhy\nquit\n");
    for role in ["x: ", "o: "] {
        let told: Vec<&str> = printed
            .lines()
            .filter_map(|line| Some(line.split_once(role)?.1))
            .filter(|parts| parts.contains("start "))
            .collect();
        assert!(
            matches!(told[..], [one, again] if one == again),
            "{printed}"
        );
    }
}

#[test]
fn a_game_is_given_up_and_gone_on_with() {
    let printed = text(&AGAINST_FIRST, "2 2\nresign\n3 3\nundo\n3 3\nquit\n");
    assert!(
        printed.contains("game over: o wins, since x resigns"),
        "{printed}"
    );
    assert!(
        printed.contains("the game is over: `undo` takes moves back"),
        "{printed}"
    );
    assert!(
        printed.contains("the game goes on") && printed.contains("3. x (mark 3 3)"),
        "{printed}"
    );
}

#[test]
fn a_draw_takes_all_players() {
    let printed = text(&AGAINST_FIRST, "draw\nquit\n");
    assert!(
        printed.contains("o does not judge positions\no declines the draw"),
        "{printed}"
    );
    let machine = ["tictactoe", "--player", "minimax:depth=9", "--seed", "1"];
    let printed = text(&machine, "draw\nquit\n");
    assert!(printed.contains("o expects 50 of 100 points"), "{printed}");
    assert!(
        printed.contains("game over: a draw by agreement"),
        "{printed}"
    );
    // o has two threats, and x can meet only one.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lost.kif");
    let lost =
        "(cell 1 1 o) (cell 1 2 blank) (cell 1 3 o) (cell 2 1 blank) (cell 2 2 x) (cell 2 3 blank)
        (cell 3 1 o) (cell 3 2 blank) (cell 3 3 x) (control x)";
    fs::write(&file, lost).unwrap();
    let words = [&machine[..], &["--state", file.to_str().unwrap()]].concat();
    let printed = text(&words, "draw\nquit\n");
    assert!(
        printed.contains("o expects 100 of 100 points\no declines the draw"),
        "{printed}"
    );
    let people = ["tictactoe", "--player", "human"];
    let printed = text(&people, "2 2\ndraw\nno\n1 1\ndraw\ny\nquit\n");
    assert!(
        printed.contains("o> x, a draw? (y or n)> x declines the draw"),
        "{printed}"
    );
    assert!(
        printed.contains("game over: a draw by agreement"),
        "{printed}"
    );
}

#[test]
fn the_computer_is_asked_and_made_weaker() {
    let printed = text(
        &AGAINST_FIRST,
        "2 2\n1 3\neval\nlevel easy\nlevel\nlevel hrad\n4\nquit\n",
    );
    assert!(
        printed.contains("x can expect exactly 100 points"),
        "{printed}"
    );
    assert!(
        printed.contains("o can expect exactly 0 points"),
        "{printed}"
    );
    assert!(
        printed.contains("plays at the level easy from now on"),
        "{printed}"
    );
    assert!(
        printed.contains("o is played by minimax:time=1,depth=1"),
        "{printed}"
    );
    assert!(
        printed.contains("there is no player `hrad`: did you mean `hard`?"),
        "{printed}"
    );
    assert_eq!(last_ply(&printed), 6, "{printed}");
    let words = ["tictactoe", "--player", "easy", "--seed", "1"];
    assert!(text(&words, "q\n").starts_with("tictactoe: x you, o minimax:time=1,depth=1"));
}

#[test]
fn another_game_begins_with_other_seats() {
    let printed = text(&AGAINST_FIRST, "2 2\nnew\n3 3\nnew o\n3 3\nnew z\nquit\n");
    assert!(
        printed.contains("a new game: x you, o first (seed 2)"),
        "{printed}"
    );
    assert!(
        printed.contains("a new game: x first, o you (seed 3)"),
        "{printed}"
    );
    assert!(
        printed.contains("1. x (mark 1 1)") && printed.contains("2. o (mark 3 3)"),
        "{printed}"
    );
    assert!(printed.contains("the game has no role `z`"), "{printed}");
}

#[test]
fn the_board_is_turned_round() {
    let printed = text(&AGAINST_FIRST, "1 2\nflip\nflip\nquit\n");
    let row = |n: &str| {
        let lines = printed.lines().filter(|line| line.starts_with(n));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(
        row("1 │").contains(&"1 │ · │ x │ o │".to_owned()),
        "{printed}"
    );
    let begins: Vec<&str> = printed
        .lines()
        .map(|line| line.trim())
        .filter(|line| line.ends_with("1"))
        .collect();
    assert_eq!(begins, ["x>     3   2   1"], "{printed}");
}

#[test]
fn moves_are_written_without_separators() {
    let checkers = ["checkers", "--player", "first", "--seed", "1"];
    for text_of_move in ["a3b4", "a3-b4", "A3xB4", "a 3 b", "move a"] {
        let printed = text(&checkers, format!("{text_of_move}\nquit\n"));
        assert!(
            printed.contains("1. black (move a 3 b 4)"),
            "{text_of_move}: {printed}"
        );
    }
    let printed = text(&checkers, "c3\nmoves c\nmoves zz\nq\n");
    assert!(
        printed.contains("`c3` may mean one of these moves:\n"),
        "{printed}"
    );
    assert!(printed.contains("no legal move contains `zz`"), "{printed}");
}

#[test]
fn what_the_computer_thinks_is_shown_and_hidden() {
    let printed = text(&AGAINST_FIRST, "thinking\nthinking\nquit\n");
    assert!(
        printed.contains("shown from now on") && printed.contains("hidden from now on"),
        "{printed}"
    );
}

#[test]
fn digits_are_a_number_or_the_words_of_a_move() {
    let printed = text(&AGAINST_FIRST, "22\n3\n44\nquit\n");
    for words in [
        "1. x (mark 2 2)",
        "3. x (mark 1 3)",
        "there is no move number `44`",
    ] {
        assert!(printed.contains(words), "{printed}");
    }
}

#[test]
fn a_line_that_is_no_text_names_no_file() {
    let printed = text(&AGAINST_FIRST, b"2 2\nsave a\xff\nquit\n");
    assert!(printed.contains("that line is no UTF-8 text"), "{printed}");
    assert!(!printed.contains("saved to"), "{printed}");
}

#[test]
fn lists_of_moves_fit_narrow_terminals() {
    let mut command = Command::cargo_bin("kolibri").unwrap();
    command.args(["play", "breakthrough", "-p", "first", "--seed", "1"]);
    command.env("LC_ALL", "C.UTF-8").env("COLUMNS", "40");
    command.arg("--no-autosave");
    let done = command
        .write_stdin("help\nmoves\nmove a\nquit\n")
        .assert()
        .success();
    let printed = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    for line in printed.lines().skip(1) {
        let line = line.trim_start_matches("white> ");
        assert!(line.chars().count() <= 40, "{line}");
    }
}

#[test]
fn a_saved_game_comes_through_a_pipe() {
    let folder = Folder::new();
    let ended = folder.run_with_input(
        &["play", "tictactoe", "-p", "first"],
        b"2 2\nsave g.json.gz\nquit\n",
    );
    assert!(ended.out.contains("saved to"), "{}", ended.shown());
    let saved = fs::read(folder.path().join("g.json.gz")).unwrap();
    let names: &[&str] = if cfg!(unix) {
        &["-", "/dev/stdin"]
    } else {
        &["-"]
    };
    for name in names {
        let piped = folder.run_with_input(&["moves", name, "--ply", "1"], &saved);
        assert!(piped.out.contains("o: (mark 1 1)"), "{}", piped.shown());
    }
    let broken = folder.run_with_input(&["moves", "-"], b"{\"matchId\":");
    assert!(broken.err.contains("<stdin>"), "{}", broken.shown());
    let packed = folder.run_with_input(&["moves", "-"], b"\x1f\x8bno more");
    assert!(packed.err.contains("gzip"), "{}", packed.shown());
    let half = &saved[..saved.len() / 2];
    fs::write(folder.path().join("half.json.gz"), half).unwrap();
    let half = folder.run(&["replay", "half.json.gz"]);
    let says_why = half.err.contains("cannot read half.json.gz");
    assert!(half.status == 1 && says_why, "{}", half.shown());
}

/// 81 moves in nine groups.
pub(crate) const MANY_MOVES: &str = "
(role a) (init start)
(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)
(<= (legal a (go (from ?x) ?y)) (n ?x) (n ?y))
(<= (next (at ?y)) (does a (go (from ?x) ?y)))
(<= terminal (true (at ?y)))
(goal a 100)
";

#[test]
fn many_legal_moves_are_lines_in_a_pipe() {
    let folder = Folder::new().with("many.kif", MANY_MOVES);
    let piped = folder.run(&["moves", "many.kif"]);
    let lines = piped.out.lines();
    let moves = lines.filter(|line| line.starts_with("    (go (from "));
    assert_eq!(moves.count(), 81, "{}", piped.shown());
    let some = folder.run(&["moves", "many.kif", "--like", "go from 3"]);
    assert!(some.out.contains("a: (go (from 3) 1)"), "{}", some.shown());
    assert!(!some.out.contains("(from 4)"), "{}", some.shown());
    let none = folder.run(&["moves", "many.kif", "--like", "zz"]);
    assert_eq!(none.status, 2, "{}", none.shown());
}

#[test]
fn the_second_role() {
    let words = ["tictactoe", "--role", "o", "-p", "first", "--seed", "1"];
    let typed = text(&words, "2 2\nquit\n");
    assert!(
        typed.starts_with("tictactoe: x first, o you (seed 1)"),
        "{typed}"
    );
    assert!(typed.contains("1. x (mark 1 1)") && typed.contains("2. o (mark 2 2)"));
}

#[test]
fn two_people_and_simultaneous_moves() {
    let typed = text(
        &["rock-paper-scissors", "-p", "human"],
        "rock\np\nscissors\nquit\n",
    );
    assert!(typed.contains("1. left rock, right paper"), "{typed}");
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game of mine.json");
    let name = file.to_str().unwrap();
    let typed = format!("2 2\nsave {name}\n1 2\nload {name}\nload /nowhere\nload\nsave\nquit\n");
    let printed = text(&AGAINST_FIRST, typed);
    assert!(
        printed.contains("saved to") && printed.contains("2 moves played"),
        "{printed}"
    );
    assert!(printed.contains("cannot read /nowhere"), "{printed}");
    let mut verify = Command::cargo_bin("kolibri").unwrap();
    verify.args(["verify", name]).assert().success();
    let printed = text(&["nim"], format!("load {name}\nquit\n"));
    assert!(
        printed.contains("the record is of another game: its roles are x, o"),
        "{printed}"
    );
    fs::write(&file, "{}").unwrap();
    let printed = text(&AGAINST_FIRST, format!("load {name}\nmark 2 2\n"));
    assert!(
        printed.contains("not a match record") && printed.contains("1. x (mark 2 2)"),
        "{printed}"
    );
}

#[test]
fn odd_input_is_survived() {
    let huge = "9".repeat(10_000_000);
    let odd: [&[u8]; 8] = [
        b"",
        b"\n\n\n",
        b"\xff\xfe\x00\x01\n",
        b"((((((\n))))\n",
        b"-1\n0\n99999999999999999999999999\n1e9\n",
        b"\x1b[2J\x07\n",
        b"undo\nundo\nsave\nload\n",
        huge.as_bytes(),
    ];
    for typed in odd {
        let printed = String::from_utf8(play(&AGAINST_FIRST, typed).stdout).unwrap();
        assert!(
            printed.len() < 20_000 && !printed.contains(['\u{7}', '\u{1b}']),
            "{printed}"
        );
    }
    let printed = text(&AGAINST_FIRST, format!("{huge}\nmark 2 2\n"));
    assert!(printed.contains("that line is too long") && printed.contains("1. x (mark 2 2)"));
}

#[test]
fn every_game_has_a_seed_of_its_own() {
    let seed = |words: &[&str]| {
        let printed = text(words, "quit\n");
        let seed = printed.split_once("(seed ").unwrap().1;
        seed.split_once(')').unwrap().0.parse::<u64>().unwrap()
    };
    assert_ne!(seed(&["tictactoe"]), seed(&["tictactoe"]));
    assert_eq!(seed(&["tictactoe", "--seed", "7"]), 7);
}

#[test]
fn nobody_left_to_play() {
    let mut command = Command::cargo_bin("kolibri").unwrap();
    let done = command
        .args(["play", "tictactoe", "--no-autosave"])
        .args(["-p", "x=first", "-p", "o=first"])
        .assert()
        .code(2);
    assert!(String::from_utf8_lossy(&done.get_output().stderr).contains("--role ROLE"));
}

#[test]
fn a_game_that_goes_round_without_a_choice_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("round.kif");
    fs::write(
        &file,
        "(role r)(init (at 1))(legal r wait)(goal r 0)(<= terminal (true (at 4)))
         (<= (next (at 4)) (true (at 3)) (does r wait) (true (at 1)))(<= (next (at 2)) (true (at 1)))(<= (next (at 3)) (true (at 2)))(<= (next (at 2)) (true (at 3)))",
    )
    .unwrap();
    let printed = text(&[file.to_str().unwrap()], "quit\n");
    assert!(
        printed.contains("the game stands still: no player can change anything"),
        "{printed}"
    );
    assert!(
        printed.contains("3. ") && !printed.contains("4. "),
        "{printed}"
    );
}

#[test]
fn a_solution_gives_exact_advice() {
    let folder = Folder::new();
    let solved = folder.run(&["solve", "tictactoe", "--out", "t.solution", "-q"]);
    assert_eq!(solved.status, 0, "{}", solved.shown());
    let play = |solution: &str, lines: &str| {
        let words = [
            "play",
            "tictactoe",
            "--player",
            "human",
            "--solution",
            solution,
        ];
        folder.run_with_input(&words, lines.as_bytes())
    };
    let told = play(
        "t.solution",
        "eval\n(mark 1 1)\n(mark 1 2)\neval\nhint\nquit\n",
    )
    .out;
    for said in [
        "x can expect exactly 50 points in 9 plies",
        "o can expect exactly 50 points in 9 plies",
        "x can expect exactly 100 points in 5 plies",
        "o can expect exactly 0 points in 5 plies",
        "try (mark 2 1) (exactly 100 points in 5 plies)",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    folder.run(&["solve", "nim", "--out", "nim.solution", "-q"]);
    let foreign = play("nim.solution", "quit\n");
    assert_eq!(foreign.status, 2, "{}", foreign.shown());
    assert!(foreign.err.contains("other rules"), "{}", foreign.err);
}

#[test]
fn a_game_in_progress_is_kept_after_each_move() {
    let folder = Folder::new();
    let play = |words: &[&str], typed: &str| {
        let ended = folder.run_with_input(&[&["play"], words].concat(), typed.as_bytes());
        (ended.status, ended.out + &ended.err)
    };
    let (status, told) = play(&["--resume"], "");
    assert!(
        status == 2 && told.contains("there is no game to go on with"),
        "{told}"
    );
    play(&["nim", "-p", "first", "--seed", "5"], "1\n");
    play(
        &["tictactoe", "--role", "o", "-p", "first", "--seed", "7"],
        "2 2\n",
    );
    let (_, told) = play(&["--resume"], "undo\n");
    assert!(
        told.starts_with("tictactoe: x first, o you (seed 7)"),
        "{told}"
    );
    assert!(told.contains("taken back 2 moves"), "{told}");
    let (_, told) = play(&["nim", "--resume"], "");
    assert!(
        told.starts_with("nim: ") && told.contains("(seed 5)"),
        "{told}"
    );
    // The game goes on in its file, taken back as it was; a game that is over is forgotten.
    let (_, told) = play(&["tictactoe", "--resume"], "3 1\nresign\n");
    assert!(told.contains("2. o (mark 3 1)"), "{told}");
    let (status, told) = play(&["tictactoe", "--resume"], "");
    assert!(status == 2, "{told}");
    play(&["tictactoe", "-p", "first", "--no-autosave"], "2 2\n");
    let (status, told) = play(&["tictactoe", "--resume"], "");
    assert!(status == 2, "{told}");
}

/// Rules equal to those of a shipped game, and rules of another name, go on in their file, too.
#[test]
fn a_game_goes_on_in_its_file() {
    let folder = Folder::new();
    let rules = fs::read_to_string("games/tictactoe.kif").unwrap();
    let other = format!("; mine\n{rules}");
    fs::write(folder.path().join("mine.kif"), &rules).unwrap();
    fs::write(folder.path().join("v1.2.kif"), &other).unwrap();
    fs::write(
        folder.path().join("tictactoe.kif"),
        "; newer\n".to_owned() + &rules,
    )
    .unwrap();
    let play = |words: &[&str], typed: &str| {
        let ended = folder.run_with_input(&[&["play"], words].concat(), typed.as_bytes());
        (ended.status, ended.out + &ended.err)
    };
    for file in ["mine.kif", "v1.2.kif"] {
        play(&[file, "-p", "first"], "2 2\n");
        play(&["--resume", file], "1 2\n");
        let (_, told) = play(&["--resume", file], "facts\n");
        assert!(told.contains("(cell 1 2 x)"), "{file}: {told}");
    }
    let (_, told) = play(&["--resume", "v1.2"], "facts\n");
    assert!(told.contains("(cell 1 2 x)"), "by its title: {told}");
    let (status, told) = play(&["--resume", "./tictactoe.kif"], "");
    assert!(
        status == 2 && told.contains("have other rules than"),
        "{told}"
    );
    let (_, told) = play(&["--resume", "mine.kif", "--role", "o"], "facts\n");
    assert!(told.starts_with("tictactoe: x first, o you"), "{told}");
    let kept = fs::read_dir(folder.state().join("kolibri/games")).unwrap();
    let names = kept.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: Vec<String> = names.filter(|name| name.ends_with(".json.gz")).collect();
    assert_eq!(files.len(), 2, "{files:?}");
}

#[test]
fn a_game_that_is_over_is_forgotten_at_once() {
    let folder = Folder::new();
    let play = |words: &[&str], typed: &str| {
        let ended = folder.run_with_input(&[&["play"], words].concat(), typed.as_bytes());
        (ended.status, ended.out + &ended.err)
    };
    play(&AGAINST_FIRST, "2 2\n1 3\n3 1\nnew\n");
    assert_eq!(play(&["--resume"], "").0, 2, "won, then a new game");
    play(&AGAINST_FIRST, "2 2\nundo\n");
    assert_eq!(play(&["--resume"], "").0, 2, "taken back");
    play(&AGAINST_FIRST, "2 2\n1 3\n3 1\nundo\n");
    let (_, told) = play(&["--resume"], "level easy\n");
    assert!(told.contains("plays at the level easy"), "{told}");
    let (_, told) = play(&["--resume"], "");
    assert!(
        told.starts_with("tictactoe: x you, o minimax:time=1,depth=1"),
        "{told}"
    );
}

#[test]
fn a_game_that_was_given_up_stays_given_up() {
    let folder = Folder::new();
    let typed = b"2 2\nresign\nsave g\nundo\nload g\n";
    let ended = folder.run_with_input(&[&["play"], &AGAINST_FIRST[..]].concat(), typed);
    let end = "game over: o wins, since x resigns";
    assert_eq!(ended.out.matches(end).count(), 2, "{}", ended.shown());
    let ended = folder.run_with_input(&["play", "g"], b"undo\n3 3\nsave g\n");
    assert!(ended.out.contains(end), "{}", ended.shown());
    assert!(
        ended.out.contains("saved to g"),
        "it is this game: {}",
        ended.shown()
    );
    let ended = folder.run_with_input(&["play", "g", "--ply", "2"], b"3 3\nsave g\n");
    assert!(ended.out.contains("is not this game"), "{}", ended.shown());
}

#[test]
fn a_saved_game_is_a_game_and_a_position() {
    let folder = Folder::new().with("coin.kif", COIN);
    let typed = b"2 2\n3 3\nsave g1\nsave g1.gz\n";
    folder.run_with_input(&["play", "tictactoe", "-p", "first", "--seed", "3"], typed);
    for file in ["g1", "g1.gz"] {
        let ended = folder.run(&["moves", file, "--json"]);
        let state = ended.json()["state"].to_string();
        assert!(state.contains("(cell 3 3 x)"), "{}", ended.shown());
        let ended = folder.run(&["moves", file, "--ply", "1", "--json"]);
        let state = ended.json()["state"].to_string();
        assert!(
            state.contains("(cell 2 2 x)") && !state.contains("(cell 1 1 o)"),
            "{state}"
        );
        let ended = folder.run(&["search", file, "--depth", "2", "--json"]);
        assert_eq!(ended.json()["game"], "tictactoe", "{}", ended.shown());
        let ended = folder.run_with_input(&["play", file], b"undo\nredo\n");
        assert!(
            ended.out.starts_with("tictactoe: x you, o first"),
            "{}",
            ended.shown()
        );
        assert!(
            ended.out.contains("taken back 2 moves"),
            "{}",
            ended.shown()
        );
    }
    assert!(folder.run(&["info", "g1"]).out.contains("tictactoe"));
    let typed = b"heads\nsave g2.json\n";
    folder.run_with_input(&["play", "coin.kif", "-p", "b=first", "--role", "a"], typed);
    for (words, status, told) in [
        (
            &["moves", "g1", "--ply", "9"][..],
            2,
            "the saved game has 4 plies, not 9",
        ),
        (
            &["moves", "tictactoe", "--ply", "1"],
            2,
            "`--ply` takes a saved game",
        ),
        (
            &["perft", "g1", "1", "--state", "coin.kif"],
            2,
            "`--state` cannot be had too",
        ),
        (&["moves", "g3"], 1, "not a match record"),
        (&["moves", "g4"], 1, "it does not name its rules"),
    ] {
        let nowhere = r#"{"matchId":"m","startTime":0,"states":["((a))"],"moves":[]}"#;
        fs::write(folder.path().join("g3"), "{\"a\": 1}").unwrap();
        fs::write(folder.path().join("g4"), nowhere).unwrap();
        let ended = folder.run(words);
        let shown = ended.shown();
        assert!(
            ended.status == status && ended.err.contains(told),
            "{words:?}: {shown}"
        );
    }
}
