//! The lexer (a nom grammar). Blanks are skipped.

use nom::branch::alt;
use nom::bytes::complete::{take_till, take_while, take_while1};
use nom::character::complete::char;
use nom::combinator::{map, recognize, value};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::kif::Span;

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lexeme<'t> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A maximal run of characters other than white space, parentheses and `;`.
    Word(&'t str),
    /// From a `;`, even one in the middle of a word, to just before the end of the line.
    Comment(&'t str),
}

/// The lexemes of a text and where they stand, in order.
pub fn lexemes(text: &str) -> Lexemes<'_> {
    Lexemes { text, rest: text }
}

/// See [`lexemes`].
#[derive(Debug)]
pub struct Lexemes<'t> {
    text: &'t str,
    rest: &'t str,
}

impl<'t> Iterator for Lexemes<'t> {
    type Item = (Lexeme<'t>, Span);

    fn next(&mut self) -> Option<Self::Item> {
        // Every character but a blank begins a lexeme, so that only the end of the text is refused.
        let (rest, found) = preceded(take_while(is_blank), lexeme)
            .parse(self.rest)
            .ok()?;
        self.rest = rest;
        let end = self.text.len() - rest.len();
        Some((found, Span::new(end - found.len(), end)))
    }
}

impl Lexeme<'_> {
    fn len(&self) -> usize {
        match self {
            Lexeme::Open | Lexeme::Close => 1,
            Lexeme::Word(text) | Lexeme::Comment(text) => text.len(),
        }
    }
}

fn lexeme(input: &str) -> IResult<&str, Lexeme<'_>> {
    let comment = recognize((char(';'), take_till(ends_line)));
    alt((
        map(take_while1(is_of_word), Lexeme::Word),
        value(Lexeme::Open, char('(')),
        value(Lexeme::Close, char(')')),
        map(comment, Lexeme::Comment),
    ))
    .parse(input)
}

/// Whether a comment ends before this character.
pub(super) fn ends_line(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

fn is_blank(character: char) -> bool {
    character.is_whitespace()
}

/// Whether a character may stand in a word: anything but white space, parentheses and `;`.
pub fn is_of_word(character: char) -> bool {
    !matches!(character, '(' | ')' | ';') && !is_blank(character)
}

#[cfg(test)]
mod tests {
    use super::{Lexeme, lexemes};

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = lexemes(text)
            .map(|(_, span)| &text[span.start..span.end])
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_end_at_blanks_parentheses_and_semicolons() {
        check("(a b)c", &["(", "a", "b", ")", "c"]);
        check("a;b c\nd;e\rf", &["a", ";b c", "d", ";e", "f"]);
        check("?n++ <= map+", &["?n++", "<=", "map+"]);
        check("a\u{a0}b\u{3000}ž", &["a", "b", "ž"]);
        check(" \t\r\n", &[]);
        check("", &[]);
        check(";", &[";"]);
    }

    #[test]
    fn kinds_are_told_apart() {
        let kinds: Vec<Lexeme> = lexemes("(a);b").map(|(lexeme, _)| lexeme).collect();
        let expected = [
            Lexeme::Open,
            Lexeme::Word("a"),
            Lexeme::Close,
            Lexeme::Comment(";b"),
        ];
        assert_eq!(kinds, expected);
    }
}
