//! Workers of one process against the enumeration in one table.

use super::super::tests::{shipped, space};
use super::*;
use crate::util::StopFlag;

fn options(threads: usize, most_bytes: u64, stop: &StopFlag) -> ClusterOptions {
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
        checkpoint: None,
        on_ply: Box::new(|_, _| {}),
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
