//! Lines between the points of a grid.

use maud::{Markup, html};

use super::cells::picture;
use crate::drawing::picture::{PictureBoard, point_square};
use crate::info::board::{EdgeGrid, square_id};

/// From one point to the next.
const GAP: usize = 48;
/// The room around all points, for labels too.
const MARGIN: usize = 28;
/// Half the width of a line's cell, which takes clicks, and of the line once it is drawn.
const HALF_CELL: usize = 8;
const HALF_LINE: usize = 3;
/// The radius of a point.
const DOT: usize = 4;

/// The points and lines as a picture.
pub(super) fn draw(board: &PictureBoard<'_>, grid: &EdgeGrid) -> Markup {
    let last = (grid.columns.labels.len() - 1, grid.rows.labels.len() - 1);
    let (right, bottom) = at(last);
    picture(
        (right + MARGIN, bottom + MARGIN),
        board.plan.name(),
        &html! {
            @for (column, label) in grid.columns.labels.iter().enumerate() {
                @let (x, y) = at((column, 0));
                text.label x=(x) y=(y - 12) text-anchor="middle" { (label) }
            }
            @for (row, label) in grid.rows.labels.iter().enumerate() {
                @let (x, y) = at((0, row));
                text.label x=(x - 12) y=(y + 4) text-anchor="end" { (label) }
            }
            @for (name, ends) in &grid.ends { (line(board, name, *ends)) }
            @for column in 0..=last.0 {
                @for row in 0..=last.1 {
                    @let (x, y) = at((column, row));
                    circle.point cx=(x) cy=(y) r=(DOT) {}
                }
            }
        },
    )
}

/// Where a point lies.
fn at((column, row): (usize, usize)) -> (usize, usize) {
    (MARGIN + column * GAP, MARGIN + row * GAP)
}

/// The cell of a line, and the line if it is drawn.
fn line(board: &PictureBoard<'_>, name: &str, ends: [(usize, usize); 2]) -> Markup {
    let class = match board.point_is_changed(name) {
        true => "cell edge new",
        false => "cell edge",
    };
    html! {
        g.square data-square=(square_id(board.number, &point_square(name))) {
            polygon class=(class) points=(diamond(ends)) {}
            @if let Some((content, symbol)) = board.on_point(name) {
                g class={ "piece line " (symbol.colour.class()) } {
                    title { (content) }
                    polygon points=(bar(ends)) {}
                }
            }
        }
    }
}

/// The corners of a cell that touches others at its ends only.
fn diamond([from, to]: [(usize, usize); 2]) -> String {
    let ((x, y), (to_x, to_y)) = (at(from.min(to)), at(from.max(to)));
    let half = HALF_CELL;
    match y == to_y {
        true => format!(
            "{x},{y} {},{} {},{} {to_x},{y} {},{} {},{}",
            x + half,
            y - half,
            to_x - half,
            y - half,
            to_x - half,
            y + half,
            x + half,
            y + half,
        ),
        false => format!(
            "{x},{y} {},{} {},{} {x},{to_y} {},{} {},{}",
            x + half,
            y + half,
            x + half,
            to_y - half,
            x - half,
            to_y - half,
            x - half,
            y + half,
        ),
    }
}

/// The corners of a line.
fn bar([from, to]: [(usize, usize); 2]) -> String {
    let ((x, y), (to_x, to_y)) = (at(from.min(to)), at(from.max(to)));
    let (across, down) = match y == to_y {
        true => (0, HALF_LINE),
        false => (HALF_LINE, 0),
    };
    let corners = [
        (x - across, y - down),
        (to_x - across, to_y - down),
        (to_x + across, to_y + down),
        (x + across, y + down),
    ];
    let corners = corners.map(|(x, y)| format!("{x},{y}"));
    corners.join(" ")
}
