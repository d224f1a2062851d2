//! What stands on squares: which contents mean nothing, and short symbols and colours for the others.

use std::collections::{BTreeMap, BTreeSet};

use anstyle::{AnsiColor, Color, Style};

/// What stands on a board in some states: every content, and those that mean that a square is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Contents {
    pub(super) names: BTreeSet<String>,
    blanks: BTreeSet<String>,
}

impl Contents {
    /// From all contents, each with the number of squares it stands on in the first state.
    pub(super) fn new(counts: &BTreeMap<String, usize>) -> Self {
        let is_blank = |name: &&String| is_blank(name, counts);
        Self {
            names: counts.keys().cloned().collect(),
            blanks: counts.keys().filter(is_blank).cloned().collect(),
        }
    }

    /// Takes a content for empty, whatever it is called.
    pub(super) fn add_blank(&mut self, content: &str) {
        self.blanks.insert(content.to_owned());
    }

    pub(super) fn is_blank(&self, content: &str) -> bool {
        self.blanks.contains(content)
    }

    /// Forgets all contents but blanks and those that are really shown.
    pub(super) fn keep<'c>(&mut self, shown: impl Iterator<Item = &'c String>) {
        self.names = shown.cloned().chain(self.blanks.iter().cloned()).collect();
    }

    pub(super) fn have_blanks(&self) -> bool {
        !self.blanks.is_empty()
    }
}

/// Short names such as `b` are taken for blank only where no better one is there and they are the most common one at
/// first, since `b` may well be black.
fn is_blank(content: &str, counts: &BTreeMap<String, usize>) -> bool {
    const SURE: [&str; 11] = [
        "blank", "empty", "none", "nil", "free", "clear", "vacant", "nothing", "-", ".", "_",
    ];
    const GROUND: [&str; 2] = ["dirt", "ground"];
    const MAYBE: [&str; 4] = ["b", "e", "0", "green"];
    let is_one_of =
        |names: &[&str], content: &str| names.iter().any(|name| content.eq_ignore_ascii_case(name));
    if is_one_of(&SURE, content) || is_one_of(&GROUND, content) {
        return true;
    }
    let others = || {
        counts
            .iter()
            .filter(|(other, _)| *other != content && !is_one_of(&GROUND, other))
    };
    let own = counts.get(content).copied().unwrap_or(0);
    let is_most = own > 0 && others().all(|(_, count)| *count < own);
    let is_word_among_numbers = others().count() > 0
        && content.parse::<i64>().is_err()
        && others().all(|(other, _)| other.parse::<i64>().is_ok());
    let better = others().any(|(other, _)| is_one_of(&SURE, other));
    let is_told = content != "green" || others().any(|(other, _)| is_one_of(&["white"], other));
    is_one_of(&MAYBE, content) && (is_most || is_word_among_numbers) && !better && is_told
}

/// The part of a content's name that it shares with others of its side: `white` in `white_king`, `w` in `wk`.
pub(super) fn family(content: &str) -> &str {
    let colours = COLOURS.iter().map(|(name, _)| *name);
    if let Some(colour) = colours.into_iter().find(|colour| begins(content, colour)) {
        return &content[..colour.len()];
    }
    let end = content.find([' ', '_', '-']).unwrap_or(content.len());
    let first = content.chars().next().map_or(0, char::len_utf8);
    let is_code = end == content.len() && content.len() == 2;
    &content[..if is_code { first } else { end }]
}

fn begins(content: &str, colour: &str) -> bool {
    content
        .get(..colour.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(colour))
}

const COLOURS: [(&str, AnsiColor); 14] = [
    ("white", AnsiColor::BrightWhite),
    ("light", AnsiColor::BrightWhite),
    ("black", AnsiColor::BrightBlue),
    ("dark", AnsiColor::BrightBlue),
    ("red", AnsiColor::BrightRed),
    ("blue", AnsiColor::BrightBlue),
    ("green", AnsiColor::BrightGreen),
    ("yellow", AnsiColor::BrightYellow),
    ("gold", AnsiColor::BrightYellow),
    ("orange", AnsiColor::Yellow),
    ("pink", AnsiColor::BrightMagenta),
    ("purple", AnsiColor::Magenta),
    ("magenta", AnsiColor::BrightMagenta),
    ("teal", AnsiColor::BrightCyan),
];

