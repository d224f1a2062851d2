//! A player that match servers call over HTTP.
//!
//! ```text
//! HTTP request ─http─▶ Message ─NetworkPlayer─▶ MatchTask ─channel─▶ MatchInProgress (own thread) ─▶ Reply
//! ```
//!
//! `http` knows sockets and nothing of games. [`NetworkPlayer`] decides what a message is about, and sees to it that every
//! reply is given before the clock is over, whatever the thread of the match does: if the search is late, a legal move drawn
//! at random is sent. The thread of the match loads the rules, keeps track of the position, searches, ponders and writes the
//! record.

mod event;
mod http;
mod margin;
mod match_in_progress;
mod player;
mod playing;
mod read_joint;
mod task;

pub use event::PlayerEvent;
pub use http::{HttpServer, MOST_BYTES};
pub use margin::Margin;
pub use player::{NetworkPlayer, NetworkPlayerOptions};
