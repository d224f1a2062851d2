//! Boards and facts as text.

use std::collections::BTreeSet;
use std::fmt::Write;

use anstyle::{AnsiColor, Style as Paint};

use crate::info::board::{Board, BoardLayout, BoardView, Square};
use crate::kif::GroundTerm;
use crate::terminal::legend::Legend;

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

/// Lines of text of one width, as seen: colour codes do not count.
#[derive(Debug, Clone, Default)]
struct Block {
    lines: Vec<String>,
    width: usize,
}

impl Block {
    fn push(&mut self, line: String, width: usize) {
        self.lines.push(line);
        self.width = self.width.max(width);
    }

    fn push_plain(&mut self, line: &str) {
        self.push(line.to_owned(), line.chars().count());
    }
}

/// The picture as text; every line ends in a line feed.
pub(super) fn draw(picture: &Picture<'_>, style: Style) -> String {
    let mut shelves: Vec<Vec<Block>> = Vec::new();
    for (number, plan) in picture.layout.boards.iter().enumerate() {
        let mut board = board(picture, plan, number, style);
        match shelves.last_mut() {
            Some(last) if board.len() == 1 => last.append(&mut board[0]),
            _ => shelves.append(&mut board),
        }
    }
    let rest = facts(&picture.view.rest);
    let blocks = shelves.first().into_iter().flatten();
    let height = blocks.map(|block| block.lines.len()).max().unwrap_or(0);
    let mut text = String::new();
    let beside = shelves.len() == 1 && rest.len() < height;
    if let (true, Some(shelf)) = (beside, shelves.first_mut()) {
        let mut side = Block::default();
        side.push_plain("");
        for fact in &rest {
            side.push_plain(fact);
        }
        shelf.push(side);
    }
    for shelf in &shelves {
        write_shelf(&mut text, shelf, style.width);
    }
    if !beside {
        write_facts(&mut text, &rest, style.width);
    }
    text
}

/// Facts without their outer parentheses.
fn facts(facts: &[GroundTerm]) -> Vec<String> {
    let bare = |fact: &GroundTerm| {
        let text = fact.to_string();
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        inner.unwrap_or(&text).to_owned()
    };
    facts.iter().map(bare).collect()
}

/// Blocks side by side, as many as fit in a row.
fn write_shelf(text: &mut String, blocks: &[Block], width: usize) {
    const GAP: usize = 3;
    let mut rest = blocks;
    while !rest.is_empty() {
        let mut used = rest[0].width;
        let more = rest[1..].iter().take_while(|block| {
            used += GAP + block.width;
            used <= width
        });
        let (row, others) = rest.split_at(1 + more.count());
        rest = others;
        let height = row.iter().map(|block| block.lines.len()).max().unwrap_or(0);
        for line in 0..height {
            let mut joined = String::new();
            for block in row {
                let empty = String::new();
                let part = block.lines.get(line).unwrap_or(&empty);
                let seen = seen_width(part);
                let _ = write!(joined, "{part}{}", " ".repeat(block.width - seen + GAP));
            }
            text.push_str(joined.trim_end());
            text.push('\n');
        }
    }
}

/// Characters that take room: all but colour codes.
fn seen_width(line: &str) -> usize {
    let mut width = 0;
    let mut in_code = false;
    for c in line.chars() {
        match (in_code, c) {
            (false, '\u{1b}') => in_code = true,
            (false, _) => width += 1,
            (true, c) => in_code = !c.is_ascii_alphabetic(),
        }
    }
    width
}

