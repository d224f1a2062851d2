//! Players that are other programs: those of `examples/players`, ours, and programs that do everything wrong.

#[cfg(unix)]
mod scripts;

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use kolibri::play::{MatchResult, Spec};
use kolibri::{Game, Match};

use crate::cli::Folder;

/// A small game: both roles choose at once, three times.
const STEPS: &str = "(role a) (role b) (init (step 0)) (number 1) (number 2) \
    (<= (legal ?r (say ?n)) (role ?r) (number ?n)) \
    (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2))) \
    (<= terminal (true (step 3))) \
    (<= (goal ?r 50) (role ?r))";

fn spec(text: &str) -> Spec {
    text.parse().unwrap()
}

/// Whether such a program is on this machine; says so if it is not.
fn is_there(program: &str) -> bool {
    let started = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    // The shell of some systems has no such option, but it is there.
    let is_there = started.is_ok();
    if !is_there {
        // Shown even where the output of tests that pass is not.
        let _ = writeln!(
            io::stderr(),
            "SKIPPED: there is no {program} on this machine"
        );
    }
    is_there
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/players")
        .join(name);
    path.display().to_string()
}

fn kolibri() -> String {
    let path = assert_cmd::cargo::cargo_bin("kolibri");
    format!("'{}'", path.display())
}

/// A match in which the first role is played by a program.
fn against(game: &Game, program: &str) -> Match {
    let roles = game.roles();
    let others = roles.iter().skip(1);
    let first = Match::new(game).player(&roles[0], spec(program));
    let all = others.fold(first, |so_far, role| so_far.player(role, spec("random")));
    all.clocks(Duration::from_secs(60), Duration::from_secs(60))
}

fn errors(result: &MatchResult) -> Vec<String> {
    let games = result.games.iter();
    games.flat_map(|game| game.errors.clone()).collect()
}

#[test]
fn the_examples_play() {
    let programs = [("python3", "random_move.py"), ("sh", "first_move.sh")];
    for (program, file) in programs {
        if !is_there(program) {
            continue;
        }
        let name = format!("exec:{program} '{}'", example(file));
        for game in ["tictactoe", "nim", "rock-paper-scissors"] {
            let game = Game::load(game).unwrap();
            for scramble in [false, true] {
                let result = against(&game, &name).scramble(scramble).opening(1);
                let result = result.games(2).swap(true).run().unwrap();
                assert_eq!(errors(&result), [""; 0], "{name} {}", game.name());
                assert!(result.records.iter().all(|record| record.is_completed));
                assert_eq!(result.records[0].scrambled, scramble);
                assert_eq!(result.records[0].player_names_from_host[0], name);
            }
        }
    }
}

#[test]
fn ours_plays_for_ours() {
    let name = format!(
        "exec:{} engine --player minimax:depth=3,heuristic=none",
        kolibri()
    );
    for game in [
        Game::load("tictactoe").unwrap(),
        Game::from_text("steps", STEPS).unwrap(),
    ] {
        for scramble in [false, true] {
            let result = against(&game, &name).opening(1).scramble(scramble);
            let result = result.games(2).swap(true).run().unwrap();
            assert_eq!(errors(&result), [""; 0], "{}", game.name());
        }
    }
    let facts = "(control second) (heap a 0) (heap b 1) (heap c 2) (heap d 0)";
    let folder = Folder::new().with("facts", facts);
    let played = folder.run(&["match", "nim", "--state", "facts", "-p", &name, "--json"]);
    let played = played.json();
    assert_eq!(played["errors"], serde_json::json!([]), "{played}");
}

