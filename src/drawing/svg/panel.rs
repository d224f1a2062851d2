//! One panel of a board: a grid, a strip, or rows of hexagons.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::cells::{picture, piece, piece_width};
use crate::drawing::picture::PictureBoard;
use crate::info::board::{BoardKind, Square, square_id};

/// The least width of a cell.
const CELL: usize = 40;
/// The room for a line of labels, and for a letter of one.
const LINE: usize = 20;
const LETTER: usize = 7;

/// The panel as a picture.
pub(super) fn draw(board: &PictureBoard<'_>, panel: &[String]) -> Markup {
    let title = board.title(panel);
    let of_panel = PanelPicture::new(board, panel, usize::from(!title.is_empty()) * LINE);
    let whole = match title.is_empty() {
        true => board.plan.name(),
        false => title.as_str(),
    };
    picture(
        of_panel.size(),
        whole,
        &html! {
            @if !title.is_empty() {
                text.title x=(of_panel.left) y=(LINE - 6) { (title) }
            }
            (of_panel.column_labels())
            @for row in 0..board.plan.rows.labels.len() { (of_panel.row(row)) }
        },
    )
}

/// Where the cells of a panel lie.
struct PanelPicture<'d> {
    board: &'d PictureBoard<'d>,
    panel: &'d [String],
    /// Where the cells begin.
    left: usize,
    top: usize,
    /// The size of a cell.
    width: usize,
    height: usize,
    /// Per row, how far it is shifted to the right.
    shifts: Vec<usize>,
    /// From one column to the next, and from one row to the next.
    across: usize,
    down: usize,
}

impl<'d> PanelPicture<'d> {
    fn new(board: &'d PictureBoard<'d>, panel: &'d [String], top: usize) -> Self {
        let plan = board.plan;
        let longest = |labels: &[String]| {
            let lengths = labels.iter().map(|label| label.chars().count());
            lengths.max().unwrap_or(0)
        };
        let margin = match longest(&plan.rows.labels) {
            0 => 2,
            letters => letters * LETTER + 12,
        };
        let wanted = piece_width(board.legend.width) + 8;
        let width = wanted
            .max(longest(&plan.columns.labels) * LETTER + 6)
            .max(CELL);
        let rows = plan.rows.labels.len();
        let (height, shifts, across, down) = match &plan.kind {
            BoardKind::Hexagons(shifts) => {
                let half = width.div_ceil(2);
                let height = (half * 2).next_multiple_of(4) * 8 / 7;
                let shifts: Vec<usize> = shifts.iter().map(|shift| shift * half).collect();
                // Where no row is shifted, the cells of a row lie two columns apart.
                let is_doubled = shifts.iter().all(|shift| *shift == 0);
                let across = if is_doubled { half } else { 2 * half };
                (height, shifts, across, height * 3 / 4)
            }
            _ => (CELL, vec![0; rows], width, CELL),
        };
        Self {
            board,
            panel,
            left: margin,
            top: top + LINE,
            width,
            height,
            shifts,
            across,
            down,
        }
    }

    fn size(&self) -> (usize, usize) {
        let (columns, rows) = self.board.plan.size();
        let widest = self.shifts.iter().max().copied().unwrap_or(0);
        (
            self.left + widest + (columns - 1) * self.across + self.width + 2,
            self.top + (rows - 1) * self.down + self.height + 2,
        )
    }

    fn is_hexagonal(&self) -> bool {
        matches!(self.board.plan.kind, BoardKind::Hexagons(_))
    }

    /// The top left corner of a cell.
    fn corner(&self, column: usize, row: usize) -> (usize, usize) {
        (
            self.left + self.shifts[row] + column * self.across,
            self.top + row * self.down,
        )
    }

    /// The labels of columns, above the first row.
    fn column_labels(&self) -> Markup {
        html! {
            @for (column, label) in self.board.plan.columns.labels.iter().enumerate() {
                @let (left, top) = self.corner(column, 0);
                text.label x=(left + self.width / 2) y=(top - 6) text-anchor="middle" { (label) }
            }
        }
    }

    fn row(&self, row: usize) -> Markup {
        let plan = self.board.plan;
        let label = &plan.rows.labels[row];
        let (left, top) = self.corner(0, row);
        html! {
            @if !label.is_empty() {
                text.label x=(left - 6) y=(top + self.height / 2 + 4) text-anchor="end" { (label) }
            }
            @for (column, name) in plan.columns.labels.iter().enumerate() {
                @let square = (self.panel.to_vec(), name.clone(), label.clone());
                @if self.exists(&square, column, row) {
                    (self.cell(&square, self.corner(column, row)))
                }
            }
        }
    }

    /// Whether there is such a cell.
    fn exists(&self, square: &Square, column: usize, row: usize) -> bool {
        if self.board.is_hole(square) {
            return false;
        }
        // Of two columns of hexagons that lie half a cell apart, each row has one.
        let is_doubled = self.is_hexagonal() && self.across < self.width;
        !is_doubled || self.parities().contains(&((column + row) % 2))
    }

    /// Whether columns and rows of the cells that are known make odd or even sums.
    fn parities(&self) -> BTreeSet<usize> {
        let plan = self.board.plan;
        let known = plan.known.iter();
        let known = known.filter_map(|(_, column, row)| {
            Some((plan.columns.place(column)? + plan.rows.place(row)?) % 2)
        });
        known.collect()
    }

    fn cell(&self, square: &Square, (left, top): (usize, usize)) -> Markup {
        let is_new = self.board.changed.contains(square);
        let class = if is_new { "cell new" } else { "cell" };
        let content = self.board.contents.get(square);
        let shown = content.and_then(|content| Some((content, self.board.legend.symbol(content)?)));
        let (width, height) = (self.width, self.height);
        html! {
            g.square data-square=(square_id(self.board.number, square)) {
                @if self.is_hexagonal() {
                    polygon class=(class) points=(hexagon((left, top), (width, height))) {}
                } @else {
                    rect class=(class) x=(left) y=(top) width=(width) height=(height) {}
                }
                @if let Some((content, symbol)) = shown {
                    (piece(symbol, content, (left + width / 2, top + height / 2)))
                }
            }
        }
    }
}

/// The corners of a hexagon that stands on one of them.
fn hexagon((left, top): (usize, usize), (width, height): (usize, usize)) -> String {
    let (middle, right, bottom) = (left + width / 2, left + width, top + height);
    let (upper, lower) = (top + height / 4, bottom - height / 4);
    format!(
        "{middle},{top} {right},{upper} {right},{lower} {middle},{bottom} {left},{lower} {left},{upper}"
    )
}
