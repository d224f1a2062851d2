use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use super::super::tests::{propnet, shipped, solution, space};
use super::super::{SpaceOptions, StateSpace, UnfinishedSpace};
use super::*;
use crate::engine::Propnet;
use crate::game::Role;
use crate::util::{Deadline, StopFlag};

fn subject(rules: &str) -> SolutionSubject {
    SolutionSubject {
        game: "game".to_owned(),
        rules: rules.to_owned(),
    }
}

/// Goes on with an enumeration, for so many plies at most, and tells how many were kept before.
fn go_on(
    path: &Path,
    game: &Propnet,
    graph: GraphUse,
    plies: usize,
) -> (usize, Result<StateSpace, Box<UnfinishedSpace>>) {
    let stop = StopFlag::default();
    let left = AtomicUsize::new(plies);
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let options = SpaceOptions {
        pool: &pool,
        deadline: &Deadline::new(None, &stop),
        most_bytes: u64::MAX,
        most_states: u64::MAX,
        graph,
        one_chooses: false,
        symmetries: None,
        on_ply: &|_, _| {
            if left.fetch_sub(1, Ordering::Relaxed) == 0 {
                stop.raise();
            }
        },
    };
    let mut checkpoint = Checkpoint::open(path, subject("these")).unwrap();
    let space = StateSpace::enumerate_kept(game, &options, &mut checkpoint);
    (checkpoint.plies(), space)
}

fn fault(path: &Path, game: &Propnet, graph: GraphUse) -> CheckpointFault {
    let unfinished = go_on(path, game, graph, usize::MAX).1.unwrap_err();
    match unfinished.why {
        SpaceError::Checkpoint(fault) => fault.fault,
        why => panic!("{why}"),
    }
}

fn solved(space: StateSpace, game: &Propnet) -> Vec<u8> {
    let solution = space.solve(game, Role(0), &Deadline::default());
    solution.unwrap().to_bytes(&subject("these"))
}

/// Tic-tac-toe is kept as bits; lamps that are switched three times, as a table.
fn games() -> [Propnet; 2] {
    let mut lamps = String::from(
        "(role a) (role b) (legal b noop) (<= (legal a (switch ?l)) (lamp ?l)) (init (step 0))\n\
         (<= (next (on ?l)) (does a (switch ?l)) (not (true (on ?l))))\n\
         (<= (next (on ?l)) (true (on ?l)) (not (does a (switch ?l))))\n\
         (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (succ 0 1) (succ 1 2) (succ 2 3)\n\
         (<= terminal (true (step 3))) (goal b 0)\n\
         (<= (goal a 90) (true (on 7))) (<= (goal a 20) (not (true (on 7))))\n",
    );
    for lamp in 1..=32 {
        lamps += &format!("(lamp {lamp})\n");
    }
    [shipped("tictactoe"), propnet("lamps", &lamps)]
}

#[test]
fn an_enumeration_goes_on_to_the_same_end() {
    for game in games() {
        let folder = TempDir::new().unwrap();
        for graph in [GraphUse::Dropped, GraphUse::IfRoom, GraphUse::Needed] {
            let path = folder.path().join(format!("{graph}"));
            let (mut runs, mut before) = (0, 0);
            let found = loop {
                let (plies, found) = go_on(&path, &game, graph, 2);
                assert!(plies >= before && plies <= 2 * runs);
                (runs, before) = (runs + 1, plies);
                match found {
                    Ok(found) => break found,
                    Err(unfinished) => assert!(matches!(unfinished.why, SpaceError::Expired(_))),
                }
            };
            assert!(runs > 1);
            let whole = space(&game, 2, true);
            assert_eq!(found.totals(), whole.totals());
            if graph == GraphUse::Needed {
                let expected = solution(&game, 0).to_bytes(&subject("these"));
                assert_eq!(solved(found, &game), expected);
            }
        }
    }
}

