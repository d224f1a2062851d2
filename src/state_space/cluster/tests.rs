//! Workers of one process against the enumeration in one table.

use super::super::tests::{kolibrat, propnet, shipped, solution, space};
use super::super::tests_of_classes::{group, kolibrat_text};
use super::super::value_counts::ValueTally;
use super::*;
use crate::util::StopFlag;

pub(super) fn options(threads: usize, most_bytes: u64, stop: &StopFlag) -> ClusterOptions {
    ClusterOptions {
        hosts: ClusterHosts::new("127.0.0.1:0", 0).unwrap(),
        threads,
        wait: Duration::from_secs(1),
        deadline: Deadline::new(None, stop),
        most_bytes,
        subject: SolutionSubject {
            game: "game".to_owned(),
            rules: "rules".to_owned(),
        },
        symmetries: None,
        checkpoint: None,
        on_stage: Box::new(|_| {}),
    }
}

#[test]
fn workers_find_what_one_table_holds() {
    for name in ["tictactoe", "nim", "rock-paper-scissors", "fakelogic"] {
        let game = shipped(name);
        let alone = space(&game, 1, false).totals().clone();
        for threads in [1, 2, 5] {
            // Whoever is a round ahead of others must not disturb them: that shows in few of many runs.
            for _ in 0..3 {
                let options = options(threads, u64::MAX, &StopFlag::default());
                let found = enumerate_on_cluster(shipped(name), options).unwrap();
                assert_eq!(found.totals, alone, "{name} on {threads}");
            }
        }
    }
}

#[test]
fn budgets_end_all_workers() {
    let stop = StopFlag::default();
    let why = enumerate_on_cluster(shipped("kolibrat"), options(3, 1 << 20, &stop)).unwrap_err();
    let short = SpaceError::OutOfMemory(1 << 20);
    assert!(
        matches!(&why, ClusterError::Space(of) if *of == short),
        "{why}"
    );
    stop.raise();
    let why = enumerate_on_cluster(shipped("kolibrat"), options(3, u64::MAX, &stop)).unwrap_err();
    assert!(
        matches!(why, ClusterError::Space(SpaceError::Expired(_))),
        "{why}"
    );
}

/// Play of one role that ends, or goes round for ever once it has gone to 3.
const ALONE: &str = "
    (role a) (init (at 1))
    (edge 1 2) (edge 2 1) (edge 2 3) (edge 3 3) (edge 2 4) (edge 1 5) (edge 5 4) (edge 5 6)
    (<= (legal a (go ?y)) (true (at ?x)) (edge ?x ?y))
    (<= (next (at ?y)) (does a (go ?y)))
    (<= terminal (true (at 4))) (<= terminal (true (at 6)))
    (<= (goal a 70) (true (at 4)))
    (<= (goal a 20) (not (true (at 4))))";

#[test]
fn workers_find_the_values_that_one_finds() {
    let games = || {
        [
            ("tictactoe", shipped("tictactoe")),
            ("nim", shipped("nim")),
            ("fakelogic", shipped("fakelogic")),
            ("kolibrat 2x2", kolibrat(2, 2, 2, 3)),
            ("kolibrat 2x3", kolibrat(2, 3, 3, 2)),
            ("one role", propnet("alone", ALONE)),
        ]
    };
    for (place, (name, game)) in games().into_iter().enumerate() {
        for role in 0..game.roles().len() {
            let alone = solution(&game, role);
            let states: Vec<_> = alone.states().collect();
            let mut counts = ValueTally::new(game.roles().len());
            for state in &states {
                counts.note(state.value, state.is_terminal, state.mover, 1);
            }
            let counts = counts.into_counts();
            for threads in [1, 3] {
                let (_, game) = games().into_iter().nth(place).unwrap();
                let question = ClusterQuestion {
                    role: Role(role),
                    states: states.iter().map(|state| alone.state(state)).collect(),
                };
                let options = options(threads, u64::MAX, &StopFlag::default());
                let found = solve_on_cluster(game, options, question).unwrap();
                assert_eq!(found.counts, counts, "{name}, role {role} on {threads}");
                let together: Vec<_> = found.solution.states().collect();
                assert_eq!(together, states, "{name}, role {role} on {threads}");
                assert_eq!(found.space.totals.edges, alone.joint_moves());
            }
        }
    }
}

