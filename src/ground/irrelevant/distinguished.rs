//! The distinguished rows, as rules of the relaxed program.

use rustc_hash::FxHashSet;

use super::argument_sets::ArgumentSets;
use super::domains::{ColumnDomains, domains_in, find_domains, guaranteed_domains, values_in};
use super::uses::ArgumentUse;
use super::{
    IrrelevanceAnalysis, IrrelevantArguments, IrrelevantByRelation, count, variables_in,
    variables_of,
};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};
use crate::ground::GroundError;
use crate::ground::budget::GroundingBudget;
use crate::ground::inline::renumbered;
use crate::ground::relaxed_reachability::{RelaxedProgram, map_atom, map_literal};

/// Adds the rules that derive the distinguished rows. Returns no irrelevant arguments at all if some of these rules cannot
/// be written safely.
pub(super) fn define(
    analysis: &IrrelevanceAnalysis<'_>,
    sets: &ArgumentSets,
    relaxed: &mut RelaxedProgram,
    budget: &mut GroundingBudget,
) -> Result<IrrelevantByRelation, GroundError> {
    let RelaxedProgram {
        program,
        restricted,
        ..
    } = relaxed;
    let domains = find_domains(analysis, program, budget)?;
    let mut all = named(analysis, sets, &domains, program);
    let guaranteed = guaranteed_domains(analysis, &domains, program, budget)?;
    let mut definer = Definer {
        analysis,
        all: &all,
        guaranteed: &guaranteed,
        restricted,
        relaxed: program,
        budget,
        written: FxHashSet::default(),
        has_failed: false,
    };
    for clause in &analysis.clauses {
        for set in all.get(&clause.head.pred).into_iter().flatten() {
            definer.define(clause, set)?;
        }
    }
    if definer.has_failed {
        all.clear();
    }
    Ok(all)
}

/// The sets of columns, each with a new relation of distinguished rows.
fn named(
    analysis: &IrrelevanceAnalysis<'_>,
    sets: &ArgumentSets,
    domains: &ColumnDomains,
    relaxed: &mut Program,
) -> IrrelevantByRelation {
    let mut all = IrrelevantByRelation::default();
    let mut preds: Vec<Pred> = sets.keys().copied().collect();
    preds.sort_unstable();
    for pred in preds {
        let mut fixed: Vec<usize> = (0..analysis.program.arity(pred)).collect();
        fixed.retain(|&column| !analysis.columns.contains(&(pred, column)));
        for (number, columns) in sets[&pred].iter().enumerate() {
            let name = format!("distinguished {number} {}", analysis.program.label(pred));
            let distinguished = relaxed.pred(&name, fixed.len() + columns.len());
            let of_column = |&column: &usize| {
                let of = domains.get(&(pred, column)).into_iter().flatten();
                of.map(move |&domain| (column, domain))
            };
            all.entry(pred).or_default().push(IrrelevantArguments {
                columns: columns.clone(),
                fixed: fixed.clone(),
                distinguished,
                domains: columns.iter().flat_map(of_column).collect(),
            });
        }
    }
    all
}

/// Writes the rules of the distinguished rows.
struct Definer<'f, 'p, 'b> {
    analysis: &'f IrrelevanceAnalysis<'p>,
    all: &'f IrrelevantByRelation,
    /// The domains that contain the values of every row.
    guaranteed: &'f ColumnDomains,
    /// Relations that lack rows in the relaxed program, so that no rule may depend on them.
    restricted: &'f FxHashSet<Pred>,
    relaxed: &'f mut Program,
    budget: &'b mut GroundingBudget,
    written: FxHashSet<Clause>,
    /// Whether some rule could not be written safely.
    has_failed: bool,
}

