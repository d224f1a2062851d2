//! The kinds of words, for colours.

use tower_lsp_server::ls_types::{
    Position, Range, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend,
};

use crate::kif::Span;
use crate::lsp::document::RuleDocument;
use crate::lsp::index::{DocumentIndex, Occurrence, RulePart, WordClass};
use crate::lsp::positions::number;

/// The kinds of tokens, in the order in which the editor is told of them.
#[derive(Debug, Clone, Copy)]
enum TokenKind {
    Keyword,
    Relation,
    Function,
    Variable,
    Constant,
    Number,
    Comment,
}

/// The names of the kinds in the protocol.
const KINDS: [(TokenKind, SemanticTokenType); 7] = [
    (TokenKind::Keyword, SemanticTokenType::KEYWORD),
    (TokenKind::Relation, SemanticTokenType::CLASS),
    (TokenKind::Function, SemanticTokenType::FUNCTION),
    (TokenKind::Variable, SemanticTokenType::VARIABLE),
    (TokenKind::Constant, SemanticTokenType::ENUM_MEMBER),
    (TokenKind::Number, SemanticTokenType::NUMBER),
    (TokenKind::Comment, SemanticTokenType::COMMENT),
];

/// The names of the kinds, in the order of their numbers; the only modifier is bit 0.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: KINDS.map(|(_, name)| name).into(),
        token_modifiers: vec![SemanticTokenModifier::DECLARATION],
    }
}

/// The words and comments of a document, or of a range of it.
pub(super) fn semantic_tokens(document: &RuleDocument, range: Option<Range>) -> Vec<SemanticToken> {
    let index = document.index();
    let whole = || Span::new(0, document.text.len());
    let wanted = range.map_or_else(whole, |range| document.span(range));
    let words = touched(&index.occurrences, |word| word.span, wanted).iter();
    let words = words.map(|word| (word.span, kind(index, word), is_declaration(word)));
    let comments = touched(&index.comments, |comment| *comment, wanted).iter();
    let comments = comments.map(|comment| (*comment, TokenKind::Comment, false));
    let mut tokens: Vec<_> = words.chain(comments).collect();
    tokens.sort_by_key(|(span, ..)| span.start);
    let mut last = Position::new(0, 0);
    let token = |(span, kind, is_declaration): (Span, TokenKind, bool)| {
        let start = document.position(span.start);
        let delta_line = start.line - last.line;
        let delta_start = match delta_line {
            0 => start.character - last.character,
            _ => start.character,
        };
        last = start;
        SemanticToken {
            delta_line,
            delta_start,
            length: number(document.slice(span).encode_utf16().count()),
            token_type: kind as u32,
            token_modifiers_bitset: is_declaration.into(),
        }
    };
    tokens.into_iter().map(token).collect()
}

/// Those of `items`, which are in the order of the text, that touch a span.
fn touched<T>(items: &[T], span: impl Fn(&T) -> Span, wanted: Span) -> &[T] {
    let first = items.partition_point(|item| span(item).end < wanted.start);
    let end = items.partition_point(|item| span(item).start <= wanted.end);
    items.get(first..end).unwrap_or_default()
}

fn kind(index: &DocumentIndex, word: &Occurrence) -> TokenKind {
    match word.class {
        WordClass::Keyword => TokenKind::Keyword,
        WordClass::Relation => TokenKind::Relation,
        WordClass::Function => TokenKind::Function,
        WordClass::Variable => TokenKind::Variable,
        WordClass::Constant if index.is_number(word) => TokenKind::Number,
        WordClass::Constant => TokenKind::Constant,
    }
}

/// Whether a rule derives what the word names.
fn is_declaration(word: &Occurrence) -> bool {
    word.part == RulePart::Head && word.tuple.is_some() && word.class != WordClass::Keyword
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::view;

    fn shown(text: &str, range: Option<Range>) -> String {
        let view = view(text);
        let legend = legend();
        let (mut line, mut character) = (0, 0);
        let tokens = semantic_tokens(&view.document, range)
            .into_iter()
            .map(|token| {
                character = match token.delta_line {
                    0 => character + token.delta_start,
                    _ => token.delta_start,
                };
                line += token.delta_line;
                let kind = legend.token_types[token.token_type as usize].as_str();
                let declared = ["", "!"][token.token_modifiers_bitset as usize];
                format!("{line}:{character}+{} {kind}{declared}", token.length)
            });
        tokens.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_word_has_its_kind() {
        insta::assert_snapshot!(
            shown("; 😀 x\r\n(<= (next (cell 1 ?ž 😀)) ; y\n  (p) (not (f b)) (true over))", None), @r#"
        0:0+6 comment
        1:1+2 keyword
        1:5+4 keyword
        1:11+4 function!
        1:16+1 number
        1:18+2 variable
        1:21+2 enumMember
        1:26+3 comment
        2:3+1 class
        2:7+3 keyword
        2:12+1 class
        2:14+1 enumMember
        2:19+4 keyword
        2:24+4 enumMember
        "#);
    }

    #[test]
    fn a_range_has_its_words_only() {
        let range = Range::new(Position::new(1, 1), Position::new(1, 2));
        assert_eq!(shown("(a)\n(b)\n(c)", Some(range)), "1:1+1 class!");
    }

    #[test]
    fn every_kind_has_its_number() {
        for (number, (kind, _)) in KINDS.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }
}
