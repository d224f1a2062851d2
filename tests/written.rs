//! Files that the program writes: whole or not at all, and never over somebody's file unasked.

use std::fs;

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
    let told = play("2 2\nsave g.json\n3 3\nsave g.json\nquit\n");
    assert_eq!(told.matches("saved to g.json").count(), 2, "{told}");
    let first = fs::read_to_string(folder.path().join("g.json")).unwrap();
    for name in ["g.json", "notes.txt"] {
        let told = play(&format!("2 2\nsave {name}\nquit\n"));
        let way = format!("{name} exists and is not this game: `save --force {name}` replaces it");
        assert!(told.contains(&way), "{told}");
    }
    let now = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((now("g.json"), now("notes.txt").as_str()), (first, "mine"));
    let told = play("2 2\nsave --force notes.txt\nload notes.txt\nquit\n");
    assert!(told.contains("loaded notes.txt"), "{told}");
}
