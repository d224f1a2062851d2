//! One state as what the cells of its boards hold, and the remaining facts.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Board, Square};
use super::contents::CellContents;
use super::layout::BoardLayout;
use super::relation::{FlatFact, split_arguments};
use crate::kif::GroundTerm;

/// What stands between the contents of a point that holds several.
const AND: &str = ", ";

/// The single contents of a cell: points may hold several.
pub fn single_contents(content: &str) -> impl Iterator<Item = &str> {
    content.split(AND)
}

/// The boards of one state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardView {
    /// Per board of the layout, what each square holds.
    pub boards: Vec<BTreeMap<Square, String>>,
    /// Facts that are on no board.
    pub rest: Vec<GroundTerm>,
    /// Whether some fact of a board's relations names a square off the board.
    pub overflows: bool,
}

impl BoardView {
    /// Places the facts of a state on the boards of a layout; `contents` are those of each board.
    pub fn new(layout: &BoardLayout, facts: &[GroundTerm], contents: &[CellContents]) -> Self {
        let mut view = Self {
            boards: vec![BTreeMap::new(); layout.boards.len()],
            ..Self::default()
        };
        let with_flat = |fact| (fact, FlatFact::of(fact));
        let facts: Vec<(&GroundTerm, FlatFact)> = facts.iter().map(with_flat).collect();
        for (board, plan) in layout.boards.iter().enumerate() {
            for relation in 0..plan.relations.len() {
                view.place(layout, &facts, (board, relation), &contents[board]);
            }
        }
        let elsewhere = facts.iter().filter(|(_, flat)| !is_placed(layout, flat));
        view.rest.extend(elsewhere.map(|(fact, _)| (*fact).clone()));
        view
    }

    /// Places the facts of one relation. A fact whose square is taken joins the remaining facts; of two facts of one
    /// relation on a square both do, so that none is hidden.
    fn place(
        &mut self,
        layout: &BoardLayout,
        facts: &[(&GroundTerm, FlatFact)],
        (board, relation): (usize, usize),
        contents: &CellContents,
    ) {
        let plan = &layout.boards[board];
        let relation = &plan.relations[relation];
        let is_floor = plan.lists_every_square && !contents.have_blanks();
        let mut own: BTreeMap<Square, Vec<(String, &GroundTerm)>> = BTreeMap::new();
        let of_relation = facts
            .iter()
            .filter(|(_, flat)| flat.pattern == relation.pattern);
        for (fact, flat) in of_relation {
            let fact = *fact;
            let args = split_arguments(&layout.square_names, flat);
            let square = relation.square(&args);
            if !plan.has(&square) {
                self.overflows |= !plan.has_fixed_cells();
                self.rest.push(fact.clone());
                continue;
            }
            let content = relation.content(&args);
            let below = self.boards[board].get(&square);
            let is_free = below.is_none_or(|below| is_floor || contents.is_blank(below));
            let here = own.entry(square.clone()).or_default();
            here.push((content.clone(), fact));
            let shares = here.len() > 1;
            if is_free {
                self.boards[board].insert(square, content);
            } else if contents.is_blank(&content) {
            } else if let Some(below) = self.boards[board].get_mut(&square)
                && plan.has_fixed_cells()
            {
                below.push_str(AND);
                below.push_str(&content);
            } else if !shares {
                self.rest.push(fact.clone());
            }
        }
        for here in own.into_values().filter(|here| here.len() > 1) {
            let is_blank = |(content, _): &(String, _)| contents.is_blank(content);
            if !plan.has_fixed_cells() || here.iter().any(is_blank) {
                for (_, fact) in here {
                    if !self.rest.contains(fact) {
                        self.rest.push(fact.clone());
                    }
                }
            }
        }
    }

    /// The squares of a board that hold something else than in `before`.
    pub fn changed(&self, before: &Self, board: usize) -> BTreeSet<Square> {
        let none = BTreeMap::new();
        let then = before.boards.get(board).unwrap_or(&none);
        let now = &self.boards[board];
        let squares = now.keys().chain(then.keys());
        squares
            .filter(|square| now.get(*square) != then.get(*square))
            .cloned()
            .collect()
    }
}

