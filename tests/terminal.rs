//! `kolibri play` at a terminal: editing, completion, Ctrl-C, and what is typed while the machine thinks.

use std::process::Command;
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use rexpect::session::{PtySession, ReadUntil, spawn_command};
use tempfile::TempDir;

use crate::cli::Folder;
use crate::playing::MANY_MOVES;

/// A person at a terminal of their own.
struct Person {
    terminal: PtySession,
    /// The number of its program.
    id: String,
    /// Where games in progress are kept.
    state: TempDir,
}

const TAB: &str = "\t";
const UP: &str = "\x1b[A";
const BACKSPACE: &str = "\x7f";

impl Person {
    fn plays(words: &[&str]) -> Self {
        Self::plays_with(TempDir::new().unwrap(), words)
    }

    /// Plays where games were kept before.
    fn plays_with(state: TempDir, words: &[&str]) -> Self {
        Self::begins(state, ":", words)
    }

    /// Plays in a shell that did something before.
    fn plays_after(command: &str, words: &[&str]) -> Self {
        Self::begins(TempDir::new().unwrap(), command, words)
    }

    fn begins(state: TempDir, before: &str, words: &[&str]) -> Self {
        let mut terminal = Self::terminal(&state, before, words);
        terminal.exp_string("id ").unwrap();
        let id = terminal.exp_string(" of it").unwrap();
        Self {
            terminal,
            id,
            state,
        }
    }

    fn terminal(state: &TempDir, before: &str, words: &[&str]) -> PtySession {
        const TIMEOUT: u64 = 60_000;
        let mut command = Command::new("sh");
        let script = format!("{before}; echo id $$ of it; exec \"$0\" \"$@\"");
        command.args(["-c", &script]);
        command.arg(cargo_bin("kolibri"));
        command.args(["--color", "never", "play", "--plain"]);
        command.args(words);
        command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        command.env("COLUMNS", "80");
        command.env("XDG_STATE_HOME", state.path());
        spawn_command(command, Some(TIMEOUT)).unwrap()
    }

    /// Another program of the same person.
    fn also_plays(&self, words: &[&str]) -> PtySession {
        Self::terminal(&self.state, ":", words)
    }

    fn is_sent(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.id]).status();
        assert!(sent.unwrap().success());
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
    fn sees_the_end(self, status: i32) {
        self.ends(status);
    }

    /// Sees the end, and tells where games are kept.
    fn ends(mut self, status: i32) -> TempDir {
        self.terminal.exp_eof().unwrap();
        let ended = format!("{:?}", self.terminal.process().wait().unwrap());
        assert!(ended.ends_with(&format!(", {status})")), "{ended}");
        self.state
    }
}

const AGAINST_FIRST: [&str; 3] = ["tictactoe", "-p", "first"];
/// Who thinks until told to move, and learns nothing before. Whatever it plays, the person has a choice afterwards: a forced
/// move would be played at once, and the thinking would begin again.
const THINKER: [&str; 3] = ["breakthrough", "-p", "minimax:time=3000,heuristic=none"];

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
        person.types("y\r");
        person.sees("to which file?");
        let is_there = file.exists();
        person.types(&format!("{}\r", file.display()));
        if is_there {
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

/// What is typed instead of an answer names no file.
#[test]
fn the_question_at_the_end_takes_commands_for_commands() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("h.json");
    let mut person = Person::plays(&AGAINST_FIRST);
    person.sees("x> ");
    person.types("2 2\r");
    person.sees("2. o");
    person.sees("x> ");
    person.types("quit\r");
    for word in ["help", "resign", "2 2"] {
        person.sees("play on)> ");
        person.types(&format!("{word}\r"));
        person.sees("answer `y`");
    }
    person.sees("play on)> ");
    person.types("y\r");
    person.sees("to which file?");
    person.types("quit\r");
    person.sees("not saved: `quit` is a command");
    person.sees("play on)> ");
    person.types(&format!("save {}\r", file.display()));
    person.sees("saved to");
    person.sees_the_end(0);
    assert!(file.exists());
}

#[test]
fn a_game_changed_after_it_was_saved_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g");
    let mut person = Person::plays(&["tictactoe", "-p", "first", "--no-autosave"]);
    let save = format!("save {}\r", file.display());
    for (keys, seen) in [
        ("2 2\r", "2. o"),
        ("1 2\r", "4. o"),
        (&save, "saved to"),
        ("undo\r", "taken back"),
        ("3 3\r", "4. o"),
        // Nothing keeps it: another game takes its place only after a question.
        ("new\r", "save the game first?"),
        ("back\r", "x> "),
        ("quit\r", "save the game first?"),
        ("quit\r", ""),
    ] {
        if !seen.starts_with("save the") && !keys.starts_with("back") {
            person.sees("> ");
        }
        person.types(keys);
        person.sees(seen);
    }
    person.sees_the_end(0);
}