impl Definer<'_, '_, '_> {
    /// Adds the rules for the rows of `set` that `clause` distinguishes.
    fn define(&mut self, clause: &Clause, set: &IrrelevantArguments) -> Result<(), GroundError> {
        let columns = set.fixed.iter().chain(&set.columns);
        let head = Atom {
            pred: set.distinguished,
            args: columns
                .map(|&column| clause.head.args[column].clone())
                .collect(),
        };
        let is_tested =
            |&column: &usize| self.analysis.use_of(clause, column) == ArgumentUse::Tested;
        if set.columns.iter().any(is_tested) {
            self.add_all(clause, head);
            return Ok(());
        }
        let case = RuleCase { clause, set, head };
        for &column in &set.columns {
            self.budget.count(1 + clause.body.len(), 0)?;
            if let Pattern::Var(variable) = clause.head.args[column] {
                for literal in &clause.body {
                    self.define_by(&case, literal, variable);
                }
            }
        }
        Ok(())
    }

    /// Adds the rules for the values of a head variable that `literal` distinguishes.
    fn define_by(&mut self, case: &RuleCase<'_>, literal: &Literal, variable: usize) {
        if let Some((atom, (pred, at))) = self.analysis.passed_on(literal, variable) {
            let inner = self.all[&pred].iter().find(|of| of.columns.contains(&at));
            let condition = inner.map(|inner| {
                let columns = inner.fixed.iter().chain(&inner.columns);
                Literal::Positive(Atom {
                    pred: inner.distinguished,
                    args: columns.map(|&column| atom.args[column].clone()).collect(),
                })
            });
            self.add(case, condition, &Pattern::Var);
        } else if self.analysis.domain_of(literal, variable).is_none()
            && count(literal, variable) > 0
        {
            self.add_difference(case, literal, variable);
        }
    }

    /// An inequality distinguishes the value that is equal.
    fn add_difference(&mut self, case: &RuleCase<'_>, literal: &Literal, variable: usize) {
        match literal {
            Literal::Positive(atom) => {
                let same = complement(atom.pred, self.analysis.program, self.relaxed);
                let condition = Literal::Positive(Atom {
                    pred: same,
                    args: atom.args.clone(),
                });
                self.add(case, Some(condition), &Pattern::Var);
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

    /// Adds a rule: values are distinguished where `condition` holds and the clause applies to any others in their place,
    /// with `value` substituted for each variable. If variables stay unbound, every row that the clause derives is
    /// distinguished.
    fn add(
        &mut self,
        case: &RuleCase<'_>,
        condition: Option<Literal>,
        value: &impl Fn(usize) -> Pattern,
    ) {
        let RuleCase { clause, set, head } = case;
        let args = set.columns.iter().map(|&column| &clause.head.args[column]);
        let moving: Vec<usize> = args.flat_map(variables_in).collect();
        // Whatever two values are compared, the clause need not apply to both.
        let other_value = |variable: usize| {
            let place = moving.iter().position(|&of| of == variable);
            Pattern::Var(place.map_or(variable, |place| clause.variables + place))
        };
        // The domains bind what `condition` leaves unbound. Domains that only other rules test may not be used: a rule that
        // passes on a constant of another domain uses this clause alone.
        let mut first: Vec<Literal> = condition.into_iter().collect();
        for &variable in &moving {
            let domains = domains_in(
                self.analysis,
                clause,
                variable,
                self.guaranteed,
                self.relaxed,
            );
            first.extend(domains.into_iter().map(|pred| {
                let args = vec![Pattern::Var(variable)];
                Literal::Positive(Atom { pred, args })
            }));
        }
        let first = first.iter().map(|of| map_literal(of, value)).collect();
        let others = clause.body.iter();
        let others = others.map(|literal| map_literal(literal, &other_value));
        match self.body(clause, map_atom(head, value), first, others) {
            Some(distinguished) => self.write(distinguished),
            None => self.add_all(clause, head.clone()),
        }
    }

    /// Adds a rule: every row that a clause derives is distinguished.
    fn add_all(&mut self, clause: &Clause, head: Atom) {
        match self.body(clause, head, Vec::new(), clause.body.iter().cloned()) {
            Some(distinguished) => self.write(distinguished),
            None => self.has_failed = true,
        }
    }

    /// Adds a rule once: a literal that distinguishes several columns leads to it for each of them.
    fn write(&mut self, rule: Clause) {
        if self.written.insert(rule.clone()) {
            self.relaxed.add(rule);
        }
    }

    /// A rule for `head` from the literals `first` and the positive ones of `others`, without those that do not matter to
    /// `head`; `None` if its variables are not bound.
    fn body(
        &self,
        clause: &Clause,
        head: Atom,
        first: Vec<Literal>,
        others: impl Iterator<Item = Literal>,
    ) -> Option<Clause> {
        let wanted = variables_of(&Literal::Positive(head.clone()));
        let is_open_elsewhere =
            |of: &usize| self.analysis.is_candidate_in_head(clause, *of) && !wanted.contains(of);
        let is_usable = |literal: &Literal| matches!(literal, Literal::Positive(of) if !self.restricted.contains(&of.pred));
        let matters = |of: &Literal| !variables_of(of).iter().any(is_open_elsewhere);
        let (others, rest): (Vec<Literal>, Vec<Literal>) =
            others.filter(is_usable).partition(matters);
        let mut body = first;
        body.extend(others);
        if !are_bound(&wanted, &body) {
            body.extend(rest);
        }
        are_bound(&wanted, &body).then_some(renumbered(&Clause {
            head,
            body,
            variables: 0,
        }))
    }
}

/// A clause that passes values on, and may distinguish them.
struct RuleCase<'c> {
    clause: &'c Clause,
    set: &'c IrrelevantArguments,
    /// The atom to derive.
    head: Atom,
}

fn are_bound(variables: &[usize], body: &[Literal]) -> bool {
    let bound: FxHashSet<usize> = body.iter().flat_map(variables_of).collect();
    variables.iter().all(|of| bound.contains(of))
}

/// The complement of a static relation, over the values of its columns.
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
