//! Connections of whoever calls: bounded in number, in bytes and in time.
//!
//! A connection *waits* until its request has come as a whole. [`accept`] closes the one that has waited longest when there are
//! too many, and the one that has sent most when they have sent too much together, so that nobody who calls slowly keeps
//! others out.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};

/// The time within which a whole request must come.
pub const REQUEST_TIME: Duration = Duration::from_secs(10);

/// How many connections may be on the way to send their request. One more closes the one that has waited longest: programs
/// send theirs at once.
const MOST_WAITING: usize = 256;

/// How many bytes such requests may have together. Over that, the connection that has sent most is closed: most programs send
/// little.
const MOST_WAITING_BYTES: usize = 32 << 20;

/// How long answers that are being sent may take at the end.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Accepts connections until `end` changes, and has each served.
pub async fn accept<F>(
    listener: TcpListener,
    mut end: watch::Receiver<bool>,
    serve: impl Fn(TcpStream, Ticket) -> F,
) where
    F: Future<Output = ()> + Send + 'static,
{
    /// The system may be out of file handles for a while.
    const PAUSE: Duration = Duration::from_millis(20);
    let waiting = Arc::new(WaitingConnections::default());
    let mut connections = JoinSet::new();
    for number in 0.. {
        let accepted = tokio::select! {
            _ = end.changed() => break,
            accepted = listener.accept() => accepted,
        };
        while connections.try_join_next().is_some() {}
        let Ok((stream, _)) = accepted else {
            sleep(PAUSE).await;
            continue;
        };
        let ticket = Ticket {
            number,
            waiting: Arc::clone(&waiting),
        };
        let handle = connections.spawn(serve(stream, ticket));
        waiting.admit(number, handle);
    }
    waiting.close_all();
    let _ = timeout(LAST_ANSWERS, async {
        while connections.join_next().await.is_some() {}
    })
    .await;
}

/// Connections whose request has not come as a whole, or is not read yet, the oldest first.
#[derive(Default)]
struct WaitingConnections(Mutex<BTreeMap<u64, WaitingConnection>>);

struct WaitingConnection {
    handle: AbortHandle,
    /// How much of its request has come.
    bytes: usize,
}

impl WaitingConnections {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, WaitingConnection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn admit(&self, number: u64, handle: AbortHandle) {
        let mut all = self.all();
        all.insert(number, WaitingConnection { handle, bytes: 0 });
        if all.len() > MOST_WAITING
            && let Some((_, oldest)) = all.pop_first()
        {
            oldest.handle.abort();
        }
    }

    /// Counts bytes that have come.
    fn count(&self, number: u64, bytes: usize) {
        let mut all = self.all();
        if let Some(connection) = all.get_mut(&number) {
            connection.bytes += bytes;
        }
        let total: usize = all.values().map(|connection| connection.bytes).sum();
        let most = all.iter().max_by_key(|(_, connection)| connection.bytes);
        if total > MOST_WAITING_BYTES
            && let Some(number) = most.map(|(number, _)| *number)
            && let Some(connection) = all.remove(&number)
        {
            connection.handle.abort();
        }
    }

    fn close_all(&self) {
        for (_, connection) in std::mem::take(&mut *self.all()) {
            connection.handle.abort();
        }
    }
}

/// A place among the waiting connections, given up when this is dropped.
pub struct Ticket {
    number: u64,
    waiting: Arc<WaitingConnections>,
}

impl Ticket {
    fn count(&self, bytes: usize) {
        self.waiting.count(self.number, bytes);
    }

    /// The request is there and read: from now on the connection is not closed for those that wait.
    pub fn give_up(&self) {
        self.waiting.all().remove(&self.number);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// Why a body did not come as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BodyFault {
    /// It is too long.
    #[error("the message has more than {0} bytes")]
    TooLong(usize),
    /// It did not come in time.
    #[error("the message did not come")]
    Late,
    /// The connection broke.
    #[error("{0}")]
    Broken(String),
}

/// The body of a request, of at most so many bytes, if it comes within [`REQUEST_TIME`].
///
/// # Errors
/// [`BodyFault`].
pub async fn body_of(body: Incoming, most: usize, ticket: &Ticket) -> Result<Vec<u8>, BodyFault> {
    let read = timeout(REQUEST_TIME, read_body(body, most, ticket));
    read.await.unwrap_or(Err(BodyFault::Late))
}

async fn read_body(body: Incoming, most: usize, ticket: &Ticket) -> Result<Vec<u8>, BodyFault> {
    let mut body = Limited::new(body, most);
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|fault| match fault.is::<LengthLimitError>() {
            true => BodyFault::TooLong(most),
            false => BodyFault::Broken(fault.to_string()),
        })?;
        if let Some(part) = frame.data_ref() {
            bytes.extend_from_slice(part);
            ticket.count(part.len());
        }
    }
    Ok(bytes)
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ticket").field(&self.number).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_connection_that_has_sent_most_is_closed_when_all_have_sent_too_much() {
        let (waiting, mut tasks) = (WaitingConnections::default(), JoinSet::new());
        for number in 0..3 {
            waiting.admit(number, tasks.spawn(std::future::pending::<()>()));
        }
        waiting.count(0, 1000);
        waiting.count(1, MOST_WAITING_BYTES - 1000);
        assert_eq!(waiting.all().len(), 3);
        waiting.count(2, 1);
        let left: Vec<u64> = waiting.all().keys().copied().collect();
        assert_eq!(left, [0, 2]);
        assert!(tasks.join_next().await.unwrap().unwrap_err().is_cancelled());
    }

    #[tokio::test]
    async fn the_connection_that_has_waited_longest_is_closed_when_there_are_too_many() {
        let (waiting, mut tasks) = (WaitingConnections::default(), JoinSet::new());
        for number in 0..=MOST_WAITING as u64 {
            waiting.admit(number, tasks.spawn(std::future::pending::<()>()));
        }
        assert_eq!(waiting.all().len(), MOST_WAITING);
        assert!(!waiting.all().contains_key(&0));
        assert!(tasks.join_next().await.unwrap().unwrap_err().is_cancelled());
    }
}
