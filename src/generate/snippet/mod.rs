//! Facts and rules that GDL authors need again and again, since the language has no numbers, boards or turns.

mod board_size;
#[cfg(test)]
mod tests;
mod write;

use std::collections::HashSet;
use std::ops::RangeInclusive;

pub use board_size::{BoardSize, Touching};

/// The largest snippet, in facts and rules.
const LARGEST: usize = 100_000;

/// A piece of a rule file. It is printed as GDL, with a comment that says how to use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Snippet {
    /// `(succ N N+1)` for the numbers of the range.
    Counter(RangeInclusive<u32>),
    /// The successors of the range, and rules for `(less A B)`.
    Less(RangeInclusive<u32>),
    /// `(sum A B C)` for all sums of two numbers of the range that lie in the range.
    Sum(RangeInclusive<u32>),
    /// The blank cells of a board, and the rule by which a cell stays as it is.
    Board(BoardSize),
    /// A rule for `(line PIECE)` for each straight line of `length` cells of a board.
    Lines {
        /// The number of cells in a line.
        length: u32,
        /// The board.
        board: BoardSize,
    },
    /// `(adjacent X1 Y1 X2 Y2)` for all cells of a board that touch, or `(diagonal X1 Y1 X2 Y2)` for those that touch at a
    /// corner only.
    Adjacent {
        /// Which cells count as touching.
        touching: Touching,
        /// The board.
        board: BoardSize,
    },
    /// The edges of a graph, which lead both ways.
    Graph(Vec<(String, String)>),
    /// The roles, who take turns in this order, and their `noop`.
    Turns(Vec<String>),
}

/// Words that name no snippet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnippetError {
    /// The first word is unknown, or there is none.
    #[error("there is no snippet `{0}`")]
    Unknown(String),
    /// The words after the first do not have the form that the snippet needs.
    #[error("`{given}` cannot be written: an example of the form is `{form}`{limits}")]
    Form {
        /// All words.
        given: String,
        /// What they should look like.
        form: &'static str,
        /// What else is asked of them; empty where the form says all.
        limits: &'static str,
    },
    /// The snippet would be too long.
    #[error("the snippet would have {0} lines; at most {LARGEST} are written")]
    TooLong(usize),
    /// Nothing has this size.
    #[error("there is nothing to write: {0}")]
    Empty(&'static str),
}

/// The name of each snippet, an example, and what it writes.
pub const SNIPPETS: &[(&str, &str, &str)] = &[
    ("counter", "counter 0..60", "the successor of each number"),
    ("less", "less 0..20", "successors, and rules for the order"),
    ("sum", "sum 0..20", "the sum of every two numbers"),
    ("board", "board 8x8", "a blank board, and its frame rule"),
    ("lines", "lines 3 of 5x5", "a rule for every straight line"),
    (
        "adjacent",
        "adjacent 8x8",
        "the cells that touch; `4 of 8x8` without corners",
    ),
    (
        "diagonal",
        "diagonal 8x8",
        "the cells that touch at a corner",
    ),
    ("graph", "graph a-b b-c", "edges that lead both ways"),
    ("turns", "turns x o", "roles that move in turn"),
];

impl Snippet {
    /// Reads a snippet's name and sizes, such as `lines 3 of 5x5`, one word each.
    ///
    /// # Errors
    /// Says which word is wrong, and what was expected.
    pub fn read<S: AsRef<str>>(words: &[S]) -> Result<Self, SnippetError> {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let (name, rest) = words
            .split_first()
            .map_or(("", &[][..]), |(name, rest)| (*name, rest));
        let known = SNIPPETS.iter().find(|(known, ..)| *known == name);
        let Some(&(snippet, form, _)) = known else {
            return Err(SnippetError::Unknown(name.to_owned()));
        };
        let found = Self::of_words(snippet, rest).ok_or_else(|| SnippetError::Form {
            given: words.join(" "),
            form,
            limits: limits(snippet),
        })?;
        if let Some(why) = found.emptiness() {
            return Err(SnippetError::Empty(why));
        }
        match found.lines() {
            lines if lines > LARGEST => Err(SnippetError::TooLong(lines)),
            _ => Ok(found),
        }
    }

