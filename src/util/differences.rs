//! Numbers in few bytes: each as its difference from an earlier one, in as many bytes as it takes.

use integer_encoding::VarInt;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

/// The most bytes that a difference takes.
const MOST_BYTES: usize = 5;

/// Writes numbers.
#[derive(Debug, Default)]
pub(super) struct DifferenceWriter(Vec<u8>);

impl DifferenceWriter {
    /// Writes a number that differs little from an `earlier` one.
    pub(super) fn put(&mut self, number: u32, earlier: u32) {
        let mut bytes = [0; MOST_BYTES];
        let difference = i64::from(number) - i64::from(earlier);
        let len = difference.encode_var(&mut bytes);
        self.0.extend(&bytes[..len]);
    }

    pub(super) fn finish<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// Reads what such a writer wrote. Any other bytes give other numbers, or none.
#[derive(Debug)]
pub(super) struct DifferenceReader<'de>(&'de [u8]);

impl<'de> DifferenceReader<'de> {
    pub(super) fn new<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(Self)
    }

    /// The next number, which was written with the same `earlier` one; `None` if none comes.
    pub(super) fn take(&mut self, earlier: u32) -> Option<u32> {
        let (difference, len) = i64::decode_var(self.0)?;
        self.0 = &self.0[len..];
        let number = i64::from(earlier).checked_add(difference)?;
        number.try_into().ok()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }
}

/// For `serde(with)`: a list of rows, each number as its difference from the one above it. Last columns that are zero in all rows are left out.
pub(crate) mod rows {
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

    pub(crate) fn serialize<T: NumberRow, S: Serializer>(
        rows: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let columns_of = |row: &T| {
            let numbers = row.numbers();
            let last = numbers.as_ref().iter().rposition(|number| *number != 0);
            last.map_or(1, |last| last + 1)
        };
        let columns = rows.iter().map(columns_of).max().unwrap_or(1);
        let mut writer = DifferenceWriter::default();
        writer.put(columns as u32, 0);
        writer.put(rows.len() as u32, 0);
        let mut earlier = T::Numbers::default();
        for row in rows {
            let numbers = row.numbers();
            let pairs = numbers.as_ref().iter().zip(earlier.as_ref());
            for (number, earlier) in pairs.take(columns) {
                writer.put(*number, *earlier);
            }
            earlier = numbers;
        }
        writer.finish(serializer)
    }

    pub(crate) fn deserialize<'de, T: NumberRow, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let reader = DifferenceReader::new(deserializer)?;
        read(reader).ok_or_else(|| D::Error::custom("malformed rows"))
    }

    fn read<T: NumberRow>(mut reader: DifferenceReader<'_>) -> Option<Vec<T>> {
        let mut row = T::Numbers::default();
        let columns = reader.take(0)? as usize;
        row.as_ref().get(..columns)?;
        let count = reader.take(0)? as usize;
        // Each row takes a byte or more, so that other bytes cannot ask for much memory.
        if columns == 0 || count > reader.0.len() {
            return None;
        }
        let mut rows = Vec::with_capacity(count);
        for _ in 0..count {
            for number in &mut row.as_mut()[..columns] {
                *number = reader.take(*number)?;
            }
            rows.push(T::of_numbers(row));
        }
        reader.is_at_end().then_some(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Serialize, Deserialize)]
    struct Rows(#[serde(with = "rows")] Vec<[u32; 2]>);

    /// The bytes of rows, from which they can be read again.
    fn bytes(rows: Vec<[u32; 2]>) -> Vec<u8> {
        let rows = Rows(rows);
        let bytes = postcard::to_stdvec(&rows).unwrap();
        assert_eq!(postcard::from_bytes::<Rows>(&bytes), Ok(rows));
        bytes
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
        assert!(bytes(rows(0)).len() < 1_010);
        assert!(bytes(rows(1_000)).len() < 2_020);
    }

    #[test]
    fn other_bytes_are_an_error() {
        let all: &[&[u8]] = &[
            &[],
            &[2],
            &[4, 2, 2],
            &[2, 4, 2],
            &[0, 2],
            &[6, 0],
            &[6, 2, 2, 2, 2],
            &[2, 2, 0x80],
            &[2, 2, 1],
            &[2, 2, 2, 2],
            &[2, 2, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
            &[
                2, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
            ],
        ];
        for bytes in all {
            let bytes = postcard::to_stdvec(bytes).unwrap();
            assert!(postcard::from_bytes::<Rows>(&bytes).is_err(), "{bytes:?}");
        }
    }
}
