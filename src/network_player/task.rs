//! What the thread of a match is asked to do, and how it answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::protocol::{Reply, TurnMessage};

/// A message that the thread of a match has to answer.
pub(super) struct MatchTask {
    pub(super) what: TaskKind,
    /// Whether it came while the one before was not answered yet.
    pub(super) overlaps: bool,
    pub(super) answer: PendingAnswer,
}

/// What is asked for.
pub(super) enum TaskKind {
    Play(TurnMessage),
    Stop(TurnMessage),
    Abort,
}

/// The times of one answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnswerClock {
    pub(super) received: Instant,
    pub(super) clock: Duration,
    pub(super) margin: Duration,
}

impl AnswerClock {
    /// When a search must end.
    pub(super) fn search_end(&self) -> Instant {
        self.received + self.clock.saturating_sub(self.margin)
    }

    /// When something must be sent, whatever it is.
    pub(super) fn reply_end(&self) -> Instant {
        self.received + self.clock.saturating_sub(self.margin / 2)
    }

    /// Time left to search.
    pub(super) fn left(&self) -> Duration {
        self.search_end().saturating_duration_since(Instant::now())
    }
}

/// An answer that somebody waits for until its time is up.
pub(super) struct PendingAnswer {
    pub(super) times: AnswerClock,
    sender: oneshot::Sender<Reply>,
    substitute: Substitute,
}

/// What is sent when time is up.
#[derive(Clone)]
pub(super) struct Substitute(Arc<Mutex<SubstituteReply>>);

struct SubstituteReply {
    reply: Reply,
    is_sent: bool,
}

impl Substitute {
    fn new(reply: Reply) -> Self {
        let is_sent = false;
        Self(Arc::new(Mutex::new(SubstituteReply { reply, is_sent })))
    }

    fn locked(&self) -> MutexGuard<'_, SubstituteReply> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self) -> Reply {
        self.locked().reply.clone()
    }

    /// What is sent now, and stays what was sent.
    pub(super) fn send(&self) -> Reply {
        let mut this = self.locked();
        this.is_sent = true;
        this.reply.clone()
    }

    fn set(&self, reply: Reply) {
        let mut this = self.locked();
        if !this.is_sent {
            this.reply = reply;
        }
    }
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GivenAnswer {
    /// What was sent.
    pub(super) reply: Reply,
    /// Whether it is the substitute, since time was up.
    pub(super) is_cut_short: bool,
    /// How long it took.
    pub(super) taken: Duration,
    /// How much later it was ready than the search should have ended.
    pub(super) delay: Duration,
}

impl PendingAnswer {
    /// An answer, its receiver, and what is sent if it is late, at first `substitute`.
    pub(super) fn new(
        times: AnswerClock,
        substitute: Reply,
    ) -> (Self, oneshot::Receiver<Reply>, Substitute) {
        let (sender, receiver) = oneshot::channel();
        let substitute = Substitute::new(substitute);
        let shared = substitute.clone();
        let pending = Self {
            times,
            sender,
            substitute,
        };
        (pending, receiver, shared)
    }

    /// From now on this is sent if the answer is late, unless it is late already.
    pub(super) fn or_else(&self, substitute: Reply) {
        self.substitute.set(substitute);
    }

    /// Gives the answer, unless it is too late.
    pub(super) fn give(self, reply: Reply) -> GivenAnswer {
        let (taken, delay) = (
            self.times.received.elapsed(),
            self.times.search_end().elapsed(),
        );
        let is_cut_short = self.sender.send(reply.clone()).is_err();
        let reply = if is_cut_short {
            self.substitute.get()
        } else {
            reply
        };
        GivenAnswer {
            reply,
            is_cut_short,
            taken,
            delay,
        }
    }

    /// Gives the substitute.
    pub(super) fn give_substitute(self) -> GivenAnswer {
        let reply = self.substitute.get();
        self.give(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending() -> (PendingAnswer, oneshot::Receiver<Reply>, Substitute) {
        let times = AnswerClock {
            received: Instant::now(),
            clock: Duration::from_secs(1),
            margin: Duration::ZERO,
        };
        PendingAnswer::new(times, Reply::NoMove)
    }

    #[test]
    fn what_was_sent_is_told_and_not_what_came_later() {
        let (answer, receiver, substitute) = pending();
        answer.or_else(Reply::Move("a".to_owned()));
        assert_eq!(substitute.send(), Reply::Move("a".to_owned()));
        drop(receiver);
        answer.or_else(Reply::Move("b".to_owned()));
        let given = answer.give(Reply::Move("c".to_owned()));
        assert_eq!(given.reply, Reply::Move("a".to_owned()));
        assert!(given.is_cut_short);
    }

    #[test]
    fn an_answer_in_time_is_given_as_it_is() {
        let (answer, mut receiver, _) = pending();
        let given = answer.give(Reply::Move("c".to_owned()));
        assert_eq!(receiver.try_recv(), Ok(Reply::Move("c".to_owned())));
        assert!(!given.is_cut_short);
    }
}
