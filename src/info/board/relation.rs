//! Facts taken apart into a pattern and arguments, so that the facts of one relation can be compared argument by
//! argument.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::kif::GroundTerm;

/// Facts with more arguments are left out: no board needs them, and trying all pairs of hundreds takes minutes.
const MOST_ARGUMENTS: usize = 12;

/// What the facts of one relation have in common: `(cell _ _ _)`, with `_` for each argument.
pub type FactPattern = String;

/// A fact with all its nesting removed: `(at (pos 1 2) x)` has the pattern `(at (pos _ _) _)` and the arguments `1`,
/// `2`, `x`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FlatFact {
    pub(super) pattern: FactPattern,
    pub(super) args: Vec<String>,
}

impl FlatFact {
    pub(super) fn of(fact: &GroundTerm) -> Self {
        let mut flat = Self {
            pattern: String::new(),
            args: Vec::new(),
        };
        match fact {
            GroundTerm::Constant(word) => flat.pattern.push_str(word),
            GroundTerm::Compound(functor, inner) => flat.add_compound(functor, inner),
        }
        flat
    }

    fn add_compound(&mut self, functor: &str, inner: &[GroundTerm]) {
        self.pattern.push('(');
        match functor {
            // Not to be taken for an argument.
            "_" => self.pattern.push_str("'_'"),
            _ if is_number(functor) => self.add_argument(functor),
            _ => self.pattern.push_str(functor),
        }
        for term in inner {
            self.pattern.push(' ');
            match term {
                GroundTerm::Constant(word) => self.add_argument(word),
                GroundTerm::Compound(functor, inner) => self.add_compound(functor, inner),
            }
        }
        self.pattern.push(')');
    }

    fn add_argument(&mut self, word: &str) {
        self.pattern.push('_');
        self.args.push(word.to_owned());
    }
}

/// The functor of a pattern.
pub(super) fn functor(pattern: &str) -> &str {
    let name = pattern.trim_start_matches('(');
    &name[..name.find([' ', ')']).unwrap_or(name.len())]
}

fn is_number(word: &str) -> bool {
    word.parse::<i64>().is_ok()
}

/// The functor of a fact and its arguments, which are not taken apart.
pub fn functor_and_arguments(fact: &str) -> Vec<&str> {
    let Some(inner) = fact
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return vec![fact];
    };
    let (mut words, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, character) in inner.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                words.push(&inner[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    words.push(&inner[begin..]);
    words
}

/// The facts of one relation in several states: the number of the state, and the arguments.
pub(super) type SampledRelation = [(usize, Vec<String>)];

/// The facts of a relation with numbers in place of words, which are compared faster.
pub(super) struct NumberedRelation<'s> {
    /// Per fact, the number of its state.
    pub(super) states: Vec<u32>,
    /// Per argument and fact, the number of the word.
    pub(super) args: Vec<Vec<u32>>,
    /// Per argument, its words by their numbers.
    pub(super) words: Vec<Vec<&'s str>>,
}

impl<'s> NumberedRelation<'s> {
    pub(super) fn new(facts: &'s SampledRelation) -> Self {
        let arity = facts.first().map_or(0, |(_, args)| args.len());
        let mut numbered = Self {
            states: facts.iter().map(|(state, _)| *state as u32).collect(),
            args: Vec::with_capacity(arity),
            words: Vec::with_capacity(arity),
        };
        for place in 0..arity {
            let mut numbers: IndexSet<&str, FxBuildHasher> = IndexSet::default();
            let words = facts.iter().map(|(_, args)| &*args[place]);
            let of_facts = words.map(|word| numbers.insert_full(word).0 as u32);
            numbered.args.push(of_facts.collect());
            numbered.words.push(numbers.into_iter().collect());
        }
        numbered
    }

    /// The different values of an argument.
    pub(super) fn values(&self, place: usize) -> BTreeSet<&'s str> {
        self.words[place].iter().copied().collect()
    }
}

/// The facts of several states that may be squares, by relation.
#[derive(Debug, Default)]
pub(super) struct SampledFacts {
    /// How many states.
    pub(super) states: usize,
    /// See [`SampledRelation`].
    pub(super) relations: BTreeMap<FactPattern, Vec<(usize, Vec<String>)>>,
    /// Per relation that has one, the argument that names a square, such as `b3`.
    pub(super) square_names: BTreeMap<FactPattern, usize>,
}

