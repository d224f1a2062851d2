//! One board: its kind, its cells, and the relations whose facts are shown on it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::axis::Axis;
use super::relation::{FactPattern, functor};

/// One board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// How its cells lie.
    pub kind: BoardKind,
    /// The relations shown on it, from the bottom to the top.
    pub relations: Vec<CellRelation>,
    /// The columns, left to right: for a strip its places, for points their names.
    pub columns: Axis,
    /// The rows, top to bottom. A strip has a single one without a name, and so have points.
    pub rows: Axis,
    /// Whether every state lists all squares, so that a square without a fact is a hole.
    pub lists_every_square: bool,
    /// Whether the rules list all squares as possible, so that any other one is a hole.
    pub has_named_squares: bool,
    /// Every square seen or listed as possible.
    pub known: BTreeSet<Square>,
}

/// How the cells of a board lie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoardKind {
    /// In columns and rows, in one panel or several.
    Grid,
    /// One after the other.
    Strip,
    /// In columns and rows of hexagons. Per row, from the top, by how many halves of a cell it is shifted to the right.
    Hexagons(Vec<usize>),
    /// As points of a graph.
    Points(PointGraph),
    /// As the lines between neighbouring points of a grid, which are drawn one by one.
    Edges(EdgeGrid),
}

impl BoardKind {
    /// The kind in a word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Strip => "strip",
            Self::Hexagons(_) => "hexagons",
            Self::Points(_) => "points",
            Self::Edges(_) => "edges",
        }
    }
}

/// The points of a board that is a graph.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PointGraph {
    /// The neighbours of each point, as far as the rules list them.
    pub neighbours: BTreeMap<String, BTreeSet<String>>,
    /// Where each point lies, x to the right and y upwards, if a board file says so.
    pub positions: Option<BTreeMap<String, (usize, usize)>>,
}

/// The lines between the points of a grid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeGrid {
    /// The columns of points, left to right.
    pub columns: Axis,
    /// The rows of points, top to bottom.
    pub rows: Axis,
    /// The two ends of each line by its name: column and row, counted from the left and from the top.
    pub ends: BTreeMap<String, [(usize, usize); 2]>,
}

/// A square: the labels of its panel, then column and row.
pub type Square = (Vec<String>, String, String);

/// A square of the board of this number in one text: `0:b 3`.
pub fn square_id(board: usize, (panel, column, row): &Square) -> String {
    let words = panel.iter().chain([column, row]);
    let words: Vec<&str> = words.map(String::as_str).collect();
    format!("{board}:{}", words.join(" ").trim_end())
}

/// A relation of cells: what each of its arguments means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellRelation {
    /// The facts of the relation.
    pub pattern: FactPattern,
    /// The arguments that name the cell.
    pub place: CellPlace,
    /// The arguments that number the panel.
    pub panel: Vec<usize>,
    /// All other arguments: what the cell holds.
    pub content: Vec<usize>,
    /// Whether the functor is part of what the cell holds, since another relation says the same words of it.
    pub is_named: bool,
}

/// The arguments that name a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellPlace {
    /// Its column and its row.
    Square {
        /// The argument that is the column.
        column: usize,
        /// The argument that is the row.
        row: usize,
    },
    /// The place on a strip, or a point: these arguments.
    Point(Vec<usize>),
}

impl CellRelation {
    /// A relation on a grid.
    pub(super) fn new(
        pattern: &str,
        (column, row): (usize, usize),
        panel: &[usize],
        arity: usize,
    ) -> Self {
        Self::at(pattern, CellPlace::Square { column, row }, panel, arity)
    }

    /// A relation on a strip or on points.
    pub(super) fn of_points(pattern: &str, place: &[usize], arity: usize) -> Self {
        Self::at(pattern, CellPlace::Point(place.to_vec()), &[], arity)
    }

    fn at(pattern: &str, place: CellPlace, panel: &[usize], arity: usize) -> Self {
        let is_place = |argument: &usize| match &place {
            CellPlace::Square { column, row } => argument == column || argument == row,
            CellPlace::Point(arguments) => arguments.contains(argument),
        };
        let is_content = |argument: &usize| !is_place(argument) && !panel.contains(argument);
        Self {
            pattern: pattern.to_owned(),
            panel: panel.to_vec(),
            content: (0..arity).filter(is_content).collect(),
            place,
            is_named: false,
        }
    }

    pub(super) fn square(&self, args: &[String]) -> Square {
        let panel = self.panel.iter().map(|&place| args[place].clone());
        let (column, row) = match &self.place {
            CellPlace::Square { column, row } => (args[*column].clone(), args[*row].clone()),
            CellPlace::Point(arguments) => (joined(arguments, args), String::new()),
        };
        (panel.collect(), column, row)
    }

