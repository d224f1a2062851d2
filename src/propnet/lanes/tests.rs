//! Differential tests: playouts and expansions against the reference evaluator of the fixtures.

use proptest::prelude::*;

use crate::propnet::circuit::{ALWAYS, Circuit, NEVER, Segment, Slot};
use crate::propnet::lanes::fixture::{self, Naive};
use crate::propnet::lanes::generator::Generator;
use crate::propnet::lanes::{
    Expander, LaneBatch, LaneProgram, LaneTotals, LaneWidth, PlayoutJob, RolloutJob, RolloutRunner,
    RolloutSink, TrackedBase, run_playouts,
};

const WORDS: [usize; 3] = [1, 8, 16];

fn options(count: u64, max_plies: u32) -> PlayoutJob<'static> {
    PlayoutJob {
        seed: 17,
        count,
        max_plies,
        threads: 1,
        width: LaneWidth { words: 8 },
        go_on: &|| true,
    }
}

/// The reference: one playout after the other from the initial state, one state at a time.
fn naive(circuit: &Circuit, options: PlayoutJob<'_>) -> LaneTotals {
    naive_from(
        circuit,
        &fixture::pack(&circuit.initial),
        options,
        |_, _| {},
    )
}

/// The same from any state. Shows each state in which the rules end a game, with the goals of the roles.
fn naive_from(
    circuit: &Circuit,
    start: &[u64],
    options: PlayoutJob<'_>,
    mut show_end: impl FnMut(&[u64], &[Option<u8>]),
) -> LaneTotals {
    let mut totals = LaneTotals::new(circuit.roles.len());
    for number in 0..options.count {
        let mut generator = Generator::new(options.seed, number);
        let mut state = start.to_vec();
        let mut plies = 0;
        let roles = 0..circuit.roles.len();
        loop {
            let now = Naive::new(circuit, &state);
            if now.is_terminal() {
                let goals = roles.map(|role| Naive::new(circuit, &state).goal(role));
                let goals: Vec<Option<u8>> = goals.collect();
                for (role, goal) in goals.iter().enumerate() {
                    totals.goal_sum[role] += u64::from(goal.unwrap_or(0));
                    totals.goal_count[role] += u64::from(goal.is_some());
                }
                show_end(&state, &goals);
                break;
            }
            if plies >= options.max_plies {
                totals.too_long += 1;
                totals.plies_of_too_long += u64::from(plies);
                break;
            }
            let legal: Vec<_> = roles.clone().map(|role| now.legal(role)).collect();
            if legal.iter().any(Vec::is_empty) {
                totals.stuck += 1;
                break;
            }
            let mut pick = |moves: &Vec<u32>| moves[generator.below(moves.len() as u32) as usize];
            let joint: Vec<_> = legal.iter().map(&mut pick).collect();
            state = now.next(&joint);
            plies += 1;
        }
        totals.playouts += 1;
        totals.plies += u64::from(plies);
        totals.plies_of_playouts += u64::from(plies);
    }
    totals
}

/// All shapes and numbers of threads agree with the reference.
fn compare(circuit: &Circuit, options: PlayoutJob<'_>) -> LaneTotals {
    let start = fixture::pack(&circuit.initial);
    let expected = naive(circuit, options);
    for (words, program) in WORDS
        .iter()
        .flat_map(|words| fixture::programs(circuit).map(|program| (*words, program)))
    {
        for threads in [1, 3] {
            let width = LaneWidth { words };
            let options = PlayoutJob {
                threads,
                width,
                ..options
            };
            let (totals, complete) = run_playouts(&program, &start, options);
            assert!(complete);
            assert_eq!(totals, expected, "{width:?}, {threads} threads");
        }
    }
    expected
}

/// Rollouts from many states at once equal playouts from each.
fn roll(circuit: &Circuit, each: u32, max_plies: u32) {
    fixture::programs(circuit).for_each(|program| roll_program(circuit, &program, each, max_plies));
}

