//! States and games but for the symmetries of a game.

use std::io::{self, Write};

use serde::Serialize;

use super::digits;
use crate::catalog::GameSource;
use crate::cli::console::Stream;
use crate::cli::failure::Failure;
use crate::datalog::EvaluationLimits;
use crate::engine::{LoadReport, Propnet, check_rules};
use crate::ground::{Ground, ground};
use crate::state_space::GameCounts;
use crate::symmetry::SymmetryGroup;
use crate::util::Deadline;

/// Which symmetries are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum SymmetryChoice {
    /// Those that keep the roles.
    Keep,
    /// Those that exchange the two roles and their goals, too.
    Swap,
}

impl SymmetryChoice {
    /// The symmetries of a game.
    pub(in crate::cli) fn group(
        self,
        source: &GameSource,
        game: &Propnet,
        deadline: &Deadline,
    ) -> Result<SymmetryGroup, Failure> {
        let ground = ground_rules(source, deadline)?;
        let group = SymmetryGroup::of_game(game, &ground, self == Self::Swap, deadline);
        deadline.check()?;
        Ok(group)
    }
}

/// The rules without variables.
pub(super) fn ground_rules(source: &GameSource, deadline: &Deadline) -> Result<Ground, Failure> {
    let stop = deadline.stop.clone().unwrap_or_default();
    let rules = check_rules(source, &stop, &mut LoadReport::default());
    let rules = rules.map_err(|fault| Failure::finding(fault.to_string()))?;
    let ground = ground(&rules, &EvaluationLimits::default());
    ground.map_err(|fault| Failure::finding(fault.to_string()))
}

/// States and games but for the symmetries of a game.
#[derive(Serialize)]
pub(super) struct ShownClasses {
    classes: u64,
    /// How many there are, and how many of them are used, the identity included.
    symmetries: u128,
    symmetries_used: usize,
    /// Whether some exchange the roles.
    swaps_roles: bool,
    games_of_classes: Option<String>,
}

impl ShownClasses {
    /// `found` is how many states were enumerated.
    pub(super) fn new(group: &SymmetryGroup, found: u64, games: Option<&GameCounts>) -> Self {
        Self {
            classes: found,
            symmetries: group.count(),
            symmetries_used: group.used(),
            swaps_roles: group.swaps_roles(),
            games_of_classes: games.and_then(|games| digits(&games.of_classes)),
        }
    }

    pub(super) fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        if self.symmetries == 1 {
            return writeln!(out, "  symmetry     no symmetries were found");
        }
        let games = match &self.games_of_classes {
            Some(games) => format!(", {games} games"),
            None => String::new(),
        };
        let symmetries = match self.symmetries_used as u128 == self.symmetries {
            true => self.symmetries.to_string(),
            false => format!("{} of {}", self.symmetries_used, self.symmetries),
        };
        writeln!(
            out,
            "  symmetry     {} states{games}, up to {symmetries} symmetries with the identity",
            self.classes
        )?;
        match self.swaps_roles {
            true => writeln!(
                out,
                "               some exchange the roles: all other lines are about these states"
            ),
            false => Ok(()),
        }
    }
}
