//! The engine protocol: what a host and a player program say to each other, one JSON object per line.
//!
//! The host starts the program, writes [`HostMessage`]s to its standard input and reads [`ProgramMessage`]s from its standard
//! output. `docs/reference/engine-protocol.md` describes the protocol for those who write such programs.

mod clock;
mod line;
mod message;

pub use line::{LongestLine, ProtocolLine, read_protocol_line};
pub use message::{
    HostMessage, MatchStart, MoveAnswer, PROTOCOL_VERSION, ProgramMessage, Turn, UnreadableLine,
};
