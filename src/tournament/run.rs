//! A tournament is played: several games at once, each in the log before it counts.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};
use std::time::Duration;

use super::log_file::{LogFileError, LogWriter};
use super::opened::Tournament;
use super::sequential::SequentialTest;
use super::swiss::SwissResults;
use super::{FinishedGame, ScheduledGame, Shard, TournamentLog};
use crate::files::WriteError;
use crate::play::{Record, RecordFormat, SeriesError, Spec};
use crate::statistics::Sprt;
use crate::util::StopFlag;

/// How a tournament is to be played.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Which shard of the games.
    pub shard: Shard,
    /// How many games at once.
    pub concurrency: usize,
    /// The folder for the records of all games, and how they are written.
    pub records: Option<(PathBuf, RecordFormat)>,
    /// Ends the run when it is raised. Games that are under way are not kept.
    pub stop: StopFlag,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunEnd {
    /// All games are in the log.
    Complete,
    /// The sequential test has decided.
    Decided(Sprt),
    /// The stop flag was raised.
    Stopped,
}

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The log cannot be written.
    #[error(transparent)]
    Log(#[from] LogFileError),
    /// A record cannot be written.
    #[error(transparent)]
    Record(#[from] WriteError),
    /// A game has no opening.
    #[error("{game}: {fault}")]
    Opening {
        /// The game.
        game: String,
        /// Why not.
        fault: SeriesError,
    },
}

/// Looks on.
pub trait RunObserver {
    /// A move was drawn for a player, since its own was missing, late or not legal; said once of each player, with the number of the game.
    fn failed(&mut self, player: &str, game: u64, why: &str);

    /// These games are in the log now; `log` holds all of them.
    fn finished(&mut self, games: &[FinishedGame], log: &TournamentLog);

    /// Called several times a second, whether games end or not.
    fn tick(&mut self, log: &TournamentLog);
}

/// How often an observer is called, at least.
const TICK: Duration = Duration::from_millis(100);

impl Tournament {
    /// Plays all games that are not in the log yet, and adds them to it.
    ///
    /// # Errors
    /// [`RunError`]; the log holds all games that were told to the observer.
    pub fn run(
        &self,
        options: &RunOptions,
        writer: &mut LogWriter,
        log: &mut TournamentLog,
        observer: &mut impl RunObserver,
    ) -> Result<RunEnd, RunError> {
        let (sender, receiver) = mpsc::channel();
        let mut queue = Queue::new(self, options.shard, log);
        let mut test = SequentialTest::new(&log.header);
        if let Some(test) = &mut test {
            test.add(&log.games);
        }
        let halt = StopFlag::default();
        let mut desk = Desk {
            tournament: self,
            options,
            writer,
            log,
            observer,
            receiver,
            failed: HashSet::new(),
        };
        thread::scope(|scope| {
            let ended = loop {
                if let Some(verdict) = test.as_ref().and_then(SequentialTest::verdict) {
                    break Ok(RunEnd::Decided(verdict));
                }
                if options.stop.is_raised() {
                    break Ok(RunEnd::Stopped);
                }
                while queue.under_way() < options.concurrency
                    && let Some(game) = queue.next(self)
                {
                    self.start(game, &halt, &sender, scope);
                }
                if queue.under_way() == 0 {
                    break Ok(RunEnd::Complete);
                }
                match desk.collect(&mut queue) {
                    Ok(games) => {
                        if let Some(test) = &mut test {
                            test.add(&games);
                        }
                    }
                    Err(fault) => break Err(fault),
                }
            };
            halt.raise();
            ended
        })
    }

    /// Begins a game on a thread of its own.
    fn start<'s, 'e>(
        &'e self,
        game: ScheduledGame,
        halt: &StopFlag,
        sender: &Sender<EndedGame>,
        scope: &'s Scope<'s, 'e>,
    ) {
        let (halt, sender) = (halt.clone(), sender.clone());
        scope.spawn(move || {
            let played = panic::catch_unwind(AssertUnwindSafe(|| self.play(&game, &halt)));
            // Nobody listens any more once the run has ended.
            let _ = sender.send(EndedGame { game, played });
        });
    }
}

/// A game that has ended, whatever became of it.
struct EndedGame {
    game: ScheduledGame,
    played: thread::Result<Result<Option<(FinishedGame, Record)>, SeriesError>>,
}

/// Where games that have ended are collected and written down.
struct Desk<'d, O> {
    tournament: &'d Tournament,
    options: &'d RunOptions,
    writer: &'d mut LogWriter,
    log: &'d mut TournamentLog,
    observer: &'d mut O,
    receiver: Receiver<EndedGame>,
    /// The players of whom it was told that they failed.
    failed: HashSet<usize>,
}

