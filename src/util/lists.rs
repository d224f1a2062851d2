//! Many short lists, or texts, in one piece of memory each.

use serde::{Deserialize, Serialize};

/// Lists, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// Texts, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// Where the list of a number starts.
fn start(ends: &[u32], number: usize) -> usize {
    number
        .checked_sub(1)
        .map_or(0, |before| ends[before] as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn texts_are_what_they_were_made_of() {
        let texts = ["(move a b)", "", "é"].map(String::from);
        let all: Texts = texts.iter().cloned().collect();
        assert_eq!([0, 1, 2].map(|number| all.text(number)), texts);
    }
}
