//! When values are told apart, as rules for the relaxed program.

use rustc_hash::FxHashSet;

use super::kinds::{Kinds, certain_kinds, find_kinds, kinds_in, values_in};
use super::together::Groups;
use super::uses::Use;
use super::{AllIndifferent, Finder, Indifferent, count, variables_in, variables_of};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};
use crate::ground::GroundError;
use crate::ground::budget::Budget;
use crate::ground::relax::{Relaxed, map_atom, map_literal};
use crate::ground::unfold::numbered;

/// Adds what derives the rows that are told apart. Answers nothing if that cannot be said of some: what rests on them
/// would be wrong.
pub(super) fn define(
    finder: &Finder<'_>,
    groups: &Groups,
    relaxed: &mut Relaxed,
    budget: &mut Budget,
) -> Result<AllIndifferent, GroundError> {
    let Relaxed {
        program,
        restricted,
        ..
    } = relaxed;
    let kinds = find_kinds(finder, program, budget)?;
    let mut all = named(finder, groups, &kinds, program);
    let certain = certain_kinds(finder, &kinds, program, budget)?;
    let mut definer = Definer {
        finder,
        all: &all,
        certain: &certain,
        restricted,
        relaxed: program,
        budget,
        written: FxHashSet::default(),
        has_failed: false,
    };
    for clause in &finder.clauses {
        for group in all.get(&clause.head.pred).into_iter().flatten() {
            definer.define(clause, group)?;
        }
    }
    if definer.has_failed {
        all.clear();
    }
    Ok(all)
}

/// The sets of columns, with a name each for the relation of what is told apart.
fn named(
    finder: &Finder<'_>,
    groups: &Groups,
    kinds: &Kinds,
    relaxed: &mut Program,
) -> AllIndifferent {
    let mut all = AllIndifferent::default();
    let mut preds: Vec<Pred> = groups.keys().copied().collect();
    preds.sort_unstable();
    for pred in preds {
        let mut fixed: Vec<usize> = (0..finder.program.arity(pred)).collect();
        fixed.retain(|&column| !finder.columns.contains(&(pred, column)));
        for (number, columns) in groups[&pred].iter().enumerate() {
            let name = format!("told apart {number} {}", finder.program.label(pred));
            let told_apart = relaxed.pred(&name, fixed.len() + columns.len());
            let of_column = |&column: &usize| {
                let of = kinds.get(&(pred, column)).into_iter().flatten();
                of.map(move |&kind| (column, kind))
            };
            all.entry(pred).or_default().push(Indifferent {
                columns: columns.clone(),
                fixed: fixed.clone(),
                told_apart,
                kinds: columns.iter().flat_map(of_column).collect(),
            });
        }
    }
    all
}

/// Writes down when values are told apart.
struct Definer<'f, 'p, 'b> {
    finder: &'f Finder<'p>,
    all: &'f AllIndifferent,
    /// Of what kind all values are that any row has.
    certain: &'f Kinds,
    /// Relations that lack rows in the relaxed program: nothing may be told by them.
    restricted: &'f FxHashSet<Pred>,
    relaxed: &'f mut Program,
    budget: &'b mut Budget,
    written: FxHashSet<Clause>,
    /// Whether a rule was met for which it cannot be said.
    has_failed: bool,
}

