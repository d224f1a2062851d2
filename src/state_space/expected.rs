//! Values of games with chance, and with simultaneous choices: what a role can be sure of on average.
//!
//! A state is worth the goal that the role gets on average if it plays as well as possible, and the other one so that it gets little;
//! `random` takes each of its moves equally often. Where both choose at the same time, each mixes its moves (von Neumann 1928). Values
//! are exact fractions, from the ends of the game backwards; a game that can come back to a state has none here.

use num_bigint::BigInt;

use super::StateSpace;
use super::graph::GraphPart;
use super::kind::StateKind;
use super::matrix_game::{Fraction, MatrixGame};
use super::set::StateSet;
use super::solve::{SolveError, check_ends};
use super::table::StateNumber;
use crate::engine::{Bits, Propnet};
use crate::game::{JointMoves, Role, StateMachine, is_chance, legal_of_all};
use crate::util::{Deadline, SparseCheck};

/// What every state is worth to a role on average.
#[derive(Debug)]
pub struct ExpectedValues {
    set: StateSet,
    players: AveragePlayers,
    values: Vec<Fraction>,
    joint_moves: u64,
}

/// How a state is to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedPlay {
    /// What it is worth.
    pub value: Fraction,
    /// For each role that has a choice: its moves.
    pub choices: Vec<RoleChoice>,
}

/// What a role may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleChoice {
    /// The role.
    pub role: Role,
    /// Its moves.
    pub moves: Vec<MoveChance>,
}

/// A move, and how often to play it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveChance {
    /// The move.
    pub text: String,
    /// The chance with which it is to be played.
    pub chance: Fraction,
    /// What the state is worth if it is played, and everybody else plays as well as possible.
    pub value: Fraction,
}

/// A fraction with more bits than this, above or below its line, is too long to be of use.
const MOST_BITS: u64 = 1 << 14;

/// Who plays for what.
#[derive(Debug, Clone)]
struct AveragePlayers {
    role: usize,
    other: Option<usize>,
    chance: Option<usize>,
}

impl AveragePlayers {
    fn new(roles: &[String], role: Role) -> Result<Self, SolveError> {
        let players: Vec<usize> = (0..roles.len())
            .filter(|of| !is_chance(&roles[*of]))
            .collect();
        let others: Vec<usize> = players.iter().copied().filter(|of| *of != role.0).collect();
        match (players.contains(&role.0), &others[..]) {
            (true, [] | [_]) => Ok(Self {
                role: role.0,
                other: others.first().copied(),
                chance: roles.iter().position(|role| is_chance(role)),
            }),
            (false, _) => Err(SolveError::Chance),
            (true, _) => Err(SolveError::TooManyRoles(players.len())),
        }
    }

    /// Solves a state: `widths` tells how many moves each role has, `after` what the states after its joint moves are worth, the moves
    /// of the last role changing fastest.
    fn solve(&self, widths: &[u16], after: &[&Fraction]) -> MatrixGame {
        let width = |role: Option<usize>| role.map_or(1, |role| usize::from(widths[role]));
        let own = width(Some(self.role));
        let (theirs, chances) = (width(self.other), width(self.chance));
        let mut payoffs = vec![vec![Fraction::from(BigInt::ZERO); theirs]; own];
        for (joint, value) in after.iter().enumerate() {
            let moves = moves_of(joint, widths);
            let column = self.other.map_or(0, |other| moves[other]);
            payoffs[moves[self.role]][column] += *value;
        }
        let equally = Fraction::new(1.into(), chances.into());
        payoffs
            .iter_mut()
            .flatten()
            .for_each(|payoff| *payoff *= &equally);
        MatrixGame::new(&payoffs)
    }
}

/// The move of each role in the joint move of this number.
fn moves_of(joint: usize, widths: &[u16]) -> Vec<usize> {
    let mut left = joint;
    let mut moves = vec![0; widths.len()];
    for (mv, width) in moves.iter_mut().zip(widths).rev() {
        *mv = left % usize::from(*width);
        left /= usize::from(*width);
    }
    moves
}

