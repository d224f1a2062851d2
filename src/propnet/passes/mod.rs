//! Simplification passes: a smaller network with the same outputs.
//!
//! Every pass is a function from network to network. The outputs stay the same for every assignment of the leaves that can
//! occur: a reachable state with one legal move of each role. To add a pass, write such a function in a file of its own,
//! apply it in [`reduce`] or [`share`], and compare networks before and after it in `tests.rs`.

mod counters;
mod cubes;
mod dont_care;
mod factor;
mod groups;
mod mutex;
mod subsets;

#[cfg(test)]
mod tests;

pub use counters::extract_counters;
pub use cubes::extract_cubes;
pub use dont_care::simplify_dont_cares;
pub use factor::{factor, factor_shared};
pub use groups::{NodeGroup, NodeGroups};
pub use mutex::simplify_mutexes;

use std::borrow::Cow;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::network::Network;

/// How often the passes are repeated at most; later rounds gain little.
const ROUNDS: usize = 6;
/// A pass is repeated while it removes more than one gate in this number.
const LITTLE: usize = 1000;
/// Networks of more gates only go through factoring and common-cube extraction: the other passes would take seconds and
/// remove few gates.
pub(crate) const LARGE: usize = 500_000;

/// What one pass, or one step of building the network, did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Gates of two operands before it.
    pub before: usize,
    /// Gates of two operands after it.
    pub after: usize,
}

impl Pass {
    pub(super) fn new(name: &'static str, before: usize, after: usize) -> Self {
        Self {
            name: name.into(),
            before,
            after,
        }
    }
}

/// A pass.
type PassFn<'w> = &'w dyn Fn(&Network) -> Network;

/// Asked repeatedly during long work; `false` ends the work with the result so far.
pub type GoOn<'g> = &'g (dyn Fn() -> bool + Sync);

/// Factors a network that is too large for the other passes, and records in `passes` what that did. It needs no groups.
pub fn factor_large(network: Network, go_on: GoOn<'_>, passes: &mut Vec<Pass>) -> Network {
    let mut simplifier = Simplifier::new(network, go_on, passes);
    if simplifier.size > LARGE {
        simplifier.apply("factoring", factor);
    }
    simplifier.network
}

/// Applies all passes but common-cube extraction to a network that is not too large, until they gain little, and records in
/// `passes` what each did.
pub fn reduce(
    network: Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
    passes: &mut Vec<Pass>,
) -> Network {
    let mut simplifier = Simplifier::new(network, go_on, passes);
    // First and once: the other passes merge the gates that counters consist of.
    simplifier.apply("counter extraction", |network| {
        extract_counters(network, go_on)
    });
    simplifier.repeat(groups);
    simplifier.apply("shared factoring", factor_shared);
    simplifier.network
}

/// Lets the gates of a reduced network share operands. This comes last, since it hides the structure that the other passes
/// look for.
pub fn share(network: Network, go_on: GoOn<'_>, passes: &mut Vec<Pass>) -> Network {
    let mut simplifier = Simplifier::new(network, go_on, passes);
    simplifier.apply("common-cube extraction", |network| {
        extract_cubes(network, go_on)
    });
    simplifier.network
}

/// Whether a pass that leaves `after` of `before` gates gains little.
fn gains_little(before: usize, after: usize) -> bool {
    before.saturating_sub(after) * LITTLE <= before
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

    /// Applies three passes in turn until each has gained little in its last application.
    fn repeat(&mut self, groups: &NodeGroups) {
        let mutexes = |network: &Network| simplify_mutexes(network, groups);
        let dont_cares = |network: &Network| simplify_dont_cares(network, groups);
        let round: [(&'static str, PassFn<'_>); 3] = [
            ("mutex simplification", &mutexes),
            ("factoring", &factor),
            ("don't-care simplification", &dont_cares),
        ];
        let mut left = round.len();
        for (name, pass) in round.iter().cycle().take(ROUNDS * round.len()) {
            let before = self.size;
            self.apply(name, pass);
            let is_little = gains_little(before, self.size);
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
