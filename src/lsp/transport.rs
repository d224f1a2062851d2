//! The streams and the threads of the server.

use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;
use tokio::runtime::{Builder, Handle};
use tower_lsp_server::{LspService, Server};

use crate::lsp::frames::{CANCELLED, NO_JSON, NO_REQUEST, ReadableFrames};
use crate::lsp::server::RuleServer;

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerEnd {
    /// The client asked it to shut down.
    ShutDown,
    /// The client went away, or told it to exit, without that.
    Abandoned,
}

/// Serves one client over standard input and `output`, until it tells the server to exit or closes the input.
///
/// # Errors
/// Where the system gives no thread.
pub fn serve(output: &mut dyn Write) -> io::Result<ServerEnd> {
    let runtime = Builder::new_current_thread().build()?;
    let shut_down = Arc::new(AtomicBool::new(false));
    runtime.block_on(async {
        let input = ReadableFrames::new(tokio::io::stdin());
        let handle = Handle::current();
        let flag = Arc::clone(&shut_down);
        let (service, socket) = LspService::build(|client| RuleServer::new(client, handle, flag))
            .custom_method(NO_JSON, RuleServer::no_json)
            .custom_method(NO_REQUEST, RuleServer::no_request)
            .custom_method(CANCELLED, RuleServer::cancelled)
            .finish();
        // Edits must be taken in their order, and an answer is ready in less time than it takes to switch.
        Server::new(input, BlockingOutput(output), socket)
            .concurrency_level(1)
            .serve(service)
            .await;
    });
    // The thread that reads standard input waits for a line that may never come.
    runtime.shutdown_background();
    Ok(match shut_down.load(Ordering::Relaxed) {
        true => ServerEnd::ShutDown,
        false => ServerEnd::Abandoned,
    })
}

/// An output whose writes wait: messages are short, and a client reads them.
struct BlockingOutput<'o>(&'o mut dyn Write);

impl AsyncWrite for BlockingOutput<'_> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write(bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}
