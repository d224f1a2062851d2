//! Other names for relations, functions, constants, and variables of a rule.

use tower_lsp_server::ls_types::{Position, PrepareRenameResponse, TextEdit};

use crate::gdl::{canonical, connective};
use crate::kif::is_of_word;
use crate::lsp::document::RuleDocument;
use crate::lsp::index::{DocumentIndex, Occurrence, WordClass};

/// Why a word cannot be renamed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum RenameError {
    /// There is no word at the position.
    #[error("there is no word here to rename")]
    NoWord,
    /// The language gives it its meaning.
    #[error("`{0}` is a word of the language and cannot be renamed")]
    Keyword(String),
    /// Equal numbers may stand for different things.
    #[error(
        "`{0}` is a number and may stand for different things, so it is not renamed everywhere"
    )]
    Number(String),
    /// The new name would not be read as one word.
    #[error("`{0}` is not a word: white space, parentheses and `;` cannot be part of a name")]
    NotAWord(String),
    /// The new name is one of the language.
    #[error("`{0}` is a word of the language: choose another name")]
    TakenByLanguage(String),
    /// A question mark makes a word a variable.
    #[error("`{0}` begins with `?` and would be a variable: choose another name")]
    WouldBeVariable(String),
    /// The name is in use.
    #[error("there is a {1} `{0}` already: choose another name")]
    Taken(String, &'static str),
}

/// The word at a position, if it can be renamed.
pub(super) fn prepare_rename(
    document: &RuleDocument,
    position: Position,
) -> Result<PrepareRenameResponse, RenameError> {
    let word = renamable(document, position)?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: document.range(word.span),
        placeholder: document.index().name(word.name).to_owned(),
    })
}

/// The edits that give the word at a position a new name, wherever it means the same.
pub(super) fn rename(
    document: &RuleDocument,
    position: Position,
    new_name: &str,
) -> Result<Vec<TextEdit>, RenameError> {
    let word = renamable(document, position)?;
    let index = document.index();
    let new_name = accepted(index, word, new_name.trim())?;
    let uses = index.same_meaning(word).into_iter();
    Ok(uses
        .map(|other| TextEdit::new(document.range(other.span), new_name.clone()))
        .collect())
}

fn renamable(document: &RuleDocument, position: Position) -> Result<&Occurrence, RenameError> {
    let index = document.index();
    let word = index.word_at(document.offset(position));
    let word = word.ok_or(RenameError::NoWord)?;
    let name = index.name(word.name);
    if word.class == WordClass::Keyword || is_random(name) {
        return Err(RenameError::Keyword(name.to_owned()));
    }
    if index.is_number(word) {
        return Err(RenameError::Number(name.to_owned()));
    }
    Ok(word)
}

/// The role that plays by chance.
fn is_random(name: &str) -> bool {
    canonical(name) == Some("random")
}

/// The new name, with the question mark that a variable needs.
fn accepted(
    index: &DocumentIndex,
    word: &Occurrence,
    new_name: &str,
) -> Result<String, RenameError> {
    let is_variable = word.class == WordClass::Variable;
    let bare = new_name.strip_prefix('?').filter(|_| is_variable);
    let bare = bare.unwrap_or(new_name);
    if bare.is_empty() || !bare.chars().all(is_of_word) {
        return Err(RenameError::NotAWord(new_name.to_owned()));
    }
    if is_variable {
        let name = format!("?{bare}");
        let words = index.words_of(index.form_of(word)).iter();
        let mut others = words.filter(|other| other.class == WordClass::Variable);
        return match others.any(|other| other.name != word.name && clashes(index, other, &name)) {
            true => Err(RenameError::Taken(name, "variable")),
            false => Ok(name),
        };
    }
    let name = bare.to_owned();
    if name.starts_with('?') {
        return Err(RenameError::WouldBeVariable(name));
    }
    if canonical(&name).is_some() || connective(&name).is_some() {
        return Err(RenameError::TakenByLanguage(name));
    }
    let what = match word.class {
        WordClass::Relation => "relation",
        WordClass::Function => "function",
        _ => "constant",
    };
    let is_taken = |(other, _): (&str, usize)| {
        other != index.name(word.name) && other.eq_ignore_ascii_case(&name)
    };
    match index.names_of(word.class).any(is_taken) {
        true => Err(RenameError::Taken(name, what)),
        false => Ok(name),
    }
}