/// Two programs that go on with one game would each keep its own moves in one file.
#[test]
fn a_game_goes_on_in_one_program_at_a_time() {
    let mut person = Person::plays(&AGAINST_FIRST);
    person.sees("x> ");
    person.types("2 2\r");
    person.sees("2. o");
    person.sees("x> ");
    let mut other = person.also_plays(&["--resume"]);
    other
        .exp_string("the game is being played by another program")
        .unwrap();
    other.exp_eof().unwrap();
    let mut other = person.also_plays(&["nim", "-p", "first"]);
    other.exp_string("> ").unwrap();
    other.send_line("1").unwrap();
    other.exp_string("2. ").unwrap();
    other.exp_string("> ").unwrap();
    person.is_sent("-KILL");
    person.terminal.exp_eof().unwrap();
    // The game whose program was killed goes on.
    let mut another = person.also_plays(&["--resume"]);
    another
        .exp_string("the game that was kept last is being played")
        .unwrap();
    another.exp_string("tictactoe: x you, o first").unwrap();
}

#[test]
fn one_of_several_games_is_chosen() {
    let mut person = Person::plays(&AGAINST_FIRST);
    person.sees("x> ");
    person.types("2 2\r");
    person.sees("2. o");
    person.sees("x> ");
    person.types("new\r");
    person.sees("x> ");
    person.types("3 3\r");
    person.sees("2. o");
    person.sees("x> ");
    person.is_sent("-KILL");
    person.terminal.exp_eof().unwrap();
    let mut person = Person::plays_with(person.state, &["--resume"]);
    person.sees(" 1 tictactoe: x you, o first; 2 plies, just now");
    person.sees("which game? (Enter for 1)> ");
    person.types("3\r");
    person.sees("type a number from 1 to 2");
    person.types("2\r");
    person.sees("x> ");
    person.types("facts\r");
    person.sees("(cell 2 2 x)");
}

#[test]
fn names_of_files_are_completed_as_they_are() {
    let mut person = Person::plays(&AGAINST_FIRST);
    person.sees("x> ");
    person.types("2 2\r");
    person.sees("2. o");
    person.sees("x> ");
    let file = person.state.path().join("my first game.json");
    person.types(&format!("save {}\r", file.display()));
    person.sees("saved to");
    person.sees("x> ");
    person.types(&format!("load {}/my fi", person.state.path().display()));
    person.types(TAB);
    person.sees("my first game.json");
    person.types("\r");
    person.sees("loaded ");
    person.sees("x> ");
    person.types("quit\r");
    person.sees_the_end(0);
}

/// Nobody thinks between their moves, so that nothing is discarded.
#[test]
fn a_recorded_game_is_stepped_through() {
    let folder = Folder::new();
    let words = "match tictactoe --seed 5 --player random --record r --quiet";
    folder.run(&words.split(' ').collect::<Vec<_>>());
    let mut records = folder.path().join("r").read_dir().unwrap();
    let mut command = Command::new(cargo_bin("kolibri"));
    command.args(["--color", "never", "replay"]);
    command.arg(records.next().unwrap().unwrap().path());
    command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
    command.env("COLUMNS", "80");
    let mut terminal = spawn_command(command, Some(60_000)).unwrap();
    terminal.exp_string("the first position").unwrap();
    for (prompt, typed, seen) in [
        ("0 of 9>", "", "1. x (mark 1 2)"),
        ("1 of 9>", "b", "the first position"),
        ("0 of 9>", "back", "this is the first position"),
        ("0 of 9>", "end", "x wins (x 100, o 0)"),
        ("9 of 9>", "next", "this is the last position"),
        ("9 of 9>", "4", "4. o (mark 2 2)"),
        ("4 of 9>", "77", "the game has 9 plies"),
        ("4 of 9>", "what", "Enter, next: one ply on"),
    ] {
        terminal.exp_string(prompt).unwrap();
        terminal.send(&format!("{typed}\r")).unwrap();
        terminal.flush().unwrap();
        terminal.exp_string(seen).unwrap();
    }
    terminal.exp_string("4 of 9>").unwrap();
    terminal.send("quit\r").unwrap();
    terminal.flush().unwrap();
    terminal.exp_eof().unwrap();
}

#[test]
fn two_people_may_type_quickly() {
    let mut person = Person::plays(&["tictactoe", "-p", "human"]);
    person.sees("x> ");
    person.types("2 2\r1 1\r3 3\r");
    person.sees("1. x (mark 2 2)");
    person.sees("2. o (mark 1 1)");
    person.sees("3. x (mark 3 3)");
    person.sees("o> ");
}

#[test]
fn a_saved_game_is_left_without_a_question_and_keeps_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.json");
    let file = file.to_str().unwrap();
    let mut person = Person::plays(&AGAINST_FIRST);
    person.sees("x> ");
    person.types("9\r");
    person.sees("2. o");
    person.sees("x> ");
    person.types(&format!("save {file}\r"));
    person.sees("saved to");
    person.sees("x> ");
    person.types("quit\r");
    let state = person.ends(0);
    let mut person = Person::plays_with(state, &[file]);
    person.sees("8 (mark 3 2)");
    person.sees("x> ");
    person.types("quit\r");
    let before = person.sees("goes on with this game");
    assert!(!before.contains("save the game first?"), "{before}");
    person.sees_the_end(0);
}

