//! Rows that a table of the rules lacks: `(sum 4 5 ?n)` where the facts of `sum` end before.

use super::near_miss::{Bindings, value};
use super::{ProbeExhausted, RuleProbe};
use crate::datalog::{Atom, Literal, TermId, Terms};
use crate::gdl::RuleLiteral;
use crate::kif::GroundTerm;

/// A row of a relation that never changes, which alone keeps a rule from applying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingRow {
    /// The rule.
    pub rule: usize,
    /// The condition that asks for the row, with the values that the other conditions give its variables.
    pub condition: String,
    /// The name of the relation.
    pub relation: String,
    /// Whether the rule takes a value from the row: the condition has a variable without a value.
    pub gives_value: bool,
    /// Where the row is about numbers: the row before it, and the row after it.
    pub beside: [Option<String>; 2],
}

impl RuleProbe {
    /// The row that alone keeps a rule from deriving a head with these arguments, or a rule behind one of its conditions
    /// from giving what this one lacks; `None` in `wanted` stands for any argument, as
    /// [`NearMiss::any`](super::NearMiss::any) does within one.
    ///
    /// # Errors
    /// [`ProbeExhausted`].
    pub fn missing_row(
        &mut self,
        rule: usize,
        wanted: &[Option<GroundTerm>],
    ) -> Result<Option<MissingRow>, ProbeExhausted> {
        self.row_or_behind(rule, wanted, 1)
    }

    fn row_or_behind(
        &mut self,
        rule: usize,
        wanted: &[Option<GroundTerm>],
        depth: usize,
    ) -> Result<Option<MissingRow>, ProbeExhausted> {
        let clause = self.clause(rule).clone();
        let misses = self.misses(&clause, wanted)?;
        let atom = |number: usize| match &clause.body[number] {
            Literal::Positive(atom) => Some(atom),
            _ => None,
        };
        let positive = || {
            misses
                .iter()
                .filter_map(|(number, values)| Some((*number, atom(*number)?, values)))
        };
        let is_static = |atom: &Atom| self.engine.static_rows(atom.pred).is_some();
        if let Some((number, atom, values)) = positive().find(|(_, atom, _)| is_static(atom)) {
            return Ok(Some(self.row(rule, number, atom, values)));
        }
        if depth == 0 {
            return Ok(None);
        }
        for (_, atom, values) in positive() {
            let wanted = self.arguments(atom, values);
            let clauses = self.program.clauses().iter().enumerate();
            let behind =
                clauses.filter(|(_, one)| one.head.pred == atom.pred && !one.body.is_empty());
            let behind: Vec<usize> = behind.map(|(number, _)| number).collect();
            for rule in behind {
                if let Some(found) = self.row_or_behind(rule, &wanted, depth - 1)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    fn row(&self, rule: usize, number: usize, atom: &Atom, values: &Bindings) -> MissingRow {
        let terms = self.engine.terms().lock();
        let mut gives_value = false;
        Literal::Positive(atom.clone())
            .each_variable(&mut |variable| gives_value |= values[variable].is_none());
        let sentence = self.rules.rules()[rule].body[number].sentence();
        MissingRow {
            rule,
            condition: self.with_known(rule, number, values, &terms).to_string(),
            relation: sentence.map_or_else(String::new, |sentence| {
                super::head_name(sentence).to_owned()
            }),
            gives_value,
            beside: self.beside(atom, values, &terms),
        }
    }

    /// The rows before and after the one that is missing: they agree in all known arguments but one, which is a number.
    fn beside(&self, atom: &Atom, values: &Bindings, terms: &Terms) -> [Option<String>; 2] {
        let args = atom.args.iter();
        let wanted: Vec<Option<TermId>> = args.map(|arg| value(arg, terms, values)).collect();
        let number = |term: TermId| terms.text(term).parse::<i64>().ok();
        let text = |(_, row): (i64, &Vec<TermId>)| {
            let words: Vec<String> = row.iter().map(|&term| terms.text(term)).collect();
            format!("({} {})", self.program.name(atom.pred), words.join(" "))
        };
        for place in (0..wanted.len()).rev() {
            let Some(missing) = wanted[place].and_then(number) else {
                continue;
            };
            let agrees = |row: &&Vec<TermId>| {
                let mut known = wanted.iter().enumerate();
                known.all(|(at, word)| at == place || word.is_none_or(|word| row[at] == word))
            };
            let rows = || self.rows.get(&atom.pred).into_iter().flatten();
            let numbered = || {
                rows()
                    .filter(agrees)
                    .filter_map(|row| Some((number(row[place])?, row)))
            };
            let before = numbered().filter(|(number, _)| *number < missing).max();
            let after = numbered().filter(|(number, _)| *number > missing).min();
            if before.is_some() || after.is_some() {
                return [before.map(text), after.map(text)];
            }
        }
        [None, None]
    }

    /// A condition of a rule with the values that its variables have.
    pub(super) fn with_known(
        &self,
        rule: usize,
        number: usize,
        values: &Bindings,
        terms: &Terms,
    ) -> RuleLiteral {
        let of_rule = &self.rules.rules()[rule];
        let names = super::near_miss::variable_names(of_rule);
        let known: Vec<(&str, String)> = names
            .iter()
            .zip(values)
            .filter_map(|(name, value)| Some((*name, terms.text((*value)?))))
            .collect();
        super::near_miss::with_values(&of_rule.body[number], &known)
    }
}
