//! From rules to a simplified network, stage by stage: ground, build, find mutex groups, simplify, specialise to turns.

use std::borrow::Cow;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::report::Stages;
use crate::datalog::{EvaluationLimits, Exhausted, TermId};
use crate::game::GameFacts;
use crate::gdl::Rules;
use crate::ground::{Ground, GroundError, GroundingAssumptions, ground_assuming};
use crate::info::game_facts;
use crate::invariants::{MutexGroup, mutex_groups};
use crate::propnet::passes::{GoOn, LARGE, NodeGroups, Pass, factor_large, reduce, share};
use crate::propnet::{
    Interface, LARGEST_SIMPLIFIED, Network, NetworkPrinter, TurnNetworks, build,
    large_turn_networks, turn_networks,
};
use crate::util::{join_if, map_if};

/// Networks of no more gates, and of no more ground rules, are made on one thread.
pub(super) const SMALL: usize = 1_000;

/// Why rules cannot run on a propnet; the reasoner may run them nevertheless.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("the rules cannot be made a network: {0}")]
pub struct NotGroundable(#[from] pub(super) GroundError);

/// The network of a game, simplified, and not scheduled yet.
#[derive(Debug)]
pub struct CompiledNetwork {
    pub(super) ground: Ground,
    pub(super) mutex_groups: Vec<MutexGroup>,
    pub(super) game_facts: GameFacts,
    pub(super) interface: Interface,
    pub(super) network: Network,
    pub(super) turns: TurnNetworks,
    pub(super) passes: Vec<Pass>,
    pub(super) left_out: Vec<LeftOut>,
    /// Whether time ended the simplification.
    pub(super) is_cut_short: bool,
}

/// A step of the compilation that is left out for large networks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// What is left out.
    pub what: Cow<'static, str>,
    /// It is left out for networks of more gates than this.
    pub above: usize,
}

impl LeftOut {
    /// What is left out for a network of `gates` gates, counted after the passes.
    fn of(gates: usize) -> Vec<Self> {
        let passes = Self {
            what: "counter extraction, mutex or don't-care simplification".into(),
            above: LARGE,
        };
        let turns = Self {
            what: "simplification of the networks for the turns".into(),
            above: LARGEST_SIMPLIFIED,
        };
        let all = [passes, turns].into_iter();
        all.filter(|left_out| gates > left_out.above).collect()
    }
}

impl CompiledNetwork {
    /// Compiles `rules` to a network, within `limits` for grounding. Simplification ends when four fifths of the time are
    /// used, with what has been achieved by then; the rest is for scheduling and packing.
    ///
    /// # Errors
    /// [`NotGroundable`] if grounding exceeds the limits, or was stopped.
    pub fn new(rules: &Rules, limits: &EvaluationLimits) -> Result<Self, NotGroundable> {
        Self::compile(rules, limits, &mut Stages::default())
    }

    /// The same, with the time of each stage in `stages`.
    pub(super) fn compile(
        rules: &Rules,
        limits: &EvaluationLimits,
        stages: &mut Stages,
    ) -> Result<Self, NotGroundable> {
        let BuiltNetwork {
            began,
            ground,
            interface,
            network,
            mutex_groups,
            mut passes,
        } = BuiltNetwork::proved(rules, limits, stages)?;
        let go_on = || may_go_on(limits, began);
        let is_large = ground.rules.len() > SMALL;
        // The game facts take little of the time, on another core.
        let simplify = || {
            join_if(
                is_large,
                || match network {
                    NetworkSoFar::Simplified(network) => network,
                    NetworkSoFar::Built(network) => {
                        let groups = interface.groups(&mutex_groups, network.gates.leaves());
                        simplified(&interface, network, &groups, &go_on, &mut passes)
                    }
                },
                || game_facts(rules, &ground, &mutex_groups, &interface),
            )
        };
        let (simplified, game_facts) =
            stages.time_and_size("simplify", simplify, |(of, _)| gates(&of.network));
        if limits.is_stopped() {
            return Err(GroundError::from(Exhausted::Interrupted).into());
        }
        Ok(Self {
            ground,
            mutex_groups,
            game_facts,
            interface,
            network: simplified.network,
            turns: simplified.turns,
            passes,
            left_out: simplified.left_out,
            is_cut_short: !go_on(),
        })
    }

    /// A printer of the network, with names for its inputs and outputs.
    pub fn printer(&self) -> NetworkPrinter<'_> {
        NetworkPrinter::new(&self.ground, &self.interface, &self.network)
    }
}

