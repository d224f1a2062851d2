//! How often players keep what positions are worth.

use serde_json::Value;

use crate::cli::{COIN, Folder};

const SOLVE: [&str; 4] = ["solve", "tictactoe", "--out", "x.solution"];

/// A folder with the solution of tic-tac-toe.
fn solved() -> Folder {
    let folder = Folder::new();
    let ended = folder.run(&SOLVE);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    folder
}

#[test]
fn the_player_solved_keeps_everything_and_random_does_not() {
    let folder = solved();
    let asked = |player: &str| {
        let words = [
            "quality",
            "tictactoe",
            "--solution",
            "x.solution",
            "--json",
            "-p",
            player,
        ];
        folder.run(&words).json()
    };
    let perfect = asked("solved:file=x.solution");
    for field in ["positions", "kept"] {
        assert_eq!(perfect[field], 100, "{perfect}");
    }
    assert_eq!(perfect["worst"], Value::Array(Vec::new()));
    let random = asked("random");
    assert_eq!(random["positions"], 100);
    let kept = random["kept"].as_u64().unwrap();
    assert!((30..90).contains(&kept), "{random}");
    let plies = random["by_ply"].as_array().unwrap();
    let sum = |field: &str| -> u64 { plies.iter().map(|ply| ply[field].as_u64().unwrap()).sum() };
    assert_eq!([sum("positions"), sum("kept")], [100, kept]);
    let roles = ["x", "o"].map(|role| random["by_role"][role]["positions"].as_u64().unwrap());
    assert_eq!(roles[0] + roles[1], 100);
}

#[test]
fn the_worst_mistakes_are_shown_with_their_positions() {
    let folder = solved();
    let words = [
        "quality",
        "tictactoe",
        "--player",
        "random",
        "--worst",
        "2",
        "--json",
    ];
    let report = folder.run(&words).json();
    let worst = report["worst"].as_array().unwrap();
    assert_eq!(worst.len(), 2);
    for mistake in worst {
        let number = |field: &str| mistake[field].as_i64().unwrap();
        assert_eq!(number("cost"), number("best_points") - number("points"));
        let moves: Vec<&str> = mistake["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| mv.as_str().unwrap())
            .collect();
        assert_eq!(moves.len() as i64, number("ply"));
        // The command that is printed tells the same of the position.
        let asked = [
            &["solve", "tictactoe", "--solution", "x.solution", "--json"],
            &moves[..],
        ]
        .concat();
        let solved = folder.run(&asked).json();
        let of_x = |points: i64| {
            if mistake["role"] == "x" {
                points
            } else {
                100 - points
            }
        };
        assert_eq!(solved["value"], of_x(number("best_points")));
        let all = solved["moves"].as_array().unwrap();
        let played = all.iter().find(|mv| mv["move"] == mistake["move"]).unwrap();
        assert_eq!(played["value"], of_x(number("points")));
    }
    let text = folder.run(&["quality", "tictactoe", "--player", "random", "--worst", "1"]);
    let command = text.out.lines().find(|line| line.contains("kolibri solve"));
    assert!(
        command
            .unwrap()
            .starts_with("  kolibri solve tictactoe '(mark "),
        "{}",
        text.out
    );
    assert!(text.out.contains("  keeps the value in "), "{}", text.out);
}

#[test]
fn one_role_can_be_asked_about() {
    let words = [
        "quality",
        "tictactoe",
        "--player",
        "first",
        "--role",
        "o",
        "--json",
    ];
    let report = Folder::new().run(&words).json();
    assert_eq!(report["by_role"]["x"]["positions"], 0);
    assert_eq!(report["by_role"]["o"]["positions"], report["positions"]);
}

/// What the program says of these words, which must fail with this status.
fn refused(folder: &Folder, words: &[&str], status: i32) -> String {
    let ended = folder.run(&[&["quality"], words].concat());
    assert_eq!(ended.status, status, "{}", ended.shown());
    assert_eq!(ended.out, "");
    ended.err
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = solved()
        .with("coin.kif", COIN)
        .with("foreign", "(role x)\n");
    let refused = |words: &[&str], status| refused(&folder, words, status);
    let err = refused(&["tictactoe"], 2);
    assert!(err.contains("--player <SPEC>"), "{err}");
    let err = refused(&["tictactoe", "-p", "human"], 2);
    assert!(err.contains("a person is not asked"), "{err}");
    let err = refused(&["tictactoe", "-p", "minmax"], 2);
    assert!(err.contains("`minmax`"), "{err}");
    let err = refused(&["tictactoe", "-p", "random", "--role", "z"], 2);
    assert!(err.contains("the roles are x, o"), "{err}");
    let err = refused(&["nim", "-p", "first", "--solution", "x.solution"], 2);
    assert!(err.contains("other rules"), "{err}");
    let err = refused(&["tictactoe", "-p", "first", "--solution", "foreign"], 2);
    assert!(err.contains("it is not a solution"), "{err}");
    let err = refused(&["coin.kif", "-p", "first"], 1);
    assert!(err.contains("choose at the same time"), "{err}");
    let err = refused(&["tictactoe", "-p", "published"], 2);
    assert!(err.contains("plays checkers"), "{err}");
    let err = refused(&["tictactoe", "-p", "exec:/no/such/program"], 2);
    assert!(err.contains("is no player"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_program_that_gives_no_move_keeps_nothing() {
    let silent = "read a; echo '{\"type\":\"hello\",\"protocol\":1}'\nread b; echo '{\"type\":\"ready\"}'\nread c\n";
    let folder = Folder::new().with("silent.sh", silent);
    let player = ["--player", "exec:sh silent.sh", "--positions", "2"];
    let ended = folder.run(&[&["quality", "tictactoe"], &player[..]].concat());
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let told = "  in 2 of 2 positions, it gave no legal move\n";
    assert!(ended.out.contains(told), "{}", ended.out);
}

#[test]
fn proofs_judge_moves_of_games_that_are_not_solved() {
    let folder = solved();
    let asked = |judge: &[&str]| {
        let words = ["quality", "tictactoe", "-p", "first", "--json"];
        folder.run(&[&words, judge].concat()).json()
    };
    let (proved, known) = (
        asked(&["--oracle", "60"]),
        asked(&["--solution", "x.solution"]),
    );
    for field in ["positions", "kept", "by_ply", "worst", "undecided"] {
        assert_eq!(proved[field], known[field], "{field}");
    }
    let words = ["quality", "tictactoe", "-p", "first", "--oracle", "1"];
    let both = [&words[..], &["--solution", "x.solution"]].concat();
    assert_eq!(folder.run(&both).status, 2);
    let text = folder.run(&words);
    assert!(
        text.out
            .contains("  kolibri search tictactoe --prove --time 1 '(mark "),
        "{}",
        text.shown()
    );
}
