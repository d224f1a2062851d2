//! The facts of a state as text, for the engines that read them.

use std::iter;

use crate::game::InvalidFacts;
use crate::kif::GroundTerm;

/// The facts of a state that have not been read yet.
#[derive(Debug)]
pub struct FactReader<'t> {
    /// The words of each fact: `["cell", "1", "1", "x"]`.
    left: Vec<Vec<&'t str>>,
}

impl<'t> FactReader<'t> {
    /// Splits facts into words.
    ///
    /// # Errors
    /// Says which fact does not consist of words.
    pub(super) fn new(facts: &'t [GroundTerm]) -> Result<Self, InvalidFacts> {
        let mut left = Vec::with_capacity(facts.len());
        for fact in facts {
            left.push(
                words(fact)
                    .ok_or_else(|| InvalidFacts(format!("`{fact}` is no fact of this game")))?,
            );
        }
        left.sort_unstable();
        left.dedup();
        Ok(Self { left })
    }

    /// Takes out all facts of this name and number of arguments, and returns the arguments.
    pub(super) fn take<const N: usize>(&mut self, name: &str) -> Vec<[&'t str; N]> {
        let mut taken = Vec::new();
        self.left.retain(|words| match words.split_first() {
            Some((&head, args)) if head == name => match args.try_into() {
                Ok(args) => {
                    taken.push(args);
                    false
                }
                Err(_) => true,
            },
            _ => true,
        });
        taken
    }

    /// Takes out the one fact of this name.
    ///
    /// # Errors
    /// Says that there is none, or more than one.
    pub(super) fn take_one<const N: usize>(
        &mut self,
        name: &str,
    ) -> Result<[&'t str; N], InvalidFacts> {
        match self.take(name)[..] {
            [args] => Ok(args),
            [] => Err(InvalidFacts(format!("a state needs a fact `({name} …)`"))),
            [..] => Err(InvalidFacts(format!(
                "a state has only one fact `({name} …)`"
            ))),
        }
    }

    /// Takes out `(control ROLE)` and returns the role's index.
    ///
    /// # Errors
    /// Says why no single role is in control.
    pub(super) fn take_control(&mut self, roles: [&str; 2]) -> Result<u8, InvalidFacts> {
        match self.take_one("control")? {
            [name] if name == roles[0] => Ok(0),
            [name] if name == roles[1] => Ok(1),
            [name] => Err(InvalidFacts(format!("`{name}` is no role of this game"))),
        }
    }

    /// Checks that all facts have been read.
    ///
    /// # Errors
    /// Names one that has not been.
    pub(super) fn finish(self) -> Result<(), InvalidFacts> {
        match self.left.first() {
            None => Ok(()),
            Some(words) => Err(InvalidFacts(format!(
                "`({})` is no fact of this game",
                words.join(" ")
            ))),
        }
    }
}

/// The functor and the arguments, where all of them are words.
fn words(fact: &GroundTerm) -> Option<Vec<&str>> {
    let GroundTerm::Compound(functor, args) = fact else {
        return None;
    };
    let args = args.iter().map(|arg| match arg {
        GroundTerm::Constant(word) => Some(word.as_str()),
        GroundTerm::Compound(..) => None,
    });
    iter::once(Some(functor.as_str())).chain(args).collect()
}

/// A number from `least` to `most`, spelt as rule files spell it.
///
/// # Errors
/// Says that it is something else.
pub(super) fn number(text: &str, least: u8, most: u8) -> Result<u8, InvalidFacts> {
    let number = text.parse().ok().filter(|number: &u8| {
        // `07` and `+7` are other words than `7`.
        (least..=most).contains(number) && number.to_string() == text
    });
    number.ok_or_else(|| InvalidFacts(format!("`{text}` is not a number from {least} to {most}")))
}

/// The fact of the role in control.
pub(super) fn control(roles: [&str; 2], bit: u32) -> Option<String> {
    let role = roles.get(bit as usize)?;
    Some(format!("(control {role})"))
}

/// Sets bit `number`, counted over all words.
#[inline]
pub(super) fn set(words: &mut [u64], number: u8) {
    words[usize::from(number / 64)] |= 1 << (number % 64);
}

/// The number whose bit this is.
pub(super) fn numbered(word: usize, bit: u32) -> usize {
    64 * word + bit as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(texts: &[&str]) -> Vec<GroundTerm> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn facts_that_are_not_read_are_named() {
        let texts = facts(&["(control x)", "(snow 1 2)", "(control x)"]);
        let mut facts = FactReader::new(&texts).unwrap();
        assert_eq!(facts.take_control(["o", "x"]), Ok(1));
        let left = facts.finish().unwrap_err().to_string();
        assert_eq!(left, "`(snow 1 2)` is no fact of this game");
    }

    #[test]
    fn one_fact_is_one() {
        let texts = facts(&["(turn 1)", "(turn 2)"]);
        let mut facts = FactReader::new(&texts).unwrap();
        assert!(facts.take_one::<1>("turn").is_err());
        assert!(
            facts
                .take_one::<1>("turn")
                .unwrap_err()
                .to_string()
                .contains("needs")
        );
    }

    #[test]
    fn only_lists_of_words_are_facts() {
        for text in ["open", "(f (g x))"] {
            assert!(FactReader::new(&facts(&[text])).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_spelt_one_way() {
        assert_eq!(number("12", 1, 12), Ok(12));
        for text in ["0", "13", "+7", "07", "x", ""] {
            assert!(number(text, 1, 12).is_err(), "{text}");
        }
    }
}
