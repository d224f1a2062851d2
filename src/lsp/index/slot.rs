//! What a place in a rule file is for: the one decision of which word is a relation, a fact, a move or a term.

use crate::gdl::{Keyword, TupleKind, connective};

/// What a place in a rule file takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lsp) enum WordSlot<'t> {
    /// A fact or a rule.
    Form,
    /// What a rule derives.
    Head,
    Condition,
    /// A fact of the state.
    Fact,
    Move,
    /// The name of a player.
    Role,
    /// A goal value.
    Score,
    /// An argument of a relation, fact or move, counted from 0.
    Argument(TupleKind, &'t str, usize),
    /// A side of `distinct`, or an argument of a function inside another term.
    Term,
}

impl<'t> WordSlot<'t> {
    /// What an argument takes, counted from 0, of a list that stands here and begins with `name`.
    pub(in crate::lsp) fn argument(self, name: &'t str, index: usize) -> Self {
        match (self, connective(name)) {
            (Self::Form, Some("<=")) if index == 0 => Self::Head,
            (Self::Form, Some("<=")) => Self::Condition,
            (Self::Condition | Self::Form, Some("distinct")) => Self::Term,
            (Self::Condition | Self::Form, Some(_)) => Self::Condition,
            (Self::Form | Self::Head | Self::Condition, _) => Self::of_sentence(name, index),
            (Self::Fact, _) => Self::Argument(TupleKind::Fact, name, index),
            (Self::Move, _) => Self::Argument(TupleKind::Move, name, index),
            _ => Self::Term,
        }
    }

    fn of_sentence(name: &'t str, index: usize) -> Self {
        match (keyword(name), index) {
            (Some(Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base), 0) => Self::Fact,
            (
                Some(
                    Keyword::Role | Keyword::Legal | Keyword::Does | Keyword::Input | Keyword::Goal,
                ),
                0,
            ) => Self::Role,
            (Some(Keyword::Legal | Keyword::Does | Keyword::Input), 1) => Self::Move,
            (Some(Keyword::Goal), 1) => Self::Score,
            (Some(_), _) => Self::Term,
            (None, _) => Self::Argument(TupleKind::Relation, name, index),
        }
    }

    /// Whether a sentence stands here.
    pub(in crate::lsp) fn is_sentence(self) -> bool {
        matches!(self, Self::Form | Self::Head | Self::Condition)
    }

    /// What is named by a word, or the first word of a list, that stands here: none for an ordinary term.
    pub(in crate::lsp) fn tuple_kind(self) -> Option<TupleKind> {
        match self {
            Self::Fact => Some(TupleKind::Fact),
            Self::Move => Some(TupleKind::Move),
            slot => slot.is_sentence().then_some(TupleKind::Relation),
        }
    }
}

/// The keyword relation of this name, in any case.
pub(in crate::lsp) fn keyword(word: &str) -> Option<Keyword> {
    Keyword::ALL
        .into_iter()
        .find(|keyword| keyword.name().eq_ignore_ascii_case(word))
}