    /// What the cell holds: the remaining arguments, or the functor where there are none.
    pub(super) fn content(&self, args: &[String]) -> String {
        let name = functor(&self.pattern);
        match (self.content.is_empty(), self.is_named) {
            (true, _) => name.to_owned(),
            (false, true) => format!("{name} {}", joined(&self.content, args)),
            (false, false) => joined(&self.content, args),
        }
    }
}

/// Some of the arguments, one after the other.
pub(super) fn joined(places: &[usize], args: &[String]) -> String {
    let words: Vec<&str> = places.iter().map(|&place| &*args[place]).collect();
    words.join(" ")
}

impl Board {
    /// A board whose cells are named by one text each, in this order.
    pub(super) fn in_a_row(kind: BoardKind, columns: Axis, relations: Vec<CellRelation>) -> Self {
        let square = |name: &String| (Vec::new(), name.clone(), String::new());
        Self {
            known: columns.labels.iter().map(square).collect(),
            rows: Axis::nameless(),
            lists_every_square: false,
            has_named_squares: false,
            kind,
            relations,
            columns,
        }
    }

    /// The functor of the facts that make the board.
    pub fn name(&self) -> &str {
        self.relations
            .first()
            .map_or("", |relation| functor(&relation.pattern))
    }

    /// Its kind, and the number of its parts if there are several.
    pub fn shape(&self) -> String {
        match self.panels().len() {
            0 | 1 => self.kind.name().to_owned(),
            parts => format!("{} in {parts} parts", self.kind.name()),
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.columns.labels.len(), self.rows.labels.len())
    }

    /// The labels of its panels, in order: one without labels for a board in one part.
    pub fn panels(&self) -> Vec<&Vec<String>> {
        let panels: BTreeSet<&Vec<String>> = self.known.iter().map(|(panel, ..)| panel).collect();
        let mut panels = Vec::from_iter(panels);
        let labels = panels.first().map_or(0, |panel| panel.len());
        let axis = |place: usize| {
            let values = panels.iter().map(|panel| &*panel[place]);
            Axis::of_panels(&values.collect())
        };
        let axes: Vec<Axis> = (0..labels).map(axis).collect();
        panels.sort_by_cached_key(|panel| {
            let places = panel.iter().zip(&axes);
            places
                .map(|(label, axis)| axis.place(label))
                .collect::<Vec<_>>()
        });
        panels
    }

    /// Whether column and row of a square are on the board.
    pub(super) fn has(&self, (_, column, row): &Square) -> bool {
        self.columns.place(column).is_some() && self.rows.place(row).is_some()
    }

    /// Whether its cells are all known: where they are points, a fact about something else is none of a cell.
    pub(super) fn has_fixed_cells(&self) -> bool {
        matches!(self.kind, BoardKind::Points(_) | BoardKind::Edges(_))
    }

    pub(super) fn is_grid(&self) -> bool {
        matches!(self.kind, BoardKind::Grid | BoardKind::Hexagons(_))
    }

    pub(super) fn column_first(&self) -> bool {
        match self.relations[0].place {
            CellPlace::Square { column, row } => column < row,
            CellPlace::Point(_) => true,
        }
    }

    /// The same board, seen from the other side.
    #[must_use]
    pub fn turned_round(mut self) -> Self {
        self.rows.labels.reverse();
        self.columns.labels.reverse();
        match &mut self.kind {
            BoardKind::Grid | BoardKind::Strip => {}
            BoardKind::Hexagons(shifts) => {
                let most = shifts.iter().max().copied().unwrap_or(0);
                shifts.reverse();
                shifts.iter_mut().for_each(|shift| *shift = most - *shift);
            }
            BoardKind::Points(graph) => graph.turn_round(),
            BoardKind::Edges(grid) => grid.turn_round(),
        }
        self
    }
}

impl PointGraph {
    fn turn_round(&mut self) {
        let Some(positions) = &mut self.positions else {
            return;
        };
        let most = |side: fn(&(usize, usize)) -> usize| positions.values().map(side).max();
        let (right, top) = (most(|at| at.0).unwrap_or(0), most(|at| at.1).unwrap_or(0));
        for (x, y) in positions.values_mut() {
            (*x, *y) = (right - *x, top - *y);
        }
    }
}

impl EdgeGrid {
    fn turn_round(&mut self) {
        let (right, bottom) = (self.columns.labels.len() - 1, self.rows.labels.len() - 1);
        self.columns.labels.reverse();
        self.rows.labels.reverse();
        for (column, row) in self.ends.values_mut().flatten() {
            (*column, *row) = (right - *column, bottom - *row);
        }
    }
}
