//! Messages before they are answered: those that cannot be read, the first of which would end the server otherwise, and
//! those that are cancelled by a message behind them.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde::de::IgnoredAny;
use tokio::io::{AsyncRead, ReadBuf};
use tower_lsp_server::jsonrpc::{Id, Request, Response};

/// The methods that stand for messages that are no JSON, for those that are no requests, and for cancelled requests.
pub(super) const NO_JSON: &str = "kolibri/noJson";
pub(super) const NO_REQUEST: &str = "kolibri/noRequest";
pub(super) const CANCELLED: &str = "kolibri/cancelled";

/// The longest message that is read (64 MiB). Rule files have at most [`MAX_BYTES`](crate::kif::MAX_BYTES).
const LONGEST: usize = 64 << 20;

/// More bytes than the headers of a message have.
const LONGEST_HEADERS: usize = 64 << 10;

/// An input that passes on whole messages, and in place of each that cannot be read or is cancelled a request for one of the
/// methods above.
pub(super) struct ReadableFrames<R> {
    input: R,
    /// What was read and not yet looked at.
    raw: Vec<u8>,
    /// Messages to pass on.
    waiting: VecDeque<MessageFrame>,
    /// The message that is handed out, and how much of it has been.
    passed: Vec<u8>,
    handed_out: usize,
    /// How many bytes of a message that is too long are still to come.
    skipped: usize,
}

/// A message with its headers.
struct MessageFrame {
    bytes: Vec<u8>,
    /// Of a request.
    id: Option<Id>,
    /// The request that it cancels.
    cancels: Option<Id>,
}

impl MessageFrame {
    fn new(body: &[u8]) -> Self {
        let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        bytes.extend_from_slice(body);
        Self {
            bytes,
            id: None,
            cancels: None,
        }
    }

    /// A request or response; for other bodies the method that stands for them.
    fn of(body: Vec<u8>) -> Result<Self, &'static str> {
        let frame = Self::new(&body);
        if let Ok(request) = serde_json::from_slice::<Request>(&body) {
            return Ok(Self {
                // Without a method it is a response.
                id: request
                    .id()
                    .filter(|_| !request.method().is_empty())
                    .cloned(),
                cancels: cancelled_by(&request),
                ..frame
            });
        }
        if serde_json::from_slice::<Response>(&body).is_ok() {
            return Ok(frame);
        }
        Err(match serde_json::from_slice::<IgnoredAny>(&body) {
            Ok(_) => NO_REQUEST,
            Err(_) => NO_JSON,
        })
    }
}

impl<R> ReadableFrames<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            raw: Vec::new(),
            waiting: VecDeque::new(),
            passed: Vec::new(),
            handed_out: 0,
            skipped: 0,
        }
    }

    /// Takes in every message that has arrived as a whole: a later one may cancel an earlier one.
    fn take_messages(&mut self) {
        while let Some(body) = self.next_body() {
            let frame = body.and_then(MessageFrame::of);
            let frame = frame.unwrap_or_else(|method| standing_for(method, Id::Null));
            if let Some(id) = &frame.cancels {
                self.cancel(id);
            }
            self.waiting.push_back(frame);
        }
    }

    /// A request that nobody waits for any more needs no answer but that.
    fn cancel(&mut self, id: &Id) {
        let mut waiting = self.waiting.iter_mut();
        if let Some(frame) = waiting.find(|frame| frame.id.as_ref() == Some(id)) {
            *frame = standing_for(CANCELLED, id.clone());
        }
    }

    /// The next message that has arrived as a whole, or the method that stands for it.
    fn next_body(&mut self) -> Option<Result<Vec<u8>, &'static str>> {
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
            return Some(Err(NO_REQUEST));
        };
        if length > LONGEST {
            self.raw.drain(..start);
            self.skipped = length;
            return Some(Err(NO_REQUEST));
        }
        let body = self.raw.get(start..start.checked_add(length)?)?.to_vec();
        self.raw.drain(..start + length);
        Some(Ok(body))
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
            self.take_messages();
            if let Some(frame) = self.waiting.pop_front() {
                self.passed = frame.bytes;
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

/// The request that a message cancels.
fn cancelled_by(request: &Request) -> Option<Id> {
    let params = request
        .params()
        .filter(|_| request.method() == "$/cancelRequest")?;
    serde_json::from_value(params.get("id")?.clone()).ok()
}

fn standing_for(method: &str, id: Id) -> MessageFrame {
    let request = Request::build(method.to_owned()).id(id).finish();
    MessageFrame::new(request.to_string().as_bytes())
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
        String::from_utf8(standing_for(method, Id::Null).bytes).unwrap()
    }

    fn framed(body: &str) -> String {
        String::from_utf8(MessageFrame::new(body.as_bytes()).bytes).unwrap()
    }

    #[test]
    fn messages_pass_and_what_is_none_is_replaced() {
        let good = framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        let answer = framed(r#"{"jsonrpc":"2.0","id":1,"result":null}"#);
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
        let good = framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        input.extend_from_slice(good.as_bytes());
        assert_eq!(passed(&input), text(NO_REQUEST) + &good);
    }

    #[test]
    fn a_request_that_is_cancelled_before_it_is_answered_is_replaced() {
        let ask = |id: &str| framed(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#));
        let cancel = |id: &str| {
            let params = format!(r#"{{"id":{id}}}"#);
            framed(&format!(
                r#"{{"jsonrpc":"2.0","method":"$/cancelRequest","params":{params}}}"#
            ))
        };
        let (one, two, cancels) = (ask("1"), ask("\"b\""), cancel("\"b\"") + &cancel("7"));
        let instead = standing_for(CANCELLED, Id::String("b".to_owned())).bytes;
        let instead = String::from_utf8(instead).unwrap();
        assert_eq!(
            passed(format!("{one}{two}{cancels}").as_bytes()),
            format!("{one}{instead}{cancels}")
        );
    }
}
