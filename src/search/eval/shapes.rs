//! Which cells form tuples: neighbours on a grid, and those that a win needs together.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::cells::{Cell, CellGrid};
use super::heuristics::{GOALS, TUPLES};
use super::threats::{MOST_NEEDED, Threats, winning_needs};
use crate::game::GameFacts;
use crate::search::Heuristics;

/// Families of windows, by width and height, the largest first.
const WINDOWS: [&[(i32, i32)]; 4] = [
    &[(3, 3), (2, 4), (4, 2)],
    &[(2, 3), (3, 2)],
    &[(2, 2)],
    &[(1, 2), (2, 1)],
];

/// The most combinations of what the cells of one tuple hold.
const MOST_COMBINATIONS: usize = 4096;
const MOST_OF_LARGE: usize = 32_768;
/// The most combinations of all windows of what threatens cells.
const MOST_OF_THREATS: usize = 1 << 19;
/// Families with more windows of one relation are passed over. Boards have some hundreds; a relation with thousands of any family numbers
/// something else beside the squares, as the groups of stones in hex, and its windows would take longer than all else.
const MOST_WINDOWS: usize = 2048;
/// The most implicants: more take too long to evaluate.
const MOST_IMPLICANTS: usize = 2048;

/// How large tuples may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TupleSize {
    /// What can be learned in some seconds.
    Usual,
    /// Those, and larger ones beside them, for long trainings.
    Large,
}

impl TupleSize {
    /// The most weights of all tuples.
    pub(super) fn most_weights(self) -> usize {
        match self {
            Self::Usual => 1 << 20,
            Self::Large => 1 << 22,
        }
    }
}

/// The tuples of a game for the heuristics that are on; the usual ones come first.
pub(super) fn tuples_of(
    game_facts: &GameFacts,
    (grids, threats): (&[CellGrid], Option<&Threats>),
    heuristics: Heuristics,
    size: TupleSize,
) -> Vec<Vec<Cell>> {
    let mut tuples: Vec<Vec<Cell>> = Vec::new();
    if heuristics.has(TUPLES) {
        tuples.extend(
            grids
                .iter()
                .flat_map(|grid| windows(grid, are_small(MOST_COMBINATIONS))),
        );
    }
    if heuristics.has(GOALS) {
        let of_goals = winning_cells(game_facts, grids);
        let small = |tuple: &Vec<Cell>| is_small(tuple, MOST_COMBINATIONS);
        tuples.extend(of_goals.into_iter().filter(small));
    }
    let threats = threats.iter().flat_map(|threats| threats.grids(grids));
    tuples.extend(threats.flat_map(|grid| windows(&grid, are_few(MOST_OF_THREATS))));
    if heuristics.has(TUPLES) && size == TupleSize::Large {
        let large = grids
            .iter()
            .flat_map(|grid| windows(grid, are_small(MOST_OF_LARGE)));
        tuples.extend(large.filter(|tuple| !is_small(tuple, MOST_COMBINATIONS)));
    }
    tuples
}

/// How many combinations of what its cells hold a tuple tells apart.
fn combinations(tuple: &[Cell]) -> usize {
    let contents = tuple.iter().map(Cell::contents);
    contents.fold(1, usize::saturating_mul)
}

fn is_small(tuple: &[Cell], most_combinations: usize) -> bool {
    combinations(tuple) <= most_combinations
}

/// Whether none of some tuples has too many combinations.
fn are_small(most_combinations: usize) -> impl Fn(&[Vec<Cell>]) -> bool {
    move |tuples| {
        tuples
            .iter()
            .all(|tuple| is_small(tuple, most_combinations))
    }
}

/// Whether some small tuples have not too many combinations together.
fn are_few(most_of_all: usize) -> impl Fn(&[Vec<Cell>]) -> bool {
    move |tuples| {
        let sizes = tuples.iter().map(|tuple| combinations(tuple));
        are_small(MOST_COMBINATIONS)(tuples) && sizes.fold(0, usize::saturating_add) <= most_of_all
    }
}

