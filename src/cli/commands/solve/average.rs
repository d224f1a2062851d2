//! Values on average.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use crate::cli::console::{Console, Stream};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::memory::peak_memory;
use crate::cli::number::counted;
use crate::cli::style;
use crate::engine::Propnet;
use crate::game::Role;
use crate::session::Position;
use crate::state_space::{ExpectedValues, Fraction, MoveChance, RoleChoice};

/// What a position is worth to a role on average, and how to play it.
#[derive(Serialize)]
pub(super) struct AverageReport {
    game: String,
    roles: Vec<String>,
    /// The role that values are for.
    role: String,
    states: u64,
    joint_moves: u64,
    average: AverageValue,
    choices: Vec<ChoiceReport>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
}

/// A value.
#[derive(Serialize)]
struct AverageValue {
    /// As a fraction.
    exact: String,
    points: f64,
}

/// What a role that has a choice may do.
#[derive(Serialize)]
struct ChoiceReport {
    chooses: String,
    moves: Vec<MixedMove>,
}

/// A move, how often to play it, and what the position is worth if it is played.
#[derive(Serialize)]
struct MixedMove {
    #[serde(rename = "move")]
    text: String,
    chance: String,
    average: AverageValue,
}

impl AverageReport {
    /// What `values` say of a position; it is not printed yet.
    pub(super) fn new(
        values: &ExpectedValues,
        game: &Propnet,
        position: &Position,
        role: Role,
    ) -> Result<Self, Failure> {
        let play = values.play(game, &position.facts()).ok_or_else(|| {
            Failure::finding("the position cannot be reached from the initial one")
        })?;
        let roles = position.roles();
        let choice = |choice: &RoleChoice| ChoiceReport {
            chooses: roles[choice.role.0].clone(),
            moves: choice.moves.iter().map(MixedMove::new).collect(),
        };
        Ok(Self {
            game: position.game().name().to_owned(),
            roles: roles.to_vec(),
            role: roles[role.0].clone(),
            states: values.count(),
            joint_moves: values.joint_moves(),
            average: AverageValue::new(&play.value),
            choices: play.choices.iter().map(choice).collect(),
            seconds: 0.0,
            peak_memory_bytes: None,
        })
    }

    /// Prints it; the work began at `begin`.
    pub(super) fn print(
        self,
        json: bool,
        begin: Instant,
        console: &mut Console<'_>,
    ) -> Result<Outcome, Failure> {
        let report = Self {
            seconds: begin.elapsed().as_secs_f64(),
            peak_memory_bytes: peak_memory(),
            ..self
        };
        match json {
            true => console.json(&report)?,
            false => report.show(&mut console.out)?,
        }
        Ok(Outcome::Success)
    }

    fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let (strong, faint) = (style::STRONG, style::FAINT);
        let (role, average) = (&self.role, self.average.words());
        writeln!(out, "{strong}{role} gets {average} on average{strong:#}")?;
        for choice in &self.choices {
            let texts = choice.moves.iter().map(|mv| mv.text.len());
            let width = texts.max().unwrap_or(0).max(choice.chooses.len());
            let chooses = &choice.chooses;
            writeln!(
                out,
                "\n{faint}{chooses:<width$}  chance   {role} gets{faint:#}"
            )?;
            for mv in &choice.moves {
                let (text, chance) = (&mv.text, &mv.chance);
                writeln!(out, "{text:<width$}  {chance:>6}   {}", mv.average.words())?;
            }
        }
        let (states, edges) = (self.states, self.joint_moves);
        writeln!(
            out,
            "\n{faint}{}, {} in {:.2} s{faint:#}",
            counted(states, "state"),
            counted(edges, "joint move"),
            self.seconds
        )
    }
}

impl MixedMove {
    fn new(mv: &MoveChance) -> Self {
        Self {
            text: mv.text.clone(),
            chance: mv.chance.to_string(),
            average: AverageValue::new(&mv.value),
        }
    }
}

impl AverageValue {
    fn new(value: &Fraction) -> Self {
        Self {
            exact: value.to_string(),
            points: points(value),
        }
    }

    fn words(&self) -> String {
        match self.exact.contains('/') {
            true => format!("{} = {:.4}", self.exact, self.points),
            false => self.exact.clone(),
        }
    }
}

/// A value between 0 and 100 as a number, to twelve places.
fn points(value: &Fraction) -> f64 {
    const PLACES: u64 = 1_000_000_000_000;
    let scaled = (value.numer() * PLACES) / value.denom();
    u64::try_from(scaled).map_or(0.0, |scaled| scaled as f64 / PLACES as f64)
}
