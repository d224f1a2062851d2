//! From rules to programs: the scheduled circuit computes what the network does, and turn-specialised circuits change only the
//! speed.

use std::time::Duration;

use super::circuit::{Circuit, LazyCircuit, NEVER, SINK, Segment, Signal};
use super::lanes::{LaneProgram, LaneTotals, LaneWidth, PlayoutJob, run_playouts};
use super::network::{Lit, Network};
use super::passes::{NodeGroups, Pass, reduce, share};
use super::schedule::random_circuit;
use super::{Interface, TurnNetworks, build, large_turn_networks, schedule, turn_networks};
use crate::datalog::EvaluationLimits;
use crate::gdl;
use crate::ground::ground;
use crate::invariants::mutex_groups;

/// Two players take stones from a pile by turns; the player who can reach the end of a road that goes both ways scores more.
const TAKING: &str = "
(role first)(role second)(init (pile 5))(init (control first))(init (at a))
(succ 0 1)(succ 1 2)(succ 2 3)(succ 3 4)(succ 4 5)(take one)(take two)
(road a b)(road b c)(road c d)(road d e)(road e f)
(<= (less ?n one ?m) (succ ?m ?n))(<= (less ?n two ?m) (succ ?k ?n) (succ ?m ?k))
(<= (legal ?r (take ?k)) (true (control ?r)) (true (pile ?n)) (less ?n ?k ?m))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (control second)) (true (control first)))(<= (next (control first)) (true (control second)))
(<= (next (pile ?m)) (does ?r (take ?k)) (true (pile ?n)) (less ?n ?k ?m))
(<= (next (closed ?x ?y)) (true (closed ?x ?y)))
(<= (next (closed a b)) (does first (take two)))(<= (next (closed d e)) (does second (take one)))
(<= (next (at a)) (true (at a)))
(<= (open ?x ?y) (road ?x ?y) (not (true (closed ?x ?y))))
(<= (way ?x ?y) (open ?x ?y))(<= (way ?x ?y) (open ?y ?x))
(<= (reach ?x) (true (at ?x)))(<= (reach ?y) (reach ?x) (way ?x ?y))
(<= terminal (true (pile 0)))
(<= (goal ?r 100) (role ?r) (reach f))(<= (goal first 30) (not (reach f)) (reach c))(<= (goal first 10) (not (reach c)))
(<= (goal second 0) (not (reach f)))";

fn interface_and_network() -> (Interface, Network, NodeGroups) {
    network_of(TAKING)
}

pub(super) fn network_of(text: &str) -> (Interface, Network, NodeGroups) {
    let rules = gdl::load(text).rules.expect("the rules are sound");
    let limits = EvaluationLimits {
        rows: 100_000,
        terms: 100_000,
        time: Duration::from_secs(20),
        ..EvaluationLimits::default()
    };
    let ground = ground(&rules, &limits).expect("small");
    let (interface, network) = build(&ground, &mut Vec::new());
    let groups = interface.groups(&mutex_groups(&ground), network.gates.leaves());
    (interface, network, groups)
}

/// Runs code on slots of 64 lanes.
pub(super) fn run(code: &[Segment], slots: &mut [u64]) {
    for segment in code {
        match segment {
            Segment::Gates { kind, gates } => {
                for gate in gates {
                    let operands = gate.operands.map(|slot| slots[slot as usize]);
                    slots[gate.out as usize] = kind.apply(operands);
                }
            }
            Segment::Loop { feedback, body } => {
                feedback
                    .iter()
                    .for_each(|one| slots[one.variable as usize] = 0);
                loop {
                    run(body, slots);
                    let mut changes = false;
                    for one in feedback {
                        let value = slots[one.value as usize];
                        changes |=
                            std::mem::replace(&mut slots[one.variable as usize], value) != value;
                    }
                    if !changes {
                        break;
                    }
                }
            }
            Segment::Guarded { guard, body } => {
                if slots[*guard as usize] != 0 {
                    run(body, slots);
                }
            }
            Segment::Fill { slots: of, value } => {
                slots[of.start as usize..of.end as usize].fill(if *value { !0 } else { 0 });
            }
        }
    }
}

