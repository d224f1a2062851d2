//! A searcher: a player's way to choose moves, and its state.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use super::choice::{suits_minimax, takes_turns};
use super::eval::{PlayerEvaluation, TrialSubject};
use super::limits::SearchClock;
use super::trial::{Trial, has_time, learning_clock, long_move_time, trial};
use super::{
    EvaluationPart, LearnedWeights, MctsSearcher, MctsSettings, MinimaxSearcher, MinimaxSettings,
    SavedWeights, SearchLimits, SearchOutcome, ShortestWaySearcher, best_move, mcts, shortest,
};
use crate::game::{Engine, Role};
use crate::symmetry::SymmetryGroup;
use crate::util::StopFlag;

/// The share of the time of a move in which a search is chosen, where nothing was prepared.
const SETTLING: f64 = 0.25;

/// How a player chooses its moves, and its state from move to move. It belongs to one game and one role.
#[derive(Debug)]
pub enum Searcher {
    /// Minimax with alpha-beta pruning.
    Minimax(Box<MinimaxSearcher>),
    /// Monte-Carlo tree search.
    Mcts(Box<MctsSearcher>),
    /// The shortest way to the best goal, in a game for one.
    ShortestWay(Box<ShortestWaySearcher>),
    /// Minimax or Monte-Carlo tree search, chosen when the game is known.
    Auto(Box<AutoSettings>),
}

/// The settings of a player that chooses between two searches.
#[derive(Debug)]
pub struct AutoSettings {
    minimax: MinimaxSettings,
    mcts: MctsSettings,
    /// The time of a move, where it is known.
    move_time: Option<Duration>,
    /// Whether it prepares before the match, so that it may take all the time that there is.
    is_start: bool,
}

impl Searcher {
    /// Sets the states that occurred in the match before the one to be searched, for the detection of repetitions.
    pub fn set_past_states<'s, S: Hash + 's>(&mut self, past: impl Iterator<Item = &'s S>) {
        match self {
            Self::Minimax(memory) => memory.set_past_states(past),
            Self::Mcts(memory) => memory.set_past_states(past),
            Self::ShortestWay(_) | Self::Auto(..) => {}
        }
    }

    /// What it evaluates states by.
    fn evaluation(&self) -> Option<&PlayerEvaluation> {
        match self {
            Self::Minimax(memory) => Some(memory.evaluation()),
            Self::Mcts(memory) => Some(memory.evaluation()),
            Self::ShortestWay(_) | Self::Auto(..) => None,
        }
    }

    /// The contribution of each heuristic to the evaluation of `state` for `role`, in units of the logistic function's
    /// argument; empty without learned weights.
    pub fn contributions<G: Engine>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
    ) -> Vec<(&'static str, f64)> {
        let contributions =
            |evaluation: &PlayerEvaluation| evaluation.contributions(game, state, role);
        self.evaluation().map_or_else(Vec::new, contributions)
    }

    /// What the evaluation of `state` for `role` is made of, those parts that weigh most first; empty without learned weights.
    pub fn explanation<G: Engine>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
    ) -> Vec<EvaluationPart> {
        let explanation = |evaluation: &PlayerEvaluation| evaluation.explanation(game, state, role);
        self.evaluation().map_or_else(Vec::new, explanation)
    }

    /// The learned weights in a game of these roles: heuristic, feature and weight.
    pub fn weights(&self, roles: &[String]) -> Vec<(&'static str, String, f64)> {
        self.evaluation()
            .map_or_else(Vec::new, |evaluation| evaluation.weights(roles))
    }

    /// Whether the deadline cut the training short, so that the weights may differ another time.
    pub fn training_cut_short(&self) -> bool {
        self.evaluation()
            .is_some_and(PlayerEvaluation::is_cut_short)
    }

    /// Takes these weights in place of learning any; they must suit the game and the role.
    pub fn use_weights(&mut self, weights: Arc<SavedWeights>) {
        match self {
            Self::Minimax(memory) => memory.evaluation_mut().give(weights),
            Self::Mcts(memory) => {
                memory.forget_tree();
                memory.evaluation_mut().give(weights);
            }
            Self::Auto(settings) => {
                settings.mcts.weights = Some(Arc::clone(&weights));
                settings.minimax.weights = Some(weights);
            }
            Self::ShortestWay(_) => {}
        }
    }

    /// Lets states that these symmetries make of each other share entries of its transposition table, if it has one. They must be proved,
    /// and keep the roles.
    pub fn use_symmetries(&mut self, symmetries: Arc<SymmetryGroup>) {
        match self {
            Self::Minimax(memory) => memory.use_symmetries(symmetries),
            Self::Auto(settings) => settings.minimax.symmetries = Some(symmetries),
            Self::Mcts(_) | Self::ShortestWay(_) => {}
        }
    }

    /// Tells it that clocks will run while it searches.
    pub fn use_clock(&mut self) {
        match self {
            Self::Minimax(memory) => memory.use_clock(),
            Self::Mcts(memory) => memory.use_clock(),
            Self::Auto(settings) => {
                settings.minimax.has_clock = true;
                settings.mcts.has_clock = true;
            }
            Self::ShortestWay(_) => {}
        }
    }

    /// Tells it before it prepares how long its moves will take, and whether the match has yet to start. One that chooses between searches may then take
    /// up to nine tenths of the time to compare these by longer moves, even if it has learned everything before.
    pub fn expect_move_time(&mut self, time: Duration, is_start: bool) {
        if let Self::Auto(settings) = self {
            (settings.move_time, settings.is_start) = (Some(time), is_start);
        }
    }

    /// How many states its transposition table holds, if it has one.
    pub fn table_entries(&self) -> Option<u64> {
        match self {
            Self::Minimax(memory) => memory.table_entries(),
            Self::ShortestWay(memory) => Some(memory.table_entries()),
            Self::Mcts(_) | Self::Auto(..) => None,
        }
    }

    /// A minimax searcher.
    pub fn minimax(settings: MinimaxSettings) -> Self {
        Self::Minimax(Box::new(MinimaxSearcher::new(settings)))
    }

    /// A Monte-Carlo tree searcher.
    pub fn mcts(settings: MctsSettings) -> Self {
        Self::Mcts(Box::new(MctsSearcher::new(settings)))
    }

    /// A searcher that chooses between the two when it sees the game.
    pub fn auto(minimax: MinimaxSettings, mcts: MctsSettings) -> Self {
        Self::Auto(Box::new(AutoSettings {
            minimax,
            mcts,
            move_time: None,
            is_start: false,
        }))
    }

    /// Forgets what belongs to the match that it played, and keeps what it has learned.
    pub(super) fn forget_match(&mut self) {
        if let Self::Mcts(memory) = self {
            memory.forget_tree();
        }
    }

    /// Chooses a search, now that the game is known: by trial matches where `play` plays some that tell, otherwise by random games.
    fn settle<G: Engine>(
        &mut self,
        game: &G,
        clock: &SearchClock,
        play: impl FnOnce(&AutoSettings) -> Option<Trial>,
    ) {
        let Self::Auto(settings) = self else {
            return;
        };
        let trial = takes_turns(game, clock).then(|| play(settings)).flatten();
        let AutoSettings { minimax, mcts, .. } = &**settings;
        let mcts = match &trial {
            Some(trial) if trial.suits_playouts() => mcts.by_playouts(),
            _ => mcts.clone(),
        };
        let by_trial = trial.as_ref().and_then(Trial::suits_minimax);
        let by_random_games = || suits_minimax(game, clock).unwrap_or(false);
        let suits_minimax = by_trial.unwrap_or_else(by_random_games);
        let player = if suits_minimax { "minimax" } else { "mcts" };
        match trial {
            Some(trial) => tracing::info!("auto takes {player}: {trial}"),
            None => tracing::info!("auto takes {player}"),
        }
        *self = match suits_minimax {
            true => Self::minimax(minimax.clone()),
            false => Self::mcts(mcts),
        };
    }
}

