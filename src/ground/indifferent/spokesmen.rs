//! One row for all that differ from it in nothing that matters.

use rustc_hash::FxHashMap;

use super::{AllIndifferent, Indifferent};
use crate::datalog::{Engine, Pred, TermId};

/// For each relation and set of columns, the values that were met first among those that are not told apart.
#[derive(Debug, Default)]
pub(crate) struct Spokesmen {
    of_pred: FxHashMap<Pred, Vec<(Indifferent, Known)>>,
    cells: Vec<TermId>,
}

type Known = FxHashMap<Box<[TermId]>, Box<[TermId]>>;

impl Spokesmen {
    pub(crate) fn new(all: AllIndifferent, engine: &Engine) -> Self {
        let is_known = |of: &Indifferent| engine.fixed_rows(of.told_apart).is_some();
        let of_pred = all.into_iter().map(|(pred, of)| {
            let of = of.into_iter().filter(is_known);
            (pred, of.map(|of| (of, Known::default())).collect())
        });
        Self {
            of_pred: of_pred.collect(),
            cells: Vec::new(),
        }
    }

    /// Replaces values in a row that make no difference by those that stand for them.
    pub(crate) fn speak_for(&mut self, engine: &Engine, pred: Pred, row: &mut [TermId]) {
        let Self { of_pred, cells } = self;
        let Some(all) = of_pred.get_mut(&pred) else {
            return;
        };
        for (of, known) in all {
            let is_of_kind = |&(column, kind): &(usize, Pred)| {
                engine.fixed_holds(kind, &[row[column]]) == Some(true)
            };
            cells.clear();
            cells.extend(
                of.fixed
                    .iter()
                    .chain(&of.columns)
                    .map(|&column| row[column]),
            );
            if engine.fixed_holds(of.told_apart, cells) != Some(false)
                || !of.kinds.iter().all(is_of_kind)
            {
                continue;
            }
            let (fixed, open) = cells.split_at(of.fixed.len());
            match known.get(fixed) {
                Some(others) => {
                    for (&column, &value) in of.columns.iter().zip(others) {
                        row[column] = value;
                    }
                }
                None => _ = known.insert(fixed.into(), open.into()),
            }
        }
    }
}
