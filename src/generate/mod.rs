//! Rule files in other sizes. GDL cannot calculate, so a board of another size is another file.
//!
//! The shipped file is the template: what a size changes in it is written by a function of the size, which for the
//! shipped size says just what stands there. So the shipped size makes the shipped file, to the letter, and a file that
//! was made here can be recognised by making it again.

mod breakthrough;
mod checkers;
mod connect_four;
mod family;
mod kolibrat;
mod nim;
mod snippet;
mod words;

use std::ops::RangeInclusive;

pub use breakthrough::BreakthroughSize;
pub use checkers::CheckersSize;
pub use connect_four::ConnectFourSize;
pub use family::{FAMILIES, Family, SizeParameter};
pub use kolibrat::KolibratSize;
pub use nim::NimSize;
pub use snippet::{BoardSize, SNIPPETS, Snippet, SnippetError, Touching};

use crate::catalog::SHIPPED;

/// What a size says that no rule file can be written in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSuchSize(String);

/// The sizes of one shipped game. The default is that of the shipped file.
pub trait Size: Default {
    /// What there is to choose.
    const FAMILY: Family;

    /// The size of which these are the numbers of each parameter: as many as its range allows.
    fn from_numbers(numbers: &[Vec<u8>]) -> Self;

    /// The numbers of each parameter.
    fn numbers(&self) -> Vec<Vec<u8>>;

    /// The size of the shipped file.
    fn shipped() -> Self {
        Self::from_numbers(&Self::FAMILY.size(|_| None))
    }

    /// Whether there is such a game.
    ///
    /// # Errors
    /// Says what is out of range.
    fn check(&self) -> Result<(), NoSuchSize> {
        Self::FAMILY.check(&self.numbers())?;
        self.check_further()
    }

    /// The same, beyond the range of each number.
    ///
    /// # Errors
    /// Says what does not fit.
    fn check_further(&self) -> Result<(), NoSuchSize> {
        Ok(())
    }

    /// The parts of the rule file that depend on the size, in the order in which they stand there.
    fn parts(&self) -> Vec<String>;

    /// The size that a rule file of this game seems to have according to some of its facts; `None` for most other files.
    fn guess(text: &str) -> Option<Self>;

    /// Writes the rule file.
    ///
    /// # Errors
    /// Says what is out of range.
    fn rule_file(&self) -> Result<String, NoSuchSize> {
        self.check()?;
        let mut rest = template(Self::FAMILY.name);
        let mut text = String::with_capacity(rest.len());
        for (old, new) in Self::default().parts().iter().zip(self.parts()) {
            let found = rest.split_once(old.as_str());
            let (before, after) = found.expect("the shipped file has its parts");
            text.push_str(before);
            text.push_str(&new);
            rest = after;
        }
        text.push_str(rest);
        Ok(text)
    }

    /// The size that makes exactly this rule file, comments included.
    fn of(text: &str) -> Option<Self> {
        let size = Self::guess(text)?;
        let made = size.rule_file().ok()?;
        (made == text).then_some(size)
    }
}

fn template(game: &str) -> &'static str {
    let shipped = SHIPPED.iter().find(|shipped| shipped.name == game);
    shipped.expect("the games with sizes are shipped").text
}

/// Sees to it that `number` is in `range`.
fn within(what: &str, number: u8, range: RangeInclusive<u8>) -> Result<(), NoSuchSize> {
    let (least, most) = (range.start(), range.end());
    match range.contains(&number) {
        true => Ok(()),
        false => Err(NoSuchSize(format!(
            "{what}: give a number from {least} to {most}, not {number}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::load;
    use crate::kif::format;

    fn assert_template<S: Size>() {
        let text = template(S::FAMILY.name);
        assert_eq!(S::default().rule_file().as_deref(), Ok(text));
        assert!(S::of(text).is_some());
        assert!(S::of(&format!("{text}\n")).is_none());
        let mut end = 0;
        for part in S::default().parts() {
            let places: Vec<usize> = text.match_indices(&part).map(|(place, _)| place).collect();
            assert!(places.len() == 1 && places[0] >= end, "{part}");
            end = places[0] + part.len();
        }
    }

    #[test]
    fn the_shipped_size_makes_the_shipped_file() {
        assert_template::<BreakthroughSize>();
        assert_template::<CheckersSize>();
        assert_template::<ConnectFourSize>();
        assert_template::<KolibratSize>();
        assert_template::<NimSize>();
    }

    /// The file is sound, laid out, free of warnings but for `warnings`, and known again.
    fn assert_made<S: Size>(size: &S, warnings: &[&str]) -> String {
        let text = size.rule_file().unwrap();
        assert_eq!(format(&text).as_deref(), Ok(text.as_str()));
        let checked = load(&text);
        assert!(checked.rules.is_some());
        let found: Vec<&str> = checked.diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(found, warnings, "{text}");
        assert_eq!(S::of(&text).unwrap().rule_file(), Ok(text.clone()));
        text
    }

    fn kolibrat(width: u8, height: u8, pieces: u8, goals: u8) -> KolibratSize {
        KolibratSize {
            width,
            height,
            pieces,
            goals,
        }
    }

    #[test]
    fn other_sizes_make_sound_files() {
        let text = assert_made(&kolibrat(4, 5, 5, 3), &[]);
        assert!(
            text.contains("4 columns, 5 rows, at most five pieces a side, three points to win.")
        );
        assert_made(&kolibrat(9, 9, 15, 1), &[]);
        for (width, height) in [(4, 4), (5, 4), (6, 4), (26, 26)] {
            assert_made(&ConnectFourSize { width, height }, &[]);
        }
        for (width, height) in [(5, 5), (2, 5), (26, 26)] {
            assert_made(&BreakthroughSize { width, height }, &[]);
        }
        let small = CheckersSize {
            width: 6,
            height: 6,
            ranks: 2,
            turns: 40,
        };
        assert_made(&small, &[]);
        let heaps = |piles: &[u8]| NimSize {
            piles: piles.to_vec(),
        };
        let text = assert_made(&heaps(&[3, 4, 5]), &[]);
        assert!(text.starts_with("; Nim, with three heaps of 3, 4 and 5 sticks."));
        let text = assert_made(&heaps(&[12]), &[]);
        assert!(text.starts_with("; Nim, with one heap of 12 sticks."));
    }

    #[test]
    fn what_is_out_of_range_is_said() {
        let said = kolibrat(3, 1, 4, 5).rule_file().unwrap_err().to_string();
        assert_eq!(said, "height: give a number from 2 to 16, not 1");
        let odd = CheckersSize {
            width: 7,
            ..CheckersSize::default()
        };
        let said = odd.rule_file().unwrap_err().to_string();
        assert_eq!(said, "width: give an even number, not 7");
        let full = CheckersSize {
            ranks: 4,
            ..CheckersSize::default()
        };
        let said = full.rule_file().unwrap_err().to_string();
        assert_eq!(said, "ranks: give a number from 1 to 3, not 4");
        let none = NimSize { piles: Vec::new() };
        let said = none.rule_file().unwrap_err().to_string();
        assert_eq!(said, "piles: give from 1 to 12 of them, not 0");
    }
}
