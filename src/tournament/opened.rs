//! A tournament that can be played: its games are opened, and everything that depends on their rules has been checked.

mod header;

use std::thread;

use self::header::header;
use super::openings::{Opening, OpeningsError, read};
use super::plan::{PlannedOpenings, Schedule, TournamentPlan};
use super::results::ScoredGame;
use super::swiss::SwissResults;
use super::timetable::{GameSeats, MOST_OF_ROUND, Timetable};
use super::{FinishedGame, ScheduledGame, TournamentHeader};
use crate::catalog::GameSource;
use crate::engine::{LoadError, LoadOptions};
use crate::files::FileCache;
use crate::game::is_chance;
use crate::play::{Spec, SpecError, check_fit};
use crate::session::Game;
use crate::util::StopFlag;

/// A tournament that can be played.
#[derive(Debug, Clone)]
pub struct Tournament {
    pub(super) plan: TournamentPlan,
    pub(super) games: Vec<PlannedGame>,
    pub(super) timetable: Timetable,
    header: TournamentHeader,
}

/// A game with its openings.
#[derive(Debug, Clone)]
pub(super) struct PlannedGame {
    pub(super) game: Game,
    /// The openings that are written down; without them, they are drawn.
    pub(super) openings: Option<Vec<Opening>>,
}

/// Why a tournament cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A game cannot be had.
    #[error("{fault}")]
    Game {
        /// Its rules.
        rules: Box<GameSource>,
        /// Why not.
        fault: LoadError,
    },
    /// A player is made for another game, or wants an evaluation that the engine of the game does not have.
    #[error("{game}: {fault}")]
    Player {
        /// The game.
        game: String,
        /// Which one.
        fault: SpecError,
    },
    /// The players do not fit the roles of a game.
    #[error("{game} takes {roles} players, and {given}")]
    Players {
        /// The game.
        game: String,
        /// How many roles are played.
        roles: usize,
        /// What the plan says.
        given: String,
    },
    /// The openings cannot be played.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An opening begins elsewhere than the rules say, and a player on the network cannot.
    #[error(
        "a player on the network can only begin where the rules begin, and an opening of {0} is a position"
    )]
    RemotePosition(String),
    /// Facts are to be kept that no game has.
    #[error("no game has facts of the relation `{0}`")]
    UnknownRelation(String),
    /// There are too many games.
    #[error("a round would have more than {MOST_OF_ROUND} games")]
    TooManyGames,
}

impl TournamentError {
    /// How to mend it.
    pub fn help(&self) -> String {
        match self {
            Self::Game { .. } => "`kolibri check` says more about the rules".to_owned(),
            Self::Player { fault, .. } => fault.help.clone(),
            Self::Players { .. } => "name as many players as the game has roles, or leave the game out".to_owned(),
            Self::Openings(fault) => fault.help.clone(),
            Self::RemotePosition(_) => "write openings as moves".to_owned(),
            Self::UnknownRelation(_) => "write in `keep_facts` the first words of facts in the rules, such as \"score\"".to_owned(),
            Self::TooManyGames => {
                "name fewer players or games, or take a Swiss schedule, a gauntlet or seatings = \"swapped\"".to_owned()
            }
        }
    }
}

