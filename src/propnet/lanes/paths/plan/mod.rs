//! What is to be computed for each joint move, worked out when it is first met.

mod step;

pub(super) use step::{Branch, BranchMoves, CountStep};

use rustc_hash::FxHashMap;

use crate::propnet::circuit::{GateKind, Slot};
use crate::propnet::lanes::code::Code;
use crate::propnet::lanes::memory::SlotIndex;
use crate::propnet::lanes::mobility::{MoveGroups, move_groups};
use crate::propnet::lanes::paths::cones::{COMPLEMENTS, Cones, END, OF_ONE_MOVE, SlotSignal, code};
use crate::propnet::lanes::paths::logic::{GateLiteral, Logic};
use crate::propnet::lanes::paths::plan::step::Unready;
use crate::propnet::lanes::paths::trace::{Trace, Update, fluent};
use crate::propnet::lanes::program::PackedProgram;

/// In larger circuits, too much depends on each move: in lines-of-action, working it out for all moves took longer than was won.
const MOST_GATES: usize = 6_000;
/// All joint moves together may need so many gates, of eight bytes each.
const MOST_GATES_OF_STEPS: usize = 4_000_000;
/// Up to this number of fluents tell whose turn it is.
const MOST_CONTROLS: usize = 3;

/// How to count two plies, with all that is known of the moves made so far.
#[derive(Debug)]
pub(super) struct CountPlan {
    logic: Logic,
    /// Per turn-specialised circuit, or of the only circuit.
    turns: Vec<PlanTurn>,
    /// Fluents that each permit a move by themselves, such as waiting. What they are is known in a [`PlanSituation`].
    pub(super) controls: Vec<usize>,
    roles: Vec<std::ops::Range<usize>>,
    fluents: usize,
    situations: Vec<Option<PlanSituation>>,
    /// The number of each step that has been worked out, by [`CountPlan::key`]; `None` where that could not be done.
    numbers: FxHashMap<u64, Option<usize>>,
    steps: Vec<CountStep>,
    /// How many more gates they may have together.
    room: usize,
    updates: [Update; 2],
    cones: Cones,
}

#[derive(Debug)]
struct PlanTurn {
    legality: Trace,
    transition: Trace,
}

/// A turn, and which of the controls hold; what all moves share that lead to it or are made in it.
#[derive(Debug)]
pub(super) struct PlanSituation {
    /// Per value of [`PlanTurn::legality`].
    legality: Vec<GateLiteral>,
    /// Per value of [`PlanTurn::transition`], where no move is made.
    transition: Vec<GateLiteral>,
    /// Computes all that `legality` has.
    pub(super) code: Code<u16>,
    /// Per node, whether the code computes it.
    computed: Vec<bool>,
    /// Where the game is over, and whether the slot holds the complement.
    pub(super) over: SlotSignal,
    /// Per role the moves that can be legal, and where they are.
    pub(super) legal: Vec<Vec<(u32, SlotSignal)>>,
    /// Per role its moves that can be legal and can be not.
    pub(super) moves: Vec<MoveGroups<u16>>,
    /// Per role how many moves are legal always.
    constant: Vec<i64>,
}

impl CountPlan {
    /// Not for circuits with loops, or of too many gates.
    pub(super) fn new<P: SlotIndex>(program: &PackedProgram<P>) -> Option<Self> {
        if program.legal_gates() > MOST_GATES {
            return None;
        }
        let circuits = match program.turn_count() {
            0 => vec![program.whole()],
            turns => (0..turns).map(|turn| program.at_turn(Some(turn))).collect(),
        };
        let turn = |circuit| {
            Some(PlanTurn {
                legality: Trace::of_legality(circuit)?,
                transition: Trace::of_transition(circuit)?,
            })
        };
        let turns: Vec<PlanTurn> = circuits.into_iter().map(turn).collect::<Option<_>>()?;
        let fluents = program.bases.len();
        let mut plan = Self {
            logic: Logic::new(2 + fluents),
            controls: Vec::new(),
            roles: program.roles.clone(),
            fluents,
            situations: Vec::new(),
            numbers: FxHashMap::default(),
            steps: Vec::new(),
            room: MOST_GATES_OF_STEPS,
            updates: Default::default(),
            cones: Cones::default(),
            turns,
        };
        if let [only] = &plan.turns[..] {
            plan.controls = controls(&mut plan.logic, &only.legality);
        }
        let situations = plan.turns.len() << plan.controls.len();
        plan.situations.resize_with(situations, || None);
        Some(plan)
    }

    /// The number of a situation.
    pub(super) fn number(&self, turn: usize, controls: usize) -> usize {
        (turn << self.controls.len()) + controls
    }

    fn turn_of(&self, situation: usize) -> usize {
        situation >> self.controls.len()
    }

    /// A situation that has been worked out.
    pub(super) fn situation(&self, number: usize) -> Option<&PlanSituation> {
        self.situations[number].as_ref()
    }

    /// How many situations there are.
    pub(super) fn situations(&self) -> usize {
        self.situations.len()
    }

    /// The number of what a joint move in a situation amounts to; `None` if that is not to be counted like this.
    pub(super) fn step(&mut self, situation: usize, joint: &[u32]) -> Option<usize> {
        let key = self.key(situation, joint)?;
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let step = (self.room > 0).then(|| self.worked_out(situation, joint));
        let step = step.flatten();
        let gates = step.as_ref().map_or(0, CountStep::gates);
        self.room = self.room.saturating_sub(gates);
        let number = step.map(|step| {
            self.steps.push(step);
            self.steps.len() - 1
        });
        self.numbers.insert(key, number);
        number
    }

