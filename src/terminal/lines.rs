//! The lines that a person types.

use std::io::{self, BufRead, Read, Write};

use crate::drawing::Screen;
use crate::play::{Session, Spec};
use crate::terminal::interactive::STRONG;

/// The longest line that is listened to, in bytes.
const LONGEST: u64 = 4096;

/// A line that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// The line, without blanks at its ends; control characters became blanks.
    Line(String),
    /// A line too long to mean anything.
    TooLong,
    /// A line that is not UTF-8.
    NoText,
    /// There will be no more lines.
    End,
    /// Ctrl-C.
    Interrupted,
}

impl Typed {
    /// A line as it came in.
    pub fn from_line(line: &str) -> Self {
        if line.len() as u64 >= LONGEST {
            return Self::TooLong;
        }
        let blank = |c: char| if c.is_control() { ' ' } else { c };
        let line: String = line.chars().map(blank).collect();
        Self::Line(line.trim().to_owned())
    }
}

/// The game as a person sees it.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'s> {
    /// Its position, and how it was reached.
    pub session: &'s Session,
    /// Draws it.
    pub screen: &'s Screen,
    /// Who plays, by role.
    pub players: &'s [Spec],
    /// The role that a person is asked to move for, if one is.
    pub role: Option<usize>,
    /// How the game ended, if it did.
    pub end: Option<&'s str>,
    /// What else was played.
    pub variations: &'s [LeftLine],
}

/// A line that was left for other moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftLine {
    /// By what number it is gone to.
    pub number: usize,
    /// Plies that it has in common with the line that is shown.
    pub after: usize,
    /// What was played then, for each ply.
    pub moves: Vec<String>,
}

/// Where the lines of a person come from.
pub trait LineSource {
    /// Shows the game itself; `false` where the board and the legal moves are to be written to the output instead.
    fn show_game(&mut self, scene: Scene<'_>) -> bool {
        let _ = scene;
        false
    }

    /// Reads a line after showing `prompt`; `output` is where everything else was written. `moves` are those that may
    /// be played, for completion.
    ///
    /// # Errors
    /// When input or output fail.
    fn read(&mut self, prompt: &str, moves: &[String], output: &mut dyn Write)
    -> io::Result<Typed>;

    /// Forgets what was typed and not read yet, while a machine thought.
    ///
    /// # Errors
    /// When the input fails.
    fn discard_typed_ahead(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Whether a person sits at a terminal, who can answer questions and press Ctrl-C.
    fn is_terminal(&self) -> bool {
        false
    }

    /// Tells the person what takes time, until [`LineSource::end_activity`].
    fn show_activity(&mut self, doing: &str) {
        let _ = doing;
    }

    /// Tells it no longer.
    fn end_activity(&mut self) {}

    /// Columns of the terminal at this time, if there is one.
    fn width(&self) -> Option<usize> {
        None
    }
}

/// Lines of a file or a pipe, of which each is read, however long, in bounded memory.
#[derive(Debug)]
pub struct PipedLines<R>(pub R);

impl<R: BufRead> LineSource for PipedLines<R> {
    fn read(&mut self, prompt: &str, _: &[String], output: &mut dyn Write) -> io::Result<Typed> {
        write!(output, "{STRONG}{prompt}{STRONG:#} ")?;
        output.flush()?;
        let typed = read_line(&mut self.0)?;
        if typed == Typed::End {
            writeln!(output)?;
        }
        Ok(typed)
    }
}

fn read_line(input: &mut impl BufRead) -> io::Result<Typed> {
    let mut bytes = Vec::new();
    input.take(LONGEST).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Typed::End);
    }
    if !bytes.ends_with(b"\n") && bytes.len() as u64 == LONGEST {
        input.skip_until(b'\n')?;
        return Ok(Typed::TooLong);
    }
    Ok(match str::from_utf8(&bytes) {
        Ok(line) => Typed::from_line(line),
        // Read otherwise, it would name another file.
        Err(_) => Typed::NoText,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_in_bounded_memory() {
        let long = format!("{}\nnext\u{7}\r\nlast", "x".repeat(100_000));
        let mut input = long.as_bytes();
        assert_eq!(read_line(&mut input).unwrap(), Typed::TooLong);
        assert_eq!(read_line(&mut input).unwrap(), Typed::from_line("next"));
        assert_eq!(read_line(&mut input).unwrap(), Typed::from_line("last"));
        assert_eq!(read_line(&mut input).unwrap(), Typed::End);
        assert_eq!(read_line(&mut &b"save \xff\n"[..]).unwrap(), Typed::NoText);
    }
}
