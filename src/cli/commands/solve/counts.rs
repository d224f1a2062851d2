//! How many states have each value.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cli::failure::Failure;
use crate::engine::Bits;
use crate::info::board::functor_and_arguments;
use crate::state_space::{Solution, SolvedValue, StateCodec};
use crate::util::{Deadline, Expired, SparseCheck};

/// The values of some states.
#[derive(Debug, Serialize)]
pub(super) struct ValueCounts {
    /// The facts that these states have in common; none for all states.
    pub(super) facts: Vec<String>,
    /// One for each value, the greatest first.
    pub(super) values: Vec<ValueCount>,
}

/// The states of one value.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ValueCount {
    /// The goal; none for endless games.
    pub(super) goal: Option<u8>,
    pub(super) states: u64,
    /// How many of them are over.
    pub(super) terminal: u64,
    /// Per role, how many of them let it alone choose.
    pub(super) by_mover: Vec<u64>,
    /// The most plies to the end.
    pub(super) longest: u16,
}

/// Counts all states, and those with the same facts of a relation: all states first.
pub(super) fn count_values(
    solution: &Solution,
    related: Option<&Related>,
    deadline: &Deadline,
) -> Result<Vec<ValueCounts>, Expired> {
    let mut all = BTreeMap::new();
    let mut groups: BTreeMap<Vec<u64>, BTreeMap<_, _>> = BTreeMap::new();
    let roles = solution.roles().len();
    let mut check = SparseCheck::new(deadline);
    for state in solution.states() {
        check.step(1)?;
        let add = |counts: &mut BTreeMap<i64, ValueCount>| {
            let count = counts
                .entry(class(state.value, roles))
                .or_insert_with(|| ValueCount {
                    goal: state.value.goal(),
                    states: 0,
                    terminal: 0,
                    by_mover: vec![0; roles],
                    longest: 0,
                });
            count.states += 1;
            count.terminal += u64::from(state.is_terminal);
            if let Some(role) = state.mover {
                count.by_mover[role.0] += 1;
            }
            if let SolvedValue::Goal { plies, .. } = state.value {
                count.longest = count.longest.max(plies);
            }
        };
        add(&mut all);
        if let Some(related) = related {
            let facts = solution.state(&state);
            let key = facts
                .words()
                .iter()
                .zip(&related.mask)
                .map(|(word, mask)| word & mask);
            add(groups.entry(key.collect()).or_default());
        }
    }
    let counts = |facts, values: BTreeMap<i64, ValueCount>| ValueCounts {
        facts,
        values: values.into_values().rev().collect(),
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

/// Values of the same class are counted together: only distances differ.
fn class(value: SolvedValue, roles: usize) -> i64 {
    // For several roles, endless games stand between what is better than 50 and what is not.
    let endless = if roles == 1 { -1 } else { 101 };
    value.goal().map_or(endless, |goal| 2 * i64::from(goal))
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
