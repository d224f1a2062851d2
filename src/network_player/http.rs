//! HTTP as match servers speak it: one message a connection.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    CONTENT_TYPE,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, watch};
use tokio::task::{AbortHandle, JoinError, JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use super::NetworkPlayer;
use crate::kif::MAX_BYTES;
use crate::protocol::Message;

/// The longest message that is read.
pub const MOST_BYTES: usize = MAX_BYTES;

/// The time within which a whole message must come.
const MESSAGE_TIME: Duration = Duration::from_secs(10);

/// How many connections may be on the way to send their message. One more closes the one that has waited longest: match
/// servers send theirs at once.
const MOST_WAITING: usize = 256;

/// How many bytes such messages may have together. Over that, the connection that has sent most is closed: match servers send
/// little.
const MOST_WAITING_BYTES: usize = 32 << 20;

/// A message of more bytes is read on another thread, one at a time, so that moves can be sent meanwhile.
const LONG_BYTES: usize = 16 << 10;

/// How long replies that are being sent may take when the player ends.
const LAST_REPLIES: Duration = Duration::from_secs(2);

/// The room for the head of a message.
const HEAD_BYTES: usize = 64 << 10;

/// A player that listens. Dropping this ends it.
pub struct HttpServer {
    address: SocketAddr,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl HttpServer {
    /// Listens on a thread of its own.
    ///
    /// # Errors
    /// The system refuses.
    pub fn start(listener: TcpListener, player: NetworkPlayer) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()?;
        let (end, ended) = watch::channel(false);
        let listener = {
            let _entered = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let serve = move || runtime.block_on(serve(listener, Arc::new(player), ended));
        let thread = Some(thread::spawn(serve));
        Ok(Self {
            address,
            end,
            thread,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.end.send(true);
        if let Some(thread) = self.thread.take() {
            // A panic has been reported where it happened.
            let _ = thread.join();
        }
    }
}

/// Accepts connections until `end` changes.
async fn serve(
    listener: tokio::net::TcpListener,
    player: Arc<NetworkPlayer>,
    mut end: watch::Receiver<bool>,
) {
    /// The system may be out of file handles for a while.
    const PAUSE: Duration = Duration::from_millis(20);
    let waiting = Arc::new(WaitingConnections::default());
    let long_messages = Arc::new(Semaphore::new(1));
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
            long_messages: Arc::clone(&long_messages),
        };
        let handle = connections.spawn(connection(stream, Arc::clone(&player), ticket));
        waiting.admit(number, handle);
    }
    waiting.close_all();
    let _ = timeout(LAST_REPLIES, async {
        while connections.join_next().await.is_some() {}
    })
    .await;
}

/// Connections whose message has not come as a whole, or is not read yet, the oldest first.
#[derive(Default)]
struct WaitingConnections(Mutex<BTreeMap<u64, WaitingConnection>>);

struct WaitingConnection {
    handle: AbortHandle,
    /// How much of its message has come.
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
struct Ticket {
    number: u64,
    waiting: Arc<WaitingConnections>,
    /// Whose turn it is to have a long message read.
    long_messages: Arc<Semaphore>,
}

impl Ticket {
    fn count(&self, bytes: usize) {
        self.waiting.count(self.number, bytes);
    }

    fn give_up(&self) {
        self.waiting.all().remove(&self.number);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// Reads one request and answers it. Some servers read until the connection is closed.
async fn connection(stream: TcpStream, player: Arc<NetworkPlayer>, ticket: Ticket) {
    // A clock runs from when the server connects.
    let received = Instant::now();
    let service = service_fn(|request| {
        let (player, ticket) = (&player, &ticket);
        async move { Ok::<_, Infallible>(respond(request, player, ticket, received).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(MESSAGE_TIME)
        .max_buf_size(HEAD_BYTES)
        .keep_alive(false)
        .half_close(true)
        .title_case_headers(true);
    // Whoever closes a connection early has no wish for an answer.
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

async fn respond(
    request: Request<Incoming>,
    player: &NetworkPlayer,
    ticket: &Ticket,
    received: Instant,
) -> Response<Full<Bytes>> {
    if request.method() == Method::OPTIONS {
        return response(StatusCode::OK, String::new());
    }
    let message = match timeout(MESSAGE_TIME, text_of(request, ticket)).await {
        Ok(Ok(text)) => message_of(text, ticket).await,
        Ok(Err(fault)) => Err(fault),
        Err(_) => Err((
            StatusCode::REQUEST_TIMEOUT,
            "the message did not come".to_owned(),
        )),
    };
    ticket.give_up();
    match message {
        Ok(message) => response(
            StatusCode::OK,
            player.answer(message, received).await.to_string(),
        ),
        Err((status, why)) => {
            player.refuse(why.clone());
            response(status, why)
        }
    }
}

/// Why a request is refused.
type Refusal = (StatusCode, String);

/// The text of a message: the body, or from browsers the path.
async fn text_of(request: Request<Incoming>, ticket: &Ticket) -> Result<String, Refusal> {
    if request.method() == Method::GET {
        return Ok(decoded(request.uri().path()));
    }
    let mut body = Limited::new(request.into_body(), MOST_BYTES);
    let mut text = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|fault| match fault.is::<LengthLimitError>() {
            true => (
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the message has more than {MOST_BYTES} bytes"),
            ),
            false => (StatusCode::BAD_REQUEST, fault.to_string()),
        })?;
        if let Some(bytes) = frame.data_ref() {
            text.extend_from_slice(bytes);
            ticket.count(bytes.len());
        }
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The message that a text is.
async fn message_of(text: String, ticket: &Ticket) -> Result<Message, Refusal> {
    let is_long = text.len() > LONG_BYTES;
    let read = move || {
        let message = text.parse::<Message>();
        message.map_err(|fault| (StatusCode::BAD_REQUEST, fault.to_string()))
    };
    if !is_long {
        return read();
    }
    // Whoever is closed while waiting here leaves no text behind.
    let turn = Arc::clone(&ticket.long_messages).acquire_owned().await;
    let message = spawn_blocking(move || {
        let message = read();
        drop(turn);
        message
    });
    let broken = |why: JoinError| (StatusCode::INTERNAL_SERVER_ERROR, why.to_string());
    message.await.map_err(broken)?
}

/// The path of a request, in which `%28` stands for a parenthesis and `+` for a blank.
fn decoded(path: &str) -> String {
    let path = path.strip_prefix('/').unwrap_or(path);
    // `&` and `=` separate nothing here.
    let plain = path.replace('&', "%26").replace('=', "%3D");
    let mut pairs = form_urlencoded::parse(plain.as_bytes());
    pairs
        .next()
        .map_or_else(String::new, |(text, _)| text.into_owned())
}

fn response(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    // Players are called from pages in browsers, too.
    for (name, value) in [
        (CONTENT_TYPE, "text/acl"),
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
    ] {
        headers.insert(name, value.parse().expect("a header of ASCII"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_in_paths_are_decoded() {
        assert_eq!(decoded("/%28+info%20%29"), "( info )");
        assert_eq!(decoded("/(a&b=c)"), "(a&b=c)");
        assert_eq!(decoded("/"), "");
    }

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