fn roll_program(circuit: &Circuit, program: &LaneProgram, each: u32, max_plies: u32) {
    let (mut parents, mut children) = (LaneBatch::new(program), LaneBatch::new(program));
    let mut expander = Expander::new(program);
    expander.evaluate_batch([&*fixture::pack(&circuit.initial)], &mut parents);
    let (of, moves) = joint_moves(circuit, &parents);
    expander.expand(&parents, &of, &moves, &mut children, &|| true);
    let states: Vec<&[u64]> = (0..children.len()).map(|i| children.state(i)).collect();
    let tracked: Vec<TrackedBase> = (0..circuit.bases.len())
        .map(|base| TrackedBase {
            base: base as u32,
            role: base % circuit.roles.len(),
        })
        .collect();
    let games = RolloutJob {
        states: &states.concat(),
        each,
        seed: &|number| number as u64,
        max_plies,
        tracked: &tracked,
        go_on: &|| true,
    };
    let roles = circuit.roles.len();
    let mut ends = CollectedEnds {
        goals: vec![vec![(0, 0); roles]; states.len()],
        facts: vec![vec![(0, 0); tracked.len()]; states.len()],
    };
    assert!(RolloutRunner::new(program).play(&games, &mut ends));
    for (number, state) in states.into_iter().enumerate() {
        let options = PlayoutJob {
            seed: number as u64,
            ..options(each.into(), max_plies)
        };
        let (alone, _) = run_playouts(program, state, options);
        let goals = alone.goal_sum.into_iter().zip(alone.goal_count);
        assert_eq!(goals.collect::<Vec<_>>(), ends.goals[number]);
        assert_eq!(
            naive_facts(circuit, state, options, &tracked),
            ends.facts[number]
        );
    }
}

/// What rollouts report, by state: of each role and of each tracked fluent a sum of goals and a number of games.
struct CollectedEnds {
    goals: Vec<Vec<(u64, u64)>>,
    facts: Vec<Vec<(u32, u32)>>,
}

impl RolloutSink for CollectedEnds {
    fn goal(&mut self, state: usize, role: usize, goal: u8) {
        let (sum, count) = &mut self.goals[state][role];
        (*sum, *count) = (*sum + u64::from(goal), *count + 1);
    }

    fn fluents(&mut self, state: usize, counted: &[(u32, u32)]) {
        for (fact, (sum, count)) in self.facts[state].iter_mut().zip(counted) {
            *fact = (fact.0 + sum, fact.1 + count);
        }
    }
}

/// The tracked fluents at the ends of the reference's games.
fn naive_facts(
    circuit: &Circuit,
    state: &[u64],
    options: PlayoutJob<'_>,
    tracked: &[TrackedBase],
) -> Vec<(u32, u32)> {
    let mut facts = vec![(0, 0); tracked.len()];
    naive_from(circuit, state, options, |end, goals| {
        for (fact, TrackedBase { base, role }) in facts.iter_mut().zip(tracked) {
            let holds = end[*base as usize / 64] >> (base % 64) & 1 == 1;
            if let Some(goal) = goals[*role].filter(|_| holds) {
                *fact = (fact.0 + u32::from(goal), fact.1 + 1);
            }
        }
    });
    facts
}

#[test]
fn games_from_many_states() {
    roll(&fixture::nim(30, 4), 1, 100);
    roll(&fixture::nim(30, 4), 20, 12);
    roll(&fixture::nim(30, 4), 200, 0);
}

#[test]
fn games_that_end() {
    let totals = compare(&fixture::nim(30, 4), options(700, 100));
    assert_eq!(
        (totals.playouts, totals.stuck, totals.too_long),
        (700, 0, 0)
    );
    assert_eq!(totals.goal_sum.iter().sum::<u64>(), 70_000);
    compare(&fixture::ring(40), options(300, 100));
}

