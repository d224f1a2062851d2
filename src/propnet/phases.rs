//! Circuits for the phases of a game that takes turns.
//!
//! In most games a few fluents follow each other in a ring whatever is done, exactly one of them holding: control passes
//! from white to black and back. Where one of them is known to hold, half of the rules fall silent. So each phase gets a
//! network of its own, in which these fluents are constants.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::build::Interface;
use super::network::{Leaf, Lit, Network};
use super::passes::{GoOn, NodeGroups, exclusive, reduce};

/// A ring is followed up to this length.
const LONGEST: usize = 8;
/// A network with more gates is not made once more for each phase.
pub(crate) const LARGEST: usize = 200_000;

/// A ring of fluents and a network for each of them.
#[derive(Debug, Clone, Default)]
pub struct Phases {
    /// The bases of the ring: each holds in the step after the one before it. The first holds in the initial state.
    pub ring: Vec<usize>,
    /// Per phase, the network where only this fluent of the ring holds.
    pub networks: Vec<Network>,
}

/// The phases of a game, if it has any and there is time: of several rings the one that leaves the smallest networks.
pub fn phases(
    interface: &Interface,
    network: &Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
) -> Option<Phases> {
    if network.size() > LARGEST {
        return None;
    }
    let split = |ring: Vec<usize>| {
        let still = ring.iter().map(|&now| stilled(network, &ring, now));
        Phases {
            networks: still.collect(),
            ring,
        }
    };
    let rings = rings(interface, network).into_iter().map(split);
    let mut phases = rings.min_by_key(size).filter(|_| go_on())?;
    let finish = |still: Network| finished(interface, &still, groups, go_on);
    phases.networks = phases.networks.into_par_iter().map(finish).collect();
    (size(&phases) < network.size()).then_some(phases)
}

/// How many gates a network has on average.
fn size(phases: &Phases) -> usize {
    let sizes = phases.networks.iter().map(Network::size);
    sizes.sum::<usize>() / phases.ring.len()
}

/// All rings of two or more fluents of which the initial state has exactly one, beginning with that one.
fn rings(interface: &Interface, network: &Network) -> Vec<Vec<usize>> {
    let leaves = network.gates.leaves();
    let mut follows = vec![None; leaves.bases];
    for (base, &next) in network.outputs.next.iter().enumerate() {
        if let (Some(Leaf::Base(before)), false) = (leaves.leaf(next.node()), next.is_negated()) {
            follows[before] = Some(base);
        }
    }
    let starts = (0..leaves.bases).filter(|&base| interface.initial[base]);
    let ring = |start: usize| {
        let mut ring = vec![start];
        while let Some(next) = follows[ring[ring.len() - 1]] {
            if next == start {
                let is_alone = ring[1..].iter().all(|&base| !interface.initial[base]);
                return (is_alone && ring.len() > 1).then_some(ring);
            }
            if interface.initial[next] || ring.len() == LONGEST {
                return None;
            }
            ring.push(next);
        }
        None
    };
    starts.filter_map(ring).collect()
}

/// The network where of the ring only `now` holds.
fn stilled(network: &Network, ring: &[usize], now: usize) -> Network {
    let leaves = network.gates.leaves();
    network.with_leaves(|node| match leaves.leaf(node) {
        Some(Leaf::Base(base)) if base == now => Some(Lit::TRUE),
        Some(Leaf::Base(base)) if ring.contains(&base) => Some(Lit::FALSE),
        _ => None,
    })
}

/// A phase's network made small, with what is known of its moves.
fn finished(
    interface: &Interface,
    network: &Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
) -> Network {
    let network = exclusive(network, groups);
    let legal = network.outputs.legal.clone();
    // A move that is never legal is never made, and the only one that ever is legal always.
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
    let still = network.with_leaves(|node| match leaves.leaf(node) {
        Some(Leaf::Does(input)) if legal[input] == Lit::FALSE => Some(Lit::FALSE),
        Some(Leaf::Does(input)) if is_forced(input) => Some(Lit::TRUE),
        _ => None,
    });
    reduce(still, groups, go_on, &mut Vec::new())
}
