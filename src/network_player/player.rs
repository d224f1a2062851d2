//! What each message means to a player, and that it is answered in time.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use super::match_in_progress::{self, MatchContext};
use super::playing::Flags;
use super::task::{AnswerClock, MatchTask, PendingAnswer, TaskKind};
use super::{Margin, PlayerEvent};
use crate::engine::EngineChoice;
use crate::files::FileCache;
use crate::play::{RecordFormat, Spec};
use crate::protocol::{Message, Reply, StartMessage, TurnMessage};

/// How a network player plays.
#[derive(Debug, Clone)]
pub struct NetworkPlayerOptions {
    /// What it says its name is: a single word.
    pub name: String,
    /// How it chooses moves: see [`Spec::under_clocks`].
    pub spec: Spec,
    /// What runs the rules.
    pub engine: EngineChoice,
    /// Where what is learned of a game is kept for the next time; without it, nothing is.
    pub cache: Option<FileCache>,
    /// How much of a clock is kept in reserve.
    pub margin: Margin,
    /// The folder for the records of matches, and how they are written.
    pub records: Option<(PathBuf, RecordFormat)>,
    /// What chance is drawn from.
    pub seed: u64,
}

/// A player of one match at a time, which answers the messages of match servers.
pub struct NetworkPlayer {
    options: Arc<NetworkPlayerOptions>,
    margin: Arc<Mutex<Margin>>,
    events: Sender<PlayerEvent>,
    current: Mutex<Option<CurrentMatch>>,
}

/// The match that is played.
struct CurrentMatch {
    match_id: String,
    play_clock: Duration,
    /// When the last message came; at first, when the start clock ends.
    last_heard: Instant,
    flags: Flags,
    tasks: Sender<MatchTask>,
    /// How many messages are not answered yet.
    unanswered: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
    /// A legal move at the beginning, once the rules are loaded.
    first_move: Arc<OnceLock<String>>,
    thread: Option<JoinHandle<()>>,
}

/// How many messages of one match may wait for an answer: no server sends a second one before that.
const MOST_UNANSWERED: usize = 16;

/// Time to answer ABORT.
const ABORT_CLOCK: Duration = Duration::from_secs(1);

/// A match of which nothing is heard for so long, and for so many play clocks, gives way to a new one: its server may be gone.
const SILENCE: Duration = Duration::from_secs(60);
const SILENT_CLOCKS: u32 = 5;

impl NetworkPlayer {
    /// A player, and what it tells.
    pub fn new(options: NetworkPlayerOptions) -> (Self, Receiver<PlayerEvent>) {
        let (events, receiver) = channel();
        let player = Self {
            margin: Arc::new(Mutex::new(options.margin)),
            options: Arc::new(options),
            events,
            current: Mutex::default(),
        };
        (player, receiver)
    }

    /// Answers a message that came at `received`. Every answer comes before its clock is over.
    pub async fn answer(&self, message: Message, received: Instant) -> Reply {
        match message {
            Message::Info => Reply::Status {
                name: self.options.name.clone(),
                is_available: self.is_available(),
            },
            Message::Ping | Message::Preview { .. } => match self.is_available() {
                true => Reply::Ready,
                false => Reply::Busy,
            },
            Message::Start(start) => self.start(start, received).await,
            Message::Play(turn) => self.play(turn, received).await,
            Message::Stop(turn) => self.stop(turn, received).await,
            Message::Abort { match_id } => self.abort(&match_id, received),
        }
    }

    /// Tells that a message was refused.
    pub(super) fn refuse(&self, why: String) {
        let _ = self.events.send(PlayerEvent::Refused { why });
    }

