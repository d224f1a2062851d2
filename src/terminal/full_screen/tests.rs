//! The screen, drawn on a terminal in memory.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::messages::Messages;
use super::view::{InputOutcome, ScreenView};
use super::{Theme, ThoughtsShown};
use crate::drawing::{Screen, Style};
use crate::play::{Session, Spec};
use crate::session::Game;
use crate::terminal::lines::{LeftLine, Scene, Typed};

const PLAIN: Style = Style {
    width: 80,
    ..Style::UNCOLOURED
};

/// A game on a screen, in which the first role that has a choice is asked.
struct Shown {
    view: ScreenView,
    terminal: Terminal<TestBackend>,
    messages: Messages,
    session: Session,
    screen: Screen,
    variations: Vec<LeftLine>,
}

impl Shown {
    fn new(name: &str, moves: &[&str], (width, height): (u16, u16), style: Style) -> Self {
        let mut session = Session::new(&Game::load(name).unwrap());
        for mv in moves {
            session.play(mv).unwrap();
        }
        let messages = Messages::default();
        let view = ScreenView::new(Theme::of(style), &messages, &ThoughtsShown::default());
        let mut shown = Self {
            screen: Screen::survey(&session, style).unwrap(),
            terminal: Terminal::new(TestBackend::new(width, height)).unwrap(),
            messages,
            view,
            session,
            variations: Vec::new(),
        };
        shown.ask();
        shown
    }

    fn ask(&mut self) {
        let role = self.session.position().choosing().first().copied();
        self.view.show_game(Scene {
            session: &self.session,
            screen: &self.screen,
            players: &[Spec::Human, Spec::First],
            role,
            end: None,
            variations: &self.variations,
        });
        let moves = role.map_or(&[][..], |role| self.session.legal_of(role));
        let name = role.map_or("over", |role| &self.session.roles()[role]);
        self.view.ask(&format!("{name}>"), moves);
        self.draw();
    }

    fn draw(&mut self) -> String {
        self.terminal.draw(|frame| self.view.draw(frame)).unwrap();
        self.terminal.backend().to_string()
    }

    fn handles(&mut self, event: &Event) -> InputOutcome {
        let outcome = self.view.handle(event);
        self.draw();
        outcome
    }

    fn key(&mut self, code: KeyCode) -> InputOutcome {
        self.handles(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn keys(&mut self, text: &str) {
        for c in text.chars() {
            assert_eq!(self.key(KeyCode::Char(c)), InputOutcome::Nothing);
        }
    }

    /// Clicks where this text begins.
    fn click(&mut self, text: &str) -> InputOutcome {
        let screen = self.draw();
        let mut lines = screen.lines().enumerate();
        let place = lines.find_map(|(row, line)| {
            // Each line stands in quotation marks.
            let column = line[..line.find(text)?].chars().count() - 1;
            Some((column as u16, row as u16))
        });
        let (column, row) = place.unwrap_or_else(|| panic!("no {text} in\n{screen}"));
        self.click_at(column, row)
    }

    fn click_at(&mut self, column: u16, row: u16) -> InputOutcome {
        self.handles(&Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }))
    }
}

fn answer(line: &str) -> InputOutcome {
    InputOutcome::Answer(Typed::Line(line.to_owned()))
}

#[test]
fn screens_look_like_this() {
    let sized = |name: &str, moves: &[&str], size| Shown::new(name, moves, size, PLAIN).draw();
    let moves = ["(mark 2 2)", "(mark 1 1)"];
    insta::assert_snapshot!("tictactoe-80x24", sized("tictactoe", &moves, (80, 24)));
    insta::assert_snapshot!("checkers-80x24", sized("checkers", &[], (80, 24)));
    insta::assert_snapshot!("kolibrat-120x40", sized("kolibrat", &[], (120, 40)));
    insta::assert_snapshot!(
        "rock-paper-scissors-80x24",
        sized("rock-paper-scissors", &[], (80, 24))
    );
    let ascii = Style {
        unicode: false,
        ..PLAIN
    };
    let text = Shown::new("reversi", &[], (80, 24), ascii).draw();
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!("reversi-ascii", text);
}

