//! The formatter: one layout for all rule files.

use crate::kif::outline::{Gap, OutlineItem, OutlineNode, outline};
use crate::kif::{Diagnostic, parse};

/// Columns that a line keeps to, comments apart.
const WIDTH: usize = 100;
/// How much deeper the parts of a list stand than the list.
const STEP: usize = 4;
/// No line begins further to the right, so that output stays in proportion to input.
const MAX_INDENT: usize = 60;

/// Lays out a text in the usual way of GDL.
///
/// - Everything outside lists has a line of its own; what fits a line of 100 columns is on one.
/// - A rule has `(<= head` on the first line, and then a line for each condition.
/// - In a longer list each list has a line of its own; words share lines.
/// - A comment behind something stays behind it, a comment on its own line stays on its own line.
/// - Where lines are broken, blank lines remain, no more than one at a time.
///
/// The parentheses, words and comments stay the same and in the same order (only blanks at the end of a comment are
/// dropped). Formatting twice changes nothing. Lines end in `\n`.
///
/// # Errors
/// Everything that [`parse`] finds wrong.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let diagnostics = parse(text).diagnostics;
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut printer = Printer::default();
    printer.text(&outline(text));
    Ok(printer.out)
}

#[derive(Default)]
struct Printer {
    out: String,
    /// Characters since the last line end.
    column: usize,
    /// Whether the line ends in a comment, so that nothing else can stand on it.
    is_line_over: bool,
}

/// What a list needs to know of its surroundings to lay out its items.
struct ListLayout {
    indent: usize,
    /// Parentheses that are closed directly behind the list.
    closing: usize,
    is_rule: bool,
}

impl Printer {
    fn text(&mut self, items: &[OutlineItem<'_>]) {
        for (index, item) in items.iter().enumerate() {
            match item.piece {
                OutlineNode::Comment(comment) if item.gap == Gap::None => {
                    self.comment_behind(comment)
                }
                _ if index == 0 => self.item(item, 0),
                _ => {
                    self.new_line(item.gap, 0);
                    self.item(item, 0);
                }
            }
        }
        if !items.is_empty() {
            self.new_line(Gap::Line, 0);
        }
    }

    fn item(&mut self, item: &OutlineItem<'_>, closing: usize) {
        match &item.piece {
            OutlineNode::Word(word) => self.word(word),
            OutlineNode::Comment(comment) => self.comment(comment),
            OutlineNode::List(items) => match item.width {
                Some(width) if !is_rule(items) && self.column + width + closing <= WIDTH => {
                    self.flat_list(items);
                }
                _ => self.broken_list(items, closing),
            },
        }
    }

    fn flat_list(&mut self, items: &[OutlineItem<'_>]) {
        self.word("(");
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.word(" ");
            }
            match &item.piece {
                OutlineNode::List(items) => self.flat_list(items),
                OutlineNode::Word(word) | OutlineNode::Comment(word) => self.word(word),
            }
        }
        self.word(")");
    }

