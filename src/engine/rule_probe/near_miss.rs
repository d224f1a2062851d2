//! Why a rule does not apply: the one condition that is in the way.

use super::{ProbeExhausted, RuleProbe};
use crate::datalog::{Atom, Clause, Literal, Pattern, TermId, Terms};
use crate::gdl::{RuleLiteral, Term};
use crate::kif::GroundTerm;

/// How many rows may be compared for one answer.
const STEPS: u32 = 50_000;

/// All conditions of a rule but one hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The rule.
    pub rule: usize,
    /// The condition that does not hold, with the values that the other conditions give its variables.
    pub condition: String,
    /// Whether the condition is a positive one.
    pub is_positive: bool,
    /// Whether it is about what never changes.
    pub is_static: bool,
}

impl NearMiss {
    /// A word that fits any argument, and that no rule file holds.
    pub fn any() -> GroundTerm {
        GroundTerm::Constant("?".to_owned())
    }
}

/// The values of the variables of a rule, as far as they are known.
pub(super) type Bindings = Vec<Option<TermId>>;

impl RuleProbe {
    /// Which condition alone keeps a rule from deriving a head with these arguments; `None` in `wanted` stands for any.
    /// Of several such conditions one about what never changes is preferred, then the others in their order. `None` where
    /// the rule applies, no single condition is in the way, or it takes too long to find out.
    ///
    /// Within an argument, [`NearMiss::any`] stands for any.
    ///
    /// # Errors
    /// [`ProbeExhausted`].
    pub fn near_miss(
        &mut self,
        rule: usize,
        wanted: &[Option<GroundTerm>],
    ) -> Result<Option<NearMiss>, ProbeExhausted> {
        let clause = self.clause(rule).clone();
        let misses = self.misses(&clause, wanted)?;
        let misses = misses
            .iter()
            .map(|(skipped, values)| self.describe(rule, &clause, *skipped, values));
        let mut found: Vec<NearMiss> = misses.collect();
        found.sort_by_key(|miss| !(miss.is_static && miss.is_positive));
        Ok(found.into_iter().next())
    }

    /// The conditions that are in the way all alone, with values for which all others hold.
    pub(super) fn misses(
        &mut self,
        clause: &Clause,
        wanted: &[Option<GroundTerm>],
    ) -> Result<Vec<(usize, Bindings)>, ProbeExhausted> {
        for literal in &clause.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                self.rows_of(atom.pred)?;
            }
        }
        let mut bindings: Bindings = vec![None; clause.variables];
        if !self.fits(clause, wanted, &mut bindings) {
            return Ok(Vec::new());
        }
        if self.join(clause, None, &bindings).is_some() {
            return Ok(Vec::new());
        }
        let all = 0..clause.body.len();
        let alone =
            all.filter_map(|skipped| Some((skipped, self.join(clause, Some(skipped), &bindings)?)));
        Ok(alone.collect())
    }

    /// Whether the head can have the arguments wanted; binds its variables.
    pub(super) fn fits(
        &self,
        clause: &Clause,
        wanted: &[Option<GroundTerm>],
        bindings: &mut Bindings,
    ) -> bool {
        let terms = self.engine.terms().lock();
        let mut pairs = clause.head.args.iter().zip(wanted);
        pairs.all(|(pattern, wanted)| match wanted {
            Some(wanted) => unify(pattern, wanted, &terms, bindings),
            None => true,
        })
    }

    /// Values for which every condition holds, but for the one that is skipped.
    fn join(
        &self,
        clause: &Clause,
        skipped: Option<usize>,
        bindings: &Bindings,
    ) -> Option<Bindings> {
        let terms = self.engine.terms().lock();
        let others = clause.body.iter().enumerate();
        let others = others.filter(|(number, _)| Some(*number) != skipped);
        let (positive, rest): (Vec<&Literal>, Vec<&Literal>) = others
            .map(|(_, literal)| literal)
            .partition(|literal| matches!(literal, Literal::Positive(_)));
        let mut join = Join {
            probe: self,
            terms: &terms,
            rest: &rest,
            steps: STEPS,
        };
        let mut bindings = bindings.clone();
        join.solve(&positive, &mut bindings).then_some(bindings)
    }

    fn describe(
        &self,
        rule: usize,
        clause: &Clause,
        skipped: usize,
        bindings: &Bindings,
    ) -> NearMiss {
        let terms = self.engine.terms().lock();
        let literal = &clause.body[skipped];
        let is_static = match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                self.engine.static_rows(atom.pred).is_some()
            }
            Literal::Distinct(..) | Literal::Same(..) => false,
        };
        NearMiss {
            rule,
            condition: self.with_known(rule, skipped, bindings, &terms).to_string(),
            is_positive: matches!(literal, Literal::Positive(_)),
            is_static,
        }
    }

    /// Whether a condition that binds nothing holds; one with an unknown value may.
    pub(super) fn holds(&self, literal: &Literal, terms: &Terms, bindings: &Bindings) -> bool {
        let value = |pattern: &Pattern| value(pattern, terms, bindings);
        match literal {
            Literal::Positive(_) => true,
            Literal::Negative(atom) => !self.has_row(atom, terms, bindings),
            Literal::Distinct(one, other) => {
                let both = value(one).zip(value(other));
                both.is_none_or(|(one, other)| one != other)
            }
            Literal::Same(one, other) => {
                let both = value(one).zip(value(other));
                both.is_none_or(|(one, other)| one == other)
            }
        }
    }

    fn has_row(&self, atom: &Atom, terms: &Terms, bindings: &Bindings) -> bool {
        let args = atom.args.iter();
        let row: Option<Vec<TermId>> = args.map(|arg| value(arg, terms, bindings)).collect();
        let rows = self.rows.get(&atom.pred);
        row.is_some_and(|row| rows.is_some_and(|rows| rows.contains(&row)))
    }
}