/// Other programs ignore case, so that names which differ in case only are one name to them.
fn clashes(index: &DocumentIndex, other: &Occurrence, name: &str) -> bool {
    index.name(other.name).eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::load;
    use crate::lsp::fixture::{GAME, edited, view_at};

    fn renamed(marked: &str, new_name: &str) -> Result<String, RenameError> {
        let text = GAME.replacen(&marked.replace('|', ""), marked, 1);
        let (view, position) = view_at(&text);
        let edits = rename(&view.document, position, new_name)?;
        Ok(edited(&view, &edits))
    }

    /// The rules mean the same afterwards: the checker is as content, and renaming back gives the old text.
    fn check(marked: &str, new_name: &str) {
        let text = renamed(marked, new_name).unwrap();
        assert_eq!(load(&text).diagnostics, [], "{marked}");
        let old = GAME.find(&marked.replace('|', "")).unwrap() + marked.find('|').unwrap();
        let old = DocumentIndex::new(GAME).word_at(old).unwrap().span;
        let (view, position) = view_at(&{
            let mut marked = text.clone();
            marked.insert(text.find(new_name).unwrap(), '|');
            marked
        });
        let edits = rename(&view.document, position, &GAME[old.start..old.end]).unwrap();
        assert_eq!(edited(&view, &edits), GAME);
    }

    #[test]
    fn names_change_wherever_they_mean_the_same() {
        check("(not op|en)", "unfinished");
        check("(af|ter ?q", "succeeds");
        check("(true (ce|ll", "field");
        check("(cell ?n |b)", "blank");
        check("(does ?p (ma|rk ?n)", "put");
        check("(role |x)", "white");
        check("(does ?p (mark ?|m)", "?other");
        check("(does ?p (mark ?|m)", "other");
    }

    #[test]
    fn words_of_the_language_and_numbers_stay() {
        let failed =
            |marked: &str, new_name: &str| renamed(marked, new_name).unwrap_err().to_string();
        assert!(failed("(leg|al", "may").contains("`legal` is a word of the language"));
        assert!(failed("(square |1)", "one").contains("is a number"));
        assert!(failed("(not op|en)", "goal").contains("choose another name"));
        assert!(failed("(not op|en)", "NOT").contains("choose another name"));
        assert!(failed("(not op|en)", "random").contains("choose another name"));
    }

    #[test]
    fn names_in_use_and_what_is_no_word_are_refused() {
        let failed = |marked: &str, new_name: &str| renamed(marked, new_name).unwrap_err();
        let taken = |name: &str, what| RenameError::Taken(name.to_owned(), what);
        assert_eq!(failed("(not op|en)", "after"), taken("after", "relation"));
        assert_eq!(failed("(not op|en)", "After"), taken("After", "relation"));
        assert_eq!(failed("(mark ?|m)", "n"), taken("?n", "variable"));
        assert_eq!(failed("(role |x)", "o"), taken("o", "constant"));
        for bad in ["", "a b", "a)", ";", "?"] {
            let refused = failed("(mark ?|m)", bad);
            assert!(matches!(refused, RenameError::NotAWord(_)), "{bad}");
        }
        assert!(matches!(
            failed("(not op|en)", "?x"),
            RenameError::WouldBeVariable(_)
        ));
    }

    #[test]
    fn a_place_without_a_word_has_nothing_to_rename() {
        let (view, position) = view_at("(role x) | (role y)");
        assert_eq!(
            prepare_rename(&view.document, position),
            Err(RenameError::NoWord)
        );
        let (view, position) = view_at("(role ran|dom)");
        assert!(prepare_rename(&view.document, position).is_err());
        let (view, position) = view_at("(role wh|ite)");
        assert!(prepare_rename(&view.document, position).is_ok());
    }
}
