//! The options of `kolibri search`, and what they ask for.

use std::path::PathBuf;
use std::time::Duration;

use super::curve::ThreadRange;
use super::heuristic::SearchHeuristic;
use crate::cli::failure::Failure;
use crate::cli::game::GameArgs;
use crate::cli::hamming::hamming;
use crate::cli::number::{counted, whole};
use crate::cli::position::PositionArgs;
use crate::cli::seconds::Seconds;
use crate::cli::threads::ThreadArgs;
use crate::native::check_evaluation;
use crate::play::no_evaluation;
use crate::search::{
    Features, Heuristics, MAX_DEPTH, MinimaxSettings, Searcher, ShortestWaySearcher,
};
use crate::session::{Found, Game, start_clock};

/// The time limit without --time and --depth.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// What asks for the shortest way.
const HAMMING: &str = "--heuristic hamming";

const EXAMPLES: &str = "\
Examples:
  kolibri search tictactoe                          what to play first
  kolibri search kolibrat --time 10 --threads 2     think for ten seconds on two threads
  kolibri search connect-four '(drop d)' --depth 12 --multi 3
  kolibri search checkers --heuristic none --json
  kolibri search eight-puzzle --heuristic hamming     the shortest way of a game for one
  kolibri search connect-four --depth 9 --curve 1..4 --svg curve.svg    what more threads bring
  kolibri search tictactoe --solution tictactoe.solution    the exact values, as `solve --out` has found them

The moves are listed with their values, best first: = marks an exact one, <= says that the move is worth no more than that at this depth. Values are goals from 0 to 100. An exact value cannot change with a deeper search; other values are estimates.
The parts of the static evaluation are logits, which add up: 0 is even, +1 a goal of 73, -1 one of 27.
The first search of a game learns weights of its evaluation before its time begins, and keeps them for the next one: for up to five seconds, or with --depth alone from 4,000,000 states, so that they are the same every time.
Where several roles choose at once, a value is what the role gets even if the others know its move.";

/// Search a position with Min-Max: best move, value and line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct SearchArgs {
    #[command(flatten)]
    pub(super) game: GameArgs,
    #[command(flatten)]
    pub(super) position: PositionArgs,
    /// The role to search for [default: the role that has a choice]
    #[arg(long, value_name = "ROLE")]
    pub(super) role: Option<String>,
    /// Take the exact values of all moves from the solution in FILE, as `solve --out` writes it, instead of searching
    #[arg(long, value_name = "FILE", conflicts_with_all = ["role", "depth", "time", "multi", "hash", "heuristic", "evaluation", "threads", "no_table", "no_ordering", "worst_ordering", "no_pruning", "reuse"])]
    pub(super) solution: Option<PathBuf>,
    /// Depth limit in plies
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = whole::<u32>(1, MAX_DEPTH as u64))]
    pub(super) depth: Option<u32>,
    /// Time limit in seconds, without the time to load the game and to learn weights [default: 2, if no depth is given]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) time: Option<Seconds>,
    /// Find the exact value and line of the N best moves, all at the same depth
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<usize>(1, 1000))]
    pub(super) multi: usize,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = MinimaxSettings::HASH, allow_negative_numbers = true, value_parser = whole::<usize>(1, MinimaxSettings::MOST_HASH as u64))]
    pub(super) hash: usize,
    /// Heuristics of the evaluation: all, none, names joined by +, or all-NAME, out of mobility, pieces, progress, facts, tuples, goals,
    /// threats, and certain. For a game of one role, hamming: the shortest way to the best goal, by the facts that lack
    #[arg(long, value_name = "NAMES", default_value_t)]
    pub(super) heuristic: SearchHeuristic,
    /// Take the weights of the evaluation from FILE, as `train --out` writes it, instead of learning them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["heuristic", "evaluation", "solution"])]
    pub(super) weights: Option<PathBuf>,
    /// Search without the transposition table
    #[arg(long, conflicts_with = "hash")]
    pub(super) no_table: bool,
    /// Search moves in the order of the rules, not the most promising ones first
    #[arg(long)]
    pub(super) no_ordering: bool,
    /// Search the most promising moves last
    #[arg(long, conflicts_with = "no_ordering")]
    pub(super) worst_ordering: bool,
    /// Leave out what will hardly matter, as players do: deeper in the same time, but values are no longer those of a plain Min-Max
    #[arg(long, conflicts_with = "no_pruning")]
    pub(super) selective: bool,
    /// Look for a proof of the value: the evaluation orders moves, and where nothing is proved, the value is 50
    #[arg(long, conflicts_with_all = ["solution", "selective", "no_pruning", "no_ordering", "worst_ordering"])]
    pub(super) prove: bool,
    /// Find the symmetries of the game first, and keep one table entry for positions that are alike but for these; with --depth, only
    /// without heuristics
    #[arg(long, conflicts_with_all = ["solution", "no_table", "curve"])]
    pub(super) symmetry: bool,
    /// Search all moves, also where one is good enough
    #[arg(long)]
    pub(super) no_pruning: bool,
    /// A published evaluation of a native engine instead of the heuristics
    #[arg(long, value_name = "NAME", value_parser = evaluation)]
    pub(super) evaluation: Option<String>,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    /// Search this position, and those two and four random plies later, on each of these numbers of threads, such as 1..4; --depth is
    /// needed
    #[arg(long, value_name = "N..M", requires = "depth", conflicts_with_all = ["solution", "threads", "time", "multi", "role", "reuse"])]
    pub(super) curve: Option<ThreadRange>,
    /// Write a picture of the curve to FILE
    #[arg(long, value_name = "FILE", requires = "curve")]
    pub(super) svg: Option<PathBuf>,
    /// Replace a file that exists; without --force, it is kept, and the command fails
    #[arg(long)]
    pub(super) force: bool,
    /// Search on two plies later, with the table of this search and without, and tell what it spares
    #[arg(long)]
    pub(super) reuse: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