impl StateSpace {
    /// What each state is worth to `role` on average. The space must have kept its graph.
    ///
    /// # Errors
    /// [`SolveError`]: play can come back to a state, or the game has no such values for another reason.
    pub fn expected(
        self,
        game: &Propnet,
        role: Role,
        deadline: &Deadline,
    ) -> Result<ExpectedValues, SolveError> {
        let players = AveragePlayers::new(game.roles(), role)?;
        check_ends(game, &self.totals, role)?;
        let Self {
            set,
            totals,
            goals,
            graph,
            symmetries,
        } = self;
        if symmetries.is_some() {
            return Err(SolveError::Classes);
        }
        let goals = goals.iter().map(|goals| goals[role.0].unwrap_or(0));
        let work = Backwards {
            players: &players,
            roles: game.roles().len(),
            goals: goals
                .map(|goal| Fraction::from(BigInt::from(goal)))
                .collect(),
            graph: ForwardGraph::new(&graph, set.end())?,
            values: vec![None; set.end()],
        };
        let start = set
            .number_of(&game.initial())
            .ok_or(SolveError::TooManyEdges)?;
        let values = work.run(start, deadline)?;
        Ok(ExpectedValues {
            set,
            players,
            values,
            joint_moves: totals.edges,
        })
    }
}

/// The states of a graph, each with where its joint moves lead.
struct ForwardGraph<'g> {
    /// For each state its part, its place there, and where its targets begin.
    places: Vec<Option<(u32, u32, u32)>>,
    /// For each part, where the widths of a state are, if it has any.
    widths: Vec<Vec<u32>>,
    parts: &'g [GraphPart],
}

impl<'g> ForwardGraph<'g> {
    /// All numbers are below `end`.
    fn new(parts: &'g [GraphPart], end: usize) -> Result<Self, SolveError> {
        let mut places = vec![None; end];
        let number = |number: usize| u32::try_from(number).map_err(|_| SolveError::TooManyEdges);
        let mut widths = Vec::with_capacity(parts.len());
        for (part_number, part) in parts.iter().enumerate() {
            let (mut targets, mut listed) = (0, 0);
            let mut of_part = Vec::with_capacity(part.states.len());
            for (place, state) in part.states.iter().enumerate() {
                places[*state as usize] =
                    Some((number(part_number)?, number(place)?, number(targets)?));
                of_part.push(listed);
                targets += usize::from(part.degrees[place]);
                listed += u32::from(part.kinds[place] == StateKind::SEVERAL);
            }
            widths.push(of_part);
        }
        Ok(Self {
            places,
            widths,
            parts,
        })
    }

    /// The kind of a state, and the states after it.
    fn state(&self, state: StateNumber) -> Option<(StateKind, &'g [StateNumber])> {
        let (part, place, first) = self.places[state as usize]?;
        let part = &self.parts[part as usize];
        let degree = part.degrees[place as usize].into();
        let targets = &part.targets[first as usize..][..degree];
        Some((part.kinds[place as usize], targets))
    }

    /// How many moves each role has in a state.
    fn widths(&self, state: StateNumber, roles: usize) -> Vec<u16> {
        let Some((part_number, place, _)) = self.places[state as usize] else {
            return vec![1; roles];
        };
        let part = &self.parts[part_number as usize];
        let place = place as usize;
        if part.kinds[place] == StateKind::SEVERAL {
            let listed = self.widths[part_number as usize][place];
            return part.widths[listed as usize].clone();
        }
        let mut widths = vec![1; roles];
        if let Some(role) = part.kinds[place].role() {
            widths[role] = part.degrees[place];
        }
        widths
    }
}

/// The values, found from the ends backwards.
struct Backwards<'b> {
    players: &'b AveragePlayers,
    roles: usize,
    goals: Vec<Fraction>,
    graph: ForwardGraph<'b>,
    values: Vec<Option<Fraction>>,
}

/// Where a walk through the graph stands in a state.
struct Open {
    state: StateNumber,
    next: usize,
}

