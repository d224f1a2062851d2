//! What stands around the cursor while a rule is being written, when its parentheses need not match yet.

use super::{DocumentIndex, WordSlot};
use crate::kif::{Lexeme, Span, lexemes};

/// The surroundings of a cursor.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::lsp) struct Cursor<'t> {
    /// The word before the cursor, empty where there is none.
    pub(in crate::lsp) word: Span,
    /// Whether a parenthesis opens directly before that word.
    pub(in crate::lsp) begins_list: bool,
    /// What the word, or the list that it begins, is for.
    pub(in crate::lsp) slot: WordSlot<'t>,
    /// The lists around the cursor with their slots, outermost first.
    pub(in crate::lsp) lists: Vec<OpenTerm<'t>>,
}

/// A list that is open at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::lsp) struct OpenTerm<'t> {
    pub(in crate::lsp) slot: WordSlot<'t>,
    /// Its first word; `None` as long as there is none.
    pub(in crate::lsp) name: Option<&'t str>,
    /// How many items stand before the one at the cursor.
    pub(in crate::lsp) items: usize,
}

/// The surroundings of an offset; `None` inside a comment.
pub(in crate::lsp) fn cursor_at<'t>(
    text: &'t str,
    index: &DocumentIndex,
    offset: usize,
) -> Option<Cursor<'t>> {
    let comments = &index.comments;
    let next = comments.partition_point(|comment| comment.start < offset);
    let is_in_comment = next > 0 && offset <= comments[next - 1].end;
    if is_in_comment {
        return None;
    }
    // A form that is open takes in what follows it, so that a line that begins at the margin is trusted more.
    let next = index.forms.partition_point(|form| form.span.start < offset);
    let form = next
        .checked_sub(1)
        .map_or(0, |form| index.forms[form].span.start);
    let margin = text[..offset].rfind("\n(").map_or(0, |at| at + 1);
    let start = form.max(margin);
    let mut lists: Vec<OpenTerm<'t>> = Vec::new();
    let mut word = Span::at(offset);
    let mut last = None;
    for (lexeme, span) in lexemes(&text[start..offset]) {
        let end = start + span.end;
        match lexeme {
            Lexeme::Comment(_) => {}
            Lexeme::Word(_) if end == offset => word.start = start + span.start,
            Lexeme::Word(name) => add_item(&mut lists, Some(name)),
            Lexeme::Open => lists.push(OpenTerm {
                slot: slot_in(&lists),
                name: None,
                items: 0,
            }),
            Lexeme::Close => {
                lists.pop();
                add_item(&mut lists, None);
            }
        }
        if word.start == offset {
            last = Some((lexeme, end));
        }
    }
    let begins_list = last == Some((Lexeme::Open, word.start));
    let slot = match lists.last() {
        Some(list) if list.items == 0 => list.slot,
        _ => slot_in(&lists),
    };
    Some(Cursor {
        word,
        begins_list,
        slot,
        lists,
    })
}

fn add_item<'t>(lists: &mut [OpenTerm<'t>], name: Option<&'t str>) {
    if let Some(list) = lists.last_mut() {
        if list.items == 0 {
            list.name = name;
        }
        list.items += 1;
    }
}

/// What the next item takes.
fn slot_in<'t>(lists: &[OpenTerm<'t>]) -> WordSlot<'t> {
    match lists.last() {
        None => WordSlot::Form,
        Some(OpenTerm { slot, name, items }) => match (name, items.checked_sub(1)) {
            (Some(name), Some(index)) => slot.argument(name, index),
            _ => WordSlot::Term,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::TupleKind;

    /// The slot at the `|`.
    fn check(marked: &str, expected: WordSlot<'_>) {
        let offset = marked.find('|').unwrap();
        let text = marked.replace('|', "");
        let index = DocumentIndex::new(&text);
        let cursor = cursor_at(&text, &index, offset).unwrap();
        assert_eq!(cursor.slot, expected, "{marked}");
    }

    #[test]
    fn the_slot_at_the_cursor_is_known_while_lists_are_open() {
        check("|", WordSlot::Form);
        check("(role x)\n(|", WordSlot::Form);
        check("(<= |", WordSlot::Head);
        check("(<= (|", WordSlot::Head);
        check("(<= terminal\n    (li|", WordSlot::Condition);
        check("(<= terminal\n    (not (|", WordSlot::Condition);
        check("(<= terminal (true |", WordSlot::Fact);
        check("(<= terminal (true (ce|", WordSlot::Fact);
        check("(<= (legal |", WordSlot::Role);
        check("(<= (legal x (|", WordSlot::Move);
        check("(goal x |", WordSlot::Score);
        let cell = |index| WordSlot::Argument(TupleKind::Fact, "cell", index);
        check("(<= terminal (true (cell |", cell(0));
        check("(<= terminal (true (cell 1 ?x| b)))", cell(1));
        check("(<= terminal (true (cell (f 1) |)))\n(role x)", cell(1));
        let line = WordSlot::Argument(TupleKind::Relation, "line", 0);
        check("(<= (open\n(<= terminal (line |", line);
        check("(<= terminal (distinct ?x |", WordSlot::Term);
    }

    #[test]
    fn the_word_before_the_cursor_is_what_is_typed() {
        let text = "(<= terminal (line xpl";
        let index = DocumentIndex::new(text);
        let cursor = cursor_at(text, &index, text.len()).unwrap();
        assert_eq!(&text[cursor.word.start..cursor.word.end], "xpl");
        assert!(!cursor.begins_list);
        let cursor = cursor_at(text, &index, 18).unwrap();
        assert_eq!(&text[cursor.word.start..cursor.word.end], "line");
        assert!(cursor.begins_list);
        assert_eq!(cursor.lists.len(), 2);
    }

    #[test]
    fn there_is_nothing_to_write_in_a_comment() {
        let text = "(a) ; (b\n(c)";
        let index = DocumentIndex::new(text);
        assert_eq!(cursor_at(text, &index, 7), None);
        assert_eq!(cursor_at(text, &index, 8), None);
        assert!(cursor_at(text, &index, 9).is_some());
    }
}