#[test]
fn games_that_are_too_long() {
    let totals = compare(&fixture::nim(30, 4), options(500, 11));
    assert!(0 < totals.too_long && totals.too_long < 500);
    assert_eq!(compare(&fixture::nim(30, 4), options(50, 0)).too_long, 50);
}

#[test]
fn games_in_which_a_role_is_left_without_a_move() {
    let mut circuit = fixture::nim(30, 4);
    // The last counters are not taken one by one.
    circuit.inputs[0].legal = crate::propnet::circuit::NEVER;
    let totals = compare(&circuit, options(500, 100));
    assert!(0 < totals.stuck && totals.stuck < 500);
}

#[test]
fn delayed_goal_code_changes_nothing() {
    let mut circuit = fixture::nim(30, 4);
    let program = LaneProgram::new(&circuit);
    let sink = crate::propnet::circuit::Gate {
        out: 2,
        operands: [0, 1, 0],
    };
    let kind = crate::propnet::circuit::GateKind::AND;
    let gates = vec![sink; 5000];
    circuit.goal_code = vec![crate::propnet::circuit::Segment::Gates { kind, gates }];
    let waited = compare(&circuit, options(2000, 12));
    let start = fixture::pack(&circuit.initial);
    assert_eq!(waited, run_playouts(&program, &start, options(2000, 12)).0);
}

#[test]
fn a_width_is_measured() {
    let circuit = fixture::nim(30, 4);
    let program = LaneProgram::new(&circuit);
    let time = std::time::Duration::from_millis(3);
    let measured = LaneWidth::measured(&program, &fixture::pack(&circuit.initial), time);
    assert!(WORDS.contains(&measured.words));
    assert_eq!(LaneWidth::usual(&program).lanes(), 1024);
}

