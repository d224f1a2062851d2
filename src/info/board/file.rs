//! Board files: how the board of a game is to be drawn, in a small file beside its rules.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use unicode_width::UnicodeWidthStr;

use super::contents::COLOUR_NAMES;
use super::orientation::Orientation;
use crate::kif::LineIndex;
use crate::util::system_said;

/// What a board file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardFile {
    /// Where each point lies: x to the right, y upwards.
    pub points: BTreeMap<String, (usize, usize)>,
    /// The symbols of contents.
    pub symbols: BTreeMap<String, String>,
    /// The colours of contents, of [`COLOUR_NAMES`].
    pub colours: BTreeMap<String, &'static str>,
    /// The directions of the two coordinates.
    pub(super) orientation: Option<Orientation>,
}

/// Why a board file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BoardFileError {
    /// It cannot be read.
    #[error("cannot read {}: {}", .path.display(), system_said(.cause))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// It is too large.
    #[error("{} is larger than {} kB; board files are small", .path.display(), MOST_BYTES / 1000)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// It says something that cannot be.
    #[error("{}:{line}:{column}: {message}", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The facts of the game are about other points.
    #[error("{}: no relation of the game has the points of `[points]` as places; are all points listed, by the names of the rules?", .path.display())]
    ForeignPoints {
        /// The file.
        path: PathBuf,
    },
}

/// The largest board file, in bytes.
const MOST_BYTES: u64 = 64_000;
/// The most points.
const MOST_POINTS: usize = 400;
/// The greatest coordinate of a point.
const GREATEST: i64 = 99;
/// The most columns that a symbol takes.
const WIDEST: usize = 3;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFile {
    orientation: Option<Spanned<Vec<Direction>>>,
    #[serde(default)]
    points: BTreeMap<String, Spanned<Vec<i64>>>,
    #[serde(default)]
    symbols: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    colours: BTreeMap<String, Spanned<String>>,
}

/// Where a coordinate grows.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Right,
    Left,
    Up,
    Down,
}

impl BoardFile {
    /// The path of the board file of the rules at `rules`: `GAME.board.toml` beside `GAME.kif`.
    pub fn path_beside(rules: &Path) -> PathBuf {
        rules.with_extension("board.toml")
    }

    /// Reads the board file beside the rules at `rules`, if there is one.
    ///
    /// # Errors
    /// [`BoardFileError`] with the place in the file.
    pub fn beside(rules: &Path) -> Result<Option<Self>, BoardFileError> {
        let text = Self::text_beside(rules)?;
        let parse = |text: String| Self::parse(&text, &Self::path_beside(rules));
        text.map(parse).transpose()
    }

    /// The text of the board file beside the rules at `rules`, if there is one.
    ///
    /// # Errors
    /// [`BoardFileError`] where it cannot be read, or is too large.
    pub fn text_beside(rules: &Path) -> Result<Option<String>, BoardFileError> {
        let path = Self::path_beside(rules);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(BoardFileError::Unreadable { path, cause }),
        };
        let mut text = String::new();
        if let Err(cause) = file.take(MOST_BYTES + 1).read_to_string(&mut text) {
            return Err(BoardFileError::Unreadable { path, cause });
        }
        if text.len() as u64 > MOST_BYTES {
            return Err(BoardFileError::TooLarge { path });
        }
        Ok(Some(text))
    }

    /// Reads the text of the board file at `path`.
    ///
    /// # Errors
    /// [`BoardFileError::Invalid`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, BoardFileError> {
        let written = toml::from_str::<WrittenFile>(text);
        let written = written.map_err(|fault| (fault.span(), fault.message().to_owned()));
        written.and_then(check).map_err(|(span, message)| {
            let start = span.map_or(0, |span| span.start);
            let place = LineIndex::new(text).position(start);
            BoardFileError::Invalid {
                path: path.to_owned(),
                line: place.line,
                column: place.column,
                message,
            }
        })
    }
}

/// A place in the text, and what is wrong there.
type PlacedMessage = (Option<Range<usize>>, String);

fn check(written: WrittenFile) -> Result<BoardFile, PlacedMessage> {
    let mut symbols = BTreeMap::new();
    for (content, symbol) in written.symbols {
        let (span, symbol) = (symbol.span(), symbol.into_inner());
        let is_plain = !symbol.chars().any(|c| c.is_control() || c.is_whitespace());
        let width = symbol.width();
        if !is_plain || width == 0 || width > WIDEST || width != symbol.chars().count() {
            let what = format!(
                "the symbol of `{content}` must be one to {WIDEST} letters or signs, each one column wide"
            );
            return Err((Some(span), what));
        }
        symbols.insert(content, symbol);
    }
    Ok(BoardFile {
        points: check_points(written.points)?,
        symbols,
        colours: check_colours(written.colours)?,
        orientation: written.orientation.map(check_orientation).transpose()?,
    })
}

