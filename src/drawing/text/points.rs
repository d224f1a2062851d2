//! Boards that are graphs as text: a picture where positions are known, else a list.

use std::collections::BTreeMap;

use alphanumeric_sort::sort_str_slice;
use anstyle::Style as Paint;

use super::Style;
use super::block::{Block, SquarePlace, cut};
use super::canvas::Canvas;
use super::colours::painted;
use super::panel::widest;
use crate::drawing::picture::{PictureBoard, point_square};
use crate::info::board::{PointGraph, square_id};

/// What stands on the points, and how it is drawn.
pub(super) struct Cells<'p> {
    pub(super) board: PictureBoard<'p>,
    pub(super) style: Style,
}

impl Cells<'_> {
    fn place(&self, name: &str, at: (usize, usize), width: usize) -> SquarePlace {
        place_of(&self.board, name, at, width)
    }
}

/// What the point or line of this name takes of a text.
pub(super) fn place_of(
    board: &PictureBoard<'_>,
    name: &str,
    (column, line): (usize, usize),
    width: usize,
) -> SquarePlace {
    SquarePlace {
        id: square_id(board.number, &point_square(name)),
        line,
        column,
        width,
    }
}

/// Blocks that show all points side by side.
pub(super) fn blocks(names: &[String], graph: &PointGraph, cells: &Cells<'_>) -> Vec<Block> {
    let positions = graph.positions.as_ref();
    match positions.and_then(|positions| picture(positions, graph, cells)) {
        Some(block) => vec![block],
        None => list(names, graph, cells),
    }
}

/// Lines such as `a  king, visited  b c`, in blocks of a screen's height.
fn list(names: &[String], graph: &PointGraph, cells: &Cells<'_>) -> Vec<Block> {
    const HEIGHT: usize = 16;
    let height = names.len().div_ceil(names.len().div_ceil(HEIGHT).max(1));
    let label_width = widest(names);
    let text = |name: &String| {
        let content = cells.board.on_point(name).map(|(content, _)| content);
        let text = content.unwrap_or(cells.style.dot());
        match cells.board.point_is_changed(name) && !cells.style.color {
            true => format!("[{text}]"),
            false => format!(" {text} "),
        }
    };
    let content_width = widest(&names.iter().map(text).collect::<Vec<_>>());
    let mut blocks = Vec::new();
    for part in names.chunks(height.max(1)) {
        let mut block = Block::default();
        for name in part {
            let around = graph.neighbours.get(name).into_iter().flatten();
            let mut around: Vec<&str> = around.map(String::as_str).collect();
            sort_str_slice(&mut around);
            let around = around.join(" ");
            let held = cells.board.on_point(name);
            let paint = held.map_or(Paint::new().dimmed(), |(_, symbol)| symbol.colour.paint());
            let content = format!("{:<content_width$}", text(name));
            let used = label_width + content_width + 6;
            let around = cut(
                &around,
                cells.style.width.saturating_sub(used),
                cells.style.unicode,
            );
            let content = painted(
                &content,
                paint,
                cells.board.point_is_changed(name),
                cells.style,
            );
            let around = painted(&around, Paint::new().dimmed(), false, cells.style);
            let place = (2, block.height());
            block.place(cells.place(name, place, label_width + 1 + content_width));
            block.push(format!("  {name:>label_width$} {content} {around}"));
        }
        blocks.push(block);
    }
    blocks
}

/// The points where the board file puts them, and lines between neighbours; `None` if that is wider than the terminal.
fn picture(
    positions: &BTreeMap<String, (usize, usize)>,
    graph: &PointGraph,
    cells: &Cells<'_>,
) -> Option<Block> {
    const MARGIN: usize = 2;
    let right = positions.values().map(|at| at.0).max()?;
    let top = positions.values().map(|at| at.1).max()?;
    let longest = 3;
    let fits = |scale: &usize| MARGIN + right * scale + longest < cells.style.width;
    let scale = [4, 2].into_iter().find(fits)?;
    let width = MARGIN + right * scale + longest + 1;
    let mut canvas = Canvas::new(width, top * scale / 2 + 1);
    let at = |(x, y): (usize, usize)| (MARGIN + x * scale, (top - y) * scale / 2);
    for (from, around) in &graph.neighbours {
        for to in around.iter().filter(|to| from < *to) {
            if let (Some(from), Some(to)) = (positions.get(from), positions.get(to)) {
                line(&mut canvas, at(*from), at(*to), cells.style.unicode);
            }
        }
    }
    let mut places = Vec::new();
    for (name, position) in positions {
        let is_changed = cells.board.point_is_changed(name);
        // An empty point shows its name, if that is short.
        let is_short = name.chars().count() <= longest;
        let (symbol, paint) = match cells.board.on_point(name) {
            Some((_, symbol)) => (symbol.text.as_str(), symbol.colour.paint()),
            None if is_short => (name.as_str(), Paint::new().dimmed()),
            None => (cells.style.dot(), Paint::new().dimmed()),
        };
        let (x, y) = at(*position);
        places.push(cells.place(name, (x, y), symbol.chars().count()));
        canvas.write((x, y), symbol, paint, is_changed);
        if is_changed && !cells.style.color {
            canvas.write((x - 1, y), "[", Paint::new(), false);
            canvas.write((x + symbol.chars().count(), y), "]", Paint::new(), false);
        }
    }
    let mut block = canvas.block(cells.style);
    places.into_iter().for_each(|place| block.place(place));
    Some(block)
}

/// A line along a row, a column or a diagonal.
fn line(canvas: &mut Canvas, (x, y): (usize, usize), (to_x, to_y): (usize, usize), unicode: bool) {
    let (across, down) = (x.abs_diff(to_x), y.abs_diff(to_y));
    let is_falling = (x < to_x) == (y < to_y);
    let (step_x, step_y, sign) = match (across, down, unicode) {
        (_, 0, true) => (1, 0, "─"),
        (_, 0, false) => (1, 0, "-"),
        (0, _, true) => (0, 1, "│"),
        (0, _, false) => (0, 1, "|"),
        (across, down, true) if across == 2 * down => (2, 1, if is_falling { "╲" } else { "╱" }),
        (across, down, false) if across == 2 * down => (2, 1, if is_falling { "\\" } else { "/" }),
        _ => return,
    };
    let steps = usize::checked_div(across, step_x).unwrap_or(down);
    for step in 1..steps {
        let along = |from: usize, to: usize, by: usize| match from < to {
            true => from + step * by,
            false => from - step * by,
        };
        let at = (along(x, to_x, step_x), along(y, to_y, step_y));
        canvas.write(at, sign, Paint::new().dimmed(), false);
    }
}