impl SearchArgs {
    pub(super) fn check_evaluation(&self, game: &Game) -> Result<(), Failure> {
        let asked = self.evaluation.as_deref();
        match asked.filter(|name| !game.has_evaluation(name)) {
            Some(name) => Err(no_evaluation(name, game.evaluations()).into()),
            None => Ok(()),
        }
    }

    pub(super) fn settings(&self) -> MinimaxSettings {
        let prunes = !self.no_pruning;
        MinimaxSettings {
            hash: if self.no_table { 0 } else { self.hash },
            features: Features {
                pruning: prunes,
                ordering: !self.no_ordering,
                null_windows: prunes,
                worst_first: self.worst_ordering,
            },
            heuristics: self.heuristic.learned(),
            evaluation: self.evaluation.as_deref().map(Into::into),
            selective: self.selective,
            only_proofs: self.prove,
            has_clock: self.time().is_some(),
            ..MinimaxSettings::default()
        }
    }

    /// Symmetries are of use only where they cannot change what is asked for.
    pub(super) fn check_symmetry(&self) -> Result<(), Failure> {
        let has_heuristics =
            self.heuristic.learned() != Heuristics::NONE || self.evaluation.is_some();
        let (fault, help) = match self {
            Self {
                symmetry: false, ..
            } => return Ok(()),
            _ if self.heuristic.is_hamming() => (
                "the shortest way is found without symmetries",
                "leave out `--symmetry`",
            ),
            Self {
                depth: Some(_),
                prove: false,
                ..
            } if has_heuristics => (
                "with `--depth`, an evaluation may tell symmetric positions apart",
                "add `--heuristic none` or `--prove`, or give `--time` instead of `--depth`",
            ),
            _ => return Ok(()),
        };
        Err(Failure::usage(fault).with_help(help))
    }

    /// What searches the game.
    pub(super) fn searcher(&self, game: &Game) -> Result<Searcher, Failure> {
        if !self.heuristic.is_hamming() {
            return Ok(Searcher::minimax(self.settings()));
        }
        if self.threads.count() > 1 || self.multi > 1 || self.reuse || self.evaluation.is_some() {
            let fault =
                "with `--heuristic hamming`, one thread looks for one way, and nothing else";
            return Err(Failure::usage(fault)
                .with_help("leave out `--threads`, `--multi`, `--reuse` and `--evaluation`"));
        }
        let hash = self.settings().hash;
        let searcher = ShortestWaySearcher::new(hamming(game, HAMMING)?, hash);
        Ok(Searcher::ShortestWay(Box::new(searcher)))
    }

    /// Whether the best goal can be reached, as far as the search tells.
    pub(super) fn check_reached(&self, found: &Found, game: &Game) -> Result<(), Failure> {
        if !self.heuristic.is_hamming() {
            return Ok(());
        }
        let goal = hamming(game, HAMMING)?.goal();
        let (depth, is_found) = (found.depth, found.value.goal() == goal);
        match found.exact {
            _ if is_found => Ok(()),
            false => Err(Failure::finding(format!(
                "no way to an end with a goal of {goal} was found in {}",
                counted(depth.into(), "ply")
            ))
            .with_help("give more with `--depth` or `--time`")),
            true => Err(Failure::finding(format!(
                "no end with a goal of {goal} can be reached from this position"
            ))),
        }
    }

    /// How long weights may be learned before the search.
    pub(super) fn learning_time(&self) -> Duration {
        start_clock(self.time())
    }

    pub(super) fn time(&self) -> Option<Duration> {
        let typed = self.time.map(Seconds::duration);
        typed.or((self.depth.is_none()).then_some(DEFAULT_TIME))
    }
}

/// An evaluation that some native engine has.
fn evaluation(text: &str) -> Result<String, String> {
    match check_evaluation(text) {
        Ok(()) => Ok(text.to_owned()),
        Err(expected) => Err(format!("write {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        search: SearchArgs,
    }

    /// Whether weights are learned for as long as a clock allows, and for how many seconds at most.
    fn learning(options: &[&str]) -> (bool, u64) {
        let words = ["search", "tictactoe"].iter().chain(options);
        let search = Line::parse_from(words).search;
        (
            search.settings().has_clock,
            search.learning_time().as_secs(),
        )
    }

    #[test]
    fn weights_of_a_search_to_a_depth_do_not_depend_on_a_clock() {
        assert_eq!(learning(&["--depth", "3"]), (false, 30));
        assert_eq!(learning(&[]), (true, 5));
        assert_eq!(learning(&["--time", "1"]), (true, 5));
        assert_eq!(learning(&["--depth", "3", "--time", "1"]), (true, 5));
    }
}
