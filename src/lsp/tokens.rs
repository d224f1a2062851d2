//! The kinds of words, for colours.

use tower_lsp_server::ls_types::{
    Range, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend,
};

use crate::kif::Span;
use crate::lsp::document::RuleDocument;
use crate::lsp::index::{Occurrence, RulePart, WordClass};
use crate::lsp::positions::number;

const KEYWORD: u32 = 0;
const RELATION: u32 = 1;
const FUNCTION: u32 = 2;
const VARIABLE: u32 = 3;
const CONSTANT: u32 = 4;
const NUMBER: u32 = 5;
const COMMENT: u32 = 6;

/// The bit of the only modifier.
const DECLARATION: u32 = 1;

/// The names of the kinds, in the order of their numbers.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::KEYWORD,
            SemanticTokenType::CLASS,
            SemanticTokenType::FUNCTION,
            SemanticTokenType::VARIABLE,
            SemanticTokenType::ENUM_MEMBER,
            SemanticTokenType::NUMBER,
            SemanticTokenType::COMMENT,
        ],
        token_modifiers: vec![SemanticTokenModifier::DECLARATION],
    }
}

/// The words and comments of a document, or of a range of it.
pub(super) fn semantic_tokens(document: &RuleDocument, range: Option<Range>) -> Vec<SemanticToken> {
    let index = document.index();
    let wanted = range.map_or(Span::new(0, document.text.len()), |range| {
        document.span(range)
    });
    let words = index.occurrences.iter();
    let words = words.map(|word| {
        let kind = kind(index.name(word.name), word.class);
        (
            word.span,
            kind,
            u32::from(is_declaration(word)) * DECLARATION,
        )
    });
    let comments = index.comments.iter().map(|span| (*span, COMMENT, 0));
    let mut tokens: Vec<(Span, u32, u32)> = words
        .chain(comments)
        .filter(|(span, ..)| wanted.start <= span.end && span.start <= wanted.end)
        .collect();
    tokens.sort_by_key(|(span, ..)| span.start);
    let (mut line, mut character) = (0, 0);
    let tokens = tokens
        .into_iter()
        .map(|(span, token_type, token_modifiers_bitset)| {
            let start = document.range(Span::at(span.start)).start;
            let delta_line = start.line - line;
            let delta_start = match delta_line {
                0 => start.character - character,
                _ => start.character,
            };
            (line, character) = (start.line, start.character);
            SemanticToken {
                delta_line,
                delta_start,
                length: number(document.slice(span).encode_utf16().count()),
                token_type,
                token_modifiers_bitset,
            }
        });
    tokens.collect()
}

fn kind(name: &str, class: WordClass) -> u32 {
    match class {
        WordClass::Keyword => KEYWORD,
        WordClass::Relation => RELATION,
        WordClass::Function => FUNCTION,
        WordClass::Variable => VARIABLE,
        WordClass::Constant if name.bytes().all(|byte| byte.is_ascii_digit()) => NUMBER,
        WordClass::Constant => CONSTANT,
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
        let range = Range::new(
            tower_lsp_server::ls_types::Position::new(1, 1),
            tower_lsp_server::ls_types::Position::new(1, 2),
        );
        assert_eq!(shown("(a)\n(b)\n(c)", Some(range)), "1:1+1 class!");
    }
}