/// A backtracking join over the rows of the present state.
struct Join<'p> {
    probe: &'p RuleProbe,
    terms: &'p Terms,
    /// Conditions that bind nothing.
    rest: &'p [&'p Literal],
    steps: u32,
}

impl Join<'_> {
    fn solve(&mut self, positive: &[&Literal], bindings: &mut Bindings) -> bool {
        // The condition with the most known arguments first: it leaves the fewest rows.
        let open = |literal: &&&Literal| {
            let mut open = 0;
            literal
                .each_variable(&mut |variable| open += usize::from(bindings[variable].is_none()));
            open
        };
        let Some(place) = (0..positive.len()).min_by_key(|&place| open(&&positive[place])) else {
            return self
                .rest
                .iter()
                .all(|literal| self.probe.holds(literal, self.terms, bindings));
        };
        let Literal::Positive(atom) = positive[place] else {
            return false;
        };
        let others = [&positive[..place], &positive[place + 1..]].concat();
        let probe = self.probe;
        for row in probe.rows.get(&atom.pred).into_iter().flatten() {
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            let before = bindings.clone();
            if matches(&atom.args, row, self.terms, bindings) && self.solve(&others, bindings) {
                return true;
            }
            *bindings = before;
        }
        false
    }
}

pub(super) fn matches(
    patterns: &[Pattern],
    row: &[TermId],
    terms: &Terms,
    bindings: &mut Bindings,
) -> bool {
    let mut pairs = patterns.iter().zip(row);
    pairs.all(|(pattern, &term)| match pattern {
        Pattern::Var(variable) => *bindings[*variable].get_or_insert(term) == term,
        Pattern::Ground(ground) => *ground == term,
        Pattern::Compound(functor, args) => {
            terms.functor_of(term) == *functor
                && matches(args, terms.args_of(term), terms, bindings)
        }
    })
}

/// The same for a term that need not be stored; [`NearMiss::any`] fits every term.
pub(super) fn unify(
    pattern: &Pattern,
    term: &GroundTerm,
    terms: &Terms,
    bindings: &mut Bindings,
) -> bool {
    if *term == NearMiss::any() {
        return true;
    }
    match pattern {
        Pattern::Var(variable) => {
            let Some(found) = find(term, terms) else {
                return contains_any(term);
            };
            *bindings[*variable].get_or_insert(found) == found
        }
        Pattern::Ground(ground) => unify_stored(*ground, term, terms),
        Pattern::Compound(functor, args) => match term {
            GroundTerm::Compound(name, inner) => {
                terms.find_functor(name, Some(inner.len())) == Some(*functor)
                    && args
                        .iter()
                        .zip(inner)
                        .all(|(arg, inner)| unify(arg, inner, terms, bindings))
            }
            GroundTerm::Constant(_) => false,
        },
    }
}

