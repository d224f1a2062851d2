//! Matches that people play in a browser.
//!
//! ```text
//! browser ─http · socket─▶ MatchLibrary ─▶ MatchRoom ─▶ ServedMatch ─▶ session · drawing
//!                                           (threads)    └─▶ journal on the disk
//! ```
//!
//! `hosted` is one match and knows nothing of threads: what may be done, and by whom. `room` lets its machines think, and
//! tells those who watch. `library` has all matches, those on the disk included; `screens` knows the boards of their games.
//! `http` and `socket` are the interface that `docs/reference/browser-interface.md` describes; `requests` is what they are
//! asked, `views` what they tell.

mod games;
mod hosted;
mod http;
mod journal;
mod key;
mod library;
mod machines;
mod match_player;
mod refusal;
mod requests;
mod room;
mod screens;
mod socket;
mod thoughts;
mod turns;
mod variations;
mod views;
mod why;

pub use http::{GameServer, ServeError, ServeOptions};
pub use journal::JournalError;
pub use key::{NoRandomness, SecretKey};
pub use library::MatchRequest;
pub use refusal::{RefusalKind, ServeRefusal};
pub use requests::SocketRequest;
pub use views::FindingView;
