//! Short symbols and colours for what stands on squares.

use std::collections::{BTreeMap, BTreeSet};

use crate::info::board::{CellContents, colour_name, side_name, single_contents};

/// The colour of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SideColour {
    /// The one that the name of the side begins with, of [`COLOUR_NAMES`](crate::info::board::COLOUR_NAMES).
    Named(&'static str),
    /// The side names none: one of [`SideColour::OTHERS`] colours.
    Other(usize),
    /// No side's: a number that counts something, such as the sticks in a heap.
    Neutral,
}

impl SideColour {
    /// How many colours there are for sides that name none.
    pub(super) const OTHERS: usize = 6;
}

/// How a content is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symbol {
    /// A few letters or signs.
    pub(super) text: String,
    pub(super) colour: SideColour,
}

/// Symbols and colours of the contents of one board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Legend {
    symbols: BTreeMap<String, Symbol>,
    /// Characters of the longest symbol.
    pub(super) width: usize,
}

impl Legend {
    /// Symbols of contents: those that `symbols` names, or letters of their names; `chosen` are colours of some contents.
    pub(super) fn new(
        contents: &CellContents,
        symbols: &BTreeMap<String, String>,
        chosen: &BTreeMap<String, &'static str>,
    ) -> Self {
        let is_shown = |name: &&String| !contents.is_blank(name);
        let shown: Vec<&String> = contents.names.iter().filter(is_shown).collect();
        let words: BTreeSet<&str> = shown.iter().map(|name| name.as_str()).collect();
        let colours = colours(&words);
        // Numbers of players and of pieces are few. If there are more than colours, unlike ones would look alike.
        let are_counts = words.iter().filter(|word| is_number(word)).count() > SideColour::OTHERS;
        let short = distinct_symbols(&words);
        let symbol = |(name, short): (&&str, String)| {
            let symbol = Symbol {
                text: symbols.get(*name).cloned().unwrap_or(short),
                colour: match chosen.get(*name) {
                    Some(name) => SideColour::Named(name),
                    None if are_counts && is_number(name) => SideColour::Neutral,
                    None => colours[side_name(name)],
                },
            };
            ((*name).to_owned(), symbol)
        };
        let symbols: BTreeMap<String, Symbol> = words.iter().zip(short).map(symbol).collect();
        let width = symbols.values().map(|symbol| symbol.text.chars().count());
        let width = width.max();
        Self {
            width: width.unwrap_or(1),
            symbols,
        }
    }

    /// The symbol of a content; `None` where the square is empty.
    pub(super) fn symbol(&self, content: &str) -> Option<&Symbol> {
        self.symbols.get(content)
    }

    /// The same for a point, which may hold several things: of the first one that has a symbol.
    pub(super) fn symbol_of_several(&self, content: &str) -> Option<&Symbol> {
        single_contents(content).find_map(|content| self.symbol(content))
    }

    /// Symbols that differ from the contents they stand for, with these contents.
    pub(super) fn explained(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self
            .symbols
            .iter()
            .map(|(name, symbol)| (symbol.text.as_str(), name.as_str()));
        pairs.filter(|(symbol, name)| symbol != name)
    }
}

fn colours<'n>(names: &BTreeSet<&'n str>) -> BTreeMap<&'n str, SideColour> {
    let sides: BTreeSet<&str> = names.iter().map(|name| side_name(name)).collect();
    let are_white_and_black = sides.contains("w") && sides.contains("b");
    let mut others = (0..SideColour::OTHERS).cycle();
    let mut colour = |side: &str| match (side, colour_name(side)) {
        ("w", _) if are_white_and_black => SideColour::Named("white"),
        ("b", _) if are_white_and_black => SideColour::Named("black"),
        (_, Some(name)) => SideColour::Named(name),
        (_, None) => SideColour::Other(others.next().unwrap_or(0)),
    };
    sides.into_iter().map(|side| (side, colour(side))).collect()
}

