//! A strategy in text.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::console::Stream;
use crate::cli::style;
use crate::engine::Propnet;
use crate::game::StateMachine;
use crate::state_space::{DiagramMove, StateDiagram};

/// The states that a strategy visits, numbered from 0, the initial one.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct ShownStrategy {
    states: Vec<VisitedState>,
}

/// A state with what may be done there while one role keeps to its strategy.
#[derive(Serialize)]
struct VisitedState {
    facts: Vec<String>,
    moves: Vec<VisitedMove>,
}

#[derive(Serialize)]
struct VisitedMove {
    /// The roles whose moves these are.
    roles: Vec<String>,
    moves: Vec<String>,
    /// The number of the state that follows.
    to: usize,
}

impl ShownStrategy {
    pub(super) fn new(game: &Propnet, diagram: &StateDiagram) -> Self {
        let moves = |mv: &DiagramMove| {
            let of = mv.choosing.iter();
            VisitedMove {
                roles: of
                    .clone()
                    .map(|role| game.roles()[role.0].clone())
                    .collect(),
                moves: of.map(|role| game.move_text(mv.joint[role.0])).collect(),
                to: mv.to,
            }
        };
        let states = diagram.states.iter().map(|state| VisitedState {
            facts: game.state_text(&state.state),
            moves: state.moves.iter().map(moves).collect(),
        });
        Self {
            states: states.collect(),
        }
    }

    pub(super) fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let faint = style::FAINT;
        for (number, state) in self.states.iter().enumerate() {
            writeln!(out, "\n{number}  {faint}{}{faint:#}", state.facts.join(" "))?;
            for mv in &state.moves {
                let words = mv.roles.iter().zip(&mv.moves);
                let words: Vec<String> = words.map(|(role, mv)| format!("{role} {mv}")).collect();
                writeln!(out, "    {} → {}", words.join(", "), mv.to)?;
            }
        }
        Ok(())
    }
}
