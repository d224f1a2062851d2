//! From rules to a network of gates, stage by stage.

use std::time::{Duration, Instant};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::datalog::{Exhausted, Limits};
use crate::gdl::Rules;
use crate::ground::{Ground, GroundError, ground};
use crate::propnet::passes::{GoOn, Groups, Pass, reduce, share};
use crate::propnet::{Drawing, Interface, Network, Phases, build, phases};

/// Why rules cannot run on a propnet; the reasoner may run them nevertheless.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rules cannot be made a network: {0}")]
pub struct NoPropnet(#[from] GroundError);

/// The network that rules amount to, before it is made a program.
#[derive(Debug)]
pub struct Design {
    pub(super) ground: Ground,
    pub(super) interface: Interface,
    pub(super) network: Network,
    pub(super) phases: Phases,
    pub(super) passes: Vec<Pass>,
    pub(super) clock: Clock,
}

impl Design {
    /// Makes a network of `rules`, within `limits` for grounding. If that leaves any of four fifths of the time, they
    /// are there to make the network small, and what cannot be done by then is left undone; the rest is for what follows.
    ///
    /// # Errors
    /// [`NoPropnet`] where more can happen in the game than the limits allow, or where they were told to stop.
    pub fn new(rules: &Rules, limits: &Limits) -> Result<Self, NoPropnet> {
        let begin = Instant::now();
        let go_on = || !limits.is_stopped() && begin.elapsed() < limits.time / 5 * 4;
        let mut clock = Clock::default();
        let ground = clock.time("ground", || ground(rules, limits))?;
        let mut passes = Vec::new();
        let built = || rayon::join(|| build(&ground, &mut passes), || ground.groups());
        let ((interface, network), _) = clock.time("network", built);
        let groups = interface.groups(&ground, network.gates.leaves());
        let (network, phases) = clock.time("simplify", || {
            simplified(&interface, network, &groups, &go_on, &mut passes)
        });
        if limits.is_stopped() {
            return Err(GroundError::from(Exhausted::Interrupted).into());
        }
        Ok(Self {
            ground,
            interface,
            network,
            phases,
            passes,
            clock,
        })
    }

    /// The network with names for all that goes in and comes out.
    pub fn drawing(&self) -> Drawing<'_> {
        Drawing::new(&self.ground, &self.interface, &self.network)
    }
}

/// The network made small, with a small one for each phase.
fn simplified(
    interface: &Interface,
    network: Network,
    groups: &Groups,
    go_on: GoOn<'_>,
    passes: &mut Vec<Pass>,
) -> (Network, Phases) {
    let network = reduce(network, groups, go_on, passes);
    let mut phases = phases(interface, &network, groups, go_on).unwrap_or_default();
    let in_phase = std::mem::take(&mut phases.networks);
    let finish = |network| share(network, go_on, &mut Vec::new());
    let (network, in_phase) = rayon::join(
        || share(network, go_on, passes),
        || in_phase.into_par_iter().map(finish).collect(),
    );
    phases.networks = in_phase;
    (network, phases)
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