#[test]
fn what_is_typed_while_the_machine_thinks_is_not_shown() {
    let mut person = Person::plays(&THINKER);
    person.sees("white> ");
    person.types("a2a3\r");
    person.sees("black thinks (Ctrl-C");
    person.types("resign\r");
    person.presses_control('c');
    let before = person.sees("2. black");
    assert!(!before.contains("resign"), "{before}");
    person.sees("white> ");
    person.types("facts\r");
    person.sees("facts");
    person.sees("(cell");
}

#[test]
fn ctrl_c_lets_the_machine_move_now() {
    let mut person = Person::plays(&THINKER);
    person.sees("white> ");
    person.types("a2a3\r");
    person.sees("1. white (move a 2 a 3)");
    person.sees("black thinks (Ctrl-C");
    // Typed ahead: neither a move nor a command.
    person.types("b2b3\rresign\r");
    person.presses_control('c');
    person.sees("2. black");
    person.sees("white> ");
    person.types("facts\r");
    let between = person.sees("(cell");
    assert!(
        !between.contains("3. white") && !between.contains("resigns"),
        "{between}"
    );
    person.presses_control('c');
    person.sees("save the game first?");
    person.presses_control('c');
    person.sees_the_end(130);
}

/// The second press may come before the machine has moved, while its move is kept and shown, or when a line is read.
#[test]
fn a_second_ctrl_c_asks_however_soon_it_comes() {
    const QUESTION: &str = "save the game first?";
    const PROMPT: &str = "white> ";
    let words = |text: &str| ReadUntil::String(text.to_owned());
    for pause in [5, 10, 20, 40, 150] {
        let mut person = Person::plays(&THINKER);
        person.sees(PROMPT);
        person.types("a2a3\r");
        person.sees("black thinks (Ctrl-C");
        person.presses_control('c');
        thread::sleep(Duration::from_millis(pause));
        person.presses_control('c');
        let either = vec![words(QUESTION), words(PROMPT)];
        let (_, seen) = person.terminal.exp_any(either).unwrap();
        if seen == PROMPT {
            // On a busy machine, the system makes one signal of the two.
            person.presses_control('c');
            person.sees(QUESTION);
        }
        let _ = person.terminal.send_control('c');
        let _ = person.terminal.flush();
        person.sees_the_end(130);
    }
}

#[test]
fn other_signals_end_the_program_and_keep_the_game() {
    // Whoever ignores hang-ups, as `nohup` does, has the programs that they start ignore them.
    let hang_up = match ignores_hang_ups() {
        true => None,
        false => Some(("-HUP", 129)),
    };
    for (signal, status) in hang_up.into_iter().chain([("-TERM", 143)]) {
        let mut person = Person::plays(&THINKER);
        person.sees("white> ");
        person.types("a2a3\r");
        person.sees("black thinks (Ctrl-C");
        person.is_sent(signal);
        let state = person.ends(status);
        let mut person = Person::plays_with(state, &["--resume"]);
        person.sees("breakthrough: white you, black minimax");
        person.sees("black thinks");
        person.presses_control('c');
        person.sees("2. black");
    }
}

/// Whether the program that runs the tests ignores SIGHUP.
fn ignores_hang_ups() -> bool {
    let script = "kill -HUP $$; exit 0";
    let ended = Command::new("sh").args(["-c", script]).status();
    ended.unwrap().success()
}

#[test]
fn a_program_that_ignores_hang_ups_outlives_its_terminal() {
    let mut person = Person::plays_after("trap '' HUP", &THINKER);
    person.sees("white> ");
    person.types("a2a3\r");
    person.sees("black thinks (Ctrl-C");
    person.is_sent("-HUP");
    person.sees("black thinks (Ctrl-C");
    person.presses_control('c');
    person.sees("2. black");
}

#[test]
fn an_interrupted_answer_is_no_answer() {
    let mut person = Person::plays(&THINKER);
    person.sees("white> ");
    person.types("draw\r");
    person.sees("black thinks");
    person.presses_control('c');
    person.sees("black could not think to the end");
    person.sees("black declines the draw");
}

#[test]
fn many_legal_moves_are_shown_in_groups() {
    let folder = Folder::new().with("many.kif", MANY_MOVES);
    let mut command = Command::new(cargo_bin("kolibri"));
    command.args(["--color", "never", "moves", "many.kif"]);
    command.current_dir(folder.path()).env("COLUMNS", "80");
    let mut terminal = spawn_command(command, Some(60_000)).unwrap();
    let shown = terminal.exp_eof().unwrap();
    assert!(shown.contains("a: 81 moves; `--like TEXT`"), "{shown}");
    assert!(shown.contains("go (from 9): 9"), "{shown}");
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
        id: String::new(),
        state,
    };
    shell.sees("id ");
    shell.id = shell.sees(" of it");
    shell.sees("x>");
    shell.is_sent("-TERM");
    shell.sees("the same modes");
}