#[test]
fn no_colour_is_used_where_none_is_wanted() {
    use ratatui::style::Color;
    let is_plain = |style: Style| {
        let mut shown = Shown::new("checkers", &[], (80, 24), style);
        shown.draw();
        let cells = shown.terminal.backend().buffer().content.iter();
        let mut colors = cells.flat_map(|cell| [cell.fg, cell.bg]);
        colors.all(|color| color == Color::Reset)
    };
    assert!(is_plain(PLAIN));
    assert!(!is_plain(Style {
        color: true,
        ..PLAIN
    }));
}

#[test]
fn moves_are_played_with_arrow_keys() {
    let mut shown = Shown::new("tictactoe", &[], (80, 24), PLAIN);
    shown.key(KeyCode::Right);
    shown.key(KeyCode::Down);
    assert_eq!(shown.key(KeyCode::Enter), answer("(mark 2 2)"));
    shown.ask();
    for _ in 0..5 {
        shown.key(KeyCode::Left);
        shown.key(KeyCode::Up);
    }
    assert_eq!(shown.key(KeyCode::Enter), answer("(mark 1 1)"));
}

#[test]
fn two_clicks_move_a_piece() {
    let mut shown = Shown::new("breakthrough", &[], (80, 24), PLAIN);
    let screen = shown.draw();
    let mut lines = screen.lines();
    let row = lines.position(|line| line.starts_with("\"2 │"));
    let (column, row) = (4, u16::try_from(row.unwrap()).unwrap());
    assert_eq!(shown.click_at(column, row), InputOutcome::Nothing);
    insta::assert_snapshot!("breakthrough-chosen", shown.draw());
    assert_eq!(shown.click_at(column, row - 1), answer("(move a 2 a 3)"));
}

#[test]
fn what_was_typed_filters_the_moves() {
    let mut shown = Shown::new("breakthrough", &[], (80, 24), PLAIN);
    shown.keys("move c");
    assert!(shown.draw().contains("moves: 3 of 22"), "{}", shown.draw());
    shown.key(KeyCode::Down);
    shown.key(KeyCode::Down);
    assert_eq!(shown.key(KeyCode::Enter), answer("(move c 2 c 3)"));
    shown.ask();
    shown.keys("resi");
    shown.key(KeyCode::Tab);
    assert_eq!(shown.key(KeyCode::Enter), answer("resign"));
    shown.ask();
    assert_eq!(shown.click("(move b 2 b 3)"), answer("(move b 2 b 3)"));
}

#[test]
fn earlier_positions_are_looked_at_and_gone_to() {
    let mut shown = Shown::new("tictactoe", &["(mark 2 2)", "(mark 1 1)"], (80, 24), PLAIN);
    shown.key(KeyCode::PageUp);
    assert!(shown.draw().contains("looking at ply 1"));
    assert!(!shown.draw().contains("[o]"));
    shown.key(KeyCode::Esc);
    assert!(!shown.draw().contains("looking"));
    shown.click("1. x (mark 2 2)");
    assert_eq!(shown.key(KeyCode::Enter), answer("/ply 1"));
}

#[test]
fn variations_stand_in_the_history_and_are_gone_to() {
    let mut shown = Shown::new("tictactoe", &["(mark 2 2)", "(mark 1 1)"], (80, 40), PLAIN);
    let left = |number, after, mv: &str| LeftLine {
        number,
        after,
        moves: vec![mv.to_owned()],
    };
    shown.variations = vec![left(1, 0, "(mark 3 3)"), left(2, 2, "(mark 1 2)")];
    shown.ask();
    let screen = shown.draw();
    let place = |text: &str| {
        screen
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {screen}"))
    };
    let order = [
        "1. x (mark 2 2)",
        "v 1: (mark 3 3)",
        "2. o (mark 1 1)",
        "v 2: (mark 1 2)",
    ];
    assert!(order.map(place).is_sorted(), "{screen}");
    shown.click("1. x (mark 2 2)");
    assert!(shown.draw().contains("looking at ply 1"));
    assert_eq!(shown.click("v 2: (mark"), answer("/variations 2"));
}

