//! CompileReport a network smaller without changing what it computes.
//!
//! Every pass is a function from network to network. "What it computes" is the outputs wherever the leaves are what they
//! can be: a reachable state, one legal move per role.

mod assume;
mod counting;
mod exclusive;
mod factor;
mod groups;
mod pairs;

#[cfg(test)]
mod tests;

pub use assume::assume;
pub use counting::counting;
pub use exclusive::exclusive;
pub use factor::factor;
pub use groups::{NodeGroup, NodeGroups};
pub use pairs::pairs;

use std::time::Instant;

use super::network::Network;

/// How often the passes are repeated at most; after a few rounds little is gained.
const ROUNDS: usize = 6;
/// A pass that takes away no more than one gate in so many is not worth another round.
const LITTLE: usize = 1000;
/// A network of more gates is only factored before its gates are shared: the other passes take seconds there, and what
/// they would take away is little beside that.
pub(crate) const LARGE: usize = 500_000;

/// What a pass, or what is done while gates are made, did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// Gates of two operands before it.
    pub before: usize,
    /// Gates of two operands after it.
    pub after: usize,
}

impl Pass {
    pub(super) fn new(name: &'static str, before: usize, after: usize) -> Self {
        Self {
            name,
            before,
            after,
        }
    }
}

/// What a pass does.
type Work<'w> = &'w dyn Fn(&Network) -> Network;

/// Asked again and again in long work: the answer no ends it with what there is by then.
pub type GoOn<'g> = &'g (dyn Fn() -> bool + Sync);

/// Applies the passes until they gain little, and tells what each did; those that only pay in the end are left out.
pub fn reduce(
    network: Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
    passes: &mut Vec<Pass>,
) -> Network {
    let mut simplifier = Simplifier::new(network, go_on, passes);
    if simplifier.size > LARGE {
        simplifier.apply("factoring", factor);
    }
    if simplifier.size <= LARGE {
        // First and once: the other passes merge the gates of which counters are made.
        simplifier.apply("counting", |network| counting(network, go_on));
        simplifier.repeat(groups);
    }
    simplifier.network
}

/// Finishes a network that was reduced: afterwards, gates share so much that little else can be seen.
pub fn share(network: Network, go_on: GoOn<'_>, passes: &mut Vec<Pass>) -> Network {
    let mut simplifier = Simplifier::new(network, go_on, passes);
    simplifier.apply("common pairs", |network| pairs(network, go_on));
    simplifier.network
}

struct Simplifier<'p> {
    network: Network,
    size: usize,
    go_on: GoOn<'p>,
    passes: &'p mut Vec<Pass>,
}

impl<'p> Simplifier<'p> {
    fn new(network: Network, go_on: GoOn<'p>, passes: &'p mut Vec<Pass>) -> Self {
        Self {
            size: network.size(),
            network,
            go_on,
            passes,
        }
    }

    /// Applies the passes in turn until all the others gained little since one last gained something.
    fn repeat(&mut self, groups: &NodeGroups) {
        let exclusion = |network: &Network| exclusive(network, groups);
        let assumption = |network: &Network| assume(network, groups);
        let round: [(&'static str, Work<'_>); 3] = [
            ("exclusion", &exclusion),
            ("factoring", &factor),
            ("assumption", &assumption),
        ];
        let mut left = round.len();
        for (name, pass) in round.iter().cycle().take(ROUNDS * round.len()) {
            let before = self.size;
            self.apply(name, pass);
            let is_little = before.saturating_sub(self.size) * LITTLE <= before;
            left = if is_little { left } else { round.len() } - 1;
            if left == 0 {
                return;
            }
        }
    }

    /// Applies a pass, if there is time.
    fn apply(&mut self, name: &'static str, pass: impl FnOnce(&Network) -> Network) {
        if !(self.go_on)() {
            return;
        }
        let begin = Instant::now();
        let network = pass(&self.network);
        let time = begin.elapsed();
        let (before, after) = (self.size, network.size());
        self.network = network;
        self.size = after;
        tracing::debug!("{name}: {before} gates, then {after}, in {time:?}");
        self.passes.push(Pass::new(name, before, after));
    }
}
