//! Error recovery for unbalanced parentheses: where they are probably missing, judged by the indentation.

use crate::kif::lexeme::{Lexeme, ends_line, lexemes};
use crate::kif::parse::MAX_DIAGNOSTICS;
use crate::kif::{Diagnostic, Fix, Sexpr, Span};

/// Closing parentheses that are missing at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repair {
    /// Behind the last lexeme that the lists should hold.
    pub(super) place: usize,
    /// How many of the innermost lists end there.
    pub(super) count: usize,
    /// Where the outermost of them opens.
    open: usize,
    /// Whether that is only known from the end of the text.
    at_end: bool,
}

/// The missing parentheses of a text whose lists at `unclosed` (offsets of `(`, ascending) have no end.
///
/// A list should have ended before a line that begins no further to the right than the list itself, because
/// everything inside a list is indented deeper than it. That is believed only inside lists that are known to lack
/// their end, and never for more parentheses than those lack: files whose lines all begin at the margin are common.
pub(super) fn repairs(text: &str, unclosed: &[usize]) -> Vec<Repair> {
    let mut search = RepairSearch {
        unclosed,
        stack: Vec::new(),
        missing: 0,
        repairs: Vec::new(),
    };
    let mut columns = ColumnCounter::new(text);
    let mut place = 0;
    for (lexeme, span) in lexemes(text) {
        if let Lexeme::Comment(_) = lexeme {
            continue;
        }
        let column = columns.advance(span.start);
        if column.begins_line && search.missing > 0 {
            search.end_lists_at(column.number, place);
        }
        search.take(lexeme, span.start, column.number);
        place = span.end;
    }
    search.finish(place)
}

struct RepairSearch<'u> {
    /// Those not reached yet.
    unclosed: &'u [usize],
    /// Offset and column of the opening parentheses, outermost first.
    stack: Vec<(usize, usize)>,
    /// How many parentheses the lists on the stack lack.
    missing: usize,
    repairs: Vec<Repair>,
}

impl RepairSearch<'_> {
    fn take(&mut self, lexeme: Lexeme<'_>, offset: usize, column: usize) {
        match lexeme {
            Lexeme::Open => self.stack.push((offset, column)),
            Lexeme::Close => drop(self.stack.pop()),
            Lexeme::Word(_) | Lexeme::Comment(_) => {}
        }
        if self.unclosed.first() == Some(&offset) {
            self.unclosed = &self.unclosed[1..];
            self.missing += 1;
        }
    }

    /// Ends the innermost lists that do not begin to the left of `column`.
    fn end_lists_at(&mut self, column: usize, place: usize) {
        let inside = |(_, start): &&(usize, usize)| *start >= column;
        let count = self.stack.iter().rev().take_while(inside).count();
        if count > 0 && count <= self.missing {
            self.end_innermost(count, place, false);
        }
    }

    fn end_innermost(&mut self, count: usize, place: usize, at_end: bool) {
        let kept = self.stack.len() - count;
        let open = self.stack[kept].0;
        self.stack.truncate(kept);
        self.missing -= count;
        self.repairs.push(Repair {
            place,
            count,
            open,
            at_end,
        });
    }

    /// What is still missing at the end of the text is missing there.
    fn finish(mut self, place: usize) -> Vec<Repair> {
        if !self.stack.is_empty() {
            self.end_innermost(self.stack.len(), place, true);
        }
        self.repairs
    }
}

/// Computes the columns of ascending offsets.
struct ColumnCounter<'t> {
    text: &'t str,
    offset: usize,
    column: LexemeColumn,
}

#[derive(Clone, Copy)]
struct LexemeColumn {
    number: usize,
    /// Whether only blanks stand to the left.
    begins_line: bool,
}

impl<'t> ColumnCounter<'t> {
    const MARGIN: LexemeColumn = LexemeColumn {
        number: 0,
        begins_line: true,
    };

