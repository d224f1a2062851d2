//! Facts as numbers: each text is read once.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::info::board::functor_and_arguments;

/// The number of a fact.
pub(super) type FactId = u32;
/// The number of a word or a nested term.
pub(super) type WordId = u32;

/// The facts met so far.
#[derive(Debug, Default)]
pub(super) struct FactTable {
    ids: FxHashMap<String, FactId>,
    facts: Vec<FactParts>,
    words: FxHashMap<String, WordId>,
    texts: Vec<String>,
    game: u64,
    /// Per fact, the last game in which it was met, and in how many games it was.
    met: Vec<(u64, u64)>,
}

/// A fact in parts.
#[derive(Debug, Clone)]
pub(super) struct FactParts {
    pub(super) functor: WordId,
    pub(super) args: Vec<WordId>,
}

impl FactTable {
    /// Another game begins.
    pub(super) fn begin(&mut self) {
        self.game += 1;
    }

    /// In how many games a fact was met.
    pub(super) fn games_with(&self, fact: &str) -> u64 {
        self.ids.get(fact).map_or(0, |&id| self.met[id as usize].1)
    }

    /// The numbers of the facts of a state.
    pub(super) fn numbers(&mut self, facts: &[String]) -> Vec<FactId> {
        let numbers: Vec<FactId> = facts.iter().map(|fact| self.number(fact)).collect();
        for &number in &numbers {
            let (last, games) = &mut self.met[number as usize];
            if *games == 0 || *last != self.game {
                (*last, *games) = (self.game, *games + 1);
            }
        }
        numbers
    }

    fn number(&mut self, fact: &str) -> FactId {
        if let Some(&known) = self.ids.get(fact) {
            return known;
        }
        let words = functor_and_arguments(fact).into_iter();
        let mut words = words.map(|word| self.word(word)).collect::<Vec<WordId>>();
        let parts = FactParts {
            functor: words.remove(0),
            args: words,
        };
        let id = self.facts.len() as FactId;
        self.facts.push(parts);
        self.met.push((0, 0));
        self.ids.insert(fact.to_owned(), id);
        id
    }

    pub(super) fn parts(&self, fact: FactId) -> &FactParts {
        &self.facts[fact as usize]
    }

    /// Functor and arguments of a fact.
    pub(super) fn words_of(&self, fact: FactId) -> (String, Vec<String>) {
        let parts = self.parts(fact);
        let args = parts.args.iter().map(|&arg| self.text(arg).to_owned());
        (self.text(parts.functor).to_owned(), args.collect())
    }

    /// Facts by functor and number of arguments.
    pub(super) fn by_relation(&self, facts: &[FactId]) -> BTreeMap<(WordId, usize), Vec<FactId>> {
        let mut relations: BTreeMap<_, Vec<FactId>> = BTreeMap::new();
        for &fact in facts {
            let parts = self.parts(fact);
            let signature = (parts.functor, parts.args.len());
            relations.entry(signature).or_default().push(fact);
        }
        relations
    }

    /// The number of a word.
    pub(super) fn word(&mut self, text: &str) -> WordId {
        if let Some(&known) = self.words.get(text) {
            return known;
        }
        let id = self.texts.len() as WordId;
        self.texts.push(text.to_owned());
        self.words.insert(text.to_owned(), id);
        id
    }

    /// The words of a text with parentheses.
    pub(super) fn words_in(&mut self, text: &str) -> Vec<WordId> {
        let words = text.split(|c: char| c == '(' || c == ')' || c.is_whitespace());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        words.into_iter().map(|word| self.word(word)).collect()
    }

    pub(super) fn text(&self, word: WordId) -> &str {
        &self.texts[word as usize]
    }

    /// The facts met so far.
    pub(super) fn facts(&self) -> impl Iterator<Item = &String> {
        self.ids.keys()
    }

    /// How many different facts were met.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }
}
