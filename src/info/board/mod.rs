//! The boards of a game: which relations describe cells, which arguments are coordinates and in which order, and what
//! each cell holds.
//!
//! Facts are taken apart into relations and arguments ([`functor_and_arguments`]), and the values of an argument are put
//! in order ([`Axis`]). What the arguments mean follows from one of two sources:
//!
//! - [`BoardLayout`] reads it off the facts of some states, for drawing. It needs no rules, so it also serves match
//!   records and games that cannot be grounded, and it decides which coordinate is the column and which way rows go.
//!   [`BoardHints`] add what the rules say of neighbours and what the author says in a [`BoardFile`]. The result is data:
//!   kinds of boards, cells and labels.
//! - [`FactRelation`] reads it off the mutex groups of the rules, for the features of the evaluation. Facts of one
//!   mutex group differ in their content and agree in their place, in every reachable state: no sample of states can
//!   show that, and a wrong guess would cost strength, where a wrong drawing is only ugly.
//!
//! Kuhlmann, Dresner and Stone (2006), Clune (2007), and Schiffel and Thielscher (2007) look for boards, markers and
//! pieces in similar ways.

mod arguments;
mod axis;
mod candidate;
mod cells;
mod contents;
mod edges;
mod file;
mod hexagons;
mod hints;
mod layout;
mod moves;
mod neighbours;
mod orientation;
mod overlay;
mod placement;
mod points;
mod relation;
mod strip;
mod unseen;

pub use arguments::{FactRelation, fact_relations};
pub use axis::{Axis, AxisKind};
pub use cells::{
    Board, BoardKind, CellPlace, CellRelation, EdgeGrid, PointGraph, Square, square_id,
};
pub use contents::{COLOUR_NAMES, CellContents, colour_name, side_name};
pub use file::{BoardFile, BoardFileError};
pub use hints::BoardHints;
pub use layout::BoardLayout;
pub use moves::{PlacedSquare, squares_of_moves};
pub use neighbours::{ListedByRules, NeighbourRelation};
pub use placement::{BoardView, contents, single_contents};
pub use relation::{FactPattern, functor_and_arguments};
