//! Boards, their cells and lines.

/// The size of a board, its columns and rows numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardSize {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

/// Where two cells of a board touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touching {
    /// At a side.
    Side,
    /// At a corner only.
    Corner,
    /// At either.
    SideOrCorner,
}

impl BoardSize {
    /// Reads a size such as `8x8`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (width, height) = text.split_once('x')?;
        let size = Self {
            width: width.parse().ok()?,
            height: height.parse().ok()?,
        };
        (size.cells() > 0).then_some(size)
    }

    /// The number of cells.
    pub(super) fn cells(self) -> usize {
        (self.width as usize).saturating_mul(self.height as usize)
    }

    /// All cells, column by column.
    pub(super) fn all(self) -> impl Iterator<Item = (u32, u32)> {
        (1..=self.width).flat_map(move |x| (1..=self.height).map(move |y| (x, y)))
    }

    /// The cells that touch a cell.
    pub(super) fn around(
        self,
        (x, y): (u32, u32),
        touching: Touching,
    ) -> impl Iterator<Item = (u32, u32)> {
        let near =
            |middle: u32, last: u32| middle.saturating_sub(1).max(1)..=(middle + 1).min(last);
        let columns = near(x, self.width);
        let cells = columns.flat_map(move |x2| near(y, self.height).map(move |y2| (x2, y2)));
        let steps = match touching {
            Touching::Side => 1..=1,
            Touching::Corner => 2..=2,
            Touching::SideOrCorner => 1..=2,
        };
        cells.filter(move |&(x2, y2)| steps.contains(&(x.abs_diff(x2) + y.abs_diff(y2))))
    }

    /// The lines of `length` cells that begin at a cell and lead to the right, up, or both ways diagonally.
    pub(super) fn lines(self, length: u32) -> impl Iterator<Item = Vec<(u32, u32)>> {
        const DIRECTIONS: [(i64, i64); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let starts = self
            .all()
            .flat_map(|start| DIRECTIONS.map(|direction| (start, direction)));
        starts.filter_map(move |((x, y), (right, up))| {
            let cell = |step: u32| {
                let x = u32::try_from(i64::from(x) + right * i64::from(step)).ok()?;
                let y = u32::try_from(i64::from(y) + up * i64::from(step)).ok()?;
                ((1..=self.width).contains(&x) && (1..=self.height).contains(&y)).then_some((x, y))
            };
            cell(length - 1)?;
            (0..length).map(cell).collect()
        })
    }
}