/// Short forms of labels, all different.
pub(super) fn short_names(labels: &[String]) -> Vec<String> {
    let words: BTreeSet<&str> = labels.iter().map(String::as_str).collect();
    let short: BTreeMap<&str, String> = words
        .iter()
        .copied()
        .zip(distinct_symbols(&words))
        .collect();
    let short = labels.iter().map(|label| short[label.as_str()].clone());
    short.collect()
}

/// A symbol for each name; names whose symbols would be the same get a number.
fn distinct_symbols(names: &BTreeSet<&str>) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut distinct = |name: &&str| {
        let short = symbol(name, names);
        let first: String = short.chars().take(2).collect();
        let numbered = (2..).map(|number: usize| format!("{first}{number}"));
        let mut ways = std::iter::once(short).chain(numbered);
        let free = ways.find(|way| taken.insert(way.clone()));
        free.unwrap_or_default()
    };
    names.iter().map(&mut distinct).collect()
}

fn is_number(name: &str) -> bool {
    name.parse::<i64>().is_ok()
}

/// The letters that distinguish `name` from the others: the first, and those where other names begin to differ, at
/// most five.
fn symbol(name: &str, names: &BTreeSet<&str>) -> String {
    const LONGEST: usize = 5;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= 2 || (is_number(name) && letters.len() <= LONGEST) {
        return name.to_owned();
    }
    let mut symbol: Vec<char> = letters.first().copied().into_iter().collect();
    for length in 1..letters.len() {
        let start: String = letters[..length].iter().collect();
        let follows = |other: &&str| {
            let rest = other.strip_prefix(start.as_str())?;
            Some(rest.chars().next())
        };
        let next: BTreeSet<Option<char>> = names.iter().filter_map(follows).collect();
        if next.len() > 1 && symbol.len() < LONGEST {
            let is_alphanumeric = |letter: &&char| letter.is_alphanumeric();
            symbol.extend(letters[length..].iter().find(is_alphanumeric));
        }
    }
    symbol.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols of contents, each as common as its place in the list says: the first is the most common.
    fn symbols(names: &[&str]) -> String {
        let counts = names.iter().rev().enumerate();
        let counts = counts
            .map(|(count, name)| ((*name).to_owned(), count + 1))
            .collect();
        let legend = Legend::new(
            &CellContents::new(&counts),
            &BTreeMap::new(),
            &BTreeMap::new(),
        );
        let symbols = names
            .iter()
            .map(|name| legend.symbol(name).map_or("·", |symbol| &symbol.text));
        symbols.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_that_count_have_no_colour_of_a_side() {
        let colours = |most: usize| {
            let counts = (1..=most).map(|number| (number.to_string(), 1)).collect();
            let contents = CellContents::new(&counts);
            let legend = Legend::new(&contents, &BTreeMap::new(), &BTreeMap::new());
            let colour = |number: usize| legend.symbol(&number.to_string()).unwrap().colour;
            (colour(1), colour(2))
        };
        assert_eq!(colours(2), (SideColour::Other(0), SideColour::Other(1)));
        assert_eq!(colours(9), (SideColour::Neutral, SideColour::Neutral));
    }

    #[test]
    fn symbols_are_short_and_distinct() {
        assert_eq!(symbols(&["b", "o", "x"]), "· o x");
        assert_eq!(symbols(&["e", "w", "b"]), "· w b");
        assert_eq!(symbols(&["1", "2", "b"]), "1 2 ·");
        assert_eq!(symbols(&["w", "b"]), "w b");
        assert_eq!(symbols(&["b", "dirt", "w", "r"]), "· · w r");
        assert_eq!(symbols(&["black", "blank", "red"]), "b · r");
        assert_eq!(symbols(&["b", "bk", "bq", "wk"]), "· bk bq wk");
        assert_eq!(symbols(&["blackKing", "blackPawn", "whiteKing"]), "bK bP w");
        assert_eq!(
            symbols(&["black", "black_king", "red", "red_king", "blank"]),
            "b bk r rk ·"
        );
        assert_eq!(symbols(&["b", "1", "10", "15"]), "· 1 10 15");
        assert_eq!(
            symbols(&["king white", "knight white", "king black"]),
            "kiw kn kib"
        );
    }
}
