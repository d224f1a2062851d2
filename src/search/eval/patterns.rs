//! Patterns: what tuples hold, apart from where they are on a board.
//!
//! What is learned of a pattern counts for all tuples of a shape, so that large boards need fewer games.

use indexmap::IndexMap;

use super::cells::Cell;

/// No pattern: where the tuple is is not known, or all its cells are empty, as most are.
const NONE: u32 = u32::MAX;

/// The pattern of each weight of tuples.
#[derive(Debug, Clone, Default)]
pub(super) struct TuplePatterns {
    of_weights: Vec<u32>,
    /// How many patterns there are.
    pub(super) count: usize,
}

/// What tuples have in common that differ only in where they are.
type Shape<'c> = Vec<CellInShape<'c>>;
/// The panel of a cell, how far it is from the first one, and what it may hold.
type CellInShape<'c> = (&'c [usize], Vec<i32>, &'c [String]);

impl TuplePatterns {
    /// Those of some tuples, whose weights follow each other.
    pub(super) fn new(tuples: &[Vec<Cell>]) -> Self {
        let mut all = Self::default();
        let mut shapes: IndexMap<Shape<'_>, u32> = IndexMap::new();
        for cells in tuples {
            let size: usize = cells.iter().map(Cell::contents).product();
            let first = shape_of(cells).map(|shape| {
                *shapes.entry(shape).or_insert_with(|| {
                    all.count += size;
                    (all.count - size) as u32
                })
            });
            let pattern = |content: u32| first.filter(|_| content > 0).map(|first| first + content);
            let patterns = (0..size as u32).map(|content| pattern(content).unwrap_or(NONE));
            all.of_weights.extend(patterns);
        }
        all
    }

    /// The pattern of the weight at a place, if it has one.
    pub(super) fn of(&self, place: usize) -> Option<usize> {
        let pattern = self.of_weights[place];
        (pattern != NONE).then_some(pattern as usize)
    }
}

/// The shape of a tuple, if it is known where its cells are.
fn shape_of(cells: &[Cell]) -> Option<Shape<'_>> {
    let origin = &cells.first()?.place.as_ref()?.coordinates;
    let cells = cells.iter();
    cells.map(|cell| cell_in_shape(cell, origin)).collect()
}

fn cell_in_shape<'c>(cell: &'c Cell, origin: &[i32]) -> Option<CellInShape<'c>> {
    let place = cell.place.as_ref()?;
    let offset = place.coordinates.iter().zip(origin);
    let offset = offset.map(|(at, origin)| at - origin).collect();
    Some((&place.panel, offset, &place.contents))
}

#[cfg(test)]
mod tests {
    use super::super::cells::CellPosition;
    use super::*;

    fn cell(panel: usize, x: i32, contents: &[&str]) -> Cell {
        Cell {
            facts: (0..contents.len() as u32).collect(),
            place: Some(CellPosition {
                panel: vec![panel],
                coordinates: vec![x, 1],
                contents: contents
                    .iter()
                    .map(|content| (*content).to_owned())
                    .collect(),
            }),
        }
    }

    #[test]
    fn tuples_of_a_shape_share_patterns_wherever_they_are() {
        let of = |x: i32| vec![cell(0, x, &["a", "b"]), cell(0, x + 1, &["a", "b"])];
        let patterns = TuplePatterns::new(&[of(1), of(5)]);
        assert_eq!(patterns.count, 9);
        assert_eq!([patterns.of(0), patterns.of(9)], [None, None], "empty");
        for content in 1..9 {
            assert_eq!(patterns.of(content), Some(content));
            assert_eq!(patterns.of(9 + content), Some(content));
        }
    }

    #[test]
    fn other_shapes_have_patterns_of_their_own() {
        let of = |cells: [Cell; 2]| cells.to_vec();
        let tuples = [
            of([cell(0, 1, &["a"]), cell(0, 2, &["a"])]),
            of([cell(0, 1, &["a"]), cell(0, 3, &["a"])]),
            of([cell(1, 1, &["a"]), cell(1, 2, &["a"])]),
            of([cell(0, 1, &["a"]), cell(0, 2, &["b"])]),
        ];
        let patterns = TuplePatterns::new(&tuples);
        assert_eq!(patterns.count, 4 * 4);
        let unknown = Cell {
            place: None,
            ..cell(0, 1, &["a"])
        };
        let patterns = TuplePatterns::new(&[vec![unknown]]);
        assert_eq!([patterns.of(0), patterns.of(1)], [None, None]);
    }
}
