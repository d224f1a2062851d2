//! A text of fixed size in which every place can be written.

use anstyle::Style as Paint;

use super::Style;
use super::block::Block;
use super::colours::painted;

pub(super) struct Canvas {
    cells: Vec<Vec<(char, Paint, bool)>>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        let blank = (' ', Paint::new(), false);
        Self {
            cells: vec![vec![blank; width]; height],
        }
    }

    /// Writes a text from this place on; what goes beyond the right edge is left out.
    pub(super) fn write(
        &mut self,
        (x, y): (usize, usize),
        text: &str,
        paint: Paint,
        is_changed: bool,
    ) {
        for (place, c) in text.chars().enumerate() {
            if let Some(cell) = self.cells[y].get_mut(x + place) {
                *cell = (c, paint, is_changed);
            }
        }
    }

    pub(super) fn block(&self, style: Style) -> Block {
        let mut block = Block::default();
        for row in &self.cells {
            let text = row.iter().map(|(c, paint, is_changed)| match c {
                ' ' => " ".to_owned(),
                c => painted(&c.to_string(), *paint, *is_changed, style),
            });
            block.push(text.collect::<String>().trim_end().to_owned());
        }
        block
    }
}
