//! Signals that depend only on how many fluents of a set hold.
//!
//! That is derived gate by gate. A counter over one more square depends on the counter so far and on the square, which are
//! two sets. Where only the sum of their numbers matters, they are joined to one set.

use indexmap::IndexSet;

use crate::propnet::network::{Leaf, Lit, Network, NodeId};
use crate::propnet::passes::GoOn;

/// The number of a set of nodes.
pub(super) type SetId = usize;

const NOTHING: SetId = 0;

/// The most members of a set: a table has one bit for each number of members that hold.
const MOST: usize = 127;
/// The most members of the smaller one of two sets, so that tables stay small.
const MOST_OF_SMALLER: usize = 16;
/// The number of nodes between two calls of `go_on`.
const NODES_BETWEEN_CHECKS: usize = 4096;
/// An adder of fewer fluents does not pay.
const FEWEST: usize = 8;

/// A signal that depends on how many members of two disjoint sets hold: it is true where `i` members of the smaller set and
/// `j` of the larger one hold and bit `j` of row `i` is set.
#[derive(Debug, Clone)]
struct Form {
    smaller: SetId,
    larger: SetId,
    rows: Vec<u128>,
}

impl Form {
    fn constant(value: bool) -> Self {
        Self {
            smaller: NOTHING,
            larger: NOTHING,
            rows: vec![value.into()],
        }
    }

    fn holds(&self, in_smaller: usize, in_larger: usize) -> bool {
        self.rows[in_smaller] >> in_larger & 1 == 1
    }
}

/// The forms of a network's nodes.
pub(super) struct Forms {
    sets: NodeSets,
    /// Per node, its form if it has one.
    of: Vec<Option<Form>>,
}

impl Forms {
    /// The forms of all nodes that the end and the goals depend on; `None` if `go_on` answers `false`.
    pub(super) fn of(network: &Network, go_on: GoOn<'_>) -> Option<Self> {
        let gates = &network.gates;
        let mut forms = Self {
            sets: NodeSets::new(),
            of: vec![None; gates.nodes().len()],
        };
        let is_asked = below_ends(network);
        for node in gates.nodes().filter(|&node| is_asked[node as usize]) {
            if (node as usize).is_multiple_of(NODES_BETWEEN_CHECKS) && !go_on() {
                return None;
            }
            forms.of[node as usize] = match gates.leaves().leaf(node) {
                Some(Leaf::Base(_)) => Some(forms.fluent(node)),
                Some(_) => None,
                None if node == Lit::TRUE.node() => Some(Form::constant(true)),
                None => forms.all_of(gates.operands(node)),
            };
        }
        Some(forms)
    }

    /// The set that a node depends on, and the numbers of its members for which the node is true; `None` if it depends on
    /// more than that, or is a single gate.
    pub(super) fn number(&self, node: NodeId) -> Option<(SetId, u128)> {
        let form = self.of[node as usize].as_ref()?;
        let size = self.size(form.larger);
        if form.smaller != NOTHING || size < FEWEST {
            return None;
        }
        let all = mask(size);
        let table = form.rows[0];
        // Whether all hold, or none, takes a single gate.
        let is_gate = [1, 1 << size]
            .iter()
            .any(|&one| table == one || table == all & !one);
        (!is_gate).then_some((form.larger, table))
    }

    /// How many members a set has.
    pub(super) fn size(&self, set: SetId) -> usize {
        self.members(set).len()
    }

    /// The members of a set.
    pub(super) fn members(&self, set: SetId) -> &[NodeId] {
        &self.sets.0[set]
    }

    fn fluent(&mut self, node: NodeId) -> Form {
        Form {
            smaller: NOTHING,
            larger: self.sets.id(vec![node]),
            rows: vec![0b10],
        }
    }

    /// The form of a gate.
    fn all_of(&mut self, operands: &[Lit]) -> Option<Form> {
        let forms = operands
            .iter()
            .map(|lit| self.of[lit.node() as usize].as_ref());
        let forms: Vec<&Form> = forms.collect::<Option<_>>()?;
        let sets = forms.iter().flat_map(|form| [form.smaller, form.larger]);
        let parts = self.sets.parts(sets.collect())?;
        let term = |(form, lit): (&&Form, &Lit)| FormOperand {
            form: (*form).clone(),
            negated: lit.is_negated(),
            smaller: self.sets.shares(form.smaller, parts),
            larger: self.sets.shares(form.larger, parts),
        };
        let terms: Vec<FormOperand> = forms.iter().zip(operands).map(term).collect();
        let [rows, columns] = parts.map(|part| self.size(part));
        let holds = |i, j| terms.iter().all(|term| term.holds([i, j]));
        let row = |i| (0..=columns).map(|j| u128::from(holds(i, j)) << j).sum();
        Some(self.sets.joined(Form {
            smaller: parts[0],
            larger: parts[1],
            rows: (0..=rows).map(row).collect(),
        }))
    }
}

