//! Players that are other programs: those of `examples/players`, ours, and programs that do everything wrong.

use std::path::{Path, PathBuf};
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
        eprintln!("SKIPPED: there is no {program} on this machine");
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
    let folder = Folder::new();
    let ended = folder.run(&["match", "nim", "(take b 1)", "-p", &name, "--json"]);
    assert!(
        ended.err.contains("unexpected argument"),
        "{}",
        ended.shown()
    );
    let facts = "((control second) (heap a 2) (heap b 1) (heap c 0))";
    let words = ["match", "nim", "--state", facts, "-p", &name, "--json"];
    let played = folder.run(&words).json();
    assert_eq!(played["errors"], serde_json::json!([]), "{played}");
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
        wrong.push((broken, "exit status: 3): broken"));
    }
    for (spec, expected) in wrong {
        let ended = folder.run(&["match", "nim", "-p", &spec]);
        assert_eq!(ended.status, 2, "{}", ended.shown());
        assert!(ended.err.contains(expected), "{}", ended.shown());
    }
}

/// Programs that are shell scripts.
#[cfg(unix)]
mod scripts {
    use super::*;

    /// A script that says hello and ready, and for each move what `play` says; `$turn` is the number of the turn.
    fn script(folder: &Folder, play: &str) -> (PathBuf, String) {
        let text = format!(
            r#"
while read -r line; do
    case $line in
    '{{"type":"hello"'*) echo '{{"type":"hello","protocol":1}}' ;;
    '{{"type":"start"'*) echo "$line" >> "$0.starts"; echo '{{"type":"ready"}}' ;;
    '{{"type":"play"'*)
        turn=${{line#*\"turn\":}}; turn=${{turn%%,*}}
        echo "$line" >> "$0.plays"
        {play} ;;
    '{{"type":"quit"'*) echo quit >> "$0.quit"; exit ;;
    esac
done
"#
        );
        let path = folder.path().join("player.sh");
        std::fs::write(&path, text).unwrap();
        let name = format!("exec:sh '{}'", path.display());
        (path, name)
    }

    const MOVE: &str = r#"echo '{"type":"move","move":"(say 2)"}'"#;

    /// What went wrong at each ply, and how often the match was begun.
    fn faults(play: &str, clock: Duration) -> (Vec<String>, usize, Folder) {
        let folder = Folder::new();
        let (path, name) = script(&folder, play);
        let game = Game::from_text("steps", STEPS).unwrap();
        let result = against(&game, &name).clocks(Duration::from_secs(60), clock);
        let result = result.run().unwrap();
        assert!(result.records[0].is_completed, "the match goes on");
        let all = result.records[0].errors.iter();
        let all: Vec<String> = all.map(|errors| errors[0].clone()).collect();
        let wrong = all.iter().filter(|fault| !fault.is_empty()).count();
        let totals: Vec<u32> = result.totals.of_players().map(|line| line.errors).collect();
        assert_eq!(totals, [wrong as u32, 0]);
        let starts = std::fs::read_to_string(path.with_extension("sh.starts")).unwrap();
        (all, starts.lines().count(), folder)
    }

    fn faults_in_time(play: &str) -> (Vec<String>, usize) {
        let (faults, starts, _) = faults(play, Duration::from_secs(60));
        (faults[1..].to_vec(), starts)
    }

    #[test]
    fn what_a_program_does_wrong_is_counted_and_the_match_goes_on() {
        assert_eq!(faults_in_time(MOVE), (vec![String::new(); 3], 1));
        let (illegal, _) = faults_in_time(r#"echo '{"type":"move","move":"(say 9)"}'"#);
        assert_eq!(illegal, ["IL (say 9)"; 3]);
        let (unreadable, _) = faults_in_time(r#"echo '{"type":"move","move":"((("}'"#);
        assert_eq!(unreadable, ["IL no move: ((("; 3]);
        let (garbage, starts) = faults_in_time("echo garbage");
        assert!(garbage[2].contains("no JSON: garbage"), "{garbage:?}");
        assert_eq!(starts, 1, "it goes on");
        let (other, _) = faults_in_time(r#"echo '{"type":"ready"}'"#);
        assert!(other[0].contains("where a move is expected"), "{other:?}");
        let (error, _) = faults_in_time(r#"echo '{"type":"error","message":"no idea"}'"#);
        assert_eq!(error, ["CE the program says: no idea"; 3]);
        let (long, _) = faults_in_time("head -c 3000000 /dev/zero | tr '\\0' x; echo");
        assert!(long[0].contains("too long: xxx"), "{long:?}");
        let (binary, _) = faults_in_time("head -c 3000 /dev/urandom | tr -d '\\n'; echo");
        assert!(binary[0].starts_with("CE "), "{binary:?}");
    }

    #[test]
    fn thoughts_are_kept_and_answers_to_other_turns_are_not() {
        let play = r#"echo '{"type":"move","move":"(say 9)","turn":77}'
            echo '{"type":"move","move":"(say 2)","turn":'$turn',"depth":3,"value":70,"nodes":9,"line":["(say 2)"]}'
            echo '{"type":"move","move":"(say 9)","turn":'$turn'}'"#;
        let (faults, _) = faults_in_time(play);
        assert_eq!(faults, [""; 3]);
        let folder = Folder::new();
        let (_, name) = script(&folder, play);
        std::fs::write(folder.path().join("steps.kif"), STEPS).unwrap();
        let player = format!("a={name}");
        let ended = folder.run(&["match", "steps.kif", "-p", &player, "-p", "b=first"]);
        assert!(ended.out.contains("depth 3, value 70"), "{}", ended.shown());
    }

    #[test]
    fn a_program_that_ends_is_started_again_and_hears_what_was_played() {
        let crash = format!("[ $turn = 1 ] && {{ echo 'out of luck' >&2; exit 7; }}; {MOVE}");
        let (faults, starts, folder) = faults(&crash, Duration::from_secs(60));
        assert_eq!(
            faults[2],
            "CE the program has ended (exit status: 7): out of luck"
        );
        assert_eq!(
            (faults[1].as_str(), faults[3].as_str(), starts),
            ("", "", 2)
        );
        let plays = std::fs::read_to_string(folder.path().join("player.sh.plays")).unwrap();
        let last: serde_json::Value = serde_json::from_str(plays.lines().last().unwrap()).unwrap();
        assert_eq!(last["turn"], 2);
        assert_eq!(last["moves"].as_array().unwrap().len(), 2, "{last}");
        assert_eq!(last["state"], serde_json::json!(["(step 2)"]));
        assert_eq!(last["legal"], serde_json::json!(["(say 1)", "(say 2)"]));
        let quit = std::fs::read_to_string(folder.path().join("player.sh.quit")).unwrap();
        assert!(quit.starts_with("quit"));
    }

    #[test]
    fn a_program_that_always_ends_is_not_started_for_ever() {
        let game = Game::load("tictactoe").unwrap();
        let folder = Folder::new();
        let (path, name) = script(&folder, "exit 1");
        let result = against(&game, &name).run().unwrap();
        let starts = std::fs::read_to_string(path.with_extension("sh.starts")).unwrap();
        assert_eq!(starts.lines().count(), 4);
        let errors = errors(&result);
        assert!(errors[4].ends_with("it is not started again"), "{errors:?}");
        assert!(
            errors.iter().all(|error| error.contains("CE ")),
            "{errors:?}"
        );
    }

    #[test]
    fn a_program_that_is_late_is_ended_with_all_that_it_has_started() {
        let play = r#"sleep 1000 & echo $! >> "$0.sleeps"; echo zzz >&2; wait"#;
        let (faults, starts, folder) = faults(play, Duration::from_millis(10));
        for fault in &faults[1..] {
            assert!(fault.starts_with("TO no answer within 1.0"), "{faults:?}");
        }
        assert!(faults[1].ends_with(": zzz"), "{faults:?}");
        assert_eq!(starts, 3);
        let sleeps = std::fs::read_to_string(folder.path().join("player.sh.sleeps")).unwrap();
        assert_eq!(sleeps.lines().count(), 3);
        sleeps.lines().for_each(assert_ends);
    }

    /// A process that was started ends, or has ended.
    fn assert_ends(id: &str) {
        let lives = || {
            let asked = Command::new("kill").args(["-0", id]).stderr(Stdio::null());
            asked.status().unwrap().success() && !is_zombie(id)
        };
        let mut left = 2000;
        while lives() {
            left -= 1;
            assert!(left > 0, "process {id} goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Where nobody waits for orphans, as in some containers, they stay as zombies.
    fn is_zombie(id: &str) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat"));
        status.is_ok_and(|status| status.contains(") Z "))
    }

    #[test]
    fn nothing_goes_on_when_the_match_is_interrupted() {
        for signals in [&["-INT"][..], &["-TERM"]] {
            let folder = Folder::new();
            let play = r#"sleep 1000 & echo $$ $! > "$0.part"; mv "$0.part" "$0.sleeps"; wait"#;
            let (_, name) = script(&folder, play);
            let mut child = Command::new(assert_cmd::cargo::cargo_bin("kolibri"))
                .current_dir(folder.path())
                .args(["match", "nim", "-p", &name, "--quiet"])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let sleeps = folder.path().join("player.sh.sleeps");
            while !sleeps.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            for signal in signals {
                let id = child.id().to_string();
                Command::new("kill").args([signal, &id]).status().unwrap();
            }
            assert!(!child.wait().unwrap().success());
            let ids = std::fs::read_to_string(sleeps).unwrap();
            ids.split_whitespace().for_each(assert_ends);
        }
    }
}
