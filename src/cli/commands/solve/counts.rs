//! How many states have each value.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::cli::failure::Failure;
use crate::engine::Bits;
use crate::info::board::functor_and_arguments;
use crate::state_space::{Solution, StateCodec, ValueCount, ValueTally};
use crate::util::{Deadline, Expired, SparseCheck, natural_order};

/// The values of the states that have some facts in common.
#[derive(Debug, Serialize)]
pub(super) struct ValueCounts {
    /// The facts.
    pub(super) facts: Vec<String>,
    /// One for each value, the greatest first.
    pub(super) values: Vec<ValueCount>,
}

/// How many states have each value, the greatest first.
#[derive(Debug)]
pub(super) struct StatesByValue(Vec<(String, u64)>);

impl StatesByValue {
    pub(super) fn of(counts: &[ValueCount]) -> Self {
        let counts = counts.iter();
        Self(
            counts
                .map(|count| (value_word(count), count.states))
                .collect(),
        )
    }
}

impl Serialize for StatesByValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(value, states)| (value, states)))
    }
}

/// The goal, or `endless`.
pub(super) fn value_word(count: &ValueCount) -> String {
    let goal = count.goal.map(|goal| goal.to_string());
    goal.unwrap_or_else(|| "endless".to_owned())
}

/// Counts all states, and those with the same facts of a relation, if there is one.
pub(super) fn count_values(
    solution: &Solution,
    related: Option<&Related>,
    deadline: &Deadline,
) -> Result<(Vec<ValueCount>, Option<Vec<ValueCounts>>), Expired> {
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
    let groups = groups.into_iter().map(|(key, values)| ValueCounts {
        facts: solution.codec().facts_of(&Bits::from_words(&key)),
        values: values.into_counts(),
    });
    let mut groups: Vec<ValueCounts> = groups.collect();
    let facts = |of: &ValueCounts| of.facts.join(" ");
    groups.sort_by(|one, other| natural_order(&facts(one), &facts(other)));
    Ok((all.into_counts(), related.map(|_| groups)))
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
