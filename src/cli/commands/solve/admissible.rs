//! A heuristic beside the solution: whether it ever says more plies than there are.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::console::Stream;
use crate::cli::failure::Failure;
use crate::cli::hamming::hamming;
use crate::cli::number::counted;
use crate::solved::SolvedGame;
use crate::state_space::SolvedValue;
use crate::util::{Deadline, SparseCheck};

/// What `--check-heuristic` may say.
pub(super) const HAMMING: &str = "hamming";

/// The Hamming distance in all states from which the best goal can be reached.
#[derive(Debug, Serialize)]
pub(super) struct AdmissibleReport {
    heuristic: &'static str,
    /// Whether it is never more than the plies to the end.
    admissible: bool,
    checked: u64,
    /// In how many states it is more.
    too_great: u64,
    mean_distance: f64,
    mean_plies: f64,
    /// The facts of the first such state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    too_great_in: Vec<String>,
}

impl AdmissibleReport {
    pub(super) fn new(solved: &SolvedGame, deadline: &Deadline) -> Result<Self, Failure> {
        let (game, solution) = (solved.game(), solved.solution());
        let distance = hamming(game, "--check-heuristic")?;
        let codec = solution.codec();
        let game_facts = game.facts();
        let number = |fact| game_facts.and_then(|facts| facts.number(fact));
        let numbers: Vec<Option<usize>> = codec.facts().map(number).collect();
        let mut words = vec![0_u64; game_facts.map_or(0, |facts| facts.words())];
        let (mut distances, mut plies_of_all) = (0, 0);
        let mut report = Self {
            heuristic: HAMMING,
            admissible: true,
            checked: 0,
            too_great: 0,
            mean_distance: 0.0,
            mean_plies: 0.0,
            too_great_in: Vec::new(),
        };
        let mut check = SparseCheck::new(deadline);
        for state in solution.states() {
            check.step(1).map_err(|_| Failure::interrupted())?;
            let SolvedValue::Goal { goal, plies } = state.value else {
                continue;
            };
            if goal != distance.goal() {
                continue;
            }
            let facts = solution.state(&state);
            words.fill(0);
            for (fluent, number) in numbers.iter().enumerate() {
                if let (1, Some(number)) = (facts.words()[fluent / 64] >> (fluent % 64) & 1, number)
                {
                    words[number / 64] |= 1 << (number % 64);
                }
            }
            let lacking = distance.of(&words);
            report.checked += 1;
            distances += u64::from(lacking);
            plies_of_all += u64::from(plies);
            if lacking > u32::from(plies) {
                if report.too_great == 0 {
                    report.too_great_in = codec.facts_of(&facts);
                }
                report.too_great += 1;
            }
        }
        let mean = |sum: u64| sum as f64 / report.checked.max(1) as f64;
        Ok(Self {
            admissible: report.too_great == 0,
            mean_distance: mean(distances),
            mean_plies: mean(plies_of_all),
            ..report
        })
    }

    pub(super) fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let Self {
            heuristic,
            mean_distance,
            mean_plies,
            ..
        } = self;
        let states = counted(self.checked, "state");
        writeln!(
            out,
            "\n{heuristic}: {mean_distance:.2} of {mean_plies:.2} plies on average, in {states} of the best goal"
        )?;
        match self.too_great {
            0 => writeln!(out, "  never more plies than there are: admissible"),
            too_great => writeln!(
                out,
                "  more plies than there are in {}: not admissible; for one, {}",
                counted(too_great, "state"),
                self.too_great_in.join(" ")
            ),
        }
    }
}
