//! The tree that the formatter works on: unlike [`Sexpr`](crate::kif::Sexpr) it holds comments and blank lines.

use crate::kif::lexeme::{Lexeme, ends_line, lexemes};

/// Something in a list or outside all lists.
pub(super) struct Item<'t> {
    pub(super) piece: Piece<'t>,
    pub(super) gap: Gap,
    /// Characters on one line: [`None`] where a comment makes that impossible.
    pub(super) width: Option<usize>,
}

pub(super) enum Piece<'t> {
    Word(&'t str),
    List(Vec<Item<'t>>),
    /// Without blanks at its end.
    Comment(&'t str),
}

/// What separates an item from what stands before it, parentheses included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Blanks at most.
    None,
    /// The end of a line.
    Line,
    /// A line without anything on it, or several.
    Blank,
}

/// Everything in a text whose parentheses match and are not nested too deep.
pub(super) fn outline(text: &str) -> Vec<Item<'_>> {
    let mut stack = Vec::new();
    let mut items = Vec::new();
    let mut end = None;
    for (lexeme, span) in lexemes(text) {
        let gap = end.map_or(Gap::Line, |end| gap(&text[end..span.start]));
        end = Some(span.end);
        let piece = match lexeme {
            Lexeme::Word(word) => Piece::Word(word),
            Lexeme::Comment(comment) => Piece::Comment(comment.trim_end()),
            Lexeme::Open => {
                stack.push((gap, std::mem::take(&mut items)));
                continue;
            }
            Lexeme::Close => {
                let Some((gap, outer)) = stack.pop() else {
                    continue;
                };
                let list = Piece::List(std::mem::replace(&mut items, outer));
                items.push(Item::new(list, gap));
                continue;
            }
        };
        items.push(Item::new(piece, gap));
    }
    items
}

fn gap(blanks: &str) -> Gap {
    let line_ends = blanks.replace("\r\n", "\n").matches(ends_line).count();
    match line_ends {
        0 => Gap::None,
        1 => Gap::Line,
        _ => Gap::Blank,
    }
}

impl<'t> Item<'t> {
    fn new(piece: Piece<'t>, gap: Gap) -> Item<'t> {
        let width = piece.width();
        Item { piece, gap, width }
    }

    pub(super) fn is_comment(&self) -> bool {
        matches!(self.piece, Piece::Comment(_))
    }

    pub(super) fn is_word(&self) -> bool {
        matches!(self.piece, Piece::Word(_))
    }
}

impl Piece<'_> {
    fn width(&self) -> Option<usize> {
        match self {
            Piece::Word(word) => Some(word.chars().count()),
            Piece::Comment(_) => None,
            Piece::List(items) => {
                let widths = items.iter().map(|item| item.width);
                let spaces = items.len().saturating_sub(1);
                widths.sum::<Option<usize>>().map(|sum| sum + spaces + 2)
            }
        }
    }
}