/// An operand of a gate; its sets are unions of the two sets of the gate.
struct FormOperand {
    form: Form,
    negated: bool,
    /// Per set of the gate, 1 if it is a part of the smaller set of the operand, else 0.
    smaller: [usize; 2],
    larger: [usize; 2],
}

impl FormOperand {
    /// Whether it is true where `numbers` members of the two sets of the gate hold.
    fn holds(&self, numbers: [usize; 2]) -> bool {
        let sum = |shares: [usize; 2]| shares[0] * numbers[0] + shares[1] * numbers[1];
        self.form.holds(sum(self.smaller), sum(self.larger)) != self.negated
    }
}

/// Numbered sets of nodes.
struct NodeSets(IndexSet<Vec<NodeId>>);

impl NodeSets {
    fn new() -> Self {
        Self(IndexSet::from([Vec::new()]))
    }

    fn id(&mut self, members: Vec<NodeId>) -> SetId {
        self.0.insert_full(members).0
    }

    /// Per part, 1 if it is a subset of a set, which is a union of parts, else 0.
    fn shares(&self, set: SetId, parts: [SetId; 2]) -> [usize; 2] {
        let has = |part: SetId| {
            let first = self.0[part].first();
            first.is_some_and(|first| self.0[set].binary_search(first).is_ok())
        };
        parts.map(|part| usize::from(has(part)))
    }

    /// Two disjoint sets, the smaller one first, such that each of `sets` is a union of them; `None` if there are none, or they
    /// are too large.
    fn parts(&mut self, mut sets: Vec<SetId>) -> Option<[SetId; 2]> {
        sets.sort_unstable_by_key(|&set| (self.0[set].len(), set));
        sets.dedup();
        let mut parts = [NOTHING; 2];
        for set in sets {
            let mut rest = self.0[set].clone();
            for part in parts {
                let before = rest.len();
                rest.retain(|node| self.0[part].binary_search(node).is_err());
                let taken = before - rest.len();
                let is_torn_apart = taken != 0 && taken != self.0[part].len();
                if is_torn_apart {
                    return None;
                }
            }
            if !rest.is_empty() {
                let free = parts.iter().position(|&part| part == NOTHING)?;
                parts[free] = self.id(rest);
            }
        }
        parts.sort_unstable_by_key(|&part| (self.0[part].len(), part));
        let [smaller, larger] = parts.map(|part| self.0[part].len());
        (smaller <= MOST_OF_SMALLER && larger <= MOST).then_some(parts)
    }

    /// The same form over one set, if only the sum of its two numbers matters.
    fn joined(&mut self, form: Form) -> Form {
        let [smaller, larger] = [form.smaller, form.larger].map(|set| self.0[set].len());
        if smaller == 0 || smaller + larger > MOST {
            return form;
        }
        let rows = || form.rows.iter().enumerate();
        let last = rows().map(|(i, row)| (row >> larger & 1) << (larger + i));
        let sums = last.fold(form.rows[0], |sums, last| sums | last);
        if rows().any(|(i, row)| sums >> i & mask(larger) != *row) {
            return form;
        }
        let mut members = [self.0[form.smaller].as_slice(), &self.0[form.larger]].concat();
        members.sort_unstable();
        Form {
            smaller: NOTHING,
            larger: self.id(members),
            rows: vec![sums],
        }
    }
}

/// The bits of the numbers from 0 to `most`.
fn mask(most: usize) -> u128 {
    u128::MAX >> (127 - most)
}

/// Per node, whether the end or a goal depends on it.
fn below_ends(network: &Network) -> Vec<bool> {
    let mut is_below = vec![false; network.gates.nodes().len()];
    let goals = network.outputs.goals.iter().flatten().map(|(_, lit)| lit);
    let ends = goals.chain([&network.outputs.terminal]);
    let mut open: Vec<NodeId> = ends.map(|lit| lit.node()).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_below[node as usize], true) {
            open.extend(network.gates.operands(node).iter().map(|lit| lit.node()));
        }
    }
    is_below
}
