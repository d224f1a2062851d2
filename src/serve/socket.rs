//! A connection that watches a match and plays in it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use super::hosted::{MatchAccess, ServedMatch};
use super::room::MatchRoom;
use super::thoughts::ThoughtReceiver;
use super::views::MatchView;
use super::why::WhyView;
use super::{ServeRefusal, SocketRequest};

/// The longest message that is read.
pub(super) const MOST_MESSAGE_BYTES: usize = 64 << 10;
/// A connection that takes nothing for so long is closed.
const SENDING_TIME: Duration = Duration::from_secs(15);
/// How often it is asked whether it is still there; one that does not answer twice is closed.
const PING: Duration = Duration::from_secs(30);
/// An analysis tells of at most so many lines.
const MOST_LINES: usize = 5;
/// From one thought that is told to the next.
const BETWEEN_THOUGHTS: Duration = Duration::from_millis(200);

/// Why the last request was not done.
#[derive(Debug, Serialize)]
struct RefusedView {
    #[serde(rename = "type")]
    kind: &'static str,
    message: String,
    help: Option<String>,
}

impl From<ServeRefusal> for RefusedView {
    fn from(refusal: ServeRefusal) -> Self {
        Self {
            kind: "refused",
            message: refusal.message,
            help: refusal.help,
        }
    }
}

/// The connection has ended, or takes nothing.
struct Closed;

/// One connection.
struct MatchSocket {
    socket: WebSocket,
    room: Arc<MatchRoom>,
    access: MatchAccess,
    /// The version that was shown last.
    shown: u64,
    /// How many lines of an analysis it wants.
    wants_analysis: Option<usize>,
    /// Answers that took a while.
    late: (mpsc::Sender<String>, mpsc::Receiver<String>),
    is_asked: bool,
}

/// Serves a connection until it ends; `_place` is its place among all of them.
pub(super) async fn serve(
    socket: WebSocket,
    room: Arc<MatchRoom>,
    access: MatchAccess,
    _place: OwnedSemaphorePermit,
) {
    room.watch(true);
    let mut served = MatchSocket {
        socket,
        room,
        access,
        shown: 0,
        wants_analysis: None,
        late: mpsc::channel(1),
        is_asked: false,
    };
    let _ = served.run().await;
    served.want_analysis(None);
    served.room.watch(false);
}

