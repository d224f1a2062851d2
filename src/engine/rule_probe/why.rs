//! Why something holds or does not: the rules that might give it, condition by condition.

use super::near_miss::{Bindings, contains_any, matches, value, variable_names, with_values};
use super::{ProbeExhausted, RuleProbe};
use crate::datalog::{Atom, Clause, Literal, TermId, Terms};
use crate::gdl::Term;
use crate::kif::GroundTerm;

/// So many ways to meet the first conditions of a rule are followed.
const MOST_WAYS: usize = 2_000;
/// So many facts are told that hold instead of one that is missing.
const MOST_INSTEAD: usize = 3;
/// So many rules are followed for one condition.
const MOST_RULES: usize = 3;

/// A rule whose head fits, and how far its conditions hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedRule {
    /// The rule.
    pub rule: usize,
    /// Its conditions in the order in which they were tried, up to the first that does not hold.
    pub conditions: Vec<TriedCondition>,
}

/// A condition of a rule, with the conditions before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedCondition {
    /// The condition, with the values that are known of its variables.
    pub text: String,
    /// Whether it holds together with those before it.
    pub holds: bool,
    /// Where it does not hold: facts that come near to it or, under `not`, the fact that holds.
    pub instead: Vec<String>,
    /// Where it does not hold: the rules that might give what is missing or, under `not`, those that give what holds.
    pub rules: Vec<TriedRule>,
}

impl TriedRule {
    /// Whether the rule applies.
    pub fn applies(&self) -> bool {
        self.conditions.iter().all(|condition| condition.holds)
    }
}

/// How far the conditions of a clause hold.
struct TriedBody {
    /// The conditions that hold together, in the order in which they were tried.
    held: Vec<usize>,
    /// The first one that does not.
    failed: Option<usize>,
    /// The ways to meet those that hold.
    ways: Vec<Bindings>,
}

impl RuleProbe {
    /// The rules for `relation` whose heads fit these arguments, and how far their conditions hold in the present state;
    /// `None` stands for any argument. What relations in conditions lack is followed into their rules, `depth` times.
    ///
    /// # Errors
    /// [`ProbeExhausted`].
    pub fn why(
        &mut self,
        relation: &str,
        wanted: &[Option<GroundTerm>],
        depth: usize,
    ) -> Result<Vec<TriedRule>, ProbeExhausted> {
        wanted
            .iter()
            .flatten()
            .for_each(|term| self.intern_known(term));
        let rules = self.rules.rules().iter().enumerate();
        let of_relation = rules.filter(|(_, rule)| super::head_name(&rule.head) == relation);
        let of_relation: Vec<usize> = of_relation.map(|(number, _)| number).collect();
        let mut tried = Vec::new();
        for rule in of_relation {
            let of_rule = self.try_rule(rule, wanted, depth)?;
            tried.extend(of_rule.filter(|one| self.is_news(one, &tried)));
        }
        Ok(tried)
    }

    /// Interns a term, or those in it where it stands for several: the values of variables are interned terms.
    fn intern_known(&self, term: &GroundTerm) {
        if !contains_any(term) {
            self.intern(term);
        } else if let GroundTerm::Compound(_, args) = term {
            args.iter().for_each(|arg| self.intern_known(arg));
        }
    }

    /// Whether no other branch of the same `or` came as far.
    fn is_news(&self, one: &TriedRule, tried: &[TriedRule]) -> bool {
        let span = |rule: usize| self.rules.rules()[rule].span;
        let is_same = |other: &TriedRule| {
            span(other.rule) == span(one.rule) && other.conditions == one.conditions
        };
        !tried.iter().any(is_same)
    }