    /// What [`CountPlan::step`] found.
    pub(super) fn known_step(&self, number: usize) -> &CountStep {
        &self.steps[number]
    }

    /// The situation and the moves in one number, if that is not too large.
    fn key(&self, situation: usize, joint: &[u32]) -> Option<u64> {
        let inputs = self.roles.last().map_or(0, |last| last.end) as u64;
        let mut key = situation as u64;
        for input in joint {
            key = key.checked_mul(inputs)?.checked_add(u64::from(*input))?;
        }
        Some(key)
    }

    /// Code for these nodes, from leaves and what a situation has, with the slots in `cones`.
    fn code(&mut self, wanted: &[Slot], from: Option<usize>) -> Result<Code<u16>, Unready> {
        let known = from.and_then(|from| self.situations[from].as_ref());
        let known = known.map_or(&[][..], |situation| &situation.computed);
        let gates = self.cones.gates(&self.logic, wanted, known);
        if gates.len() > (COMPLEMENTS - OF_ONE_MOVE) as usize {
            return Err(Unready::Never);
        }
        Ok(code(gates))
    }

    /// Works out a situation, unless that has been done.
    pub(super) fn prepare(&mut self, number: usize) -> Option<()> {
        if self.situations[number].is_some() {
            return Some(());
        }
        let controls = number - self.number(self.turn_of(number), 0);
        let turn = &self.turns[self.turn_of(number)];
        let known: FxHashMap<u32, GateLiteral> = self
            .controls
            .iter()
            .enumerate()
            .map(|(at, &f)| {
                (
                    fluent(f),
                    GateLiteral::FALSE.negated_if(controls >> at & 1 == 1),
                )
            })
            .collect();
        let end = fluent(self.fluents);
        let leaf = |value| match value {
            0 => GateLiteral::FALSE,
            1 => GateLiteral::TRUE,
            _ if value >= end => GateLiteral::FALSE,
            _ => known.get(&value).copied().unwrap_or(GateLiteral::of(value)),
        };
        let legality = turn.legality.evaluate(&mut self.logic, leaf);
        let transition = turn.transition.evaluate(&mut self.logic, leaf);
        if self.logic.len() > OF_ONE_MOVE as usize {
            return None;
        }
        let outputs =
            (0..turn.legality.outputs.len()).map(|number| turn.legality.output(number, &legality));
        let outputs: Vec<GateLiteral> = outputs.collect();
        let wanted: Vec<Slot> = outputs.iter().map(|literal| literal.node()).collect();
        let mut gates = self.cones.gates_in_place(&self.logic, &wanted);
        let mut computed = vec![false; self.logic.len()];
        gates
            .iter()
            .for_each(|(node, _)| computed[*node as usize] = true);
        let signal = |literal: GateLiteral| (literal.node() as u16, literal.is_negated());
        let can_be = |input: usize| {
            let legal = outputs[1 + input];
            (legal != GateLiteral::FALSE).then_some((input as u32, signal(legal)))
        };
        let roles = self.roles.iter();
        let legal = roles.map(|inputs| inputs.clone().filter_map(can_be).collect());
        let legal = legal.collect();
        let (mut moves, mut constant, mut free) = (Vec::new(), Vec::new(), COMPLEMENTS);
        for inputs in &self.roles {
            let legal = outputs[1 + inputs.start..1 + inputs.end].iter();
            constant.push(
                legal
                    .clone()
                    .filter(|literal| **literal == GateLiteral::TRUE)
                    .count() as i64,
            );
            let mut slots = Vec::new();
            for literal in legal.filter(|literal| literal.constant().is_none()) {
                let node = literal.node();
                if literal.is_negated() {
                    gates.push((free, (GateKind::NOR, [node, node, 0])));
                    slots.push(free as u16);
                    free += 1;
                } else {
                    slots.push(node as u16);
                }
            }
            moves.push(move_groups(&slots));
        }
        if free > END {
            return None;
        }
        self.situations[number] = Some(PlanSituation {
            legality,
            transition,
            code: code(gates),
            computed,
            over: signal(outputs[0]),
            legal,
            moves,
            constant,
        });
        Some(())
    }
}

/// Fluents, or complements of fluents, that are all that a move takes.
fn controls(logic: &mut Logic, legality: &Trace) -> Vec<usize> {
    let leaves = logic.len();
    let values = legality.evaluate(logic, |value| match value {
        0 => GateLiteral::FALSE,
        1 => GateLiteral::TRUE,
        _ if (value as usize) < leaves => GateLiteral::of(value),
        _ => GateLiteral::FALSE,
    });
    logic.truncate(leaves);
    let nodes = legality.outputs[1..]
        .iter()
        .map(|(value, _)| values[*value as usize].node());
    let mut found: Vec<usize> = nodes
        .filter(|&node| node >= fluent(0) && (node as usize) < leaves)
        .map(|node| (node - fluent(0)) as usize)
        .collect();
    found.sort_unstable();
    found.dedup();
    if found.len() > MOST_CONTROLS {
        found.clear();
    }
    found
}
