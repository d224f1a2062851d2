//! All integration tests, one binary. Each module is one concern.

mod arithmetic;
mod boards;
mod boards_of_collection;
mod checker;
mod cli;
mod corpus;
mod docs;
mod editors;
mod engines;
mod evaluation;
mod fixes;
#[cfg(unix)]
mod full_screen;
mod games;
mod generated;
mod goals;
mod ground;
mod inputs;
// Sends the signals of Unix.
#[cfg(unix)]
mod interrupts;
mod invariants;
mod kif;
mod language_server;
mod layers;
mod matches;
mod mates;
mod mcts;
mod network_player;
mod playing;
mod playtest;
mod programs;
pub mod properties;
mod propnet;
mod queries;
mod remote;
mod replay;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod slow;
mod standings;
mod start_clocks;
mod statistics;
mod stops;
mod stuck;
// Opens a pseudo-terminal.
#[cfg(unix)]
mod terminal;
mod tournament;
// Opens a pseudo-terminal, too.
#[cfg(unix)]
mod watch;
mod weights;
mod written;