/// Whether there is time left to simplify a network.
fn may_go_on(limits: &EvaluationLimits, began: Instant) -> bool {
    !limits.is_stopped() && began.elapsed() < limits.time / 5 * 4
}

/// The network of a game, and what is proved on the rules that it is of.
struct BuiltNetwork {
    /// When grounding began.
    began: Instant,
    ground: Ground,
    interface: Interface,
    network: NetworkSoFar,
    mutex_groups: Vec<MutexGroup>,
    passes: Vec<Pass>,
}

impl BuiltNetwork {
    /// With lookups of unique facts, if these are proved to be unique, and grounding takes no more than half of the time with them.
    fn proved(
        rules: &Rules,
        limits: &EvaluationLimits,
        stages: &mut Stages,
    ) -> Result<Self, NotGroundable> {
        let mut tried = Stages::default();
        let built = Self::new(rules, limits, GroundingAssumptions::UniqueFacts, &mut tried);
        match built {
            Ok(built) if built.is_proved() => {
                stages.append(tried);
                return Ok(built);
            }
            Ok(_) => tracing::debug!("facts that were assumed to be unique are not proved to be"),
            Err(NotGroundable(why @ GroundError::WithLookups(_))) if !limits.is_stopped() => {
                tracing::debug!("{why}");
            }
            Err(why) => {
                stages.append(tried);
                return Err(why);
            }
        }
        stages.append_as_one("unproved", tried);
        Self::new(rules, limits, GroundingAssumptions::None, stages)
    }

    fn new(
        rules: &Rules,
        limits: &EvaluationLimits,
        assumptions: GroundingAssumptions,
        stages: &mut Stages,
    ) -> Result<Self, NotGroundable> {
        let began = Instant::now();
        let rules_of = |ground: &Result<Ground, GroundError>| {
            let ground = ground.as_ref().ok()?;
            Some((ground.rules.len(), "ground rules"))
        };
        let grounding = || ground_assuming(rules, limits, assumptions);
        let ground = stages.time_and_size("ground", grounding, rules_of)?;
        let mut passes = Vec::new();
        let build_network = || {
            let (interface, network) = build(&ground, &mut passes);
            let go_on = || may_go_on(limits, began);
            let network = NetworkSoFar::new(&interface, network, &go_on, &mut passes);
            (interface, network)
        };
        let is_large = ground.rules.len() > SMALL;
        let both = || join_if(is_large, build_network, || mutex_groups(&ground));
        let ((interface, network), mutex_groups) =
            stages.time_and_size("network", both, |((_, so_far), _)| gates(so_far.network()));
        Ok(Self {
            began,
            ground,
            interface,
            network,
            mutex_groups,
            passes,
        })
    }

    /// Whether all that was assumed to ground the rules is proved.
    fn is_proved(&self) -> bool {
        let within = |facts: &[TermId], group: &MutexGroup| {
            facts.iter().all(|fact| group.facts.contains(fact))
        };
        let mut assumed = self.ground.assumed.iter();
        assumed.all(|facts| {
            facts.len() < 2 || self.mutex_groups.iter().any(|group| within(facts, group))
        })
    }
}

/// A network, with what is done to it before the mutex groups are known.
enum NetworkSoFar {
    /// It is not simplified yet.
    Built(Network),
    /// It is too large for the passes that need groups, so that the others were applied while groups were found.
    Simplified(SimplifiedNetwork),
}

impl NetworkSoFar {
    fn new(
        interface: &Interface,
        network: Network,
        go_on: GoOn<'_>,
        passes: &mut Vec<Pass>,
    ) -> Self {
        let network = factor_large(network, go_on, passes);
        if network.size() <= LARGE {
            return Self::Built(network);
        }
        Self::Simplified(shared(interface, network, go_on, passes))
    }

    fn network(&self) -> &Network {
        match self {
            Self::Built(network) | Self::Simplified(SimplifiedNetwork { network, .. }) => network,
        }
    }
}

/// A simplified network, the same in each turn, and what was left out of its simplification.
struct SimplifiedNetwork {
    network: Network,
    turns: TurnNetworks,
    left_out: Vec<LeftOut>,
}

/// The size of a network in gates of two operands.
fn gates(network: &Network) -> Option<(usize, &'static str)> {
    Some((network.size(), "gates"))
}

