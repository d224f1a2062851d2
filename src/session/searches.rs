//! Searches as a program asks for them: what to search with, how far, for whom.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{
    Found, Game, Position, RunningSearch, SearchError, Session, UnknownRole, WeightsError,
    read_weights,
};
use crate::search::{
    Features, Heuristics, MAX_DEPTH, MctsSettings, MinimaxSettings, MoveSelection, SearchLimits,
    SearchProgress, Searcher,
};
use crate::util::{Deadline, StopFlag};

/// Which search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKind {
    /// Principal variation search.
    Minimax,
    /// Min-Max without pruning, transposition table and heuristics: a baseline.
    Plain,
    /// Monte-Carlo tree search.
    Mcts,
    /// Min-Max or Monte-Carlo tree search, chosen for the game.
    Auto,
}

/// How long a player searches, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// Time per move.
    pub time: Option<Duration>,
    /// How much of that time is kept back.
    pub margin: Duration,
    /// Greatest depth in plies.
    pub depth: Option<u32>,
    /// States searched per move, at most; where playouts evaluate them, their number counts.
    pub nodes: Option<u64>,
    /// Playouts per move, at most; without it, heuristics evaluate the leaves of Monte-Carlo tree search where they can.
    pub playouts: Option<u64>,
    /// Threads.
    pub threads: usize,
    /// For how many of the best moves values and lines are computed.
    pub lines: usize,
    /// Memory for positions met, in MiB; without it, what is usual for the search.
    pub hash: Option<usize>,
    /// What positions are evaluated by.
    pub heuristics: Heuristics,
    /// The evaluation of the engine that is used instead: one that [`Game::has_evaluation`].
    pub evaluation: Option<Arc<str>>,
    /// States of self-play from which weights are learned, at most; without it, what is usual.
    pub training: Option<u64>,
    /// The seed of that self-play.
    pub training_seed: u64,
    /// Whether Min-Max leaves out what will hardly matter; without it, where neither a depth nor an evaluation is given.
    pub selective: Option<bool>,
    /// Whether Min-Max keeps one table entry for all positions that proved symmetries of the game make of each other.
    pub symmetry: bool,
    /// The file of weights that are used, in place of learning any.
    pub weights: Option<PathBuf>,
    /// Which of several good moves Min-Max plays.
    pub selection: MoveSelection,
    /// Whether to search on the time of others, too.
    pub ponder: bool,
}

impl SearchOptions {
    /// As long as it takes, on one thread.
    pub const USUAL: Self = Self {
        time: None,
        margin: SearchLimits::MARGIN,
        depth: None,
        nodes: None,
        playouts: None,
        threads: 1,
        lines: 1,
        hash: None,
        heuristics: Heuristics::ALL,
        evaluation: None,
        training: None,
        training_seed: 0,
        selective: None,
        symmetry: false,
        weights: None,
        selection: MoveSelection::Seeded,
        ponder: false,
    };

    /// What a search of this kind keeps from move to move, empty at first.
    pub fn searcher(&self, kind: SearchKind) -> Searcher {
        match kind {
            SearchKind::Minimax => Searcher::minimax(self.minimax()),
            SearchKind::Plain => Searcher::minimax(MinimaxSettings {
                hash: 0,
                features: Features::PLAIN,
                heuristics: Heuristics::NONE,
                selection: self.selection,
                has_clock: self.time.is_some(),
                ..MinimaxSettings::default()
            }),
            SearchKind::Mcts => Searcher::mcts(self.mcts()),
            SearchKind::Auto => Searcher::auto(self.minimax(), self.mcts()),
        }
    }

    fn minimax(&self) -> MinimaxSettings {
        MinimaxSettings {
            hash: self.hash.unwrap_or(MinimaxSettings::HASH),
            heuristics: self.heuristics,
            evaluation: self.evaluation.clone(),
            training_states: self.training,
            training_seed: self.training_seed,
            // Margins are in logits, in which published evaluations are not.
            selective: self
                .selective
                .unwrap_or(self.depth.is_none() && self.evaluation.is_none()),
            selection: self.selection,
            has_clock: self.time.is_some(),
            ..MinimaxSettings::default()
        }
    }

