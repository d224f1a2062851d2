//! The thread of a match: loads the rules, keeps track of the position, chooses moves.

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::playing::{Flags, Playing};
use super::task::{AnswerClock, GivenAnswer, MatchTask, PendingAnswer, TaskKind};
use super::{Margin, NetworkPlayerOptions, PlayerEvent};
use crate::catalog::GameSource;
use crate::engine::LoadOptions;
use crate::protocol::{LastMoves, Reply, StartMessage, TurnMessage};
use crate::session::LoadingGame;

/// A match of which nothing is heard for so long is given up: some servers never end a match.
const SILENCE: Duration = Duration::from_secs(20 * 60);

/// What the thread of a match works with.
pub(super) struct MatchContext {
    pub(super) start: StartMessage,
    pub(super) options: Arc<NetworkPlayerOptions>,
    pub(super) margin: Arc<Mutex<Margin>>,
    pub(super) events: Sender<PlayerEvent>,
    pub(super) flags: Flags,
    /// Where a legal move is put that can be sent before the start clock is spent.
    pub(super) first_move: Arc<OnceLock<String>>,
}

/// The answer that was given last.
struct LastAnswer {
    given: GivenAnswer,
    /// The number of legal moves that there were.
    choices: usize,
}

/// A match on its thread.
struct MatchInProgress {
    context: MatchContext,
    loading: LoadingGame,
    playing: Playing,
    /// The moves of the last message that led to another position.
    last_moves: Option<LastMoves>,
    /// The answer in this position, if one was given.
    last_answer: Option<LastAnswer>,
}

impl MatchContext {
    fn tell(&self, event: PlayerEvent) {
        // Whether anybody reads it is their business.
        let _ = self.events.send(event);
    }

    fn odd(&self, what: impl Into<String>) {
        let (match_id, what) = (self.start.match_id.clone(), what.into());
        self.tell(PlayerEvent::Odd { match_id, what });
    }

