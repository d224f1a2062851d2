//! `kolibri play` at a terminal: editing, completion, Ctrl-C, and what is typed while the machine thinks.

use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use rexpect::session::{PtySession, spawn_command};
use tempfile::TempDir;

/// A person at a terminal of their own.
struct Person {
    terminal: PtySession,
    /// Where games in progress are kept.
    _state: TempDir,
}

const TAB: &str = "\t";
const UP: &str = "\x1b[A";
const BACKSPACE: &str = "\x7f";

impl Person {
    fn plays(words: &[&str]) -> Self {
        const PATIENCE: u64 = 60_000;
        let mut command = Command::new(cargo_bin("kolibri"));
        command.args(["--color", "never", "play"]).args(words);
        command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        command.env("COLUMNS", "80");
        let state = TempDir::new().unwrap();
        command.env("XDG_STATE_HOME", state.path());
        let terminal = spawn_command(command, Some(PATIENCE)).unwrap();
        Self {
            terminal,
            _state: state,
        }
    }

    fn types(&mut self, keys: &str) {
        self.terminal.send(keys).unwrap();
        self.terminal.flush().unwrap();
    }

    fn presses_control(&mut self, key: char) {
        self.terminal.send_control(key).unwrap();
        self.terminal.flush().unwrap();
    }

    /// What was shown before `text`.
    fn sees(&mut self, text: &str) -> String {
        self.terminal.exp_string(text).unwrap()
    }

    /// Whether the program ended with this status.
    fn sees_the_end(mut self, status: i32) {
        self.terminal.exp_eof().unwrap();
        let ended = format!("{:?}", self.terminal.process().wait().unwrap());
        assert!(ended.ends_with(&format!(", {status})")), "{ended}");
    }
}

const AGAINST_FIRST: [&str; 3] = ["tictactoe", "-p", "first"];
/// Who thinks until told to move, and learns nothing before.
const THINKER: [&str; 3] = ["checkers", "-p", "minimax:time=3000,heuristic=none"];

#[test]
fn lines_are_edited_completed_and_remembered() {
    let mut person = Person::plays(&AGAINST_FIRST);
    person.sees("x> ");
    person.types("mar");
    person.types(TAB);
    person.sees("mark ");
    person.types(&format!("2 3{BACKSPACE}2\r"));
    person.sees("1. x (mark 2 2)");
    person.sees("x> ");
    person.types(UP);
    person.sees("mark 2 2");
    person.types(&format!("{BACKSPACE}3\r"));
    person.sees("3. x (mark 2 3)");
    person.sees("x> ");
    person.types("le");
    person.types(TAB);
    person.types("ea");
    person.types(TAB);
    person.types("\r");
    person.sees("plays at the level easy from now on");
}

#[test]
fn a_game_in_progress_is_left_with_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g1.json");
    for (key, status) in [('d', 0), ('c', 130)] {
        let mut person = Person::plays(&AGAINST_FIRST);
        person.sees("x> ");
        person.types("2 2\r");
        person.sees("2. o");
        person.sees("x> ");
        person.presses_control(key);
        person.sees("save the game first?");
        person.types("back\r");
        person.sees("x> ");
        person.presses_control(key);
        person.sees("save the game first?");
        person.types(&format!("{}\r", file.display()));
        if file.exists() {
            person.sees("replace it?");
            person.types("y\r");
        }
        person.sees("saved to");
        person.sees_the_end(status);
        assert!(file.exists());
    }
    let mut person = Person::plays(&AGAINST_FIRST);
    person.sees("x> ");
    person.presses_control('d');
    person.sees_the_end(0);
}

#[test]
fn ctrl_c_lets_the_machine_move_now() {
    let mut person = Person::plays(&THINKER);
    person.sees("black> ");
    person.types("a3b4\r");
    person.sees("1. black (move a 3 b 4)");
    person.sees("red thinks (Ctrl-C");
    // Typed ahead: neither a move nor a command.
    person.types("c3d4\rresign\r");
    person.presses_control('c');
    person.sees("2. red");
    person.sees("black> ");
    person.types("facts\r");
    let between = person.sees("(cell");
    assert!(
        !between.contains("3. black") && !between.contains("resigns"),
        "{between}"
    );
    person.presses_control('c');
    person.sees("save the game first?");
    person.presses_control('c');
    person.sees_the_end(130);
}

#[test]
fn a_program_that_is_ended_leaves_the_terminal_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let program = cargo_bin("kolibri");
    let script = "stty -g > before; sh -c 'echo id $$ of it; exec \"$0\" play tictactoe -p first --no-autosave' \"$0\"; \
        stty -g > after; cmp before after && echo the same modes";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(program);
    command.current_dir(folder.path()).env("TERM", "xterm");
    let state = TempDir::new().unwrap();
    let terminal = spawn_command(command, Some(60_000)).unwrap();
    let mut shell = Person {
        terminal,
        _state: state,
    };
    shell.sees("id ");
    let id = shell.sees(" of it");
    shell.sees("x>");
    let killed = Command::new("kill").args(["-TERM", &id]).status();
    assert!(killed.unwrap().success());
    shell.sees("the same modes");
}
