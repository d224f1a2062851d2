//! One message to a player, and its reply.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::Message;
use crate::util::{Deadline, Expired, system_said};

/// Where a player listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerAddress {
    host: String,
    port: u16,
}

/// A text that is no address of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("HOST:PORT, such as 127.0.0.1:9147")]
pub struct InvalidPlayerAddress;

impl FromStr for PlayerAddress {
    type Err = InvalidPlayerAddress;

    fn from_str(text: &str) -> Result<Self, InvalidPlayerAddress> {
        let (host, port) = text.rsplit_once(':').ok_or(InvalidPlayerAddress)?;
        let port = port.parse().map_err(|_| InvalidPlayerAddress)?;
        let is_odd = |c: char| c.is_whitespace() || "(),/=".contains(c);
        match host.is_empty() || host.contains(is_odd) || port == 0 {
            true => Err(InvalidPlayerAddress),
            false => Ok(Self {
                host: host.to_owned(),
                port,
            }),
        }
    }
}

impl fmt::Display for PlayerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Why a player gave no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    /// There is no connection.
    #[error("CE {0}")]
    Connection(String),
    /// The time is up.
    #[error("TO no answer within {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// What came is no reply.
    #[error("CE the answer is no HTTP response: {0}")]
    Malformed(String),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// The longest reply that is read.
const MOST_BYTES: usize = 1 << 20;

/// How often the stop flag is looked at.
const TICK: Duration = Duration::from_millis(20);

/// Sends a message to the player at `address`, and returns the text of its reply, which comes within `time`.
///
/// # Errors
/// [`ExchangeError`].
pub fn exchange(
    address: &PlayerAddress,
    message: &Message,
    time: Duration,
    deadline: &Deadline,
) -> Result<String, ExchangeError> {
    let deadline = Deadline {
        at: Some(Instant::now() + time),
        stop: deadline.stop.clone(),
    };
    let exchange = Exchange { time, deadline };
    let mut stream = exchange.connect(address)?;
    exchange.send(&mut stream, &request(address, message))?;
    exchange.receive(&mut stream)
}

/// The bytes that ggp-base sends.
fn request(address: &PlayerAddress, message: &Message) -> Vec<u8> {
    let text = message.to_string();
    let (host, length) = (&address.host, text.len());
    let head = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\nReceiver: {host}\r\n\
         Content-Type: text/acl\r\nContent-Length: {length}\r\n\r\n"
    );
    (head + &text).into_bytes()
}

/// One message on its way.
struct Exchange {
    time: Duration,
    deadline: Deadline,
}

impl Exchange {
    /// Time for one step, after which the deadline is looked at again.
    fn step(&self) -> Result<Duration, ExchangeError> {
        self.deadline.check().map_err(|why| match why {
            Expired::Interrupted => ExchangeError::Interrupted,
            Expired::OutOfTime => ExchangeError::Timeout(self.time),
        })?;
        let left = self
            .deadline
            .at
            .map(|at| at.saturating_duration_since(Instant::now()));
        // The system takes no time of zero.
        Ok(left.map_or(TICK, |left| left.clamp(Duration::from_millis(1), TICK)))
    }

    fn connect(&self, address: &PlayerAddress) -> Result<TcpStream, ExchangeError> {
        let lost =
            |why: &io::Error| ExchangeError::Connection(format!("{address}: {}", system_said(why)));
        let known = (address.host.as_str(), address.port).to_socket_addrs();
        let known = known.map_err(|why| lost(&why))?;
        let mut fault = ExchangeError::Connection(format!("{address}: there is no such host"));
        for place in known {
            self.step()?;
            let left = self
                .deadline
                .at
                .map_or(self.time, |at| at.saturating_duration_since(Instant::now()));
            match TcpStream::connect_timeout(&place, left.max(Duration::from_millis(1))) {
                Ok(stream) => return Ok(stream),
                Err(why) if is_timeout(&why) => fault = ExchangeError::Timeout(self.time),
                Err(why) => fault = lost(&why),
            }
        }
        Err(fault)
    }

