//! The parser: lexemes → trees, with an explicit stack, so that no text overflows the call stack.

use crate::kif::lexeme::{Lexeme, lexemes};
use crate::kif::repair::{self, Repair};
use crate::kif::{Diagnostic, Sexpr, SexprKind, Span};

/// How deep lists may be nested. Rules in circulation need ten levels; the limit lets everything that works on trees
/// be recursive.
pub const MAX_DEPTH: usize = 512;

/// How many findings about one text are listed.
pub const MAX_DIAGNOSTICS: usize = 100;

/// What a text holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<'t> {
    /// All expressions, in order; unbalanced parentheses are repaired as the author probably meant them.
    pub sexprs: Vec<Sexpr<'t>>,
    /// What is wrong, in the order of the text, at most [`MAX_DIAGNOSTICS`]. Each is an error.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the whole text was read: what is nested too deep ends it early.
    pub is_complete: bool,
}

/// Reads a text. Several mistakes are reported in one go.
pub fn parse(text: &str) -> Parsed<'_> {
    let mut builder = TreeBuilder::default();
    builder.read(text, &[]);
    if !builder.stack.is_empty() && !builder.is_too_deep {
        let unclosed: Vec<usize> = builder.stack.iter().map(|list| list.start).collect();
        let repairs = repair::repairs(text, &unclosed);
        builder = TreeBuilder::default();
        builder.diagnostics = repairs
            .iter()
            .map(|repair| repair.diagnostic(text))
            .collect();
        builder.read(text, &repairs);
    }
    builder.finish(text.len())
}

/// A list that is still open.
struct OpenList<'t> {
    start: usize,
    items: Vec<Sexpr<'t>>,
}

#[derive(Default)]
struct TreeBuilder<'t> {
    /// Finished expressions outside all lists.
    sexprs: Vec<Sexpr<'t>>,
    /// From the outermost to the innermost.
    stack: Vec<OpenList<'t>>,
    diagnostics: Vec<Diagnostic>,
    is_too_deep: bool,
}

impl<'t> TreeBuilder<'t> {
    /// Reads `text` as if the missing parentheses of `repairs` were there.
    fn read(&mut self, text: &'t str, repairs: &[Repair]) {
        let mut repairs = repairs.iter().peekable();
        for (lexeme, span) in lexemes(text) {
            while let Some(repair) = repairs.next_if(|repair| repair.place <= span.start) {
                self.close_innermost(repair.count, repair.place);
            }
            match lexeme {
                Lexeme::Comment(_) => {}
                Lexeme::Word(word) => self.push(SexprKind::Atom(word), span),
                Lexeme::Open if self.stack.len() == MAX_DEPTH => return self.stop_at(span),
                Lexeme::Open => self.stack.push(OpenList {
                    start: span.start,
                    items: Vec::new(),
                }),
                Lexeme::Close => self.close(text, span),
            }
        }
    }

    fn push(&mut self, kind: SexprKind<'t>, span: Span) {
        let items = match self.stack.last_mut() {
            Some(list) => &mut list.items,
            None => &mut self.sexprs,
        };
        items.push(Sexpr { kind, span });
    }

    fn close(&mut self, text: &str, span: Span) {
        match self.stack.pop() {
            Some(list) => self.push(SexprKind::List(list.items), Span::new(list.start, span.end)),
            None => self.report_surplus(text, span),
        }
    }

    fn close_innermost(&mut self, count: usize, end: usize) {
        for _ in 0..count {
            if let Some(list) = self.stack.pop() {
                self.push(SexprKind::List(list.items), Span::new(list.start, end));
            }
        }
    }

    fn stop_at(&mut self, span: Span) {
        let message = format!("lists are nested more than {MAX_DEPTH} deep, the rest is not read");
        let outermost = self.stack[0].start;
        self.is_too_deep = true;
        self.diagnostics.push(
            Diagnostic::error("too-deep", span, message)
                .label(
                    Span::new(outermost, outermost + 1),
                    "the outermost list begins here",
                )
                .help("check that every list is closed, or give parts of it names of their own"),
        );
    }

