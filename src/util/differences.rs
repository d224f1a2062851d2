//! Numbers that differ little from earlier ones, as these differences (delta encoding).

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::small_numbers::SmallNumbers;

/// How a number differs from an `earlier` one: a small number if the two are close, whichever is larger (zigzag encoding).
pub(super) fn difference(number: u32, earlier: u32) -> u32 {
    let difference = number.wrapping_sub(earlier).cast_signed();
    (difference << 1 ^ difference >> 31).cast_unsigned()
}

/// The number that differs so from an `earlier` one.
pub(super) fn number(difference: u32, earlier: u32) -> u32 {
    let magnitude = difference >> 1;
    let sign = (difference & 1).wrapping_neg();
    earlier.wrapping_add(magnitude ^ sign)
}

/// For `serde(with)`: a list of rows, each number as its difference from the one above it. Last columns that are zero in all rows are left out.
pub(crate) mod rows {
    use serde::de::Error as _;

    use super::*;

    /// A few numbers that say all of a value: `of_numbers(value.numbers())` is that value.
    pub(crate) trait NumberRow {
        type Numbers: AsRef<[u32]> + AsMut<[u32]> + Default + Copy;

        fn numbers(&self) -> Self::Numbers;
        fn of_numbers(numbers: Self::Numbers) -> Self;
    }

    impl<const N: usize> NumberRow for [u32; N]
    where
        [u32; N]: Default,
    {
        type Numbers = Self;

        fn numbers(&self) -> Self {
            *self
        }

        fn of_numbers(numbers: Self) -> Self {
            numbers
        }
    }

    /// What is kept of rows.
    #[derive(Serialize, Deserialize)]
    pub(super) struct RowDifferences {
        pub(super) count: u32,
        /// The differences of `count` rows, column by column.
        pub(super) differences: SmallNumbers,
    }

    pub(crate) fn serialize<T: NumberRow, S: Serializer>(
        rows: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let columns_of = |row: &T| {
            let numbers = row.numbers();
            let last = numbers.as_ref().iter().rposition(|number| *number != 0);
            last.map_or(1, |last| last + 1)
        };
        let columns = rows.iter().map(columns_of).max().unwrap_or(0);
        let mut differences = Vec::with_capacity(columns * rows.len());
        for column in 0..columns {
            let mut earlier = 0;
            for row in rows {
                let number = row.numbers().as_ref()[column];
                differences.push(difference(number, earlier));
                earlier = number;
            }
        }
        let columns = RowDifferences {
            count: rows.len() as u32,
            differences: SmallNumbers(differences),
        };
        columns.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: NumberRow, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let columns = RowDifferences::deserialize(deserializer)?;
        read(&columns).ok_or_else(|| D::Error::custom("malformed rows"))
    }

    fn read<T: NumberRow>(columns: &RowDifferences) -> Option<Vec<T>> {
        let count = columns.count as usize;
        let differences = &columns.differences.0[..];
        let width = differences.len().checked_div(count).unwrap_or(0);
        T::Numbers::default().as_ref().get(..width)?;
        if differences.len() != width * count || (width == 0) != (count == 0) {
            return None;
        }
        let mut rows = vec![T::Numbers::default(); count];
        for (column, differences) in differences.chunks(count.max(1)).enumerate() {
            let mut last = 0;
            for (row, difference) in rows.iter_mut().zip(differences) {
                last = number(*difference, last);
                row.as_mut()[column] = last;
            }
        }
        Some(rows.into_iter().map(T::of_numbers).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::fixture::kept;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Rows(#[serde(with = "rows")] Vec<[u32; 2]>);

    fn bytes(rows: Vec<[u32; 2]>) -> Vec<u8> {
        kept(&Rows(rows))
    }

    #[test]
    fn close_numbers_differ_little() {
        assert_eq!([7, 8, 9].map(|number| difference(number, 8)), [1, 0, 2]);
        let all = [0, 1, 2, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, u32::MAX];
        for (one, other) in all.iter().flat_map(|one| all.map(|other| (*one, other))) {
            assert_eq!(number(difference(one, other), other), one);
        }
    }

    #[test]
    fn rows_are_as_they_were_written() {
        bytes(vec![]);
        bytes(vec![[0, 0]; 3]);
        bytes(vec![[0, 1 << 31], [u32::MAX, 5], [(1 << 31) - 1, u32::MAX]]);
    }

    #[test]
    fn rows_that_differ_little_take_few_bytes() {
        let rows = |last: u32| (0..1000).map(move |row| [100_000 + row, last]).collect();
        assert!(bytes(rows(0)).len() < 500);
        assert!(bytes(rows(1_000)).len() < 700);
    }

    #[test]
    fn other_bytes_are_an_error() {
        for (count, differences) in [(0, 1), (1, 0), (1, 3), (2, 3), (3, 2), (u32::MAX, 2)] {
            let columns = rows::RowDifferences {
                count,
                differences: SmallNumbers(vec![1; differences]),
            };
            let bytes = postcard::to_stdvec(&columns).unwrap();
            assert!(postcard::from_bytes::<Rows>(&bytes).is_err(), "{count}");
        }
        assert!(postcard::from_bytes::<Rows>(&[]).is_err());
    }
}