    fn send(&self, stream: &mut TcpStream, bytes: &[u8]) -> Result<(), ExchangeError> {
        let mut left = bytes;
        while !left.is_empty() {
            stream
                .set_write_timeout(Some(self.step()?))
                .map_err(broken)?;
            match stream.write(left) {
                Ok(written) => left = &left[written..],
                Err(why) if is_timeout(&why) => {}
                Err(why) => return Err(broken(why)),
            }
        }
        Ok(())
    }

    fn receive(&self, stream: &mut TcpStream) -> Result<String, ExchangeError> {
        let mut bytes = Vec::new();
        let mut piece = [0; 4096];
        loop {
            stream
                .set_read_timeout(Some(self.step()?))
                .map_err(broken)?;
            match stream.read(&mut piece) {
                Ok(0) => {
                    return complete(&bytes, true)?.ok_or_else(|| malformed("it is cut short"));
                }
                Ok(count) => bytes.extend_from_slice(&piece[..count]),
                Err(why) if is_timeout(&why) => continue,
                Err(why) => return Err(broken(why)),
            }
            if let Some(text) = complete(&bytes, false)? {
                return Ok(text);
            }
            if bytes.len() > MOST_BYTES {
                return Err(malformed("it is too long"));
            }
        }
    }
}

fn broken(why: io::Error) -> ExchangeError {
    ExchangeError::Connection(system_said(&why))
}

fn malformed(why: &str) -> ExchangeError {
    ExchangeError::Malformed(why.to_owned())
}

fn is_timeout(why: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(why.kind(), Interrupted | TimedOut | WouldBlock)
}

/// The text of a response, once all of it is there: what its head announces, or without that what comes until the end.
fn complete(bytes: &[u8], is_end: bool) -> Result<Option<String>, ExchangeError> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut response = httparse::Response::new(&mut headers);
    let parsed = response
        .parse(bytes)
        .map_err(|why| malformed(&why.to_string()))?;
    let httparse::Status::Complete(head) = parsed else {
        return Ok(None);
    };
    let code = response.code.unwrap_or_default();
    if !(200..300).contains(&code) {
        return Err(malformed(&format!("its status is {code}")));
    }
    let mut lengths = response
        .headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case("Content-Length"));
    let length = lengths.next().and_then(|header| {
        std::str::from_utf8(header.value)
            .ok()?
            .trim()
            .parse::<usize>()
            .ok()
    });
    let body = &bytes[head..];
    let body = match length {
        Some(length) if body.len() >= length => &body[..length],
        // Some players count characters, and others are cut short: a move that is no move shows that.
        _ if is_end => body,
        _ => return Ok(None),
    };
    Ok(Some(String::from_utf8_lossy(body).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_read_and_printed() {
        for text in ["127.0.0.1:9147", "localhost:4000", "[::1]:9148"] {
            assert_eq!(text.parse::<PlayerAddress>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "localhost",
            ":9147",
            "host:",
            "host:0",
            "host:99999",
            "a b:1",
            "http://host:1",
        ] {
            assert_eq!(
                text.parse::<PlayerAddress>(),
                Err(InvalidPlayerAddress),
                "{text}"
            );
        }
    }

    #[test]
    fn responses_are_read_in_many_forms() {
        let read = |text: &str, is_end| complete(text.as_bytes(), is_end);
        let noop = Ok(Some("noop".to_owned()));
        assert_eq!(
            read("HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nnoop", false),
            noop
        );
        assert_eq!(
            read("HTTP/1.1 200 OK\ncontent-LENGTH:6\n\n noop\n", false),
            noop
        );
        assert_eq!(read("HTTP/1.0 200 OK\r\n\r\nnoop\r\n", true), noop);
        assert_eq!(read("HTTP/1.0 200 OK\r\n\r\nnoop\r\n", false), Ok(None));
        assert_eq!(
            read("HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nnoop", false),
            Ok(None)
        );
        assert_eq!(read("HTTP/1.0 200 OK\r\nConte", false), Ok(None));
        assert!(read("SSH-2.0-OpenSSH\r\n", false).is_err());
        assert!(read("HTTP/1.0 500 No\r\n\r\n", true).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, is_end: bool) {
            let _ = complete(&bytes, is_end);
        }
    }
}
