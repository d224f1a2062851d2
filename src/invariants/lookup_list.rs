//! [`LookupList`]: a list that tells at once what is on it.

use std::ops::Deref;

use super::transition_system::AtomId;
use crate::ground::SentenceId;

/// What has a number, small enough to be a place in a vector.
pub(super) trait Numbered: Copy {
    fn number(self) -> usize;
}

impl Numbered for AtomId {
    fn number(self) -> usize {
        self as usize
    }
}

impl Numbered for SentenceId {
    fn number(self) -> usize {
        self.0 as usize
    }
}

/// A list that tells at once what is on it.
#[derive(Debug)]
pub(super) struct LookupList<T> {
    items: Vec<T>,
    /// For each number, the round in which the item of that number was last added.
    added: Vec<u32>,
    /// Ends when the list is cleared.
    round: u32,
}

impl<T> Default for LookupList<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            added: Vec::new(),
            round: 1,
        }
    }
}

impl<T> Deref for LookupList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: Numbered> LookupList<T> {
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.round += 1;
    }

    pub(super) fn extend_from_slice(&mut self, items: &[T]) {
        self.items.extend_from_slice(items);
        for item in items {
            let number = item.number();
            if self.added.len() <= number {
                self.added.resize(number + 1, 0);
            }
            self.added[number] = self.round;
        }
    }

    pub(super) fn has(&self, item: T) -> bool {
        self.added.get(item.number()) == Some(&self.round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_what_was_added_since_it_was_cleared() {
        let mut list = LookupList::default();
        let has = |list: &LookupList<AtomId>| [0, 3, 5, 9].map(|item| list.has(item));
        assert_eq!(has(&list), [false; 4]);
        list.extend_from_slice(&[3, 0]);
        list.extend_from_slice(&[3]);
        assert_eq!(has(&list), [true, true, false, false]);
        assert_eq!(list[..], [3, 0, 3]);
        list.clear();
        assert_eq!(has(&list), [false; 4]);
        list.extend_from_slice(&[5]);
        assert_eq!(has(&list), [false, false, true, false]);
        assert_eq!(list[..], [5]);
    }
}
