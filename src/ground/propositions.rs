//! Which ground sentences are base propositions (facts of the state) and which are inputs (moves of the joint move).

use rustc_hash::FxHashMap;

use super::Sentence;
use crate::datalog::{Functor, Pred, TermId, Terms};
use crate::gdl::{GdlRelations, InputRelations};

/// A sentence that no rule derives: the state or the joint move supplies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Proposition {
    /// `(true fact)`.
    Base(TermId),
    /// `(does role move)`.
    Input(TermId, TermId),
}

/// The base and input relations, and what their rows mean.
#[derive(Debug, Clone)]
pub struct PropositionRelations {
    /// Whether the first column is the role, and the functor of the fact or the move; `None` where rows are whole terms.
    by_pred: FxHashMap<Pred, (bool, Option<Functor>)>,
}

impl PropositionRelations {
    /// The base and input relations among `relations`.
    pub fn new(relations: &GdlRelations) -> Self {
        let with_functors = |given: &InputRelations, has_role: bool| {
            let by_functor = given
                .by_functor
                .iter()
                .map(|(&functor, &pred)| (pred, Some(functor)));
            let whole = given.whole_terms.map(|pred| (pred, None));
            let all: Vec<_> = by_functor.chain(whole).collect();
            all.into_iter()
                .map(move |(pred, functor)| (pred, (has_role, functor)))
        };
        let state = with_functors(&relations.base, false);
        Self {
            by_pred: state.chain(with_functors(&relations.input, true)).collect(),
        }
    }

    /// Whether `pred` is a base or input relation.
    pub fn contains(&self, pred: Pred) -> bool {
        self.by_pred.contains_key(&pred)
    }

    /// The proposition that a sentence is; `None` if rules derive it.
    pub fn of(&self, sentence: &Sentence, terms: &Terms) -> Option<Proposition> {
        let &(has_role, functor) = self.by_pred.get(&sentence.pred)?;
        let (front, inner) = sentence.args.split_at(usize::from(has_role));
        let subject = match functor {
            Some(functor) => terms.find(functor, inner)?,
            None => *inner.first()?,
        };
        Some(match front.first() {
            Some(&role) => Proposition::Input(role, subject),
            None => Proposition::Base(subject),
        })
    }
}
