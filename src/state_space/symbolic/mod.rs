//! States counted without enumerating them: sets of states are binary decision diagrams, and so are joint moves.
//!
//! A layer of states becomes the next one by the relations of all joint moves (Burch, Clarke, McMillan, Dill and Hwang, *Symbolic model
//! checking: 10²⁰ states and beyond*, 1992; for games, Edelkamp and Kissmann, *Symbolic classification of general two-player games*,
//! 2008). How many nodes a diagram has depends on the order of its variables far more than on the number of states.

mod evaluate;
mod layers;
mod moves;
mod order;
#[cfg(test)]
mod tests;
mod variables;

use num_bigint::BigUint;
use oxidd::BooleanFunction;
use oxidd::error::OutOfMemory;
use oxidd::util::AllocResult;

use self::evaluate::{SignalDiagrams, conjuncts, fluents_of};
use self::layers::Layers;
use self::moves::MoveRelation;
use self::order::ordered;
use self::variables::{Bdd, MoveSide, StateVariables};
use super::codec::StateCodec;
use crate::engine::Propnet;
use crate::game::StateMachine;
use crate::ground::Ground;
use crate::propnet::network::Lit;
use crate::propnet::{Interface, Network, build};
use crate::util::{Deadline, Expired};

/// How states are counted.
pub struct SymbolicOptions<'o> {
    /// How many threads work on a diagram.
    pub threads: u32,
    /// When to give up.
    pub deadline: &'o Deadline,
    /// Diagrams and what is remembered of them may take so many bytes.
    pub most_bytes: u64,
    /// Called before each ply with what is known so far, its own states among the plies; again from the first one where the count
    /// begins again with more memory.
    pub on_ply: &'o (dyn Fn(&SymbolicCounts) + Sync),
}

/// How many states a game can reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SymbolicCounts {
    /// Per number of plies that they need.
    pub by_ply: Vec<BigUint>,
    /// How many of all but the last ply are over; of all, once nothing is left to do.
    pub terminal: BigUint,
    /// How many variables a state has.
    pub variables: u32,
    /// How many joint moves may be legal.
    pub joint_moves: usize,
    /// The most nodes that were in use after a ply.
    pub most_nodes: usize,
}

impl SymbolicCounts {
    /// All states.
    pub fn states(&self) -> BigUint {
        self.by_ply.iter().sum()
    }
}

/// Why states are not counted to the end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SymbolicError {
    /// The deadline is due, or the flag was raised.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// The diagrams need more bytes than they may have.
    #[error("the decision diagrams need more than {} MiB", .0 >> 20)]
    OutOfMemory(u64),
    /// A sentence depends on itself.
    #[error(
        "the rules have a recursion that depends on the state, of which no decision diagrams are made"
    )]
    Recursion,
    /// Too many combinations of moves may be legal at the same time.
    #[error("more than {MOST_JOINT_MOVES} joint moves may be legal")]
    TooManyJointMoves,
}

/// A count that was not finished.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct UnfinishedCount {
    /// Why it ended.
    pub why: SymbolicError,
    /// What is known.
    pub counts: SymbolicCounts,
}

/// Each joint move has a relation of its own.
const MOST_JOINT_MOVES: usize = 50_000;
/// What a node takes, with its place in the table that finds it.
const BYTES_OF_NODE: u64 = 32;
/// What a remembered result takes.
const BYTES_OF_RESULT: u64 = 20;
/// A count begins with room for so many results, and begins again with `RESULTS_GROWTH` times as many once there are more nodes than
/// that: the table has its size from the beginning, and most games need little of what they may have.
const FIRST_RESULTS: usize = 1 << 18;
const RESULTS_GROWTH: usize = 1 << 4;

impl From<OutOfMemory> for SymbolicError {
    fn from(_: OutOfMemory) -> Self {
        Self::OutOfMemory(0)
    }
}

/// Counts the states that `game` can reach, whose ground rules are `ground`.
///
/// # Errors
/// [`UnfinishedCount`]: a budget is used up, or the rules have no decision diagrams.
pub fn count_symbolically(
    game: &Propnet,
    ground: &Ground,
    options: &SymbolicOptions<'_>,
) -> Result<SymbolicCounts, Box<UnfinishedCount>> {
    // A quarter is for results, a tenth for counting; a power of two is the size of their table.
    let most_results = (options.most_bytes / 4 / BYTES_OF_RESULT).max(1 << 10);
    let most_results = 1_usize << most_results.ilog2();
    let mut results = FIRST_RESULTS.min(most_results);
    let mut known = SymbolicCounts::default();
    loop {
        let most_nodes = match results < most_results {
            true => results,
            false => usize::MAX,
        };
        let mut counts = SymbolicCounts::default();
        let done = count(game, ground, options, (results, most_nodes), &mut counts);
        if counts.by_ply.len() >= known.by_ply.len() {
            known = counts;
        }
        let why = match done {
            Ok(CountEnd::Finished) => return Ok(known),
            Ok(CountEnd::TooFewResults) => {
                results = results.saturating_mul(RESULTS_GROWTH).min(most_results);
                continue;
            }
            Err(SymbolicError::OutOfMemory(_)) => SymbolicError::OutOfMemory(options.most_bytes),
            Err(why) => why,
        };
        let counts = known;
        return Err(Box::new(UnfinishedCount { why, counts }));
    }
}