/// The terminal and legal outputs, the goals, and the next state where each role makes its first legal move. Slots that
/// hold nothing begin as noise.
fn outputs(
    circuit: &Circuit,
    state: &[bool],
    goal_code: bool,
) -> (Vec<bool>, Vec<bool>, Vec<bool>) {
    let mut slots: Vec<u64> = (0..circuit.slots as u64).map(|slot| slot % 3).collect();
    slots[NEVER as usize] = 0;
    slots[1] = !0;
    for (&base, &holds) in circuit.bases.iter().zip(state) {
        slots[base as usize] = if holds { !0 } else { 0 };
    }
    let mut fresh = slots.clone();
    run(&circuit.legal_code, &mut slots);
    let read = |slots: &[u64], slot: u32| slots[slot as usize] & 1 == 1;
    let legal: Vec<bool> = circuit
        .inputs
        .iter()
        .map(|input| read(&slots, input.legal))
        .collect();
    let seen = legal
        .iter()
        .copied()
        .chain([read(&slots, circuit.terminal)])
        .collect();
    let mut goals = Vec::new();
    if goal_code {
        run(&circuit.goal_code, &mut slots);
        goals = circuit
            .goals
            .iter()
            .flatten()
            .map(|(_, slot)| read(&slots, *slot))
            .collect();
    }
    circuit
        .inputs
        .iter()
        .for_each(|input| slots[input.does as usize] = 0);
    for inputs in &circuit.roles {
        let made = inputs.clone().find(|&input| legal[input]);
        let does = made.map_or(SINK, |input| circuit.inputs[input].does);
        slots[does as usize] = !0;
    }
    run(&circuit.transition_code, &mut slots);
    let reads = |signals: &[Signal], slots: &[u64]| -> Vec<bool> {
        let holds = |signal: &Signal| read(slots, signal.slot) != signal.negated;
        signals.iter().map(holds).collect()
    };
    let next = reads(&circuit.next, &slots);
    for input in &circuit.inputs {
        fresh[input.does as usize] = slots[input.does as usize];
    }
    run(&circuit.direct_transition_code, &mut fresh);
    assert_eq!(reads(&circuit.direct_next, &fresh), next);
    (seen, goals, next)
}

#[test]
fn simpler_networks_and_their_programs_agree_state_by_state() {
    let (interface, network, groups) = interface_and_network();
    let reduced = reduce(network.clone(), &groups, &|| true, &mut Vec::new());
    let turns = turn_networks(&interface, &reduced, &groups, &|| true).expect("turns are taken");
    let shared = share(reduced, &|| true, &mut Vec::new());
    let by_constants = large_turn_networks(&interface, &shared, &|| true).expect("so they are");
    assert!(shared.size() < network.size());
    let of_turns = [&turns, &by_constants].map(|turns| {
        assert_eq!(turns.networks.len(), 2);
        let networks = turns.networks.iter();
        assert!(networks.clone().all(|turn| turn.size() < shared.size()));
        networks
            .map(|network| schedule(&interface, network))
            .collect::<Vec<Circuit>>()
    });
    let plain = schedule(&interface, &network);
    let simple = schedule(&interface, &shared);
    let mut state = interface.initial.clone();
    for ply in 0..4 {
        let expected = outputs(&plain, &state, true);
        let [specialised, by_constants] = of_turns.each_ref().map(|turns| &turns[ply % 2]);
        for circuit in [&simple, specialised, by_constants] {
            assert_eq!(outputs(circuit, &state, true), expected, "ply {ply}");
            assert_eq!(
                outputs(circuit, &state, false).2,
                expected.2,
                "ply {ply}, without goals"
            );
        }
        assert_ne!(expected.2, state);
        state = expected.2;
    }
}

