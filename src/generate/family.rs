//! The games that come in sizes, as a table: for programs that ask a person for the numbers.

use super::{
    BreakthroughSize, CheckersSize, ConnectFourSize, KolibratSize, NimSize, NoSuchSize, Size,
};

/// A shipped game that comes in sizes.
#[derive(Debug)]
pub struct Family {
    /// The name of the shipped game.
    pub name: &'static str,
    /// The numbers that make its size.
    pub parameters: &'static [SizeParameter],
    /// Sizes that are played often: a value for each of the first parameters; the others are as in the shipped game.
    pub presets: &'static [&'static [u8]],
    make: fn(&[u8]) -> Result<String, NoSuchSize>,
}

/// A number that is part of a size.
#[derive(Debug)]
pub struct SizeParameter {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What it is in the shipped game.
    pub default: u8,
    /// The least and the greatest one.
    pub range: (u8, u8),
}

const fn parameter(
    name: &'static str,
    meaning: &'static str,
    default: u8,
    range: (u8, u8),
) -> SizeParameter {
    SizeParameter {
        name,
        meaning,
        default,
        range,
    }
}

/// All of them, sorted by name.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "breakthrough",
        parameters: &[
            parameter("width", "files", 8, (2, 26)),
            parameter("height", "ranks", 8, (5, 26)),
        ],
        presets: &[&[5, 5], &[6, 6], &[8, 8]],
        make: |of| {
            let (width, height) = (of[0], of[1]);
            BreakthroughSize { width, height }.rule_file()
        },
    },
    Family {
        name: "checkers",
        parameters: &[
            parameter("width", "files, an even number", 8, (4, 26)),
            parameter("height", "ranks, an even number", 8, (4, 26)),
            parameter("ranks", "ranks on which each side has its men", 3, (1, 12)),
            parameter("turns", "turns of both players until a draw", 80, (1, 200)),
        ],
        presets: &[&[6, 6, 2], &[8, 8, 3], &[10, 10, 4]],
        make: |of| {
            let size = CheckersSize {
                width: of[0],
                height: of[1],
                ranks: of[2],
                turns: of[3],
            };
            size.rule_file()
        },
    },
    Family {
        name: "connect-four",
        parameters: &[
            parameter("width", "columns", 7, (4, 26)),
            parameter("height", "rows", 6, (4, 26)),
        ],
        presets: &[&[5, 4], &[7, 6], &[8, 8]],
        make: |of| {
            let (width, height) = (of[0], of[1]);
            ConnectFourSize { width, height }.rule_file()
        },
    },
    Family {
        name: "kolibrat",
        parameters: &[
            parameter("width", "columns", 3, (2, 16)),
            parameter("height", "rows", 4, (2, 16)),
            parameter(
                "pieces",
                "pieces of a side on the board, at most",
                4,
                (1, 99),
            ),
            parameter("goals", "points needed to win", 5, (1, 99)),
        ],
        presets: &[
            &[2, 2],
            &[2, 4],
            &[3, 3],
            &[3, 4],
            &[4, 5],
            &[5, 6],
            &[9, 9],
        ],
        make: |of| {
            let size = KolibratSize {
                width: of[0],
                height: of[1],
                pieces: of[2],
                goals: of[3],
            };
            size.rule_file()
        },
    },
    Family {
        name: "nim",
        parameters: &[
            parameter("first", "sticks in the first heap", 1, (1, 99)),
            parameter(
                "second",
                "sticks in the second heap, 0 for none",
                3,
                (0, 99),
            ),
            parameter("third", "sticks in the third heap, 0 for none", 5, (0, 99)),
            parameter(
                "fourth",
                "sticks in the fourth heap, 0 for none",
                7,
                (0, 99),
            ),
        ],
        presets: &[&[1, 3, 5, 7], &[3, 4, 5, 0]],
        make: |of| {
            let piles = of.iter().copied().filter(|&sticks| sticks > 0).collect();
            NimSize { piles }.rule_file()
        },
    },
];

impl Family {
    /// The family of this name.
    pub fn of(name: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.name == name)
    }

    /// Writes the rule file. `value` gives the value of a parameter; what it does not know is as in the shipped game.
    ///
    /// # Errors
    /// Says what is out of range.
    pub fn rule_file(&self, value: impl Fn(&str) -> Option<u8>) -> Result<String, NoSuchSize> {
        let parameters = self.parameters.iter();
        let values: Vec<u8> = parameters
            .map(|parameter| value(parameter.name).unwrap_or(parameter.default))
            .collect();
        (self.make)(&values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::SHIPPED;

    #[test]
    fn the_defaults_make_the_shipped_file_and_presets_make_others() {
        for family in FAMILIES {
            let shipped = SHIPPED.iter().find(|game| game.name == family.name);
            let rules = family.rule_file(|_| None);
            assert_eq!(rules.as_deref(), Ok(shipped.unwrap().text));
            for preset in family.presets {
                let value = |name: &str| {
                    let mut parameters = family.parameters.iter();
                    preset
                        .get(parameters.position(|one| one.name == name)?)
                        .copied()
                };
                assert!(
                    family.rule_file(value).is_ok(),
                    "{} {preset:?}",
                    family.name
                );
            }
            for parameter in family.parameters {
                let beyond = parameter.range.1 + 1;
                let rules = family.rule_file(|name| (name == parameter.name).then_some(beyond));
                assert!(rules.is_err(), "{} {}", family.name, parameter.name);
            }
        }
    }
}
