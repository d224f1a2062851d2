//! What cells hold: which contents mean that a cell is empty, and which side a content belongs to.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What the cells of a board hold in some states: every content, and those that mean that a cell is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CellContents {
    /// Every content.
    pub names: BTreeSet<String>,
    blanks: BTreeSet<String>,
}

impl CellContents {
    /// From all contents, each with the number of cells that hold it in the first state.
    pub fn new(counts: &BTreeMap<String, usize>) -> Self {
        let is_blank = |name: &&String| is_blank(name, counts);
        Self {
            names: counts.keys().cloned().collect(),
            blanks: counts.keys().filter(is_blank).cloned().collect(),
        }
    }

    /// Takes a content for empty, whatever its name.
    pub(super) fn add_blank(&mut self, content: &str) {
        self.blanks.insert(content.to_owned());
    }

    /// Whether a cell with this content is empty.
    pub fn is_blank(&self, content: &str) -> bool {
        self.blanks.contains(content)
    }

    /// Forgets all contents but blanks and those that are shown.
    pub fn keep<'c>(&mut self, shown: impl Iterator<Item = &'c str>) {
        let shown = shown.map(str::to_owned);
        self.names = shown.chain(self.blanks.iter().cloned()).collect();
    }

    pub(super) fn have_blanks(&self) -> bool {
        !self.blanks.is_empty()
    }
}

/// Short names such as `b` are taken for blank only where no better name occurs and they are the most common content
/// at first, since `b` may well be black.
fn is_blank(content: &str, counts: &BTreeMap<String, usize>) -> bool {
    const SURE: [&str; 11] = [
        "blank", "empty", "none", "nil", "free", "clear", "vacant", "nothing", "-", ".", "_",
    ];
    const FLOOR: [&str; 2] = ["dirt", "ground"];
    const MAYBE: [&str; 4] = ["b", "e", "0", "green"];
    let is_one_of =
        |names: &[&str], content: &str| names.iter().any(|name| content.eq_ignore_ascii_case(name));
    if is_one_of(&SURE, content) || is_one_of(&FLOOR, content) {
        return true;
    }
    let others = || {
        counts
            .iter()
            .filter(|(other, _)| *other != content && !is_one_of(&FLOOR, other))
    };
    let own = counts.get(content).copied().unwrap_or(0);
    let is_most = own > 0 && others().all(|(_, count)| *count < own);
    let is_word_among_numbers = others().count() > 0
        && content.parse::<i64>().is_err()
        && others().all(|(other, _)| other.parse::<i64>().is_ok());
    let better = others().any(|(other, _)| is_one_of(&SURE, other));
    let is_clear = content != "green" || others().any(|(other, _)| is_one_of(&["white"], other));
    is_one_of(&MAYBE, content) && (is_most || is_word_among_numbers) && !better && is_clear
}

/// The colours that names of contents begin with.
pub const COLOUR_NAMES: [&str; 14] = [
    "white", "light", "black", "dark", "red", "blue", "green", "yellow", "gold", "orange", "pink",
    "purple", "magenta", "teal",
];

/// The part of a content's name that it shares with others of its side: `white` in `white_king`, `w` in `wk`.
pub fn side_name(content: &str) -> &str {
    if let Some(colour) = colour_name(content) {
        return &content[..colour.len()];
    }
    let end = content.find([' ', '_', '-']).unwrap_or(content.len());
    let first = content.chars().next().map_or(0, char::len_utf8);
    // Two letters, or three of a game like chess: the king's pawn of white.
    let is_code = end == content.len()
        && (content.len() == 2 || content.len() == 3 && content.starts_with(['w', 'b']));
    &content[..if is_code { first } else { end }]
}

/// The colour that a name begins with, in any case.
pub fn colour_name(name: &str) -> Option<&'static str> {
    let begins = |colour: &&str| {
        name.get(..colour.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(colour))
    };
    COLOUR_NAMES.into_iter().find(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_of_a_side_share_its_name() {
        assert_eq!(side_name("wk"), "w");
        assert_eq!(side_name("bpe"), "b");
        assert_eq!(side_name("whiteKing"), "white");
        assert_eq!(side_name("red_king"), "red");
        assert_eq!(side_name("snake head"), "snake");
        assert_eq!(side_name("x"), "x");
    }
}