/// The windows of the first family that will do.
fn windows(grid: &CellGrid, will_do: impl Fn(&[Vec<Cell>]) -> bool) -> Vec<Vec<Cell>> {
    let cells = |window: &Vec<usize>| grid.cells_at(window);
    let of_family = |family: &&[(i32, i32)]| -> BTreeSet<Vec<usize>> {
        let windows = family.iter().flat_map(|size| windows_of(grid, *size));
        windows.collect()
    };
    let mut families = WINDOWS
        .iter()
        .map(of_family)
        .filter(|windows| windows.len() <= MOST_WINDOWS);
    let found = families.find(|windows| will_do(&windows.iter().map(cells).collect::<Vec<_>>()));
    let found = found.unwrap_or_default();
    // There may be thousands of windows, but each cell lies in few.
    let mut windows_at: Vec<Vec<&[usize]>> = vec![Vec::new(); grid.cells.len()];
    for window in &found {
        window.iter().for_each(|&at| windows_at[at].push(window));
    }
    let whole = found
        .iter()
        .filter(|window| !lies_in_another(window, &windows_at[window[0]]));
    whole.map(cells).collect()
}

/// Whether another window has all cells of this one, and more: then this one says nothing of its own. `windows` are those with its first cell.
fn lies_in_another(tuple: &[usize], windows: &[&[usize]]) -> bool {
    let has = |other: &&[usize]| tuple.iter().all(|cell| other.binary_search(cell).is_ok());
    let mut larger = windows.iter().filter(|other| other.len() > tuple.len());
    larger.any(has)
}

/// The cells of each winning implicant, none where there are too many.
fn winning_cells(game_facts: &GameFacts, grids: &[CellGrid]) -> Vec<Vec<Cell>> {
    let mut cell_of: IndexMap<u32, (usize, usize)> = IndexMap::new();
    for (number, grid) in grids.iter().enumerate() {
        for (at, cell) in grid.cells.values().enumerate() {
            cell_of.extend(cell.facts.iter().map(|&fact| (fact, (number, at))));
        }
    }
    let needed = winning_needs(game_facts, grids).into_iter().map(|needs| {
        let cells = needs.iter().filter_map(|fact| cell_of.get(fact).copied());
        cells.collect::<BTreeSet<_>>()
    });
    let telling = needed.filter(|cells| (2..=MOST_NEEDED).contains(&cells.len()));
    let tuples: BTreeSet<BTreeSet<(usize, usize)>> = telling.collect();
    if tuples.len() > MOST_IMPLICANTS {
        return Vec::new();
    }
    let cells = |tuple: BTreeSet<(usize, usize)>| {
        let cells = tuple.into_iter();
        cells
            .map(|(grid, at)| grids[grid].cells[at].clone())
            .collect()
    };
    tuples.into_iter().map(cells).collect()
}

/// The windows of a size: the cells of each, two at least.
fn windows_of(grid: &CellGrid, (width, height): (i32, i32)) -> BTreeSet<Vec<usize>> {
    let mut found = BTreeSet::new();
    let planes = match grid.dimensions {
        1 => vec![(0, None)],
        dimensions => (0..dimensions)
            .flat_map(|x| (x + 1..dimensions).map(move |y| (x, Some(y))))
            .collect(),
    };
    for (panel, corner) in grid.cells.keys() {
        for &(x, y) in &planes {
            let mut cells = Vec::new();
            for right in 0..width {
                for up in 0..height {
                    let mut at = corner.clone();
                    at[x] += right;
                    match y {
                        Some(y) => at[y] += up,
                        None => at[x] += width * up,
                    }
                    cells.extend(grid.cells.get_index_of(&(panel.clone(), at)));
                }
            }
            cells.sort_unstable();
            if cells.len() > 1 {
                found.insert(cells);
            }
        }
    }
    // Of windows that the edge cuts, small ones mostly lie in others.
    let largest = found.iter().map(Vec::len).max().unwrap_or(0);
    found.retain(|cells| 3 * cells.len() > 2 * largest);
    found
}

#[cfg(test)]
mod tests {
    use super::super::cells::cell_grids;
    use super::*;
    use crate::game::{GoalValue, Implicant};

    /// A board of numbered cells with three contents, where three of a kind in the first row win.
    fn board(width: usize, height: usize) -> GameFacts {
        let cells = (1..=width).flat_map(|x| (1..=height).map(move |y| (x, y)));
        let contents =
            |(x, y): (usize, usize)| ["a", "b", "c"].map(|what| format!("(cell {x} {y} {what})"));
        let mut facts: Vec<String> = cells.clone().flat_map(contents).collect();
        facts.sort();
        let number = |fact: &String| facts.binary_search(fact).unwrap() as u32;
        let needs = (1..=3).map(|x| number(&format!("(cell {x} 1 b)")));
        GameFacts {
            initial: cells
                .clone()
                .map(|cell| number(&contents(cell)[0]))
                .collect(),
            mutex_groups: cells
                .map(|cell| contents(cell).iter().map(number).collect())
                .collect(),
            exactly_one: (0..width * height).collect(),
            goals: vec![vec![GoalValue {
                goal: 100,
                implicants: vec![Implicant {
                    needs: needs.collect(),
                    unless: Vec::new(),
                }],
            }]],
            facts,
            ..GameFacts::default()
        }
    }

