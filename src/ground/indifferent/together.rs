//! Which columns are told apart together.

use rustc_hash::FxHashMap;

use super::uses::Use;
use super::{Finder, Place, column_of, variables_in, variables_of};
use crate::datalog::{Clause, Literal, Pred};
use crate::ground::GroundError;
use crate::ground::budget::Budget;

/// For each relation, the sets of its columns that are told apart together.
pub(super) type Groups = FxHashMap<Pred, Vec<Vec<usize>>>;

impl Finder<'_> {
    /// The columns of each relation that are told apart together.
    pub(super) fn groups(&self, budget: &mut Budget) -> Result<Groups, GroundError> {
        let mut groups: Groups = FxHashMap::default();
        let mut places: Vec<Place> = self.columns.iter().copied().collect();
        places.sort_unstable();
        for (pred, column) in places {
            groups.entry(pred).or_default().push(vec![column]);
        }
        loop {
            budget.count(self.conditions_on_heads(), 0)?;
            let mut is_settled = true;
            for clause in &self.clauses {
                for together in self.told_apart_in(clause, &groups) {
                    is_settled &= !unite(&mut groups, clause.head.pred, &together);
                }
                for (pred, together) in self.handed_on_in(clause, &groups) {
                    is_settled &= !unite(&mut groups, pred, &together);
                }
            }
            if is_settled {
                return Ok(groups);
            }
        }
    }

    /// The columns of a rule's head that it tells apart at once, each time it does.
    fn told_apart_in(&self, clause: &Clause, groups: &Groups) -> Vec<Vec<usize>> {
        let pred = clause.head.pred;
        let open =
            (0..clause.head.args.len()).filter(|&column| self.columns.contains(&(pred, column)));
        let tested = open.filter(|&column| self.use_of(clause, column) == Use::Tested);
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
            if self.differs.contains(&atom.pred) {
                all.push(columns_of(&variables_of(literal)));
            }
            for group in groups.get(&atom.pred).into_iter().flatten() {
                let variables: Vec<usize> = group
                    .iter()
                    .flat_map(|&column| variables_in(&atom.args[column]))
                    .collect();
                all.push(columns_of(&variables));
            }
        }
        all
    }

    /// The columns of other relations that take over columns told apart together.
    fn handed_on_in(&self, clause: &Clause, groups: &Groups) -> Vec<(Pred, Vec<usize>)> {
        let mut all = Vec::new();
        for group in groups.get(&clause.head.pred).into_iter().flatten() {
            let columns = group.iter().map(|&column| &clause.head.args[column]);
            let variables: Vec<usize> = columns.flat_map(variables_in).collect();
            for literal in &clause.body {
                let places = variables
                    .iter()
                    .filter_map(|&of| self.handed_on(literal, of));
                let places: Vec<Place> = places.map(|(_, place)| place).collect();
                if let Some(&(pred, _)) = places.first() {
                    all.push((pred, places.into_iter().map(|(_, column)| column).collect()));
                }
            }
        }
        all
    }
}

/// Makes one of the sets that hold any of `columns`; `false` if they were one.
fn unite(groups: &mut Groups, pred: Pred, columns: &[usize]) -> bool {
    let Some(sets) = groups.get_mut(&pred) else {
        return false;
    };
    let is_hit = |set: &Vec<usize>| set.iter().any(|column| columns.contains(column));
    if sets.iter().filter(|set| is_hit(set)).count() < 2 {
        return false;
    }
    let (hit, mut rest): (Vec<_>, Vec<_>) = std::mem::take(sets).into_iter().partition(is_hit);
    let mut all = hit.concat();
    all.sort_unstable();
    rest.push(all);
    *sets = rest;
    true
}
