//! Boards as text: every kind of board that is found, at several widths, and in every rule file at hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kolibri::catalog::GameSource;
use kolibri::drawing::{Screen, Style};
use kolibri::engine::{EngineChoice, LoadOptions};
use kolibri::info::board::BoardFileError;
use kolibri::{Game, Session};

use crate::corpus::{files_in, own, stem};

const WIDTHS: [usize; 3] = [40, 80, 120];

fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/boards");
    folder.join(format!("{name}.kif"))
}

fn style(width: usize) -> Style {
    Style {
        width,
        ..Style::UNCOLOURED
    }
}

/// The kinds of the boards of a game, and a position after some moves at several widths, what the last move changed in
/// brackets.
fn drawn(name: &str, moves: &[&str]) -> String {
    let game = Game::from_file(file(name)).unwrap();
    let mut text = String::new();
    for width in WIDTHS {
        let mut session = Session::new(&game);
        let mut screen = Screen::survey(&session, style(width)).unwrap();
        if text.is_empty() {
            let boards = screen.layout().boards.iter();
            let kinds: Vec<&str> = boards.map(|board| board.kind.name()).collect();
            text = format!("{}\n", kinds.join(", "));
        }
        let mut drawing = screen.show(&session.facts());
        for mv in moves {
            session.play(mv).unwrap();
            drawing = screen.show(&session.facts());
        }
        let widest = drawing.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width), "{name} at {width}:\n{drawing}");
        text += &format!("\n{width} columns\n{drawing}");
    }
    text
}

#[test]
fn heaps_and_squares_in_a_row_are_strips() {
    insta::assert_snapshot!("heaps", drawn("heaps", &["(leave 4 10)", "(leave 2 0)"]));
    insta::assert_snapshot!("sets", drawn("sets", &["(take c)", "(take d)"]));
}

#[test]
fn connected_places_are_points() {
    insta::assert_snapshot!(
        "islands",
        drawn("islands", &["(sail reef)", "(sail harbour)"])
    );
}

#[test]
fn a_board_file_gives_points_their_places() {
    let moves = ["(place c)", "(place nw)", "(place se)"];
    insta::assert_snapshot!("morris", drawn("morris", &moves));
}

#[test]
fn squares_may_be_numbered_as_in_draughts() {
    insta::assert_snapshot!("draughts", drawn("draughts", &["(move 11 15)"]));
}

#[test]
fn hexagons_are_shifted_rows() {
    insta::assert_snapshot!(
        "honeycomb",
        drawn("honeycomb", &["(mark b 2)", "(mark c 2)"])
    );
}

#[test]
fn hexagons_that_are_taken_one_by_one_are_all_there_at_the_start() {
    let moves = ["(place c 2)", "(place d 3)"];
    insta::assert_snapshot!("bridge", drawn("bridge", &moves));
    assert_eq!(without_clicks("bridge"), Vec::<String>::new());
}

#[test]
fn lines_between_points_are_drawn_one_by_one() {
    let moves = ["(draw 1 1 2 1)", "(draw 2 1 2 2)"];
    insta::assert_snapshot!("dots", drawn("dots", &moves));
    assert_eq!(without_clicks("dots"), Vec::<String>::new());
}

/// The first moves of a game that no clicks of their own make.
fn without_clicks(name: &str) -> Vec<String> {
    let game = Game::from_file(file(name)).unwrap();
    let session = Session::new(&game);
    let clicks = Screen::survey(&session, style(80))
        .unwrap()
        .clicks(&session, 0);
    let alone = |squares: &Vec<String>| {
        let same = clicks.iter().filter(|other| *other == squares);
        !squares.is_empty() && same.count() == 1
    };
    let moves = session.legal_of(0).iter().zip(&clicks);
    let moves = moves.filter(|(_, squares)| !alone(squares));
    moves.map(|(mv, _)| mv.clone()).collect()
}

#[test]
fn floors_are_parts_and_names_are_squares() {
    insta::assert_snapshot!("floors", drawn("floors", &["(mark 2 1 3)"]));
    insta::assert_snapshot!("named", drawn("named", &["(mark b3)"]));
}

#[test]
fn wide_boards_go_on_below() {
    insta::assert_snapshot!("wide", drawn("wide", &["(mark 30 2)"]));
}

#[test]
fn plain_terminals_and_the_other_side() {
    let game = Game::from_file(file("morris")).unwrap();
    let mut session = Session::new(&game);
    session.play("(place nw)").unwrap();
    let plain = Style {
        unicode: false,
        ..style(80)
    };
    let mut screen = Screen::survey(&session, plain).unwrap();
    screen.show(&Session::new(&game).facts());
    let before = screen.show(&session.facts());
    assert!(before.is_ascii(), "{before}");
    screen.flip();
    let after = screen.show(&session.facts());
    assert!(before.starts_with(" [w]--"), "{before}");
    assert!(after.starts_with("  se"), "{after}");
}

