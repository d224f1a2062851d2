//! Other words for the same rules: a player that goes by the meaning of words is found out.

use std::collections::{BTreeMap, HashMap, HashSet};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::gdl::{canonical, connective};
use crate::kif::{Lexeme, lexemes};

/// Words of rules and the words that take their places. Keywords of GDL and numbers stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scrambler {
    others: BTreeMap<String, String>,
    originals: HashMap<String, String>,
}

impl Scrambler {
    /// New words for all words of `rules`, drawn from `seed`.
    pub fn new(rules: &str, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let words = lexemes(rules).filter_map(|(lexeme, _)| match lexeme {
            Lexeme::Word(word) if !is_kept(word) => Some(word),
            _ => None,
        });
        let mut taken: HashSet<String> = lexemes(rules)
            .filter_map(|(lexeme, _)| match lexeme {
                Lexeme::Word(word) => Some(bare(word).to_lowercase()),
                _ => None,
            })
            .collect();
        let mut others = BTreeMap::new();
        for word in words {
            if !others.contains_key(word) {
                let new = new_word(&mut rng, &mut taken);
                let mark = if word.starts_with('?') { "?" } else { "" };
                others.insert(word.to_owned(), format!("{mark}{new}"));
            }
        }
        let reversed = others.iter().map(|(word, new)| (new.clone(), word.clone()));
        let originals = reversed.collect();
        Self { others, originals }
    }

    /// Each word, and the one in its place, in the order of the words.
    pub fn key(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.others.iter();
        pairs.map(|(word, new)| (word.as_str(), new.as_str()))
    }

    /// The text in new words, without comments.
    pub fn scramble(&self, text: &str) -> String {
        with_words(text, |word| {
            self.others.get(word).map_or(word, String::as_str)
        })
    }

    /// The text in the words of the rules again; the new words may be in upper case.
    pub fn unscramble(&self, text: &str) -> String {
        with_words(&text.to_lowercase(), |word| {
            self.originals.get(word).map_or(word, String::as_str)
        })
    }
}

/// Whether a word keeps its meaning only as it is.
fn is_kept(word: &str) -> bool {
    let is_number = word.parse::<i64>().is_ok();
    is_number || canonical(word).is_some() || connective(word).is_some() || bare(word).is_empty()
}

/// A word without the mark of a variable.
fn bare(word: &str) -> &str {
    word.strip_prefix('?').unwrap_or(word)
}

/// A word of syllables that is not taken yet.
fn new_word(rng: &mut Xoshiro256PlusPlus, taken: &mut HashSet<String>) -> String {
    const CONSONANTS: &[u8] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    let mut letter = |letters: &[u8]| char::from(letters[rng.random_range(0..letters.len())]);
    let mut word = String::new();
    loop {
        word.extend([letter(CONSONANTS), letter(VOWELS)]);
        let is_free = word.len() >= 6 && canonical(&word).is_none();
        if is_free && taken.insert(word.clone()) {
            return word;
        }
        // Long words are free, and short ones read better.
        if word.len() > 8 && word.len() < 12 {
            word.clear();
        }
    }
}

/// The text with each word replaced, comments left out, and line feeds kept.
fn with_words<'w>(text: &'w str, word: impl Fn(&'w str) -> &'w str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for (lexeme, span) in lexemes(text) {
        out.push_str(&text[end..span.start]);
        end = span.end;
        match lexeme {
            Lexeme::Open => out.push('('),
            Lexeme::Close => out.push(')'),
            Lexeme::Word(old) => out.push_str(word(old)),
            Lexeme::Comment(_) => {}
        }
    }
    out + &text[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "; A game.\n(role white) (role random)\n(init (cell 1 2 b))\n\
                         (<= (next (cell ?m ?n x)) (does white (mark ?m ?n)) (not (true blown)))";

    #[test]
    fn words_change_and_meaning_stays() {
        let scrambler = Scrambler::new(RULES, 7);
        let scrambled = scrambler.scramble(RULES);
        let bare = RULES.replace("; A game.", "");
        assert_eq!(scrambler.unscramble(&scrambled), bare);
        assert_eq!(
            scrambler
                .unscramble(&scrambled.to_uppercase())
                .to_lowercase(),
            bare
        );
        for kept in ["(role random)", "(<= (next (", " 1 2 ", "(not (true "] {
            assert!(scrambled.contains(kept), "{scrambled}");
        }
        for gone in ["white", "cell", "mark", "?m", "blown", ";"] {
            assert!(!scrambled.contains(gone), "{scrambled}");
        }
        let words: HashSet<&str> = scrambler.key().map(|(_, new)| new).collect();
        assert_eq!(words.len(), scrambler.key().count());
        assert_eq!(words.len(), 8, "{words:?}");
    }

    #[test]
    fn other_seeds_give_other_words() {
        assert_eq!(Scrambler::new(RULES, 1), Scrambler::new(RULES, 1));
        assert_ne!(Scrambler::new(RULES, 1), Scrambler::new(RULES, 2));
    }

    #[test]
    fn many_words_find_a_place() {
        let words: Vec<String> = (0..20_000).map(|number| format!("w{number}")).collect();
        let scrambler = Scrambler::new(&words.join(" "), 3);
        let new: HashSet<&str> = scrambler.key().map(|(_, new)| new).collect();
        assert_eq!(new.len(), words.len());
    }
}