#[test]
fn playing_stops_when_asked_to() {
    let circuit = fixture::nim(30, 4);
    let asked = std::sync::atomic::AtomicU32::new(0);
    let go_on = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 20;
    let start = fixture::pack(&circuit.initial);
    let options = PlayoutJob {
        go_on: &go_on,
        ..options(u64::MAX, 100)
    };
    let (totals, complete) = run_playouts(&LaneProgram::new(&circuit), &start, options);
    assert!(!complete);
    assert!(
        totals.playouts > 64 && totals.plies_of_playouts < totals.plies,
        "{totals:?}"
    );
    assert_eq!(totals.goal_count, [totals.playouts; 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_circuits(
        bases in 1_usize..140, moves in proptest::collection::vec(1_usize..90, 1..4),
        gates in 1_usize..200, seed: u64, max_plies in 0_u32..12,
    ) {
        let circuit = fixture::random(&fixture::RandomCircuit { bases, moves, gates, seed });
        compare(&circuit, options(150, max_plies));
        roll(&circuit, 3, max_plies);
    }
}

/// Goes `plies` deep from the start, all joint moves of some states at once, and compares everything with the reference
/// evaluator.
fn expand(circuit: &Circuit, plies: usize) {
    fixture::programs(circuit).for_each(|program| expand_program(circuit, &program, plies));
}

fn expand_program(circuit: &Circuit, program: &LaneProgram, plies: usize) {
    let mut expander = Expander::new(program);
    let (mut parents, mut children) = (LaneBatch::new(program), LaneBatch::new(program));
    expander.evaluate_batch([&*fixture::pack(&circuit.initial)], &mut parents);
    for _ in 0..plies {
        let (of, moves) = joint_moves(circuit, &parents);
        expander.expand(&parents, &of, &moves, &mut children, &|| true);
        assert_eq!(children.len(), of.len());
        let joints = moves.chunks(circuit.roles.len());
        for ((child, parent), joint) in (0..).zip(of).zip(joints) {
            let parent = Naive::new(circuit, parents.state(parent as usize));
            assert_eq!(children.state(child), parent.next(joint));
        }
        compare_batch(circuit, &children);
        let states: Vec<_> = (0..children.len()).map(|i| children.state(i)).collect();
        expander.evaluate_batch(states, &mut parents);
        compare_batch(circuit, &parents);
        assert_eq!(parents.len(), children.len());
    }
}

/// All joint moves of the states, 700 at most.
fn joint_moves(circuit: &Circuit, batch: &LaneBatch) -> (Vec<u32>, Vec<u32>) {
    let (mut of, mut moves) = (Vec::new(), Vec::new());
    for parent in 0..batch.len() {
        let mut joints = vec![Vec::new()];
        for role in 0..circuit.roles.len() {
            let mut legal = Vec::new();
            batch.legal(parent, role, &mut legal);
            let longer = joints.iter().flat_map(|joint: &Vec<u32>| {
                let with = |mv: &u32| joint.iter().copied().chain([*mv]).collect();
                legal.iter().map(with).collect::<Vec<_>>()
            });
            joints = longer.take(700).collect();
        }
        of.extend(joints.iter().map(|_| parent as u32));
        moves.extend(joints.concat());
    }
    of.truncate(700);
    moves.truncate(700 * circuit.roles.len());
    (of, moves)
}

fn compare_batch(circuit: &Circuit, batch: &LaneBatch) {
    for i in 0..batch.len() {
        let naive = || Naive::new(circuit, batch.state(i));
        assert_eq!(batch.is_terminal(i), naive().is_terminal());
        for role in 0..circuit.roles.len() {
            let mut moves = Vec::new();
            batch.legal(i, role, &mut moves);
            assert_eq!(moves, naive().legal(role));
            assert_eq!(moves.len(), batch.legal_count(i, role));
            if batch.is_terminal(i) {
                assert_eq!(batch.goal(i, role), naive().goal(role));
            }
        }
    }
}

#[test]
fn words_of_moves_that_are_never_legal() {
    let mut circuit = fixture::random(&fixture::RandomCircuit {
        bases: 20,
        moves: vec![150],
        gates: 100,
        seed: 1,
    });
    for input in &mut circuit.inputs[..64] {
        input.legal = crate::propnet::circuit::NEVER;
    }
    expand(&circuit, 3);
}

#[test]
fn all_steps_at_once() {
    expand(&fixture::nim(30, 4), 9);
    expand(&fixture::ring(70), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn all_steps_at_once_in_random_circuits(
        bases in 1_usize..140, moves in proptest::collection::vec(1_usize..90, 1..4),
        gates in 1_usize..200, seed: u64,
    ) {
        expand(&fixture::random(&fixture::RandomCircuit { bases, moves, gates, seed }), 3);
    }
}

/// The number of paths of `plies` joint moves from a state.
fn naive_paths(circuit: &Circuit, state: &[u64], plies: u32) -> u64 {
    let now = Naive::new(circuit, state);
    if now.is_terminal() {
        return 0;
    }
    let mut joints = vec![Vec::new()];
    for role in 0..circuit.roles.len() {
        let longer = |joint: &Vec<u32>| {
            let with = |mv: u32| joint.iter().copied().chain([mv]).collect();
            now.legal(role).into_iter().map(with).collect::<Vec<_>>()
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    let after = |joint: &Vec<u32>| match plies {
        1 => 1,
        _ => naive_paths(circuit, &Naive::new(circuit, state).next(joint), plies - 1),
    };
    joints.iter().map(after).sum()
}

/// Counts paths from all states after `before` plies, 70 at most, in all ways; returns in how many ways they can be counted.
fn count_paths(circuit: &Circuit, program: &LaneProgram, before: usize, plies: u32) -> usize {
    let mut states = vec![fixture::pack(&circuit.initial)];
    let mut expander = Expander::new(program);
    let mut batch = LaneBatch::new(program);
    for _ in 0..before {
        expander.evaluate_batch(states.iter().map(Vec::as_slice), &mut batch);
        let (of, moves) = joint_moves(circuit, &batch);
        let joints = of.iter().zip(moves.chunks(circuit.roles.len()));
        let next =
            joints.map(|(of, joint)| Naive::new(circuit, batch.state(*of as usize)).next(joint));
        states = next.take(70).collect();
    }
    let naive = states
        .iter()
        .map(|state| naive_paths(circuit, state, plies));
    let expected: u64 = naive.sum();
    expander.evaluate_batch(states.iter().map(Vec::as_slice), &mut batch);
    let counted = [false, true].map(|at_once| expander.paths_by(&batch, plies, at_once));
    let counted = counted.into_iter().flatten();
    counted
        .inspect(|counted| assert_eq!(*counted, expected))
        .count()
}

/// The circuit where one fluent holds, and another does not.
fn specialised(circuit: &Circuit, holds: usize, fails: usize) -> Circuit {
    let mut circuit = circuit.clone();
    let [holds, fails] = [holds, fails].map(|base| circuit.bases[base]);
    let replace = |slot: &mut Slot| match *slot {
        read if read == holds => *slot = ALWAYS,
        read if read == fails => *slot = NEVER,
        _ => {}
    };
    circuit
        .inputs
        .iter_mut()
        .for_each(|input| replace(&mut input.legal));
    let nexts = circuit.next.iter_mut().chain(&mut circuit.direct_next);
    nexts.for_each(|next| replace(&mut next.slot));
    let codes = [
        &mut circuit.legal_code,
        &mut circuit.transition_code,
        &mut circuit.direct_transition_code,
    ];
    for segment in codes.into_iter().flatten() {
        if let Segment::Gates { gates, .. } = segment {
            let operands = gates.iter_mut().flat_map(|gate| &mut gate.operands);
            operands.for_each(replace);
        }
    }
    circuit
}

#[test]
fn paths_are_counted_without_making_states() {
    let nim = fixture::nim(20, 4);
    let program = LaneProgram::new(&nim);
    for (before, plies, ways) in [(0, 2, 2), (3, 3, 2), (2, 4, 1), (6, 5, 1)] {
        assert_eq!(count_paths(&nim, &program, before, plies), ways);
    }
    let cycle = [nim.initial.len() - 2, nim.initial.len() - 1];
    let turns = [0, 1].map(|turn| specialised(&nim, cycle[turn], cycle[1 - turn]));
    let program = LaneProgram::with_turns(&nim, &cycle, &turns);
    for (before, plies, ways) in [(0, 2, 2), (3, 3, 2), (2, 4, 1), (5, 5, 1)] {
        assert_eq!(count_paths(&nim, &program, before, plies), ways);
    }
    // Two plies are counted lane by lane where there is a loop.
    let ring = fixture::ring(4);
    let program = LaneProgram::new(&ring);
    assert_eq!(
        [2, 3].map(|plies| count_paths(&ring, &program, 1, plies)),
        [1, 0]
    );
}

#[test]
fn no_path_goes_on_where_a_role_has_no_move() {
    // After four plies, some moves leave the first role without a move and the second with several.
    let circuit = fixture::random(&fixture::RandomCircuit {
        bases: 87,
        moves: vec![1, 4],
        gates: 30,
        seed: 724_295_002_733_733_985,
    });
    assert_eq!(count_paths(&circuit, &LaneProgram::new(&circuit), 4, 2), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn paths_are_counted_in_random_circuits(
        bases in 1_usize..90, moves in proptest::collection::vec(1_usize..6, 1..3),
        gates in 1_usize..120, seed: u64, plies in 2_u32..5,
    ) {
        let circuit = fixture::random(&fixture::RandomCircuit { bases, moves: moves.clone(), gates, seed });
        for (program, before) in fixture::programs(&circuit).zip(0..) {
            let ways = count_paths(&circuit, &program, before, plies);
            if moves.len() == 1 {
                prop_assert_eq!(ways, if plies > 3 { 1 } else { 2 });
            }
        }
    }
}
