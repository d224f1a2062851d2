//! `kolibri play` on the whole screen of a terminal: keys and mouse go in, the screen is read as a person sees it.

use std::num::NonZero;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use rexpect::session::{PtySession, spawn_command};
use tempfile::TempDir;
use vt100::Parser;

/// A person before a terminal.
struct Seen {
    terminal: PtySession,
    /// What the escape sequences amount to.
    screen: Parser,
    /// The name of the terminal, and the number of its program.
    tty: String,
    id: String,
    state: TempDir,
}

const ENTER: &str = "\r";
const ESCAPE: &str = "\x1b";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const F5: &str = "\x1b[15~";

impl Seen {
    fn plays(words: &[&str]) -> Self {
        Self::plays_with(TempDir::new().unwrap(), (24, 80), words)
    }

    fn plays_with(state: TempDir, (rows, columns): (u16, u16), words: &[&str]) -> Self {
        let mut command = Command::new("sh");
        let script = format!(
            "stty rows {rows} cols {columns}; echo id $$ at $(tty) begins; exec \"$0\" \"$@\""
        );
        command.args(["-c", &script]).arg(cargo_bin("kolibri"));
        command.arg("play").args(words);
        command
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8");
        command.env_remove("COLUMNS").env_remove("NO_COLOR");
        command.env("XDG_STATE_HOME", state.path());
        let mut terminal = spawn_command(command, Some(60_000)).unwrap();
        terminal.exp_string("id ").unwrap();
        let id = terminal.exp_string(" at ").unwrap();
        let tty = terminal.exp_string(" begins").unwrap();
        Self {
            terminal,
            screen: Parser::new(size(rows), size(columns), 0),
            tty,
            id,
            state,
        }
    }

    fn types(&mut self, keys: &str) {
        self.terminal.send(keys).unwrap();
        self.terminal.flush().unwrap();
    }

    /// Takes in what was shown until now.
    fn look(&mut self) -> String {
        while let Some(c) = self.terminal.try_read() {
            self.screen.process(&[byte(c)]);
        }
        self.screen.screen().contents()
    }

    /// Waits until the screen is as wanted.
    fn waits(&mut self, wanted: &str, is_wanted: impl Fn(&str) -> bool) -> String {
        const LONGEST: Duration = Duration::from_secs(60);
        let begin = Instant::now();
        loop {
            let seen = self.look();
            if is_wanted(&seen) {
                return seen;
            }
            assert!(begin.elapsed() < LONGEST, "no {wanted} in\n{seen}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn sees(&mut self, text: &str) -> String {
        self.waits(text, |screen| screen.contains(text))
    }

    /// Waits until a line is asked for with this prompt, and this many plies were played.
    fn is_asked(&mut self, prompt: &str, ply: usize) {
        let place = format!("ply {ply}");
        self.waits(&format!("{prompt} at {place}"), |screen| {
            let title = screen.lines().next().unwrap_or_default();
            let asks = screen.lines().any(|line| line.trim_end() == prompt);
            title.ends_with(&place) && asks
        });
    }

    /// Presses the left button where this text begins.
    fn clicks(&mut self, text: &str) {
        let seen = self.sees(text);
        let mut lines = seen.lines().enumerate();
        let place = lines.find_map(|(row, line)| {
            let column = line[..line.find(text)?].chars().count();
            Some((column, row))
        });
        self.clicks_at(place.unwrap());
    }

    fn clicks_at(&mut self, (column, row): (usize, usize)) {
        let (column, row) = (column + 1, row + 1);
        self.types(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    fn is_resized(&mut self, rows: u16, columns: u16) {
        let (height, width) = (rows.to_string(), columns.to_string());
        let mut stty = Command::new("stty");
        stty.args(["-F", &self.tty, "rows", &height, "cols", &width]);
        assert!(stty.stdin(Stdio::null()).status().unwrap().success());
        self.screen.screen_mut().set_size(size(rows), size(columns));
    }

    fn is_sent(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.id]).status();
        assert!(sent.unwrap().success());
    }

    /// Sees the program end with this status, the screen given back and the pointer free.
    fn ends(mut self, status: i32) -> (String, TempDir) {
        let rest = self.terminal.exp_eof().unwrap();
        self.screen
            .process(&rest.chars().map(byte).collect::<Vec<u8>>());
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "{}", screen.contents());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(!screen.hide_cursor());
        let ended = format!("{:?}", self.terminal.process().wait().unwrap());
        assert!(ended.ends_with(&format!(", {status})")), "{ended}");
        (screen.contents(), self.state)
    }
}

fn size(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).unwrap()
}

/// What is read has a character for each byte.
fn byte(c: char) -> u8 {
    u8::try_from(c).unwrap()
}

const AGAINST_FIRST: [&str; 3] = ["tictactoe", "-p", "first"];

#[test]
fn a_game_is_played_with_keys() {
    let mut person = Seen::plays(&AGAINST_FIRST);
    person.is_asked("x>", 0);
    person.types(&format!("{RIGHT}{DOWN}{ENTER}"));
    // The first legal move is played against it: (mark 1 1), then (mark 1 2).
    person.is_asked("x>", 2);
    person.types(&format!("{UP}{RIGHT}{ENTER}"));
    person.is_asked("x>", 4);
    person.types(&format!("{DOWN}{DOWN}{LEFT}{LEFT}{ENTER}"));
    let seen = person.sees("x wins");
    assert!(seen.contains("5. x (mark 3 1)"), "{seen}");
    person.types("quit\r");
    let (screen, _) = person.ends(0);
    assert!(screen.contains("game over: x wins"), "{screen}");
}

