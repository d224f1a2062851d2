//! HTTP as match servers speak it: one message a connection.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use http_body_util::Full;
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
use tokio::task::{JoinError, spawn_blocking};

use super::NetworkPlayer;
use crate::connections::{BodyFault, REQUEST_TIME, Ticket, accept, body_of};
use crate::kif::MAX_BYTES;
use crate::protocol::Message;

/// The longest message that is read.
pub const MOST_BYTES: usize = MAX_BYTES;

/// A message of more bytes is read on another thread, one at a time, so that moves can be sent meanwhile.
const LONG_BYTES: usize = 16 << 10;

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
    end: watch::Receiver<bool>,
) {
    let long_messages = Arc::new(Semaphore::new(1));
    accept(listener, end, |stream, ticket| {
        let caller = Caller {
            ticket,
            long_messages: Arc::clone(&long_messages),
        };
        connection(stream, Arc::clone(&player), caller)
    })
    .await;
}

/// A connection that waits.
struct Caller {
    ticket: Ticket,
    /// Whose turn it is to have a long message read.
    long_messages: Arc<Semaphore>,
}

/// Reads one request and answers it. Some servers read until the connection is closed.
async fn connection(stream: TcpStream, player: Arc<NetworkPlayer>, caller: Caller) {
    // A clock runs from when the server connects.
    let received = Instant::now();
    let service = service_fn(|request| {
        let (player, caller) = (&player, &caller);
        async move { Ok::<_, Infallible>(respond(request, player, caller, received).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIME)
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
    caller: &Caller,
    received: Instant,
) -> Response<Full<Bytes>> {
    if request.method() == Method::OPTIONS {
        return response(StatusCode::OK, String::new());
    }
    let message = match text_of(request, &caller.ticket).await {
        Ok(text) => message_of(text, &caller.long_messages).await,
        Err(fault) => Err((status_of(&fault), fault.to_string())),
    };
    caller.ticket.give_up();
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
async fn text_of(request: Request<Incoming>, ticket: &Ticket) -> Result<String, BodyFault> {
    if request.method() == Method::GET {
        return Ok(decoded(request.uri().path()));
    }
    let text = body_of(request.into_body(), MOST_BYTES, ticket).await?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn status_of(fault: &BodyFault) -> StatusCode {
    match fault {
        BodyFault::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
        BodyFault::Late => StatusCode::REQUEST_TIMEOUT,
        BodyFault::Broken(_) => StatusCode::BAD_REQUEST,
    }
}

/// The message that a text is.
async fn message_of(text: String, long_messages: &Arc<Semaphore>) -> Result<Message, Refusal> {
    let is_long = text.len() > LONG_BYTES;
    let read = move || {
        let message = text.parse::<Message>();
        message.map_err(|fault| (StatusCode::BAD_REQUEST, fault.to_string()))
    };
    if !is_long {
        return read();
    }
    // Whoever is closed while waiting here leaves no text behind.
    let turn = Arc::clone(long_messages).acquire_owned().await;
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
}
