//! A state as boards and remaining facts.

use std::collections::{BTreeMap, BTreeSet};

use crate::kif::GroundTerm;
use crate::terminal::content::Contents;
use crate::terminal::facts::{Row, Samples};
use crate::terminal::layout::{BoardPlan, Layout, Square};

/// What a state looks like.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct View {
    /// Per board of the layout, what stands where.
    pub(super) boards: Vec<BTreeMap<Square, String>>,
    /// Facts that are on no board.
    pub(super) rest: Vec<GroundTerm>,
    /// Whether some fact that looks like a square lies off its board.
    pub(super) overflows: bool,
}

impl View {
    /// Places the facts of a state on the boards of a layout. `contents` tells, per board, which contents are blank.
    pub(super) fn new(layout: &Layout, facts: &[GroundTerm], contents: &[Contents]) -> Self {
        let mut view = Self {
            boards: vec![BTreeMap::new(); layout.boards.len()],
            ..Self::default()
        };
        for (board, plan) in layout.boards.iter().enumerate() {
            for layer in 0..plan.layers.len() {
                view.place(layout, facts, (board, layer), &contents[board]);
            }
        }
        let on_board = |fact: &&GroundTerm| !view.is_square(layout, fact);
        let mut rest: Vec<GroundTerm> = facts.iter().filter(on_board).cloned().collect();
        view.rest.append(&mut rest);
        view
    }

    /// Places the facts of one layer. What would hide something else is left to the remaining facts.
    fn place(
        &mut self,
        layout: &Layout,
        facts: &[GroundTerm],
        (board, layer): (usize, usize),
        contents: &Contents,
    ) {
        let plan = &layout.boards[board];
        let layer = &plan.layers[layer];
        let is_floor = plan.lists_every_square && !contents.have_blanks();
        for fact in facts {
            let row = Row::of(fact);
            if row.shape != layer.shape {
                continue;
            }
            let args = Samples::args(&layout.squares, row);
            let square = layer.square(&args);
            if !lies_on(plan, &square) {
                self.overflows = true;
                self.rest.push(fact.clone());
                continue;
            }
            let content = layer.content(&args);
            let below = self.boards[board].get(&square);
            let is_free = below.is_none_or(|below| is_floor || contents.is_blank(below));
            if is_free {
                self.boards[board].insert(square, content);
            } else if !contents.is_blank(&content) {
                self.rest.push(fact.clone());
            }
        }
    }

    fn is_square(&self, layout: &Layout, fact: &GroundTerm) -> bool {
        let shape = Row::of(fact).shape;
        let layers = layout.boards.iter().flat_map(|board| &board.layers);
        layers.into_iter().any(|layer| layer.shape == shape)
    }

    /// The squares of a board on which something else stands than in `before`.
    pub(super) fn changed(&self, before: &Self, board: usize) -> BTreeSet<Square> {
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

fn lies_on(plan: &BoardPlan, (_, column, row): &Square) -> bool {
    plan.columns.place(column).is_some() && plan.rows.place(row).is_some()
}

/// All contents that occur on a board in some states, the first of which tells blanks from others.
pub(super) fn contents(layout: &Layout, plan: &BoardPlan, states: &[Vec<GroundTerm>]) -> Contents {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (number, facts) in states.iter().enumerate() {
        for row in facts.iter().map(Row::of) {
            if let Some(layer) = plan.layers.iter().find(|layer| layer.shape == row.shape) {
                let content = layer.content(&Samples::args(&layout.squares, row));
                *counts.entry(content).or_default() += usize::from(number == 0);
            }
        }
    }
    let mut contents = Contents::new(&counts);
    if let Some(floor) = bare_floor(plan) {
        contents.add_blank(floor);
    }
    contents
}

/// The name of facts that say nothing but that there is a square, on which other facts put something.
fn bare_floor(plan: &BoardPlan) -> Option<&str> {
    let floor = plan.layers.first()?;
    let is_bare = plan.lists_every_square && floor.content.is_empty() && plan.layers.len() > 1;
    is_bare.then(|| plan.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::read_facts;

    #[test]
    fn a_floor_without_content_is_blank() {
        let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(cell {x} {y}) ")));
        let floor: String = squares.collect();
        let pieces = [
            "(piece 1 1 red) (piece 3 2 blue)",
            "(piece 2 1 red) (piece 3 2 blue)",
        ];
        let states = pieces.map(|pieces| read_facts(&format!("{floor}{pieces}")).unwrap());
        let layout = Layout::detect(&states);
        let contents = contents(&layout, &layout.boards[0], &states);
        assert!(contents.is_blank("cell") && !contents.is_blank("red"));
        let view = View::new(&layout, &states[0], &[contents]);
        let at = |x: &str, y: &str| &*view.boards[0][&(Vec::new(), x.to_owned(), y.to_owned())];
        assert_eq!((at("1", "1"), at("2", "2")), ("red", "cell"));
        assert!(view.rest.is_empty());
    }
}