    /// Why there is nothing to write, if so.
    fn emptiness(&self) -> Option<&'static str> {
        match self {
            Self::Counter(range) | Self::Less(range) | Self::Sum(range)
                if range.start() >= range.end() =>
            {
                Some("the first number must be less than the second")
            }
            Self::Sum(range) if range.start().saturating_mul(2) > *range.end() => {
                Some("no two of these numbers have a sum among them")
            }
            Self::Lines { length, board } if *length > board.width.max(board.height) => {
                Some("the board is too small for such a line")
            }
            _ => None,
        }
    }

    fn of_words(name: &str, rest: &[&str]) -> Option<Self> {
        Some(match (name, rest) {
            ("counter", [range]) => Self::Counter(read_range(range)?),
            ("less", [range]) => Self::Less(read_range(range)?),
            ("sum", [range]) => Self::Sum(read_range(range)?),
            ("board", [size]) => Self::Board(BoardSize::read(size)?),
            ("lines", [length, "of", size]) => Self::Lines {
                length: length.parse().ok().filter(|length| *length > 1)?,
                board: BoardSize::read(size)?,
            },
            ("adjacent", [rest @ .., size]) => Self::Adjacent {
                touching: match rest {
                    [] | ["8", "of"] => Touching::SideOrCorner,
                    ["4", "of"] => Touching::Side,
                    _ => return None,
                },
                board: BoardSize::read(size)?,
            },
            ("diagonal", [size]) => Self::Adjacent {
                touching: Touching::Corner,
                board: BoardSize::read(size)?,
            },
            ("graph", [_, ..]) => Self::Graph(
                rest.iter()
                    .map(|edge| read_edge(edge))
                    .collect::<Option<_>>()?,
            ),
            ("turns", [_, ..]) if rest.iter().all(|role| is_constant(role)) && all_differ(rest) => {
                Self::Turns(rest.iter().map(|&role| role.to_owned()).collect())
            }
            _ => return None,
        })
    }

    /// About how many lines of facts and rules there are.
    fn lines(&self) -> usize {
        let count = |range: &RangeInclusive<u32>| (range.end() - range.start()) as usize;
        match self {
            Self::Counter(range) | Self::Less(range) => count(range),
            Self::Sum(range) => count(range).saturating_mul(count(range)) / 2,
            Self::Board(size) => size.cells(),
            Self::Lines { length, board } => {
                let rules = board.cells().saturating_mul(4);
                rules.saturating_mul(*length as usize + 1)
            }
            Self::Adjacent { board, .. } => board.cells().saturating_mul(8),
            Self::Graph(edges) => edges.len(),
            Self::Turns(roles) => 4 * roles.len(),
        }
    }
}

/// What the form of a snippet does not show.
fn limits(snippet: &str) -> &'static str {
    match snippet {
        "lines" => ", and a line has two cells at least",
        "graph" => ", and an edge leads from one word to another, without further hyphens",
        "turns" => ", and the roles differ",
        "board" | "adjacent" | "diagonal" => ", with whole numbers from 1 on",
        _ => "",
    }
}

fn read_range(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once("..")?;
    Some(first.parse().ok()?..=last.parse().ok()?)
}

fn read_edge(text: &str) -> Option<(String, String)> {
    let (one, other) = text.split_once('-')?;
    let is_edge = is_constant(one) && is_constant(other) && !other.contains('-') && one != other;
    is_edge.then(|| (one.to_owned(), other.to_owned()))
}

fn all_differ(words: &[&str]) -> bool {
    let mut earlier = HashSet::new();
    words.iter().all(|word| earlier.insert(word))
}

fn is_constant(word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
    !word.is_empty() && word.chars().all(is_part)
}