    fn mcts(&self) -> MctsSettings {
        MctsSettings {
            hash: self.hash.unwrap_or(MctsSettings::HASH),
            playouts: self.playouts,
            heuristics: self.heuristics,
            training_states: self.training,
            training_seed: self.training_seed,
            has_clock: self.time.is_some(),
            weights: None,
        }
    }

    /// Gives a searcher for `role` what these options ask for before it begins: weights of a file, and symmetries of the game, which
    /// are looked for until `deadline`.
    ///
    /// # Errors
    /// [`WeightsError`].
    pub fn equip(
        &self,
        searcher: &mut Searcher,
        (game, role): (&Game, usize),
        deadline: &Deadline,
    ) -> Result<(), WeightsError> {
        if let Some(symmetries) = self.symmetry.then(|| game.symmetries(deadline)).flatten() {
            searcher.use_symmetries(symmetries);
        }
        if let Some(file) = &self.weights {
            searcher.use_weights(read_weights(game, file, role)?);
        }
        Ok(())
    }

    /// With a second per move, where nothing limits the search.
    #[must_use]
    pub fn limited(self) -> Self {
        let time = self.time.or((!self.limits_work()).then_some(DEFAULT_TIME));
        Self { time, ..self }
    }

    /// Whether something beside time limits the search.
    pub fn limits_work(&self) -> bool {
        let limits = [self.depth.map(u64::from), self.nodes, self.playouts];
        limits.iter().any(Option::is_some)
    }

    /// The limits of one search by these options.
    pub fn limits<'l>(&self, seed: Option<u64>, stop: &'l StopFlag) -> SearchLimits<'l> {
        SearchLimits {
            nodes: self.nodes,
            time: self.time,
            margin: self.margin,
            threads: self.threads,
            lines: self.lines,
            seed,
            stop: Some(stop),
            ..SearchLimits::to_depth(self.depth.unwrap_or(MAX_DEPTH))
        }
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self::USUAL
    }
}

/// The time of a search that nothing else limits.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The start clock of a search that was not prepared and has no move clock: weights are learned for at most this long, once
/// for each game and role, before the time of the search begins.
pub const START_CLOCK: Duration = Duration::from_secs(5);

/// The same for searches that no clock ends, which are to find the same on every machine: the games of self-play are counted, and
/// only where these take very long, the time ends them.
const LONG_START_CLOCK: Duration = Duration::from_secs(30);

/// The start clock of a search that takes so much time, if it is limited.
pub fn start_clock(time: Option<Duration>) -> Duration {
    match time {
        Some(_) => START_CLOCK,
        None => LONG_START_CLOCK,
    }
}

/// The search of the Min-Max player: principal variation search with iterative deepening, a transposition table shared
/// by all threads, and heuristics found in the rules.
///
/// Without a depth, a number of nodes or a time, one search takes a second.
#[derive(Debug, Clone, Default)]
pub struct Minimax(Plan);

/// The search of the Monte-Carlo tree search player: its leaves are evaluated by heuristics found in the rules, in games of two roles that take
/// turns and share 100 points, and by playouts elsewhere.
///
/// Without a number of playouts or a time, one search takes a second.
#[derive(Debug, Clone, Default)]
pub struct Mcts(Plan);

/// What both have in common.
#[derive(Debug, Clone, Default)]
struct Plan {
    options: SearchOptions,
    role: Option<String>,
    seed: Option<u64>,
}

