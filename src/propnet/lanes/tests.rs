//! Differential tests: playouts against the reference evaluator of the fixtures.

use proptest::prelude::*;

use crate::propnet::circuit::Circuit;
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
    let (of, moves) = fixture::joint_moves(circuit, &parents);
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
        operands: [0, 1, 0, 0],
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
