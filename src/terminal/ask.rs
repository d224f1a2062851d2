//! What a person types: lines read with care, commands, and moves by number or text.

use std::io::{self, BufRead, Read};

use crate::terminal::words::quoted;

/// The longest line that is listened to, in bytes.
const LONGEST: u64 = 4096;

/// A line that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// The line, without blanks at its ends; control characters became blanks.
    Line(String),
    /// A line too long to mean anything.
    TooLong,
    /// There will be no more lines.
    End,
}

/// Reads one line, however long, in bounded memory.
pub(super) fn read_line(input: &mut dyn BufRead) -> io::Result<Typed> {
    let mut bytes = Vec::new();
    (&mut *input).take(LONGEST).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Typed::End);
    }
    if !bytes.ends_with(b"\n") && bytes.len() as u64 == LONGEST {
        skip_line(input)?;
        return Ok(Typed::TooLong);
    }
    let text = String::from_utf8_lossy(&bytes);
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    Ok(Typed::Line(text.trim().to_owned()))
}

fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (used, is_over) = match end {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if is_over {
            return Ok(());
        }
    }
}

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Request {
    Help,
    Moves,
    Board,
    Facts,
    Undo,
    Hint,
    Save(String),
    Load(String),
    Quit,
    /// Nothing was typed.
    Nothing,
    /// Anything else: a move, by number or text.
    Move(String),
}

impl Request {
    pub(super) fn of(line: &str) -> Self {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        match (word.to_lowercase().as_str(), rest.is_empty()) {
            ("", _) => Self::Nothing,
            ("help" | "h" | "?", true) => Self::Help,
            ("moves" | "m" | "legal", true) => Self::Moves,
            ("board" | "b", true) => Self::Board,
            ("facts", true) => Self::Facts,
            ("undo" | "u", true) => Self::Undo,
            ("hint", true) => Self::Hint,
            ("quit" | "q" | "exit", true) => Self::Quit,
            ("save", _) => Self::Save(rest),
            ("load", _) => Self::Load(rest),
            _ => Self::Move(line.to_owned()),
        }
    }
}

/// The place among `legal` of the move that a person means: its number from 1, or its text, with or without
/// parentheses, in any spacing and case, or so much of its beginning that no other move is meant, or what follows its
/// first word.
///
/// # Errors
/// Says why no single move is meant.
pub(super) fn find_move(text: &str, legal: &[String]) -> Result<usize, String> {
    if let Some(place) = legal.iter().position(|mv| mv == text) {
        return Ok(place);
    }
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
        let number = text
            .parse()
            .ok()
            .filter(|number| (1..=legal.len()).contains(number));
        if let Some(number) = number {
            return Ok(number - 1);
        }
        let most = legal.len();
        return Err(format!(
            "there is no move number {}: the moves are numbered 1 to {most}",
            quoted(text)
        ));
    }
    let wanted = words(text);
    let all: Vec<Vec<String>> = legal.iter().map(|mv| words(mv)).collect();
    if let Some(place) = all.iter().position(|mv| *mv == wanted) {
        return Ok(place);
    }
    let begins: Vec<usize> = (0..all.len())
        .filter(|&place| is_start(&wanted, &all[place]))
        .collect();
    match begins[..] {
        [only] => Ok(only),
        [] => by_arguments(&wanted, &all)
            .ok_or_else(|| format!("{} is no legal move now", quoted(text))),
        _ => Err(ambiguous(text, &begins, legal)),
    }
}

/// The only move with exactly these words behind its first one.
fn by_arguments(wanted: &[String], all: &[Vec<String>]) -> Option<usize> {
    let fits = |mv: &Vec<String>| !wanted.is_empty() && mv.get(1..) == Some(wanted);
    let mut places = (0..all.len()).filter(|&place| fits(&all[place]));
    places.next().filter(|_| places.next().is_none())
}

fn ambiguous(text: &str, begins: &[usize], legal: &[String]) -> String {
    const LISTED: usize = 6;
    let listed = begins
        .iter()
        .take(LISTED)
        .map(|&place| legal[place].as_str());
    let listed: Vec<&str> = listed.collect();
    let more = if begins.len() > LISTED { ", …" } else { "" };
    format!("{} may mean {}{more}", quoted(text), listed.join(", "))
}

/// The words of a move, without parentheses, in lower case.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether `mv` begins with these words, the last of which may be cut short.
fn is_start(start: &[String], mv: &[String]) -> bool {
    let Some((last, before)) = start.split_last() else {
        return false;
    };
    mv.len() >= start.len()
        && mv[..before.len()] == *before
        && mv[before.len()].starts_with(last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal() -> Vec<String> {
        let texts = [
            "(mark 1 1)",
            "(mark 1 2)",
            "(mark 10 3)",
            "(move a 1 b 2)",
            "noop",
        ];
        texts.map(str::to_owned).to_vec()
    }

    #[test]
    fn moves_are_found_in_many_guises() {
        for (text, place) in [
            ("1", 0),
            ("5", 4),
            ("(mark 1 2)", 1),
            ("( MARK  1 2", 1),
            ("mark 1 2", 1),
            ("mark 10", 2),
            ("mo", 3),
            ("move a 1", 3),
            ("n", 4),
            ("1 2", 1),
        ] {
            assert_eq!(find_move(text, &legal()), Ok(place), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_explained() {
        let fault = |text: &str| find_move(text, &legal()).unwrap_err();
        assert_eq!(
            fault("mark 1"),
            "`mark 1` may mean (mark 1 1), (mark 1 2), (mark 10 3)"
        );
        assert_eq!(
            fault("0"),
            "there is no move number `0`: the moves are numbered 1 to 5"
        );
        assert!(fault(&"9".repeat(100)).contains("99…`"));
        assert_eq!(fault("()"), "`()` is no legal move now");
        assert_eq!(fault("pass"), "`pass` is no legal move now");
    }

    #[test]
    fn lines_are_read_in_bounded_memory() {
        let long = format!("{}\nnext\u{7}\r\nlast", "x".repeat(100_000));
        let mut input = long.as_bytes();
        assert_eq!(read_line(&mut input).unwrap(), Typed::TooLong);
        assert_eq!(
            read_line(&mut input).unwrap(),
            Typed::Line("next".to_owned())
        );
        assert_eq!(
            read_line(&mut input).unwrap(),
            Typed::Line("last".to_owned())
        );
        assert_eq!(read_line(&mut input).unwrap(), Typed::End);
    }

    #[test]
    fn commands_are_told_from_moves() {
        assert_eq!(Request::of("QUIT"), Request::Quit);
        assert_eq!(
            Request::of("save my game.json"),
            Request::Save("my game.json".to_owned())
        );
        assert_eq!(
            Request::of("move a 1"),
            Request::Move("move a 1".to_owned())
        );
        assert_eq!(Request::of("board 2"), Request::Move("board 2".to_owned()));
        assert_eq!(Request::of(""), Request::Nothing);
    }
}