    fn current(&self) -> MutexGuard<'_, Option<CurrentMatch>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_available(&self) -> bool {
        self.current().as_ref().is_none_or(CurrentMatch::is_over)
    }

    fn clock(&self, received: Instant, clock: Duration) -> AnswerClock {
        let margin = self
            .margin
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .of(clock);
        AnswerClock {
            received,
            clock,
            margin,
        }
    }

    async fn start(&self, start: StartMessage, received: Instant) -> Reply {
        let times = self.clock(received, start.start_clock);
        let (begin, receiver, substitute) = PendingAnswer::new(times, Reply::Ready);
        {
            let mut current = self.current();
            if let Some(current) = current
                .as_ref()
                .filter(|current| current.is_alive(received))
            {
                let why = format!(
                    "START of {}: {} is being played",
                    start.match_id, current.match_id
                );
                self.refuse(why);
                return Reply::Busy;
            }
            if let Some(left) = current.take() {
                left.flags.give_up();
            }
            *current = Some(self.begin(start, begin));
        }
        let reply = timeout_at(times.reply_end().into(), receiver).await;
        match reply {
            Ok(reply) => reply.unwrap_or(Reply::Busy),
            // What is being done is finished while the match goes on.
            Err(_) => substitute.send(),
        }
    }

    fn begin(&self, start: StartMessage, begin: PendingAnswer) -> CurrentMatch {
        let (tasks, receiver) = channel();
        let (flags, is_over) = (Flags::default(), Arc::<AtomicBool>::default());
        let first_move = Arc::<OnceLock<_>>::default();
        let over = RaisedAtEnd(Arc::clone(&is_over));
        let (match_id, play_clock) = (start.match_id.clone(), start.play_clock);
        let last_heard = begin.times.received + start.start_clock;
        let context = MatchContext {
            start,
            options: Arc::clone(&self.options),
            margin: Arc::clone(&self.margin),
            events: self.events.clone(),
            flags: flags.clone(),
            first_move: Arc::clone(&first_move),
        };
        let thread = thread::spawn(move || {
            let last = match_in_progress::run(context, begin, &receiver);
            drop(over);
            if let Some(last) = last {
                last.give();
            }
        });
        CurrentMatch {
            match_id,
            play_clock,
            last_heard,
            flags,
            tasks,
            unanswered: Arc::default(),
            is_over,
            first_move,
            thread: Some(thread),
        }
    }

    async fn play(&self, turn: TurnMessage, received: Instant) -> Reply {
        let match_id = turn.match_id.clone();
        let Some(asked) = self.ask(&match_id, TaskKind::Play(turn), received) else {
            return Reply::Busy;
        };
        asked.reply().await
    }

    async fn stop(&self, turn: TurnMessage, received: Instant) -> Reply {
        let match_id = turn.match_id.clone();
        let Some(asked) = self.ask(&match_id, TaskKind::Stop(turn), received) else {
            return Reply::Busy;
        };
        asked.flags.hurry.raise();
        asked.reply().await
    }

    fn abort(&self, match_id: &str, received: Instant) -> Reply {
        match self.ask(match_id, TaskKind::Abort, received) {
            None => Reply::Busy,
            Some(asked) => {
                asked.flags.give_up();
                // The next match may begin at once.
                *self.current() = None;
                Reply::Aborted
            }
        }
    }

    /// Hands a message to the thread of its match; `None` if that match is not played here.
    fn ask(&self, match_id: &str, what: TaskKind, received: Instant) -> Option<Waiting> {
        let mut current = self.current();
        let is_meant =
            |current: &&mut CurrentMatch| current.match_id == match_id && !current.is_over();
        let Some(current) = current.as_mut().filter(is_meant) else {
            drop(current);
            self.refuse(format!("the match {match_id} is not played here"));
            return None;
        };
        current.last_heard = received;
        let unanswered = Unanswered::begin(&current.unanswered)?;
        let clock = match what {
            TaskKind::Abort => ABORT_CLOCK,
            _ => current.play_clock,
        };
        let times = self.clock(received, clock);
        let (answer, receiver, substitute) =
            PendingAnswer::new(times, current.substitute_for(&what));
        let overlaps = unanswered.others > 0;
        let flags = current.flags.clone();
        current
            .tasks
            .send(MatchTask {
                what,
                overlaps,
                answer,
            })
            .ok()?;
        Some(Waiting {
            times,
            receiver,
            substitute,
            flags,
            _unanswered: unanswered,
        })
    }
}

/// An answer that is waited for.
struct Waiting {
    times: AnswerClock,
    receiver: tokio::sync::oneshot::Receiver<Reply>,
    substitute: super::task::Substitute,
    flags: Flags,
    _unanswered: Unanswered,
}

