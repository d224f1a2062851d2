//! Static analysis of a game: which facts belong together, what each goal needs, which orders the rules list, and which
//! facts are the cells of a board.

pub mod board;
mod facts;
mod goals;
mod goals_without_own;

pub use facts::{game_facts, game_facts_of, successor_orders};
