//! One representative for all rows that differ in irrelevant arguments only.

use rustc_hash::FxHashMap;

use super::{IrrelevantArguments, IrrelevantByRelation};
use crate::datalog::{DatalogEngine, Pred, TermId};

/// For each relation and set of columns, the first values met among those that are not distinguished.
#[derive(Debug, Default)]
pub(crate) struct Representatives {
    of_pred: FxHashMap<Pred, Vec<(IrrelevantArguments, RepresentativeOf)>>,
    cells: Vec<TermId>,
}

type RepresentativeOf = FxHashMap<Box<[TermId]>, Box<[TermId]>>;

impl Representatives {
    pub(crate) fn new(all: IrrelevantByRelation, engine: &DatalogEngine) -> Self {
        let is_known = |of: &IrrelevantArguments| engine.static_rows(of.distinguished).is_some();
        let of_pred = all.into_iter().map(|(pred, of)| {
            let of = of.into_iter().filter(is_known);
            (
                pred,
                of.map(|of| (of, RepresentativeOf::default())).collect(),
            )
        });
        Self {
            of_pred: of_pred.collect(),
            cells: Vec::new(),
        }
    }

    /// Replaces the irrelevant values of a row by their representatives.
    pub(crate) fn replace(&mut self, engine: &DatalogEngine, pred: Pred, row: &mut [TermId]) {
        let Self { of_pred, cells } = self;
        let Some(all) = of_pred.get_mut(&pred) else {
            return;
        };
        for (of, known) in all {
            let is_in_domain = |&(column, domain): &(usize, Pred)| {
                engine.static_holds(domain, &[row[column]]) == Some(true)
            };
            cells.clear();
            cells.extend(
                of.fixed
                    .iter()
                    .chain(&of.columns)
                    .map(|&column| row[column]),
            );
            if engine.static_holds(of.distinguished, cells) != Some(false)
                || !of.domains.iter().all(is_in_domain)
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