/// The options that every search has.
macro_rules! common_options {
    ($search:ident, $kind:expr) => {
        impl $search {
            /// With the usual settings.
            pub fn new() -> Self {
                Self::default()
            }

            /// Time per move. Ends a little earlier, so that the move is there in time. The first search for a role of a game
            /// learns weights before that time begins: see [`RoleSearcher::search`].
            #[must_use]
            pub fn time(mut self, time: Duration) -> Self {
                self.0.options.time = Some(time);
                self
            }

            /// The same in milliseconds.
            #[must_use]
            pub fn time_ms(self, milliseconds: u64) -> Self {
                self.time(Duration::from_millis(milliseconds))
            }

            /// How many threads search. Otherwise one.
            #[must_use]
            pub fn threads(mut self, threads: usize) -> Self {
                self.0.options.threads = threads.max(1);
                self
            }

            /// Memory for positions met, in MiB.
            #[must_use]
            pub fn hash(mut self, mebibytes: usize) -> Self {
                self.0.options.hash = Some(mebibytes);
                self
            }

            /// Plays one of several good moves, drawn from this seed, and not the first one.
            #[must_use]
            pub fn seed(mut self, seed: u64) -> Self {
                self.0.seed = Some(seed);
                self
            }

            /// States searched at most. On one thread, the same number gives the same result, however fast the machine is.
            #[must_use]
            pub fn nodes(mut self, nodes: u64) -> Self {
                self.0.options.nodes = Some(nodes);
                self
            }

            /// What positions are evaluated by where the search ends before the game does. Otherwise all there are.
            #[must_use]
            pub fn heuristics(mut self, heuristics: Heuristics) -> Self {
                self.0.options.heuristics = heuristics;
                self
            }

            /// The role to search for. Otherwise the one that has a choice.
            #[must_use]
            pub fn role(mut self, role: &str) -> Self {
                self.0.role = Some(role.to_owned());
                self
            }

            /// Every other option.
            #[must_use]
            pub fn options(mut self, options: SearchOptions) -> Self {
                self.0.options = options;
                self
            }

            /// Searches `position`.
            ///
            /// # Errors
            /// [`SearchError`].
            pub fn search(&self, position: &Position) -> Result<Found, SearchError> {
                let mut searcher = self.0.for_position($kind, position)?;
                searcher.search(&position.clone().into(), None)
            }

            /// Begins to search `position` in a thread of its own.
            ///
            /// # Errors
            /// [`SearchError`] where there is nothing to search for.
            pub fn start(&self, position: &Position) -> Result<RunningSearch, SearchError> {
                let searcher = self.0.for_position($kind, position)?;
                Ok(searcher.start(position.clone().into(), None))
            }

            /// A search for one role of a game, which keeps what it learns from move to move.
            ///
            /// # Errors
            /// [`UnknownRole`].
            pub fn for_role(&self, game: &Game, role: &str) -> Result<RoleSearcher, UnknownRole> {
                Ok(self.0.for_role($kind, game.role(role)?))
            }

            /// The options of a player that searches like this.
            pub fn player_options(&self) -> SearchOptions {
                self.0.options.clone().limited()
            }
        }
    };
}

common_options!(Minimax, SearchKind::Minimax);
common_options!(Mcts, SearchKind::Mcts);

impl Minimax {
    /// Greatest depth in plies (joint moves), at most 200.
    #[must_use]
    pub fn depth(mut self, depth: u32) -> Self {
        self.0.options.depth = Some(depth.min(MAX_DEPTH));
        self
    }

    /// How many of the best moves get an exact value and a line. Otherwise one.
    #[must_use]
    pub fn lines(mut self, lines: usize) -> Self {
        self.0.options.lines = lines;
        self
    }
}

impl Mcts {
    /// Playouts per move, at most. Then playouts evaluate positions, and heuristics do not.
    #[must_use]
    pub fn playouts(mut self, playouts: u64) -> Self {
        self.0.options.playouts = Some(playouts);
        self
    }
}

impl Plan {
    fn for_position(
        &self,
        kind: SearchKind,
        position: &Position,
    ) -> Result<RoleSearcher, SearchError> {
        let role = match &self.role {
            Some(role) => position.game().role(role)?,
            None => position
                .role_to_move()
                .ok_or_else(|| SearchError::WhichRole {
                    roles: position.roles().to_vec(),
                })?,
        };
        let unknown = |name: &&Arc<str>| !position.game().has_evaluation(name);
        match self.options.evaluation.as_ref().filter(unknown) {
            Some(name) => Err(SearchError::UnknownEvaluation {
                name: name.to_string(),
            }),
            None => Ok(self.for_role(kind, role)),
        }
    }

