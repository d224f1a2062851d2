//! Which arguments of a relation are distinguished together.

use rustc_hash::FxHashMap;

use super::uses::ArgumentUse;
use super::{ArgumentPosition, IrrelevanceAnalysis, column_of, variables_in, variables_of};
use crate::datalog::{Clause, Literal, Pred};
use crate::ground::GroundError;
use crate::ground::budget::GroundingBudget;

/// For each relation, the sets of its columns that are distinguished together.
pub(super) type ArgumentSets = FxHashMap<Pred, Vec<Vec<usize>>>;

impl IrrelevanceAnalysis<'_> {
    /// The columns of each relation that are distinguished together.
    pub(super) fn sets(&self, budget: &mut GroundingBudget) -> Result<ArgumentSets, GroundError> {
        let mut sets: ArgumentSets = FxHashMap::default();
        let mut places: Vec<ArgumentPosition> = self.columns.iter().copied().collect();
        places.sort_unstable();
        for (pred, column) in places {
            sets.entry(pred).or_default().push(vec![column]);
        }
        loop {
            budget.count(self.conditions_on_heads(), 0)?;
            let mut is_settled = true;
            for clause in &self.clauses {
                for together in self.distinguished_in(clause, &sets) {
                    is_settled &= !unite(&mut sets, clause.head.pred, &together);
                }
                for (pred, together) in self.passed_on_in(clause, &sets) {
                    is_settled &= !unite(&mut sets, pred, &together);
                }
            }
            if is_settled {
                return Ok(sets);
            }
        }
    }

    /// The sets of columns of a rule's head that one condition distinguishes.
    fn distinguished_in(&self, clause: &Clause, sets: &ArgumentSets) -> Vec<Vec<usize>> {
        let pred = clause.head.pred;
        let open =
            (0..clause.head.args.len()).filter(|&column| self.columns.contains(&(pred, column)));
        let tested = open.filter(|&column| self.use_of(clause, column) == ArgumentUse::Tested);
        let mut all = vec![tested.collect::<Vec<usize>>()];
        let columns_of = |variables: &[usize]| {
            let columns = variables
                .iter()
                .filter_map(|&of| column_of(&clause.head, of));
            columns
                .filter(|&column| self.columns.contains(&(pred, column)))
                .collect::<Vec<usize>>()
        };
        for literal in &clause.body {
            let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else {
                all.push(columns_of(&variables_of(literal)));
                continue;
            };
            if self.inequalities.contains(&atom.pred) {
                all.push(columns_of(&variables_of(literal)));
            }
            for set in sets.get(&atom.pred).into_iter().flatten() {
                let variables: Vec<usize> = set
                    .iter()
                    .flat_map(|&column| variables_in(&atom.args[column]))
                    .collect();
                all.push(columns_of(&variables));
            }
        }
        all
    }

    /// The columns of other relations to which columns of one set are passed on.
    fn passed_on_in(&self, clause: &Clause, sets: &ArgumentSets) -> Vec<(Pred, Vec<usize>)> {
        let mut all = Vec::new();
        for set in sets.get(&clause.head.pred).into_iter().flatten() {
            let columns = set.iter().map(|&column| &clause.head.args[column]);
            let variables: Vec<usize> = columns.flat_map(variables_in).collect();
            for literal in &clause.body {
                let places = variables
                    .iter()
                    .filter_map(|&of| self.passed_on(literal, of));
                let places: Vec<ArgumentPosition> = places.map(|(_, place)| place).collect();
                if let Some(&(pred, _)) = places.first() {
                    all.push((pred, places.into_iter().map(|(_, column)| column).collect()));
                }
            }
        }
        all
    }
}

/// Unites the sets that contain any of `columns`; `false` if they were one.
fn unite(sets: &mut ArgumentSets, pred: Pred, columns: &[usize]) -> bool {
    let Some(sets) = sets.get_mut(&pred) else {
        return false;
    };
    let contains_any = |set: &Vec<usize>| set.iter().any(|column| columns.contains(column));
    if sets.iter().filter(|set| contains_any(set)).count() < 2 {
        return false;
    }
    let (hit, mut rest): (Vec<_>, Vec<_>) =
        std::mem::take(sets).into_iter().partition(contains_any);
    let mut all = hit.concat();
    all.sort_unstable();
    rest.push(all);
    *sets = rest;
    true
}
