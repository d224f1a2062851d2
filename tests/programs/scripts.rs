//! Programs that are shell scripts.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use kolibri::Game;

use crate::cli::Folder;

use super::{STEPS, against, errors};

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
        "CE the program has ended (exit status: 7: out of luck)"
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

#[test]
fn spectators_see_every_step() {
    let play = format!("cat live/*.json > seen.$turn; {MOVE}");
    let folder = Folder::new().with("steps.kif", STEPS);
    let (_, name) = script(&folder, &play);
    let player = format!("a={name}");
    let words = ["match", "steps.kif", "-p", &player, "-p", "b=first"];
    let ended = folder.run(&[&words[..], &["--spectators", "live", "--json"]].concat());
    ended.json();
    for turn in 0..3 {
        let seen = folder.path().join(format!("seen.{turn}"));
        let seen: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(seen).unwrap()).unwrap();
        assert_eq!(seen["moves"].as_array().unwrap().len(), turn);
        assert_eq!(seen["states"].as_array().unwrap().len(), turn + 1);
        assert_eq!(seen["isCompleted"], false);
    }
    let verified = folder.run(&["verify", "live"]);
    assert!(verified.out.contains("1 passed"), "{}", verified.shown());
    let entry = std::fs::read_dir(folder.path().join("live"))
        .unwrap()
        .next();
    let last = std::fs::read_to_string(entry.unwrap().unwrap().path()).unwrap();
    assert!(last.contains("\"isCompleted\":true"), "{last}");
    let refused = folder.run(&["match", "nim", "--spectators", "steps.kif"]);
    assert_eq!(refused.status, 2, "{}", refused.shown());
}

#[test]
fn an_illegal_move_does_not_end_a_game_with_a_person() {
    let folder = Folder::new().with("steps.kif", STEPS);
    let (_, name) = script(&folder, r#"echo '{"type":"move","move":"(say 9)"}'"#);
    let player = format!("b={name}");
    let words = ["play", "steps.kif", "--player", &player, "--no-autosave"];
    let ended = folder.run_with_input(&words, b"1\n1\n1\n");
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let expected = "the first legal move is played for b: IL (say 9)";
    assert!(ended.out.contains(expected), "{}", ended.shown());
}

/// Writes a file with these rights.
fn write(path: &Path, text: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn players_are_installed_and_asked_for_by_name() {
    let folder = Folder::new();
    let (path, _) = script(&folder, MOVE);
    let text = format!("#!/bin/sh\n{}", std::fs::read_to_string(path).unwrap());
    write(&folder.path().join("twice.sh"), &text, 0o755);
    write(&folder.path().join("mute.sh"), "#!/bin/sh\n", 0o755);
    write(&folder.path().join("bare.sh"), &text, 0o644);
    let install = |words: &[&str]| folder.run(&[&["players", "install"], words].concat());
    let refused = [
        (&["mute.sh"][..], "has ended"),
        (&["bare.sh"], "chmod +x"),
        (&["missing"], "no such file"),
    ];
    for (words, expected) in refused {
        let ended = install(words);
        assert_eq!(ended.status, 2, "{}", ended.shown());
        assert!(ended.err.contains(expected), "{}", ended.shown());
    }
    let ended = install(&["twice.sh"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let again = install(&["twice.sh"]);
    assert!(again.err.contains("--force"), "{}", again.shown());
    assert_eq!(install(&["twice.sh", "--force"]).status, 0);
    let game = folder.path().join("steps.kif");
    std::fs::write(&game, STEPS).unwrap();
    for name in ["twice", "twice:--and 'more words'"] {
        let player = format!("a={name}");
        let words = [
            "match",
            "steps.kif",
            "-p",
            &player,
            "-p",
            "b=first",
            "--json",
        ];
        let played = folder.run(&words).json();
        assert_eq!(played["errors"], serde_json::json!([]), "{played}");
        assert_eq!(played["players"]["a"], name);
    }
    let machine = folder.state().join("machine/kolibri/players");
    write(&machine.join("broken"), "", 0o644);
    let listed = folder.run(&["players"]);
    assert!(listed.out.contains("\n  twice "), "{}", listed.shown());
    assert!(
        listed.err.contains("broken is left out: "),
        "{}",
        listed.shown()
    );
    let lines = folder.run(&["players", "--json"]).out;
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<serde_json::Value> = lines.collect();
    assert!(lines.iter().any(|line| line["player"] == "twice"));
    assert!(lines.iter().any(|line| line["why"].as_str().is_some()));
    let ended = folder.run(&["match", "nim", "-p", "broken"]);
    assert!(ended.err.contains("is left out"), "{}", ended.shown());
    let ended = folder.run(&["match", "nim", "-p", "twise"]);
    assert!(
        ended.err.contains("did you mean `twice`"),
        "{}",
        ended.shown()
    );
}

/// A process that was started ends, or has ended.
fn assert_ends(id: &str) {
    let lives = || {
        let mut asked = Command::new("kill");
        let asked = asked.args(["-0", id]).stderr(Stdio::null()).status();
        asked.unwrap().success() && !is_zombie(id)
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
            Command::new("kill")
                .args([*signal, id.as_str()])
                .status()
                .unwrap();
        }
        assert!(!child.wait().unwrap().success());
        let ids = std::fs::read_to_string(sleeps).unwrap();
        ids.split_whitespace().for_each(assert_ends);
    }
}
