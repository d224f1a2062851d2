use super::*;
use crate::tournament::fixture::{game, header};
use crate::tournament::hash_of_moves;

fn text() -> String {
    let games = [game(0, ["a", "b"], [100, 0]), game(1, ["b", "a"], [50, 50])];
    let lines = games.iter().map(FinishedGame::to_line);
    std::iter::once(header(&["a", "b"]).to_line())
        .chain(lines)
        .collect()
}

fn fault(text: &str) -> String {
    TournamentLog::read(text.as_bytes())
        .unwrap_err()
        .to_string()
}

#[test]
fn what_is_written_is_read() {
    let log = TournamentLog::read(text().as_bytes()).unwrap();
    assert_eq!(log.header, header(&["a", "b"]));
    let games = [game(0, ["a", "b"], [100, 0]), game(1, ["b", "a"], [50, 50])];
    assert_eq!((&log.games[..], log.torn), (&games[..], None));
}

/// Wherever the program is killed, whole lines count, and the log is continued behind the last of them.
#[test]
fn a_log_torn_anywhere_keeps_its_whole_lines() {
    let text = text();
    let of_header = text.find('\n').unwrap() + 1;
    for end in of_header..text.len() {
        let torn = &text[..end];
        let log = TournamentLog::read(torn.as_bytes()).unwrap();
        let whole = torn.rfind('\n').unwrap() + 1;
        assert_eq!(log.games.len(), torn.matches('\n').count() - 1);
        let expected = (whole < end).then_some(TornLine {
            line: log.games.len() + 2,
            offset: whole as u64,
        });
        assert_eq!(log.torn, expected);
    }
    assert_eq!(
        fault(&text[..of_header - 1]),
        "1:1: not the log of a tournament: there is no header; `kolibri tournament` writes such logs"
    );
}

#[test]
fn a_game_beyond_the_plan_is_none_of_the_tournament() {
    let header = TournamentHeader {
        planned: Some(1),
        ..header(&["a", "b"])
    };
    let games = [game(0, ["a", "b"], [100, 0]), game(1, ["b", "a"], [50, 50])];
    let [planned, beyond] = games.map(|game| game.to_line());
    let log = TournamentLog::read((header.to_line() + &planned).as_bytes());
    assert_eq!(log.unwrap().games.len(), 1);
    let fault = fault(&(header.to_line() + &planned + &beyond));
    let expected = "`number` is 1, and the greatest that the header plans is 0";
    assert!(
        fault.starts_with("3:") && fault.contains(expected),
        "{fault}"
    );
}

#[test]
fn faults_are_told_with_their_place() {
    let good = text();
    let with = |old: &str, new: &str| {
        assert!(good.contains(old), "{old}");
        fault(&good.replacen(old, new, 1))
    };
    for (found, expected) in [
        (
            fault("(role red)\n"),
            "1:1: not the log of a tournament: expected value",
        ),
        (
            with("\"format\":1", "\"format\":7"),
            "1:1: the log has the format 7, and this program reads format 1",
        ),
        (
            with("\"name\":\"b\"", "\"name\":\"a\""),
            "1:1: the header has the name `a` twice",
        ),
        (
            with("\"number\":1", "\"number\":0"),
            "3:1: the log has a game whose `number` is 0 already",
        ),
        (
            with("\"number\":1", "\"number\":x"),
            "3:11: not a finished game: expected value",
        ),
        (
            with("\"game\":\"nim\"", "\"game\":\"go\""),
            "2:13: the header knows no game `go`",
        ),
        (
            with("[\"b\",\"a\"]", "[\"b\",\"c\"]"),
            "3:47: the header knows no player `c`",
        ),
        (
            with("[\"b\",\"a\"]", "[\"b\",null]"),
            "3:47: the role blue must have a player",
        ),
        (
            with("[100,0]", "[100,0,0]"),
            "2:67: `goals` has 3 entries, but the game has 2 roles",
        ),
        (
            with("[100,0]", "[101,0]"),
            "2:67: the goal value 101 is not in 0..=100",
        ),
        (
            with("[0.5,0.25]", "[-0.5,0.25]"),
            "-0.5 is no number of seconds",
        ),
        (
            with("\"plies\":10,", ""),
            "not a finished game: missing field `plies`",
        ),
        (
            with("\"plies\":10", "\"ply\":10"),
            "not a finished game: unknown field `ply`",
        ),
    ] {
        assert!(found.contains(expected), "{found}\nwithout\n{expected}");
    }
    let torn_inside = good.replacen("}\n", "\n", 3);
    assert!(
        fault(&torn_inside).starts_with("1:"),
        "{}",
        fault(&torn_inside)
    );
}

#[test]
fn the_hash_tells_moves_apart_and_never_changes() {
    let hash = |moves: &[&[&str]]| {
        let joints = moves
            .iter()
            .map(|joint| joint.iter().map(|mv| (*mv).to_owned()).collect());
        hash_of_moves(&joints.collect::<Vec<Vec<String>>>())
    };
    assert_eq!(hash(&[]), "e3b0c44298fc1c14");
    let different = [
        hash(&[&["a", "b"]]),
        hash(&[&["a"], &["b"]]),
        hash(&[&["ab"]]),
        hash(&[&["b", "a"]]),
    ];
    for (place, one) in different.iter().enumerate() {
        assert!(!different[place + 1..].contains(one), "{different:?}");
    }
}
