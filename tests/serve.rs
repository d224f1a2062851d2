//! The server of `kolibri serve`, over real sockets.

mod by_clicks;
mod client;
mod ends;
mod harm;
mod kept;
mod matches;
mod rules;
