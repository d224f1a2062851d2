//! When values are told apart, as rules for the relaxed program.

use rustc_hash::FxHashSet;

use super::kinds::{add_kinds, values_in};
use super::together::Groups;
use super::uses::Use;
use super::{AllIndifferent, Finder, Indifferent, count, variables_of};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};
use crate::ground::relax::{map_atom, map_literal};

/// Adds what derives the rows that are told apart. Answers nothing if that cannot be said of some: what rests on them
/// would be wrong.
pub(super) fn define(
    finder: &Finder<'_>,
    groups: &Groups,
    relaxed: &mut Program,
) -> AllIndifferent {
    let mut all = named(finder, groups, relaxed);
    add_kinds(finder, &mut all, relaxed);
    let mut definer = Definer {
        finder,
        all: &all,
        relaxed,
        has_failed: false,
    };
    for clause in &finder.clauses {
        for group in all.get(&clause.head.pred).into_iter().flatten() {
            definer.define(clause, group);
        }
    }
    if definer.has_failed {
        all.clear();
    }
    all
}

/// The sets of columns, with a name each for the relation of what is told apart.
fn named(finder: &Finder<'_>, groups: &Groups, relaxed: &mut Program) -> AllIndifferent {
    let mut all = AllIndifferent::default();
    let mut preds: Vec<Pred> = groups.keys().copied().collect();
    preds.sort_unstable();
    for pred in preds {
        let mut fixed: Vec<usize> = (0..finder.program.arity(pred)).collect();
        fixed.retain(|&column| !finder.columns.contains(&(pred, column)));
        for (number, columns) in groups[&pred].iter().enumerate() {
            let name = format!("told apart {number} {}", finder.program.name(pred));
            let told_apart = relaxed.pred(&name, fixed.len() + columns.len());
            all.entry(pred).or_default().push(Indifferent {
                columns: columns.clone(),
                fixed: fixed.clone(),
                told_apart,
                kinds: Vec::new(),
            });
        }
    }
    all
}

/// Writes down when values are told apart.
struct Definer<'f, 'p> {
    finder: &'f Finder<'p>,
    all: &'f AllIndifferent,
    relaxed: &'f mut Program,
    /// Whether a rule was met for which it cannot be said.
    has_failed: bool,
}

impl Definer<'_, '_> {
    /// Adds when a rule tells the values of a set of columns apart.
    fn define(&mut self, clause: &Clause, group: &Indifferent) {
        let columns = group.fixed.iter().chain(&group.columns);
        let head = Atom {
            pred: group.told_apart,
            args: columns
                .map(|&column| clause.head.args[column].clone())
                .collect(),
        };
        let is_tested = |&column: &usize| self.finder.use_of(clause, column) == Use::Tested;
        if group.columns.iter().any(is_tested) {
            return self.add(clause, head, None, None);
        }
        for &column in &group.columns {
            if let Pattern::Var(variable) = clause.head.args[column] {
                for literal in &clause.body {
                    self.define_by(clause, &head, literal, variable);
                }
            }
        }
    }

    /// Adds when a literal that mentions a variable of the head tells its values apart.
    fn define_by(&mut self, clause: &Clause, head: &Atom, literal: &Literal, variable: usize) {
        if let Some((atom, (pred, at))) = self.finder.handed_on(literal, variable) {
            let inner = self.all[&pred].iter().find(|of| of.columns.contains(&at));
            let told = inner.map(|inner| {
                let columns = inner.fixed.iter().chain(&inner.columns);
                Literal::Positive(Atom {
                    pred: inner.told_apart,
                    args: columns.map(|&column| atom.args[column].clone()).collect(),
                })
            });
            self.add(clause, head.clone(), Some(literal), told);
        } else if self.finder.kind_of(literal, variable).is_none() && count(literal, variable) > 0 {
            self.add_difference(clause, head, literal, variable);
        }
    }

    /// A value is told apart where it does not differ.
    fn add_difference(&mut self, clause: &Clause, head: &Atom, literal: &Literal, variable: usize) {
        match literal {
            Literal::Positive(atom) => {
                let same = complement(atom.pred, self.finder.program, self.relaxed);
                let told = Literal::Positive(Atom {
                    pred: same,
                    args: atom.args.clone(),
                });
                self.add(clause, head.clone(), Some(literal), Some(told));
            }
            Literal::Distinct(left, right) => {
                let other = if *left == Pattern::Var(variable) {
                    right
                } else {
                    left
                };
                let value = |of: usize| {
                    if of == variable {
                        other.clone()
                    } else {
                        Pattern::Var(of)
                    }
                };
                let body = clause.body.iter().filter(|of| *of != literal);
                let same = Clause {
                    head: clause.head.clone(),
                    body: body.map(|of| map_literal(of, &value)).collect(),
                    variables: clause.variables,
                };
                self.add(&same, map_atom(head, &value), None, None);
            }
            Literal::Negative(_) | Literal::Same(..) => {}
        }
    }

    /// Adds that `head` holds where the positive literals of `clause` do, with `told` in place of `literal`. Those that do
    /// not matter to `head` are left out.
    fn add(
        &mut self,
        clause: &Clause,
        head: Atom,
        literal: Option<&Literal>,
        told: Option<Literal>,
    ) {
        let wanted = variables_of(&Literal::Positive(head.clone()));
        let is_open_elsewhere =
            |of: &usize| self.finder.is_open_in_head(clause, *of) && !wanted.contains(of);
        let mut body: Vec<Literal> = told.into_iter().collect();
        let others = clause.body.iter().filter(|of| Some(*of) != literal);
        let others: Vec<&Literal> = others
            .filter(|of| matches!(of, Literal::Positive(_)))
            .collect();
        let matters = |of: &&&Literal| !variables_of(of).iter().any(is_open_elsewhere);
        body.extend(others.iter().filter(matters).copied().cloned());
        if !are_bound(&wanted, &body) {
            let rest = others.iter().filter(|of| !matters(of));
            body.extend(rest.copied().cloned());
        }
        self.has_failed |= !are_bound(&wanted, &body);
        if !self.has_failed {
            self.relaxed.add(Clause {
                head,
                body,
                variables: clause.variables,
            });
        }
    }
}

fn are_bound(variables: &[usize], body: &[Literal]) -> bool {
    let bound: FxHashSet<usize> = body.iter().flat_map(variables_of).collect();
    variables.iter().all(|of| bound.contains(of))
}

/// The relation of the rows of such values that a static relation lacks.
fn complement(pred: Pred, program: &Program, relaxed: &mut Program) -> Pred {
    let arity = program.arity(pred);
    let name = format!("not {}", program.name(pred));
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