    fn report_surplus(&mut self, text: &str, span: Span) {
        if let Some(last) = self.diagnostics.last_mut()
            && last.code == repair::SURPLUS
            && last.span.end == span.start
        {
            let all = Span::new(last.span.start, span.end);
            *last = repair::surplus(text, &self.sexprs, all);
        } else if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics
                .push(repair::surplus(text, &self.sexprs, span));
        }
    }

    fn finish(mut self, end: usize) -> Parsed<'t> {
        self.close_innermost(self.stack.len(), end);
        self.diagnostics
            .sort_by_key(|diagnostic| diagnostic.span.start);
        self.diagnostics.truncate(MAX_DIAGNOSTICS);
        Parsed {
            sexprs: self.sexprs,
            diagnostics: self.diagnostics,
            is_complete: !self.is_too_deep,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, MAX_DIAGNOSTICS, parse};
    use crate::kif::{LineIndex, Sexpr};

    fn printed(sexprs: &[Sexpr<'_>]) -> String {
        let texts: Vec<String> = sexprs.iter().map(Sexpr::to_string).collect();
        texts.join(" ")
    }

    fn check(text: &str, expected: &str) {
        let parsed = parse(text);
        assert_eq!(parsed.diagnostics, []);
        assert_eq!(printed(&parsed.sexprs), expected);
    }

    /// `faults` has for each finding its code, its place, and the places of its labels.
    fn check_faulty(text: &str, expected: &str, faults: &[&str]) {
        let parsed = parse(text);
        assert_eq!(printed(&parsed.sexprs), expected);
        let lines = LineIndex::new(text);
        let found = parsed.diagnostics.iter().map(|diagnostic| {
            let labels = diagnostic.labels.iter().map(|label| label.span);
            let places = std::iter::once(diagnostic.span).chain(labels);
            let places = places.map(|span| lines.position(span.start).to_string());
            format!(
                "{} {}",
                diagnostic.code,
                places.collect::<Vec<_>>().join(" ")
            )
        });
        assert_eq!(found.collect::<Vec<_>>(), faults);
    }

    #[test]
    fn reads_atoms_lists_and_comments() {
        check("", "");
        check(" ; nothing\n", "");
        check(
            "(role xplayer)(role oplayer)",
            "(role xplayer) (role oplayer)",
        );
        check("(<= terminal\r\n  (line x))", "(<= terminal (line x))");
        check("(a;)\nb)", "(a b)");
        check("ab;cd\ref", "ab ef");
        check("()(())", "() (())");
    }

    #[test]
    fn spans_are_byte_offsets() {
        let text = "ž (a  (b))";
        let parsed = parse(text);
        let list = &parsed.sexprs[1];
        assert_eq!(&text[list.span.start..list.span.end], "(a  (b))");
        let inner = &list.as_list().unwrap()[1];
        assert_eq!(&text[inner.span.start..inner.span.end], "(b)");
    }

    #[test]
    fn an_unclosed_list_ends_where_the_indentation_says() {
        check_faulty(
            "(<= (a ?x)\n    (b ?x)\n(<= c\n    d)\ne",
            "(<= (a ?x) (b ?x)) (<= c d) e",
            &["unclosed-parenthesis 1:1 2:11"],
        );
    }

    #[test]
    fn an_inner_list_is_found_to_be_unclosed() {
        check_faulty(
            "(role x)\n(<= (next (cell ?x)\n    (true a)\n    b)\n(role y)",
            "(role x) (<= (next (cell ?x)) (true a) b) (role y)",
            &["unclosed-parenthesis 2:5 2:20"],
        );
    }

    #[test]
    fn several_unclosed_lists_are_reported() {
        check_faulty(
            "(a\n(b (c\n\t(d)\n(e)\n(f",
            "(a) (b (c (d))) (e) (f)",
            &[
                "unclosed-parenthesis 1:1 1:3",
                "unclosed-parenthesis 2:1 3:5",
                "unclosed-parenthesis 5:1 5:3",
            ],
        );
    }

    #[test]
    fn lines_at_the_margin_are_not_suspected_without_need() {
        check("(<= a\n(b)\n(c))", "(<= a (b) (c))");
        check_faulty(
            "(<= a\n(b)\n(c))\n(d",
            "(<= a (b) (c)) (d)",
            &["unclosed-parenthesis 4:1 4:3"],
        );
    }

    #[test]
    fn a_surplus_parenthesis_is_reported_and_passed_over() {
        check_faulty("(a))\n(b)", "(a) (b)", &["surplus-parenthesis 1:4"]);
        check_faulty(
            "(<= (a))\n    (b))\n(c)))) d",
            "(<= (a)) (b) (c) d",
            &["surplus-parenthesis 2:8 1:8", "surplus-parenthesis 3:4"],
        );
    }

    #[test]
    fn faults_of_both_kinds_come_in_the_order_of_the_text() {
        check_faulty(
            ")\n(a\n(b))\n)\n(c\n",
            "(a (b)) (c)",
            &[
                "surplus-parenthesis 1:1",
                "surplus-parenthesis 4:1",
                "unclosed-parenthesis 5:1 5:3",
            ],
        );
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |depth| "(".repeat(depth) + &")".repeat(depth);
        assert_eq!(parse(&nested(MAX_DEPTH)).diagnostics, []);
        assert!(parse(&nested(MAX_DEPTH)).is_complete);
        let text = format!("(a) {}", nested(MAX_DEPTH + 1));
        let parsed = parse(&text);
        assert!(!parsed.is_complete);
        assert_eq!(parsed.diagnostics.len(), 1);
        assert_eq!(parsed.diagnostics[0].code, "too-deep");
        assert_eq!(parsed.diagnostics[0].span.start, 4 + MAX_DEPTH);
        assert_eq!(parsed.diagnostics[0].labels[0].span.start, 4);
    }

    #[test]
    fn millions_of_parentheses_end_in_few_findings() {
        for (piece, expected) in [
            ("(", 1),
            (")", 1),
            (") ", MAX_DIAGNOSTICS),
            ("a)", MAX_DIAGNOSTICS),
            ("(a\n", 1),
            ("(()\n", 1),
        ] {
            let text = piece.repeat(1_000_000);
            assert_eq!(parse(&text).diagnostics.len(), expected, "{piece:?}");
        }
    }
}