#[test]
fn the_analysis_says_why() {
    let mut shown = Shown::new("connect-four", &[], (80, 24), PLAIN);
    shown.view.analysis.toggle();
    let begin = std::time::Instant::now();
    loop {
        shown.view.analyse();
        if shown.draw().contains("why: ") {
            break;
        }
        let waited = begin.elapsed().as_secs();
        assert!(waited < 120, "{}", shown.draw());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // Another position is searched by the same searcher, as soon as it has stopped.
    shown.session.play("(drop d)").unwrap();
    shown.ask();
    while shown
        .view
        .analysis
        .found()
        .is_none_or(|found| found.role != 1)
    {
        assert!(begin.elapsed().as_secs() < 240, "{}", shown.draw());
        shown.view.analyse();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn keys_stand_for_commands() {
    let mut shown = Shown::new("tictactoe", &[], (80, 24), PLAIN);
    assert_eq!(shown.key(KeyCode::F(5)), answer("/undo"));
    shown.ask();
    assert_eq!(shown.click("F2 hint"), answer("/hint"));
    shown.ask();
    for key in [KeyCode::Char('?'), KeyCode::F(1)] {
        assert_eq!(shown.key(key), InputOutcome::Nothing);
        assert!(shown.draw().contains("Esc closes"), "{}", shown.draw());
        shown.key(KeyCode::Esc);
        assert!(!shown.draw().contains("Esc closes"));
    }
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    let left = shown.handles(&Event::Key(control_c));
    assert_eq!(left, InputOutcome::Answer(Typed::Interrupted));
}

#[test]
fn help_takes_the_room_there_is() {
    let line_of_a_move = |width| {
        let mut shown = Shown::new("tictactoe", &[], (width, 60), PLAIN);
        shown.key(KeyCode::F(1));
        let text = shown.draw();
        let line = text.lines().find(|line| line.contains("a move  "));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    assert!(line_of_a_move(120).contains("`c3d4`, or as much"));
    let narrow = line_of_a_move(80);
    assert!(
        narrow.contains("`c 3 d") && !narrow.contains("`c3d4`"),
        "{narrow}"
    );
}

#[test]
fn long_answers_are_shown_in_front() {
    use std::io::Write;
    let mut shown = Shown::new("tictactoe", &[], (80, 24), PLAIN);
    shown.keys("facts");
    assert_eq!(shown.key(KeyCode::Enter), answer("facts"));
    for number in 0..30 {
        writeln!(shown.messages, "fact {number}").unwrap();
    }
    shown.ask();
    insta::assert_snapshot!("answer", shown.draw());
    shown.key(KeyCode::Down);
    assert!(!shown.draw().contains("fact 0 "));
    shown.key(KeyCode::Esc);
    assert!(!shown.draw().contains("Esc closes"));
}

#[test]
fn nothing_is_answered_while_a_machine_thinks() {
    let mut shown = Shown::new("tictactoe", &[], (80, 24), PLAIN);
    assert_eq!(shown.click("(mark 1 1)"), answer("(mark 1 1)"));
    assert_eq!(shown.key(KeyCode::F(5)), InputOutcome::Nothing);
    assert_eq!(shown.key(KeyCode::Enter), InputOutcome::Nothing);
    assert_eq!(shown.key(KeyCode::Esc), InputOutcome::MoveNow);
}

/// A window may have any size, and change it at any time.
#[test]
fn windows_of_any_size_are_drawn() {
    let mut shown = Shown::new("checkers", &[], (80, 24), PLAIN);
    for width in [1, 2, 20, 59, 60, 61, 100, 300] {
        for height in [1, 2, 19, 20, 21, 60] {
            shown.terminal.backend_mut().resize(width, height);
            shown.handles(&Event::Resize(width, height));
            shown.key(KeyCode::Down);
            shown.key(KeyCode::Char('?'));
            shown.key(KeyCode::Esc);
            shown.click_at(width / 2, height / 2);
            shown.ask();
        }
    }
    shown.terminal.backend_mut().resize(40, 10);
    let text = shown.draw();
    assert!(text.contains("the window is too small"), "{text}");
}
