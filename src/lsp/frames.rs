//! Messages that cannot be read: without this, the first of them would end the server.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde::de::IgnoredAny;
use tokio::io::{AsyncRead, ReadBuf};
use tower_lsp_server::jsonrpc::{Request, Response};

/// The methods that stand for messages that are no JSON, and for those that are no requests.
pub(super) const NO_JSON: &str = "kolibri/noJson";
pub(super) const NO_REQUEST: &str = "kolibri/noRequest";

/// The longest message that is read (64 MiB). Rule files have at most [`MAX_BYTES`](crate::kif::MAX_BYTES).
const LONGEST: usize = 64 << 20;

/// More bytes than the headers of a message have.
const LONGEST_HEADERS: usize = 64 << 10;

/// An input that passes on whole messages, and in place of each that cannot be read a request for one of the methods above.
pub(super) struct ReadableFrames<R> {
    input: R,
    /// What was read and not yet looked at.
    raw: Vec<u8>,
    /// Messages to hand out, and how much of them has been.
    passed: Vec<u8>,
    handed_out: usize,
    /// How many bytes of a message that is too long are still to come.
    skipped: usize,
}

impl<R> ReadableFrames<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            raw: Vec::new(),
            passed: Vec::new(),
            handed_out: 0,
            skipped: 0,
        }
    }

    /// The next message that has arrived as a whole.
    fn next_message(&mut self) -> Option<Vec<u8>> {
        let skipped = self.skipped.min(self.raw.len());
        self.raw.drain(..skipped);
        self.skipped -= skipped;
        let Some(end) = self.raw.windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
            if self.raw.len() > LONGEST_HEADERS {
                self.raw.clear();
            }
            return None;
        };
        let start = end + 4;
        let Some(length) = content_length(&self.raw[..end]) else {
            self.raw.drain(..start);
            return Some(standing_for(NO_REQUEST));
        };
        if length > LONGEST {
            self.raw.drain(..start);
            self.skipped = length;
            return Some(standing_for(NO_REQUEST));
        }
        let body = self.raw.get(start..start.checked_add(length)?)?;
        let message = match unreadable(body) {
            None => framed(body),
            Some(method) => standing_for(method),
        };
        self.raw.drain(..start + length);
        Some(message)
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for ReadableFrames<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let rest = &self.passed[self.handed_out..];
            if !rest.is_empty() {
                let count = rest.len().min(buffer.remaining());
                buffer.put_slice(&rest[..count]);
                self.handed_out += count;
                return Poll::Ready(Ok(()));
            }
            if let Some(message) = self.next_message() {
                self.passed = message;
                self.handed_out = 0;
                continue;
            }
            let mut chunk = [0; 16 << 10];
            let mut read = ReadBuf::new(&mut chunk);
            ready!(Pin::new(&mut self.input).poll_read(context, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.raw.extend_from_slice(read.filled());
        }
    }
}

fn content_length(headers: &[u8]) -> Option<usize> {
    let headers = std::str::from_utf8(headers).ok()?;
    let mut headers = headers.lines().filter_map(|line| line.split_once(':'));
    let (_, length) = headers.find(|(name, _)| name.eq_ignore_ascii_case("Content-Length"))?;
    length.trim().parse().ok()
}

/// What to put in place of a body that the protocol does not know.
fn unreadable(body: &[u8]) -> Option<&'static str> {
    let is_readable = serde_json::from_slice::<Request>(body).is_ok()
        || serde_json::from_slice::<Response>(body).is_ok();
    match is_readable {
        true => None,
        false if serde_json::from_slice::<IgnoredAny>(body).is_ok() => Some(NO_REQUEST),
        false => Some(NO_JSON),
    }
}

fn standing_for(method: &str) -> Vec<u8> {
    framed(format!(r#"{{"jsonrpc":"2.0","id":null,"method":"{method}"}}"#).as_bytes())
}

fn framed(body: &[u8]) -> Vec<u8> {
    let mut message = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    message.extend_from_slice(body);
    message
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::runtime::Builder;

    use super::*;

    fn passed(input: &[u8]) -> String {
        let runtime = Builder::new_current_thread().build().unwrap();
        let mut frames = ReadableFrames::new(input);
        let mut output = Vec::new();
        runtime.block_on(poll_fn(|context| {
            loop {
                let mut chunk = [0; 1000];
                let mut read = ReadBuf::new(&mut chunk);
                ready!(Pin::new(&mut frames).poll_read(context, &mut read)).unwrap();
                if read.filled().is_empty() {
                    return Poll::Ready(());
                }
                output.extend_from_slice(read.filled());
            }
        }));
        String::from_utf8(output).unwrap()
    }

    fn text(method: &str) -> String {
        String::from_utf8(standing_for(method)).unwrap()
    }

    #[test]
    fn messages_pass_and_what_is_none_is_replaced() {
        let good = String::from_utf8(framed(br#"{"jsonrpc":"2.0","method":"exit"}"#)).unwrap();
        let answer =
            String::from_utf8(framed(br#"{"jsonrpc":"2.0","id":1,"result":null}"#)).unwrap();
        assert_eq!(
            passed(format!("{good}{answer}").as_bytes()),
            good.clone() + &answer
        );
        let typed = good.replacen("Content", "Content-Type: x\r\ncontent", 1);
        assert_eq!(passed(typed.as_bytes()), good);
        let broken = format!("Content-Length: 3\r\n\r\n{{{{{{{good}");
        assert_eq!(passed(broken.as_bytes()), text(NO_JSON) + &good);
        let other = format!("Content-Length: 2\r\n\r\n[]{good}");
        assert_eq!(passed(other.as_bytes()), text(NO_REQUEST) + &good);
        let headless = format!("Length: 2\r\n\r\n{good}");
        assert_eq!(passed(headless.as_bytes()), text(NO_REQUEST) + &good);
        assert_eq!(passed(b"Content-Length: 99\r\n\r\n{"), "");
        assert_eq!(passed(&[b'x'; 100_000]), "");
    }

    #[test]
    fn a_message_that_is_too_long_is_passed_over() {
        let mut input = format!("Content-Length: {}\r\n\r\n", LONGEST + 1).into_bytes();
        input.resize(input.len() + LONGEST + 1, b' ');
        let good = framed(br#"{"jsonrpc":"2.0","method":"exit"}"#);
        input.extend_from_slice(&good);
        let good = String::from_utf8(good).unwrap();
        assert_eq!(passed(&input), text(NO_REQUEST) + &good);
    }
}
