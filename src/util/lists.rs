//! Many short lists, or texts, in one piece of memory each.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::differences::{difference, number, rows};
use super::small_numbers::SmallNumbers;

/// Lists, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists<T> {
    /// Where each ends.
    ends: Vec<u32>,
    /// The items of all.
    items: Vec<T>,
}

impl<T> Lists<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The list of this number.
    pub fn list(&self, number: usize) -> &[T] {
        &self.items[start(&self.ends, number)..self.ends[number] as usize]
    }

    /// All lists.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|number| self.list(number))
    }

    /// The items of all lists, in their order.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The same lists of other items.
    pub fn map<U>(&self, item: impl FnMut(&T) -> U) -> Lists<U> {
        Lists {
            ends: self.ends.clone(),
            items: self.items.iter().map(item).collect(),
        }
    }
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            ends: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Lists<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut all = Self::default();
        for list in lists {
            all.items.extend(list);
            all.ends.push(all.items.len() as u32);
        }
        all
    }
}

/// What is kept of lists: differences of lengths from those of the lists before, and of items from those at the same places there.
#[derive(Serialize, Deserialize)]
struct ListDifferences {
    lens: SmallNumbers,
    items: SmallNumbers,
}

impl Serialize for Lists<u32> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut lens, mut items) = (Vec::new(), Vec::new());
        let mut earlier: &[u32] = &[];
        for list in self.iter() {
            lens.push(difference(list.len() as u32, earlier.len() as u32));
            for (place, item) in list.iter().enumerate() {
                items.push(difference(*item, earlier.get(place).copied().unwrap_or(0)));
            }
            earlier = list;
        }
        let (lens, items) = (SmallNumbers(lens), SmallNumbers(items));
        ListDifferences { lens, items }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Lists<u32> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let differences = ListDifferences::deserialize(deserializer)?;
        Self::read(&differences).ok_or_else(|| D::Error::custom("malformed lists"))
    }
}

impl Lists<u32> {
    fn read(differences: &ListDifferences) -> Option<Self> {
        let mut lists = Self {
            ends: Vec::with_capacity(differences.lens.0.len()),
            items: Vec::with_capacity(differences.items.0.len()),
        };
        let mut rest = &differences.items.0[..];
        let (mut start, mut len) = (0, 0);
        for of_len in &differences.lens.0 {
            len = number(*of_len, len);
            let (of_items, others) = rest.split_at_checked(len as usize)?;
            let end = lists.items.len();
            for (place, of_item) in (start..).zip(of_items) {
                let earlier = if place < end { lists.items[place] } else { 0 };
                lists.items.push(number(*of_item, earlier));
            }
            (start, rest) = (end, others);
            lists.ends.push(lists.items.len() as u32);
        }
        rest.is_empty().then_some(lists)
    }
}

/// Texts, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "FrontCoded", try_from = "FrontCoded")]
pub(crate) struct Texts {
    /// Where each ends.
    ends: Vec<u32>,
    all: String,
}

impl Texts {
    /// The text of this number.
    pub(crate) fn text(&self, number: usize) -> &str {
        &self.all[start(&self.ends, number)..self.ends[number] as usize]
    }
}

impl FromIterator<String> for Texts {
    fn from_iter<I: IntoIterator<Item = String>>(texts: I) -> Self {
        let mut all = Self::default();
        for text in texts {
            all.all.push_str(&text);
            all.ends.push(all.all.len() as u32);
        }
        all
    }
}

/// What is kept of texts: of each, what follows the beginning that it has in common with the text before (front coding).
#[derive(Serialize, Deserialize)]
struct FrontCoded {
    /// For each text the bytes that it has in common, and those that follow.
    #[serde(with = "rows")]
    lens: Vec<[u32; 2]>,
    rests: String,
}

impl From<Texts> for FrontCoded {
    fn from(texts: Texts) -> Self {
        let mut coded = Self {
            lens: Vec::new(),
            rests: String::new(),
        };
        let mut earlier = "";
        for number in 0..texts.ends.len() {
            let text = texts.text(number);
            let pairs = text.char_indices().zip(earlier.chars());
            let common = pairs
                .take_while(|((_, one), other)| one == other)
                .map(|((place, one), _)| place + one.len_utf8())
                .last()
                .unwrap_or(0);
            let rest = &text[common..];
            coded.lens.push([common, rest.len()].map(|len| len as u32));
            coded.rests.push_str(rest);
            earlier = text;
        }
        coded
    }
}

