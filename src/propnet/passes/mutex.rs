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
    network.rebuild(|gates, operands| {
        let lits: Vec<Lit> = operands.iter().map(|operand| operand.lit).collect();
        let Some(narrow) = reduced(gates, groups, lits.clone()) else {
            return Lit::FALSE;
        };
        // Flattening gates with several users may show more members of a group.
        let whole =
            flattened(gates, &narrow).filter(|whole| mostly_negated(groups, whole).is_some());
        match whole.map(|whole| reduced(gates, groups, whole)) {
            Some(None) => Lit::FALSE,
            Some(Some(whole)) if whole.len() < narrow.len() => gates.and(&whole),
            _ => gates.and(&narrow),
        }
    })
}

/// The operands with every And among them replaced by its own operands, recursively; `None` if there is no And, or if that
/// gives too many operands.
fn flattened(gates: &Gates, lits: &[Lit]) -> Option<Vec<Lit>> {
    let is_and = |lit: &Lit| !lit.is_negated() && gates.is_gate(lit.node());
    if !lits.iter().any(is_and) {
        return None;
    }
    let mut seen: FxHashSet<Lit> = lits.iter().copied().collect();
    let mut open: Vec<Lit> = lits.to_vec();
    let mut flat = Vec::new();
    while let Some(lit) = open.pop() {
        if is_and(&lit) {
            let inner = gates.operands(lit.node()).iter();
            open.extend(inner.filter(|&&lit| seen.insert(lit)));
        } else {
            flat.push(lit);
        }
        if seen.len() > WIDEST {
            return None;
        }
    }
    Some(flat)
}

/// Operands with the same conjunction, simplified by the groups; `None` if the conjunction is never true.
fn reduced(gates: &mut Gates, groups: &NodeGroups, lits: Vec<Lit>) -> Option<Vec<Lit>> {
    let mut lits = without_known(groups, &lits)?;
    while let Some((group, negated)) = mostly_negated(groups, &lits) {
        let members = groups.get(group).members.iter();
        let rest = members.filter(|member| !negated.contains(member));
        let rest: Vec<Lit> = rest.map(|&member| Lit::new(member, false)).collect();
        lits.retain(|lit| !(lit.is_negated() && negated.contains(&lit.node())));
        lits.push(gates.or(&rest));
        lits = without_known(groups, &lits)?;
    }
    lits.sort_unstable();
    lits.dedup();
    Some(lits)
}

/// `lits` without those that another one implies by a group; `None` if they cannot all be true.
fn without_known(groups: &NodeGroups, lits: &[Lit]) -> Option<Vec<Lit>> {
    let mut true_of: FxHashMap<u32, NodeId> = FxHashMap::default();
    for lit in lits.iter().filter(|lit| !lit.is_negated()) {
        for &group in groups.of(lit.node()) {
            if *true_of.entry(group).or_insert(lit.node()) != lit.node() {
                return None;
            }
        }
    }
    let follows = |lit: &Lit| {
        let mut of = groups.of(lit.node()).iter();
        lit.is_negated()
            && of.any(|group| true_of.get(group).is_some_and(|&node| node != lit.node()))
    };
    Some(lits.iter().copied().filter(|lit| !follows(lit)).collect())
}

/// A group of which exactly one member is true and more than half occur negated, and these members.
fn mostly_negated(groups: &NodeGroups, lits: &[Lit]) -> Option<(u32, FxHashSet<NodeId>)> {
    let mut negated: FxHashMap<u32, FxHashSet<NodeId>> = FxHashMap::default();
    for lit in lits.iter().filter(|lit| lit.is_negated()) {
        for &group in groups.of(lit.node()) {
            if groups.get(group).exactly_one {
                negated.entry(group).or_default().insert(lit.node());
            }
        }
    }
    let is_most = |(group, nodes): &(u32, FxHashSet<NodeId>)| {
        2 * nodes.len() > groups.get(*group).members.len()
    };
    negated
        .into_iter()
        .filter(is_most)
        .min_by_key(|(group, nodes)| (usize::MAX - nodes.len(), *group))
}