impl MatchSocket {
    async fn run(&mut self) -> Result<(), Closed> {
        let mut versions = self.room.versions();
        let mut thoughts = self.room.thoughts.subscribe();
        let mut analysis = self.room.analysis.subscribe();
        let mut pings = interval(PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut unanswered, mut quiet_until) = (0, Instant::now());
        self.show().await?;
        loop {
            let is_quiet = Instant::now() < quiet_until;
            tokio::select! {
                message = self.socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => self.answer(text.as_str()).await?,
                    Some(Ok(Message::Pong(_))) => unanswered = 0,
                    Some(Ok(Message::Ping(_) | Message::Binary(_))) => {}
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(()),
                },
                changed = versions.changed() => {
                    changed.map_err(|_| Closed)?;
                    self.show().await?;
                }
                _ = thoughts.changed(), if !is_quiet => {
                    self.tell_thought(&thoughts).await?;
                    quiet_until = Instant::now() + BETWEEN_THOUGHTS;
                }
                _ = analysis.changed(), if !is_quiet => {
                    self.tell_thought(&analysis).await?;
                    quiet_until = Instant::now() + BETWEEN_THOUGHTS;
                }
                () = sleep_until(quiet_until), if is_quiet => {}
                Some(answer) = self.late.1.recv() => {
                    self.is_asked = false;
                    self.send(answer).await?;
                }
                _ = pings.tick() => {
                    unanswered += 1;
                    if unanswered > 2 {
                        return Ok(());
                    }
                    self.put(Message::Ping(Vec::new().into())).await?;
                }
            }
        }
    }

    async fn put(&mut self, message: Message) -> Result<(), Closed> {
        match timeout(SENDING_TIME, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Closed),
        }
    }

    async fn send(&mut self, text: String) -> Result<(), Closed> {
        self.put(Message::Text(text.into())).await
    }

    async fn tell(&mut self, told: &impl Serialize) -> Result<(), Closed> {
        self.send(json(told)).await
    }

    /// Sends the match as it is now, unless that was sent already.
    async fn show(&mut self) -> Result<(), Closed> {
        let (access, shown) = (self.access, self.shown);
        let view = self.room.look(|played| {
            let version = played.version();
            (version != shown).then(|| (version, MatchView::of(played, access)))
        });
        if let Some((version, view)) = view {
            self.shown = version;
            self.tell(&view).await?;
        }
        Ok(())
    }

    async fn tell_thought(&mut self, thoughts: &ThoughtReceiver) -> Result<(), Closed> {
        let newest = thoughts.borrow().clone();
        match newest {
            Some(thought) => {
                let lines = self.wants_analysis.unwrap_or(1);
                self.tell(&thought.with_lines(lines)).await
            }
            None => Ok(()),
        }
    }

    /// Does what a message asks for.
    async fn answer(&mut self, text: &str) -> Result<(), Closed> {
        let done = match SocketRequest::read(text) {
            Ok(asked) => self.carry_out(asked).await,
            Err(refusal) => Err(refusal),
        };
        match done {
            Ok(()) => Ok(()),
            Err(refusal) => self.tell(&RefusedView::from(refusal)).await,
        }
    }

    async fn carry_out(&mut self, asked: SocketRequest) -> Result<(), ServeRefusal> {
        let access = self.access;
        match asked {
            SocketRequest::Play { role, mv, ply } => {
                self.change(move |played| played.play(access, (&role, &mv), ply))
                    .await
            }
            SocketRequest::Undo { plies } => {
                self.change(move |played| played.undo(access, plies)).await
            }
            SocketRequest::Redo => self.change(move |played| played.redo(access)).await,
            SocketRequest::Goto { ply } => {
                self.change(move |played| played.go_to(access, None, ply))
                    .await
            }
            SocketRequest::Line { line, ply } => {
                self.change(move |played| played.go_to(access, Some(line), ply))
                    .await
            }
            SocketRequest::Restart => self.change(move |played| played.restart(access)).await,
            SocketRequest::Pause { on } => {
                self.change(move |played| played.pause(access, on)).await
            }
            SocketRequest::Resign { role } => {
                self.change(move |played| played.resign(access, &role))
                    .await
            }
            SocketRequest::Analyse { on, lines } => self.analyse(on.then(|| lines.unwrap_or(1))),
            SocketRequest::Hint { role } => {
                let room = Arc::clone(&self.room);
                self.answer_later(async move { room.hint(access, &role).await })
            }
            SocketRequest::Why { end, role, mv } => {
                let session = self.room.look(|played| played.session().clone());
                let why = move || match end {
                    true => WhyView::of_end(&session),
                    false => WhyView::of_move(&session, &role, &mv),
                };
                self.answer_later(async move {
                    let why = spawn_blocking(why).await;
                    why.unwrap_or_else(|panic| Err(ServeRefusal::server(panic.to_string())))
                })
            }
        }
    }

    /// Changes the match on another thread: that waits for the disk.
    async fn change(
        &mut self,
        change: impl FnOnce(&mut ServedMatch) -> Result<(), ServeRefusal> + Send + 'static,
    ) -> Result<(), ServeRefusal> {
        let room = Arc::clone(&self.room);
        let changed = spawn_blocking(move || room.change(change)).await;
        changed.unwrap_or_else(|panic| Err(ServeRefusal::server(panic.to_string())))
    }

    fn analyse(&mut self, lines: Option<usize>) -> Result<(), ServeRefusal> {
        if self.access == MatchAccess::Spectator {
            return Err(ServeRefusal::forbidden(
                "only players may have the match analysed",
            ));
        }
        if lines.is_some_and(|lines| !(1..=MOST_LINES).contains(&lines)) {
            let message = format!("`lines`: give a number from 1 to {MOST_LINES}");
            return Err(ServeRefusal::request(message));
        }
        self.want_analysis(lines);
        Ok(())
    }

    fn want_analysis(&mut self, lines: Option<usize>) {
        if lines != self.wants_analysis {
            self.room.want_analysis(self.wants_analysis, lines);
            self.wants_analysis = lines;
        }
    }

    /// Answers once this is done; other messages are answered meanwhile.
    fn answer_later<T: Serialize>(
        &mut self,
        work: impl Future<Output = Result<T, ServeRefusal>> + Send + 'static,
    ) -> Result<(), ServeRefusal> {
        if self.is_asked {
            return Err(ServeRefusal::busy("the last question is not answered yet"));
        }
        self.is_asked = true;
        let answers = self.late.0.clone();
        tokio::spawn(async move {
            let answer = match work.await {
                Ok(answer) => json(&answer),
                Err(refusal) => json(&RefusedView::from(refusal)),
            };
            // The connection may have ended.
            let _ = answers.send(answer).await;
        });
        Ok(())
    }
}

fn json(told: &impl Serialize) -> String {
    // Serialising strings and numbers into memory has no way to fail.
    serde_json::to_string(told).unwrap_or_default()
}