impl<O: RunObserver> Desk<'_, O> {
    /// Waits until games end, for a moment at most, and puts those that have ended into the log: several lines cost one wait for
    /// the disk.
    fn collect(&mut self, queue: &mut Queue) -> Result<Vec<FinishedGame>, RunError> {
        let first = self.receiver.recv_timeout(TICK).ok();
        let mut games = Vec::new();
        let ended: Vec<EndedGame> = first.into_iter().chain(self.receiver.try_iter()).collect();
        for EndedGame { game, played } in ended {
            queue.ended(&game, self.tournament);
            let played = played.unwrap_or_else(|panic| panic::resume_unwind(panic));
            let played = played.map_err(|fault| RunError::Opening {
                game: self.tournament.games[game.game].game.name().to_owned(),
                fault,
            })?;
            let Some((mut finished, record)) = played else {
                continue;
            };
            self.tell_failures(&game, &record);
            if let Some((folder, format)) = &self.options.records {
                let path = record.save_new(folder, *format)?;
                finished.record = Some(self.writer.path_to(&path));
            }
            games.push(finished);
        }
        if !games.is_empty() {
            self.writer.add(&games)?;
            self.log.games.extend(games.iter().cloned());
            queue.count(&games, self.tournament);
            self.observer.finished(&games, self.log);
        }
        self.observer.tick(self.log);
        Ok(games)
    }

    /// Tells the first failure of each player.
    fn tell_failures(&mut self, game: &ScheduledGame, record: &Record) {
        for errors in &record.errors {
            for (player, why) in game.players.iter().zip(errors) {
                if let Some(player) = *player
                    && !why.is_empty()
                    && self.failed.insert(player)
                {
                    let name = &self.tournament.plan.players[player].name;
                    self.observer.failed(name, game.number, why);
                }
            }
        }
    }
}

/// Which games are to be played.
struct Queue {
    shard: Shard,
    /// The numbers of games that are in the log.
    done: HashSet<u64>,
    /// The number of the next game that has not been looked at.
    next: u64,
    /// Games that wait until a player on the network is free.
    waiting: VecDeque<ScheduledGame>,
    under_way: usize,
    /// Players on the network that play: they play one match at a time.
    busy: HashSet<usize>,
    /// The results of a Swiss tournament, and how many games of each round are in them.
    table: SwissResults,
    counted: HashMap<u64, u64>,
}

impl Queue {
    fn new(tournament: &Tournament, shard: Shard, log: &TournamentLog) -> Self {
        let mut queue = Self {
            shard,
            done: HashSet::new(),
            next: 0,
            waiting: VecDeque::new(),
            under_way: 0,
            busy: HashSet::new(),
            table: SwissResults::new(tournament.plan.players.len()),
            counted: HashMap::new(),
        };
        queue.count(&log.games, tournament);
        queue
    }

    fn under_way(&self) -> usize {
        self.under_way
    }

    /// The next game that can begin; none if all have begun, or have to wait for others.
    fn next(&mut self, tournament: &Tournament) -> Option<ScheduledGame> {
        let is_free = |game: &ScheduledGame, busy: &HashSet<usize>| {
            !game
                .players
                .iter()
                .flatten()
                .any(|player| busy.contains(player))
        };
        let waiting = self
            .waiting
            .iter()
            .position(|game| is_free(game, &self.busy));
        if let Some(game) = waiting.and_then(|place| self.waiting.remove(place)) {
            return Some(self.begin(game, tournament));
        }
        while let Some(game) = self.look_at_next(tournament) {
            if is_free(&game, &self.busy) {
                return Some(self.begin(game, tournament));
            }
            self.waiting.push_back(game);
            // Whoever waits for one player need not know all games that do.
            const MOST_WAITING: usize = 1_000;
            if self.waiting.len() >= MOST_WAITING {
                return None;
            }
        }
        None
    }

    /// The next game that is not in the log; none if there is none, or if it depends on results that are not there yet.
    fn look_at_next(&mut self, tournament: &Tournament) -> Option<ScheduledGame> {
        let timetable = &tournament.timetable;
        while self.next < timetable.len() {
            let number = self.next;
            if timetable.depends_on_results() {
                let round = timetable.round_of(number);
                let counted = round.checked_sub(1).map(|before| self.counted.get(&before));
                let is_ready =
                    counted.is_none_or(|counted| counted == Some(&timetable.games_of_round()));
                if !is_ready {
                    return None;
                }
            }
            self.next += 1;
            if self.shard.holds(number) && !self.done.contains(&number) {
                return Some(timetable.game(number, &mut self.table));
            }
        }
        None
    }

    fn begin(&mut self, game: ScheduledGame, tournament: &Tournament) -> ScheduledGame {
        self.under_way += 1;
        self.busy.extend(remote_players(&game, tournament));
        game
    }

    /// A game is no longer under way.
    fn ended(&mut self, game: &ScheduledGame, tournament: &Tournament) {
        self.under_way -= 1;
        for player in remote_players(game, tournament) {
            self.busy.remove(&player);
        }
    }

    /// Games are in the log.
    fn count(&mut self, games: &[FinishedGame], tournament: &Tournament) {
        self.done.extend(games.iter().map(|game| game.number));
        if !tournament.timetable.depends_on_results() {
            return;
        }
        for game in games {
            let round = tournament.timetable.round_of(game.number);
            *self.counted.entry(round).or_default() += 1;
            self.table.add(round, &tournament.points(game));
        }
    }
}

fn remote_players<'g>(
    game: &'g ScheduledGame,
    tournament: &'g Tournament,
) -> impl Iterator<Item = usize> + 'g {
    let players = game.players.iter().flatten().copied();
    players.filter(|player| matches!(tournament.plan.players[*player].spec, Spec::Remote(_)))
}