fn is_placed(layout: &BoardLayout, fact: &FlatFact) -> bool {
    let mut relations = layout.boards.iter().flat_map(|board| &board.relations);
    relations.any(|relation| relation.pattern == fact.pattern)
}

/// Per board of a layout, all contents that occur in some states; the first state that shows it tells which of them are
/// blank.
pub fn contents(layout: &BoardLayout, states: &[Vec<GroundTerm>]) -> Vec<CellContents> {
    let boards = layout.boards.iter();
    boards
        .map(|board| board_contents(layout, board, states))
        .collect()
}

fn board_contents(layout: &BoardLayout, board: &Board, states: &[Vec<GroundTerm>]) -> CellContents {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut first = None;
    for (number, facts) in states.iter().enumerate() {
        for fact in facts.iter().map(FlatFact::of) {
            let mut relations = board.relations.iter();
            if let Some(relation) = relations.find(|relation| relation.pattern == fact.pattern) {
                let args = split_arguments(&layout.square_names, &fact);
                let content = relation.content(&args);
                let is_first = *first.get_or_insert(number) == number;
                *counts.entry(content).or_default() += usize::from(is_first);
            }
        }
    }
    let mut contents = CellContents::new(&counts);
    if let Some(floor) = bare_floor(board) {
        contents.add_blank(floor);
    }
    contents
}

/// The functor of facts that only list the squares on which other facts put something.
fn bare_floor(board: &Board) -> Option<&str> {
    let floor = board.relations.first()?;
    let is_bare = board.lists_every_square && floor.content.is_empty() && board.relations.len() > 1;
    is_bare.then(|| board.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::board::BoardHints;
    use crate::kif::read_facts;

    #[test]
    fn no_fact_of_a_square_with_two_is_hidden() {
        let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(cell {x} {y} b) ")));
        let board: String = squares.collect();
        let rest = |more: &str| {
            let facts = read_facts(&format!("{board}{more}")).unwrap();
            let layout = BoardLayout::detect(std::slice::from_ref(&facts), &BoardHints::default());
            let contents = contents(&layout, std::slice::from_ref(&facts));
            let view = BoardView::new(&layout, &facts, &contents);
            let at = (Vec::new(), "2".to_owned(), "2".to_owned());
            let rest: Vec<String> = view.rest.iter().map(ToString::to_string).collect();
            (view.boards[0][&at].clone(), rest.join(" "))
        };
        let shown = |content: &str, rest: &str| (content.to_owned(), rest.to_owned());
        assert_eq!(
            rest("(cell 2 2 white)"),
            shown("white", "(cell 2 2 b) (cell 2 2 white)")
        );
        assert_eq!(rest("(at 2 2 white)"), shown("white", ""));
    }

    #[test]
    fn a_board_that_appears_later_has_blanks() {
        let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(cell {x} {y} b) ")));
        let full: String = squares.collect();
        let states = ["(phase 1)", &full, &full.replacen(" b)", " x)", 1)];
        let states = states.map(|state| read_facts(state).unwrap());
        let layout = BoardLayout::detect(&states, &BoardHints::default());
        let contents = contents(&layout, &states);
        assert!(contents[0].is_blank("b") && !contents[0].is_blank("x"));
    }

    #[test]
    fn a_floor_without_content_is_blank() {
        let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(cell {x} {y}) ")));
        let floor: String = squares.collect();
        let pieces = [
            "(piece 1 1 red) (piece 3 2 blue)",
            "(piece 2 1 red) (piece 3 2 blue)",
        ];
        let states = pieces.map(|pieces| read_facts(&format!("{floor}{pieces}")).unwrap());
        let layout = BoardLayout::detect(&states, &BoardHints::default());
        let contents = contents(&layout, &states);
        assert!(contents[0].is_blank("cell") && !contents[0].is_blank("red"));
        let view = BoardView::new(&layout, &states[0], &contents);
        let at = |x: &str, y: &str| &*view.boards[0][&(Vec::new(), x.to_owned(), y.to_owned())];
        assert_eq!((at("1", "1"), at("2", "2")), ("red", "cell"));
        assert!(view.rest.is_empty());
    }
}