    fn learn_margin(&self, learn: impl FnOnce(&mut Margin)) {
        learn(&mut self.margin.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The answer to the message that ends a match: it is given once the next match may begin.
pub(super) struct LastReply {
    answer: PendingAnswer,
    reply: Reply,
}

impl LastReply {
    pub(super) fn give(self) {
        self.answer.give(self.reply);
    }
}

/// Plays a match: `begin` is its START, and `tasks` are the messages that follow.
pub(super) fn run(
    context: MatchContext,
    begin: PendingAnswer,
    tasks: &Receiver<MatchTask>,
) -> Option<LastReply> {
    let StartMessage {
        match_id,
        role,
        start_clock,
        play_clock,
        ..
    } = context.start.clone();
    context.tell(PlayerEvent::Started {
        match_id,
        role,
        start_clock,
        play_clock,
    });
    match load(&context, &begin) {
        Ok((loading, playing)) => {
            let mut this = MatchInProgress {
                context,
                loading,
                playing,
                last_moves: None,
                last_answer: None,
            };
            this.get_ready(begin);
            let last = this.go_on(tasks);
            this.close();
            last
        }
        Err(why) => {
            context.odd(why);
            context.tell(PlayerEvent::Ended {
                match_id: context.start.match_id.clone(),
                plies: 0,
                how: "the rules cannot be played".to_owned(),
                record: None,
            });
            Some(LastReply {
                answer: begin,
                reply: Reply::Busy,
            })
        }
    }
}

/// Loads the rules; the start clock leaves time to learn and to search.
fn load(context: &MatchContext, begin: &PendingAnswer) -> Result<(LoadingGame, Playing), String> {
    let started = Instant::now();
    let StartMessage {
        match_id,
        role,
        rules,
        ..
    } = &context.start;
    let options = LoadOptions {
        stop: context.flags.given_up.clone(),
        cache: context.options.cache.clone(),
        ..LoadOptions::from(context.options.engine)
    };
    let loading = LoadingGame::begin(GameSource::from_text(match_id, rules), &options);
    let game = loading.game_by(started + begin.times.left() * 3 / 5);
    let game = game.map_err(|why| why.to_string())?;
    context.tell(PlayerEvent::Loaded {
        match_id: match_id.clone(),
        engine: game.report().engine,
        time: started.elapsed(),
    });
    let playing = Playing::new(&game, &context.start, &context.options, &context.flags);
    let playing = playing.ok_or_else(|| format!("the game has no role {role}"))?;
    Ok((loading, playing))
}

impl MatchInProgress {
    /// Spends the start clock.
    fn get_ready(&mut self, begin: PendingAnswer) {
        if let Some(mv) = self.playing.any_move() {
            let _ = self.context.first_move.set(mv);
        }
        self.playing.prepare(begin.times.left() * 4 / 5);
        self.playing
            .search_ahead(begin.times.search_end(), &self.context.flags);
        let times = begin.times;
        let given = begin.give(Reply::Ready);
        self.playing.note(&times, given.taken, given.is_cut_short);
    }

    /// Answers until the match is over.
    fn go_on(&mut self, tasks: &Receiver<MatchTask>) -> Option<LastReply> {
        loop {
            let next = self.playing.while_pondering(|| tasks.recv_timeout(SILENCE));
            let Ok(MatchTask {
                what,
                overlaps,
                answer,
            }) = next
            else {
                self.context
                    .odd("given up: no message came, or the player ends");
                return None;
            };
            self.context.flags.begin_search();
            let reply = match what {
                TaskKind::Play(turn) => {
                    self.play(&turn, overlaps, answer);
                    continue;
                }
                TaskKind::Stop(turn) => {
                    if turn.moves.is_some() {
                        self.catch_up(&turn, overlaps);
                    }
                    Reply::Done
                }
                TaskKind::Abort => Reply::Aborted,
            };
            return Some(LastReply { answer, reply });
        }
    }

    fn play(&mut self, turn: &TurnMessage, overlaps: bool, answer: PendingAnswer) {
        if self.catch_up(turn, overlaps)
            && let Some(LastAnswer { given, .. }) = &self.last_answer
        {
            answer.give(given.reply.clone());
            return;
        }
        if let Some(mv) = self.playing.any_move() {
            answer.or_else(Reply::Move(mv));
        }
        let times = answer.times;
        let has_choice = self.playing.legal().len() > 1;
        if has_choice {
            self.change_engine(&times);
        }
        let given = self.choose(answer);
        let StartMessage { match_id, .. } = &self.context.start;
        let (match_id, ply) = (match_id.clone(), self.playing.plies() + 1);
        if given.is_cut_short {
            self.context.odd(format!(
                "the search was late: {} was sent instead",
                given.reply
            ));
        }
        let (mv, time, clock) = (given.reply.to_string(), given.taken, times.clock);
        self.context.tell(PlayerEvent::Answered {
            match_id,
            ply,
            mv,
            time,
            clock,
        });
        self.playing.note(&times, given.taken, given.is_cut_short);
        let choices = self.playing.legal().len();
        self.last_answer = Some(LastAnswer { given, choices });
        if !has_choice {
            // The answer did not wait for this.
            self.change_engine(&times);
        }
    }

    /// Goes to the position that a message is about; says whether it is the one that the message before was about.
    fn catch_up(&mut self, turn: &TurnMessage, overlaps: bool) -> bool {
        let plies = self.playing.plies();
        // Without moves there is nothing to compare, but that the server did not wait for the answer.
        let is_same = self.last_moves == turn.moves && (turn.moves.is_some() || overlaps);
        // The first message of a match has no moves.
        if (turn.moves.is_none() && plies == 0) || turn.turn == Some(plies) {
            return true;
        }
        let answered = match self.last_answer.as_ref().map(|last| &last.given.reply) {
            Some(Reply::Move(mv)) => Some(mv.clone()),
            _ => None,
        };
        let read = self
            .playing
            .read(turn.moves.as_deref(), answered.as_deref());
        let Some(read) = read.filter(|read| !is_same || (!overlaps && read.faults.is_empty()))
        else {
            return true;
        };
        for fault in &read.faults {
            self.context.odd(fault);
        }
        let own_is_known = read.faults.is_empty();
        let was_taken = self.playing.advance(read, answered.as_deref());
        if own_is_known {
            self.learn_from(was_taken);
        }
        self.last_moves.clone_from(&turn.moves);
        self.last_answer = None;
        false
    }

    /// Learns from whether the server played the last answer.
    fn learn_from(&mut self, was_taken: bool) {
        let Some(LastAnswer { given, choices }) = self.last_answer.take() else {
            return;
        };
        match was_taken {
            // Where there is no choice, the server plays that move, late or not.
            true if choices > 1 => self
                .context
                .learn_margin(|margin| margin.was_enough(given.delay)),
            true => {}
            false => {
                self.context.odd(format!(
                    "the server did not play the answer {}",
                    given.reply
                ));
                self.context.learn_margin(Margin::was_too_small);
            }
        }
    }

    /// Changes to the engine that was wanted, if it has become ready.
    fn change_engine(&mut self, times: &AnswerClock) {
        const LEAST: Duration = Duration::from_millis(500);
        if times.left() < LEAST {
            return;
        }
        let begin = Instant::now();
        if let Some(game) = self.loading.better() {
            self.playing
                .go_on_with(&game, &self.context.options, &self.context.flags);
            self.playing.prepare(times.left() / 3);
            let (match_id, engine) = (self.context.start.match_id.clone(), game.report().engine);
            self.context.tell(PlayerEvent::Loaded {
                match_id,
                engine,
                time: begin.elapsed(),
            });
        }
    }

    fn choose(&mut self, answer: PendingAnswer) -> GivenAnswer {
        match self.playing.legal() {
            [] => {
                self.context.odd("there is no legal move here");
                return answer.give(Reply::NoMove);
            }
            [only] => {
                let only = only.clone();
                return answer.give(Reply::Move(only));
            }
            _ => {}
        }
        let left = answer.times.left();
        if left.is_zero() {
            return answer.give_substitute();
        }
        match self.playing.choose(left) {
            Ok(mv) => answer.give(Reply::Move(mv)),
            Err(why) => {
                self.context.odd(why);
                answer.give_substitute()
            }
        }
    }

    /// Keeps the record, and tells how it ended.
    fn close(mut self) {
        let plies = self.playing.plies();
        let (how, record) = self.playing.close();
        let kept = self
            .context
            .options
            .records
            .as_ref()
            .map(|(folder, format)| record.save_new(folder, *format));
        let record = match kept.transpose() {
            Ok(path) => path,
            Err(why) => {
                self.context
                    .odd(format!("the match is not recorded: {why}"));
                None
            }
        };
        let match_id = self.context.start.match_id.clone();
        self.context.tell(PlayerEvent::Ended {
            match_id,
            plies,
            how,
            record,
        });
    }
}
