//! Mutex simplification: simplifies gates by groups of which at most, or exactly, one member is true.
//!
//! The conjunction of two members is false, and one member implies that the others are false. If exactly one member is
//! true, *none of most of them* becomes *one of the rest*. The last rule matters most for frame rules, which list all moves
//! that do not change a fluent.

use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::NodeGroups;
use crate::propnet::network::{Gates, Lit, Network, NodeId};

/// A gate is not flattened if that gives more operands.
const WIDEST: usize = 20_000;

/// The network with every gate simplified by the groups of its operands.
pub fn simplify_mutexes(network: &Network, groups: &NodeGroups) -> Network {
    let mut counts = NegatedCounts::new(groups);
    let mut seen = SeenLits::default();
    network.rebuild(|gates, operands| {
        let lits: Vec<Lit> = operands.iter().map(|operand| operand.lit).collect();
        let Some(narrow) = reduced(gates, groups, &mut counts, lits) else {
            return Lit::FALSE;
        };
        // Flattening gates with several users may show more members of a group.
        let whole = flattened(gates, &narrow, &mut seen)
            .filter(|whole| mostly_negated(groups, &mut counts, whole).is_some());
        match whole.map(|whole| reduced(gates, groups, &mut counts, whole)) {
            Some(None) => Lit::FALSE,
            Some(Some(whole)) if whole.len() < narrow.len() => gates.and(&whole),
            _ => gates.and(&narrow),
        }
    })
}

/// The operands with every And among them replaced by its own operands, recursively; `None` if there is no And, or if that
/// gives too many operands.
fn flattened(gates: &Gates, lits: &[Lit], seen: &mut SeenLits) -> Option<Vec<Lit>> {
    let is_and = |lit: &Lit| !lit.is_negated() && gates.is_gate(lit.node());
    if !lits.iter().any(is_and) {
        return None;
    }
    seen.forget();
    lits.iter().for_each(|&lit| _ = seen.insert(lit));
    let mut open: Vec<Lit> = lits.to_vec();
    let mut flat = Vec::new();
    while let Some(lit) = open.pop() {
        if is_and(&lit) {
            let inner = gates.operands(lit.node()).iter();
            open.extend(inner.filter(|&&lit| seen.insert(lit)));
        } else {
            flat.push(lit);
        }
        if seen.count > WIDEST {
            return None;
        }
    }
    Some(flat)
}

/// Operands with the same conjunction, simplified by the groups; `None` if the conjunction is never true.
fn reduced(
    gates: &mut Gates,
    groups: &NodeGroups,
    counts: &mut NegatedCounts,
    lits: Vec<Lit>,
) -> Option<Vec<Lit>> {
    let mut lits = without_known(groups, lits)?;
    while let Some((group, negated)) = mostly_negated(groups, counts, &lits) {
        let members = groups.get(group).members.iter();
        let rest = members.filter(|member| !negated.contains(member));
        let rest: Vec<Lit> = rest.map(|&member| Lit::new(member, false)).collect();
        lits.retain(|lit| !(lit.is_negated() && negated.contains(&lit.node())));
        lits.push(gates.or(&rest));
        lits = without_known(groups, lits)?;
    }
    lits.sort_unstable();
    lits.dedup();
    Some(lits)
}

/// `lits` without those that another one implies by a group; `None` if they cannot all be true.
fn without_known(groups: &NodeGroups, mut lits: Vec<Lit>) -> Option<Vec<Lit>> {
    let mut true_of: FxHashMap<u32, NodeId> = FxHashMap::default();
    for lit in lits.iter().filter(|lit| !lit.is_negated()) {
        for &group in groups.of(lit.node()) {
            if *true_of.entry(group).or_insert(lit.node()) != lit.node() {
                return None;
            }
        }
    }
    if true_of.is_empty() {
        return Some(lits);
    }
    let follows = |lit: &Lit| {
        let mut of = groups.of(lit.node()).iter();
        lit.is_negated()
            && of.any(|group| true_of.get(group).is_some_and(|&node| node != lit.node()))
    };
    lits.retain(|lit| !follows(lit));
    Some(lits)
}

/// A group of which exactly one member is true and more than half occur negated, and these members.
fn mostly_negated(
    groups: &NodeGroups,
    counts: &mut NegatedCounts,
    lits: &[Lit],
) -> Option<(u32, FxHashSet<NodeId>)> {
    let may_be = counts.may_be_most(groups, lits);
    let negated = |group: u32| {
        let lits = lits.iter().filter(|lit| lit.is_negated());
        let nodes = lits.map(|lit| lit.node());
        let nodes = nodes.filter(|&node| groups.of(node).contains(&group));
        (group, nodes.collect::<FxHashSet<NodeId>>())
    };
    let is_most = |(group, nodes): &(u32, FxHashSet<NodeId>)| {
        2 * nodes.len() > groups.get(*group).members.len()
    };
    may_be
        .into_iter()
        .map(negated)
        .filter(is_most)
        .min_by_key(|(group, nodes)| (usize::MAX - nodes.len(), *group))
}

/// How many literals of a gate are negated members of each group.
struct NegatedCounts {
    /// Per group; 0 between two gates.
    of: Vec<u32>,
}

impl NegatedCounts {
    fn new(groups: &NodeGroups) -> Self {
        Self {
            of: vec![0; groups.count()],
        }
    }

    /// The groups of which exactly one member is true and more than half may occur negated: a literal that occurs twice
    /// counts twice.
    fn may_be_most(&mut self, groups: &NodeGroups, lits: &[Lit]) -> Vec<u32> {
        let negated = || lits.iter().filter(|lit| lit.is_negated());
        for lit in negated() {
            for &group in groups.of(lit.node()) {
                self.of[group as usize] += 1;
            }
        }
        let mut may_be = Vec::new();
        for lit in negated() {
            for &group in groups.of(lit.node()) {
                let count = std::mem::take(&mut self.of[group as usize]) as usize;
                let of = groups.get(group);
                if of.exactly_one && 2 * count > of.members.len() {
                    may_be.push(group);
                }
            }
        }
        may_be
    }
}

/// A set of literals that is emptied at once.
#[derive(Default)]
struct SeenLits {
    /// Per literal, when it was entered.
    entered: Vec<u32>,
    now: u32,
    count: usize,
}

impl SeenLits {
    fn forget(&mut self) {
        self.now += 1;
        self.count = 0;
    }

    /// Enters a literal; `false` if it was there.
    fn insert(&mut self, lit: Lit) -> bool {
        let place = lit.index();
        if self.entered.len() <= place {
            self.entered.resize(2 * place + 2, 0);
        }
        let is_new = std::mem::replace(&mut self.entered[place], self.now) != self.now;
        self.count += usize::from(is_new);
        is_new
    }
}