    /// `None` where the head does not fit.
    fn try_rule(
        &mut self,
        rule: usize,
        wanted: &[Option<GroundTerm>],
        depth: usize,
    ) -> Result<Option<TriedRule>, ProbeExhausted> {
        let clause = self.clause(rule).clone();
        let mut bindings: Bindings = vec![None; clause.variables];
        if !self.fits(&clause, wanted, &mut bindings) {
            return Ok(None);
        }
        for literal in &clause.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                self.rows_of(atom.pred)?;
            }
        }
        let course = self.follow(&clause, bindings);
        let known = self.known(rule, &course.ways);
        let mut conditions: Vec<TriedCondition> = Vec::new();
        for &number in &course.held {
            conditions.push(TriedCondition {
                text: self.condition(rule, number, &known),
                holds: true,
                instead: Vec::new(),
                rules: Vec::new(),
            });
        }
        if let Some(number) = course.failed {
            let way = common(&course.ways);
            let literal = &clause.body[number];
            conditions.push(TriedCondition {
                text: self.condition(rule, number, &known),
                holds: false,
                instead: self.instead(rule, (number, literal), &way),
                rules: self.behind(literal, &way, depth)?,
            });
        }
        Ok(Some(TriedRule { rule, conditions }))
    }

    /// Meets one condition after the other: those that bind nothing as soon as all their values are known.
    fn follow(&self, clause: &Clause, bindings: Bindings) -> TriedBody {
        let terms = self.engine.terms().lock();
        let mut course = TriedBody {
            held: Vec::new(),
            failed: None,
            ways: vec![bindings],
        };
        let mut left: Vec<usize> = (0..clause.body.len()).collect();
        while !left.is_empty() {
            let is_ready = |number: &&usize| {
                let literal = &clause.body[**number];
                let mut is_ready = true;
                literal.each_variable(&mut |variable| {
                    is_ready &= course.ways[0][variable].is_some();
                });
                is_ready || matches!(literal, Literal::Positive(_))
            };
            let next = left.iter().find(is_ready).copied().unwrap_or(left[0]);
            left.retain(|&number| number != next);
            let ways = self.meet(&clause.body[next], &course.ways, &terms);
            if ways.is_empty() {
                course.failed = Some(next);
                break;
            }
            course.held.push(next);
            course.ways = ways;
        }
        course
    }

    /// The ways to meet a condition together with those before it.
    fn meet(&self, literal: &Literal, ways: &[Bindings], terms: &Terms) -> Vec<Bindings> {
        let mut met = Vec::new();
        for way in ways {
            match literal {
                Literal::Positive(atom) => {
                    for row in self.rows.get(&atom.pred).into_iter().flatten() {
                        let mut bindings = way.clone();
                        if matches(&atom.args, row, terms, &mut bindings) {
                            met.push(bindings);
                        }
                        if met.len() == MOST_WAYS {
                            return met;
                        }
                    }
                }
                _ if self.holds(literal, terms, way) => met.push(way.clone()),
                _ => {}
            }
        }
        met
    }

    /// The values of variables that are the same in all ways, by name.
    fn known(&self, rule: usize, ways: &[Bindings]) -> Vec<(&str, String)> {
        let terms = self.engine.terms().lock();
        let names = variable_names(&self.rules.rules()[rule]);
        let values = common(ways);
        let known = names.into_iter().zip(values);
        known
            .filter_map(|(name, value)| Some((name, terms.text(value?))))
            .collect()
    }

    fn condition(&self, rule: usize, number: usize, known: &[(&str, String)]) -> String {
        with_values(&self.rules.rules()[rule].body[number], known).to_string()
    }

    /// Facts that come near to a condition that fails, the nearest first; or what holds under `not`.
    fn instead(
        &self,
        rule: usize,
        (number, literal): (usize, &Literal),
        way: &Bindings,
    ) -> Vec<String> {
        let terms = self.engine.terms().lock();
        let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else {
            return Vec::new();
        };
        let wanted: Vec<Option<TermId>> = atom
            .args
            .iter()
            .map(|arg| value(arg, &terms, way))
            .collect();
        let agreement = |row: &Vec<TermId>| -> Vec<bool> {
            let pairs = wanted.iter().zip(row);
            pairs.map(|(one, other)| *one == Some(*other)).collect()
        };
        let rows = self.rows.get(&atom.pred).into_iter().flatten();
        let mut near: Vec<(usize, Vec<bool>, &Vec<TermId>)> = rows
            .map(|row| {
                let agreement = agreement(row);
                (
                    agreement.iter().filter(|same| **same).count(),
                    agreement,
                    row,
                )
            })
            .filter(|(count, ..)| *count > 0 || wanted.iter().all(Option::is_none))
            .collect();
        near.sort_by(|one, other| (other.0, &other.1).cmp(&(one.0, &one.1)));
        if matches!(literal, Literal::Negative(_)) {
            near.retain(|(count, ..)| *count == wanted.len());
        }
        // Those that agree in the same arguments as the nearest one.
        let best = near.first().map(|(_, agreement, _)| agreement.clone());
        near.retain(|(_, agreement, _)| Some(agreement) == best.as_ref());
        let near = near.into_iter();
        let sentence = self.rules.rules()[rule].body[number].sentence();
        let text = |row: &Vec<TermId>| {
            let words: Vec<String> = row.iter().map(|&term| terms.text(term)).collect();
            sentence.map(|sentence| with_arguments(sentence, words))
        };
        near.filter_map(|(.., row)| text(row))
            .take(MOST_INSTEAD)
            .collect()
    }

    /// The rules behind a condition that fails.
    fn behind(
        &mut self,
        literal: &Literal,
        way: &Bindings,
        depth: usize,
    ) -> Result<Vec<TriedRule>, ProbeExhausted> {
        let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else {
            return Ok(Vec::new());
        };
        if depth == 0 {
            return Ok(Vec::new());
        }
        let wanted = self.arguments(atom, way);
        let is_derived = |clause: &Clause| clause.head.pred == atom.pred && !clause.body.is_empty();
        let clauses = self.program.clauses().iter().enumerate();
        let clauses = clauses.filter(|(_, clause)| is_derived(clause));
        let rules: Vec<usize> = clauses.map(|(number, _)| number).collect();
        let is_denied = matches!(literal, Literal::Negative(_));
        let mut tried = Vec::new();
        for rule in rules {
            let of_rule = self.try_rule(rule, &wanted, depth - 1)?;
            let is_wanted = |one: &TriedRule| !is_denied || one.applies();
            tried.extend(of_rule.filter(|one| is_wanted(one) && self.is_news(one, &tried)));
            if tried.len() == MOST_RULES {
                break;
            }
        }
        Ok(tried)
    }

    /// The arguments of an atom; `None` for one without a value.
    pub(super) fn arguments(&self, atom: &Atom, way: &Bindings) -> Vec<Option<GroundTerm>> {
        let terms = self.engine.terms().lock();
        let args = atom.args.iter();
        args.map(|arg| terms.text(value(arg, &terms, way)?).parse().ok())
            .collect()
    }
}

/// The values that are the same in all ways.
fn common(ways: &[Bindings]) -> Bindings {
    let Some((first, others)) = ways.split_first() else {
        return Bindings::new();
    };
    let is_common = |variable: usize| others.iter().all(|way| way[variable] == first[variable]);
    let values = first.iter().enumerate();
    values
        .map(|(variable, value)| value.filter(|_| is_common(variable)))
        .collect()
}

/// A sentence with the arguments of a row: the relations of facts and moves have a column for each argument of these.
fn with_arguments(sentence: &Term, mut words: Vec<String>) -> String {
    let Term::Compound(name, args) = sentence else {
        return sentence.to_string();
    };
    let written = |name: &str, words: &[String]| format!("({name} {})", words.join(" "));
    let inner = args.last().filter(|_| matches!(&**name, "true" | "does"));
    match inner {
        Some(Term::Constant(word)) => {
            words.push(word.to_string());
            written(name, &words)
        }
        Some(Term::Compound(functor, inner)) => {
            let own = words.split_off(words.len() - inner.len());
            words.push(written(functor, &own));
            written(name, &words)
        }
        _ => written(name, &words),
    }
}
