//! The server: who is let in, and what is asked for.

mod answers;
mod guard;
mod routes;

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request, Response, StatusCode};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::interval;

use self::guard::Guard;
use super::games::GameLoader;
use super::library::MatchLibrary;
use super::refusal::RefusalKind;
use super::{NoRandomness, ServeRefusal};
use crate::catalog::GameSource;
use crate::connections::{BodyFault, REQUEST_TIME, Ticket, accept, body_of};
use crate::files::FileCache;
use crate::files::prepare_folder;
use crate::util::system_said;

/// The longest body that is read.
const MOST_BODY_BYTES: usize = 4 << 20;
/// The room for the head of a request.
const HEAD_BYTES: usize = 64 << 10;
/// So many connections may watch matches.
const MOST_SOCKETS: usize = 1024;
/// Rules may be nested [`MAX_DEPTH`](crate::kif::MAX_DEPTH) deep, and most of what reads them is recursive.
const STACK: usize = 16 << 20;
/// How often idle matches are looked for.
const SWEEP: Duration = Duration::from_secs(60);
/// How long work may take when the server ends.
const END: Duration = Duration::from_secs(2);

/// What a server serves.
#[derive(Debug)]
pub struct ServeOptions {
    /// Where matches are kept.
    pub folder: PathBuf,
    /// A game besides the shipped ones.
    pub game: Option<GameSource>,
    /// Where what is learned of the games offered is kept for the next time; without it, nothing is.
    pub cache: Option<FileCache>,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Matches cannot be kept there.
    #[error("matches cannot be kept in `{}`: {}", folder.display(), system_said(cause))]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The system refuses.
    #[error("the server cannot start: {}", system_said(.0))]
    System(#[from] io::Error),
    /// No secret can be made.
    #[error(transparent)]
    Random(#[from] NoRandomness),
}

/// A server of matches. Dropping this ends it.
pub struct GameServer {
    address: SocketAddr,
    guard: Arc<Guard>,
    end: watch::Sender<bool>,
    library: Arc<MatchLibrary>,
    runtime: Option<Runtime>,
}

/// What all requests need.
pub(super) struct Served {
    pub(super) library: Arc<MatchLibrary>,
    pub(super) sockets: Arc<Semaphore>,
}

impl GameServer {
    /// Serves whoever connects to `listener`. From other machines, callers must know the token of [`GameServer::url`].
    ///
    /// # Errors
    /// [`ServeError`].
    pub fn start(listener: TcpListener, options: ServeOptions) -> Result<Self, ServeError> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let folder = options.folder;
        let prepared = prepare_folder(&folder).and_then(|()| keep_private(&folder));
        prepared.map_err(|cause| ServeError::Folder {
            folder: folder.clone(),
            cause,
        })?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_stack_size(STACK)
            .enable_io()
            .enable_time()
            .build()?;
        let games = GameLoader::new(options.game, options.cache);
        let library = MatchLibrary::new(folder, games, runtime.handle().clone());
        let library = Arc::new(library);
        let guard = Arc::new(Guard::new(address)?);
        let served = Served {
            library: Arc::clone(&library),
            sockets: Arc::new(Semaphore::new(MOST_SOCKETS)),
        };
        let router = TowerToHyperService::new(routes::router(Arc::new(served)));
        let (end, ended) = watch::channel(false);
        let listener = {
            let _entered = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let shared = Arc::clone(&guard);
        runtime.spawn(accept(listener, ended, move |stream, ticket| {
            connection(stream, ticket, Arc::clone(&shared), router.clone())
        }));
        runtime.spawn(sweep(Arc::clone(&library)));
        Ok(Self {
            address,
            guard,
            end,
            library,
            runtime: Some(runtime),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of a page, such as `/`, with the token if one is needed.
    pub fn url(&self, page: &str) -> String {
        let token = self.guard.token();
        let query = match (token, page.contains('?')) {
            (None, _) => String::new(),
            (Some(token), false) => format!("?token={token}"),
            (Some(token), true) => format!("&token={token}"),
        };
        format!("http://{}{page}{query}", self.address)
    }
}

impl Drop for GameServer {
    fn drop(&mut self) {
        let _ = self.end.send(true);
        self.library.stop();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(END);
        }
    }
}

/// Keys lie in the files of the folder.
#[cfg(unix)]
fn keep_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn keep_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Closes idle matches from time to time.
async fn sweep(library: Arc<MatchLibrary>) {
    let mut ticks = interval(SWEEP);
    loop {
        ticks.tick().await;
        library.close_idle();
    }
}

type Routes = TowerToHyperService<axum::Router>;

/// Reads one request and answers it; a socket lives on.
async fn connection(stream: TcpStream, ticket: Ticket, guard: Arc<Guard>, routes: Routes) {
    // Short messages are to be there at once.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let (ticket, guard, routes) = (&ticket, &guard, &routes);
        async move { Ok::<_, Infallible>(respond(request, ticket, guard, routes).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIME)
        .max_buf_size(HEAD_BYTES)
        .half_close(true);
    let served = http.serve_connection(TokioIo::new(stream), service);
    // Whoever closes a connection early has no wish for an answer.
    let _ = served.with_upgrades().await;
}

async fn respond(
    request: Request<Incoming>,
    ticket: &Ticket,
    guard: &Guard,
    routes: &Routes,
) -> Response<Body> {
    let mut response = match guard.admit(&request) {
        Err(refusal) => refusal.into_response(),
        Ok(entry) => match entry.redirect() {
            Some(redirect) => redirect,
            None => {
                let mut response = answer(request, ticket, routes).await;
                entry.set_cookie(&mut response);
                response
            }
        },
    };
    ticket.give_up();
    guard::protect(response.headers_mut());
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        // One request a connection: each waits for its own.
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    response
}

async fn answer(request: Request<Incoming>, ticket: &Ticket, routes: &Routes) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = match body_of(body, MOST_BODY_BYTES, ticket).await {
        Ok(body) => body,
        Err(fault) => return refused(&fault).into_response(),
    };
    ticket.give_up();
    let request = Request::from_parts(head, Body::from(body));
    match routes.call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

fn refused(fault: &BodyFault) -> ServeRefusal {
    let kind = match fault {
        BodyFault::TooLong(_) => RefusalKind::TooMuch,
        BodyFault::Late | BodyFault::Broken(_) => RefusalKind::Request,
    };
    ServeRefusal::new(kind, fault.to_string())
}

impl RefusalKind {
    fn status(self) -> StatusCode {
        match self {
            Self::Request => StatusCode::BAD_REQUEST,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::Missing => StatusCode::NOT_FOUND,
            Self::Conflict => StatusCode::CONFLICT,
            Self::TooMuch => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Server => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}