/// How a count ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountEnd {
    /// All states are counted.
    Finished,
    /// There are more nodes than results can be remembered for.
    TooFewResults,
}

/// Counts with room for so many results, as long as there are no more than so many nodes.
fn count(
    game: &Propnet,
    ground: &Ground,
    options: &SymbolicOptions<'_>,
    (results, most_nodes): (usize, usize),
    counts: &mut SymbolicCounts,
) -> Result<CountEnd, SymbolicError> {
    let (interface, network) = build(ground, &mut Vec::new());
    if !network.outputs.cycles.is_empty() {
        return Err(SymbolicError::Recursion);
    }
    let nodes = (options.most_bytes / 20 * 13 / BYTES_OF_NODE) as usize;
    let manager = oxidd::bcdd::new_manager(nodes, results, options.threads);
    let codec = StateCodec::new(game);
    let holds = |fluent: usize| codec.always()[fluent / 64] >> (fluent % 64) & 1 == 1;
    let contents = ordered_contents(&codec, &network);
    let variables = StateVariables::new(manager, contents, interface.fluents.len(), holds)?;
    let mut signals = SignalDiagrams::new(&network, &variables.fluents, variables.truth.clone());
    let joint_moves = joint_moves(&network, &interface, &variables, &mut signals)?;
    counts.variables = variables.count();
    counts.joint_moves = joint_moves.len();
    let mut moves = Vec::with_capacity(joint_moves.len());
    for (inputs, legal) in joint_moves {
        options.deadline.check()?;
        moves.push(MoveRelation::new(
            &network,
            &variables,
            &mut signals,
            &inputs,
            legal,
        )?);
    }
    let mut layers = Layers::new(&network, &variables, &mut signals, moves, nodes)?;
    drop(signals);
    layers.count(initial(game, &variables)?, options, most_nodes, counts)
}

/// The contents of the fields of a state, in a good order.
fn ordered_contents(codec: &StateCodec, network: &Network) -> Vec<Vec<Option<usize>>> {
    let facts: Vec<&str> = codec.facts().collect();
    let digits = codec.digits();
    let mut field_of = vec![None; facts.len()];
    for (field, digit) in digits.iter().enumerate() {
        for fluent in digit.iter().flatten() {
            field_of[*fluent] = Some(field);
        }
    }
    let outputs = &network.outputs;
    let goes_on = conjuncts(network, !outputs.terminal).into_iter();
    let looked_at = goes_on.chain(outputs.legal.iter().chain(&outputs.next).copied());
    let fields = |lit: Lit| {
        let fluents = fluents_of(network, lit).into_iter();
        let mut fields: Vec<usize> = fluents.filter_map(|fluent| field_of[fluent]).collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    };
    let together: Vec<Vec<usize>> = looked_at.map(fields).collect();
    let names: Vec<Vec<&str>> = digits
        .iter()
        .map(|digit| {
            digit
                .iter()
                .flatten()
                .map(|fluent| facts[*fluent])
                .collect()
        })
        .collect();
    let order = ordered(&names, &together).into_iter();
    order.map(|field| digits[field].to_vec()).collect()
}

/// The inputs of each joint move, and where they are legal together.
fn joint_moves(
    network: &Network,
    interface: &Interface,
    variables: &StateVariables,
    signals: &mut SignalDiagrams<'_>,
) -> Result<Vec<(Vec<usize>, Bdd)>, SymbolicError> {
    let mut no_move = signals.joint_move(&[]);
    let mut joint_moves = vec![(Vec::new(), variables.domain.clone())];
    for inputs in &interface.roles {
        let mut longer = Vec::new();
        for input in inputs.clone() {
            let legal = signals.of(network.outputs.legal[input], &mut no_move)?;
            for (others, so_far) in &joint_moves {
                let together = so_far.and(&legal)?;
                if together.satisfiable() {
                    let joint = others.iter().copied().chain([input]).collect();
                    longer.push((joint, together));
                }
            }
            if longer.len() > MOST_JOINT_MOVES {
                return Err(SymbolicError::TooManyJointMoves);
            }
        }
        joint_moves = longer;
    }
    Ok(joint_moves)
}

/// The initial state alone.
fn initial(game: &Propnet, variables: &StateVariables) -> AllocResult<Bdd> {
    let state = game.initial();
    let holds = |fluent: usize| state.words()[fluent / 64] >> (fluent % 64) & 1 == 1;
    let mut all = variables.truth.clone();
    for (place, field) in variables.fields.iter().enumerate() {
        let held = field
            .contents
            .iter()
            .position(|content| content.is_some_and(holds));
        let number = held.or_else(|| field.contents.iter().position(Option::is_none));
        all = all.and(&variables.content(place, number.unwrap_or(0), MoveSide::Before)?)?;
    }
    Ok(all)
}