fn check_points(
    written: BTreeMap<String, Spanned<Vec<i64>>>,
) -> Result<BTreeMap<String, (usize, usize)>, PlacedMessage> {
    let mut taken: BTreeMap<(usize, usize), String> = BTreeMap::new();
    if written.len() > MOST_POINTS {
        let what = format!("there are more than {MOST_POINTS} points");
        return Err((None, what));
    }
    for (name, at) in written {
        let (span, at) = (Some(at.span()), at.into_inner());
        let [x, y] = at[..] else {
            let what = "a point has two coordinates, as in `[0, 3]`";
            return Err((span, what.to_owned()));
        };
        let on_map = |number: i64| {
            let number = Some(number).filter(|number| (0..=GREATEST).contains(number));
            number.and_then(|number| usize::try_from(number).ok())
        };
        let (Some(x), Some(y)) = (on_map(x), on_map(y)) else {
            let what = format!("the coordinates of a point lie between 0 and {GREATEST}");
            return Err((span, what));
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(other) = taken.insert((x, y), name.clone()) {
            let what = format!("`{name}` lies where `{other}` does");
            return Err((span, what));
        }
    }
    Ok(taken.into_iter().map(|(at, name)| (name, at)).collect())
}

fn check_colours(
    written: BTreeMap<String, Spanned<String>>,
) -> Result<BTreeMap<String, &'static str>, PlacedMessage> {
    let colour = |(content, colour): (String, Spanned<String>)| {
        let (span, colour) = (colour.span(), colour.into_inner());
        match COLOUR_NAMES.into_iter().find(|name| *name == colour) {
            Some(name) => Ok((content, name)),
            None => {
                let names = COLOUR_NAMES.join(", ");
                let what = format!("there is no colour `{colour}`; the colours are {names}");
                Err((Some(span), what))
            }
        }
    };
    written.into_iter().map(colour).collect()
}

fn check_orientation(written: Spanned<Vec<Direction>>) -> Result<Orientation, PlacedMessage> {
    let (span, written) = (written.span(), written.into_inner());
    let is_across = |direction| matches!(direction, Direction::Right | Direction::Left);
    match written[..] {
        [first, second] if is_across(first) != is_across(second) => Ok(Orientation {
            column_first: is_across(first),
            rows_up: written.contains(&Direction::Up),
            columns_left: written.contains(&Direction::Left),
        }),
        _ => {
            let what = "one coordinate grows to the `right` or `left`, the other one `up` or `down`, as in `[\"right\", \"up\"]`";
            Err((Some(span), what.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<BoardFile, String> {
        BoardFile::parse(text, Path::new("g.board.toml")).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_board_file_is_read() {
        let file = read(
            "orientation = [\"down\", \"right\"]\n[points]\na = [0, 2]\n\"outer  n\" = [3, 4]\n[symbols]\nwhite = \"○\"\n[colours]\nleft = \"teal\"",
        );
        let file = file.unwrap();
        assert_eq!(file.points["outer n"], (3, 4));
        assert_eq!(file.symbols["white"], "○");
        assert_eq!(file.colours["left"], "teal");
        let orientation = file.orientation.unwrap();
        assert!(!orientation.column_first && !orientation.rows_up);
        assert_eq!(read("").unwrap(), BoardFile::default());
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, told) in [
            (
                "[points]\na = [1, 2, 3]",
                "g.board.toml:2:5: a point has two coordinates, as in `[0, 3]`",
            ),
            (
                "[points]\na = [0, 2]\nb = [0, 2]",
                "g.board.toml:3:5: `b` lies where `a` does",
            ),
            (
                "[points]\na = [0, 100]",
                "g.board.toml:2:5: the coordinates of a point lie between 0 and 99",
            ),
            (
                "[points]\na = [0, -1]",
                "g.board.toml:2:5: the coordinates of a point lie between 0 and 99",
            ),
            (
                "[symbols]\n\nwhite = \"long\"",
                "g.board.toml:3:9: the symbol of `white` must be one to 3 letters or signs, each one column wide",
            ),
            (
                "[symbols]\nwhite = \"\"",
                "g.board.toml:2:9: the symbol of `white` must be one to 3 letters or signs, each one column wide",
            ),
            (
                "[symbols]\nwhite = \"王\"",
                "g.board.toml:2:9: the symbol of `white` must be one to 3 letters or signs, each one column wide",
            ),
            (
                "orientation = [\"up\", \"down\"]",
                "g.board.toml:1:15: one coordinate grows to the `right` or `left`, the other one `up` or `down`, as in `[\"right\", \"up\"]`",
            ),
            (
                "[colours]\nred = \"rot\"",
                "g.board.toml:2:7: there is no colour `rot`; the colours are white, light, black, dark, red, blue, green, yellow, gold, orange, pink, purple, magenta, teal",
            ),
            (
                "colour = 1",
                "g.board.toml:1:1: unknown field `colour`, expected one of `orientation`, `points`, `symbols`, `colours`",
            ),
            (
                "orientation = [\"north\", \"up\"]",
                "g.board.toml:1:16: unknown variant `north`, expected one of `right`, `left`, `up`, `down`",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), told, "{text}");
        }
        let many: String = (0..401).map(|n| format!("p{n} = [1, 1]\n")).collect();
        let told = read(&format!("[points]\n{many}")).unwrap_err();
        assert!(told.contains("more than 400 points"), "{told}");
        for broken in ["[points", "[points]\na = 3", "\u{0}", "points = 1"] {
            let told = read(broken).unwrap_err();
            assert!(told.starts_with("g.board.toml:"), "{told}");
        }
    }
}
