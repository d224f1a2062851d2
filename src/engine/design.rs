//! From rules to a network of gates, stage by stage.

use std::time::{Duration, Instant};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::datalog::{Exhausted, Limits};
use crate::gdl::Rules;
use crate::ground::{Ground, GroundError, ground};
use crate::invariants::{MutexGroup, mutex_groups};
use crate::propnet::passes::{GoOn, LARGE, NodeGroups, Pass, reduce, share};
use crate::propnet::{Drawing, Interface, LARGEST, Network, Phases, build, phases};

/// Why rules cannot run on a propnet; the reasoner may run them nevertheless.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rules cannot be made a network: {0}")]
pub struct NotGroundable(#[from] GroundError);

/// The network that rules amount to, before it is made a program.
#[derive(Debug)]
pub struct Design {
    pub(super) ground: Ground,
    pub(super) mutex_groups: Vec<MutexGroup>,
    pub(super) interface: Interface,
    pub(super) network: Network,
    pub(super) phases: Phases,
    pub(super) passes: Vec<Pass>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) clock: Clock,
}

/// What is not done to a network of many gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is.
    pub what: &'static str,
    /// Networks of more gates go without.
    pub above: usize,
}

impl LeftOut {
    /// What is left out where so many gates are left when the passes have been over them.
    fn of(gates: usize) -> Vec<Self> {
        let passes = Self {
            what: "counting, exclusion, assumption, remainder or regrouping",
            above: LARGE,
        };
        let phases = Self {
            what: "network for each turn",
            above: LARGEST,
        };
        let all = [passes, phases].into_iter();
        all.filter(|left_out| gates > left_out.above).collect()
    }
}

impl Design {
    /// Makes a network of `rules`, within `limits` for grounding. If that leaves any of four fifths of the time, they
    /// are there to make the network small, and what cannot be done by then is left undone; the rest is for what follows.
    ///
    /// # Errors
    /// [`NotGroundable`] where more can happen in the game than the limits allow, or where they were told to stop.
    pub fn new(rules: &Rules, limits: &Limits) -> Result<Self, NotGroundable> {
        let begin = Instant::now();
        let go_on = || !limits.is_stopped() && begin.elapsed() < limits.time / 5 * 4;
        let mut clock = Clock::default();
        let ground = clock.time("ground", || ground(rules, limits))?;
        let mut passes = Vec::new();
        let built = || rayon::join(|| build(&ground, &mut passes), || mutex_groups(&ground));
        let ((interface, network), mutex_groups) = clock.time("network", built);
        let groups = interface.groups(&mutex_groups, network.gates.leaves());
        let (network, phases, left_out) = clock.time("simplify", || {
            simplified(&interface, network, &groups, &go_on, &mut passes)
        });
        if limits.is_stopped() {
            return Err(GroundError::from(Exhausted::Interrupted).into());
        }
        Ok(Self {
            ground,
            mutex_groups,
            interface,
            network,
            phases,
            passes,
            left_out,
            clock,
        })
    }

    /// The network with names for all that goes in and comes out.
    pub fn drawing(&self) -> Drawing<'_> {
        Drawing::new(&self.ground, &self.interface, &self.network)
    }
}

/// The network made small, with a small one for each phase, and what it was too large for.
fn simplified(
    interface: &Interface,
    network: Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
    passes: &mut Vec<Pass>,
) -> (Network, Phases, Vec<LeftOut>) {
    let network = reduce(network, groups, go_on, passes);
    let left_out = LeftOut::of(network.size());
    let mut phases = phases(interface, &network, groups, go_on).unwrap_or_default();
    let in_phase = std::mem::take(&mut phases.networks);
    let finish = |network| share(network, go_on, &mut Vec::new());
    let (network, in_phase) = rayon::join(
        || share(network, go_on, passes),
        || in_phase.into_par_iter().map(finish).collect(),
    );
    phases.networks = in_phase;
    (network, phases, left_out)
}

/// Times one stage after the other.
#[derive(Debug, Default)]
pub(super) struct Clock {
    pub(super) stages: Vec<(&'static str, Duration)>,
}

impl Clock {
    pub(super) fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = work();
        self.stages.push((stage, begin.elapsed()));
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_depends_on_the_gates() {
        let above = |gates| {
            let left_out = LeftOut::of(gates).into_iter();
            left_out.map(|left_out| left_out.above).collect::<Vec<_>>()
        };
        assert!(above(LARGEST).is_empty());
        assert_eq!(above(LARGEST + 1), [LARGEST]);
        assert_eq!(above(LARGE), [LARGEST]);
        assert_eq!(above(LARGE + 1), [LARGE, LARGEST]);
    }
}