impl Waiting {
    /// The answer, or once time is up what stands in for it.
    async fn reply(self) -> Reply {
        // The receiver ends here: an answer that comes later is known not to have been sent.
        let reply = timeout_at(self.times.reply_end().into(), self.receiver).await;
        match reply {
            Ok(Ok(reply)) => reply,
            // The match has ended.
            Ok(Err(_)) => Reply::Busy,
            Err(_) => {
                self.flags.hurry.raise();
                self.substitute.send()
            }
        }
    }
}

/// Counts a message among those that are not answered yet, until this is dropped.
struct Unanswered {
    count: Arc<AtomicUsize>,
    /// How many there were before.
    others: usize,
}

impl Unanswered {
    /// `None` if there are too many.
    fn begin(count: &Arc<AtomicUsize>) -> Option<Self> {
        let others = count.fetch_add(1, Ordering::Relaxed);
        let count = Arc::clone(count);
        let this = Self { count, others };
        (others < MOST_UNANSWERED).then_some(this)
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl CurrentMatch {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// What is sent if the thread of the match does not come to it in time.
    fn substitute_for(&self, what: &TaskKind) -> Reply {
        match what {
            TaskKind::Play(turn) if turn.moves.is_none() && turn.turn.unwrap_or(0) == 0 => {
                let first = self.first_move.get().cloned();
                first.map_or(Reply::NoMove, Reply::Move)
            }
            TaskKind::Play(_) => Reply::NoMove,
            TaskKind::Stop(_) => Reply::Done,
            TaskKind::Abort => Reply::Aborted,
        }
    }

    /// Whether the match goes on, as far as can be told `now`.
    fn is_alive(&self, now: Instant) -> bool {
        let silence = now.saturating_duration_since(self.last_heard);
        !self.is_over() && silence <= SILENCE.max(self.play_clock * SILENT_CLOCKS)
    }
}

/// A flag that is raised when its thread ends, even by a panic.
struct RaisedAtEnd(Arc<AtomicBool>);

impl Drop for RaisedAtEnd {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Ends the match, and waits until its record is written.
impl Drop for NetworkPlayer {
    fn drop(&mut self) {
        let Some(CurrentMatch {
            flags,
            tasks,
            mut thread,
            ..
        }) = self.current().take()
        else {
            return;
        };
        flags.give_up();
        drop(tasks);
        if let Some(thread) = thread.take() {
            // A panic has been reported where it happened.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_that_is_silent_for_long_gives_way_to_a_new_one() {
        let (player, events) = NetworkPlayer::new(NetworkPlayerOptions {
            name: "Tester".to_owned(),
            spec: "first".parse().unwrap(),
            engine: EngineChoice::Auto,
            cache: None,
            margin: Margin::learned(),
            records: None,
            seed: 1,
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let begin = Instant::now();
        let say = |text: &str, seconds| {
            let received = begin + Duration::from_secs(seconds);
            runtime.block_on(player.answer(text.parse().unwrap(), received))
        };
        let rules =
            "((role x) (init a) (legal x go) (legal x wait) (<= terminal (true b)) (goal x 50))";
        let start = |id: &str| format!("(START {id} x {rules} 10 15)");
        assert_eq!(say(&start("one"), 0), Reply::Ready);
        assert_eq!(
            say(&start("two"), 80),
            Reply::Busy,
            "the start clock counts"
        );
        assert_eq!(say("(PLAY one NIL)", 60), Reply::Move("go".to_owned()));
        assert_eq!(say(&start("two"), 134), Reply::Busy, "five clocks of 15 s");
        assert_eq!(say(&start("two"), 136), Reply::Ready);
        assert_eq!(say("(PLAY one NIL)", 137), Reply::Busy);
        assert_eq!(say("(PLAY two NIL)", 137), Reply::Move("go".to_owned()));
        drop(player);
        let ended = events
            .iter()
            .filter(|event| matches!(event, PlayerEvent::Ended { .. }));
        assert_eq!(ended.count(), 2);
    }
}