impl Definer<'_, '_, '_> {
    /// Adds when a rule tells the values of a set of columns apart.
    fn define(&mut self, clause: &Clause, group: &Indifferent) -> Result<(), GroundError> {
        let columns = group.fixed.iter().chain(&group.columns);
        let head = Atom {
            pred: group.told_apart,
            args: columns
                .map(|&column| clause.head.args[column].clone())
                .collect(),
        };
        let is_tested = |&column: &usize| self.finder.use_of(clause, column) == Use::Tested;
        if group.columns.iter().any(is_tested) {
            self.add_all(clause, head);
            return Ok(());
        }
        let case = Case {
            clause,
            group,
            head,
        };
        for &column in &group.columns {
            self.budget.count(1 + clause.body.len(), 0)?;
            if let Pattern::Var(variable) = clause.head.args[column] {
                for literal in &clause.body {
                    self.define_by(&case, literal, variable);
                }
            }
        }
        Ok(())
    }

    /// Adds when a literal that mentions a variable of the head tells its values apart.
    fn define_by(&mut self, case: &Case<'_>, literal: &Literal, variable: usize) {
        if let Some((atom, (pred, at))) = self.finder.handed_on(literal, variable) {
            let inner = self.all[&pred].iter().find(|of| of.columns.contains(&at));
            let told = inner.map(|inner| {
                let columns = inner.fixed.iter().chain(&inner.columns);
                Literal::Positive(Atom {
                    pred: inner.told_apart,
                    args: columns.map(|&column| atom.args[column].clone()).collect(),
                })
            });
            self.add(case, told, &Pattern::Var);
        } else if self.finder.kind_of(literal, variable).is_none() && count(literal, variable) > 0 {
            self.add_difference(case, literal, variable);
        }
    }

    /// A value is told apart where it does not differ.
    fn add_difference(&mut self, case: &Case<'_>, literal: &Literal, variable: usize) {
        match literal {
            Literal::Positive(atom) => {
                let same = complement(atom.pred, self.finder.program, self.relaxed);
                let told = Literal::Positive(Atom {
                    pred: same,
                    args: atom.args.clone(),
                });
                self.add(case, Some(told), &Pattern::Var);
            }
            Literal::Distinct(left, right) => {
                let other = if *left == Pattern::Var(variable) {
                    right
                } else {
                    left
                };
                self.add(case, None, &|of| {
                    if of == variable {
                        other.clone()
                    } else {
                        Pattern::Var(of)
                    }
                });
            }
            Literal::Negative(_) | Literal::Same(..) => {
                self.add_all(case.clause, case.head.clone());
            }
        }
    }

    /// Adds that values are told apart where `told` holds and the rule applies to any others in their place, `value` in
    /// place of each variable. Where that leaves variables open, whatever the rule derives is told apart.
    fn add(&mut self, case: &Case<'_>, told: Option<Literal>, value: &impl Fn(usize) -> Pattern) {
        let Case {
            clause,
            group,
            head,
        } = case;
        let args = group
            .columns
            .iter()
            .map(|&column| &clause.head.args[column]);
        let moving: Vec<usize> = args.flat_map(variables_in).collect();
        // Whatever two values are compared, the rule need not apply to both.
        let other_value = |variable: usize| {
            let place = moving.iter().position(|&of| of == variable);
            Pattern::Var(place.map_or(variable, |place| clause.variables + place))
        };
        // The kinds bind what `told` leaves open. Those that only other rules ask for may not be asked: who hands a constant
        // on, of another kind, asks by this rule alone.
        let mut first: Vec<Literal> = told.into_iter().collect();
        for &variable in &moving {
            let kinds = kinds_in(self.finder, clause, variable, self.certain, self.relaxed);
            first.extend(kinds.into_iter().map(|pred| {
                let args = vec![Pattern::Var(variable)];
                Literal::Positive(Atom { pred, args })
            }));
        }
        let first = first.iter().map(|of| map_literal(of, value)).collect();
        let others = clause.body.iter();
        let others = others.map(|literal| map_literal(literal, &other_value));
        match self.body(clause, map_atom(head, value), first, others) {
            Some(told_apart) => self.write(told_apart),
            None => self.add_all(clause, head.clone()),
        }
    }

    /// Adds that whatever a rule derives is told apart.
    fn add_all(&mut self, clause: &Clause, head: Atom) {
        match self.body(clause, head, Vec::new(), clause.body.iter().cloned()) {
            Some(told_apart) => self.write(told_apart),
            None => self.has_failed = true,
        }
    }

    /// Adds a rule, once: where a literal tells several columns apart, each of them leads to it.
    fn write(&mut self, rule: Clause) {
        if self.written.insert(rule.clone()) {
            self.relaxed.add(rule);
        }
    }

    /// A rule for `head` from the literals `first` and what must hold of `others`. Those that do not matter to `head` are
    /// left out; `None` if its variables are not bound.
    fn body(
        &self,
        clause: &Clause,
        head: Atom,
        first: Vec<Literal>,
        others: impl Iterator<Item = Literal>,
    ) -> Option<Clause> {
        let wanted = variables_of(&Literal::Positive(head.clone()));
        let is_open_elsewhere =
            |of: &usize| self.finder.is_open_in_head(clause, *of) && !wanted.contains(of);
        let may_tell = |literal: &Literal| matches!(literal, Literal::Positive(of) if !self.restricted.contains(&of.pred));
        let matters = |of: &Literal| !variables_of(of).iter().any(is_open_elsewhere);
        let (others, rest): (Vec<Literal>, Vec<Literal>) =
            others.filter(may_tell).partition(matters);
        let mut body = first;
        body.extend(others);
        if !are_bound(&wanted, &body) {
            body.extend(rest);
        }
        are_bound(&wanted, &body).then_some(numbered(&Clause {
            head,
            body,
            variables: 0,
        }))
    }
}

/// A rule that hands values on, and whose values may be told apart.
struct Case<'c> {
    clause: &'c Clause,
    group: &'c Indifferent,
    /// What is to be derived of them.
    head: Atom,
}

fn are_bound(variables: &[usize], body: &[Literal]) -> bool {
    let bound: FxHashSet<usize> = body.iter().flat_map(variables_of).collect();
    variables.iter().all(|of| bound.contains(of))
}

/// The relation of the rows of such values that a static relation lacks.
fn complement(pred: Pred, program: &Program, relaxed: &mut Program) -> Pred {
    let arity = program.arity(pred);
    let name = format!("not {}", program.label(pred));
    if let Some(known) = relaxed.find_pred(&name, arity) {
        return known;
    }
    let lacks = relaxed.pred(&name, arity);
    let args: Vec<Pattern> = (0..arity).map(Pattern::Var).collect();
    let mut body: Vec<Literal> = (0..arity)
        .map(|column| {
            let values = values_in(pred, column, program, relaxed);
            Literal::Positive(Atom {
                pred: values,
                args: vec![Pattern::Var(column)],
            })
        })
        .collect();
    body.push(Literal::Negative(Atom {
        pred,
        args: args.clone(),
    }));
    relaxed.add(Clause {
        head: Atom { pred: lacks, args },
        body,
        variables: arity,
    });
    lacks
}