/// Simplifies a network that is not too large, and specialises it to turns.
fn simplified(
    interface: &Interface,
    network: Network,
    groups: &NodeGroups,
    go_on: GoOn<'_>,
    passes: &mut Vec<Pass>,
) -> SimplifiedNetwork {
    let network = reduce(network, groups, go_on, passes);
    if network.size() > LARGEST_SIMPLIFIED {
        return shared(interface, network, go_on, passes);
    }
    let left_out = LeftOut::of(network.size());
    let mut turns = turn_networks(interface, &network, groups, go_on).unwrap_or_default();
    let unshared = std::mem::take(&mut turns.networks);
    let finish = |network| share(network, go_on, &mut Vec::new());
    let is_large = network.size() > SMALL;
    let (network, shared) = join_if(
        is_large,
        || share(network, go_on, passes),
        || map_if(is_large, unshared, finish),
    );
    turns.networks = shared;
    SimplifiedNetwork {
        network,
        turns,
        left_out,
    }
}

/// The end of the simplification of a network that is too large for more.
fn shared(
    interface: &Interface,
    network: Network,
    go_on: GoOn<'_>,
    passes: &mut Vec<Pass>,
) -> SimplifiedNetwork {
    let left_out = LeftOut::of(network.size());
    let network = share(network, go_on, passes);
    let turns = large_turn_networks(interface, &network, go_on).unwrap_or_default();
    SimplifiedNetwork {
        network,
        turns,
        left_out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A king moves to any cell, and a rule looks up where it is. `more` tells what else there is, or will be.
    fn rules(more: &str) -> Rules {
        let text = format!(
            "(role r)(cell 1)(cell 2)(cell 3)(init (at 2 king))(init (at 1 rock))(goal r 0)(<= terminal (true (at 3 rock)))
             (<= (seen ?x ?y ?z) (true (at ?x rock)) (cell ?y) (cell ?z) (distinct ?x ?y))
             (<= (legal r (go ?a ?b ?c)) (cell ?a) (cell ?b) (cell ?c) (true (at ?k king)) (not (seen ?k ?a ?b))
                 (true (at ?a ?kind)) (true (at ?b ?other)))
             (<= (next (at ?c king)) (does r (go ?a ?b ?c)))
             (<= (next (at 1 rock)) (true (at 1 rock))){more}"
        );
        crate::gdl::load(&text).rules.unwrap()
    }

    fn stages_of(more: &str) -> (usize, Vec<&'static str>) {
        let rules = rules(more);
        let mut stages = Stages::default();
        let limits = EvaluationLimits::default();
        let compiled = CompiledNetwork::compile(&rules, &limits, &mut stages).unwrap();
        let names = stages.iter().map(|stage| stage.name);
        (compiled.ground.assumed.len(), names.collect())
    }

    #[test]
    fn rules_rest_on_what_is_proved_only() {
        assert_eq!(stages_of(""), (1, vec!["ground", "network", "simplify"]));
        let unproved = vec!["unproved", "ground", "network", "simplify"];
        assert_eq!(
            stages_of("(<= (next (at 2 king)) (true (at 2 king)))"),
            (0, unproved)
        );
    }

    #[test]
    fn rules_that_do_not_ground_are_tried_again_without_assumptions_alone() {
        let limits = EvaluationLimits {
            rows: 5,
            ..EvaluationLimits::default()
        };
        let stages_of = |rules: &Rules| {
            let mut stages = Stages::default();
            let compiled = CompiledNetwork::compile(rules, &limits, &mut stages);
            assert!(compiled.is_err());
            stages.iter().map(|stage| stage.name).collect::<Vec<_>>()
        };
        assert_eq!(stages_of(&rules("")), ["unproved", "ground"]);
        assert_eq!(stages_of(&rules("(init (at 3 king))")), ["ground"]);
    }

    #[test]
    fn large_networks_skip_expensive_steps() {
        let above = |gates| {
            let left_out = LeftOut::of(gates).into_iter();
            left_out.map(|left_out| left_out.above).collect::<Vec<_>>()
        };
        assert!(above(LARGEST_SIMPLIFIED).is_empty());
        assert_eq!(above(LARGEST_SIMPLIFIED + 1), [LARGEST_SIMPLIFIED]);
        assert_eq!(above(LARGE), [LARGEST_SIMPLIFIED]);
        assert_eq!(above(LARGE + 1), [LARGE, LARGEST_SIMPLIFIED]);
    }
}