impl SampledFacts {
    pub(super) fn new(states: &[Vec<GroundTerm>]) -> Self {
        let mut samples = Self {
            states: states.len(),
            ..Self::default()
        };
        for (number, facts) in states.iter().enumerate() {
            let facts = facts.iter().map(FlatFact::of);
            for FlatFact { pattern, args } in facts.filter(|fact| fact.args.len() <= MOST_ARGUMENTS)
            {
                let relation = samples.relations.entry(pattern).or_default();
                relation.push((number, args));
            }
        }
        samples
    }

    /// An argument whose values are all a letter and a number becomes two arguments.
    pub(super) fn split_square_names(&mut self) {
        for (pattern, facts) in &mut self.relations {
            let arity = facts.first().map_or(0, |(_, args)| args.len());
            let place = (0..arity).find(|place| {
                let words: BTreeSet<&str> = facts.iter().map(|(_, args)| &*args[*place]).collect();
                are_square_names(&words)
            });
            if let Some(place) = place {
                self.square_names.insert(pattern.clone(), place);
                for (_, args) in facts {
                    split(args, place);
                }
            }
        }
    }
}

/// The arguments of a fact, the name of a square split in two.
pub(super) fn split_arguments(
    square_names: &BTreeMap<FactPattern, usize>,
    fact: &FlatFact,
) -> Vec<String> {
    let mut args = fact.args.clone();
    if let Some(place) = square_names.get(&fact.pattern) {
        split(&mut args, *place);
    }
    args
}

fn split(args: &mut Vec<String>, place: usize) {
    let word = args.get(place).cloned().unwrap_or_default();
    args.splice(place..=place, <[String; 2]>::from(split_word(&word)));
}

/// The letter and the number of a square's name.
pub(super) fn split_word(word: &str) -> (String, String) {
    let first = word.chars().next().map_or(0, char::len_utf8);
    let (letter, number) = word.split_at(first);
    (letter.to_owned(), number.to_owned())
}

/// Whether the words look like the squares `a1`, `b3`, …: several letters, several numbers.
fn are_square_names(words: &BTreeSet<&str>) -> bool {
    let parts = words.iter().map(|word| {
        let mut chars = word.chars();
        let letter = chars.next().filter(char::is_ascii_alphabetic)?;
        let number = chars.as_str();
        let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        is_number.then_some((letter, number))
    });
    let Some(parts) = parts.collect::<Option<BTreeSet<(char, &str)>>>() else {
        return false;
    };
    let letters: BTreeSet<char> = parts.iter().map(|part| part.0).collect();
    let numbers: BTreeSet<&str> = parts.iter().map(|part| part.1).collect();
    letters.len() > 1 && numbers.len() > 1 && parts.len() > 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::read_facts;

    fn flat(text: &str) -> (String, String) {
        let fact = FlatFact::of(&text.parse().unwrap());
        (fact.pattern, fact.args.join(","))
    }

    #[test]
    fn facts_are_flattened() {
        assert_eq!(
            flat("(cell 1 2 x)"),
            ("(cell _ _ _)".into(), "1,2,x".into())
        );
        assert_eq!(
            flat("(at (pos 1 2) x)"),
            ("(at (pos _ _) _)".into(), "1,2,x".into())
        );
        assert_eq!(
            flat("(at (1 2) x)"),
            ("(at (_ _) _)".into(), "1,2,x".into())
        );
        assert_eq!(flat("(_ 1 2)"), ("('_' _ _)".into(), "1,2".into()));
        assert_eq!(flat("(5 1 2)"), ("(_ _ _)".into(), "5,1,2".into()));
        assert_eq!(flat("over"), ("over".into(), String::new()));
        assert_eq!(flat("(over)"), ("(over)".into(), String::new()));
        assert_eq!(functor("(cell _ _ _)"), "cell");
    }

    #[test]
    fn a_fact_is_split_at_its_top_level() {
        assert_eq!(
            functor_and_arguments("(at (pos 1 2) x)"),
            ["at", "(pos 1 2)", "x"]
        );
        assert_eq!(functor_and_arguments("over"), ["over"]);
    }

    #[test]
    fn squares_are_two_arguments() {
        let facts =
            read_facts("(cell a1 x) (cell a2 x) (cell b1 o) (cell b2 o) (left a 9)").unwrap();
        let mut samples = SampledFacts::new(&[facts]);
        samples.split_square_names();
        assert_eq!(samples.relations["(cell _ _)"][1].1, ["a", "2", "x"]);
        assert_eq!(samples.relations["(left _ _)"][0].1, ["a", "9"]);
    }
}