#[test]
fn what_is_cut_off_is_done_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("kept");
    let [game, _] = games();
    go_on(&path, &game, GraphUse::Needed, usize::MAX).1.unwrap();
    let whole = fs::read(&path).unwrap();
    let expected = solution(&game, 0).to_bytes(&subject("these"));
    let cuts = (0..whole.len()).step_by(whole.len() / 40);
    for cut in cuts.chain([whole.len() - 1]) {
        fs::write(&path, &whole[..cut]).unwrap();
        let space = go_on(&path, &game, GraphUse::Needed, usize::MAX).1;
        assert_eq!(solved(space.unwrap(), &game), expected, "{cut} bytes");
    }
}

#[test]
fn damage_is_found_or_does_not_matter() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("kept");
    let [game, _] = games();
    go_on(&path, &game, GraphUse::Needed, usize::MAX).1.unwrap();
    let whole = fs::read(&path).unwrap();
    let totals = space(&game, 1, true).totals().clone();
    let mut damaged = 0;
    for place in (0..whole.len()).step_by(whole.len() / 60) {
        let mut bytes = whole.clone();
        bytes[place] ^= 4;
        fs::write(&path, &bytes).unwrap();
        match go_on(&path, &game, GraphUse::Needed, usize::MAX).1 {
            Ok(space) => assert_eq!(*space.totals(), totals),
            Err(unfinished) => {
                let is_told = matches!(unfinished.why, SpaceError::Checkpoint(_));
                assert!(is_told, "byte {place}: {unfinished}");
                assert_eq!(fs::read(&path).unwrap(), bytes, "it is not changed");
                damaged += 1;
            }
        }
    }
    assert!(damaged > 40, "{damaged}");
}

#[test]
fn files_of_something_else_are_refused_and_kept() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("kept");
    let [game, other] = games();
    fs::write(&path, "(role x)\n").unwrap();
    assert_eq!(
        fault(&path, &game, GraphUse::Needed),
        CheckpointFault::Foreign
    );
    assert_eq!(fs::read(&path).unwrap(), b"(role x)\n");
    fs::write(&path, format!("{MAGIC}99\n{{}}\n")).unwrap();
    assert_eq!(
        fault(&path, &game, GraphUse::Needed),
        CheckpointFault::Version
    );
    fs::write(&path, "").unwrap();
    let (_, found) = go_on(&path, &game, GraphUse::Needed, 3);
    assert!(found.is_err());
    let kept = fs::read(&path).unwrap();
    let fault_of_graph = CheckpointFault::OtherGraph {
        found: GraphUse::Needed,
        asked: GraphUse::IfRoom,
    };
    assert_eq!(fault(&path, &game, GraphUse::IfRoom), fault_of_graph);
    // The digest of the rules is the same here, but not how states are packed.
    assert_eq!(
        fault(&path, &other, GraphUse::Needed),
        CheckpointFault::Version
    );
    let header = String::from_utf8_lossy(&kept).replacen("\"these\"", "\"others\"", 1);
    let of_others = folder.path().join("others");
    fs::write(&of_others, header.as_bytes()).unwrap();
    assert_eq!(
        fault(&of_others, &game, GraphUse::Needed),
        CheckpointFault::OtherRules("game".to_owned())
    );
    assert_eq!(fs::read(&path).unwrap(), kept);
}

#[test]
fn a_file_has_one_writer() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("kept");
    let first = Checkpoint::open(&path, subject("these")).unwrap();
    let second = Checkpoint::open(&path, subject("these")).unwrap_err();
    assert_eq!(second.fault, CheckpointFault::Locked);
    drop(first);
    Checkpoint::open(&path, subject("these")).unwrap();
    for place in ["", "none/kept"] {
        let fault = Checkpoint::open(&folder.path().join(place), subject("these")).unwrap_err();
        assert!(matches!(fault.fault, CheckpointFault::System(_)), "{fault}");
    }
}

/// Such a device has no end that could be cut off.
#[cfg(target_os = "linux")]
#[test]
fn a_device_keeps_nothing() {
    let [game, _] = games();
    let fault = fault(Path::new("/dev/full"), &game, GraphUse::Needed);
    assert!(matches!(fault, CheckpointFault::System(_)), "{fault}");
}
