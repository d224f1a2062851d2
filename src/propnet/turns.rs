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
/// Networks of more gates are specialised by constants alone: to simplify them anew for each turn would take seconds.
pub(crate) const LARGEST_SIMPLIFIED: usize = 200_000;
/// Networks specialised by constants alone are taken if they have at least one gate in this number less: they take memory, and time to be
/// scheduled.
const WORTHWHILE: usize = 10;

/// Networks specialised to the turns of a game.
#[derive(Debug, Clone, Default)]
pub struct TurnNetworks {
    /// The control fluents, as numbers of bases: each holds in the ply after its predecessor. The first holds initially.
    pub control: Vec<usize>,
    /// Per turn, the network under the assumption that of the control fluents only this turn's holds.
    pub networks: Vec<Network>,
}

/// Specialises the network to the turns of the game and simplifies what is left, if the game has turns, there is time, and the
/// networks get smaller.
pub fn turn_networks(
    interface: &Interface,
    network: &Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
) -> Option<TurnNetworks> {
    let simplify = |network: Network| {
        let network = of_possible_moves(interface, &simplify_mutexes(&network, groups));
        reduce(network, groups, go_on, &mut Vec::new())
    };
    let turns = smallest_turns(interface, network, go_on)?;
    turns.finished(network, simplify)
}

/// The same by constants alone, for a large network; operands that its gates share stay shared.
pub fn large_turn_networks(
    interface: &Interface,
    network: &Network,
    go_on: GoOn<'_>,
) -> Option<TurnNetworks> {
    let simplify = |network: Network| of_possible_moves(interface, &network);
    let turns = smallest_turns(interface, network, go_on)?;
    let turns = turns.finished(network, simplify)?;
    let saved = network.size() - turns.mean_size();
    (saved * WORTHWHILE >= network.size()).then_some(turns)
}

impl TurnNetworks {
    /// The same with each network simplified, if they are smaller than the whole one then.
    fn finished(
        mut self,
        whole: &Network,
        simplify: impl Fn(Network) -> Network + Sync + Send,
    ) -> Option<Self> {
        self.networks = map_if(whole.size() > SMALL, self.networks, simplify);
        (self.mean_size() < whole.size()).then_some(self)
    }

    /// How many gates a turn's network has on average.
    fn mean_size(&self) -> usize {
        let sizes = self.networks.iter().map(Network::size);
        sizes.sum::<usize>() / self.control.len()
    }
}

/// The network with the control fluents of each turn replaced by constants. Of several cycles of control fluents, takes the one that
/// leaves the smallest networks; none if the time is over.
fn smallest_turns(
    interface: &Interface,
    network: &Network,
    go_on: GoOn<'_>,
) -> Option<TurnNetworks> {
    let specialise = |control: Vec<usize>| {
        let specialised = |current| specialised(network, &control, current);
        TurnNetworks {
            networks: map_if(network.size() > SMALL, control.clone(), specialised),
            control,
        }
    };
    let candidates = control_cycles(interface, network);
    let candidates = candidates.into_iter().take_while(|_| go_on());
    let smallest = candidates
        .map(specialise)
        .min_by_key(TurnNetworks::mean_size);
    smallest.filter(|_| go_on())
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

/// A turn's network with what is known of the moves in that turn: one that is never legal is never made, and the only one of a
/// role that can be legal, if it always is, is always made.
fn of_possible_moves(interface: &Interface, network: &Network) -> Network {
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
    network.with_leaves(|node| match leaves.leaf(node) {
        Some(Leaf::Does(input)) if legal[input] == Lit::FALSE => Some(Lit::FALSE),
        Some(Leaf::Does(input)) if is_forced(input) => Some(Lit::TRUE),
        _ => None,
    })
}
