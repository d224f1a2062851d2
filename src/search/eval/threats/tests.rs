//! What is marked is what a look at all winning implicants finds, and follows from state to state.

use proptest::prelude::*;

use super::super::cells::cell_grids;
use super::*;
use crate::game::{GoalValue, Implicant};

/// A board of three rows and columns, on which o and x win by a line of three in a row or a column; the facts of the game are 27.
pub(super) fn board() -> GameFacts {
    let places = || (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y)));
    let facts = places()
        .flat_map(|(x, y)| ["blank", "o", "x"].map(|what| format!("(cell {x} {y} {what})")));
    let facts: Vec<String> = facts.collect();
    let number = |x: u32, y: u32, what: u32| 3 * (3 * (x - 1) + y - 1) + what;
    let lines = |what: u32| {
        let columns = (1..=3).map(move |x| (1..=3).map(|y| number(x, y, what)).collect());
        let rows = (1..=3).map(move |y| (1..=3).map(|x| number(x, y, what)).collect());
        columns.chain(rows)
    };
    let wins = |what: u32| {
        let implicants = lines(what).map(|needs| Implicant {
            needs,
            unless: Vec::new(),
        });
        vec![GoalValue {
            goal: 100,
            implicants: implicants.collect(),
        }]
    };
    GameFacts {
        initial: (0..9).map(|cell| 3 * cell).collect(),
        mutex_groups: (0..9)
            .map(|cell| (3 * cell..3 * cell + 3).collect())
            .collect(),
        exactly_one: (0..9).collect(),
        goals: vec![wins(1), wins(2)],
        facts,
        ..GameFacts::default()
    }
}

pub(super) fn threats() -> Threats {
    let board = board();
    Threats::new(&board, &cell_grids(&board)).unwrap()
}

/// A state by what its cells hold, column by column: `.`, `o` or `x`.
fn state(cells: &str) -> Vec<u64> {
    let contents = cells.chars().enumerate();
    let held = contents.map(|(cell, what)| 3 * cell + ".ox".find(what).unwrap());
    let mut words = vec![0; threats().facts().div_ceil(64)];
    held.for_each(|fact| words[fact / 64] |= 1 << (fact % 64));
    words
}

/// The threats marked in a state, in words.
fn marked(words: &[u64]) -> Vec<String> {
    let facts = held_facts(words).filter(|&fact| fact >= 27);
    facts.map(|fact| threats().about(fact, &board())).collect()
}

fn with_threats(cells: &str) -> Vec<u64> {
    let mut words = state(cells);
    threats().mark(&mut words, &mut MissingFacts::default());
    words
}

#[test]
fn empty_cells_that_would_complete_a_line_are_threatened() {
    assert_eq!(threats().facts(), 27 + 9 * 3);
    assert!(marked(&with_threats(".........")).is_empty());
    assert_eq!(
        marked(&with_threats("oo.......")),
        ["threat of (cell 1 3 o)"]
    );
    assert_eq!(
        marked(&with_threats("oo...x..x")),
        ["threat of (cell 1 3 o) and (cell 1 3 x)"]
    );
    assert!(
        marked(&with_threats("oox......")).is_empty(),
        "it is filled"
    );
}

#[test]
fn cells_of_the_grids_hold_threats() {
    let (board, threats) = (board(), threats());
    let grids = cell_grids(&board);
    let of_threats = threats.grids(&grids);
    assert_eq!(of_threats.len(), 1);
    let cells: Vec<&Cell> = of_threats[0].cells.values().collect();
    assert_eq!(cells.len(), 9);
    assert!(cells.iter().all(|cell| cell.contents() == 4));
    let place = cells[0].place.as_ref().unwrap();
    assert_eq!(place.contents, ["threats in cell", "o", "x", "o, x"]);
}

#[test]
fn symmetries_know_what_becomes_of_threats() {
    // Rows turned round, o and x exchanged.
    let becomes = |fact: u32| {
        let (cell, what) = (fact / 3, fact % 3);
        let turned = 3 * (cell / 3) + 2 - cell % 3;
        3 * turned + [0, 2, 1][what as usize]
    };
    let symmetry = FactSymmetry {
        image: (0..27).map(becomes).collect(),
        swaps_roles: true,
    };
    let extended = threats().extended(&symmetry).unwrap();
    assert_eq!(
        extended.apply(&with_threats("oo..x...x")),
        with_threats(".xx.o.o..")
    );
    let broken = FactSymmetry {
        image: vec![0; 27],
        swaps_roles: false,
    };
    assert_eq!(threats().extended(&broken), None);
}

#[test]
fn a_content_that_most_cells_have_at_the_start_counts_as_empty() {
    let open = GameFacts {
        exactly_one: Vec::new(),
        ..board()
    };
    let grids = cell_grids(&open);
    assert_eq!(grids[0].cells[0].facts.len(), 3, "blank is not left out");
    let threats = Threats::new(&open, &grids).unwrap();
    assert_eq!(threats.record().cells[0].filled, [1, 2]);
    // Lines of blank cells win, too: what is not filled threatens nothing.
    let mut blank = open.clone();
    blank.goals.push(vec![GoalValue {
        goal: 100,
        implicants: vec![Implicant {
            needs: vec![0, 3, 6],
            unless: Vec::new(),
        }],
    }]);
    assert_eq!(
        Threats::new(&blank, &grids).unwrap().record(),
        threats.record()
    );
}

#[test]
fn records_that_make_no_sense_give_no_threats() {
    let sound = threats().record().clone();
    assert_eq!(
        Threats::of_record(sound.clone(), 27).unwrap().record(),
        &sound
    );
    assert!(Threats::of_record(sound.clone(), 26).is_none());
    let with = |change: fn(&mut ThreatRecord)| {
        let mut record = sound.clone();
        change(&mut record);
        Threats::of_record(record, 27).is_none()
    };
    assert!(with(|record| record.implicants.clear()));
    assert!(with(|record| record.implicants[0].truncate(1)));
    assert!(with(|record| record.implicants[0].reverse()));
    assert!(with(|record| record.implicants[0][2] = 99));
    assert!(with(|record| record.implicants[0].extend(3..9)));
    assert!(with(|record| record.cells[0].contents.clear()));
    assert!(with(|record| record.cells[0].contents[1] = 1));
    assert!(with(|record| record.cells[1] = record.cells[0].clone()));
    assert!(with(|record| record.cells[0].filled.clear()));
    assert!(with(|record| drop(record.cells.remove(0))));
}

proptest! {
    #[test]
    fn threats_follow_from_state_to_state(states in prop::collection::vec("[.ox]{9}", 2..6)) {
        let threats = threats();
        let mut memory = MissingFacts::default();
        let before = with_threats(&states[0]);
        threats.enter(&before, &mut memory);
        // All of them from the same state: what one changed is undone.
        for after in &states[1..] {
            let mut words = state(after);
            threats.mark_after(&before, &mut words, &mut memory);
            prop_assert_eq!(words, with_threats(after));
        }
    }
}