#[test]
fn classes_have_the_values_of_all_states() {
    let text = kolibrat_text(2, 3, 3, 2);
    let (game, mirror) = group(&text, false);
    let alone = solution(&game, 0);
    let states: Vec<_> = alone.states().collect();
    let mut counts = ValueTally::new(2);
    for state in &states {
        counts.note(state.value, state.is_terminal, state.mover, 1);
    }
    let counts = counts.into_counts();
    let solve = |symmetries, threads| {
        let question = ClusterQuestion {
            role: Role(0),
            states: states.iter().map(|state| alone.state(state)).collect(),
        };
        let options = ClusterOptions {
            symmetries: Some(Arc::new(symmetries)),
            ..options(threads, u64::MAX, &StopFlag::default())
        };
        solve_on_cluster(propnet("kolibrat", &text), options, question)
    };
    for threads in [1, 3] {
        let found = solve(mirror.clone(), threads).unwrap();
        assert!(found.space.classes < alone.count());
        assert_eq!(found.space.totals.states, alone.count());
        assert_eq!(found.counts, counts);
        let solution = found.solution;
        assert_eq!(solution.classes(), found.space.classes);
        for state in &states {
            let facts = game.state_text(&alone.state(state));
            assert_eq!(solution.value(&facts), Some(state.value), "{facts:?}");
        }
    }
    let (_, with_roles) = group(&text, true);
    let why = solve(with_roles, 1).unwrap_err();
    assert!(matches!(why, ClusterError::Solve(SolveError::Classes)));
}

#[test]
fn what_has_no_value_is_told_at_once() {
    let solve = |game| {
        let question = ClusterQuestion {
            role: Role(0),
            states: Vec::new(),
        };
        let options = options(2, u64::MAX, &StopFlag::default());
        solve_on_cluster(game, options, question).unwrap_err()
    };
    let why = solve(shipped("rock-paper-scissors"));
    assert!(
        matches!(why, ClusterError::Space(SpaceError::Simultaneous(0))),
        "{why}"
    );
    let chance = ALONE.replace("(role a)", "(role a) (role random) (legal random noop)");
    let why = solve(propnet("chance", &chance));
    assert!(
        matches!(why, ClusterError::Solve(SolveError::Chance)),
        "{why}"
    );
    let no_goal = ALONE.replace("(goal a 20)", "(goal b 20)") + "(role b)(legal b noop)";
    let why = solve(propnet("no goal", &no_goal));
    assert!(
        matches!(&why, ClusterError::Solve(SolveError::NoGoal(role, 1)) if role == "a"),
        "{why}"
    );
}

#[test]
fn values_are_found_from_plies_that_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let solve = |stop: StopFlag, most_plies: usize| {
        let raised = stop.clone();
        let options = ClusterOptions {
            checkpoint: Some(kept.clone()),
            on_stage: Box::new(move |stage| {
                if let ClusterStage::Ply { by_ply, .. } = stage
                    && by_ply.len() > most_plies
                {
                    raised.raise();
                }
            }),
            ..options(2, u64::MAX, &stop)
        };
        let question = ClusterQuestion {
            role: Role(0),
            states: Vec::new(),
        };
        solve_on_cluster(kolibrat(2, 3, 3, 2), options, question)
    };
    let why = solve(StopFlag::default(), 8).unwrap_err();
    assert!(
        matches!(why, ClusterError::Space(SpaceError::Expired(_))),
        "{why}"
    );
    let found = solve(StopFlag::default(), usize::MAX).unwrap();
    assert!(found.space.kept >= 7, "{}", found.space.kept);
    let game = kolibrat(2, 3, 3, 2);
    assert_eq!(found.space.totals, *space(&game, 1, false).totals());
    let alone = solution(&game, 0);
    let mut counts = ValueTally::new(2);
    for state in alone.states() {
        counts.note(state.value, state.is_terminal, state.mover, 1);
    }
    assert_eq!(found.counts, counts.into_counts());
    // Another question, and another worker, need other files.
    let states = ClusterOptions {
        checkpoint: Some(kept.clone()),
        ..options(2, u64::MAX, &StopFlag::default())
    };
    let why = enumerate_on_cluster(kolibrat(2, 3, 3, 2), states).unwrap_err();
    assert!(why.to_string().contains("needs no joint moves"), "{why}");
    std::fs::copy(
        folder.path().join("kept.1-of-2"),
        folder.path().join("kept.2-of-2"),
    )
    .unwrap();
    let why = solve(StopFlag::default(), usize::MAX)
        .unwrap_err()
        .to_string();
    let told = "it keeps the states of worker 1 of 2, and not those of worker 2 of 2";
    assert!(why.contains(told), "{why}");
}