/// Colours for families that name none, in the order in which they are given out.
const PALETTE: [AnsiColor; 6] = [
    AnsiColor::BrightYellow,
    AnsiColor::BrightCyan,
    AnsiColor::BrightMagenta,
    AnsiColor::BrightGreen,
    AnsiColor::BrightRed,
    AnsiColor::BrightBlue,
];

/// Symbols and colours of the contents of one board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Legend {
    symbols: BTreeMap<String, (String, Style)>,
    /// Characters of the longest symbol.
    pub(super) width: usize,
}

impl Legend {
    pub(super) fn new(contents: &Contents) -> Self {
        let is_shown = |name: &&String| !contents.is_blank(name);
        let shown: Vec<&String> = contents.names.iter().filter(is_shown).collect();
        let words: BTreeSet<&str> = shown.iter().map(|name| name.as_str()).collect();
        let colours = colours(&words);
        let symbols: BTreeMap<String, (String, Style)> = words
            .iter()
            .map(|name| {
                let style = colours.get(family(name)).copied().unwrap_or_default();
                ((*name).to_owned(), (symbol(name, &words), style))
            })
            .collect();
        let width = symbols
            .values()
            .map(|(symbol, _)| symbol.chars().count())
            .max();
        Self {
            width: width.unwrap_or(1),
            symbols,
        }
    }

    /// The symbol and style of a content; `None` where the square is empty.
    pub(super) fn symbol(&self, content: &str) -> Option<(&str, Style)> {
        self.symbols
            .get(content)
            .map(|(symbol, style)| (symbol.as_str(), *style))
    }

    /// Symbols that do not speak for themselves, with the contents they stand for.
    pub(super) fn explained(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self
            .symbols
            .iter()
            .map(|(name, (symbol, _))| (symbol.as_str(), name.as_str()));
        pairs.filter(|(symbol, name)| symbol != name)
    }
}

fn colours<'n>(names: &BTreeSet<&'n str>) -> BTreeMap<&'n str, Style> {
    let families: BTreeSet<&str> = names.iter().map(|name| family(name)).collect();
    let mut palette = PALETTE.iter().cycle();
    let style = |family: &str| {
        let own = COLOURS.iter().find(|(name, _)| begins(family, name));
        let colour = own.map(|(_, colour)| colour).or_else(|| palette.next());
        Style::new()
            .bold()
            .fg_color(colour.map(|colour| Color::Ansi(*colour)))
    };
    let mut style = style;
    families
        .into_iter()
        .map(|family| (family, style(family)))
        .collect()
}

/// The letters that tell `name` from the others: the first, and those where other names begin to differ, at
/// most five.
fn symbol(name: &str, names: &BTreeSet<&str>) -> String {
    const LONGEST: usize = 5;
    let letters: Vec<char> = name.chars().collect();
    let is_number = name.parse::<i64>().is_ok();
    if letters.len() <= 2 || (is_number && letters.len() <= LONGEST) {
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
            let telling = |letter: &&char| letter.is_alphanumeric();
            symbol.extend(letters[length..].iter().find(telling));
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
        let legend = Legend::new(&Contents::new(&counts));
        let symbols = names
            .iter()
            .map(|name| legend.symbol(name).map_or("·", |(symbol, _)| symbol));
        symbols.collect::<Vec<_>>().join(" ")
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

    #[test]
    fn families_share_a_colour() {
        assert_eq!(family("wk"), "w");
        assert_eq!(family("whiteKing"), "white");
        assert_eq!(family("red_king"), "red");
        assert_eq!(family("snake head"), "snake");
        assert_eq!(family("x"), "x");
    }
}