#[test]
fn a_game_is_played_with_the_mouse() {
    let mut person = Seen::plays(&AGAINST_FIRST);
    person.is_asked("x>", 0);
    let seen = person.look();
    let row = |label: &str| {
        let begin = format!("{label} │");
        let mut lines = seen.lines();
        lines.position(|line| line.starts_with(&begin)).unwrap()
    };
    let square = |column: usize, label: &str| (4 + 4 * (column - 1), row(label));
    for (ply, place) in [(2, square(2, "2")), (4, square(3, "1"))] {
        person.clicks_at(place);
        person.is_asked("x>", ply);
    }
    person.clicks_at(square(1, "3"));
    person.sees("x wins");
    person.clicks("F9 quit");
    person.ends(0);
}

#[test]
fn the_board_as_it_was_seen_and_the_result_remain() {
    let mut person = Seen::plays(&AGAINST_FIRST);
    person.is_asked("x>", 0);
    let rows = |screen: &str| {
        let mut lines = screen.lines();
        let row = lines.find(|line| line.contains(" │ "));
        row.unwrap().chars().next()
    };
    let first = rows(&person.look());
    person.types("/flip\r");
    person.waits("the board turned round", |screen| rows(screen) != first);
    person.is_asked("x>", 0);
    let turned = rows(&person.look());
    person.types("resign\r");
    person.sees("over>");
    person.types("/quit\r");
    let (screen, _) = person.ends(0);
    let left = &screen[screen.find("│").unwrap() - 2..];
    assert_eq!(rows(left), turned, "{screen}");
    assert!(screen.contains("since x resigns"), "{screen}");
}

#[test]
fn the_window_changes_in_the_middle_of_a_game() {
    let mut person = Seen::plays(&AGAINST_FIRST);
    person.is_asked("x>", 0);
    person.types("2 2\r");
    person.is_asked("x>", 2);
    person.is_resized(10, 30);
    person.sees("too small");
    person.is_resized(40, 120);
    person.is_asked("x>", 2);
    person.types(F5);
    person.is_asked("x>", 0);
    person.types("redo\r");
    person.is_asked("x>", 2);
    person.types("q\r");
    person.sees("save the game first?");
    person.types(ENTER);
    let (screen, _) = person.ends(0);
    assert!(screen.contains("goes on with this game"), "{screen}");
}

#[test]
fn a_killed_game_goes_on() {
    let mut person = Seen::plays(&AGAINST_FIRST);
    person.is_asked("x>", 0);
    person.types("2 2\r");
    person.is_asked("x>", 2);
    person.is_sent("-KILL");
    person.terminal.exp_eof().unwrap();
    let mut person = Seen::plays_with(person.state, (24, 80), &["--resume"]);
    person.is_asked("x>", 2);
    person.sees("2. o (mark 1 1)");
}

#[test]
fn signals_and_control_c_give_the_screen_back() {
    let mut person = Seen::plays(&AGAINST_FIRST);
    person.is_asked("x>", 0);
    person.is_sent("-TERM");
    person.ends(143);
    let mut person = Seen::plays(&AGAINST_FIRST);
    person.is_asked("x>", 0);
    person.types("\x03");
    person.ends(130);
}

#[test]
fn a_machine_that_thinks_is_hurried_and_left() {
    const THINKER: [&str; 3] = ["breakthrough", "-p", "minimax:time=3000,heuristic=none"];
    let mut person = Seen::plays(&THINKER);
    person.is_asked("white>", 0);
    person.types("a2a3\r");
    person.sees("black thinks");
    person.types("resign\r");
    person.types(ESCAPE);
    person.is_asked("white>", 2);
    person.types("a3a4\r");
    person.sees("black thinks");
    person.types("\x03");
    person.is_asked("white>", 4);
    person.types("\x03");
    person.sees("save the game first?");
    person.types("\x03");
    person.ends(130);
}

#[test]
fn choices_stay_hidden_until_all_have_chosen() {
    let mut person = Seen::plays(&["rock-paper-scissors", "-p", "human"]);
    person.is_asked("left>", 0);
    person.types(&format!("{DOWN}{ENTER}"));
    person.is_asked("right>", 0);
    let seen = person.look();
    assert!(!seen.contains("1. "), "{seen}");
    person.types(&format!("{DOWN}{DOWN}{ENTER}"));
    person.sees("1. left ");
}

#[test]
fn lines_are_asked_for_where_there_is_no_room() {
    let state = TempDir::new().unwrap();
    let mut person = Seen::plays_with(state, (19, 80), &AGAINST_FIRST);
    person.sees("x>");
    assert!(!person.screen.screen().alternate_screen());
    person.types("quit\r");
    let (_, state) = person.ends(0);
    let words = ["tictactoe", "-p", "first", "--plain"];
    let mut person = Seen::plays_with(state, (24, 80), &words);
    person.sees("x>");
    assert!(!person.screen.screen().alternate_screen());
}
