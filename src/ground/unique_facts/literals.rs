//! Which literals of a rule are about unique facts, and in which rules a lookup helps.

use rustc_hash::FxHashMap;

use super::{UniqueFacts, mentions};
use crate::datalog::{Atom, Clause, Functor, Literal, Pattern, Pred, Program, TermId};
use crate::gdl::GdlRelations;
use crate::ground::inline::inline_rule;

/// What is asked of unique facts depends on at least so many other variables.
const FEWEST_OTHERS: usize = 2;
/// For each literal, a rule becomes at most so many rules where a static relation says which facts are unique, as in `(king
/// ?role ?piece)`.
const MOST_CASES: usize = 8;
/// A static relation of more facts is not asked.
const MOST_FACTS: usize = 256;
/// Literals of more variables that could tell unique facts apart are not examined.
const MOST_VARIABLES: usize = 5;

/// A rule, and the place of a literal about unique facts in its body.
#[derive(Debug, Clone)]
pub(super) struct UniqueLiteral {
    pub(super) clause: Clause,
    pub(super) place: usize,
}

impl UniqueLiteral {
    fn args(&self) -> &[Pattern] {
        match &self.clause.body[self.place] {
            Literal::Positive(atom) => &atom.args,
            _ => &[],
        }
    }

    /// The literals of the body but this one.
    fn others(&self) -> impl Iterator<Item = &Literal> {
        let all = self.clause.body.iter().enumerate();
        all.filter(|(number, _)| *number != self.place)
            .map(|(_, literal)| literal)
    }

    /// The columns with variables that the head does not have.
    pub(super) fn columns_within(&self) -> Vec<usize> {
        let head = Literal::Positive(self.clause.head.clone());
        let is_within = |arg: &Pattern| matches!(arg, Pattern::Var(of) if !mentions(&head, &[*of]));
        let columns = (0..).zip(self.args()).filter(|(_, arg)| is_within(arg));
        columns.map(|(column, _)| column).collect()
    }

    /// The variables in these columns, if what is asked of them can be looked up: each occurs once in the literal and not in
    /// the head, and nothing but relations is asked of them.
    pub(super) fn variables_in(&self, columns: &[usize]) -> Option<Vec<usize>> {
        let mut all = Vec::new();
        let args = self.args().iter();
        args.for_each(|arg| arg.each_variable(&mut |variable| all.push(variable)));
        let mut variables = Vec::new();
        for &column in columns {
            let Pattern::Var(variable) = self.args()[column] else {
                return None;
            };
            if all.iter().filter(|of| **of == variable).count() > 1 {
                return None;
            }
            variables.push(variable);
        }
        let is_relation =
            |literal: &Literal| matches!(literal, Literal::Positive(_) | Literal::Negative(_));
        let head = Literal::Positive(self.clause.head.clone());
        let mut others = self.others();
        let are_asked =
            others.all(|literal| is_relation(literal) || !mentions(literal, &variables));
        (are_asked && !mentions(&head, &variables)).then_some(variables)
    }
}

/// The rules by relation, and the facts at the start.
pub(super) struct RuleTable<'p> {
    changing: &'p [bool],
    rules: FxHashMap<Pred, Vec<&'p Clause>>,
    /// The functors of the base relations.
    base: FxHashMap<Pred, Functor>,
    input: Vec<Pred>,
    initial: Vec<(Functor, &'p [TermId])>,
}

impl<'p> RuleTable<'p> {
    pub(super) fn new(
        program: &'p Program,
        relations: &GdlRelations,
        changing: &'p [bool],
    ) -> Self {
        let mut rules: FxHashMap<Pred, Vec<&Clause>> = FxHashMap::default();
        for clause in program.clauses() {
            rules.entry(clause.head.pred).or_default().push(clause);
        }
        let initial = rules.get(&relations.init).into_iter().flatten();
        let initial = initial.filter_map(|clause| match clause.head.args[..] {
            [Pattern::Ground(fact)] if clause.body.is_empty() => {
                Some((program.terms.functor_of(fact), program.terms.args_of(fact)))
            }
            _ => None,
        });
        let by_functor = relations.base.by_functor.iter();
        Self {
            changing,
            initial: initial.collect(),
            base: by_functor
                .map(|(&functor, &pred)| (pred, functor))
                .collect(),
            input: relations.input.by_functor.values().copied().collect(),
            rules,
        }
    }

    pub(super) fn rules_of(&self, pred: Pred) -> &[&'p Clause] {
        self.rules.get(&pred).map_or(&[], Vec::as_slice)
    }

    /// Whether a relation depends on the state or the joint move, and is derived.
    pub(super) fn is_derived(&self, pred: Pred) -> bool {
        self.changing.get(pred.index()) == Some(&true)
            && !self.base.contains_key(&pred)
            && !self.input.contains(&pred)
    }