#[test]
fn programs_play_tournaments() {
    let folder = Folder::new();
    let engine = format!("P=exec:{} engine --player first", kolibri());
    let of = |player: &str, log: &str| {
        let players = [
            "-p",
            player,
            "-p",
            "random",
            "--log",
            log,
            "--concurrency",
            "2",
        ];
        let games = ["-g", "tictactoe", "--rounds", "3", "--json"];
        folder.run(&[&["tournament"][..], &games, &players].concat())
    };
    let standings = of(&engine, "a.jsonl").json();
    assert_eq!(standings["games"], 6, "{standings}");
    assert_eq!(standings["errors"], 0, "{standings}");
    // What cannot be started plays no game at all.
    let refused = of("P=exec:no-such-program", "b.jsonl");
    assert_eq!(refused.status, 2, "{}", refused.shown());
    assert!(
        refused.err.contains("no-such-program"),
        "{}",
        refused.shown()
    );
    assert!(!folder.path().join("b.jsonl").exists());
}

#[test]
fn the_engine_answers_in_words() {
    let folder = Folder::new();
    let rules = serde_json::json!(STEPS);
    let input = format!(
        r#"
{{"type":"hello","protocol":1,"host":"test"}}
{{"type":"hello","protocol":9,"host":"test"}}
nonsense
{{"type":"dance"}}
{{"type":"play","turn":0,"moves":[],"clock":5}}
{{"type":"start","match":"m","role":"c","roles":["a","b"],"rules":{rules},"start_clock":20,"play_clock":5}}
{{"type":"start","match":"m","role":"a","roles":["a","b"],"rules":"(role","start_clock":20,"play_clock":5}}
{{"type":"start","match":"m","role":"a","roles":["a","b"],"rules":{rules},"start_clock":20,"play_clock":5}}
{{"type":"play","turn":0,"moves":[],"clock":5}}
{{"type":"play","turn":1,"moves":[["(say 9)","(say 1)"]],"clock":5}}
{{"type":"play","turn":1,"moves":[["(say 2)","(say 1)"]],"clock":5}}
{{"type":"play","turn":7,"moves":[],"clock":5}}
{{"type":"stop","moves":[],"goals":[50,50]}}
{{"type":"play","turn":0,"moves":[],"clock":5}}
{{"type":"start","role":"a","roles":[],"rules":{rules},"state":["(step 2)"],"start_clock":20,"play_clock":5}}
{{"type":"play","turn":0,"moves":[],"clock":5}}
{{"type":"quit"}}
{{"type":"hello","protocol":1,"host":"test"}}
"#
    );
    let ended = folder.run_with_input(&["engine", "--player", "first"], input.as_bytes());
    assert_eq!(
        (ended.status, ended.err.as_str()),
        (0, ""),
        "{}",
        ended.shown()
    );
    let expected = [
        r#"{"type":"hello","protocol":1,"name":"Kolibri"#,
        "version 9",
        "no JSON",
        "unknown variant `dance`",
        "no match has begun",
        "no role `c`",
        "\"type\":\"error\"",
        r#"{"type":"ready"}"#,
        r#"{"type":"move","move":"(say 1)","turn":0}"#,
        "cannot be played",
        r#"{"type":"move","move":"(say 1)","turn":1}"#,
        "turn 7 is asked for, but 1 joint moves were played",
        "no match has begun",
        r#"{"type":"ready"}"#,
        r#"{"type":"move","move":"(say 1)","turn":0}"#,
    ];
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{}", ended.shown());
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.contains(expected), "{line}: {expected}");
    }
}

#[test]
fn what_is_no_player_is_refused_before_the_match() {
    let folder = Folder::new();
    let mut wrong = vec![
        ("exec:/no/such/program".to_owned(), "cannot start"),
        ("exec:".to_owned(), "needs PROGRAM ARGS"),
        ("exec:'unfinished".to_owned(), "needs PROGRAM ARGS"),
        (format!("exec:{} games", kolibri()), "no JSON"),
    ];
    if cfg!(unix) {
        wrong.push(("exec:true".to_owned(), "has ended"));
        let broken = "exec:sh -c 'echo broken >&2; exit 3'".to_owned();
        wrong.push((broken, "exit status: 3: broken)"));
    }
    for (spec, expected) in wrong {
        let ended = folder.run(&["match", "nim", "-p", &spec]);
        assert_eq!(ended.status, 2, "{}", ended.shown());
        assert!(ended.err.contains(expected), "{}", ended.shown());
    }
}