impl Backwards<'_> {
    fn run(mut self, start: StateNumber, deadline: &Deadline) -> Result<Vec<Fraction>, SolveError> {
        let mut check = SparseCheck::new(deadline);
        let mut is_open = vec![false; self.values.len()];
        let mut open = vec![Open {
            state: start,
            next: 0,
        }];
        is_open[start as usize] = true;
        while let Some(top) = open.last_mut() {
            check.step(16)?;
            let state = top.state;
            let (kind, targets) = self.graph.state(state).ok_or(SolveError::TooManyEdges)?;
            if let Some(target) = targets.get(top.next) {
                top.next += 1;
                match (
                    self.values[*target as usize].is_some(),
                    is_open[*target as usize],
                ) {
                    (true, _) => {}
                    (false, true) => return Err(SolveError::Cyclic),
                    (false, false) => {
                        is_open[*target as usize] = true;
                        open.push(Open {
                            state: *target,
                            next: 0,
                        });
                    }
                }
                continue;
            }
            let value = self.value(state, kind, targets)?;
            self.values[state as usize] = Some(value);
            is_open[state as usize] = false;
            open.pop();
        }
        let nothing = || Fraction::from(BigInt::ZERO);
        Ok(self
            .values
            .into_iter()
            .map(|value| value.unwrap_or_else(nothing))
            .collect())
    }

    /// The value of a state, once all states after it have theirs.
    fn value(
        &self,
        state: StateNumber,
        kind: StateKind,
        targets: &[StateNumber],
    ) -> Result<Fraction, SolveError> {
        if let Some(end) = kind.end() {
            return Ok(self.goals[end].clone());
        }
        let after: Vec<&Fraction> = targets
            .iter()
            .filter_map(|target| self.values[*target as usize].as_ref())
            .collect();
        let value = match kind.role() {
            Some(role) if role == self.players.role => after.iter().max().copied().cloned(),
            Some(role) if Some(role) == self.players.other => after.iter().min().copied().cloned(),
            _ if after.len() == 1 => after.first().copied().cloned(),
            _ => {
                let widths = self.graph.widths(state, self.roles);
                Some(self.players.solve(&widths, &after).value)
            }
        };
        let value = value.ok_or(SolveError::TooManyEdges)?;
        match value.numer().bits().max(value.denom().bits()) > MOST_BITS {
            true => Err(SolveError::TooFine),
            false => Ok(value),
        }
    }
}

impl ExpectedValues {
    /// How many states there are.
    pub fn count(&self) -> u64 {
        self.set.count()
    }

    /// How many joint moves there are in all states together.
    pub fn joint_moves(&self) -> u64 {
        self.joint_moves
    }

    /// What the state is worth in which exactly these facts (KIF terms) hold, and how to play it; nothing if it cannot be reached.
    pub fn play<S: AsRef<str>>(&self, game: &Propnet, facts: &[S]) -> Option<ExpectedPlay> {
        let state = self.set.codec().state_of(facts)?;
        let value = self.value(&state)?.clone();
        let mut scratch = game.scratch();
        if game.is_terminal(&mut scratch, &state) {
            let choices = Vec::new();
            return Some(ExpectedPlay { value, choices });
        }
        let mut legal = Vec::new();
        legal_of_all(game, &mut scratch, &state, &mut legal);
        let mut after = Vec::new();
        let mut joints = JointMoves::new(&legal);
        while let Some(joint) = joints.advance() {
            after.push(self.value(&game.next(&mut scratch, &state, joint))?);
        }
        let widths: Vec<u16> = legal.iter().map(|moves| moves.len() as u16).collect();
        let solved = self.players.solve(&widths, &after);
        let choosing = (0..legal.len()).filter(|role| legal[*role].len() > 1);
        let choices = choosing.map(|role| {
            let moves = legal[role].iter().enumerate().map(|(place, mv)| {
                let chances = self.chances(role, &solved, widths[role]);
                MoveChance {
                    text: game.move_text(*mv),
                    chance: chances[place].clone(),
                    value: self.value_of(role, place, &widths, &after, &solved),
                }
            });
            RoleChoice {
                role: Role(role),
                moves: moves.collect(),
            }
        });
        let choices = choices.collect();
        Some(ExpectedPlay { value, choices })
    }

    fn value(&self, state: &Bits) -> Option<&Fraction> {
        Some(&self.values[self.set.number_of(state)? as usize])
    }

    /// How often a role plays its moves.
    fn chances(&self, role: usize, solved: &MatrixGame, moves: u16) -> Vec<Fraction> {
        if role == self.players.role {
            return solved.rows.clone();
        }
        match Some(role) == self.players.other {
            true => solved.columns.clone(),
            false => vec![Fraction::new(1.into(), moves.into()); moves.into()],
        }
    }

    /// What a state is worth if `role` plays its move of this number.
    fn value_of(
        &self,
        role: usize,
        mv: usize,
        widths: &[u16],
        after: &[&Fraction],
        solved: &MatrixGame,
    ) -> Fraction {
        let others: Vec<usize> = (0..widths.len()).filter(|of| *of != role).collect();
        let chances: Vec<Vec<Fraction>> = (0..widths.len())
            .map(|of| match widths[of] {
                1 => vec![Fraction::from(BigInt::from(1))],
                moves => self.chances(of, solved, moves),
            })
            .collect();
        let mut sum = Fraction::from(BigInt::ZERO);
        for (joint, value) in after.iter().enumerate() {
            let moves = moves_of(joint, widths);
            if moves[role] == mv {
                let factors = others.iter().map(|of| &chances[*of][moves[*of]]);
                sum += factors.product::<Fraction>() * *value;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests;
