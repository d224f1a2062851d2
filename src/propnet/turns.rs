//! Turn-specialised networks: one network for each player's turn.
//!
//! In most games control passes round: `(control white)`, then `(control black)`, then white again, whatever moves are made.
//! Such *control fluents* follow each other in a fixed cycle, and exactly one of them holds in every reachable state. Where it
//! is known which one, all of them are constants, and constant propagation removes about half of the rules. So every turn
//! gets a copy of the network specialised to it (partial evaluation).

use super::build::Interface;
use super::network::{Leaf, Lit, Network};
use super::passes::{GoOn, NodeGroups, reduce, simplify_mutexes};
use crate::util::map_if;

/// Cycles of control fluents are searched up to this length.
const LONGEST_CYCLE: usize = 8;
/// Those of networks of no more gates are simplified on one thread.
const SMALL: usize = 1_000;
/// Networks of more gates are not specialised.
pub(crate) const LARGEST_SPECIALISED: usize = 200_000;

/// Networks specialised to the turns of a game.
#[derive(Debug, Clone, Default)]
pub struct TurnNetworks {
    /// The control fluents, as numbers of bases: each holds in the ply after its predecessor. The first holds initially.
    pub control: Vec<usize>,
    /// Per turn, the network under the assumption that of the control fluents only this turn's holds.
    pub networks: Vec<Network>,
}

/// Specialises the network to the turns of the game, if the game has turns, there is time, and the networks get smaller. Of
/// several cycles of control fluents, takes the one that leaves the smallest networks.
pub fn turn_networks(
    interface: &Interface,
    network: &Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
) -> Option<TurnNetworks> {
    if network.size() > LARGEST_SPECIALISED {
        return None;
    }
    let specialise = |control: Vec<usize>| {
        let networks = control
            .iter()
            .map(|&current| specialised(network, &control, current));
        TurnNetworks {
            networks: networks.collect(),
            control,
        }
    };
    let candidates = control_cycles(interface, network)
        .into_iter()
        .map(specialise);
    let mut turns = candidates.min_by_key(mean_size).filter(|_| go_on())?;
    let simplify = |network: Network| simplified(interface, &network, groups, go_on);
    turns.networks = map_if(network.size() > SMALL, turns.networks, simplify);
    (mean_size(&turns) < network.size()).then_some(turns)
}

/// How many gates a turn's network has on average.
fn mean_size(turns: &TurnNetworks) -> usize {
    let sizes = turns.networks.iter().map(Network::size);
    sizes.sum::<usize>() / turns.control.len()
}

/// All cycles of two or more fluents that follow each other and of which exactly one holds initially; that one first.
fn control_cycles(interface: &Interface, network: &Network) -> Vec<Vec<usize>> {
    let leaves = network.gates.leaves();
    let mut successor = vec![None; leaves.bases];
    for (base, &next) in network.outputs.next.iter().enumerate() {
        if let (Some(Leaf::Base(before)), false) = (leaves.leaf(next.node()), next.is_negated()) {
            successor[before] = Some(base);
        }
    }
    let starts = (0..leaves.bases).filter(|&base| interface.initial[base]);
    let cycle_from = |start: usize| {
        let mut cycle = vec![start];
        while let Some(next) = successor[cycle[cycle.len() - 1]] {
            if next == start {
                let is_alone = cycle[1..].iter().all(|&base| !interface.initial[base]);
                return (is_alone && cycle.len() > 1).then_some(cycle);
            }
            if interface.initial[next] || cycle.len() == LONGEST_CYCLE {
                return None;
            }
            cycle.push(next);
        }
        None
    };
    starts.filter_map(cycle_from).collect()
}

/// The network with the control fluents replaced by constants: `current` true, the others false.
fn specialised(network: &Network, control: &[usize], current: usize) -> Network {
    let leaves = network.gates.leaves();
    network.with_leaves(|node| match leaves.leaf(node) {
        Some(Leaf::Base(base)) if base == current => Some(Lit::TRUE),
        Some(Leaf::Base(base)) if control.contains(&base) => Some(Lit::FALSE),
        _ => None,
    })
}

/// A turn's network, simplified with what is known of the moves in that turn: one that is never legal is never made, and
/// the only one of a role that can be legal, if it always is, is always made.
fn simplified(
    interface: &Interface,
    network: &Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
) -> Network {
    let network = simplify_mutexes(network, groups);
    let legal = network.outputs.legal.clone();
    let is_forced = |input: usize| {
        let role = interface
            .roles
            .iter()
            .find(|inputs| inputs.contains(&input));
        let mut others = role
            .into_iter()
            .cloned()
            .flatten()
            .filter(|&other| other != input);
        legal[input] == Lit::TRUE && others.all(|other| legal[other] == Lit::FALSE)
    };
    let leaves = network.gates.leaves();
    let network = network.with_leaves(|node| match leaves.leaf(node) {
        Some(Leaf::Does(input)) if legal[input] == Lit::FALSE => Some(Lit::FALSE),
        Some(Leaf::Does(input)) if is_forced(input) => Some(Lit::TRUE),
        _ => None,
    });
    reduce(network, groups, go_on, &mut Vec::new())
}
