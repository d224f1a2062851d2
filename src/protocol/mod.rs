//! The protocol in which match servers and players of General Game Playing talk to each other: messages and replies as text.
//!
//! A server sends a [`Message`] in an HTTP request, and the player's [`Reply`] is the response. Servers differ in the case of
//! words, in blanks and in what they leave out; everything that is in use is read, and one form is written, that of ggp-base.

mod client;
mod message;
mod reply;

pub use client::{ExchangeError, InvalidPlayerAddress, PlayerAddress, exchange};
pub use message::{LastMoves, Message, MessageError, StartMessage, TurnMessage};
pub use reply::Reply;
