//! Boards and facts as text.

mod block;
mod canvas;
mod colours;
mod edges;
mod panel;
mod points;

use std::fmt::Write;

use self::block::{Block, GAP, cut, last_row_width, write_blocks};
pub use self::block::{DrawnText, SquarePlace};
use self::panel::Panel;
use super::picture::{Picture, PictureBoard};
use crate::info::board::BoardKind;

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Box-drawing characters, or ASCII alone.
    pub unicode: bool,
    /// Whether colours will be seen: if not, squares that changed stand in brackets.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Whether the squares of a board are numbered, row by row from the top.
    pub numbers: bool,
}

impl Style {
    /// For text that is kept: without colours, 100 columns wide.
    pub const UNCOLOURED: Self = Self {
        unicode: true,
        color: false,
        width: 100,
        numbers: false,
    };

    /// What marks an empty cell.
    fn dot(self) -> &'static str {
        if self.unicode { "·" } else { "." }
    }
}

/// Blocks in one row, and what is told below them.
#[derive(Default)]
struct BlockRow {
    blocks: Vec<Block>,
    note: Option<String>,
}

/// The picture as text.
pub(super) fn draw(picture: &Picture<'_>, style: Style) -> DrawnText {
    let mut rows: Vec<BlockRow> = Vec::new();
    for board in picture.boards() {
        let mut of_board = block_rows(&board, style);
        match rows.last_mut() {
            Some(last)
                if of_board.len() == 1 && of_board[0].note.is_none() && last.note.is_none() =>
            {
                last.blocks.append(&mut of_board[0].blocks);
            }
            _ => rows.append(&mut of_board),
        }
    }
    let rest = picture.rest();
    let mut drawn = DrawnText::default();
    let mut side = Block::default();
    side.push(String::new());
    rest.iter().for_each(|fact| side.push(fact.clone()));
    let beside = rows.len() == 1 && goes_beside(&rows[0].blocks, &side, style.width);
    if let (true, Some(row)) = (beside, rows.first_mut()) {
        row.blocks.push(side);
    }
    for row in &rows {
        write_blocks(&mut drawn, &row.blocks, style.width);
        if let Some(note) = &row.note {
            let _ = writeln!(drawn.text, "  {note}");
        }
    }
    if !beside {
        write_facts(&mut drawn.text, &rest, style);
    }
    drawn
}

/// Whether a block fits beside others and is no higher.
fn goes_beside(blocks: &[Block], side: &Block, width: usize) -> bool {
    let height = blocks.iter().map(Block::height).max().unwrap_or(0);
    side.height() <= height && last_row_width(blocks, width) + GAP + side.width() <= width
}

/// Facts one after another, in lines that fit, as many as a screen takes.
fn write_facts(text: &mut String, facts: &[String], style: Style) {
    const LINES: usize = 16;
    const INDENT: usize = 2;
    let mut line = String::from(" ");
    let mut lines = 0;
    for (number, fact) in facts.iter().enumerate() {
        let fact = cut(fact, style.width - INDENT - 1, style.unicode);
        if line.len() > 1 && line.chars().count() + fact.chars().count() + INDENT > style.width {
            let _ = writeln!(text, "{line}");
            line = String::from(" ");
            lines += 1;
            if lines == LINES {
                let _ = writeln!(text, "  and {} more facts", facts.len() - number);
                return;
            }
        }
        let comma = if number + 1 < facts.len() { "," } else { "" };
        let _ = write!(line, " {fact}{comma}");
    }
    if line.len() > 1 {
        let _ = writeln!(text, "{line}");
    }
}

/// The blocks of a board, in rows.
fn block_rows(board: &PictureBoard<'_>, style: Style) -> Vec<BlockRow> {
    let in_one_row = |blocks| vec![BlockRow { blocks, note: None }];
    match &board.plan.kind {
        BoardKind::Points(graph) => {
            let cells = points::Cells {
                board: *board,
                style,
            };
            in_one_row(points::blocks(&board.plan.columns.labels, graph, &cells))
        }
        BoardKind::Edges(grid) => in_one_row(edges::blocks(board, grid, style)),
        BoardKind::Grid | BoardKind::Strip | BoardKind::Hexagons(_) => panel_rows(board, style),
    }
}

/// The panels of a board, in rows.
fn panel_rows(board: &PictureBoard<'_>, style: Style) -> Vec<BlockRow> {
    let panels = board.panels();
    let block = |panel: &Vec<String>| {
        let drawing = Panel {
            board: *board,
            panel,
            style,
        };
        drawing.block(&board.title(panel))
    };
    let rows = panels.rows.iter().map(|row| BlockRow {
        blocks: row.iter().map(|panel| block(panel)).collect(),
        note: None,
    });
    let mut rows: Vec<BlockRow> = rows.collect();
    if let Some(last) = rows.last_mut() {
        last.note = panels.note;
    }
    rows
}