impl Tournament {
    /// Opens the games of a plan, and checks what depends on their rules. Ends soon after `stop` is raised. What is learned of the games is
    /// kept in `cache` for the next time, if there is one.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn open(
        plan: TournamentPlan,
        cache: Option<&FileCache>,
        stop: &StopFlag,
    ) -> Result<Self, TournamentError> {
        let games: Vec<Game> = plan
            .games
            .iter()
            .map(|source| open_game(source, &plan, cache, stop))
            .collect::<Result<_, _>>()?;
        if let Some(unknown) = unknown_relation(&plan) {
            return Err(TournamentError::UnknownRelation(unknown.to_owned()));
        }
        let openings: Vec<Option<Vec<Opening>>> = match &plan.openings {
            PlannedOpenings::Drawn(_) => vec![None; games.len()],
            PlannedOpenings::Written(file) => read(file, &games)?.into_iter().map(Some).collect(),
        };
        let games = games.into_iter().zip(openings);
        let games: Vec<PlannedGame> = games
            .map(|(game, openings)| PlannedGame { game, openings })
            .collect();
        let seats = games
            .iter()
            .map(|opened| opened.seats(&plan))
            .collect::<Result<Vec<_>, _>>()?;
        let timetable = Timetable {
            seed: plan.seed,
            rounds: plan.rounds.unwrap_or_else(|| usual_rounds(&plan, &seats)),
            schedule: plan.schedule.clone(),
            games: seats,
        };
        if timetable.games_of_round() > MOST_OF_ROUND {
            return Err(TournamentError::TooManyGames);
        }
        Ok(Self {
            header: header(&plan, &games, &timetable),
            plan,
            games,
            timetable,
        })
    }

    /// How many games there are.
    pub fn planned(&self) -> u64 {
        self.timetable.len()
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> u64 {
        self.timetable.rounds
    }

    /// Whether who plays whom depends on results: then no part of the games can be played without the others.
    pub fn depends_on_results(&self) -> bool {
        self.timetable.depends_on_results() || self.plan.sprt.is_some()
    }

    /// The plan.
    pub fn plan(&self) -> &TournamentPlan {
        &self.plan
    }

    /// All games in the order of their numbers; `None` in a Swiss tournament, where they depend on results.
    pub fn games(&self) -> Option<impl Iterator<Item = ScheduledGame> + '_> {
        let mut nothing = SwissResults::default();
        let numbers = (!self.timetable.depends_on_results()).then(|| 0..self.planned());
        numbers.map(|numbers| numbers.map(move |number| self.timetable.game(number, &mut nothing)))
    }

    /// How many threads a game takes: those of the player with the most, or of all players if one of them thinks while
    /// others do.
    pub fn threads_of_game(&self) -> usize {
        let threads = self.plan.players.iter().map(|player| match &player.spec {
            Spec::Minimax(search)
            | Spec::Mcts(search)
            | Spec::Plain(search)
            | Spec::Auto(search) => (search.threads, search.ponder),
            _ => (1, false),
        });
        let mut threads: Vec<(usize, bool)> = threads.collect();
        threads.sort_unstable_by(|one, other| other.cmp(one));
        let seats = self.timetable.games.iter().map(GameSeats::seats).max();
        match threads.iter().any(|(_, ponders)| *ponders) {
            true => threads
                .iter()
                .take(seats.unwrap_or(1))
                .map(|(threads, _)| threads)
                .sum(),
            false => threads.first().map_or(1, |(threads, _)| *threads),
        }
    }

    /// How many games are played at once, if the plan does not say: as many as the cores of this machine are enough for, of
    /// which at most `granted` are used.
    pub fn usual_concurrency(&self, granted: Option<usize>) -> usize {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let cores = cores.min(granted.unwrap_or(cores));
        (cores / self.threads_of_game().max(1)).max(1)
    }

    /// What everybody scored in a game, 0 to 1: the share of the others whom a player beat, a draw being half of it; alone, the
    /// goal.
    pub(super) fn points(&self, game: &FinishedGame) -> Vec<(usize, f64)> {
        let Ok(scored) = ScoredGame::of(&self.header, game) else {
            return Vec::new();
        };
        let results = scored.pair_results();
        let scorers: Vec<_> = scored.scorers().collect();
        let others = scorers.len().saturating_sub(1);
        let of = |(player, _, goal): &(usize, usize, u8)| {
            let beaten = results.iter().map(|result| match result.players {
                [first, _] if first == *player => result.score,
                [_, second] if second == *player => 1.0 - result.score,
                _ => 0.0,
            });
            let share = match others {
                0 => f64::from(*goal) / 100.0,
                others => beaten.sum::<f64>() / others as f64,
            };
            (*player, share)
        };
        scorers.iter().map(of).collect()
    }

    /// The first line of the log.
    pub fn header(&self) -> &TournamentHeader {
        &self.header
    }
}