    fn for_role(&self, kind: SearchKind, role: usize) -> RoleSearcher {
        let options = self.options.clone().limited();
        RoleSearcher {
            searcher: options.searcher(kind),
            options,
            role,
            seed: self.seed,
            is_prepared: false,
            weights_fault: None,
        }
    }
}

/// What the parts of the static evaluation add.
pub(super) type Contributions = Vec<(&'static str, f64)>;

/// Whoever is told of a search while it goes on.
pub(super) struct SearchWatcher<'w> {
    /// Told once weights are learned.
    pub(super) contributions: Option<&'w dyn Fn(Contributions)>,
    /// What is known after each depth.
    pub(super) progress: &'w dyn Fn(&SearchProgress),
}

/// A search for one role of one game, which keeps what it learns from move to move: weights, transposition table, tree.
#[derive(Debug)]
pub struct RoleSearcher {
    searcher: Searcher,
    options: SearchOptions,
    role: usize,
    seed: Option<u64>,
    is_prepared: bool,
    /// Why the file of weights cannot be used.
    weights_fault: Option<String>,
}

impl RoleSearcher {
    /// Uses the start clock: learns weights for the heuristics, until `start_clock` is over or `stop` is raised.
    /// What is wrong with a file of weights, the search tells.
    pub fn prepare(&mut self, session: &Session, start_clock: Duration, stop: &StopFlag) {
        let begin = Instant::now();
        let half = Deadline::new(Some(begin + start_clock / 2), stop);
        let given = self
            .options
            .equip(&mut self.searcher, (session.game(), self.role), &half);
        self.weights_fault = given.err().map(|fault| fault.to_string());
        let left = start_clock.saturating_sub(begin.elapsed());
        session.prepare(self.role, &mut self.searcher, left, stop);
        self.is_prepared = true;
    }

    /// Searches the present position, for `move_clock` if that is given, otherwise as its options say. Where nothing was
    /// prepared, half of the move clock goes to learning weights, once; without a move clock, five seconds at most, before
    /// the time of the options begins.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn search(
        &mut self,
        session: &Session,
        move_clock: Option<Duration>,
    ) -> Result<Found, SearchError> {
        let unwatched = SearchWatcher {
            contributions: None,
            progress: &|_| {},
        };
        self.search_until(session, move_clock, &StopFlag::default(), &unwatched)
    }

    /// Begins to search the present position in a thread of its own.
    pub fn start(self, session: Session, move_clock: Option<Duration>) -> RunningSearch {
        RunningSearch::start(self, session, move_clock)
    }

    /// Whether the time cut the learning of weights short: a searcher that learns again may know better.
    pub fn training_cut_short(&self) -> bool {
        self.searcher.training_cut_short()
    }

    /// Searches until `stop` is raised at the latest, and tells what is known after each depth.
    pub(super) fn search_until(
        &mut self,
        session: &Session,
        move_clock: Option<Duration>,
        stop: &StopFlag,
        watcher: &SearchWatcher<'_>,
    ) -> Result<Found, SearchError> {
        let begin = Instant::now();
        if !self.is_prepared {
            // A move clock holds for all that is done here.
            let start_clock = start_clock(self.options.time);
            let start_clock = move_clock.map_or(start_clock, |clock| clock / 2);
            self.prepare(session, start_clock, stop);
        }
        if let Some(fault) = &self.weights_fault {
            return Err(SearchError::Weights(fault.clone()));
        }
        if let Some(tell) = watcher.contributions {
            tell(session.contributions(self.role, &self.searcher));
        }
        let left = move_clock.map(|clock| clock.saturating_sub(begin.elapsed()));
        let limits = SearchLimits {
            time: left.or(self.options.time),
            report: Some(watcher.progress),
            ..self.options.limits(self.seed, stop)
        };
        let found = session.search(self.role, &limits, &mut self.searcher);
        let found = found.ok_or_else(|| SearchError::NoMove {
            role: session.roles()[self.role].clone(),
        })?;
        match found.fault {
            Some(fault) => Err(fault.into()),
            None => Ok(found),
        }
    }
}