#[test]
fn a_waiting_role_has_one_move_in_the_other_roles_turn() {
    let (interface, network, groups) = interface_and_network();
    let reduced = reduce(network, &groups, &|| true, &mut Vec::new());
    let all: [Option<TurnNetworks>; 2] = [
        turn_networks(&interface, &reduced, &groups, &|| true),
        large_turn_networks(&interface, &reduced, &|| true),
    ];
    for turns in all {
        let turns = turns.expect("turns are taken");
        for (turn, waiting) in [(0, 1), (1, 0)] {
            let legal = &turns.networks[turn].outputs.legal[interface.roles[waiting].clone()];
            assert_eq!(legal.iter().filter(|&&lit| lit == Lit::TRUE).count(), 1);
            assert_eq!(
                legal.iter().filter(|&&lit| lit == Lit::FALSE).count(),
                legal.len() - 1
            );
        }
    }
}

#[test]
fn playouts_are_the_same_with_sets_of_moves_and_without() {
    let without_loops = TAKING.replace(
        "(<= (reach ?x) (true (at ?x)))(<= (reach ?y) (reach ?x) (way ?x ?y))",
        "(<= (reach c) (way a b))(<= (reach f) (way a b) (way d e))",
    );
    let (interface, network, groups) = network_of(&without_loops);
    let reduced = reduce(network, &groups, &|| true, &mut Vec::new());
    let turns = turn_networks(&interface, &reduced, &groups, &|| true).expect("turns are taken");
    let circuit = LazyCircuit::from(schedule(&interface, &reduced));
    let with_sets = |network: &Network| {
        let circuit = random_circuit(&interface, network, 0).expect("there are sets");
        assert!(!circuit.marks.items().is_empty());
        circuit
    };
    let [first, second] =
        [0, 1].map(|turn| LazyCircuit::from(schedule(&interface, &turns.networks[turn])));
    let [first_sets, second_sets] =
        [0, 1].map(|turn| LazyCircuit::from(with_sets(&turns.networks[turn])));
    let programs = [
        LaneProgram::new(&with_sets(&reduced)),
        LaneProgram::with_turns(&circuit, &turns.control, &[first_sets.clone(), second]),
        LaneProgram::with_turns(&circuit, &turns.control, &[first, second_sets.clone()]),
        LaneProgram::with_turns(&circuit, &turns.control, &[first_sets, second_sets]),
    ];
    let start = (0..)
        .zip(&interface.initial)
        .map(|(base, &holds)| u64::from(holds) << base);
    let start = [start.sum::<u64>()];
    let options = PlayoutJob {
        seed: 3,
        count: 3000,
        max_plies: 50,
        threads: 2,
        width: LaneWidth { words: 8 },
        go_on: &|| true,
    };
    let expected = run_playouts(&LaneProgram::new(&circuit), &start, options).0;
    assert_eq!(expected.playouts, 3000);
    for program in programs {
        assert_eq!(run_playouts(&program, &start, options).0, expected);
    }
}

#[test]
fn playouts_are_the_same_with_turns_and_without() {
    let (interface, network, groups) = interface_and_network();
    let reduced = reduce(network, &groups, &|| true, &mut Vec::new());
    let turns = turn_networks(&interface, &reduced, &groups, &|| true).expect("turns are taken");
    let circuit = LazyCircuit::from(schedule(&interface, &reduced));
    let turn_circuits: Vec<LazyCircuit> = turns
        .networks
        .iter()
        .map(|network| schedule(&interface, network).into())
        .collect();
    let with = LaneProgram::with_turns(&circuit, &turns.control, &turn_circuits);
    let without = LaneProgram::new(&circuit);
    let packed = |state: &[bool]| {
        state
            .iter()
            .enumerate()
            .map(|(base, &holds)| u64::from(holds) << base)
            .sum::<u64>()
    };
    let second = outputs(&circuit, &interface.initial, false).2;
    for start in [packed(&interface.initial), packed(&second)] {
        let totals = |program: &LaneProgram, words: usize, max_plies: u32| -> LaneTotals {
            let options = PlayoutJob {
                seed: 3,
                count: 3000,
                max_plies,
                threads: 2,
                width: LaneWidth { words },
                go_on: &|| true,
            };
            run_playouts(program, &[start], options).0
        };
        for max_plies in [2, 50] {
            let expected = totals(&without, 8, max_plies);
            assert_eq!(expected.playouts, 3000);
            for words in [8, 16] {
                assert_eq!(totals(&with, words, max_plies), expected);
            }
        }
    }
}

