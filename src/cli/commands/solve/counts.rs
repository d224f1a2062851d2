//! How many states have each value.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cli::failure::Failure;
use crate::engine::Bits;
use crate::info::board::functor_and_arguments;
use crate::state_space::{Solution, StateCodec, ValueCount, ValueTally};
use crate::util::{Deadline, Expired, SparseCheck};

/// The values of some states.
#[derive(Debug, Serialize)]
pub(super) struct ValueCounts {
    /// The facts that these states have in common; none for all states.
    pub(super) facts: Vec<String>,
    /// One for each value, the greatest first.
    pub(super) values: Vec<ValueCount>,
}

/// Counts all states, and those with the same facts of a relation: all states first.
pub(super) fn count_values(
    solution: &Solution,
    related: Option<&Related>,
    deadline: &Deadline,
) -> Result<Vec<ValueCounts>, Expired> {
    let roles = solution.roles().len();
    let mut all = ValueTally::new(roles);
    let mut groups: BTreeMap<Vec<u64>, ValueTally> = BTreeMap::new();
    let mut check = SparseCheck::new(deadline);
    for state in solution.states() {
        check.step(1)?;
        let add = |tally: &mut ValueTally, states: u64| {
            tally.note(state.value, state.is_terminal, state.mover, states);
        };
        add(&mut all, solution.stands_for(&state));
        if let Some(related) = related {
            for image in solution.images(&state) {
                let words = image.words().iter().zip(&related.mask);
                let key = words.map(|(word, mask)| word & mask);
                let new = || ValueTally::new(roles);
                add(groups.entry(key.collect()).or_insert_with(new), 1);
            }
        }
    }
    let counts = |facts, values: ValueTally| ValueCounts {
        facts,
        values: values.into_counts(),
    };
    let groups = groups.into_iter().map(|(key, values)| {
        let facts = Bits::from_words(&key);
        counts(solution.codec().facts_of(&facts), values)
    });
    let mut all = vec![counts(Vec::new(), all)];
    let mut groups: Vec<ValueCounts> = groups.collect();
    groups.sort_by(|one, other| one.facts.cmp(&other.facts));
    all.extend(groups);
    Ok(all)
}

/// The fluents of a relation.
pub(super) struct Related {
    mask: Vec<u64>,
}

impl Related {
    /// Those of a relation that states have.
    pub(super) fn new(codec: &StateCodec, relation: &str) -> Result<Self, Failure> {
        let mut mask = vec![0; codec.facts().len().div_ceil(64)];
        for (number, fact) in codec.facts().enumerate() {
            if functor_and_arguments(fact)[0] == relation {
                mask[number / 64] |= 1 << (number % 64);
            }
        }
        match mask.iter().any(|word| *word != 0) {
            true => Ok(Self { mask }),
            false => {
                let facts = codec.facts();
                let mut known: Vec<&str> =
                    facts.map(|fact| functor_and_arguments(fact)[0]).collect();
                known.sort_unstable();
                known.dedup();
                Err(
                    Failure::usage(format!("no state has facts of `{relation}`"))
                        .with_help(format!("states have facts of {}", known.join(", "))),
                )
            }
        }
    }
}
