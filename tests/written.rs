//! Files that the program writes: whole or not at all, and never over somebody's file unasked.

#[cfg(unix)]
mod enumerations;
#[cfg(unix)]
mod full;
#[cfg(unix)]
mod killed;

use std::fs;
use std::process::{Command, Stdio};

use crate::cli::{COIN, Folder};

#[test]
fn generated_rules_replace_a_file_only_if_forced() {
    let folder = Folder::new().with("nim.kif", "mine");
    let file = folder.path().join("nim.kif");
    let ended = folder.run(&["generate", "nim", "-o", "nim.kif"]);
    assert_eq!(ended.status, 2, "{}", ended.shown());
    assert!(ended.err.contains("`--force`"), "{}", ended.shown());
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    let ended = folder.run(&["generate", "nim", "-o", "nim.kif", "--force"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert_eq!(folder.run(&["check", "nim.kif"]).status, 0);
    let ended = folder.run(&["generate", "nim", "--force"]);
    assert_eq!(ended.status, 2, "{}", ended.shown());
}

#[cfg(unix)]
#[test]
fn generated_rules_go_to_streams_too() {
    let folder = Folder::new();
    let printed = folder.run(&["generate", "nim"]).out;
    let sent = folder.run(&["generate", "nim", "-o", "/dev/stdout"]);
    assert_eq!((sent.status, sent.out), (0, printed));
    assert_eq!(
        folder.run(&["generate", "nim", "-o", "/dev/null"]).status,
        0
    );
}

#[test]
fn formatting_leaves_no_other_file() {
    let folder = Folder::new().with("coin.kif", COIN);
    let ended = folder.run(&["fmt", "coin.kif", "--write"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_saved_game_replaces_only_itself() {
    let folder = Folder::new().with("notes.txt", "mine");
    let play = |typed: &str| {
        let words = ["play", "tictactoe", "--player", "first"];
        let ended = folder.run_with_input(&words, typed.as_bytes());
        assert_eq!(ended.status, 0, "{}", ended.shown());
        ended.out
    };
    let printed = play("2 2\nsave g.json\n3 3\nsave g.json\nquit\n");
    assert_eq!(printed.matches("saved to g.json").count(), 2, "{printed}");
    let first = fs::read_to_string(folder.path().join("g.json")).unwrap();
    for name in ["g.json", "notes.txt"] {
        let printed = play(&format!("2 2\nsave {name}\nquit\n"));
        let way = format!("{name} exists and is not this game: `save --force {name}` replaces it");
        assert!(printed.contains(&way), "{printed}");
    }
    let now = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((now("g.json"), now("notes.txt").as_str()), (first, "mine"));
    let printed = play("2 2\nsave --force notes.txt\nload notes.txt\nquit\n");
    assert!(printed.contains("loaded notes.txt"), "{printed}");
    let printed = play("load g.json\n1 2\nsave g.json\nnew\nsave g.json\nquit\n");
    assert!(printed.contains("saved to g.json"), "it goes on: {printed}");
    assert!(
        printed.contains("g.json exists and is not this game"),
        "{printed}"
    );
}

#[test]
fn records_of_two_programs_share_a_folder() {
    const GAMES: usize = 5;
    let folder = Folder::new();
    let play = || {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
        command.current_dir(folder.path()).stdout(Stdio::null());
        command.args(["match", "tictactoe", "-p", "random", "--record", "r"]);
        command.args(["--quiet", "--games", &GAMES.to_string()]);
        command.spawn().unwrap()
    };
    let mut programs = [play(), play(), play()];
    for program in &mut programs {
        assert!(program.wait().unwrap().success());
    }
    let files = fs::read_dir(folder.path().join("r")).unwrap().count();
    assert_eq!(files, programs.len() * GAMES);
    let verified = folder.run(&["verify", "r"]);
    assert!(verified.out.contains("15 passed"), "{}", verified.shown());
}

#[test]
fn records_are_a_twentieth_of_what_they_say() {
    let folder = Folder::new();
    let size = |format: &str| {
        let words = format!(
            "match breakthrough -p random --quiet --record {format} --record-format {format}"
        );
        let ended = folder.run(&words.split_whitespace().collect::<Vec<_>>());
        assert_eq!(ended.status, 0, "{}", ended.shown());
        let mut files = fs::read_dir(folder.path().join(format)).unwrap();
        let file = files.next().unwrap().unwrap();
        assert!(file.file_name().to_string_lossy().ends_with(format));
        let verified = folder.run(&["verify", format]);
        assert!(verified.out.contains("1 passed"), "{}", verified.shown());
        file.metadata().unwrap().len()
    };
    let (plain, compressed) = (size("json"), size("json.gz"));
    assert!(compressed * 20 < plain, "{compressed} of {plain} bytes");
}
