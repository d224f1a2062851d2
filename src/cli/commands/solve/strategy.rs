//! Strategies, printed, and the proof of a value.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::cli::console::Stream;
use crate::cli::failure::Failure;
use crate::engine::EngineChoice;
use crate::play::role_number;
use crate::session::Position;
use crate::solved::{SolvedGame, Strategy, StrategyError, StrategyState, Unproved};
use crate::state_space::SolvedValue;
use crate::util::Deadline;

/// A longer list is not read by anybody.
const MOST_PRINTED: usize = 100_000;
/// A position takes about a kilobyte while its strategy is followed.
const MOST_PROVED: usize = 2_000_000;

/// A strategy to be printed.
#[derive(Serialize)]
pub(super) struct StrategyReport {
    role: String,
    states: Vec<StateReport>,
}

/// A position of a strategy: states are numbered from 1.
#[derive(Serialize)]
struct StateReport {
    ply: u32,
    #[serde(flatten)]
    value: SolvedValue,
    /// The role that chooses, or whose turn it is; none where the game is over.
    mover: Option<String>,
    moves: Vec<StateMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<Vec<Option<u8>>>,
}

#[derive(Serialize)]
struct StateMove {
    #[serde(rename = "move")]
    text: String,
    /// The number of the state after it.
    to: usize,
}

/// A strategy that holds what it promises.
#[derive(Serialize)]
pub(super) struct ProofReport {
    pub(super) role: String,
    /// What the strategy holds.
    pub(super) holds: String,
    /// The positions that can come up, and how many of them are ends.
    pub(super) states: usize,
    pub(super) ends: usize,
}

impl StrategyReport {
    /// The strategy of a role from a position on.
    pub(super) fn new(
        role: &str,
        solved: &SolvedGame,
        position: &Position,
        deadline: &Deadline,
    ) -> Result<Self, Failure> {
        let roles = solved.game().roles();
        let role = role_number(role, roles)?;
        if let Err(fault) = solved.check_role(role) {
            return Err(Failure::finding(fault.to_string())
                .with_help(format!("solve the game for it: `--role {}`", roles[role])));
        }
        let strategy = solved.strategy(role, position, MOST_PRINTED, deadline);
        Ok(Self::of(&strategy.map_err(failure)?, roles))
    }

    fn of(strategy: &Strategy, roles: &[String]) -> Self {
        let state = |state: &StrategyState| StateReport {
            ply: state.ply,
            value: state.value,
            mover: state.mover.map(|mover| roles[mover].clone()),
            moves: state
                .moves
                .iter()
                .map(|(text, place)| StateMove {
                    text: text.clone(),
                    to: place + 1,
                })
                .collect(),
            goals: state.goals.clone(),
        };
        Self {
            role: roles[strategy.role].clone(),
            states: strategy.states.iter().map(state).collect(),
        }
    }

    /// One line for each position: its number, who chooses, and where each move leads.
    pub(super) fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        writeln!(
            out,
            "strategy of {}, {} positions (ply, who moves, moves with the positions after them):",
            self.role,
            self.states.len()
        )?;
        let width = self.states.len().to_string().len();
        for (number, state) in (1..).zip(&self.states) {
            write!(out, "  {number:>width$}.  {:>2}  ", state.ply)?;
            let Some(mover) = &state.mover else {
                writeln!(out, "over: {}", goals_text(state.goals.as_deref()))?;
                continue;
            };
            let moves = state.moves.iter();
            let moves: Vec<String> = moves.map(|mv| format!("{} → {}", mv.text, mv.to)).collect();
            writeln!(out, "{mover}: {}", moves.join(", "))?;
        }
        Ok(())
    }

    /// The graph in the language DOT of Graphviz: positions in which the role chooses are boxes, ends are doubly framed.
    pub(super) fn to_dot(&self) -> String {
        let mut dot = String::from("digraph strategy {\n  node [shape=ellipse];\n");
        for (number, state) in (1..).zip(&self.states) {
            let (label, shape) = match &state.mover {
                None => (goals_text(state.goals.as_deref()), "doublecircle"),
                Some(mover) if *mover == self.role => (format!("{number}: {mover}"), "box"),
                Some(mover) => (format!("{number}: {mover}"), "ellipse"),
            };
            // Writing to a string has no way to fail.
            let _ = writeln!(dot, "  {number} [label={label:?}, shape={shape}];");
            for mv in &state.moves {
                let _ = writeln!(dot, "  {number} -> {} [label={:?}];", mv.to, mv.text);
            }
        }
        dot.push_str("}\n");
        dot
    }
}

fn goals_text(goals: Option<&[Option<u8>]>) -> String {
    let goals = goals.unwrap_or_default().iter();
    let goals = goals.map(|goal| goal.map_or("?".to_owned(), |goal| goal.to_string()));
    goals.collect::<Vec<_>>().join(" ")
}

/// Proves what a position is worth, by another engine than the one that solved the game.
pub(super) fn prove(
    solved: &SolvedGame,
    position: &Position,
    deadline: &Deadline,
) -> Result<Vec<ProofReport>, Failure> {
    let reasoner = solved.game().on(&EngineChoice::Reasoner.into());
    let reasoner = reasoner.map_err(|fault| Failure::finding(fault.to_string()))?;
    let start = reasoner.position(&position.facts());
    let start = start.map_err(|fault| Failure::finding(fault.to_string()))?;
    let solved = solved.on(reasoner);
    let proofs = solved.prove(&start, MOST_PROVED, deadline);
    let proofs = proofs.map_err(|why| match why {
        Unproved::Strategy(why) => failure(why),
        Unproved::Refuted(why) => Failure::finding(why.to_string()),
    })?;
    let solution = solved.solution();
    let own = &solution.roles()[solution.role().0];
    let value = solved.value(&start).and_then(SolvedValue::goal);
    let value = value.map_or("an endless game".to_owned(), |goal| goal.to_string());
    let proofs = proofs.into_iter().map(|proof| {
        let role = &solution.roles()[proof.role];
        ProofReport {
            role: role.clone(),
            holds: match role == own {
                true => format!("gets at least {value}"),
                false => format!("leaves {own} no more than {value}"),
            },
            states: proof.states,
            ends: proof.ends,
        }
    });
    Ok(proofs.collect())
}

fn failure(why: StrategyError) -> Failure {
    match why {
        StrategyError::Expired(why) => why.into(),
        StrategyError::TooLarge(_) => Failure::finding(format!("the strategy is too long: {why}"))
            .with_help("ask about a position nearer to the end: give the moves that lead there"),
        StrategyError::Position(_) => Failure::finding(why.to_string()),
    }
}