impl TryFrom<FrontCoded> for Texts {
    type Error = &'static str;

    fn try_from(coded: FrontCoded) -> Result<Self, Self::Error> {
        Self::read(&coded).ok_or("malformed texts")
    }
}

impl Texts {
    fn read(coded: &FrontCoded) -> Option<Self> {
        let mut texts = Self {
            ends: Vec::with_capacity(coded.lens.len()),
            all: String::new(),
        };
        let mut rests = &coded.rests[..];
        let mut start = 0;
        for &[common, len] in &coded.lens {
            let common = start..start + common as usize;
            texts.all.get(common.clone())?;
            start = texts.all.len();
            texts.all.extend_from_within(common);
            let (rest, others) = rests.split_at_checked(len as usize)?;
            texts.all.push_str(rest);
            rests = others;
            texts.ends.push(texts.all.len().try_into().ok()?);
        }
        rests.is_empty().then_some(texts)
    }
}

/// Where the list of a number starts.
fn start(ends: &[u32], number: usize) -> usize {
    number
        .checked_sub(1)
        .map_or(0, |before| ends[before] as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::fixture::kept;

    #[test]
    fn lists_are_what_they_were_made_of() {
        let lists: Lists<u32> = [vec![1, 2], vec![], vec![3]].into_iter().collect();
        assert_eq!(lists.len(), 3);
        let all: Vec<&[u32]> = lists.iter().collect();
        assert_eq!(all, [&[1, 2][..], &[], &[3]]);
        assert_eq!(lists.items(), [1, 2, 3]);
        assert_eq!(lists.map(|item| item * 2).list(0), [2, 4]);
        assert!(!lists.is_empty() && Lists::<u32>::default().is_empty());
    }

    #[test]
    fn lists_are_as_they_were_written() {
        kept(&Lists::default());
        kept(&Lists::from_iter([
            vec![],
            vec![u32::MAX, 0],
            vec![],
            vec![7],
        ]));
        let alike = (0..100).map(|number| [100_000, 200_000 + number, 300_000]);
        assert!(kept(&Lists::from_iter(alike)).len() < 250);
        for (lens, items) in [
            (&[2][..], &[][..]),
            (&[], &[1]),
            (&[2, 0], &[1]),
            (&[1], &[1]),
        ] {
            let [lens, items] = [lens, items].map(|numbers| SmallNumbers(numbers.to_vec()));
            let damaged = postcard::to_stdvec(&ListDifferences { lens, items }).unwrap();
            assert!(postcard::from_bytes::<Lists<u32>>(&damaged).is_err());
        }
    }

    #[test]
    fn texts_are_what_they_were_made_of() {
        let texts = ["(move a b)", "", "é"].map(String::from);
        let all: Texts = texts.iter().cloned().collect();
        assert_eq!([0, 1, 2].map(|number| all.text(number)), texts);
    }

    #[test]
    fn texts_are_as_they_were_written() {
        kept(&Texts::default());
        let texts = [
            "",
            "(move é)",
            "(move è)",
            "(move",
            "(move é 2)",
            "(move é 2)",
        ];
        kept(&Texts::from_iter(texts.map(String::from)));
        let alike = (0..100).map(|number| format!("(move white queen {})", 100 + number));
        assert!(kept(&Texts::from_iter(alike)).len() < 500);
        let coded = |lens: &[[u32; 2]], rests: &str| FrontCoded {
            lens: lens.to_vec(),
            rests: rests.to_owned(),
        };
        for damaged in [
            coded(&[[1, 0]], ""),
            coded(&[[0, 2]], "a"),
            coded(&[[0, 1]], "ab"),
            coded(&[[0, 1]], "é"),
            coded(&[[0, 1], [0, 1]], "é"),
            coded(&[[0, 2], [1, 0]], "é"),
            coded(&[[0, 1], [1, 0], [2, 0]], "a"),
        ] {
            assert!(Texts::try_from(damaged).is_err());
        }
    }
}