fn unify_stored(stored: TermId, term: &GroundTerm, terms: &Terms) -> bool {
    match term {
        _ if *term == NearMiss::any() => true,
        GroundTerm::Constant(_) => find(term, terms) == Some(stored),
        GroundTerm::Compound(name, inner) => {
            terms.find_functor(name, Some(inner.len())) == Some(terms.functor_of(stored))
                && terms
                    .args_of(stored)
                    .iter()
                    .zip(inner)
                    .all(|(&arg, inner)| unify_stored(arg, inner, terms))
        }
    }
}

pub(super) fn contains_any(term: &GroundTerm) -> bool {
    match term {
        GroundTerm::Constant(_) => *term == NearMiss::any(),
        GroundTerm::Compound(_, args) => args.iter().any(contains_any),
    }
}

fn find(term: &GroundTerm, terms: &Terms) -> Option<TermId> {
    match term {
        GroundTerm::Constant(word) => terms.find(terms.find_functor(word, None)?, &[]),
        GroundTerm::Compound(name, args) => {
            let args: Option<Vec<TermId>> = args.iter().map(|arg| find(arg, terms)).collect();
            let args = args?;
            terms.find(terms.find_functor(name, Some(args.len()))?, &args)
        }
    }
}

pub(super) fn value(pattern: &Pattern, terms: &Terms, bindings: &Bindings) -> Option<TermId> {
    match pattern {
        Pattern::Var(variable) => bindings[*variable],
        Pattern::Ground(term) => Some(*term),
        Pattern::Compound(functor, args) => {
            let args = args.iter().map(|arg| value(arg, terms, bindings));
            terms.find(*functor, &args.collect::<Option<Vec<TermId>>>()?)
        }
    }
}

/// The variables of a rule in the order in which their numbers are given: that of their first occurrence.
pub(super) fn variable_names(rule: &crate::gdl::Rule) -> Vec<&str> {
    let mut names = Vec::new();
    add_names(&rule.head, &mut names);
    for literal in &rule.body {
        match literal {
            RuleLiteral::Holds(sentence) | RuleLiteral::Fails(sentence) => {
                add_names(sentence, &mut names);
            }
            RuleLiteral::Distinct(one, other) | RuleLiteral::Same(one, other) => {
                add_names(one, &mut names);
                add_names(other, &mut names);
            }
        }
    }
    names
}

fn add_names<'t>(term: &'t Term, names: &mut Vec<&'t str>) {
    match term {
        Term::Variable(name) if !names.contains(&&**name) => names.push(name),
        Term::Variable(_) | Term::Constant(_) => {}
        Term::Compound(_, args) => args.iter().for_each(|arg| add_names(arg, names)),
    }
}

pub(super) fn with_values(literal: &RuleLiteral, values: &[(&str, String)]) -> RuleLiteral {
    let put = |term: &Term| put_values(term, values);
    match literal {
        RuleLiteral::Holds(sentence) => RuleLiteral::Holds(put(sentence)),
        RuleLiteral::Fails(sentence) => RuleLiteral::Fails(put(sentence)),
        RuleLiteral::Distinct(one, other) => RuleLiteral::Distinct(put(one), put(other)),
        RuleLiteral::Same(one, other) => RuleLiteral::Same(put(one), put(other)),
    }
}

fn put_values(term: &Term, values: &[(&str, String)]) -> Term {
    match term {
        Term::Variable(name) => {
            let value = values.iter().find(|(known, _)| *known == &**name);
            value.map_or_else(
                || term.clone(),
                |(_, text)| Term::Constant(text.as_str().into()),
            )
        }
        Term::Constant(_) => term.clone(),
        Term::Compound(name, args) => {
            let args = args.iter().map(|arg| put_values(arg, values)).collect();
            Term::Compound(name.clone(), args)
        }
    }
}