    /// The cases of a rule, each with a literal about unique facts of which much is asked, these facts, and the variables that
    /// tell them apart; `None` if the rule has no such literal.
    pub(super) fn cases(
        &self,
        clause: &Clause,
    ) -> Option<Vec<(UniqueLiteral, UniqueFacts, Vec<usize>)>> {
        (0..clause.body.len()).find_map(|place| self.cases_at(clause, place))
    }

    fn cases_at(
        &self,
        clause: &Clause,
        place: usize,
    ) -> Option<Vec<(UniqueLiteral, UniqueFacts, Vec<usize>)>> {
        let Literal::Positive(Atom { pred, .. }) = clause.body[place] else {
            return None;
        };
        let functor = *self.base.get(&pred)?;
        let clause = clause.clone();
        let literal = UniqueLiteral { clause, place };
        let within = literal.columns_within();
        if within.len() > MOST_VARIABLES {
            return None;
        }
        // The fewer arguments the facts have in common, the more can be looked up.
        let mut subsets: Vec<Vec<usize>> = (1..1_usize << within.len())
            .map(|set| {
                let members = (0..within.len()).filter(|at| set >> at & 1 == 1);
                members.map(|at| within[at]).collect()
            })
            .collect();
        subsets.sort_by_key(|columns| within.len() - columns.len());
        subsets.iter().find_map(|columns| {
            let variables = literal.variables_in(columns)?;
            let is_worth_it = self.ask_much(&literal, &variables);
            is_worth_it.then(|| self.unique_cases(literal.clone(), columns, functor))?
        })
    }

    /// Whether a derived relation is asked of these variables together with others.
    fn ask_much(&self, literal: &UniqueLiteral, variables: &[usize]) -> bool {
        literal.others().any(|other| {
            let (Literal::Positive(atom) | Literal::Negative(atom)) = other else {
                return false;
            };
            let mut more = Vec::new();
            other.each_variable(&mut |of| {
                if !variables.contains(&of) && !more.contains(&of) {
                    more.push(of);
                }
            });
            self.is_derived(atom.pred) && mentions(other, variables) && more.len() >= FEWEST_OTHERS
        })
    }

    /// The cases of a rule in which all columns of a literal but `columns` have known values, if exactly one of the facts with
    /// these values holds at the start in each case.
    fn unique_cases(
        &self,
        literal: UniqueLiteral,
        columns: &[usize],
        functor: Functor,
    ) -> Option<Vec<(UniqueLiteral, UniqueFacts, Vec<usize>)>> {
        let (mut open, mut cases) = (vec![literal], Vec::new());
        while let Some(literal) = open.pop() {
            let mut key = Vec::new();
            let mut unknown = None;
            for (column, arg) in (0..).zip(literal.args()) {
                match arg {
                    _ if columns.contains(&column) => {}
                    Pattern::Ground(value) => key.push((column, *value)),
                    Pattern::Var(variable) => unknown = Some(*variable),
                    Pattern::Compound(..) => return None,
                }
            }
            if let Some(variable) = unknown {
                open.extend(self.cases_of(variable, &literal)?);
                if open.len() + cases.len() > MOST_CASES {
                    return None;
                }
                continue;
            }
            let facts = UniqueFacts { functor, key };
            let at_start = self.initial.iter();
            let at_start = at_start.filter(|(functor, args)| facts.contain(*functor, args));
            if at_start.count() != 1 {
                return None;
            }
            let variables = literal.variables_in(columns)?;
            cases.push((literal, facts, variables));
        }
        Some(cases)
    }

    /// The cases of a rule by the facts of a static relation that lists the values of a variable.
    fn cases_of(&self, variable: usize, literal: &UniqueLiteral) -> Option<Vec<UniqueLiteral>> {
        let UniqueLiteral { clause, place } = literal;
        let (at, facts) = clause.body.iter().enumerate().find_map(|(at, literal)| {
            let Literal::Positive(atom) = literal else {
                return None;
            };
            let facts = self.listed(atom)?;
            mentions(literal, &[variable]).then_some((at, facts))
        })?;
        let cases = facts
            .iter()
            .filter_map(|fact| inline_rule(clause, at, fact));
        let place = place - usize::from(at < *place);
        Some(
            cases
                .map(|clause| UniqueLiteral { clause, place })
                .collect(),
        )
    }

    /// The facts of a static relation, if it has no rules.
    fn listed(&self, atom: &Atom) -> Option<&[&'p Clause]> {
        let facts = self.rules_of(atom.pred);
        let are_facts = !self.base.contains_key(&atom.pred)
            && (1..=MOST_FACTS).contains(&facts.len())
            && facts
                .iter()
                .all(|of| of.body.is_empty() && of.variables == 0)
            && !atom
                .args
                .iter()
                .any(|arg| matches!(arg, Pattern::Compound(..)));
        are_facts.then_some(facts)
    }
}
