//! The tree that the formatter works on: unlike [`Sexpr`](crate::kif::Sexpr) it holds comments and blank lines.

use crate::kif::lexeme::{Lexeme, ends_line, lexemes};

/// Something in a list or outside all lists.
pub(super) struct OutlineItem<'t> {
    pub(super) piece: OutlineNode<'t>,
    pub(super) gap: Gap,
    /// Characters on one line: [`None`] where a comment makes that impossible.
    pub(super) width: Option<usize>,
}

pub(super) enum OutlineNode<'t> {
    Word(&'t str),
    List(Vec<OutlineItem<'t>>),
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
pub(super) fn outline(text: &str) -> Vec<OutlineItem<'_>> {
    let mut stack = Vec::new();
    let mut items = Vec::new();
    let mut end = None;
    for (lexeme, span) in lexemes(text) {
        let gap = end.map_or(Gap::Line, |end| gap(&text[end..span.start]));
        end = Some(span.end);
        let piece = match lexeme {
            Lexeme::Word(word) => OutlineNode::Word(word),
            Lexeme::Comment(comment) => OutlineNode::Comment(comment.trim_end()),
            Lexeme::Open => {
                stack.push((gap, std::mem::take(&mut items)));
                continue;
            }
            Lexeme::Close => {
                let Some((gap, outer)) = stack.pop() else {
                    continue;
                };
                let list = OutlineNode::List(std::mem::replace(&mut items, outer));
                items.push(OutlineItem::new(list, gap));
                continue;
            }
        };
        items.push(OutlineItem::new(piece, gap));
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

impl<'t> OutlineItem<'t> {
    fn new(piece: OutlineNode<'t>, gap: Gap) -> OutlineItem<'t> {
        let width = piece.width();
        OutlineItem { piece, gap, width }
    }

    pub(super) fn is_comment(&self) -> bool {
        matches!(self.piece, OutlineNode::Comment(_))
    }

    pub(super) fn is_word(&self) -> bool {
        matches!(self.piece, OutlineNode::Word(_))
    }
}

impl OutlineNode<'_> {
    fn width(&self) -> Option<usize> {
        match self {
            OutlineNode::Word(word) => Some(word.chars().count()),
            OutlineNode::Comment(_) => None,
            OutlineNode::List(items) => {
                let widths = items.iter().map(|item| item.width);
                let spaces = items.len().saturating_sub(1);
                widths.sum::<Option<usize>>().map(|sum| sum + spaces + 2)
            }
        }
    }
}