/// Facts one after another, in lines of at most `width` characters, as many as a screen takes.
fn write_facts(text: &mut String, facts: &[String], width: usize) {
    const LINES: usize = 16;
    let mut line = String::from(" ");
    let mut lines = 0;
    for (number, fact) in facts.iter().enumerate() {
        if line.len() > 1 && line.chars().count() + fact.chars().count() + 3 > width {
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
fn board(picture: &Picture<'_>, plan: &Board, number: usize, style: Style) -> Vec<Vec<Block>> {
    let panels: BTreeSet<&Vec<String>> = plan.known.iter().map(|(panel, _, _)| panel).collect();
    let name = (picture.layout.boards.len() > 1).then(|| plan.name());
    let mut shelves: Vec<(Option<&String>, Vec<Block>)> = Vec::new();
    for panel in panels {
        let drawing = Drawing {
            plan,
            legend: &picture.legends[number],
            contents: &picture.view.boards[number],
            changed: &picture.changed[number],
            panel,
            style,
        };
        let title: Vec<&str> = name
            .into_iter()
            .chain(panel.iter().map(String::as_str))
            .collect();
        let block = drawing.block(&title.join(" "));
        // Panels numbered twice make a table: the first number is its row.
        let row = panel.first().filter(|_| panel.len() > 1);
        match shelves.last_mut() {
            Some((last, shelf)) if *last == row => shelf.push(block),
            _ => shelves.push((row, vec![block])),
        }
    }
    shelves.into_iter().map(|(_, shelf)| shelf).collect()
}

/// One panel on its way to text.
struct Drawing<'p> {
    plan: &'p Board,
    legend: &'p Legend,
    contents: &'p std::collections::BTreeMap<Square, String>,
    changed: &'p BTreeSet<Square>,
    panel: &'p Vec<String>,
    style: Style,
}

impl Drawing<'_> {
    fn block(&self, title: &str) -> Block {
        let mut block = Block::default();
        if !title.is_empty() {
            block.push_plain(&format!("{}{title}", " ".repeat(self.margin() + 1)));
        }
        let rows = &self.plan.rows.labels;
        block.push_plain(&self.column_labels());
        block.push_plain(&self.rule(0));
        for (number, row) in rows.iter().enumerate() {
            let (line, width) = self.row(row);
            block.push(line, width);
            if number + 1 < rows.len() && self.is_roomy() {
                block.push_plain(&self.rule(1));
            }
        }
        block.push_plain(&self.rule(2));
        block
    }

    /// Small boards have lines between the squares.
    fn is_roomy(&self) -> bool {
        let (columns, rows) = self.plan.size();
        columns <= 5 && rows <= 5
    }

    fn margin(&self) -> usize {
        widest(&self.plan.rows.labels) + 1
    }

    fn cell_width(&self) -> usize {
        const WIDEST_LABEL: usize = 3;
        let label = widest(&self.plan.columns.labels);
        self.legend
            .width
            .max(if label <= WIDEST_LABEL { label } else { 1 })
    }

    fn column_labels(&self) -> String {
        let width = self.cell_width();
        let gap = if self.is_roomy() { "   " } else { " " };
        let labels = self.plan.columns.labels.iter().map(|label| {
            let label: String = label.chars().take(width).collect();
            format!("{label:^width$}")
        });
        let labels: Vec<String> = labels.collect();
        let line = format!("{}  {}", " ".repeat(self.margin()), labels.join(gap));
        line.trim_end().to_owned()
    }

    /// The line above (0), between (1) or below (2) the rows.
    fn rule(&self, place: usize) -> String {
        let [left, cross, right] = match (self.style.unicode, place) {
            (false, _) => ['+', '+', '+'],
            (true, 0) => ['┌', '┬', '┐'],
            (true, 1) => ['├', '┼', '┤'],
            (true, _) => ['└', '┴', '┘'],
        };
        let dash = if self.style.unicode { "─" } else { "-" };
        let columns = self.plan.columns.labels.len();
        let middle = if self.is_roomy() {
            let cell = dash.repeat(self.cell_width() + 2);
            vec![cell; columns].join(&cross.to_string())
        } else {
            dash.repeat(columns * (self.cell_width() + 1) + 1)
        };
        format!("{}{left}{middle}{right}", " ".repeat(self.margin()))
    }

    fn row(&self, row: &String) -> (String, usize) {
        let bar = if self.style.unicode { '│' } else { '|' };
        let label_width = self.margin() - 1;
        let mut line = format!("{row:>label_width$} {bar}");
        let columns = &self.plan.columns.labels;
        let mut was_changed = false;
        for (number, column) in columns.iter().enumerate() {
            let square = (self.panel.clone(), column.clone(), row.clone());
            let is_changed = self.changed.contains(&square);
            let open = self.fence(is_changed, was_changed && !self.is_roomy());
            line.push_str(&open);
            line.push_str(&self.cell(&square, is_changed));
            if self.is_roomy() {
                line.push_str(&self.close(is_changed));
                if number + 1 < columns.len() {
                    line.push(bar);
                }
            }
            was_changed = is_changed;
        }
        if !self.is_roomy() {
            line.push_str(&self.close(was_changed));
        }
        line.push(bar);
        let width = seen_width(&line);
        (line, width)
    }

    /// What stands before a square.
    fn fence(&self, is_changed: bool, was_changed: bool) -> String {
        match (is_changed, was_changed) {
            _ if self.style.color => self.paint(" ", Paint::new(), is_changed && self.is_roomy()),
            (true, _) => "[".to_owned(),
            (false, true) => "]".to_owned(),
            (false, false) => " ".to_owned(),
        }
    }

    /// What stands behind a square.
    fn close(&self, is_changed: bool) -> String {
        if self.style.color {
            return self.paint(" ", Paint::new(), is_changed && self.is_roomy());
        }
        if is_changed { "]" } else { " " }.to_owned()
    }

    fn cell(&self, square: &Square, is_changed: bool) -> String {
        let width = self.cell_width();
        let content = self.contents.get(square);
        let symbol = content.and_then(|content| self.legend.symbol(content));
        let (symbol, paint) = symbol.unwrap_or_else(|| {
            let is_hole = content.is_none() && self.plan.lists_every_square;
            let dot = if self.style.unicode { "·" } else { "." };
            (if is_hole { " " } else { dot }, Paint::new().dimmed())
        });
        self.paint(&format!("{symbol:^width$}"), paint, is_changed)
    }

    fn paint(&self, text: &str, paint: Paint, is_changed: bool) -> String {
        if !self.style.color {
            return text.to_owned();
        }
        let paint = if is_changed {
            paint.bg_color(Some(AnsiColor::BrightBlack.into()))
        } else {
            paint
        };
        format!("{paint}{text}{paint:#}")
    }
}

fn widest(labels: &[String]) -> usize {
    labels
        .iter()
        .map(|label| label.chars().count())
        .max()
        .unwrap_or(0)
}
