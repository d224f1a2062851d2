//! Boards and facts as text.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::info::board::{Board, BoardKind, BoardLayout, BoardView, Square};
use crate::kif::GroundTerm;
use crate::terminal::block::{Block, GAP, cut, last_row_width, write_shelf};
use crate::terminal::legend::Legend;
use crate::terminal::panel::Panel;
use crate::terminal::points;
use crate::terminal::words::bare;

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Box-drawing characters, or ASCII alone.
    pub unicode: bool,
    /// Whether colours will be seen: if not, squares that changed stand in brackets.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
}

/// All there is to draw of one state.
pub(super) struct Picture<'p> {
    pub(super) layout: &'p BoardLayout,
    pub(super) legends: &'p [Legend],
    pub(super) view: &'p BoardView,
    /// Per board, the squares that changed.
    pub(super) changed: Vec<BTreeSet<Square>>,
}

/// Blocks in one row, and what is told below them.
#[derive(Default)]
struct Shelf {
    blocks: Vec<Block>,
    note: Option<String>,
}

/// The picture as text; every line ends in a line feed.
pub(super) fn draw(picture: &Picture<'_>, style: Style) -> String {
    let mut shelves: Vec<Shelf> = Vec::new();
    for (number, plan) in picture.layout.boards.iter().enumerate() {
        let mut board = board(picture, plan, number, style);
        match shelves.last_mut() {
            Some(last) if board.len() == 1 && board[0].note.is_none() && last.note.is_none() => {
                last.blocks.append(&mut board[0].blocks);
            }
            _ => shelves.append(&mut board),
        }
    }
    let rest = facts(&picture.view.rest);
    let mut text = String::new();
    let mut side = Block::default();
    side.push(String::new());
    rest.iter().for_each(|fact| side.push(fact.clone()));
    let beside = shelves.len() == 1 && goes_beside(&shelves[0].blocks, &side, style.width);
    if let (true, Some(shelf)) = (beside, shelves.first_mut()) {
        shelf.blocks.push(side);
    }
    for shelf in &shelves {
        write_shelf(&mut text, &shelf.blocks, style.width);
        if let Some(note) = &shelf.note {
            let _ = writeln!(text, "  {note}");
        }
    }
    if !beside {
        write_facts(&mut text, &rest, style);
    }
    text
}

/// Whether a block fits beside others and is no higher.
fn goes_beside(blocks: &[Block], side: &Block, width: usize) -> bool {
    let height = blocks.iter().map(Block::height).max().unwrap_or(0);
    side.height() <= height && last_row_width(blocks, width) + GAP + side.width() <= width
}

/// Facts without their outer parentheses.
fn facts(facts: &[GroundTerm]) -> Vec<String> {
    let texts = facts.iter().map(GroundTerm::to_string);
    texts.map(|fact| bare(&fact).to_owned()).collect()
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

/// The panels of a board, in rows.
fn board(picture: &Picture<'_>, plan: &Board, number: usize, style: Style) -> Vec<Shelf> {
    let name = (picture.layout.boards.len() > 1).then(|| plan.name());
    let legend = &picture.legends[number];
    let contents = &picture.view.boards[number];
    let changed = &picture.changed[number];
    if let BoardKind::Points(graph) = &plan.kind {
        let cells = points::Cells {
            legend,
            contents,
            changed,
            style,
        };
        return vec![Shelf {
            blocks: points::blocks(&plan.columns.labels, graph, &cells),
            note: None,
        }];
    }
    let mut shelves: Vec<(Option<&String>, Shelf)> = Vec::new();
    let (panels, left_out) = shown_panels(picture, plan, number);
    for panel in panels {
        let drawing = Panel {
            plan,
            legend,
            contents,
            changed,
            panel,
            style,
        };
        let title = name.into_iter().chain(panel.iter().map(String::as_str));
        let block = drawing.block(&title.collect::<Vec<_>>().join(" "));
        // Panels numbered twice make a table: the first number is its row.
        let row = panel.first().filter(|_| panel.len() > 1);
        match shelves.last_mut() {
            Some((last, shelf)) if *last == row => shelf.blocks.push(block),
            _ => {
                let (blocks, note) = (vec![block], None);
                shelves.push((row, Shelf { blocks, note }));
            }
        }
    }
    let mut shelves: Vec<Shelf> = shelves.into_iter().map(|(_, shelf)| shelf).collect();
    if left_out > 0 {
        let what = match left_out {
            1 => "part".to_owned(),
            more => format!("{more} parts"),
        };
        let note = Some(format!("and {what} of {} not drawn", plan.name()));
        match shelves.last_mut() {
            Some(last) => last.note = note,
            None => shelves.push(Shelf {
                blocks: Vec::new(),
                note,
            }),
        }
    }
    shelves
}

/// The panels worth drawing, and how many are left out: of many panels those that hold something go first, and a board
/// beside the main one is not drawn where it is empty.
fn shown_panels<'p>(
    picture: &Picture<'_>,
    plan: &'p Board,
    number: usize,
) -> (Vec<&'p Vec<String>>, usize) {
    const MOST: usize = 16;
    let panels = plan.panels();
    if number == 0 && panels.len() <= MOST {
        return (panels, 0);
    }
    let legend = &picture.legends[number];
    let contents = picture.view.boards[number].iter();
    let holding = contents.filter(|(_, content)| legend.symbol(content).is_some());
    let holding: BTreeSet<&Vec<String>> = holding.map(|((panel, _, _), _)| panel).collect();
    let is_held = |panel: &&Vec<String>| holding.contains(panel);
    let held = panels.iter().filter(|panel| is_held(panel));
    let empty = panels.iter().filter(|panel| number == 0 && !is_held(panel));
    let worth: Vec<&Vec<String>> = held.chain(empty).copied().collect();
    let left_out = worth.len().saturating_sub(MOST);
    let drawn: BTreeSet<&Vec<String>> = worth.into_iter().take(MOST).collect();
    let shown = panels.into_iter().filter(|panel| drawn.contains(panel));
    (shown.collect(), left_out)
}
