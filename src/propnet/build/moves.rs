//! Removes `does` from what is evaluated before the moves are made.

use crate::propnet::network::{Leaf, Lit, Network, NodeId};

/// The network in which terminal, legal and goal do not depend on moves. Some rule files let them depend on `does`, but
/// they are evaluated before any move is made, so `does` is false there.
pub(super) fn without_moves(mut network: Network) -> Network {
    let rests = depends_on_moves(&network);
    let outputs = &mut network.outputs;
    let goals = outputs.goals.iter_mut().flatten().map(|(_, lit)| lit);
    let before = outputs
        .legal
        .iter_mut()
        .chain([&mut outputs.terminal])
        .chain(goals);
    let mut before: Vec<&mut Lit> = before.filter(|lit| rests[lit.node() as usize]).collect();
    if before.is_empty() {
        return network;
    }
    let gates = &mut network.gates;
    let mut still: Vec<Option<Lit>> = vec![None; rests.len()];
    for node in (0..rests.len() as NodeId).filter(|&node| rests[node as usize]) {
        let operands = gates.operands(node).iter();
        let lits: Vec<Lit> = operands.map(|&lit| renamed(lit, &still)).collect();
        let lit = if gates.is_gate(node) {
            gates.and(&lits)
        } else {
            Lit::FALSE
        };
        still[node as usize] = Some(lit);
    }
    for lit in &mut before {
        **lit = renamed(**lit, &still);
    }
    network
}

fn renamed(lit: Lit, still: &[Option<Lit>]) -> Lit {
    still[lit.node() as usize].map_or(lit, |made| made.negate_if(lit.is_negated()))
}

/// Per node, whether it depends on a move, other than through a loop.
fn depends_on_moves(network: &Network) -> Vec<bool> {
    let gates = &network.gates;
    let mut rests = vec![false; gates.nodes().len()];
    for node in gates.nodes() {
        let is_move = matches!(gates.leaves().leaf(node), Some(Leaf::Does(_)));
        let mut operands = gates.operands(node).iter();
        rests[node as usize] = is_move || operands.any(|lit| rests[lit.node() as usize]);
    }
    rests
}
