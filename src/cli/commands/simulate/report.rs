//! Games and totals as JSON.

use serde::Serialize;

use super::tables::milliseconds;
use super::{GAME, SimulateArgs, SimulatedGame};
use crate::cli::by_role::ByRole;
use crate::cli::memory::peak_memory;
use crate::native::checkers::published::{
    PublishedAlgorithm, PublishedEnding, PublishedPlayer, PublishedTurns, board_rows,
};
use crate::play::Spec;

/// A game.
#[derive(Serialize)]
pub(super) struct GameReport {
    game: &'static str,
    players: ByRole<String>,
    /// Turns with the numbers of squares, black's first.
    moves: Vec<String>,
    goals: ByRole<u8>,
    plies: usize,
    seconds: f64,
    errors: [String; 0],
    seed: u64,
    /// `black`, `red` or `draw`.
    end: &'static str,
    board: String,
    depth: ByRole<u32>,
    leaf: ByRole<u64>,
    expanded: ByRole<u64>,
    nodes: ByRole<u64>,
    captures: ByRole<u32>,
    rounds: ByRole<u32>,
    /// Turns before which the player jittered.
    jitter: ByRole<u32>,
    milliseconds: ByRole<f64>,
    /// The most that the turns held by a search took.
    bytes: ByRole<u64>,
}

impl GameReport {
    pub(super) fn of(simulated: &SimulatedGame) -> Self {
        let SimulatedGame {
            pairing,
            seed,
            game,
        } = simulated;
        let done = [0, 1].map(|player| game.of_player(player));
        let seconds = done.map(|done| done.time.as_secs_f64());
        let moves = game.turns.iter().map(|played| played.turn.text());
        Self {
            game: GAME,
            players: by_role([pairing.black, pairing.red].map(|player| spec(&player))),
            moves: moves.collect(),
            goals: by_role(game.ending.goals()),
            plies: game.turns.len(),
            seconds: seconds.iter().sum(),
            errors: [],
            seed: *seed,
            end: game.ending.name(),
            board: board(simulated),
            depth: by_role([pairing.black.depth, pairing.red.depth]),
            leaf: by_role(done.map(|done| done.counts.leaf)),
            expanded: by_role(done.map(|done| done.counts.expanded)),
            nodes: by_role(done.map(|done| done.counts.nodes())),
            captures: by_role(done.map(|done| done.captures)),
            rounds: by_role(done.map(|done| done.turns)),
            jitter: by_role(done.map(|done| done.jitter)),
            milliseconds: by_role(done.map(|done| milliseconds(&done))),
            bytes: by_role(done.map(|done| done.counts.bytes())),
        }
    }
}

fn by_role<T>(values: [T; 2]) -> ByRole<T> {
    ByRole::new(&["black".to_owned(), "red".to_owned()], values)
}

/// The player as it is asked for in a match.
pub(super) fn spec(player: &PublishedPlayer) -> String {
    let player = *player;
    Spec::Published { player, seed: None }.to_string()
}

/// The last position: rows of four dark squares, from square 1 on.
pub(super) fn board(simulated: &SimulatedGame) -> String {
    board_rows(&simulated.game.last)
        .map(String::from_iter)
        .join("/")
}

/// What all games come to.
#[derive(Serialize)]
pub(super) struct SimulationTotals {
    pub(super) games: usize,
    pub(super) draws: usize,
    pub(super) black: usize,
    pub(super) red: usize,
    /// Games in which both players jittered at the end.
    pub(super) in_jitter: usize,
    pub(super) algorithms: Vec<AlgorithmReport>,
    pub(super) threads: usize,
    seed: u64,
    pub(super) seconds: f64,
    pub(super) peak_memory_bytes: Option<u64>,
}

/// What the players of one algorithm did in all games.
#[derive(Serialize)]
pub(super) struct AlgorithmReport {
    pub(super) algorithm: &'static str,
    pub(super) leaf: u64,
    pub(super) expanded: u64,
    pub(super) nodes: u64,
    pub(super) captures: u32,
    pub(super) rounds: u32,
    pub(super) milliseconds: f64,
    pub(super) bytes: u64,
}

impl SimulationTotals {
    pub(super) fn of(games: &[SimulatedGame], seconds: f64, args: &SimulateArgs) -> Self {
        let ended = |ending| {
            let ended = games.iter().filter(|game| game.game.ending == ending);
            ended.count()
        };
        let algorithms = [PublishedAlgorithm::MinimaxAb, PublishedAlgorithm::AlphaBeta];
        Self {
            games: games.len(),
            draws: ended(PublishedEnding::Draw),
            black: ended(PublishedEnding::Black),
            red: ended(PublishedEnding::Red),
            in_jitter: games
                .iter()
                .filter(|game| game.game.ends_in_jitter())
                .count(),
            algorithms: algorithms
                .map(|algorithm| AlgorithmReport::of(algorithm, games))
                .into(),
            threads: args.threads.count(),
            seed: args.seed,
            seconds,
            peak_memory_bytes: peak_memory(),
        }
    }
}

impl AlgorithmReport {
    fn of(algorithm: PublishedAlgorithm, games: &[SimulatedGame]) -> Self {
        let players = games.iter().flat_map(|simulated| {
            let SimulatedGame { pairing, game, .. } = simulated;
            [(pairing.black, 0), (pairing.red, 1)]
                .map(|(player, number)| (player, game.of_player(number)))
        });
        let own = players.filter(|(player, _)| player.algorithm == algorithm);
        let done = own.fold(PublishedTurns::default(), |sum, (_, done)| sum.with(done));
        Self {
            algorithm: algorithm.abbreviation(),
            leaf: done.counts.leaf,
            expanded: done.counts.expanded,
            nodes: done.counts.nodes(),
            captures: done.captures,
            rounds: done.turns,
            milliseconds: milliseconds(&done),
            bytes: done.counts.bytes(),
        }
    }
}
