//! The log of an annealing, which is all of its state: its plan, the first weights, and the games and weights of each generation.

use std::fmt;
use std::iter::Peekable;
use std::str::{FromStr, Lines};

use super::{AnnealingPlan, TuningGame};
use crate::native::kolibrat::PropertyWeights;

/// An annealing as far as it has come, written and read as its log.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnealingLog {
    /// All that it depends on.
    pub plan: AnnealingPlan,
    /// The first weights.
    pub first: Vec<PropertyWeights>,
    /// The generations after those.
    pub generations: Vec<LoggedGeneration>,
}

/// The games of a generation, and the weights that came of them.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedGeneration {
    /// The games.
    pub games: Vec<TuningGame>,
    /// The factor of all changes.
    pub temperature: f32,
    /// The weights that come next.
    pub population: Vec<PropertyWeights>,
}

/// Why a text is no log of an annealing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the log should be {expected}")]
pub struct AnnealingLogFault {
    /// The number of the line, from 1.
    pub line: usize,
    /// What belongs there.
    pub expected: &'static str,
}

const START: &str = "Annealing ";
const COLOURS: [&str; 2] = ["red", "black"];

impl fmt::Display for AnnealingLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = serde_json::to_string(&self.plan).map_err(|_| fmt::Error)?;
        writeln!(f, "{START}{plan}")?;
        write_all(f, &self.first)?;
        let mut number = 0;
        for (generation, played) in self.generations.iter().enumerate() {
            for game in &played.games {
                number += 1;
                writeln!(f, "{}", game_header(number, game.black_wins))?;
                write_all(f, &[game.winner, game.loser])?;
            }
            let header = generation_header(generation + 1, played.temperature);
            writeln!(f, "{header}")?;
            write_all(f, &played.population)?;
        }
        Ok(())
    }
}

fn write_all(f: &mut fmt::Formatter<'_>, all: &[PropertyWeights]) -> fmt::Result {
    all.iter().try_for_each(|weights| writeln!(f, "{weights}"))
}

fn game_header(number: usize, black_wins: bool) -> String {
    format!("Game {number}: {} wins", COLOURS[usize::from(black_wins)])
}

fn generation_header(number: usize, temperature: f32) -> String {
    format!("Generation {number}, random factor {temperature:.3}")
}

impl FromStr for AnnealingLog {
    type Err = AnnealingLogFault;

    fn from_str(text: &str) -> Result<Self, AnnealingLogFault> {
        let mut lines = LogLines {
            lines: text.lines().peekable(),
            number: 0,
        };
        let plan = lines.next("the plan of an annealing", |line| {
            let plan = serde_json::from_str(line.strip_prefix(START)?).ok();
            plan.filter(|plan: &AnnealingPlan| plan.fault().is_none())
        })?;
        let first = lines.population(&plan)?;
        let mut generations = Vec::new();
        let mut games = 0;
        for (number, temperature) in plan.temperatures().into_iter().enumerate() {
            if lines.lines.peek().is_none() {
                break;
            }
            let played = match plan.opponent {
                None => plan.population / 2,
                Some(_) => plan.population,
            };
            let numbers = games + 1..=games + played;
            let of_generation = numbers.map(|number| lines.game(number));
            let of_generation = of_generation.collect::<Result<Vec<_>, _>>()?;
            games += played;
            let header = generation_header(number + 1, temperature);
            lines.next("the header of the next generation", |line| {
                (line == header).then_some(())
            })?;
            generations.push(LoggedGeneration {
                games: of_generation,
                temperature,
                population: lines.population(&plan)?,
            });
        }
        match lines.lines.peek() {
            None => Ok(Self {
                plan,
                first,
                generations,
            }),
            Some(_) => lines.next("the end", |_| None),
        }
    }
}

struct LogLines<'l> {
    lines: Peekable<Lines<'l>>,
    number: usize,
}

impl LogLines<'_> {
    fn next<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, AnnealingLogFault> {
        self.number += 1;
        let line = self.number;
        let read = self.lines.next().and_then(read);
        read.ok_or(AnnealingLogFault { line, expected })
    }

    fn weights(&mut self) -> Result<PropertyWeights, AnnealingLogFault> {
        self.next("eleven weights with `/` between them", |line| {
            line.parse().ok()
        })
    }

    fn population(
        &mut self,
        plan: &AnnealingPlan,
    ) -> Result<Vec<PropertyWeights>, AnnealingLogFault> {
        (0..plan.population).map(|_| self.weights()).collect()
    }

    fn game(&mut self, number: usize) -> Result<TuningGame, AnnealingLogFault> {
        let black_wins = self.next("the header of the next game", |line| {
            let headers = [false, true].map(|black_wins| game_header(number, black_wins));
            headers.iter().position(|header| header == line)
        })?;
        Ok(TuningGame {
            black_wins: black_wins == 1,
            winner: self.weights()?,
            loser: self.weights()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::AnnealingSetup;
    use super::*;

    #[test]
    fn what_is_wrong_with_a_log_is_said_with_its_line() {
        let plan = AnnealingPlan {
            population: 2,
            survivors: 1,
            ..AnnealingPlan::published(AnnealingSetup::Prose)
        };
        let log = AnnealingLog::new(plan).to_string();
        let fault = |text: &str| text.parse::<AnnealingLog>().unwrap_err();
        assert_eq!(fault("").line, 1);
        assert_eq!(fault(&log.replace('{', "(")).line, 1);
        assert_eq!(
            fault(&log.replace("\"survivors\":1", "\"survivors\":0")).line,
            1
        );
        assert_eq!(fault(log.trim_end().rsplit_once('\n').unwrap().0).line, 3);
        let fault = fault(&format!("{log}Game 2: red wins\n"));
        let expected = "line 4 of the log should be the header of the next game";
        assert_eq!(fault.to_string(), expected);
    }
}
