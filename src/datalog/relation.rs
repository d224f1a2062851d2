//! Relations: sets of rows with hash indices on the columns that joins look up.
//!
//! Rows are only appended, or all cleared at once, so an index is a chained hash table that is brought up to date with the
//! rows added since it was last used. Index 0 covers all columns and keeps the rows distinct.

use super::terms::TermId;

/// No row.
const NONE: u32 = u32::MAX;

/// Where there are more terms than this for each cell, a table of all terms costs more than sorting.
const MOST_TERMS_PER_CELL: usize = 8;

/// A growing set of rows of equal width.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    arity: usize,
    len: usize,
    cells: Vec<TermId>,
    indices: Vec<Index>,
}

#[derive(Debug, Clone)]
struct Index {
    columns: Vec<usize>,
    /// The newest row of each bucket; the length is a power of two, or 0 while unused.
    heads: Vec<u32>,
    /// For each row, the next older one of its bucket.
    older: Vec<u32>,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Self {
        let all = Index {
            columns: (0..arity).collect(),
            heads: Vec::new(),
            older: Vec::new(),
        };
        Self {
            arity,
            len: 0,
            cells: Vec::new(),
            indices: vec![all],
        }
    }

    /// The number of an index on `columns`, created if there is none yet.
    pub(super) fn index_on(&mut self, columns: &[usize]) -> usize {
        if let Some(known) = self
            .indices
            .iter()
            .position(|index| index.columns == columns)
        {
            return known;
        }
        self.indices.push(Index {
            columns: columns.to_vec(),
            heads: Vec::new(),
            older: Vec::new(),
        });
        self.indices.len() - 1
    }

    pub(super) fn arity(&self) -> usize {
        self.arity
    }

    pub(super) fn index_count(&self) -> usize {
        self.indices.len()
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn row(&self, row: usize) -> &[TermId] {
        &self.cells[row * self.arity..(row + 1) * self.arity]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[TermId]> {
        (0..self.len).map(|row| self.row(row))
    }

    /// Removes all rows and keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.cells.clear();
        for index in &mut self.indices {
            if !index.older.is_empty() {
                index.older.clear();
                index.heads.fill(NONE);
            }
        }
    }

    /// Adds a row; `false` if it is there already.
    pub(super) fn insert(&mut self, row: &[TermId]) -> bool {
        debug_assert_eq!(row.len(), self.arity);
        if self.arity == 0 {
            return std::mem::replace(&mut self.len, 1) == 0;
        }
        self.refresh(0);
        if (self.len + 1) * 2 > self.indices[0].heads.len() {
            self.grow(0, self.len + 1);
        }
        let rows = &self.indices[0];
        let bucket = bucket(row.iter().copied(), rows.heads.len());
        if self.matching(rows, rows.heads[bucket], row).is_some() {
            return false;
        }
        self.cells.extend_from_slice(row);
        self.indices[0].add(bucket, self.len);
        self.len += 1;
        true
    }

    pub(super) fn contains(&mut self, row: &[TermId]) -> bool {
        if self.arity > 0 {
            self.refresh(0);
        }
        self.holds(row)
    }

    /// Like [`Relation::contains`], where index 0 is fresh.
    pub(super) fn holds(&self, row: &[TermId]) -> bool {
        if self.arity == 0 {
            self.len > 0
        } else {
            self.first(0, row).is_some()
        }
    }

    /// Brings an index up to date with the rows.
    pub(super) fn refresh(&mut self, index: usize) {
        let of = &self.indices[index];
        if of.older.len() == self.len {
            return;
        }
        if self.len * 2 > of.heads.len() {
            return self.grow(index, self.len);
        }
        self.add_rows(index);
    }

    /// Makes room in an index for so many rows, and enters those there are.
    fn grow(&mut self, index: usize, rows: usize) {
        self.indices[index].grow(rows.next_power_of_two() * 4);
        self.add_rows(index);
    }

    /// Enters the rows that an index lacks.
    fn add_rows(&mut self, index: usize) {
        let Self {
            arity,
            len,
            cells,
            indices,
        } = self;
        let index = &mut indices[index];
        for row in index.older.len()..*len {
            let cells = &cells[row * *arity..(row + 1) * *arity];
            let key = index.columns.iter().map(|&column| cells[column]);
            let bucket = bucket(key, index.heads.len());
            index.add(bucket, row);
        }
    }

    /// The newest row whose indexed columns equal `key`. The index must be fresh.
    pub(super) fn first(&self, index: usize, key: &[TermId]) -> Option<usize> {
        let of = &self.indices[index];
        if of.heads.is_empty() {
            return None;
        }
        self.matching(
            of,
            of.heads[bucket(key.iter().copied(), of.heads.len())],
            key,
        )
    }

    /// The next older row with the same key.
    pub(super) fn after(&self, index: usize, row: usize, key: &[TermId]) -> Option<usize> {
        let of = &self.indices[index];
        self.matching(of, of.older[row], key)
    }

    fn matching(&self, index: &Index, mut row: u32, key: &[TermId]) -> Option<usize> {
        let is_of_all_columns = index.columns.len() == self.arity;
        while row != NONE {
            let cells = self.row(row as usize);
            let agrees = match is_of_all_columns {
                true => cells == key,
                false => {
                    let mut columns = index.columns.iter().zip(key);
                    columns.all(|(&column, &wanted)| cells[column] == wanted)
                }
            };
            if agrees {
                return Some(row as usize);
            }
            row = index.older[row as usize];
        }
        None
    }

    fn sorted_count(&self, column: usize) -> usize {
        let mut terms: Vec<TermId> = self.rows().map(|row| row[column]).collect();
        terms.sort_unstable();
        terms.dedup();
        terms.len()
    }

    /// How many different terms each column holds.
    pub(super) fn distinct_counts(&self) -> Vec<usize> {
        let largest = self.cells.iter().max().map_or(0, |term| term.0 as usize);
        if largest > MOST_TERMS_PER_CELL * self.cells.len() {
            return (0..self.arity)
                .map(|column| self.sorted_count(column))
                .collect();
        }
        // Per term, the last column in which it was seen.
        let mut seen: Vec<u32> = vec![0; largest + 1];
        let mut counts = vec![0; self.arity];
        for (number, count) in (1..).zip(&mut counts) {
            for row in self.rows() {
                let seen = &mut seen[row[number as usize - 1].0 as usize];
                *count += usize::from(std::mem::replace(seen, number) != number);
            }
        }
        counts
    }
}

impl Index {
    /// Enters the next row, whose bucket this is.
    fn add(&mut self, bucket: usize, row: usize) {
        self.older.push(self.heads[bucket]);
        self.heads[bucket] = row as u32;
    }

