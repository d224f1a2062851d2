//! One panel of a board as text: a grid, a strip, or rows of hexagons.

use anstyle::Style as Paint;

use super::Style;
use super::block::{Block, DrawnText, cut};
use super::colours::painted;
use crate::drawing::legend::short_names;
use crate::drawing::picture::PictureBoard;
use crate::info::board::{BoardKind, Square, square_id};

/// One panel on its way to text.
pub(super) struct Panel<'p> {
    pub(super) board: PictureBoard<'p>,
    pub(super) panel: &'p Vec<String>,
    pub(super) style: Style,
}

/// How a panel is laid out so that it fits the terminal.
struct Measures {
    /// The labels of rows, and the columns they take with the blank behind them.
    rows: Vec<String>,
    margin: usize,
    /// The labels of columns.
    columns: Vec<String>,
    /// The columns of the terminal that one cell takes, without what stands around it.
    cell: usize,
    /// Those of them that the number of a square takes.
    digits: usize,
    /// Whether lines separate the cells.
    is_roomy: bool,
    /// How many cells stand side by side before the panel goes on below.
    across: usize,
}

impl Panel<'_> {
    /// The panel as text. One that is wider than the terminal goes on below.
    pub(super) fn block(&self, title: &str) -> Block {
        let measures = self.measures();
        let mut block = Block::default();
        if !title.is_empty() {
            let title = cut(
                title,
                self.style.width - measures.margin,
                self.style.unicode,
            );
            block.push(format!("{}{title}", " ".repeat(measures.margin + 1)));
        }
        let columns = self.board.plan.columns.labels.len();
        for first in (0..columns).step_by(measures.across) {
            let part = first..columns.min(first + measures.across);
            block.append(match &self.board.plan.kind {
                BoardKind::Hexagons(shifts) => self.hexagons(&measures, shifts, part),
                _ => self.framed(&measures, part),
            });
        }
        block
    }

    /// The roomiest way that fits.
    fn measures(&self) -> Measures {
        const WIDEST_LABEL: usize = 3;
        let (width, unicode) = (self.style.width, self.style.unicode);
        let names = &self.board.plan.columns.labels;
        let most_margin = (width / 3).max(4);
        let rows = self.board.plan.rows.labels.iter();
        let rows: Vec<String> = rows.map(|row| cut(row, most_margin, unicode)).collect();
        let margin = match widest(&rows) {
            0 => 0,
            label => label + 1,
        };
        let digits = self.digits();
        let cell_of = |labels: &[String]| {
            let cell = self.board.legend.width + digits;
            cell.max(widest(labels))
        };
        let frame = match self.board.plan.kind {
            BoardKind::Hexagons(_) => self.widest_shift(cell_of(names)),
            _ => 2,
        };
        let needed = |cell: usize, is_roomy: bool| {
            let gap = if is_roomy { 3 } else { 1 };
            margin + frame + names.len() * (cell + gap) + usize::from(!is_roomy)
        };
        let is_short = widest(names) <= WIDEST_LABEL;
        let columns = match is_short || needed(cell_of(names), false) <= width {
            true => names.clone(),
            false => short_names(names),
        };
        let cell = cell_of(&columns);
        let is_roomy = self.may_be_roomy() && needed(cell, true) <= width;
        let room = width.saturating_sub(margin + frame + 1);
        Measures {
            across: (room / self.pitch(cell)).clamp(1, names.len()),
            rows,
            margin,
            columns,
            cell,
            digits,
            is_roomy,
        }
        .in_one_part_if_roomy(names.len())
    }

    /// Small boards have lines between the squares.
    fn may_be_roomy(&self) -> bool {
        let (columns, rows) = self.board.plan.size();
        match self.board.plan.kind {
            BoardKind::Strip => columns <= 16,
            BoardKind::Hexagons(_) => false,
            _ => columns <= 5 && rows <= 5,
        }
    }

    /// From one cell to the next. Hexagons need an even number, to be shifted by half of it.
    fn pitch(&self, cell: usize) -> usize {
        match self.board.plan.kind {
            BoardKind::Hexagons(_) => (cell + 1).next_multiple_of(2),
            _ => cell + 1,
        }
    }

    fn widest_shift(&self, cell: usize) -> usize {
        match &self.board.plan.kind {
            BoardKind::Hexagons(shifts) => {
                shifts.iter().max().copied().unwrap_or(0) * self.pitch(cell) / 2
            }
            _ => 0,
        }
    }

    /// Some columns of the panel in a frame.
    fn framed(&self, measures: &Measures, columns: std::ops::Range<usize>) -> Block {
        let mut block = Block::default();
        let gap = if measures.is_roomy { "   " } else { " " };
        let width = measures.cell;
        let labels = measures.columns[columns.clone()].iter();
        let labels: Vec<String> = labels.map(|label| format!("{label:^width$}")).collect();
        let line = format!("{}  {}", " ".repeat(measures.margin), labels.join(gap));
        block.push(line.trim_end().to_owned());
        block.push(self.rule(measures, 0, columns.len()));
        let rows = self.board.plan.rows.labels.len();
        let bar = if self.style.unicode { '│' } else { '|' };
        for row in 0..rows {
            let label = format!(
                "{:>1$}",
                measures.rows[row],
                measures.margin.saturating_sub(1)
            );
            let blank = if measures.margin > 0 { " " } else { "" };
            let mut line = DrawnText::beginning(format!("{label}{blank}{bar}"));
            self.cells(&mut line, measures, (row, columns.clone()), Some(bar));
            line.text.push(bar);
            block.push_drawn(line);
            if row + 1 < rows && measures.is_roomy {
                block.push(self.rule(measures, 1, columns.len()));
            }
        }
        block.push(self.rule(measures, 2, columns.len()));
        block
    }

    /// Some columns of the panel in shifted rows, without a frame.
    fn hexagons(
        &self,
        measures: &Measures,
        shifts: &[usize],
        columns: std::ops::Range<usize>,
    ) -> Block {
        let mut block = Block::default();
        let half = self.pitch(measures.cell) / 2;
        let pitch = self.pitch(measures.cell);
        let indent = |row: usize| " ".repeat(shifts[row] * half);
        let (cell, margin) = (measures.cell, measures.margin);
        let labels = measures.columns[columns.clone()].iter();
        let labels: String = labels
            .map(|label| format!("{:<pitch$}", format!("{label:^cell$}")))
            .collect();
        let line = format!("{}{} {labels}", " ".repeat(margin), indent(0));
        block.push(line.trim_end().to_owned());
        for (row, label) in measures.rows.iter().enumerate() {
            let label = format!("{label:>0$}", margin.saturating_sub(1));
            let mut line = DrawnText::beginning(format!("{label} {}", indent(row)));
            self.cells(&mut line, measures, (row, columns.clone()), None);
            block.push_drawn(line);
        }
        block
    }

    /// The line above (0), between (1) or below (2) the rows.
    fn rule(&self, measures: &Measures, place: usize, columns: usize) -> String {
        let [left, cross, right] = match (self.style.unicode, place) {
            (false, _) => ['+', '+', '+'],
            (true, 0) => ['┌', '┬', '┐'],
            (true, 1) => ['├', '┼', '┤'],
            (true, _) => ['└', '┴', '┘'],
        };
        let dash = if self.style.unicode { "─" } else { "-" };
        let middle = if measures.is_roomy {
            let cell = dash.repeat(measures.cell + 2);
            vec![cell; columns].join(&cross.to_string())
        } else {
            dash.repeat(columns * (measures.cell + 1) + 1)
        };
        format!("{}{left}{middle}{right}", " ".repeat(measures.margin))
    }

    /// Writes some cells of a row, with `bar` between them where there is room.
    fn cells(
        &self,
        drawn: &mut DrawnText,
        measures: &Measures,
        (row, columns): (usize, std::ops::Range<usize>),
        bar: Option<char>,
    ) {
        let row = &self.board.plan.rows.labels[row];
        let mut was_changed = false;
        let filling = " ".repeat(self.pitch(measures.cell) - measures.cell - 1);
        for number in columns.clone() {
            let column = &self.board.plan.columns.labels[number];
            let square = (self.panel.clone(), column.clone(), row.clone());
            let is_changed = self.board.changed.contains(&square);
            drawn.text.push_str(&self.fence(
                is_changed,
                was_changed && !measures.is_roomy,
                measures,
            ));
            let cell = self.cell(&square, is_changed, measures);
            drawn.push_square(square_id(self.board.number, &square), &cell);
            if measures.is_roomy {
                drawn.text.push_str(&self.close(is_changed, measures));
                drawn.text.extend(bar.filter(|_| number + 1 < columns.end));
            }
            was_changed = is_changed;
            if !filling.is_empty() {
                drawn
                    .text
                    .push_str(&self.close(std::mem::take(&mut was_changed), measures));
                drawn.text.push_str(&filling[1..]);
            }
        }
        if !measures.is_roomy {
            drawn.text.push_str(&self.close(was_changed, measures));
        }
    }

    /// What stands before a square.
    fn fence(&self, is_changed: bool, was_changed: bool, measures: &Measures) -> String {
        match (is_changed, was_changed) {
            _ if self.style.color => self.paint(" ", Paint::new(), is_changed && measures.is_roomy),
            (true, _) => "[".to_owned(),
            (false, true) => "]".to_owned(),
            (false, false) => " ".to_owned(),
        }
    }

    /// What stands behind a square.
    fn close(&self, is_changed: bool, measures: &Measures) -> String {
        if self.style.color {
            return self.paint(" ", Paint::new(), is_changed && measures.is_roomy);
        }
        if is_changed { "]" } else { " " }.to_owned()
    }

    fn cell(&self, square: &Square, is_changed: bool, measures: &Measures) -> String {
        let width = measures.cell - measures.digits;
        let content = self.board.contents.get(square);
        let symbol = content.and_then(|content| self.board.legend.symbol(content));
        let (symbol, paint) = match symbol {
            Some(symbol) => (symbol.text.as_str(), symbol.colour.paint()),
            None if self.board.is_hole(square) => (" ", Paint::new()),
            None => (self.style.dot(), Paint::new().dimmed()),
        };
        let drawn = self.paint(&format!("{symbol:^width$}"), paint, is_changed);
        match self.style.numbers {
            true => {
                drawn
                    + &self.paint(
                        &self.number(square, measures),
                        Paint::new().dimmed(),
                        is_changed,
                    )
            }
            false => drawn,
        }
    }

    /// The number of a square, as wide as that of the last one; blank where there is none.
    fn number(&self, square: &Square, measures: &Measures) -> String {
        let digits = measures.digits;
        let place = self.squares().position(|other| other == *square);
        let number = place.map(|place| match self.board.is_flipped {
            true => self.squares().count() - place,
            false => place + 1,
        });
        number.map_or(" ".repeat(digits), |number| format!("{number:>digits$}"))
    }

    /// The columns that numbers of squares take.
    fn digits(&self) -> usize {
        match self.style.numbers {
            true => self.squares().count().to_string().len(),
            false => 0,
        }
    }

    /// The squares of the panel that are some, row by row.
    fn squares(&self) -> impl Iterator<Item = Square> {
        let (rows, columns) = (
            &self.board.plan.rows.labels,
            &self.board.plan.columns.labels,
        );
        let squares = rows.iter().flat_map(move |row| {
            let of_row = columns.iter();
            of_row.map(move |column| (self.panel.clone(), column.clone(), row.clone()))
        });
        squares.filter(|square| !self.board.is_hole(square))
    }

    fn paint(&self, text: &str, paint: Paint, is_changed: bool) -> String {
        painted(text, paint, is_changed, self.style)
    }
}

impl Measures {
    fn in_one_part_if_roomy(self, columns: usize) -> Self {
        let across = if self.is_roomy { columns } else { self.across };
        Self { across, ..self }
    }
}

pub(super) fn widest(labels: &[String]) -> usize {
    labels
        .iter()
        .map(|label| label.chars().count())
        .max()
        .unwrap_or(0)
}
