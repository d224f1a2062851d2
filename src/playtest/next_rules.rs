//! What the rules for `next` do with the facts of a group: keep them, or compute new ones from them.

use super::explain::{Explainer, arguments};
use super::groups::{GroupWatch, Groups};
use crate::engine::head_name;
use crate::gdl::{Rule, RuleLiteral, Term};

/// The rules for `next` that say what facts of a relation hold.
pub(super) struct NextRules {
    pub(super) all: Vec<usize>,
    /// Rules with a condition on a fact of the same relation.
    pub(super) reading: Vec<usize>,
    /// Rules that give a group a new fact in place of the old one that they read: moves have no say in which one.
    pub(super) computing: Vec<usize>,
    /// Whether the end of the game or a goal depends on facts of the relation.
    pub(super) is_asked_at_end: bool,
    /// Whether other rules compare the value of such a fact, or take it on. Rules that ask for known values alone can do with
    /// a relation that keeps all values that there were.
    pub(super) is_value_used: bool,
}

impl NextRules {
    pub(super) fn of(watch: &GroupWatch, groups: &Groups, explainer: &Explainer<'_>) -> Self {
        let name = watch.table.text(groups.functor);
        let arity = groups.fixed.len() + groups.open.len();
        let rule = |number: usize| &explainer.rules.rules()[number];
        let is_own = |fact: &&Term| head_name(fact) == name && arguments(fact).len() == arity;
        let mut all = explainer.rules_for("next", None);
        all.retain(|&number| {
            arguments(&rule(number).head)
                .first()
                .as_ref()
                .is_some_and(is_own)
        });
        let reads = |number: &usize| facts_asked(rule(*number)).any(|fact| is_own(&fact));
        let reading: Vec<usize> = all.iter().copied().filter(reads).collect();
        let computes = |number: &usize| computes(groups, rule(*number), is_own);
        let computing = reading.iter().copied().filter(computes).collect();
        Self {
            all,
            reading,
            computing,
            is_asked_at_end: is_asked_at_end(is_own, explainer),
            is_value_used: is_value_used(groups, is_own, explainer),
        }
    }
}

/// Whether a rule for `next` computes a value from a fact of the same relation and a table, as for a counter or a score.
pub(super) fn counts_on(rule: &Rule) -> bool {
    let Some(new) = arguments(&rule.head).first() else {
        return false;
    };
    let is_own = |fact: &&Term| {
        head_name(fact) == head_name(new) && arguments(fact).len() == arguments(new).len()
    };
    let own: Vec<&Term> = facts_asked(rule).filter(is_own).collect();
    let is_given = |word: &Term| {
        let mut said = own.iter().copied().chain(conditions(rule, "does"));
        said.any(|sentence| occurs(word, sentence))
    };
    let mut words = arguments(new).iter();
    let is_computed = |word: &Term| matches!(word, Term::Variable(_)) && !is_given(word);
    !own.is_empty() && words.any(is_computed)
}

/// The facts that a rule asks for with `true`.
fn facts_asked(rule: &Rule) -> impl Iterator<Item = &Term> {
    conditions(rule, "true").filter_map(|sentence| arguments(sentence).first())
}

fn conditions<'r>(rule: &'r Rule, keyword: &'r str) -> impl Iterator<Item = &'r Term> {
    rule.body.iter().filter_map(move |literal| match literal {
        RuleLiteral::Holds(sentence) if head_name(sentence) == keyword => Some(sentence),
        _ => None,
    })
}

/// Whether a rule replaces the fact of a group by another one, by what else holds and not by what a move says.
fn computes(groups: &Groups, rule: &Rule, is_own: impl Fn(&&Term) -> bool) -> bool {
    let Some(new) = arguments(&rule.head).first() else {
        return false;
    };
    let part = |fact: &Term, places: &[usize]| -> Vec<Term> {
        let args = arguments(fact);
        places.iter().map(|&place| args[place].clone()).collect()
    };
    let (key, content) = (part(new, &groups.fixed), part(new, &groups.open));
    let is_replaced = |old: &Term| {
        part(old, &groups.fixed) == key
            && part(old, &groups.open)
                .iter()
                .zip(&content)
                .all(|(old, new)| old != new)
    };
    let is_said = |word: &Term| conditions(rule, "does").any(|sentence| occurs(word, sentence));
    let variables = || {
        content
            .iter()
            .filter(|word| matches!(word, Term::Variable(_)))
    };
    facts_asked(rule).filter(is_own).any(is_replaced)
        && variables().next().is_some()
        && !variables().any(is_said)
}

fn occurs(word: &Term, term: &Term) -> bool {
    word == term || arguments(term).iter().any(|arg| occurs(word, arg))
}

/// Whether a rule but those that give such facts has the value of one in its head, or in another condition.
fn is_value_used(
    groups: &Groups,
    is_own: impl Fn(&&Term) -> bool,
    explainer: &Explainer<'_>,
) -> bool {
    let gives = |rule: &&Rule| {
        head_name(&rule.head) == "next"
            && arguments(&rule.head).first().as_ref().is_some_and(&is_own)
    };
    let uses = |rule: &Rule| {
        facts_asked(rule).filter(&is_own).any(|fact| {
            let others = rule.body.iter().filter_map(RuleLiteral::sentence);
            let others = others.filter(|sentence| arguments(sentence).first() != Some(fact));
            let places: Vec<&Term> = others.chain([&rule.head]).collect();
            let mut values = groups.open.iter().map(|&place| &arguments(fact)[place]);
            values.any(|value| {
                matches!(value, Term::Variable(_))
                    && places.iter().any(|place| occurs(value, place))
            })
        })
    };
    let mut others = explainer.rules.rules().iter().filter(|rule| !gives(rule));
    others.any(uses)
}

/// Whether rules for the end or for goals ask for such a fact, or rules behind their conditions do.
fn is_asked_at_end(is_own: impl Fn(&&Term) -> bool, explainer: &Explainer<'_>) -> bool {
    let rules = explainer.rules.rules();
    let mut relations = vec!["terminal", "goal"];
    let mut next = 0;
    while let Some(&relation) = relations.get(next) {
        next += 1;
        for rule in rules
            .iter()
            .filter(|rule| head_name(&rule.head) == relation)
        {
            if facts_asked(rule).any(|fact| is_own(&fact)) {
                return true;
            }
            for sentence in rule.body.iter().filter_map(RuleLiteral::sentence) {
                if !relations.contains(&head_name(sentence)) {
                    relations.push(head_name(sentence));
                }
            }
        }
    }
    false
}