    fn tuples(game_facts: &GameFacts, heuristics: &str) -> Vec<Vec<Cell>> {
        let grids = cell_grids(game_facts);
        let heuristics = heuristics.parse().unwrap();
        tuples_of(game_facts, (&grids, None), heuristics, TupleSize::Usual)
    }

    #[test]
    fn windows_are_as_large_as_their_combinations_allow() {
        let found = tuples(&board(8, 8), "tuples");
        assert_eq!(found.len(), 2 * 7 * 6, "2x3 and 3x2");
        assert!(found.iter().all(|tuple| tuple.len() == 6));
        let contents = found.iter().flatten().map(Cell::contents);
        assert!(
            contents.clone().all(|count| count == 3),
            "the usual one needs no fact"
        );
    }

    #[test]
    fn no_content_is_left_out_where_a_cell_may_hold_none() {
        let game_facts = GameFacts {
            exactly_one: Vec::new(),
            ..board(8, 8)
        };
        let found = tuples(&game_facts, "tuples");
        let contents = found.iter().flatten().map(Cell::contents);
        assert!(
            contents.clone().all(|count| count == 4),
            "a, b, c, and none"
        );
    }

    #[test]
    fn large_tuples_stand_beside_the_usual_ones() {
        let game_facts = board(8, 8);
        let usual = tuples(&game_facts, "tuples");
        let grids = (&cell_grids(&game_facts)[..], None);
        let large = tuples_of(&game_facts, grids, Heuristics::ALL, TupleSize::Large);
        let of_size = |size: usize| large.iter().filter(|tuple| tuple.len() == size).count();
        assert_eq!(of_size(9), 6 * 6, "3x3");
        assert_eq!(of_size(8), 2 * 7 * 5, "2x4 and 4x2");
        assert!(usual.iter().all(|tuple| large.contains(tuple)));
    }

    #[test]
    fn no_window_lies_in_another() {
        let game_facts = board(8, 8);
        let large = tuples_of(
            &game_facts,
            (&cell_grids(&game_facts), None),
            "tuples".parse().unwrap(),
            TupleSize::Large,
        );
        assert_eq!(large.len(), 2 * 7 * 6 + 6 * 6 + 2 * 7 * 5);
    }

    #[test]
    fn windows_that_lie_in_others_are_left_out_on_boards_of_all_sizes() {
        let grids = |size| cell_grids(&board(size, size));
        let found = |grid: &CellGrid| windows(grid, are_small(MOST_COMBINATIONS)).len();
        for size in [4, 5, 8] {
            let grid = &grids(size)[0];
            let all = WINDOWS[1].iter().flat_map(|size| windows_of(grid, *size));
            let all: BTreeSet<Vec<usize>> = all.collect();
            let whole = all.iter().filter(|window| {
                let mut others = all.iter().filter(|other| other != window);
                !others.any(|other| window.iter().all(|cell| other.contains(cell)))
            });
            assert_eq!(found(grid), whole.count(), "{size}");
        }
        assert_eq!(found(&grids(32)[0]), 2 * 31 * 30, "2x3 and 3x2");
        assert_eq!(found(&grids(34)[0]), 33 * 33, "2x2");
        assert_eq!(found(&grids(200)[0]), 0);
    }

    #[test]
    fn what_threatens_cells_has_windows_of_its_own() {
        let game_facts = board(8, 8);
        let grids = cell_grids(&game_facts);
        let threats = Threats::new(&game_facts, &grids).unwrap();
        let of_threats = |tuples: &Vec<Vec<Cell>>| {
            let first = tuples.iter().map(|tuple| tuple[0].facts[0] as usize);
            first.filter(|&fact| fact >= game_facts.facts.len()).count()
        };
        let none = Heuristics::NONE;
        let found = tuples_of(
            &game_facts,
            (&grids, Some(&threats)),
            none,
            TupleSize::Usual,
        );
        assert_eq!(
            of_threats(&found),
            1,
            "the line of three alone can be threatened"
        );
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn cells_that_a_win_needs_are_a_tuple() {
        let found = tuples(&board(4, 4), "goals");
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [3]);
        assert!(tuples(&board(4, 4), "mobility").is_empty());
    }
}