    /// Resizes the table and clears the index.
    fn grow(&mut self, buckets: usize) {
        self.older.clear();
        self.heads.clear();
        self.heads.resize(buckets, NONE);
    }
}

/// Multiplicative hashing; `buckets` is a power of two.
fn bucket(key: impl Iterator<Item = TermId>, buckets: usize) -> usize {
    let hash = key.fold(0u64, |hash, term| {
        (hash.rotate_left(23) ^ u64::from(term.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    (hash >> 32) as usize & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[u32]) -> Vec<TermId> {
        cells.iter().map(|&cell| TermId(cell)).collect()
    }

    #[test]
    fn keeps_rows_a_set_and_finds_them_by_any_columns() {
        let mut relation = Relation::new(3);
        let second = relation.index_on(&[1]);
        for n in 0..1000 {
            assert!(relation.insert(&row(&[n, n % 10, 7])));
            assert!(!relation.insert(&row(&[n, n % 10, 7])));
        }
        relation.refresh(second);
        let key = row(&[4]);
        let found = std::iter::successors(relation.first(second, &key), |&at| {
            relation.after(second, at, &key)
        });
        assert_eq!(found.count(), 100);
        assert_eq!(relation.distinct_counts(), [1000, 10, 1]);
        relation.clear();
        assert!(!relation.contains(&row(&[1, 1, 7])));
        assert!(relation.insert(&row(&[1, 1, 7])));
    }

    #[test]
    fn a_relation_without_columns_is_true_or_false() {
        let mut flag = Relation::new(0);
        assert!(!flag.contains(&[]));
        assert!(flag.insert(&[]));
        assert!(!flag.insert(&[]));
        assert_eq!(flag.len(), 1);
    }
}
