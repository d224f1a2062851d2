//! What a propnet is made of: all that compiling its rules gives, in a form that can be kept.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::compile::{CompiledNetwork, LeftOut, SMALL};
use super::report::Stages;
use crate::datalog::TermId;
use crate::game::GameFacts;
use crate::invariants::MutexGroup;
use crate::propnet::circuit::{LazyCircuit, SearchSavings};
use crate::propnet::lanes::LaneProgram;
use crate::propnet::passes::Pass;
use crate::propnet::{Circuit, FactFrequencies, Network, schedule, schedule_for_search};
use crate::util::{Texts, join_if, map_if};

/// How a propnet was compiled: times, sizes, passes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompileReport {
    /// How many fluents can ever hold.
    pub fluents: usize,
    /// How many moves can ever be legal, over all roles.
    pub moves: usize,
    /// How many ground rules there are.
    pub ground_rules: usize,
    /// What each pass did to the number of gates, beginning with the gates of the ground rules.
    pub passes: Vec<Pass>,
    /// What was left out, because the network is too large.
    pub left_out: Vec<LeftOut>,
    /// Whether time ended the simplification.
    pub is_cut_short: bool,
    /// How many gates the circuit has, counted as gates of two operands.
    pub gates: usize,
    /// How many slots (registers) it uses.
    pub slots: usize,
    /// The gates of each turn-specialised circuit; empty if the game has none.
    pub turn_gates: Vec<usize>,
    /// What searches leave out, in the first turn where there are turns; `None` where they run the same circuits as random games.
    pub search_savings: Option<SearchSavings>,
}

/// What a propnet is made of.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PropnetParts {
    pub(super) roles: Vec<String>,
    /// Its facts are the bases.
    pub(super) game_facts: GameFacts,
    /// The static facts: they hold in every reachable state.
    pub(super) static_facts: Vec<usize>,
    /// Bases of which at most one holds in a reachable state, and whether exactly one does.
    pub(super) mutex_groups: Vec<(Vec<usize>, bool)>,
    /// Per input, the move's text.
    pub(super) moves: Texts,
    pub(super) report: CompileReport,
    /// Fluent by fluent, whether it holds in the initial state.
    pub(super) initial: Vec<bool>,
    /// See [`LaneProgram::with_turns`].
    control: Vec<usize>,
    /// The circuit of the whole network, then those of the turns. They are kept apart.
    #[serde(skip)]
    circuits: Vec<LazyCircuit>,
}

impl PropnetParts {
    /// A network scheduled, with the time of each stage in `stages`.
    pub(super) fn new(network: CompiledNetwork, stages: &mut Stages) -> Self {
        let CompiledNetwork {
            ground,
            mutex_groups,
            game_facts,
            interface,
            network,
            turns,
            passes,
            left_out,
            is_cut_short,
        } = network;
        let is_large = network.size() > SMALL;
        let schedule_all = || {
            let frequencies = FactFrequencies::sample(&interface, &network);
            let of_search =
                |network: &Network| schedule_for_search(&interface, network, &frequencies);
            let has_turns = !turns.networks.is_empty();
            // With turns, the whole network is run for their ends alone.
            join_if(
                is_large,
                || match has_turns {
                    true => schedule(&interface, &network),
                    false => of_search(&network),
                },
                || map_if(is_large, turns.networks.iter().collect(), of_search),
            )
        };
        let (circuit, turn_circuits) =
            stages.time_and_size("schedule", schedule_all, |(circuit, _)| {
                Some((circuit.slots, "slots"))
            });
        let text = |term: &TermId| ground.terms.text(*term);
        let fluents = interface.fluents.iter().copied();
        let base_of: FxHashMap<TermId, usize> = fluents.zip(0..).collect();
        let group = |group: &MutexGroup| {
            let bases = group.facts.iter().filter_map(|fact| base_of.get(fact));
            (bases.copied().collect(), group.exactly_one)
        };
        let static_facts = ground.static_facts.iter().map(|fact| base_of[fact]);
        Self {
            mutex_groups: mutex_groups.iter().map(group).collect(),
            static_facts: static_facts.collect(),
            roles: ground.relations.roles.iter().map(text).collect(),
            game_facts,
            moves: interface.moves.iter().map(text).collect(),
            report: CompileReport {
                fluents: circuit.bases.len(),
                moves: circuit.inputs.len(),
                ground_rules: ground.rules.len(),
                passes,
                left_out,
                is_cut_short,
                gates: circuit.gate_count(),
                slots: circuit.slots,
                turn_gates: turn_circuits.iter().map(Circuit::gate_count).collect(),
                search_savings: turn_circuits.first().unwrap_or(&circuit).search_savings(),
            },
            control: turns.control,
            initial: circuit.initial.clone(),
            circuits: std::iter::once(circuit)
                .chain(turn_circuits)
                .map(LazyCircuit::from)
                .collect(),
        }
    }

    /// The program that runs the circuits.
    pub(super) fn program(&self) -> LaneProgram {
        let (whole, turns) = self.circuits.split_at(1);
        LaneProgram::with_turns(&whole[0], &self.control, turns)
    }

    /// Appends the circuits to `bytes`.
    pub(super) fn write_circuits(&self, bytes: &mut Vec<u8>) -> Result<(), postcard::Error> {
        self.circuits
            .iter()
            .try_for_each(|circuit| circuit.write(bytes))
    }

    /// Parts with the circuits that are at this `place` of `bytes`, if these are such circuits.
    pub(super) fn with_circuits(self, bytes: &Arc<Vec<u8>>, place: Range<usize>) -> Option<Self> {
        let mut at = place.start;
        let circuits = (0..=self.control.len()).map(|_| LazyCircuit::read(bytes, &mut at));
        let circuits: Option<Vec<LazyCircuit>> = circuits.collect();
        let circuits = circuits.filter(|_| at == place.end)?;
        Some(Self { circuits, ..self })
    }
}