/// The first position after a move, as coloured text and as a picture, with the examples of board files in the documents.
fn with_board_file(rules: &str, mv: &str, file_text: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.kif");
    fs::copy(file(rules), &path).unwrap();
    fs::write(folder.path().join("game.board.toml"), file_text).unwrap();
    let coloured = Style {
        color: true,
        ..style(80)
    };
    let mut session = Session::new(&Game::from_file(&path).unwrap());
    let mut screen = Screen::survey(&session, coloured).unwrap();
    session.play(mv).unwrap();
    let text = screen.show(&session.facts());
    screen.forget();
    (text, screen.show_svg(&session.facts()))
}

#[test]
fn each_key_of_a_board_file_counts_at_a_terminal_and_in_pictures() {
    let board = fs::read_to_string(file("morris").with_extension("board.toml")).unwrap();
    let file = format!("{board}\n[colours]\nwhite = \"gold\"\n");
    let (text, picture) = with_board_file("morris", "(place nw)", &file);
    assert!(text.starts_with("  \u{1b}[1m\u{1b}[93m○"), "{text:?}");
    assert!(picture.contains("class=\"piece gold\""), "{picture}");
    assert!(picture.contains(">○</text>"), "{picture}");
    let corner = |orientation: &str| {
        let file = format!("orientation = [{orientation}]");
        let (text, picture) = with_board_file("floors", "(mark 1 1 3)", &file);
        let first = picture.find("<rect").map(|at| &picture[..at]);
        let square = first.and_then(|start| start.rsplit("data-square=\"").next());
        let square = square.and_then(|rest| rest.split('"').next());
        let labels: String = text
            .lines()
            .nth(1)
            .unwrap()
            .split_whitespace()
            .take(3)
            .collect();
        (labels, square.unwrap().to_owned())
    };
    let up = corner("\"right\", \"up\"");
    assert_eq!(up, ("123".to_owned(), "0:1 1 3".to_owned()));
    let down = corner("\"left\", \"down\"");
    assert_eq!(down, ("321".to_owned(), "0:1 3 1".to_owned()));
}

#[test]
fn mistakes_in_a_board_file_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("morris.kif");
    fs::copy(file("morris"), &rules).unwrap();
    let survey = |text: &str| {
        fs::write(folder.path().join("morris.board.toml"), text).unwrap();
        let game = Game::from_file(&rules).unwrap();
        Screen::survey(&Session::new(&game), style(80)).map(|_| ())
    };
    let foreign = survey("[points]\nnowhere = [1, 1]").unwrap_err();
    assert!(matches!(foreign, BoardFileError::ForeignPoints { .. }));
    let invalid = survey("[points]\nnw = [1, 1, 1]").unwrap_err();
    assert!(
        matches!(invalid, BoardFileError::Invalid { line: 2, .. }),
        "{invalid}"
    );
    let large = survey(&"#".repeat(64_001)).unwrap_err();
    assert!(matches!(large, BoardFileError::TooLarge { .. }));
    survey("").unwrap();
}

/// The kind of a game's boards; draws its first positions at three widths.
fn kind(path: &Path) -> Option<String> {
    const PLIES: usize = 3;
    const START_UP: Duration = Duration::from_secs(1);
    let source = GameSource::from_file(path).ok()?;
    let options = LoadOptions::from(EngineChoice::Reasoner);
    let game = Game::open_within(source, &options, START_UP).ok()?;
    let mut session = Session::new(&game);
    let mut screens = WIDTHS.map(|width| Screen::survey(&session, style(width)).unwrap());
    for ply in 0..PLIES {
        for (screen, width) in screens.iter_mut().zip(WIDTHS) {
            let drawing = screen.show(&session.facts());
            let widest = drawing.lines().map(|line| line.chars().count()).max();
            let name = path.display();
            assert!(widest <= Some(width), "{name} at {width}:\n{drawing}");
        }
        let legal = |role| {
            session
                .legal_of(role)
                .get(ply)
                .or(session.legal_of(role).first())
        };
        let joint = (0..game.roles().len()).map(|role| legal(role).cloned());
        match joint.collect::<Option<Vec<String>>>() {
            Some(joint) if !session.is_terminal() => session.play_joint(&joint).ok()?,
            _ => break,
        }
    }
    let boards = &screens[0].layout().boards;
    let first = boards.first().map_or("facts", |board| board.kind.name());
    let is_in_parts = boards.first().is_some_and(|board| board.panels().len() > 1);
    Some(if is_in_parts { "panels" } else { first }.to_owned())
}

fn kinds(files: &[PathBuf]) -> BTreeMap<String, Vec<String>> {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files {
        let kind = kind(path).unwrap_or_else(|| "not played".to_owned());
        kinds.entry(kind).or_default().push(stem(path));
    }
    kinds
}

