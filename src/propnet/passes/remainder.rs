//! The last of a group.
//!
//! Where exactly one of some fluents holds in every state, each of them holds next where none of the others does. So one of
//! them, the one that takes most gates for itself, can do without.

use super::groups::NodeGroups;
use crate::propnet::network::{Leaf, Lit, Network};

/// The network with one fluent of each group made of the others, where that takes fewer gates.
pub fn remainder(network: &Network, groups: &NodeGroups) -> Network {
    let mut network = network.clone();
    let mut used = Used(network.uses());
    for number in 0..groups.count() as u32 {
        if let Some(bases) = whole(&network, groups, number) {
            complete(&mut network, &mut used, &bases);
        }
    }
    network.merged()
}

/// The bases of a group, if exactly one of them is true at a time.
fn whole(network: &Network, groups: &NodeGroups, number: u32) -> Option<Vec<usize>> {
    let group = groups.get(number);
    let leaves = network.gates.leaves();
    let base = |&node: &u32| match leaves.leaf(node) {
        Some(Leaf::Base(base)) => Some(base),
        _ => None,
    };
    let bases: Option<Vec<usize>> = group.members.iter().map(base).collect();
    bases.filter(|bases| group.exactly_one && bases.len() > 1)
}

fn complete(network: &mut Network, used: &mut Used, bases: &[usize]) {
    let own = bases.iter().map(|&base| {
        let next = network.outputs.next[base];
        let own = used.release(network, next);
        used.take(network, next);
        (own, base)
    });
    let Some((own, last)) = own.max_by_key(|&(own, _)| own) else {
        return;
    };
    let others = bases.iter().filter(|&&base| base != last);
    let others: Vec<Lit> = others.map(|&base| !network.outputs.next[base]).collect();
    if own < others.len() {
        return;
    }
    used.release(network, network.outputs.next[last]);
    let none = network.gates.and(&others);
    used.take(network, none);
    network.outputs.next[last] = none;
}

/// How often each node is used.
struct Used(Vec<u32>);

impl Used {
    /// Uses a signal once less; how many gates of two operands nobody wants any more.
    fn release(&mut self, network: &Network, lit: Lit) -> usize {
        let mut unwanted = 0;
        let mut open = vec![lit];
        while let Some(lit) = open.pop() {
            let node = lit.node();
            self.0[node as usize] -= 1;
            if self.0[node as usize] == 0 && network.gates.is_gate(node) {
                let operands = network.gates.operands(node);
                unwanted += operands.len() - 1;
                open.extend(operands);
            }
        }
        unwanted
    }

    /// Uses a signal once more.
    fn take(&mut self, network: &Network, lit: Lit) {
        self.0.resize(network.gates.nodes().len(), 0);
        let mut open = vec![lit];
        while let Some(lit) = open.pop() {
            let node = lit.node();
            self.0[node as usize] += 1;
            if self.0[node as usize] == 1 && network.gates.is_gate(node) {
                open.extend(network.gates.operands(node));
            }
        }
    }
}
