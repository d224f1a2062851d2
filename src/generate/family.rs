//! The games that come in sizes, as a table: what there is to choose, for whoever asks a person for it.

use super::{
    BreakthroughSize, CheckersSize, ConnectFourSize, KolibratSize, NimSize, NoSuchSize, Size,
    within,
};

/// A shipped game that comes in sizes.
#[derive(Debug)]
pub struct Family {
    /// The name of the shipped game.
    pub name: &'static str,
    /// What there is to choose, in a few words.
    pub title: &'static str,
    /// The numbers that make its size.
    pub parameters: &'static [SizeParameter],
    /// Sizes that are played often: the numbers of each of the first parameters; the others are as in the shipped game.
    pub presets: &'static [&'static [&'static [u8]]],
    pub(super) make: fn(&[Vec<u8>]) -> Result<String, NoSuchSize>,
}

/// A number that is part of a size, or a list of them.
#[derive(Debug)]
pub struct SizeParameter {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What it is in the shipped game.
    pub default: &'static [u8],
    /// The least and the greatest number.
    pub range: (u8, u8),
    /// The fewest and the most numbers of a list; a parameter that is one number has none.
    pub length: Option<(u8, u8)>,
}

/// All of them, sorted by name.
pub const FAMILIES: &[Family] = &[
    BreakthroughSize::FAMILY,
    CheckersSize::FAMILY,
    ConnectFourSize::FAMILY,
    KolibratSize::FAMILY,
    NimSize::FAMILY,
];

impl Family {
    /// The family of this name.
    pub fn of(name: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.name == name)
    }

    /// The numbers of each parameter, as `numbers` gives them; what it does not know is as in the shipped game.
    pub fn size(&self, numbers: impl Fn(&str) -> Option<Vec<u8>>) -> Vec<Vec<u8>> {
        let parameters = self.parameters.iter();
        let known = parameters
            .map(|parameter| numbers(parameter.name).unwrap_or_else(|| parameter.default.to_vec()));
        known.collect()
    }

    /// Writes the rule file of a [size](Self::size).
    ///
    /// # Errors
    /// Says what is out of range.
    pub fn rule_file(&self, size: &[Vec<u8>]) -> Result<String, NoSuchSize> {
        self.check(size)?;
        (self.make)(size)
    }

    /// Sees to it that the numbers of each parameter are in its range.
    pub(super) fn check(&self, size: &[Vec<u8>]) -> Result<(), NoSuchSize> {
        let mut pairs = self.parameters.iter().zip(size);
        pairs.try_for_each(|(parameter, numbers)| parameter.check(numbers))
    }
}

impl SizeParameter {
    /// A number.
    pub(super) const fn number(
        name: &'static str,
        meaning: &'static str,
        default: &'static [u8; 1],
        range: (u8, u8),
    ) -> Self {
        Self {
            name,
            meaning,
            default,
            range,
            length: None,
        }
    }

    /// A list of numbers.
    pub(super) const fn list(
        name: &'static str,
        meaning: &'static str,
        default: &'static [u8],
        range: (u8, u8),
        length: (u8, u8),
    ) -> Self {
        Self {
            name,
            meaning,
            default,
            range,
            length: Some(length),
        }
    }

    fn check(&self, numbers: &[u8]) -> Result<(), NoSuchSize> {
        let count = numbers.len();
        let (fewest, most) = self.length.unwrap_or((1, 1));
        if !(fewest.into()..=most.into()).contains(&count) {
            let said = format!(
                "{}: give from {fewest} to {most} of them, not {count}",
                self.name
            );
            return Err(NoSuchSize(said));
        }
        let (least, greatest) = self.range;
        let mut numbers = numbers.iter();
        numbers.try_for_each(|&number| within(self.name, number, least..=greatest))
    }
}

/// Writes the rule file of a size.
pub(super) fn make<S: Size>(size: &[Vec<u8>]) -> Result<String, NoSuchSize> {
    S::from_numbers(size).rule_file()
}

/// The numbers of a game whose parameters are one number each.
pub(super) fn single<const N: usize>(numbers: &[Vec<u8>]) -> [u8; N] {
    std::array::from_fn(|parameter| numbers[parameter][0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::SHIPPED;

    #[test]
    fn the_defaults_make_the_shipped_file_and_presets_make_others() {
        for family in FAMILIES {
            let shipped = SHIPPED.iter().find(|game| game.name == family.name);
            let rules = family.rule_file(&family.size(|_| None));
            assert_eq!(rules.as_deref(), Ok(shipped.unwrap().text));
            for preset in family.presets {
                let numbers = |name: &str| {
                    let mut parameters = family.parameters.iter();
                    let numbers = preset.get(parameters.position(|one| one.name == name)?)?;
                    Some(numbers.to_vec())
                };
                let rules = family.rule_file(&family.size(numbers));
                assert!(rules.is_ok(), "{} {preset:?}", family.name);
            }
        }
    }

    #[test]
    fn numbers_out_of_range_and_lists_of_another_length_are_refused() {
        for family in FAMILIES {
            for parameter in family.parameters {
                let with = |numbers: Vec<u8>| {
                    let size =
                        family.size(|name| (name == parameter.name).then(|| numbers.clone()));
                    family.rule_file(&size)
                };
                let place = format!("{} {}", family.name, parameter.name);
                assert!(with(vec![parameter.range.1 + 1]).is_err(), "{place}");
                assert!(with(Vec::new()).is_err(), "{place}");
                let most = parameter.length.map_or(1, |(_, most)| most);
                let too_many = vec![parameter.range.0; usize::from(most) + 1];
                assert!(with(too_many).is_err(), "{place}");
            }
        }
    }
}