#[test]
fn goals_are_asked_for_before_anybody_has_moved() {
    let (interface, network, _) = network_of(
        "(role r)(init (at a))(legal r go)(<= (next (at b)) (does r go))
         (<= (gone) (does r go))(<= terminal (true (at b)))
         (<= (goal r 50) (gone))(<= (goal r 20) (not (gone)))",
    );
    assert_eq!(
        network.outputs.goals,
        [vec![(20, Lit::TRUE), (50, Lit::FALSE)]]
    );
    let circuit = schedule(&interface, &network);
    assert_eq!(outputs(&circuit, &interface.initial, true).2, [false, true]);
}

#[test]
fn gates_with_one_reader_are_fused() {
    let (interface, network, _) = interface_and_network();
    let circuit = schedule(&interface, &network);
    let steps = [
        &circuit.legal_code,
        &circuit.goal_code,
        &circuit.transition_code,
    ];
    let all: Vec<&Segment> = steps.into_iter().flatten().flat_map(with_body).collect();
    let gates = |operands: usize| {
        let of_kind = |segment: &&&Segment| matches!(segment, Segment::Gates { kind, .. } if kind.operands() == operands);
        all.iter()
            .filter(of_kind)
            .map(|segment| count(segment))
            .sum::<usize>()
    };
    // The size of the network is still counted in gates of two operands.
    let [two, three, four] = [2, 3, 4].map(gates);
    assert_eq!(circuit.gate_count(), two + 2 * three + 3 * four);
    let fused = 2 * three + 3 * four;
    assert!(
        fused >= 16 && four > 0,
        "{four} of four, {three} of three, {two} of two"
    );
}

fn with_body(segment: &Segment) -> Vec<&Segment> {
    match segment {
        Segment::Gates { .. } => vec![segment],
        Segment::Loop { body, .. } | Segment::Guarded { body, .. } => {
            body.iter().flat_map(with_body).collect()
        }
        Segment::Fill { .. } => Vec::new(),
    }
}

fn count(segment: &Segment) -> usize {
    match segment {
        Segment::Gates { gates, .. } => gates.len(),
        _ => 0,
    }
}

#[test]
fn gates_are_counted_from_the_rules_on() {
    let text = "
        (role r)(init (a))(init (b))(legal r go)
        (<= (some) (true (a)))(<= (some) (true (b)))(<= (any) (true (b)))(<= (any) (true (a)))
        (<= (other) (true (b)) (not (true (a))))(<= (other) (true (c)))
        (<= (next (a)) (some))(<= (next (b)) (any))(<= (next (c)) (other) (some) (not (any)))
        (<= terminal (true (c)))(<= (goal r 100) terminal)(<= (goal r 0) (not terminal))";
    let rules = gdl::load(text).rules.expect("the rules are sound");
    let ground = ground(&rules, &EvaluationLimits::default()).expect("small");
    let mut passes = Vec::new();
    let (_, network) = build(&ground, &mut passes);
    let names: Vec<&str> = passes.iter().map(|pass| &*pass.name).collect();
    assert_eq!(names, ["constants", "hashing", "dead logic", "merging"]);
    let shrinks = |two: &[Pass]| two[0].after == two[1].before && two[1].after <= two[1].before;
    assert!(passes.windows(2).all(shrinks), "{passes:?}");
    assert!(
        passes[..3].iter().all(|pass| pass.after < pass.before),
        "{passes:?}"
    );
    assert_eq!(passes[3].after, network.size());
}
