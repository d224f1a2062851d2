//! `check --watch` and `playtest --watch`: every way in which editors save, and Ctrl-C.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use rexpect::session::{PtySession, spawn_command};

use crate::cli::{COIN, Folder};

/// A program at a terminal of its own.
struct Watching(PtySession);

impl Watching {
    fn begins(folder: &Folder, words: &[&str]) -> Self {
        const TIMEOUT: u64 = 60_000;
        let mut command = Command::new(cargo_bin("kolibri"));
        command.args(["--color", "never"]).args(words);
        command.current_dir(folder.path());
        command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        command.env("COLUMNS", "80");
        Self(spawn_command(command, Some(TIMEOUT)).unwrap())
    }

    fn sees(&mut self, text: &str) -> String {
        self.0.exp_string(text).unwrap()
    }

    fn ends_with_control_c(mut self) {
        self.0.send_control('c').unwrap();
        self.0.exp_eof().unwrap();
        let ended = format!("{:?}", self.0.process().wait().unwrap());
        assert!(ended.ends_with(", 130)"), "{ended}");
    }
}

fn save(folder: &Folder, file: &str, text: &str) {
    fs::write(folder.path().join(file), text).unwrap();
}

/// As editors do it that keep the old file until the new one is whole.
fn save_by_renaming(folder: &Folder, file: &str, text: &str) {
    let beside = folder.path().join("beside~");
    fs::write(&beside, text).unwrap();
    fs::rename(beside, folder.path().join(file)).unwrap();
}

fn broken() -> String {
    COIN.replace("(init start)", "(init start))")
}

#[test]
fn a_file_is_checked_again_however_it_is_saved() {
    let folder = Folder::new().with("coin.kif", COIN);
    let mut watching = Watching::begins(&folder, &["check", "coin.kif", "--watch"]);
    watching.sees("coin.kif: valid, roles a b");
    watching.sees("start");
    watching.sees("watching coin.kif; Ctrl-C ends");
    save(&folder, "coin.kif", &broken());
    watching.sees("\x1b[2J");
    watching.sees("surplus-parenthesis");
    watching.sees("coin.kif: invalid, 1 error");
    save_by_renaming(&folder, "coin.kif", COIN);
    watching.sees("coin.kif: valid");
    fs::remove_file(folder.path().join("coin.kif")).unwrap();
    watching.sees("there is no file `coin.kif`");
    save(&folder, "coin.kif", COIN);
    watching.sees("coin.kif: valid");
    for number in 0..30 {
        let other = format!("(role c{number})\n(goal c{number} 0)\n(legal c{number} m)\n{COIN}");
        save(&folder, "coin.kif", &other);
    }
    watching.sees("roles c29 a b");
    watching.sees("watching coin.kif");
    watching.ends_with_control_c();
}

#[test]
fn the_position_is_drawn_again_when_the_board_file_is_saved() {
    let rules = fs::read_to_string("tests/boards/morris.kif").unwrap();
    let board = fs::read_to_string("tests/boards/morris.board.toml").unwrap();
    let folder = Folder::new().with("morris.kif", &rules);
    let mut watching = Watching::begins(&folder, &["check", "morris.kif", "--watch"]);
    // What is read here is taken for Latin-1: this is a part of every line that is drawn.
    let is_picture = |text: &str| text.contains('\u{94}');
    let list = watching.sees("watching morris.kif");
    assert!(!is_picture(&list), "{list}");
    save(&folder, "morris.board.toml", &board);
    watching.sees("\x1b[2J");
    let picture = watching.sees("watching morris.kif");
    assert!(is_picture(&picture), "{picture}");
    save(&folder, "morris.board.toml", "[points]\nnw = [1]");
    watching.sees("morris.board.toml:2:6: a point has two coordinates");
    watching.sees("watching morris.kif");
    fs::remove_file(folder.path().join("morris.board.toml")).unwrap();
    watching.sees("\x1b[2J");
    let list = watching.sees("watching morris.kif");
    assert!(!is_picture(&list), "{list}");
    watching.ends_with_control_c();
}

#[test]
fn files_that_are_added_to_a_folder_are_checked() {
    let folder = Folder::new().with("a.kif", COIN).with("notes.txt", "(");
    let mut watching = Watching::begins(&folder, &["check", ".", "--watch"]);
    let before = watching.sees("a.kif: valid");
    assert!(!before.contains("notes"), "{before}");
    watching.sees("watching .");
    save(&folder, "b.kif", &broken());
    watching.sees("b.kif: invalid");
    watching.sees("watching .");
    watching.ends_with_control_c();
}

#[test]
fn a_playtest_begins_again_when_the_file_is_saved() {
    let folder = Folder::new().with("coin.kif", COIN);
    let words = ["playtest", "coin.kif", "--watch", "--rounds", "0"];
    let endless = ["--seconds", "3000", "--games", "1000000000000"];
    let mut watching = Watching::begins(&folder, &[&words[..], &endless].concat());
    watching.sees("playing");
    save(&folder, "coin.kif", &broken());
    watching.sees("surplus-parenthesis");
    watching.sees("watching coin.kif");
    save_by_renaming(&folder, "coin.kif", COIN);
    watching.sees("playing");
    watching.ends_with_control_c();
}

#[test]
fn what_is_written_to_a_pipe_has_no_escape_codes() {
    let folder = Folder::new().with("coin.kif", COIN);
    let mut child = Command::new(cargo_bin("kolibri"))
        .args(["check", "coin.kif", "--watch"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut read_to = |text: &str| {
        for line in lines.by_ref() {
            let line = line.unwrap();
            assert!(!line.contains('\x1b'), "{line}");
            if line.contains(text) {
                return;
            }
        }
        panic!("{text}");
    };
    read_to("coin.kif: valid");
    save(&folder, "coin.kif", &broken());
    read_to("coin.kif: invalid");
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn only_files_that_are_there_can_be_watched() {
    let folder = Folder::new();
    for (name, words) in [
        ("nim", "cannot be watched"),
        ("-", "cannot be watched"),
        ("gone.kif", "no file"),
    ] {
        for command in ["check", "playtest"] {
            let ended = folder.run(&[command, name, "--watch"]);
            assert_eq!(ended.status, 2, "{}", ended.shown());
            assert!(ended.err.contains(words), "{}", ended.shown());
        }
    }
}