    fn new(text: &'t str) -> ColumnCounter<'t> {
        ColumnCounter {
            text,
            offset: 0,
            column: ColumnCounter::MARGIN,
        }
    }

    fn advance(&mut self, offset: usize) -> LexemeColumn {
        for character in self.text[self.offset..offset].chars() {
            self.column = match character {
                character if ends_line(character) => ColumnCounter::MARGIN,
                // Tabs reach to the next multiple of eight in the editors that the old files were written with.
                '\t' => self.column.right_by(8 - self.column.number % 8),
                character => LexemeColumn {
                    begins_line: self.column.begins_line && character.is_whitespace(),
                    ..self.column.right_by(1)
                },
            };
        }
        self.offset = offset;
        self.column
    }
}

impl LexemeColumn {
    fn right_by(self, width: usize) -> LexemeColumn {
        let number = self.number + width;
        LexemeColumn { number, ..self }
    }
}

impl Repair {
    pub(super) fn diagnostic(&self, text: &str) -> Diagnostic {
        let opening = Span::new(self.open, self.open + 1);
        let message = match self.count {
            1 => "this parenthesis is never closed".to_owned(),
            count => format!("{count} parentheses are never closed, this one and more inside it"),
        };
        let missing = match self.count {
            1 => "`)` is missing here".to_owned(),
            count => format!("{count} times `)` is missing here"),
        };
        let clue = match self.at_end {
            true => "at the latest",
            false => "judging by the indentation",
        };
        Diagnostic::error("unclosed-parenthesis", opening, message)
            .label(Span::at(self.place), format!("{missing}, {clue}"))
            .fix(self.fix(text))
    }

    /// Safe where the list holds no other and stands in one line: it can end nowhere else.
    fn fix(&self, text: &str) -> Fix {
        let inside = &text[self.open + 1..self.place];
        let fix = match inside.contains(['(', ')', '\n', '\r', ';']) {
            true => Fix::guess,
            false => Fix::safe,
        };
        fix("close it where the indentation says").insert(self.place, ")".repeat(self.count))
    }
}

/// The code of findings made by [`surplus`].
pub(super) const SURPLUS: &str = "surplus-parenthesis";

/// Reports one `)` or more outside all lists. `before` is what was read so far.
pub(super) fn surplus(text: &str, before: &[Sexpr<'_>], span: Span) -> Diagnostic {
    let found = Diagnostic::error(SURPLUS, span, "this parenthesis closes nothing");
    let later = |fix: fn(&'static str) -> Fix| fix("remove the parenthesis").delete(span);
    match ended_too_soon(text, before) {
        Some(end) => {
            let sooner = Span::new(end - 1, end);
            let earlier =
                Fix::guess("remove the parenthesis that closes the list sooner").delete(sooner);
            found
                .label(
                    sooner,
                    "the list that it may belong to was closed here already",
                )
                .help("remove one of the two")
                .fix((span.end == span.start + 1).then_some(earlier))
                .fix(later(Fix::guess))
        }
        None => {
            let ends_a_form = before.last().is_some_and(|last| {
                last.as_list().is_some() && !is_indented(text, last.span.start)
            });
            let fix: fn(_) -> _ = if ends_a_form { Fix::safe } else { Fix::guess };
            found
                .help("remove it, or add the `(` that is missing before it")
                .fix(later(fix))
        }
    }
}

/// The end of the last list that begins at the margin, where something indented follows it.
fn ended_too_soon(text: &str, before: &[Sexpr<'_>]) -> Option<usize> {
    let at_margin = |sexpr: &&Sexpr<'_>| !is_indented(text, sexpr.span.start);
    // What belongs to one rule is short: more would make a file of nothing but `)` slow.
    let recent = &before[before.len().saturating_sub(MAX_DIAGNOSTICS)..];
    let form = recent.iter().rposition(|sexpr| at_margin(&sexpr))?;
    let is_list = recent[form].as_list().is_some();
    (is_list && form + 1 < recent.len()).then_some(recent[form].span.end)
}

fn is_indented(text: &str, offset: usize) -> bool {
    offset > 0 && !text[..offset].ends_with(ends_line)
}
