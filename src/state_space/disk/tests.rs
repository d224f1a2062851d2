//! States on the disk are those in memory.

use super::super::GraphUse;
use super::super::tests::{kolibrat, pool, propnet, shipped, space};
use super::*;
use crate::symmetry::SymmetryGroup;
use crate::util::{Deadline, StopFlag};

/// Enumerates with so little memory that runs are merged.
fn on_disk(
    game: &Propnet,
    folder: &Path,
    threads: usize,
) -> Result<DiskSpace, Box<UnfinishedSpace>> {
    with(game, folder, threads, u64::MAX, &Deadline::default())
}

fn with(
    game: &Propnet,
    folder: &Path,
    threads: usize,
    most_states: u64,
    deadline: &Deadline,
) -> Result<DiskSpace, Box<UnfinishedSpace>> {
    let options = SpaceOptions {
        pool: &pool(threads),
        deadline,
        most_bytes: 1,
        most_states,
        graph: GraphUse::Dropped,
        one_chooses: false,
        symmetries: None::<std::sync::Arc<SymmetryGroup>>,
        on_ply: &|_, _| {},
    };
    enumerate_on_disk(game, folder, &options)
}

#[test]
fn totals_are_those_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let steps = "(role a) (init (step 0)) (legal a on) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (succ 0 1) (succ 1 0) \
                 (<= terminal (true (step 2))) (goal a 50)";
    let games = [
        shipped("tictactoe"),
        kolibrat(3, 3, 2, 3),
        shipped("fakelogic"),
        shipped("eight-puzzle"),
        propnet("round", steps),
    ];
    for game in games {
        let in_memory = space(&game, 2, false);
        for threads in [1, 3] {
            let found = on_disk(&game, folder.path(), threads).unwrap();
            assert_eq!(found.totals, *in_memory.totals());
            assert_eq!(found.classes, found.totals.states);
            let code = 4 * in_memory.codec().code_words() as u64;
            assert_eq!(found.most_disk_bytes, code * found.classes);
        }
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn nothing_is_left_when_it_ends_early() {
    let folder = tempfile::tempdir().unwrap();
    let game = kolibrat(3, 3, 2, 3);
    let all = space(&game, 1, false).totals().states;
    let unfinished = with(&game, folder.path(), 2, 1_000, &Deadline::default()).unwrap_err();
    assert_eq!(unfinished.why, SpaceError::MoreStates(1_000));
    assert!(unfinished.found > 1_000 && unfinished.found < all);
    let stop = StopFlag::default();
    stop.raise();
    let stopped = with(
        &game,
        folder.path(),
        2,
        u64::MAX,
        &Deadline::new(None, &stop),
    );
    assert!(matches!(stopped.unwrap_err().why, SpaceError::Expired(_)));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_folder_that_takes_no_files_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    let why = on_disk(&shipped("tictactoe"), &nowhere, 1).unwrap_err().why;
    let SpaceError::Disk(DiskError { folder, said }) = why else {
        panic!("{why}");
    };
    assert_eq!(folder, nowhere);
    assert!(said.contains("no such file"), "{said}");
}

/// A game of two plies in each of which three roles choose a number: the first has 12³ states, the second 12⁶.
fn wide() -> Propnet {
    let numbers: String = (0..12)
        .map(|number| format!("(number {number}) "))
        .collect();
    let text = format!(
        "(role a) (role b) (role c) {numbers} (init (step 0)) (succ 0 1) (succ 1 2) \
         (<= (legal ?r (choose ?n)) (role ?r) (number ?n)) \
         (<= (next (chosen ?s ?r ?n)) (does ?r (choose ?n)) (true (step ?s))) \
         (<= (next (chosen ?s ?r ?n)) (true (chosen ?s ?r ?n))) \
         (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t)) \
         (<= terminal (true (step 2))) (<= (goal ?r 50) (role ?r))"
    );
    propnet("wide", &text)
}

#[test]
fn a_ply_of_too_many_states_is_not_made_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let game = wide();
    for threads in [1, 2] {
        let most = 2_000;
        let deadline = Deadline::default();
        let unfinished = with(&game, folder.path(), threads, most, &deadline).unwrap_err();
        assert_eq!(unfinished.why, SpaceError::MoreStates(most));
        assert!(unfinished.found > most, "{}", unfinished.found);
        // Of the first ply, not all states were expanded.
        let expanded = unfinished.totals.states;
        assert!((2..1 + 12_u64.pow(3)).contains(&expanded), "{expanded}");
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
