//! Which sentences come from outside: facts of the state, and moves of the joint move.

use rustc_hash::FxHashMap;

use super::Sentence;
use crate::datalog::{Functor, Pred, TermId, Terms};
use crate::gdl::{Given, Words};

/// A sentence that comes from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// `(true fact)`.
    State(TermId),
    /// `(does role move)`.
    JointMove(TermId, TermId),
}

/// The relations whose sentences come from outside, and what their rows mean.
#[derive(Debug, Clone)]
pub struct Sources {
    /// Whether the role stands in front, and the functor of the fact or the move; `None` where rows are whole terms.
    by_pred: FxHashMap<Pred, (bool, Option<Functor>)>,
}

impl Sources {
    /// The relations that `words` names.
    pub fn new(words: &Words) -> Self {
        let relations = |given: &Given, has_role: bool| {
            let spread = given
                .spread
                .iter()
                .map(|(&functor, &pred)| (pred, Some(functor)));
            let whole = given.whole.map(|pred| (pred, None));
            let all: Vec<_> = spread.chain(whole).collect();
            all.into_iter()
                .map(move |(pred, functor)| (pred, (has_role, functor)))
        };
        let state = relations(&words.given, false);
        Self {
            by_pred: state.chain(relations(&words.done, true)).collect(),
        }
    }

    /// Whether the sentences of a relation come from outside.
    pub fn contains(&self, pred: Pred) -> bool {
        self.by_pred.contains_key(&pred)
    }

    /// What a sentence says of the state or the joint move; `None` if it follows by rules.
    pub fn of(&self, sentence: &Sentence, terms: &Terms) -> Option<Source> {
        let &(has_role, functor) = self.by_pred.get(&sentence.pred)?;
        let (front, inner) = sentence.args.split_at(usize::from(has_role));
        let subject = match functor {
            Some(functor) => terms.find(functor, inner)?,
            None => *inner.first()?,
        };
        Some(match front.first() {
            Some(&role) => Source::JointMove(role, subject),
            None => Source::State(subject),
        })
    }
}
