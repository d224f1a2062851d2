//! Patterns: what tuples hold, apart from where they are on a board.
//!
//! What is learned of a pattern counts for all tuples of a shape, so that large boards need fewer games.

use std::ops::Range;

use indexmap::IndexMap;

use super::cells::Cell;

/// The patterns of the weights of tuples.
#[derive(Debug, Clone, Default)]
pub(super) struct TuplePatterns {
    of_tuples: Vec<PatternsOfTuple>,
    /// How many patterns there are.
    pub(super) count: usize,
}

/// The patterns of the weights of one tuple, which follow each other as the weights do.
#[derive(Debug, Clone, Default)]
struct PatternsOfTuple {
    /// Its weights; none where it is not known where the tuple is.
    weights: Range<u32>,
    /// The pattern that the first of them would have.
    first: u32,
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
        let mut weights = 0;
        for cells in tuples {
            let size: usize = cells.iter().map(Cell::contents).product();
            let of_shape = shape_of(cells).map(|shape| {
                let first = *shapes.entry(shape).or_insert_with(|| {
                    all.count += size;
                    (all.count - size) as u32
                });
                PatternsOfTuple {
                    weights: weights..weights + size as u32,
                    first,
                }
            });
            all.of_tuples.push(of_shape.unwrap_or_default());
            weights += size as u32;
        }
        all
    }

    /// The pattern of the weight of a tuple at a place. It has none where all cells are empty, as most are.
    pub(super) fn of(&self, tuple: usize, place: u32) -> Option<usize> {
        let PatternsOfTuple { weights, first } = &self.of_tuples[tuple];
        let is_pattern = weights.start < place && place < weights.end;
        is_pattern.then(|| (first + (place - weights.start)) as usize)
    }

    /// The weights that have patterns, tuple by tuple, each with the patterns that they have.
    pub(super) fn ranges(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + '_ {
        let known = self.of_tuples.iter().filter(|of| !of.weights.is_empty());
        known.map(|PatternsOfTuple { weights, first }| {
            let content = 1..weights.len();
            let from = |start: u32| start as usize + content.start..start as usize + content.end;
            (from(weights.start), from(*first))
        })
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
        assert_eq!(
            [patterns.of(0, 0), patterns.of(1, 9)],
            [None, None],
            "empty"
        );
        for content in 1..9 {
            assert_eq!(patterns.of(0, content), Some(content as usize));
            assert_eq!(patterns.of(1, 9 + content), Some(content as usize));
        }
        assert_eq!(patterns.of(0, 9), None, "a weight of another tuple");
        let ranges: Vec<_> = patterns.ranges().collect();
        assert_eq!(ranges, [(1..9, 1..9), (10..18, 1..9)]);
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
        assert_eq!([patterns.of(0, 0), patterns.of(0, 1)], [None, None]);
        assert_eq!(patterns.ranges().count(), 0);
    }
}