#[test]
fn our_own_rule_files_are_drawn() {
    let kinds = kinds(&files_in(&own().join("kif")));
    insta::assert_debug_snapshot!(kinds);
}

#[test]
fn moves_are_made_by_clicks() {
    let of = |name: &str, moves: &[&str]| {
        let game = Game::load(name).unwrap();
        let mut session = Session::new(&game);
        for mv in moves {
            session.play(mv).unwrap();
        }
        let mut screen = Screen::survey_anyway(&session, style(80));
        screen.show_svg(&session.facts());
        let role = session.position().choosing()[0];
        let clicks = screen.clicks(&session, role);
        let pairs = session.legal_of(role).iter().zip(clicks);
        let pairs = pairs.map(|(mv, clicks)| format!("{mv} {}", clicks.join(" > ")));
        pairs.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("clicks-tictactoe", of("tictactoe", &["(mark 2 2)"]));
    insta::assert_snapshot!("clicks-connect-four", of("connect-four", &["(drop d)"]));
    insta::assert_snapshot!("clicks-checkers", of("checkers", &[]));
    insta::assert_snapshot!("clicks-breakthrough", of("breakthrough", &[]));
    insta::assert_snapshot!("clicks-reversi", of("reversi", &[]));
    insta::assert_snapshot!("clicks-kolibrat", of("kolibrat", &[]));
    insta::assert_snapshot!("clicks-nim", of("nim", &[]));
    insta::assert_snapshot!("clicks-rock-paper-scissors", of("rock-paper-scissors", &[]));
}

/// The first position of a game and the one after some moves, as part of a page.
fn pictures(name: &str, moves: &[&str]) -> String {
    let game = Game::from_file(file(name)).unwrap();
    let mut session = Session::new(&game);
    let mut screen = Screen::survey(&session, style(80)).unwrap();
    screen.show_svg(&session.facts());
    for mv in moves {
        session.play(mv).unwrap();
    }
    screen.show_svg(&session.facts())
}

#[test]
fn every_kind_of_board_is_a_picture() {
    let count = |page: &str, part: &str| page.matches(part).count();
    let grid = pictures("named", &["(mark b3)"]);
    assert_eq!(
        (count(&grid, "<rect class=\"cell"), count(&grid, "cell new")),
        (9, 1)
    );
    assert_eq!(count(&grid, "class=\"piece"), 1, "{grid}");
    let strip = pictures("heaps", &["(leave 4 10)"]);
    assert_eq!(count(&strip, "<svg"), 1);
    assert!(strip.contains("<code>control"), "{strip}");
    let parts = pictures("floors", &["(mark 2 1 3)"]);
    assert_eq!(
        (count(&parts, "<svg"), count(&parts, "class=\"title\"")),
        (3, 3)
    );
    let hexagons = pictures("honeycomb", &["(mark b 2)"]);
    assert!(count(&hexagons, "<polygon") > 6, "{hexagons}");
    let on_map = pictures("morris", &["(place c)"]);
    assert_eq!(
        (
            count(&on_map, "<circle class=\"cell"),
            count(&on_map, ">○<")
        ),
        (9, 1)
    );
    assert!(count(&on_map, "class=\"link\"") >= 16, "{on_map}");
    let lines = pictures("dots", &["(draw 1 1 2 1)"]);
    assert_eq!(
        (count(&lines, "cell edge"), count(&lines, "piece line red")),
        (24, 1),
        "{lines}"
    );
    let points = pictures("islands", &[]);
    assert!(points.contains(">reef</text>") && points.contains("class=\"link\""));
}

#[test]
fn text_in_pictures_is_escaped() {
    let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(cell {x} {y} <b>&)")));
    let facts: Vec<String> = squares.chain(["(on <i>)".to_owned()]).collect();
    let mut screen = Screen::from_states(std::slice::from_ref(&facts), style(80)).unwrap();
    let page = screen.show_svg(&facts);
    assert!(
        page.contains("&lt;b&gt;&amp;") && page.contains("on &lt;i&gt;"),
        "{page}"
    );
    assert!(!page.contains("<b>") && !page.contains("<i>"), "{page}");
}

/// The dark squares of checkers, from 1 to 32 as players number them, from whichever side they are seen; and all squares of a board
/// without holes.
#[test]
fn squares_are_numbered_on_demand() {
    let numbered = |name: &str, is_flipped: bool| {
        let session = Session::new(&Game::load(name).unwrap());
        let style = Style {
            numbers: true,
            ..style(80)
        };
        let mut screen = Screen::survey(&session, style).unwrap();
        if is_flipped {
            screen.flip();
        }
        screen.show(&session.facts())
    };
    let games = [
        ("checkers", false),
        ("checkers", true),
        ("tictactoe", false),
    ];
    let drawn = games.map(|(name, is_flipped)| numbered(name, is_flipped));
    insta::assert_snapshot!("numbers", drawn.join("\n"));
}