impl AutoSettings {
    /// Trial matches between the two searches, as far as they were not played before; `None` where there is no time for any, or where each role learns
    /// weights of its own.
    fn trial<G: Engine>(
        &self,
        game: &G,
        learned: &mut LearnedWeights,
        clock: &SearchClock,
    ) -> Option<Trial> {
        let Self { minimax, mcts, .. } = self;
        let given = minimax.weights.as_ref();
        // Weights of a file may be for one role only, which does not play both sides.
        if given.is_some_and(|weights| !weights.subject().shares_points) {
            return None;
        }
        let move_time = long_move_time(self.move_time);
        let subject = TrialSubject {
            plan: minimax.training(),
            given: given.map(|weights| *weights.training()),
            move_time,
            settings: format!("{} {:?}", minimax.about_search(), mcts.playouts),
        };
        let learning = learning_clock(clock);
        // During a match, a trial that is known would only cost time.
        let goes_on = |known: &Trial| self.is_start && known.should_go_on(move_time, clock);
        learned.trial((game, &learning), subject, |learned, known| match known {
            Some(known) if !goes_on(&known) => Some(known),
            None if !has_time(clock) => None,
            known => {
                let so_far = (move_time.filter(|_| self.is_start), known);
                let clocks = (&learning, clock);
                Some(trial(game, (minimax, mcts), learned, so_far, clocks))
            }
        })
    }
}

/// Prepares to play `role`: chooses between searches where that is left open, and learns weights for the heuristics, within `time` and until `stop` is raised, unless they
/// are known.
pub fn prepare<G: Engine>(
    game: &G,
    role: Role,
    searcher: &mut Searcher,
    learned: &mut LearnedWeights,
    (time, stop): (Duration, &StopFlag),
) {
    let clock = SearchClock::within(time, stop);
    searcher.settle(game, &clock, |settings| {
        settings.trial(game, learned, &clock)
    });
    match searcher {
        Searcher::Minimax(memory) => memory.train(game, role, learned, &clock),
        Searcher::Mcts(memory) => memory.train(game, role, learned, &clock),
        Searcher::ShortestWay(_) | Searcher::Auto(..) => {}
    }
}

/// Searches for the best move of `role` in `state`; `None` if the game is over or the role has no legal move.
pub fn think<G: Engine>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &SearchLimits<'_>,
    searcher: &mut Searcher,
) -> Option<SearchOutcome<G::Move>> {
    let clock = SearchClock::start(limits);
    searcher.settle(game, &clock.shortened(SETTLING), |_| None);
    let left = |time: Duration| time.saturating_sub(clock.begin.elapsed());
    let limits = &SearchLimits {
        time: limits.time.map(left),
        ..*limits
    };
    match searcher {
        Searcher::Minimax(memory) => best_move(game, state, role, limits, memory),
        Searcher::Mcts(memory) => mcts::best_move(game, state, role, limits, memory),
        Searcher::ShortestWay(memory) => shortest::best_move(game, state, role, limits, memory),
        Searcher::Auto(..) => None,
    }
}
