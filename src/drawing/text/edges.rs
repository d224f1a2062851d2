//! Lines between the points of a grid as text.

use std::ops::Range;

use anstyle::Style as Paint;

use super::Style;
use super::block::{Block, SquarePlace};
use super::canvas::Canvas;
use super::panel::widest;
use super::points::place_of;
use crate::drawing::picture::PictureBoard;
use crate::info::board::EdgeGrid;

/// From one column of points to the next where there is room, and where there is little.
const GAPS: [usize; 2] = [4, 2];
/// From one row of points to the next.
const DOWN: usize = 2;

/// The points with the lines that are drawn; those that changed last are double. A board that is wider than the terminal
/// goes on in further blocks.
pub(super) fn blocks(board: &PictureBoard<'_>, grid: &EdgeGrid, style: Style) -> Vec<Block> {
    let margin = widest(&grid.rows.labels) + 1;
    let columns = grid.columns.labels.len();
    let room = style.width.saturating_sub(margin);
    let fits = |gap: &usize| columns * gap <= room;
    let gap = GAPS.into_iter().find(fits).unwrap_or(GAPS[1]);
    let across = (room / gap).clamp(1, columns);
    let parts = (0..columns).step_by(across);
    let part = |first: usize| EdgePart {
        board,
        grid,
        style,
        margin,
        gap,
        columns: first..columns.min(first + across),
    };
    parts.map(|first| part(first).block()).collect()
}

/// Some columns of points, with the lines that begin at them.
struct EdgePart<'p> {
    board: &'p PictureBoard<'p>,
    grid: &'p EdgeGrid,
    style: Style,
    /// The columns of the terminal that the labels of rows take.
    margin: usize,
    gap: usize,
    columns: Range<usize>,
}

impl EdgePart<'_> {
    fn block(&self) -> Block {
        let rows = &self.grid.rows.labels;
        let width = self.margin + self.columns.len() * self.gap;
        let mut canvas = Canvas::new(width, rows.len() * DOWN);
        let faint = Paint::new().dimmed();
        for column in self.columns.clone() {
            let label: String = self.grid.columns.labels[column]
                .chars()
                .take(self.gap - 1)
                .collect();
            canvas.write((self.at((column, 0)).0, 0), &label, faint, false);
        }
        for (row, label) in rows.iter().enumerate() {
            let label = format!("{label:>0$}", self.margin - 1);
            canvas.write(
                (0, self.at((self.columns.start, row)).1),
                &label,
                faint,
                false,
            );
            for column in self.columns.clone() {
                canvas.write(self.at((column, row)), self.style.dot(), faint, false);
            }
        }
        for (name, ends) in &self.grid.ends {
            self.draw_line(&mut canvas, name, *ends);
        }
        let mut block = canvas.block(self.style);
        for (name, ends) in &self.grid.ends {
            if let Some(place) = self.place(name, *ends) {
                block.place(place);
            }
        }
        block
    }

    /// Where a line stands, or would stand, if its columns are shown.
    fn place(&self, name: &str, [from, to]: [(usize, usize); 2]) -> Option<SquarePlace> {
        let start = from.min(to);
        let (left, top) = self.columns.contains(&start.0).then(|| self.at(start))?;
        Some(match from.1 == to.1 {
            true => place_of(self.board, name, (left + 1, top), self.gap - 1),
            false => place_of(self.board, name, (left, top + 1), 1),
        })
    }

    /// Where a point stands.
    fn at(&self, (column, row): (usize, usize)) -> (usize, usize) {
        let column = column - self.columns.start;
        (self.margin + column * self.gap, 1 + row * DOWN)
    }

    fn draw_line(&self, canvas: &mut Canvas, name: &str, [from, to]: [(usize, usize); 2]) {
        let start = from.min(to);
        let Some((_, symbol)) = self.board.on_point(name) else {
            return;
        };
        if !self.columns.contains(&start.0) {
            return;
        }
        let is_new = self.board.point_is_changed(name);
        let (left, top) = self.at(start);
        let paint = symbol.colour.paint();
        if from.1 == to.1 {
            let dash = sign(self.style, is_new, ["─", "═", "-", "="]);
            canvas.write((left + 1, top), &dash.repeat(self.gap - 1), paint, is_new);
        } else {
            let bar = sign(self.style, is_new, ["│", "║", "|", "H"]);
            canvas.write((left, top + 1), bar, paint, is_new);
        }
    }
}

fn sign(style: Style, is_new: bool, [usual, new, plain, plain_new]: [&str; 4]) -> &str {
    match (style.unicode, is_new) {
        (true, false) => usual,
        (true, true) => new,
        (false, false) => plain,
        (false, true) => plain_new,
    }
}