    fn broken_list(&mut self, items: &[OutlineItem<'_>], closing: usize) {
        let outer = self.column.min(MAX_INDENT);
        let layout = ListLayout {
            indent: (outer + STEP).min(MAX_INDENT),
            closing: closing + 1,
            is_rule: is_rule(items),
        };
        self.word("(");
        for index in 0..items.len() {
            self.item_of_list(items, index, &layout);
        }
        if self.is_line_over {
            self.new_line(Gap::Line, outer);
        }
        self.word(")");
    }

    fn item_of_list(&mut self, items: &[OutlineItem<'_>], index: usize, layout: &ListLayout) {
        let item = &items[index];
        let closing = match index + 1 == items.len() {
            true => layout.closing,
            false => 0,
        };
        if let (OutlineNode::Comment(comment), Gap::None) = (&item.piece, item.gap) {
            return self.comment_behind(comment);
        }
        if !self.stays_on_line(items, index, closing, layout) {
            let gap = if index == 0 { Gap::Line } else { item.gap };
            self.new_line(gap, layout.indent);
        } else if index > 0 {
            self.word(" ");
        }
        self.item(item, closing);
    }

    fn stays_on_line(
        &self,
        items: &[OutlineItem<'_>],
        index: usize,
        closing: usize,
        layout: &ListLayout,
    ) -> bool {
        let item = &items[index];
        if self.is_line_over || item.is_comment() {
            return false;
        }
        if index == 0 || (layout.is_rule && index == 1) {
            return true;
        }
        let width = item.width.unwrap_or(WIDTH);
        !layout.is_rule
            && (item.is_word() && items[index - 1].is_word())
            && item.gap != Gap::Blank
            && self.column + 1 + width + closing <= WIDTH
    }

    fn new_line(&mut self, gap: Gap, indent: usize) {
        self.out.push('\n');
        if gap == Gap::Blank {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        self.is_line_over = false;
    }

    fn comment_behind(&mut self, comment: &str) {
        self.word(" ");
        self.comment(comment);
    }

    fn comment(&mut self, comment: &str) {
        self.word(comment);
        self.is_line_over = true;
    }

    fn word(&mut self, word: &str) {
        self.out.push_str(word);
        self.column += word.chars().count();
    }
}

/// Whether a list is an arrow, a head and at least one condition.
fn is_rule(items: &[OutlineItem<'_>]) -> bool {
    let mut parts = items.iter().filter(|item| !item.is_comment());
    let is_arrow = parts
        .next()
        .is_some_and(|item| matches!(item.piece, OutlineNode::Word("<=")));
    is_arrow && parts.nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{WIDTH, format};
    use crate::kif::lexeme::{Lexeme, lexemes};
    use crate::kif::parse;

    fn check(text: &str, expected: &str) {
        assert_eq!(format(text).unwrap(), expected);
        assert_eq!(format(expected).unwrap(), expected, "twice");
    }

    fn check_same(text: &str) {
        check(text, text);
    }

    #[test]
    fn facts_have_a_line_each() {
        check("", "");
        check(" \n\n", "");
        check("(role x)(role  y)a", "(role x)\n(role y)\na\n");
        check("(init\n  (cell 1\t1 b) )", "(init (cell 1 1 b))\n");
        check("( )", "()\n");
    }

    #[test]
    fn rules_have_a_line_for_each_condition() {
        check("(<= terminal (line x))", "(<= terminal\n    (line x))\n");
        check(
            "(<= (a ?x) b (c ?x) d)",
            "(<= (a ?x)\n    b\n    (c ?x)\n    d)\n",
        );
        check("(<= (goal x 100))", "(<= (goal x 100))\n");
        check("(<=\n\na\n\nb)", "(<= a\n\n    b)\n");
    }

    #[test]
    fn groups_stay_apart_by_one_blank_line() {
        check("\n\n(a)\n(b)\r\n\r\n\r\n(c)\n\n", "(a)\n(b)\n\n(c)\n");
        check("(<= a (b)\n \n\t\n (c))", "(<= a\n    (b)\n\n    (c))\n");
        check("(a\n\nb)", "(a b)\n");
    }

    #[test]
    fn comments_stay_where_they_belong() {
        check_same("; head\n\n; of a\n(a) ; behind a\n; of b\n(b)\n; end\n");
        check_same("(<= a ; why\n    ; of b\n    (b) ; behind b\n\n    ; last\n)\n");
        check_same("( ; begin\n    a\n    ; end\n)\n");
        check_same("(<= ; arrow\n    a\n    b) ; all\n");
        check("(a;x \n)(b);y\n", "(a ;x\n)\n(b) ;y\n");
        check("(a ;x\rb)", "(a ;x\n    b)\n");
        check("(\n\n;x\na)", "(\n    ;x\n    a)\n");
    }

    #[test]
    fn long_lists_are_broken() {
        let long = "a".repeat(42);
        let text = format!("(or ({long}) ({long}) (b (c)))");
        let expected = format!("(or\n    ({long})\n    ({long})\n    (b (c)))\n");
        check(&text, &expected);

        let rule = format!("(<= (next (cell {long} ?xy)) (true {text}))");
        let expected = format!(
            "(<= (next (cell {long} ?xy))\n    (true\n        (or\n            ({long})\n            \
             ({long})\n            (b (c)))))\n"
        );
        check(&rule, &expected);
    }

    #[test]
    fn words_of_a_long_list_share_lines() {
        let text = format!("(row{})", " 1234567".repeat(24));
        let line = " 1234567".repeat(12);
        check(&text, &format!("(row{line}\n   {line})\n"));
    }

    #[test]
    fn closing_parentheses_count_to_the_width() {
        let text = |length| format!("(function (g {}))", "a".repeat(length));
        assert_eq!(format(&text(WIDTH - 15)).unwrap().lines().count(), 1);
        assert_eq!(format(&text(WIDTH - 14)).unwrap().lines().count(), 2);
    }

    #[test]
    fn mistakes_are_not_formatted() {
        assert_eq!(format("(a").unwrap_err()[0].code, "unclosed-parenthesis");
        assert_eq!(format("a)").unwrap_err()[0].code, "surplus-parenthesis");
    }

    #[test]
    fn deep_nests_do_not_blow_up() {
        let text = "(".repeat(500) + &"() ".repeat(20_000) + &")".repeat(500);
        assert!(format(&text).unwrap().len() < 40 * text.len());
    }

    /// Texts in which lists are balanced but for a few: enough of them are accepted.
    fn any_text() -> impl Strategy<Value = String> {
        let blank = prop_oneof![
            Just(" "),
            Just(""),
            Just("\n"),
            Just("\n\n"),
            Just("\t"),
            Just("\r\n"),
            Just("\n \n\n"),
            Just("\r"),
        ];
        let word = prop_oneof![
            Just("<="),
            Just("?x"),
            Just("žluť"),
            Just("a_long_word_that_fills_the_line_very_soon")
        ];
        let comment = prop_oneof![
            Just(";\n"),
            Just("; c ;(\n"),
            Just(";;d  \r"),
            Just("; e\u{a0}\r\n")
        ];
        let leaf = (
            blank.clone(),
            prop_oneof![4 => word, 1 => comment],
            blank.clone(),
        )
            .prop_map(|(before, piece, after)| format!("{before}{piece}{after}"));
        let list = leaf.prop_recursive(6, 200, 12, move |item| {
            (blank.clone(), prop::collection::vec(item, 0..12))
                .prop_map(|(before, items)| format!("{before}({})", items.join(" ")))
        });
        prop::collection::vec(list, 0..8).prop_map(|lists| lists.concat())
    }

    fn kept(text: &str) -> Vec<Lexeme<'_>> {
        let trimmed = |lexeme| match lexeme {
            Lexeme::Comment(comment) => Lexeme::Comment(comment.trim_end()),
            other => other,
        };
        lexemes(text).map(|(lexeme, _)| trimmed(lexeme)).collect()
    }

    fn printed(text: &str) -> Vec<String> {
        parse(text).sexprs.iter().map(ToString::to_string).collect()
    }

    proptest! {
        #[test]
        fn formatting_keeps_everything_and_is_done_once(text in any_text()) {
            let once = format(&text).unwrap();
            prop_assert_eq!(kept(&once), kept(&text));
            prop_assert_eq!(format(&once).unwrap(), once);
        }

        #[test]
        fn lines_are_short_and_end_in_no_blank(text in any_text()) {
            for line in format(&text).unwrap().lines() {
                prop_assert_eq!(line.trim_end(), line);
                let code = line.split(';').next().unwrap_or_default().trim_end();
                // One word may be too long for a line, together with the parentheses around it.
                prop_assert!(code.chars().count() <= WIDTH || !code.trim().contains(' '), "{}", line);
            }
        }

        #[test]
        fn printing_keeps_the_trees(text in any_text()) {
            let once = printed(&text);
            prop_assert_eq!(printed(&once.join("\n")), once);
        }

        #[test]
        fn any_text_is_formatted_or_refused(text in "([() ;a<=\n\r]|.){0,200}") {
            match format(&text) {
                Ok(once) => prop_assert_eq!(kept(&once), kept(&text)),
                Err(found) => prop_assert!(!found.is_empty()),
            }
        }
    }
}
