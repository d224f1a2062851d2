//! Making a network smaller without changing what it computes.
//!
//! Every pass is a function from network to network. "What it computes" is the outputs wherever the leaves are what they
//! can be: a reachable state, one legal move per role.

mod assume;
mod exclusive;
mod factor;
mod groups;
mod pairs;
mod regroup;

#[cfg(test)]
mod tests;

pub use assume::assume;
pub use exclusive::exclusive;
pub use factor::{Products, factor};
pub use groups::{Group, Groups};
pub use pairs::pairs;
pub use regroup::regroup;

use std::time::{Duration, Instant};

use super::network::Network;

/// How often the passes are repeated at most; after a few rounds little is gained.
const ROUNDS: usize = 6;

/// What a pass did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// Gates of two operands before it.
    pub before: usize,
    /// Gates of two operands after it.
    pub after: usize,
    /// How long it took.
    pub time: Duration,
}

/// Applies the passes until they gain nothing, and tells what each did; those that only pay in the end are left out.
pub fn reduce(network: Network, groups: &Groups, passes: &mut Vec<Pass>) -> Network {
    let mut simplifier = Simplifier::new(network, passes);
    for _ in 0..ROUNDS {
        let before = simplifier.size;
        simplifier.apply("exclusion", |network| exclusive(network, groups));
        simplifier.apply("factoring", |network| factor(network, Products::Own));
        simplifier.apply("assumption", |network| assume(network, groups));
        simplifier.apply("merging", Network::merged);
        if simplifier.size == before {
            break;
        }
    }
    simplifier.apply("regrouping", regroup);
    simplifier.network
}

/// Finishes a network that was reduced: afterwards, gates share so much that little else can be seen.
pub fn share(network: Network, passes: &mut Vec<Pass>) -> Network {
    let mut simplifier = Simplifier::new(network, passes);
    simplifier.apply("common pairs", pairs);
    simplifier.network
}

struct Simplifier<'p> {
    network: Network,
    size: usize,
    passes: &'p mut Vec<Pass>,
}

impl<'p> Simplifier<'p> {
    fn new(network: Network, passes: &'p mut Vec<Pass>) -> Self {
        Self {
            size: network.size(),
            network,
            passes,
        }
    }

    fn apply(&mut self, name: &'static str, pass: impl FnOnce(&Network) -> Network) {
        let begin = Instant::now();
        let network = pass(&self.network);
        let time = begin.elapsed();
        let (before, after) = (self.size, network.size());
        self.network = network;
        self.size = after;
        tracing::debug!("{name}: {before} gates, then {after}");
        self.passes.push(Pass {
            name,
            before,
            after,
            time,
        });
    }
}
