//! Facts and rules that GDL authors need again and again, since the language has no numbers, boards or turns.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

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
    /// `(adjacent X1 Y1 X2 Y2)` for all cells of a board that touch.
    Adjacent {
        /// Whether cells that touch at a corner count.
        diagonal: bool,
        /// The board.
        board: BoardSize,
    },
    /// The edges of a graph, which lead both ways.
    Graph(Vec<(String, String)>),
    /// The roles, who take turns in this order, and their `noop`.
    Turns(Vec<String>),
}

/// The size of a board, its columns and rows numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardSize {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

/// Words that name no snippet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnippetError {
    /// The first word is unknown, or there is none.
    #[error("there is no snippet `{0}`")]
    Unknown(String),
    /// The words after the first do not have the form that the snippet needs.
    #[error("`{given}` does not say which {snippet}: write it as `{form}`")]
    Form {
        /// The first word.
        snippet: &'static str,
        /// The words after it.
        given: String,
        /// What they should look like.
        form: &'static str,
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
            snippet,
            given: rest.join(" "),
            form,
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
            ("board", [size]) => Self::Board(read_size(size)?),
            ("lines", [length, "of", size]) => Self::Lines {
                length: length.parse().ok().filter(|length| *length > 1)?,
                board: read_size(size)?,
            },
            ("adjacent", [size]) => Self::Adjacent {
                diagonal: true,
                board: read_size(size)?,
            },
            ("adjacent", [count @ ("4" | "8"), "of", size]) => Self::Adjacent {
                diagonal: *count == "8",
                board: read_size(size)?,
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

impl BoardSize {
    fn cells(self) -> usize {
        (self.width as usize).saturating_mul(self.height as usize)
    }

    /// All cells, column by column.
    fn all(self) -> impl Iterator<Item = (u32, u32)> {
        (1..=self.width).flat_map(move |x| (1..=self.height).map(move |y| (x, y)))
    }

    /// The cells that touch a cell at a side, and at a corner if `diagonal`.
    fn around(self, x: u32, y: u32, diagonal: bool) -> impl Iterator<Item = (u32, u32)> {
        let near =
            |middle: u32, last: u32| middle.saturating_sub(1).max(1)..=(middle + 1).min(last);
        let columns = near(x, self.width);
        let cells = columns.flat_map(move |x2| near(y, self.height).map(move |y2| (x2, y2)));
        let most = if diagonal { 2 } else { 1 };
        cells.filter(move |&(x2, y2)| (1..=most).contains(&(x.abs_diff(x2) + y.abs_diff(y2))))
    }

    /// The lines of `length` cells that begin at a cell and lead to the right, up, or both ways diagonally.
    fn lines(self, length: u32) -> impl Iterator<Item = Vec<(u32, u32)>> {
        const DIRECTIONS: [(i64, i64); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let starts = self
            .all()
            .flat_map(|start| DIRECTIONS.map(|direction| (start, direction)));
        starts.filter_map(move |((x, y), (right, up))| {
            let cell = |step: u32| {
                let x = u32::try_from(i64::from(x) + right * i64::from(step)).ok()?;
                let y = u32::try_from(i64::from(y) + up * i64::from(step)).ok()?;
                ((1..=self.width).contains(&x) && (1..=self.height).contains(&y)).then_some((x, y))
            };
            cell(length - 1)?;
            (0..length).map(cell).collect()
        })
    }
}

fn read_range(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once("..")?;
    Some(first.parse().ok()?..=last.parse().ok()?)
}

fn read_size(text: &str) -> Option<BoardSize> {
    let (width, height) = text.split_once('x')?;
    let size = BoardSize {
        width: width.parse().ok()?,
        height: height.parse().ok()?,
    };
    (size.cells() > 0).then_some(size)
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

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counter(range) => write_counter(f, range),
            Self::Less(range) => {
                f.write_str("; (less A B): the number A is less than B; (not (less B A)): A is at most B.\n")?;
                f.write_str("; The successors are those of the snippet `counter`; one of the two is enough.\n")?;
                write_successors(f, range)?;
                f.write_str("(<= (less ?a ?b)\n    (succ ?a ?b))\n")?;
                f.write_str("(<= (less ?a ?c)\n    (succ ?a ?b)\n    (less ?b ?c))\n")
            }
            Self::Sum(range) => write_sums(f, range),
            Self::Board(size) => write_board(f, *size),
            Self::Lines { length, board } => write_lines(f, *length, *board),
            Self::Adjacent { diagonal, board } => write_adjacent(f, *diagonal, *board),
            Self::Graph(edges) => write_graph(f, edges),
            Self::Turns(roles) => write_turns(f, roles),
        }
    }
}

fn write_counter(f: &mut fmt::Formatter<'_>, range: &RangeInclusive<u32>) -> fmt::Result {
    let (first, last) = (range.start(), range.end());
    writeln!(
        f,
        "; The numbers from {first} to {last}. A game that ends after {} plies:",
        last - first
    )?;
    writeln!(f, ";   (init (step {first}))")?;
    f.write_str(";   (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))\n")?;
    writeln!(f, ";   (<= terminal (true (step {last})))")?;
    write_successors(f, range)
}

fn write_successors(f: &mut fmt::Formatter<'_>, range: &RangeInclusive<u32>) -> fmt::Result {
    (*range.start()..*range.end()).try_for_each(|n| writeln!(f, "(succ {n} {})", n + 1))
}

fn write_sums(f: &mut fmt::Formatter<'_>, range: &RangeInclusive<u32>) -> fmt::Result {
    f.write_str("; (sum A B C): A and B make C. For a difference, ask for the second number.\n")?;
    for a in range.clone() {
        for b in range.clone() {
            let sum = a.checked_add(b).filter(|sum| range.contains(sum));
            if let Some(sum) = sum {
                writeln!(f, "(sum {a} {b} {sum})")?;
            }
        }
    }
    Ok(())
}

fn write_board(f: &mut fmt::Formatter<'_>, size: BoardSize) -> fmt::Result {
    let BoardSize { width, height } = size;
    writeln!(
        f,
        "; A board of {width} columns and {height} rows, all blank (b). A cell stays as it is unless"
    )?;
    f.write_str("; a rule of yours says `(changed X Y)`, such as:\n")?;
    f.write_str(";   (<= (changed ?x ?y) (does ?role (mark ?x ?y)))\n")?;
    f.write_str(";   (<= (next (cell ?x ?y ?role)) (does ?role (mark ?x ?y)))\n")?;
    f.write_str("; To begin with a piece on a cell, replace its line: (init (cell 1 1 x)), not b as well.\n")?;
    let mut cells = size.all();
    cells.try_for_each(|(x, y)| writeln!(f, "(init (cell {x} {y} b))"))?;
    f.write_str(
        "(<= (next (cell ?x ?y ?c))\n    (true (cell ?x ?y ?c))\n    (not (changed ?x ?y)))\n",
    )
}

fn write_lines(f: &mut fmt::Formatter<'_>, length: u32, board: BoardSize) -> fmt::Result {
    writeln!(
        f,
        "; (line PIECE): {length} cells in a straight line hold the piece; ask for the piece of a role,"
    )?;
    f.write_str("; such as (<= (goal x 100) (line x)).\n")?;
    for line in board.lines(length) {
        let mut rule = "(<= (line ?piece)".to_owned();
        for (x, y) in line {
            write!(rule, "\n    (true (cell {x} {y} ?piece))")?;
        }
        writeln!(f, "{rule})")?;
    }
    Ok(())
}

fn write_adjacent(f: &mut fmt::Formatter<'_>, diagonal: bool, board: BoardSize) -> fmt::Result {
    let touching = if diagonal {
        "at a side or a corner"
    } else {
        "at a side"
    };
    writeln!(
        f,
        "; (adjacent X1 Y1 X2 Y2): the cells X1 Y1 and X2 Y2 touch {touching}."
    )?;
    for (x, y) in board.all() {
        for (x2, y2) in board.around(x, y, diagonal) {
            writeln!(f, "(adjacent {x} {y} {x2} {y2})")?;
        }
    }
    Ok(())
}

fn write_graph(f: &mut fmt::Formatter<'_>, edges: &[(String, String)]) -> fmt::Result {
    f.write_str("; (joined A B): an edge leads from A to B or from B to A.\n")?;
    for (one, other) in edges {
        writeln!(f, "(edge {one} {other})")?;
    }
    f.write_str("(<= (joined ?a ?b)\n    (edge ?a ?b))\n")?;
    f.write_str("(<= (joined ?a ?b)\n    (edge ?b ?a))\n")
}

fn write_turns(f: &mut fmt::Formatter<'_>, roles: &[String]) -> fmt::Result {
    f.write_str("; Moves of the role in control need the condition (true (control ROLE)).\n")?;
    roles
        .iter()
        .try_for_each(|role| writeln!(f, "(role {role})"))?;
    writeln!(f, "(init (control {}))", roles[0])?;
    let followers = roles.iter().cycle().skip(1);
    for (role, next) in roles.iter().zip(followers) {
        writeln!(
            f,
            "(<= (next (control {next}))\n    (true (control {role})))"
        )?;
    }
    let mut waiting = roles.iter();
    waiting.try_for_each(|role| {
        writeln!(
            f,
            "(<= (legal {role} noop)\n    (not (true (control {role}))))"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl;
    use crate::kif::format;

    fn snippet(text: &str) -> String {
        let words: Vec<&str> = text.split(' ').collect();
        Snippet::read(&words).unwrap().to_string()
    }

    #[test]
    fn snippets_make_a_game_without_findings() {
        let mut text = snippet("turns x o") + &snippet("board 3x3") + &snippet("lines 3 of 3x3");
        text += "(<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y b)))
            (<= (changed ?x ?y) (does ?r (mark ?x ?y)))
            (<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
            (<= open (true (cell ?x ?y b)))
            (<= decided (role ?r) (line ?r))
            (<= terminal decided) (<= terminal (not open))
            (<= (goal ?r 100) (role ?r) (line ?r))
            (<= (goal ?r 50) (role ?r) (not decided))
            (<= (goal ?r 0) (role ?r) decided (not (line ?r)))";
        let checked = gdl::load(&text);
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        assert_eq!(text.matches("(<= (line ?piece)").count(), 8);
    }

    #[test]
    fn numbers_are_listed() {
        assert!(snippet("counter 0..2").ends_with("(succ 0 1)\n(succ 1 2)\n"));
        let sums = snippet("sum 0..2");
        let facts: Vec<&str> = sums.lines().skip(1).collect();
        assert_eq!(
            facts,
            [
                "(sum 0 0 0)",
                "(sum 0 1 1)",
                "(sum 0 2 2)",
                "(sum 1 0 1)",
                "(sum 1 1 2)",
                "(sum 2 0 2)"
            ]
        );
        let less = snippet("less 1..3");
        assert!(less.contains("\n(succ 1 2)\n(succ 2 3)\n(<= (less ?a ?b)\n    (succ ?a ?b))\n"));
    }

    #[test]
    fn snippets_have_the_layout_of_the_formatter() {
        for (_, example, _) in SNIPPETS {
            let text = snippet(example);
            assert_eq!(format(&text), Ok(text), "{example}");
        }
    }

    #[test]
    fn cells_that_touch_are_listed_both_ways() {
        let facts = |text: &str| snippet(text).matches("\n(adjacent ").count();
        assert_eq!(facts("adjacent 3x2"), 2 * (4 + 3 + 4));
        assert_eq!(facts("adjacent 4 of 3x2"), 2 * (4 + 3));
        let graph = snippet("graph a-b b-c");
        assert!(graph.contains("\n(edge a b)\n(edge b c)\n(<= (joined ?a ?b)"));
    }

    #[test]
    fn sizes_with_nothing_to_write_are_refused() {
        for text in [
            "counter 9..3",
            "counter 5..5",
            "less 2..1",
            "sum 10..15",
            "sum 3..1",
            "lines 8 of 3x3",
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            let fault = Snippet::read(&words).unwrap_err();
            assert!(matches!(fault, SnippetError::Empty(_)), "{text}: {fault}");
        }
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let fault = |text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            Snippet::read(&words).unwrap_err()
        };
        assert_eq!(fault("dice 6"), SnippetError::Unknown("dice".to_owned()));
        for text in [
            "counter 5",
            "board 0x3",
            "lines 1 of 3x3",
            "lines 3 5x5",
            "turns (x",
            "turns x x",
            "adjacent 5 of 3x3",
            "graph a-a",
            "graph a-b-c",
            "turns",
        ] {
            assert!(matches!(fault(text), SnippetError::Form { .. }), "{text}");
        }
        assert!(matches!(
            fault("board 99999x99999"),
            SnippetError::TooLong(_)
        ));
    }
}
