//! Splitting of relations by the value of one argument.
//!
//! Published games say `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`: the relation `goal` depends on its own negation,
//! yet the program is locally stratified, since every rule for `goal` gives a constant value. Such a relation is split
//! into one relation per value; where these are stratified, the game is accepted.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::description::{Description, Expr, ExprKind, Signature};
use crate::gdl::rules::{Rule, RuleLiteral, Term};
use crate::kif::Span;

/// A relation, or its part with one value of the argument it is split by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SplitRelation<'d> {
    pub(super) signature: Signature<'d>,
    pub(super) value: Option<&'d str>,
}

impl Display for SplitRelation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.value {
            None => write!(f, "{}", self.signature),
            Some(value) => write!(f, "{} with {value}", self.signature),
        }
    }
}

/// The argument by which each of some relations is split.
#[derive(Debug, Clone, Default)]
pub(super) struct Splits<'d>(FxHashMap<Signature<'d>, usize>);

impl<'d> Splits<'d> {
    /// Splits those of the relations accepted by `wanted` that have a constant in one argument of every head, not always the
    /// same.
    pub(super) fn find(
        description: &'d Description,
        wanted: impl Fn(Signature<'d>) -> bool,
    ) -> Self {
        let mut values: IndexMap<Signature<'d>, Vec<Option<FxHashSet<&'d str>>>> = IndexMap::new();
        for statement in &description.statements {
            let head = &statement.head;
            if let Some(signature) = head.signature().filter(|signature| wanted(*signature)) {
                let some = || vec![Some(FxHashSet::default()); head.args().len()];
                let values = values.entry(signature).or_insert_with(some);
                for (values, arg) in values.iter_mut().zip(head.args()) {
                    collect(values, arg);
                }
            }
        }
        let several = |values: &Option<FxHashSet<_>>| values.as_ref().is_some_and(|v| v.len() > 1);
        let splits = values
            .iter()
            .filter_map(|(signature, values)| Some((*signature, values.iter().position(several)?)));
        Self(splits.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The relation of a sentence: a part if the sentence has a constant there, else the whole; none for a variable.
    pub(super) fn relation(&self, sentence: &'d Expr) -> Option<SplitRelation<'d>> {
        let signature = sentence.signature()?;
        let value = self
            .0
            .get(&signature)
            .and_then(|&index| word(&sentence.args()[index]));
        Some(SplitRelation { signature, value })
    }
}

fn collect<'d>(values: &mut Option<FxHashSet<&'d str>>, arg: &'d Expr) {
    match (word(arg), values.as_mut()) {
        (Some(word), Some(values)) => {
            values.insert(word);
        }
        (None, _) => *values = None,
        (Some(_), None) => {}
    }
}

fn word(term: &Expr) -> Option<&str> {
    match &term.kind {
        ExprKind::Constant(word) => Some(word),
        ExprKind::Variable(_) | ExprKind::Compound(..) => None,
    }
}

/// Gives each part of a split relation a name of its own, and derives the whole from its parts.
pub(super) fn rename(rules: &mut Vec<Rule>, splits: &Splits<'_>) {
    if splits.is_empty() {
        return;
    }
    let taken: FxHashSet<Arc<str>> = rules.iter().flat_map(sentences).filter_map(name).collect();
    let mut wholes = IndexSet::new();
    for rule in &mut *rules {
        let whole = rule.head.clone();
        if rename_sentence(&mut rule.head, splits, &taken) {
            wholes.insert((
                opened(&whole, &rule.head, splits),
                rule.span.start,
                rule.span.end,
            ));
        }
        for literal in &mut rule.body {
            if let RuleLiteral::Holds(sentence) | RuleLiteral::Fails(sentence) = literal {
                rename_sentence(sentence, splits, &taken);
            }
        }
    }
    let mut derived = FxHashSet::default();
    for ((whole, part), start, end) in wholes {
        if derived.insert(part.clone()) {
            rules.push(Rule {
                head: whole,
                body: vec![RuleLiteral::Holds(part)],
                span: Span { start, end },
            });
        }
    }
}

fn sentences(rule: &Rule) -> impl Iterator<Item = &Term> {
    let body = rule.body.iter().filter_map(|literal| match literal {
        RuleLiteral::Holds(sentence) | RuleLiteral::Fails(sentence) => Some(sentence),
        RuleLiteral::Distinct(..) | RuleLiteral::Same(..) => None,
    });
    body.chain([&rule.head])
}

fn name(term: &Term) -> Option<Arc<str>> {
    match term {
        Term::Variable(_) => None,
        Term::Constant(name) | Term::Compound(name, _) => Some(Arc::clone(name)),
    }
}

/// The argument a sentence's relation is split by.
fn split_by(sentence: &Term, splits: &Splits<'_>) -> Option<usize> {
    let Term::Compound(name, args) = sentence else {
        return None;
    };
    let arity = Some(args.len());
    splits.0.get(&Signature { name, arity }).copied()
}

fn rename_sentence(sentence: &mut Term, splits: &Splits<'_>, taken: &FxHashSet<Arc<str>>) -> bool {
    let Some(index) = split_by(sentence, splits) else {
        return false;
    };
    let Term::Compound(name, args) = sentence else {
        return false;
    };
    let Term::Constant(value) = &args[index] else {
        return false;
    };
    let mut part = format!("{name}/{value}");
    while taken.contains(part.as_str()) {
        part.push('\'');
    }
    *name = part.into();
    true
}

/// A head before and after its renaming, with a variable for each argument except the one it is split by.
fn opened(whole: &Term, part: &Term, splits: &Splits<'_>) -> (Term, Term) {
    let kept = split_by(whole, splits);
    let open = |term: &Term| match term {
        Term::Compound(name, args) => {
            let args = args.iter().enumerate().map(|(index, arg)| match kept {
                Some(kept) if kept == index => arg.clone(),
                _ => Term::Variable(index.to_string().into()),
            });
            Term::Compound(Arc::clone(name), args.collect())
        }
        Term::Variable(_) | Term::Constant(_) => term.clone(),
    };
    (open(whole), open(part))
}