/// A relation of which facts are to be kept, though it is no word of the rules of any game.
fn unknown_relation(plan: &TournamentPlan) -> Option<&str> {
    let is_separator = |c: char| c.is_whitespace() || "()".contains(c);
    let is_word_of = |game: &GameSource, word: &str| {
        let mut words = game.text.split(is_separator);
        words.any(|other| other.eq_ignore_ascii_case(word))
    };
    let mut kept = plan.keep_facts.iter().map(String::as_str);
    kept.find(|word| !plan.games.iter().any(|game| is_word_of(game, word)))
}

fn open_game(
    source: &GameSource,
    plan: &TournamentPlan,
    cache: Option<&FileCache>,
    stop: &StopFlag,
) -> Result<Game, TournamentError> {
    let options = LoadOptions {
        engine: plan.engine,
        stop: stop.clone(),
        cache: cache.cloned(),
        ..LoadOptions::default()
    };
    let game = Game::open(source.clone(), &options).map_err(|fault| TournamentError::Game {
        rules: Box::new(source.clone()),
        fault,
    })?;
    // Everybody may take any role.
    let roles = game.roles().iter().enumerate();
    let players = roles
        .filter(|(_, name)| !is_chance(name))
        .flat_map(|(role, _)| plan.players.iter().map(move |player| (role, &player.spec)));
    match check_fit(players, &game) {
        Err(fault) => Err(TournamentError::Player {
            game: source.name.clone(),
            fault,
        }),
        Ok(()) => Ok(game),
    }
}

/// Without a word in the plan: all openings that are written, all rounds that it takes until at most one player of a Swiss
/// tournament can have won all games, or one.
fn usual_rounds(plan: &TournamentPlan, games: &[GameSeats]) -> u64 {
    let openings = games.iter().filter_map(|seats| seats.openings).max();
    match (&plan.schedule, openings) {
        (Schedule::Swiss, _) => u64::from(plan.players.len().next_power_of_two().ilog2()).max(1),
        (_, Some(openings)) => openings,
        _ => 1,
    }
}

impl PlannedGame {
    fn seats(&self, plan: &TournamentPlan) -> Result<GameSeats, TournamentError> {
        let is_played: Vec<bool> = self
            .game
            .roles()
            .iter()
            .map(|role| !is_chance(role))
            .collect();
        let roles = is_played.iter().filter(|played| **played).count();
        let misfit = |given: String| TournamentError::Players {
            game: self.game.name().to_owned(),
            roles,
            given,
        };
        let players = plan.players.len();
        if players < roles {
            return Err(misfit(format!("the plan names {players}")));
        }
        if let Schedule::Listed(pairings) = &plan.schedule
            && let Some(other) = pairings.iter().find(|pairing| pairing.len() != roles)
        {
            let names: Vec<&str> = other
                .iter()
                .map(|one| plan.players[*one].name.as_str())
                .collect();
            return Err(misfit(format!(
                "a pairing names {}: {}",
                other.len(),
                names.join(", ")
            )));
        }
        let is_remote = |spec: &Spec| matches!(spec, Spec::Remote(_));
        let mut openings = self.openings.iter().flatten();
        if plan.players.iter().any(|player| is_remote(&player.spec))
            && openings.any(|opening| opening.facts.is_some())
        {
            return Err(TournamentError::RemotePosition(self.game.name().to_owned()));
        }
        let openings = self.openings.as_ref().map(|openings| openings.len() as u64);
        let seats = GameSeats::new(is_played, openings, players, &plan.schedule, plan.seatings);
        seats.map_err(|_| TournamentError::TooManyGames)
    }
}
